//! The order of ELF symbols: by address, and at one address the name that people expect first.
//!
//! At one address sized symbols come before unsized ones (an assembler's label must not hide the function),
//! then follows the rule of Linux's generator: weak symbols last, names that look as if the linker provided
//! them last, fewer leading underscores first. Byte order of the names settles the rest.

use crate::symbols::Candidate;

/// Sorts into table order; equal symbols keep their order.
pub fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| key(a).cmp(&key(b)));
}

fn key(symbol: &Candidate) -> (u64, bool, bool, bool, usize, &[u8]) {
    let name = symbol.name.as_slice();
    (
        symbol.address,
        symbol.size == 0,
        symbol.kind.eq_ignore_ascii_case(&b'w'),
        looks_provided_by_linker(name),
        name.iter().take_while(|&&byte| byte == b'_').count(),
        name,
    )
}

/// Names that a linker makes up for the bounds of a section.
fn looks_provided_by_linker(name: &[u8]) -> bool {
    let Some(stem) = name.strip_prefix(b"__").filter(|_| name.len() >= 8) else {
        return false;
    };
    let starts = [&b"start_"[..], b"stop_", b"end_"].iter().any(|start| stem.starts_with(start));
    starts || stem.ends_with(b"_start") || stem.ends_with(b"_end")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(address: u64, kind: u8, name: &str, size: u64) -> Candidate {
        Candidate { address, kind, name: name.into(), size, room: Some(0x1000) }
    }

    fn names(mut symbols: Vec<Candidate>) -> Vec<String> {
        sort(&mut symbols);
        symbols.into_iter().map(|symbol| String::from_utf8(symbol.name).expect("UTF-8")).collect()
    }

    /// Field report 4: the sized alias answers.
    #[test]
    fn sized_before_zero_size_even_if_weak() {
        let input = vec![symbol(8, b'T', "alias", 0), symbol(8, b'W', "sized", 4), symbol(0, b'T', "z", 0)];
        assert_eq!(names(input), ["z", "sized", "alias"]);
    }

    /// Field report 1: strong before weak; V is not weak.
    #[test]
    fn weak_after_strong_and_object_weak_is_strong() {
        let input = vec![symbol(8, b'w', "a", 4), symbol(8, b'W', "b", 4), symbol(8, b'V', "z", 4)];
        assert_eq!(names(input), ["z", "a", "b"]);
    }

    #[test]
    fn linker_names_last_then_fewer_underscores_then_bytes() {
        let input = vec![
            symbol(8, b'T', "__start_rodata", 0),
            symbol(8, b'T', "__init_end", 0),
            symbol(8, b'T', "___c", 0),
            symbol(8, b'T', "__b", 0),
            symbol(8, b'T', "__end", 0),
            symbol(8, b'T', "_text", 0),
            symbol(8, b'T', "_stext", 0),
            symbol(8, b'T', "zz", 0),
            symbol(8, b'T', "Zz", 0),
        ];
        let expected =
            ["Zz", "zz", "_stext", "_text", "__b", "__end", "___c", "__init_end", "__start_rodata"];
        assert_eq!(names(input), expected);
    }

    #[test]
    fn only_bounds_look_provided() {
        for name in ["__start_x", "__stop_x", "__end_xyz", "__x_start", "__xyz_end"] {
            assert!(looks_provided_by_linker(name.as_bytes()), "{name}");
        }
        for name in ["__x_end", "_start_x", "__starts", "start_kernel", "__ending_", ""] {
            assert!(!looks_provided_by_linker(name.as_bytes()), "{name}");
        }
    }
}
