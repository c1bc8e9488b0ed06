//! Globs over names in pieces, against a table of all pairs of places in pattern and name.

use kallsyms_core::glob::Glob;
use kallsyms_host_tests::properties::glob::{check, check_literals, steps};
use proptest::prelude::*;

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
        // The pattern itself is a name that often nearly matches.
        for name in names.iter().chain([&pattern]) {
            check(&pattern, name, &cut(name, &places));
        }
    }

    #[test]
    fn literals_hold_for_every_match(pattern in pattern(), names in proptest::collection::vec(name(), 1..8)) {
        for name in names.iter().chain([&pattern]) {
            check_literals(&pattern, name);
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
