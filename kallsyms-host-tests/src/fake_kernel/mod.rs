//! Kernels that hold nothing but their tables, laid out as the linker does and packed as the build does.

mod pack;

use kallsyms_core::linux::{Encoding, Endian, Width};
use kallsyms_gen::extract::MemoryOrder;
use kallsyms_gen::linux::write::{Options, write};
use kallsyms_gen::linux::{AddressForm, Tables};
use kallsyms_gen::symbols::{Symbol, Symbols};
use object::elf;

use crate::symbols::symbol;

pub use pack::{CODECS, bz_image, pack, zboot, zimage};

/// Address of the first byte of a 64-bit kernel.
pub const IMAGE: u64 = 0xffff_ffff_8100_0000;
/// The same for 32 bits.
pub const IMAGE_32: u64 = 0xc030_0000;
/// Bytes in front of the tables.
pub const BEFORE: usize = 0x4_0000;

/// Bytes, and where each table begins.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The whole image.
    pub bytes: Vec<u8>,
    /// Name of each table, as the kernel has it without `kallsyms_`, and its offset.
    pub labels: Vec<(&'static str, usize)>,
}

impl Placed {
    /// Where a table begins.
    ///
    /// # Panics
    ///
    /// There is no such table.
    #[must_use]
    pub fn label(&self, name: &str) -> usize {
        let found = self.labels.iter().find(|(label, _)| *label == name);
        found.unwrap_or_else(|| panic!("no {name}")).1
    }
}

/// Bytes that look like nothing, the same for the same seed.
pub fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let mut state = seed | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    })
}

/// The symbols of a kernel at an address, at uneven distances, with aliases; per-CPU ones in front if asked
/// for.
#[must_use]
pub fn symbols(image: u64, count: usize, percpu: bool) -> Symbols {
    const PARTS: [&str; 12] =
        ["do", "sys", "vfs", "read", "write", "page", "mm", "irq", "sched", "net_dev", "init", "_R"];
    let mut list: Vec<Symbol> = Vec::new();
    if percpu {
        let names = ["fixed_percpu_data", "__per_cpu_start", "cpu_debug_store", "irq_stack_backing_store"];
        list.extend((0..).zip(names).map(|(at, name)| symbol(at / 2 * 0x1000, b'A', name)));
    }
    let mut address = image;
    for (number, size) in noise(9).take(count).enumerate() {
        let name = match number {
            0 => "_text".to_owned(),
            1 => "_stext".to_owned(),
            _ if number == count - 1 => "_end".to_owned(),
            _ if number % 50 == 0 => "__func__.0".to_owned(),
            _ => {
                let part = |by: usize| PARTS[number / by % PARTS.len()];
                format!("{}_{}_{}_{number:x}", part(1), part(12), part(144))
            }
        };
        let kind = if number % 3 == 0 { b'T' } else { b't' };
        list.push(symbol(address, kind, name));
        // Every eighth has an alias.
        address += if number % 8 == 1 { 0 } else { 16 * u64::from(1 + size % 32) };
    }
    let address_digits = if image == IMAGE_32 { 8 } else { 16 };
    Symbols { list, address_digits, ..Symbols::default() }
}

/// Writes the tables of symbols and lays them out; the image lies at the address of the first symbol that is
/// not absolute.
///
/// # Panics
///
/// The symbols do not fit the options.
#[must_use]
pub fn kernel(symbols: &Symbols, options: &Options, order: MemoryOrder) -> Placed {
    let image = symbols.list.iter().find(|symbol| symbol.kind != b'A').expect("a symbol").address;
    let tables = |options: &Options| write(symbols, options).expect("tables");
    if options.addresses != AddressForm::PcRelative {
        return lay_out(&tables(options), order);
    }
    // The place of the offsets does not depend on their values.
    let draft = lay_out(&tables(&Options { offsets_address: Some(image), ..*options }), order);
    let offsets_address = Some(image + draft.label("offsets") as u64);
    lay_out(&tables(&Options { offsets_address, ..*options }), order)
}

