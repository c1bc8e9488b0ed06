//! What Linux's tables tell of themselves.

use kallsyms_core::linux::{Encoding, Endian, Kallsyms, Lengths, NameOrder};
use kallsyms_gen::linux::{AddressForm, Places, Tables};

use super::{Report, a_symbol};

pub(super) fn report(kallsyms: &Kallsyms<'_>, tables: &Tables) -> Report {
    let (place, place_bytes) = match &tables.places {
        Places::Markers { bytes, .. } => ("markers", bytes.len()),
        Places::Offsets { bytes, .. } => ("names_offsets", bytes.len()),
    };
    let addresses = if tables.encoding == Encoding::Absolute { "addresses" } else { "offsets" };
    let mut parts = vec![
        ("names", tables.names.len()),
        (place, place_bytes),
        ("token_table", tables.token_table.len()),
        ("token_index", tables.token_index.len()),
        (addresses, tables.offsets.len()),
    ];
    if !tables.seqs_of_names.is_empty() {
        parts.push(("seqs_of_names", tables.seqs_of_names.len()));
    }
    let total = tables.len();
    let mut report = Report::new(
        kallsyms.len(),
        &[
            ("symbols", kallsyms.len().to_string()),
            ("table bytes", total.to_string()),
            ("bytes a symbol", format!("{:.2}", a_symbol(total, kallsyms.len()))),
            (
                "kernel",
                tables
                    .facts
                    .kernel
                    .as_deref()
                    .map_or_else(|| "unknown".into(), |kernel| kernel.escape_debug().to_string()),
            ),
            ("encoding", encoding(tables.encoding)),
            ("lengths", lengths(kallsyms.lengths()).into()),
            ("name order", name_order(tables).into()),
            ("byte order", byte_order(tables.endian).into()),
            ("pointers", format!("{} bits", tables.pointer.bytes() * 8)),
            ("lookup range", range(kallsyms)),
        ],
    );
    report.parts("table", &parts, total);
    report
}

fn encoding(encoding: Encoding) -> String {
    let form = AddressForm::from(encoding).name();
    match encoding {
        Encoding::Absolute | Encoding::Offset => form.into(),
        Encoding::UnsignedBase { relative_base } | Encoding::SignedPercpu { relative_base } => {
            format!("{form}, base {relative_base:#x}")
        }
        Encoding::PcRelative { offsets_address } => format!("{form}, offsets at {offsets_address:#x}"),
    }
}

fn lengths(lengths: Lengths) -> &'static str {
    match lengths {
        Lengths::Byte => "one byte",
        Lengths::ByteOrTwo => "one or two bytes",
    }
}

fn name_order(tables: &Tables) -> &'static str {
    match tables.name_order {
        _ if tables.seqs_of_names.is_empty() => "none: a name is looked for in all of them",
        NameOrder::Whole => "whole names",
        NameOrder::WithoutLlvm => "names without .llvm.",
    }
}

fn byte_order(endian: Endian) -> &'static str {
    match endian {
        Endian::Little => "little-endian",
        Endian::Big => "big-endian",
    }
}

fn range(kallsyms: &Kallsyms<'_>) -> String {
    let Some(bounds) = kallsyms.bounds() else { return "everywhere: the bounds are not known".into() };
    let (kernel, init) = (bounds.kernel, bounds.init);
    format!("{:#x} to {:#x}, init {:#x} to {:#x}", kernel.start, kernel.end, init.start, init.end)
}
