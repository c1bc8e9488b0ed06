//! Globs over names in pieces, against a table of all pairs of places in pattern and name.

use std::cell::Cell;

use kallsyms_core::glob::Glob;
use proptest::prelude::*;

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
fn steps(glob: &Glob<'_>, name: &[u8]) -> (bool, usize) {
    let pieces: Vec<&[u8]> = name.chunks(1).collect();
    let asked = Cell::new(0);
    (glob.matches(Counted { pieces: pieces.iter(), asked: &asked }), asked.get())
}

/// Few bytes, so that patterns match; those that are special in a pattern stand in names too.
fn bytes(alphabet: &'static [u8], longest: usize) -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::sample::select(alphabet), 0..longest)
}

fn pattern() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => bytes(b"aab*?", 12),
        4 => bytes(br"abc*?[]!-\^", 14),
        2 => r"[ab*]{0,3}\[!?[a-c\]-]{1,4}\][ab*?]{0,3}".prop_map(String::into_bytes),
        1 => bytes(br"[]-!\", 9),
        1 => proptest::collection::vec(1u8.., 0..6),
    ]
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => bytes(b"aab", 14),
        4 => bytes(br"abc[]!-\^*?", 12),
        1 => proptest::collection::vec(1u8.., 0..8),
    ]
}

/// A name cut at these places, some of them the same.
fn cut<'n>(name: &'n [u8], places: &[prop::sample::Index]) -> Vec<&'n [u8]> {
    let mut places: Vec<usize> = places.iter().map(|place| place.index(name.len() + 1)).collect();
    places.extend([0, name.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| &name[pair[0]..pair[1]]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn as_the_oracle_in_any_pieces(
        pattern in pattern(),
        names in proptest::collection::vec(name(), 1..6),
        places in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        for (glob, parts) in [
            (Glob::kernel(&pattern), kernel_parts(&pattern)),
            (Glob::libbpf(&pattern), libbpf_parts(&pattern)),
        ] {
            // The pattern itself is a name that often nearly matches.
            for name in names.iter().chain([&pattern]) {
                let expected = oracle(&parts, name);
                let text = (String::from_utf8_lossy(&pattern), String::from_utf8_lossy(name));
                prop_assert_eq!(glob.matches(cut(name, &places)), expected, "{:?}", text);
                let (found, asked) = steps(&glob, name);
                prop_assert_eq!(found, expected, "{:?}", text);
                prop_assert!(asked <= (pattern.len() + 2) * (name.len() + 2), "{} steps, {:?}", asked, text);
            }
        }
    }

    #[test]
    fn literals_hold_for_every_match(pattern in pattern(), names in proptest::collection::vec(name(), 1..8)) {
        for (glob, parts) in [
            (Glob::kernel(&pattern), kernel_parts(&pattern)),
            (Glob::libbpf(&pattern), libbpf_parts(&pattern)),
        ] {
            for name in names.iter().chain([&pattern]).filter(|name| oracle(&parts, name)) {
                prop_assert!(name.starts_with(glob.literal_prefix()));
                let longest = glob.longest_literal();
                prop_assert!(longest.is_empty() || name.windows(longest.len()).any(|part| part == longest));
                prop_assert!(glob.literal().is_none_or(|literal| literal == name));
            }
            if let Some(literal) = glob.literal() {
                prop_assert!(oracle(&parts, literal));
                prop_assert_eq!(literal, glob.literal_prefix());
                prop_assert_eq!(literal, glob.longest_literal());
            }
        }
    }
}

/// A recursive matcher takes more than a second for this one (libbpf's, 12 stars on 30 bytes).
#[test]
fn twelve_stars_are_not_exponential() {
    let pattern = format!("{}b", "*a".repeat(12));
    let name = [b'a'; 30];
    for glob in [Glob::kernel(&pattern), Glob::libbpf(&pattern)] {
        let (found, asked) = steps(&glob, &name);
        assert!(!found);
        assert!(asked <= pattern.len() * name.len(), "{asked} pieces");
    }
}

/// The worst that one `*` can cost is the product of both lengths.
#[test]
fn a_near_match_at_every_place_is_quadratic() {
    let pattern = format!("*{}b", "?".repeat(500));
    let name = [b'a'; 1_000];
    let (found, asked) = steps(&Glob::kernel(&pattern), &name);
    assert!(!found);
    assert!(asked <= (pattern.len() + 2) * (name.len() + 2), "{asked} pieces");
    assert!(asked > 100_000, "{asked} pieces: no near match");
}

/// A literal prefix that differs costs the pieces up to the difference.
#[test]
fn a_literal_prefix_stops_early() {
    let name = b"tcp_sendmsg_locked";
    for (pattern, pieces) in [("udp_*", 1), ("tcq*", 3), ("tcp_recvmsg", 5), ("t[a-b]*", 2)] {
        let (found, asked) = steps(&Glob::kernel(pattern), name);
        assert_eq!((found, asked), (false, pieces), "{pattern}");
    }
    let (found, asked) = steps(&Glob::libbpf("tcp_*"), name);
    assert_eq!((found, asked), (true, 4), "nothing behind a last star is looked at");
}