/// Lays tables out in the order of a kernel, with noise on either side.
#[must_use]
pub fn lay_out(tables: &Tables, order: MemoryOrder) -> Placed {
    let pointer = tables.pointer.bytes();
    let alignment = if order == MemoryOrder::From7_0 { 4 } else { pointer };
    let num_syms = number(u64::from(tables.num_syms), Width::Bits32, tables.endian);
    let base = match tables.encoding {
        Encoding::UnsignedBase { relative_base } | Encoding::SignedPercpu { relative_base } => {
            Some(number(relative_base, tables.pointer, tables.endian))
        }
        _ => None,
    };
    let seqs = || ("seqs_of_names", tables.seqs_of_names.clone());
    let addresses =
        || [Some(("offsets", tables.offsets.clone())), base.clone().map(|base| ("relative_base", base))];
    let names = || {
        [
            Some(("num_syms", num_syms.clone())),
            Some(("names", tables.names.clone())),
            Some(("markers", tables.places.bytes().to_vec())),
        ]
    };
    let tokens = || {
        [Some(("token_table", tables.token_table.clone())), Some(("token_index", tables.token_index.clone()))]
    };
    let parts: Vec<_> = match order {
        MemoryOrder::UpTo6_3 => {
            addresses().into_iter().chain(names()).chain([Some(seqs())]).chain(tokens()).flatten().collect()
        }
        MemoryOrder::From6_4 | MemoryOrder::From7_0 => {
            names().into_iter().chain(tokens()).chain(addresses()).chain([Some(seqs())]).flatten().collect()
        }
    };
    let mut bytes: Vec<u8> = noise(7).take(BEFORE).collect();
    let mut labels = Vec::new();
    for (label, table) in parts.into_iter().filter(|(_, table)| !table.is_empty()) {
        bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        labels.push((label, bytes.len()));
        bytes.extend(table);
    }
    bytes.resize(bytes.len().next_multiple_of(alignment), 0);
    bytes.extend(noise(11).take(0x1_0000));
    Placed { bytes, labels }
}

/// A number of this width and order.
#[must_use]
pub fn number(value: u64, width: Width, endian: Endian) -> Vec<u8> {
    let mut bytes = value.to_le_bytes()[..width.bytes()].to_vec();
    if endian == Endian::Big {
        bytes.reverse();
    }
    bytes
}

/// A linked ELF file without symbols and sections, which loads an image in one piece at an address.
#[must_use]
pub fn vmlinux(image: &[u8], address: u64, pointer: Width, endian: Endian) -> Vec<u8> {
    const OFFSET: u64 = 0x1000;
    let wide = pointer == Width::Bits64;
    let (half, word) =
        (|value: u64| number(value, Width::Bits32, endian), |value| number(value, pointer, endian));
    let short = |value: u64| {
        if endian == Endian::Big { half(value)[2..].to_vec() } else { half(value)[..2].to_vec() }
    };
    let size = image.len() as u64;
    let mut file = elf::ELFMAG.to_vec();
    file.extend([if wide { 2 } else { 1 }, if endian == Endian::Big { 2 } else { 1 }, 1]);
    file.resize(16, 0);
    let header_len = if wide { 64 } else { 52 };
    // ET_EXEC, of any machine.
    file.extend([short(2), short(0), half(1), word(address), word(header_len), word(0), half(0)].concat());
    let entry_len = if wide { 56 } else { 32 };
    file.extend([short(header_len), short(entry_len), short(1), short(0), short(0), short(0)].concat());
    let (load, flags) = (half(1), half(7));
    let entry = if wide {
        [load, flags, word(OFFSET), word(address), word(address), word(size), word(size), word(OFFSET)]
            .concat()
    } else {
        [load, word(OFFSET), word(address), word(address), word(size), word(size), flags, word(OFFSET)]
            .concat()
    };
    file.extend(entry);
    file.resize(OFFSET as usize, 0);
    file.extend(image);
    file
}
