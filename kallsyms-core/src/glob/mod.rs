//! Glob patterns over names that are never built: the kernel's semantics and libbpf's.
//!
//! A name comes as a stream of pieces, cut in any way. Matching keeps a clone of the stream at the last `*`
//! and never goes back further, so that the cost is at most the product of both lengths, whatever the
//! pattern.
//!
//! ```
//! use kallsyms_core::glob::Glob;
//!
//! let pieces = |name: &'static str| name.as_bytes().chunks(3);
//! assert!(Glob::kernel("tcp_[a-z]*").matches(pieces("tcp_sendmsg")));
//! assert!(!Glob::kernel("tcp_[!a-z]*").matches(pieces("tcp_sendmsg")));
//! assert!(Glob::kernel(r"what\?").matches(pieces("what?")));
//! // libbpf knows only `*` and `?`.
//! assert!(Glob::libbpf("[a-z]?*").matches(pieces("[a-z]_more")));
//!
//! // What can be known before any name is looked at.
//! assert_eq!(Glob::kernel("tcp_sendmsg").literal(), Some(&b"tcp_sendmsg"[..]));
//! assert_eq!(Glob::kernel("tcp_*msg").literal_prefix(), b"tcp_");
//! assert_eq!(Glob::kernel("t*_sendmsg").longest_literal(), b"_sendmsg");
//! ```

mod bytes;
mod items;

use bytes::Bytes;
use items::{Item, Items};

/// A pattern, ready to be matched.
///
/// A name has no NUL; where a pattern has one it is a byte like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Glob<'p> {
    pattern: &'p [u8],
    items: Items<'p>,
    /// Bytes of the pattern that stand for themselves at its start.
    prefix: usize,
}

impl<'p> Glob<'p> {
    /// A pattern as the kernel's `glob_match` reads it.
    ///
    /// `*` any bytes, `?` any one, `[a-z]` one of these, `[!a-z]` one but these, `\` takes the special
    /// meaning of the byte behind it; at the end of the pattern it stands for nothing. `^` does not
    /// invert. A `]` right behind `[` or `[!` is one of the class; a `[` that no `]` closes stands for
    /// itself; a range that goes down holds nothing. Steps: one a byte of the pattern.
    #[must_use]
    pub fn kernel<P: AsRef<[u8]> + ?Sized>(pattern: &'p P) -> Self {
        Self::new(pattern.as_ref(), Items::kernel(pattern.as_ref()))
    }

    /// A pattern as libbpf reads it: `*` any bytes, `?` any one, every other byte stands for itself.
    ///
    /// Steps: one a byte of the pattern.
    #[must_use]
    pub fn libbpf<P: AsRef<[u8]> + ?Sized>(pattern: &'p P) -> Self {
        Self::new(pattern.as_ref(), Items::libbpf(pattern.as_ref()))
    }

    fn new(pattern: &'p [u8], items: Items<'p>) -> Self {
        let prefix = items.literals().next().filter(|literal| literal.at == 0);
        Self { pattern, items, prefix: prefix.map_or(0, |literal| literal.bytes.len()) }
    }

