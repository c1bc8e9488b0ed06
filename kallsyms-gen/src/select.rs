//! Which symbols of an input belong in a table.

use object::elf::{
    SHF_ALLOC, SHF_EXECINSTR, STT_FILE, STT_FUNC, STT_GNU_IFUNC, STT_NOTYPE, STT_SECTION, STT_TLS,
};

use crate::input::elf_file::{ElfSymbol, Home, Section};

/// What the name of a padding symbol begins with: the compiler puts such bytes before a function, and no
/// call.
pub const PADDING: &[u8] = b"__pfx_";

/// Whether an ELF symbol is taken: functions and assembler labels with code, or with `all` every address.
pub(crate) fn is_wanted(symbol: &ElfSymbol<'_>, home: Option<&Section<'_>>, all: bool) -> bool {
    if symbol.name.is_empty() || is_local_label(symbol.name) {
        return false;
    }
    if symbol.kind == STT_NOTYPE && is_mapping_symbol(symbol.name) {
        return false;
    }
    if all {
        return symbol.kind != STT_SECTION
            && symbol.kind != STT_FILE
            && match symbol.home {
                Home::Absolute => true,
                Home::Section(_) => home.is_some_and(|section| section.flags.contains(SHF_ALLOC)),
                Home::Nowhere => false,
            };
    }
    let code = home.is_some_and(|section| section.flags.contains(SHF_ALLOC | SHF_EXECINSTR));
    code && matches!(symbol.kind, STT_FUNC | STT_GNU_IFUNC | STT_NOTYPE)
}

/// Whether a value is no address of memory but a constant or an offset: percpu and thread-local symbols too.
///
/// Percpu sections of older kernels are linked at address 0; where they lie above the code they are ordinary
/// memory.
pub(crate) fn is_absolute(
    symbol: &ElfSymbol<'_>,
    home: Option<&Section<'_>>,
    lowest_code: Option<u64>,
) -> bool {
    let Some(section) = home else { return true };
    let percpu = section.name.ends_with(b"percpu") && lowest_code.is_some_and(|code| section.address < code);
    percpu || symbol.kind == STT_TLS
}

/// The padding before a function that Linux names `__pfx_` and the function's name.
#[must_use]
pub fn is_padding(name: &[u8]) -> bool {
    name.starts_with(PADDING)
}

/// Marks of ARM and RISC-V for code and data: `$a`, `$d`, `$t`, `$x`, `$d.1`, `$xrv64i…`.
fn is_mapping_symbol(name: &[u8]) -> bool {
    match name {
        [b'$', b'a' | b'd' | b't' | b'x'] | [b'$', b'a' | b'd' | b't' | b'x', b'.', ..] => true,
        _ => name.starts_with(b"$xrv"),
    }
}

/// Labels that an assembler keeps to itself: `.L4`, and numbered ones (`L0` and a control character).
fn is_local_label(name: &[u8]) -> bool {
    name.starts_with(b".L")
        || name.strip_prefix(b"L").is_some_and(|rest| {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0 && matches!(rest.get(digits), Some(1 | 2))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Field report 2.
    #[test]
    fn mapping_symbols_are_recognized() {
        for name in ["$a", "$d", "$t", "$x", "$d.1", "$x.3", "$d.realdata", "$xrv64i2p1_m2p0"] {
            assert!(is_mapping_symbol(name.as_bytes()), "{name}");
        }
        for name in ["$", "$b", "$dollar", "$xor", "a", "$$", "$A"] {
            assert!(!is_mapping_symbol(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn local_labels_are_recognized() {
        for name in [".L", ".L4", ".Ltmp0", ".LBB0_1", "L0\u{1}", "L12\u{2}3"] {
            assert!(is_local_label(name.as_bytes()), "{name:?}");
        }
        for name in ["L0", "L", "List", ".text", "local", "L1x"] {
            assert!(!is_local_label(name.as_bytes()), "{name:?}");
        }
    }

    /// Field report 3.
    #[test]
    fn padding_is_recognized() {
        assert!(is_padding(b"__pfx_do_one_initcall"));
        assert!(!is_padding(b"pfx_to_sfx") && !is_padding(b"___pfx_x"));
    }
}
