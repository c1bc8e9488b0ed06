//! What only Linux's tables have.

use core::fmt::Write;

use kallsyms_core::Table;
use kallsyms_core::linux::{
    Bounds, Encoding, Endian, Error, Indexed, Kallsyms, NameOrder, Places, Region, Tables, Width,
};

pub(crate) fn doors(
    (address, bytes): (u64, &[u8]),
    labels: &[u64; 8],
    sink: &mut dyn Write,
) -> core::fmt::Result {
    let region = Region { address, bytes };
    let tables = tables(region, labels);
    write!(sink, "{tables:?}")?;
    match tables.and_then(Kallsyms::new) {
        Ok(kallsyms) => about(&kallsyms, labels[0], sink),
        Err(error) => write!(sink, "{error} {error:?}"),
    }
}

fn tables<'a>(region: Region<'a>, labels: &[u64; 8]) -> Result<Tables<'a>, Error> {
    let [num_syms, names, markers, token_table, token_index, offsets, base, seqs] = *labels;
    let endian = if num_syms == 0 { Endian::Big } else { Endian::Little };
    let markers = region.from(markers)?;
    Ok(Tables {
        num_syms: u32::try_from(region.number(num_syms, Width::Bits32, endian)?).unwrap_or(0),
        pointer: if base == 0 { Width::Bits32 } else { Width::Bits64 },
        endian,
        encoding: match base {
            0 => Encoding::Offset,
            1 => Encoding::PcRelative { offsets_address: offsets },
            2 => Encoding::Absolute,
            3 => Encoding::UnsignedBase { relative_base: base },
            _ => Encoding::SignedPercpu { relative_base: base },
        },
        lengths: None,
        names: region.from(names)?,
        places: match seqs {
            0 => Places::Offsets { bytes: markers, endian },
            _ => Places::Markers { bytes: markers, width: Width::Bits64 },
        },
        token_table: region.from(token_table)?,
        token_index: region.from(token_index)?,
        offsets: region.from(offsets)?,
        seqs_of_names: region.from(seqs)?,
        name_order: if seqs == 1 { NameOrder::WithoutLlvm } else { NameOrder::Whole },
    })
}

pub(crate) fn indexed<'a>(
    kallsyms: &Kallsyms<'a>,
    buffer: &'a mut [u32],
    sink: &mut dyn Write,
) -> Result<Option<Table<Indexed<'a>>>, core::fmt::Error> {
    write!(sink, "{}", kallsyms.name_index_words())?;
    match kallsyms.with_name_index(buffer) {
        Ok(indexed) => {
            write!(sink, "{:?}", indexed.without_name_index())?;
            Ok(Some(indexed))
        }
        Err(error) => {
            write!(sink, "{error} {error:?}")?;
            Ok(None)
        }
    }
}

fn about(kallsyms: &Kallsyms<'_>, address: u64, sink: &mut dyn Write) -> core::fmt::Result {
    let bounds = Bounds::find(|name| kallsyms.lookup_name(name).map(|symbol| symbol.address()));
    let moved = kallsyms.with_bounds(bounds);
    if let Some(bounds) = moved.bounds() {
        let inside = bounds.contain(address) && bounds.kernel.contains(address);
        write!(sink, "{bounds:?} {inside} {:#x} {}", bounds.end_behind(address), Width::Bits32.bytes())?;
    }
    write!(sink, "{:?} {} {}", moved.lengths(), moved.names_len(), moved.tokens_len())
}