    /// The pattern as it was given.
    #[must_use]
    pub fn pattern(&self) -> &'p [u8] {
        self.pattern
    }

    /// The one name that matches, where the pattern has no wildcard and its bytes are the name as they stand.
    ///
    /// `None` also for a pattern with a `\` outside of a class: it matches one name, whose bytes are not
    /// these.
    #[must_use]
    pub fn literal(&self) -> Option<&'p [u8]> {
        (self.prefix == self.pattern.len()).then_some(self.pattern)
    }

    /// What every matching name begins with, as far as it stands in the pattern in one piece.
    #[must_use]
    pub fn literal_prefix(&self) -> &'p [u8] {
        self.pattern.get(..self.prefix).unwrap_or_default()
    }

    /// The longest run of bytes, the first of them, that every matching name holds in one piece and that
    /// stands so in the pattern; empty if there is none.
    ///
    /// Steps: one a byte of the pattern.
    #[must_use]
    pub fn longest_literal(&self) -> &'p [u8] {
        let longer =
            |longest: &'p [u8], bytes: &'p [u8]| if bytes.len() > longest.len() { bytes } else { longest };
        self.items.literals().map(|literal| literal.bytes).fold(&[], longer)
    }

    /// Whether a name matches, from its first byte to its last.
    ///
    /// The pieces may be cut in any way and may be empty. A name that differs within the literal prefix is
    /// taken no further than the piece that does. Steps: at most bytes and empty pieces of the name × bytes
    /// of the pattern.
    #[must_use]
    pub fn matches<'n, I>(&self, pieces: I) -> bool
    where
        I: IntoIterator<Item = &'n [u8]>,
        I::IntoIter: Clone,
    {
        let mut name = Bytes::new(pieces.into_iter());
        name.strip(self.literal_prefix()) && self.matches_behind_prefix(name)
    }

    fn matches_behind_prefix<'n, I: Iterator<Item = &'n [u8]> + Clone>(
        &self,
        mut name: Bytes<'n, I>,
    ) -> bool {
        let mut items = self.items.skip(self.prefix);
        let mut star: Option<Star<'p, 'n, I>> = None;
        loop {
            let matched = match items.next() {
                Some(Item::Star) => {
                    let Some(first) = items.next_but_stars() else { return true };
                    star = Some(Star { first, behind: items, place: name.clone() });
                    false
                }
                Some(item) => match name.next() {
                    Some(byte) => item.accepts(byte),
                    None => return false,
                },
                None => match name.next() {
                    Some(_) => false,
                    None => return true,
                },
            };
            if !matched {
                // What the last `*` stands for grows; an earlier one never has to.
                let Some(star) = &mut star else { return false };
                if !star.place.skip_past(star.first) {
                    return false;
                }
                (items, name) = (star.behind, star.place.clone());
            }
        }
    }
}

