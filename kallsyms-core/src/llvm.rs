//! The suffix that LTO gives to a local symbol that it made global: `.llvm.` and a number.

const MARK: &[u8; 6] = b".llvm.";

/// Bytes of a name in front of a trailing `.llvm.<digits>`; all of them where there is none. Steps: one a
/// byte.
pub(crate) fn stem_len(name: impl Iterator<Item = u8>) -> usize {
    let mut len = 0usize;
    // How much of the mark stands in front of this byte, and how many digits behind it.
    let (mut matched, mut digits) = (0usize, 0usize);
    for byte in name {
        len = len.saturating_add(1);
        if matched == MARK.len() && byte.is_ascii_digit() {
            digits = digits.saturating_add(1);
            continue;
        }
        // The mark's own second dot may begin another one.
        let follows = match matched {
            6 if digits == 0 => MARK.get(1),
            _ => MARK.get(matched),
        };
        matched = match follows {
            Some(&expected) if expected == byte => {
                if matched == MARK.len() {
                    2
                } else {
                    matched.saturating_add(1)
                }
            }
            _ => usize::from(byte == b'.'),
        };
        digits = 0;
    }
    if digits == 0 { len } else { len.saturating_sub(digits).saturating_sub(MARK.len()) }
}

/// Bytes of a name in front of its first `.llvm.`, whatever follows; all of them where there is none: what
/// kernels before 6.11 sort by. Steps: one a byte.
pub(crate) fn cut_len(name: impl Iterator<Item = u8>) -> usize {
    let (mut len, mut matched) = (0usize, 0usize);
    for byte in name {
        len = len.saturating_add(1);
        matched = match MARK.get(matched) {
            Some(&expected) if expected == byte => matched.saturating_add(1),
            _ => usize::from(byte == b'.'),
        };
        if matched == MARK.len() {
            return len.saturating_sub(MARK.len());
        }
    }
    len
}

#[cfg(test)]
mod tests {
    use super::{cut_len, stem_len};

    /// Upstream fault 3: not at any dot.
    #[test]
    fn the_order_cuts_at_the_first_mark() {
        for (name, cut) in [
            ("foo", "foo"),
            ("foo.llvm.123", "foo"),
            ("foo.llvm.5.cold", "foo"),
            ("foo.llvm.1.llvm.2", "foo"),
            ("foo.llvm.", "foo"),
            ("foo..llvm.7", "foo."),
            ("foo.ll.llvm.x", "foo.ll"),
            ("foo.llvm", "foo.llvm"),
            ("foo.isra.0", "foo.isra.0"),
            (".llvm.", ""),
            ("", ""),
        ] {
            assert_eq!(cut_len(name.bytes()), cut.len(), "{name}");
        }
    }

    #[test]
    fn only_a_trailing_number_is_cut() {
        for (name, stem) in [
            ("foo", "foo"),
            ("foo.llvm.123", "foo"),
            ("foo.llvm.", "foo.llvm."),
            ("foo.llvm.12a", "foo.llvm.12a"),
            ("foo.llvm.1.llvm.2", "foo.llvm.1"),
            ("foo.llvm.llvm.7", "foo.llvm"),
            ("foo..llvm.7", "foo."),
            ("foo.isra.0", "foo.isra.0"),
            ("foo.isra.0.llvm.9", "foo.isra.0"),
            (".llvm.5", ""),
            ("foo.ll.llvm.5", "foo.ll"),
            ("foo.llvm.5.cold", "foo.llvm.5.cold"),
            ("", ""),
        ] {
            assert_eq!(stem_len(name.bytes()), stem.len(), "{name}");
        }
    }
}
