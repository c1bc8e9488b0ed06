//! Patterns that try every place of a name.

use std::cell::Cell;

use kallsyms_core::glob::Glob;

/// Bytes that a match takes of a name that comes byte by byte, with so many empty pieces before each.
fn taken(glob: &Glob<'_>, name: &[u8], empty: usize) -> (bool, usize) {
    let count = Cell::new(0);
    let before = std::iter::repeat_n(&[][..], empty);
    let pieces = name.chunks(1).flat_map(|byte| before.clone().chain([byte]));
    let matches = glob.matches(pieces.inspect(|_| count.set(count.get() + 1)));
    (matches, count.get())
}

/// No pattern takes more pieces than the name's × the pattern's bytes.
#[test]
fn stars_and_more_stars() {
    for len in [1, 10, 100, 1_000] {
        let name = vec![b'a'; len];
        for stars in [1, 2, 10, 100] {
            for (pattern, matched) in [
                ("*a".repeat(stars), len >= stars),
                ("*a".repeat(stars) + "*", len >= stars),
                ("*a".repeat(stars) + "*b", false),
                ("*".to_owned() + &"a".repeat(stars) + "b", false),
                ("*".to_owned() + &"?".repeat(stars) + "b", false),
                ("*[a-z]".repeat(stars) + "[!a]", false),
                ("*".repeat(stars) + "b", false),
            ] {
                for empty in [0, 3] {
                    let pieces = len * (empty + 1);
                    for glob in [Glob::kernel(&pattern), Glob::libbpf(&pattern)] {
                        let (matches, taken) = taken(&glob, &name, empty);
                        // libbpf has no classes: the pattern stands for other bytes.
                        assert!(matches == matched || pattern.contains('['), "{pattern} {len}");
                        assert!(taken <= pieces * pattern.len(), "{pattern}: {taken} of {pieces}");
                    }
                }
            }
        }
    }
}

/// The worst of them comes near: the bound is not a matter of luck.
#[test]
fn the_bound_is_met() {
    let name = [b'a'; 1_000];
    let pattern = "*".to_owned() + &"a".repeat(100) + "b";
    let (_, taken) = taken(&Glob::kernel(&pattern), &name, 0);
    assert!((90_000..=102_000).contains(&taken), "{taken}");
}