/// The last `*` so far.
struct Star<'p, 'n, I> {
    /// The item behind it.
    first: Item<'p>,
    /// The items behind that.
    behind: Items<'p>,
    /// The name behind the byte that `first` was last tried on.
    place: Bytes<'n, I>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(pattern: &str, name: &str) -> bool {
        Glob::kernel(pattern).matches([name.as_bytes()])
    }

    fn libbpf(pattern: &str, name: &str) -> bool {
        Glob::libbpf(pattern).matches([name.as_bytes()])
    }

    #[test]
    fn stars_and_question_marks() {
        for matches in [kernel, libbpf] {
            for (pattern, name) in [
                ("", ""),
                ("*", ""),
                ("**", ""),
                ("*", "abc"),
                ("a*", "a"),
                ("a*c", "abcbc"),
                ("*b*", "abc"),
                ("?", "a"),
                ("?*?", "ab"),
                ("*?", "ab"),
                ("a?c", "abc"),
                ("*ab", "aab"),
                ("*aab*", "aaab"),
            ] {
                assert!(matches(pattern, name), "{pattern} {name}");
            }
            for (pattern, name) in [
                ("", "a"),
                ("a", ""),
                ("?", ""),
                ("?*?", "a"),
                ("a*c", "abcb"),
                ("a*", "ba"),
                ("*b*", "ac"),
                ("a?c", "ac"),
                ("abc", "abcd"),
                ("abcd", "abc"),
            ] {
                assert!(!matches(pattern, name), "{pattern} {name}");
            }
        }
    }

    #[test]
    fn classes() {
        for (pattern, name) in [
            ("[a-c]", "b"),
            ("[abc]x", "cx"),
            ("[!a-c]", "d"),
            ("[!]a]", "b"),
            ("[]a]", "]"),
            ("[]a]", "a"),
            ("[]-a]", "_"), // a range from ] to a
            ("[a-]", "-"),
            ("[-a]", "-"),
            ("[a-c-e]", "-"), // - behind a range is itself
            ("[a-c-e]", "e"),
            ("[^a]", "^"), // ^ does not invert
            ("[^a]", "a"),
            ("[*?]", "*"),
            (r"[\]", r"\"), // no escapes in a class
            ("[!!]", "a"),
            ("[\u{1}-\u{7f}]", "z"),
            ("*[0-9]", "step_7"),
            ("[[]", "["),
        ] {
            assert!(kernel(pattern, name), "{pattern} {name}");
            assert!(!libbpf(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("[a-c]", "d"),
            ("[a-c]", ""),
            ("[!a-c]", "b"),
            ("[!a]", ""), // one byte, whichever: not none
            ("[^a]", "b"),
            ("[!]a]", "]"),
            ("[z-a]", "m"), // a range that goes down
            ("[a]", "[a]"),
            ("[a-c]", "ab"),
        ] {
            assert!(!kernel(pattern, name), "{pattern} {name}");
        }
        assert!(kernel("[!z-a]", "m"));
        assert!(Glob::kernel(b"[\xc3-\xff]").matches([&b"\xe9"[..]]));
    }

    #[test]
    fn an_unclosed_bracket_is_itself() {
        for (pattern, name) in [
            ("[", "["),
            ("[a", "[a"),
            ("a[b", "a[b"),
            ("[]", "[]"),
            ("[!]", "[!]"),
            ("[a-", "[a-"),
            ("*[x", "y[x"),
        ] {
            assert!(kernel(pattern, name), "{pattern} {name}");
            assert!(!kernel(pattern, "a"), "{pattern}");
        }
        assert!(kernel("[a]b[c", "ab[c"));
        assert!(kernel("[*", "[anything"));
    }

    #[test]
    fn backslashes() {
        for (pattern, name) in [
            (r"\*", "*"),
            (r"a\?b", "a?b"),
            (r"\[a]", "[a]"),
            (r"\\", r"\"),
            (r"\a", "a"),
            (r"a\", "a"), // at the end: nothing
            (r"*\_x", "a_x"),
        ] {
            assert!(kernel(pattern, name), "{pattern} {name}");
            assert!(!libbpf(pattern, name), "{pattern} {name}");
        }
        assert!(!kernel(r"\*", "a"));
        assert!(!kernel(r"a\", r"a\"));
        assert!(libbpf(r"a\*", r"a\b"));
    }

    #[test]
    fn literals() {
        let all = |glob: Glob<'static>| (glob.literal(), glob.literal_prefix(), glob.longest_literal());
        let (none, name) = (None::<&[u8]>, Some(&b"plain_name"[..]));
        assert_eq!(all(Glob::kernel("plain_name")), (name, &b"plain_name"[..], &b"plain_name"[..]));
        assert_eq!(all(Glob::libbpf("a*bc*de")), (none, &b"a"[..], &b"bc"[..]));
        assert_eq!(all(Glob::kernel("*")), (none, &b""[..], &b""[..]));
        assert_eq!(all(Glob::kernel("")), (Some(&b""[..]), &b""[..], &b""[..]));
        assert_eq!(all(Glob::kernel("[a-z]_x?")), (none, &b""[..], &b"_x"[..]));
        assert_eq!(all(Glob::libbpf("[a-z]_x?")), (none, &b"[a-z]_x"[..], &b"[a-z]_x"[..]));
        // Not closed: every byte stands for itself.
        assert_eq!(all(Glob::kernel("a[b")), (Some(&b"a[b"[..]), &b"a[b"[..], &b"a[b"[..]));
        // Escaped: one name, but not these bytes.
        assert_eq!(all(Glob::kernel(r"ab\*c")), (none, &b"ab"[..], &b"ab"[..]));
        assert_eq!(all(Glob::kernel(r"a\*cd")), (none, &b"a"[..], &b"*cd"[..]));
        assert_eq!(all(Glob::kernel(r"\*cd")), (none, &b""[..], &b"*cd"[..]));
        assert_eq!(all(Glob::kernel(r"ab\")), (none, &b"ab"[..], &b"ab"[..]));
        assert_eq!(all(Glob::libbpf(r"ab\")), (Some(&br"ab\"[..]), &br"ab\"[..], &br"ab\"[..]));
    }
}
