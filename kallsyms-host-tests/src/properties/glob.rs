//! Globs over names in pieces, against a table of all pairs of places in pattern and name.

use std::cell::Cell;

use kallsyms_core::glob::Glob;

/// What a part of a pattern stands for.
enum Part {
    /// Any bytes.
    Star,
    /// One byte of these.
    One(Box<[bool; 256]>),
}

fn one(accepts: impl Fn(u8) -> bool) -> Part {
    let mut set = Box::new([false; 256]);
    (0..=255).for_each(|byte| set[usize::from(byte)] = accepts(byte));
    Part::One(set)
}

fn libbpf_parts(pattern: &[u8]) -> Vec<Part> {
    let part = |&byte: &u8| match byte {
        b'*' => Part::Star,
        b'?' => one(|_| true),
        _ => one(|other| other == byte),
    };
    pattern.iter().map(part).collect()
}

/// By place in the pattern, as the C code walks it; 0 is its end.
fn kernel_parts(pattern: &[u8]) -> Vec<Part> {
    let at = |place: usize| pattern.get(place).copied().unwrap_or(0);
    let mut parts = Vec::new();
    let mut place = 0;
    while place < pattern.len() {
        let byte = at(place);
        place += 1;
        let part = match byte {
            b'*' => Part::Star,
            b'?' => one(|_| true),
            b'[' => match kernel_class(at, place) {
                Some((set, behind)) => {
                    place = behind;
                    Part::One(set)
                }
                None => one(|other| other == b'['),
            },
            b'\\' if place == pattern.len() => break,
            b'\\' => {
                place += 1;
                let escaped = at(place - 1);
                one(|other| other == escaped)
            }
            _ => one(|other| other == byte),
        };
        parts.push(part);
    }
    parts
}

/// The class behind a `[` and the place behind its `]`, if it has one.
fn kernel_class(at: impl Fn(usize) -> u8, mut place: usize) -> Option<(Box<[bool; 256]>, usize)> {
    let inverted = at(place) == b'!';
    place += usize::from(inverted);
    let mut set = Box::new([inverted; 256]);
    loop {
        let (first, mut last) = (at(place), at(place));
        place += 1;
        if at(place) == b'-' && at(place + 1) != b']' {
            last = at(place + 1);
            place += 2;
        }
        if first == 0 || last == 0 {
            return None;
        }
        (first..=last).for_each(|byte| set[usize::from(byte)] = !inverted);
        if at(place) == b']' {
            return Some((set, place + 1));
        }
    }
}

/// Row by row over the parts: which starts of the name the parts so far can stand for.
fn oracle(parts: &[Part], name: &[u8]) -> bool {
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for part in parts {
        let mut next = vec![false; name.len() + 1];
        for place in 0..=name.len() {
            next[place] = match part {
                Part::Star => reached[place] || (place > 0 && next[place - 1]),
                Part::One(set) => place > 0 && reached[place - 1] && set[usize::from(name[place - 1])],
            };
        }
        reached = next;
    }
    reached[name.len()]
}

/// Pieces of a name that count how often one is asked for.
#[derive(Clone)]
struct Counted<'n, 'c> {
    pieces: std::slice::Iter<'n, &'n [u8]>,
    asked: &'c Cell<usize>,
}

impl<'n> Iterator for Counted<'n, '_> {
    type Item = &'n [u8];

    fn next(&mut self) -> Option<&'n [u8]> {
        self.asked.set(self.asked.get() + 1);
        self.pieces.next().copied()
    }
}

/// Whether a name of one-byte pieces matches, and how many pieces were asked for.
#[must_use]
pub fn steps(glob: &Glob<'_>, name: &[u8]) -> (bool, usize) {
    let pieces: Vec<&[u8]> = name.chunks(1).collect();
    let asked = Cell::new(0);
    (glob.matches(Counted { pieces: pieces.iter(), asked: &asked }), asked.get())
}

fn both(pattern: &[u8]) -> [(Glob<'_>, Vec<Part>); 2] {
    [(Glob::kernel(pattern), kernel_parts(pattern)), (Glob::libbpf(pattern), libbpf_parts(pattern))]
}

/// Both kinds of pattern match a name, in these pieces and in those of one byte, where the table says so; in at
/// most bytes × bytes steps.
///
/// # Panics
///
/// Where it is not so.
pub fn check(pattern: &[u8], name: &[u8], pieces: &[&[u8]]) {
    assert_eq!(pieces.concat(), name, "the pieces are the name's");
    for (glob, parts) in both(pattern) {
        let expected = oracle(&parts, name);
        let text = (pattern.escape_ascii(), name.escape_ascii());
        assert_eq!(glob.matches(pieces.iter().copied()), expected, "{} {}", text.0, text.1);
        let (found, asked) = steps(&glob, name);
        assert_eq!(found, expected, "{} {}", text.0, text.1);
        assert!(asked <= (pattern.len() + 2) * (name.len() + 2), "{asked} steps, {} {}", text.0, text.1);
    }
}

/// The literals of a pattern stand in a name that matches it.
///
/// # Panics
///
/// Where one does not.
pub fn check_literals(pattern: &[u8], name: &[u8]) {
    for (glob, parts) in both(pattern) {
        if oracle(&parts, name) {
            assert!(name.starts_with(glob.literal_prefix()));
            let longest = glob.longest_literal();
            assert!(longest.is_empty() || name.windows(longest.len()).any(|part| part == longest));
            assert!(glob.literal().is_none_or(|literal| literal == name));
        }
        if let Some(literal) = glob.literal() {
            assert!(oracle(&parts, literal));
            assert_eq!(literal, glob.literal_prefix());
            assert_eq!(literal, glob.longest_literal());
        }
    }
}
