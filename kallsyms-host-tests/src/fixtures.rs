//! Small tables by name.

use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::symbols::{Symbol, Symbols};

use crate::symbols::{sorted, symbol};

/// The image of some symbols.
///
/// # Panics
///
/// If they are not fit for a table.
#[must_use]
pub fn image_of(symbols: &Symbols) -> Vec<u8> {
    build(symbols, Profile::Fast, &mut |_, _| ()).expect("the symbols are fit for a table")
}

/// A little of everything that a Linux table holds: absolute symbols from address 0 on, padding symbols,
/// aliases, duplicates, modules.
#[must_use]
pub fn linux_like() -> Symbols {
    let text = 0xffff_ffff_8100_0000;
    let mut list = vec![
        symbol(0, b'A', *b"fixed_percpu_data"),
        symbol(0, b'A', *b"__per_cpu_start"),
        symbol(0x1000, b'A', *b"cpu_debug_store"),
        symbol(0x34000, b'A', *b"__per_cpu_end"),
        symbol(text, b'T', *b"_stext"),
        symbol(text, b'T', *b"_text"),
    ];
    for number in 0..40u64 {
        let at = text + 0x40 + number * 0x50;
        list.push(symbol(at, b't', format!("__pfx_step_{number}")));
        list.push(symbol(at + 0x10, b't', format!("step_{number}")));
    }
    for number in 0..5u64 {
        list.push(symbol(text + 0x2000 + number * 0x20, b't', *b"s_next"));
    }
    list.push(symbol(text + 0x3000, b'D', *b"xen_vcpu_info"));
    list.push(symbol(text + 0x3008, b'D', *b"xen_vcpu"));
    list.push(Symbol { module: Some(0), ..symbol(0xffff_ffff_c020_1000, b't', *b"xfs_read") });
    list.push(Symbol { module: Some(0), ..symbol(0xffff_ffff_c020_1080, b't', *b"s_next") });
    Symbols { modules: vec![b"xfs".to_vec()], ..sorted(list) }
}

/// What an ELF gives: true sizes, a gap, a function inside another one, an alias without a size.
#[must_use]
pub fn sized() -> Symbols {
    let base = 0xffff_ffff_8000_1000;
    let sized =
        |offset: u64, size, name: &str| Symbol { size: Some(size), ..symbol(base + offset, b't', name) };
    let mut list = vec![
        sized(0, 0x1b, "start"),
        sized(0x20, 0x100, "outer"),
        Symbol { parent: Some(1), ..sized(0x40, 0x10, "inner") },
        sized(0x120, 0x21, "tail"),
        Symbol { size: None, ..symbol(base + 0x120, b't', *b"tail_alias") },
        sized(0x4_0000, 0x8, "far"),
    ];
    for number in 0..20 {
        list.push(sized(0x4_0010 + number * 0x10, 1 + number % 16, &format!("leaf_{number}")));
    }
    Symbols { covered_last: Some(base + 0x5_0000), ..sorted(list) }
}
