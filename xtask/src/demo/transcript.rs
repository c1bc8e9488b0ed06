//! What a scenario printed against what it should have.
//!
//! An expected line is literal, but for `{addr}` (16 hexadecimal digits), `{hex}` (`0x` and digits) and `{n}`
//! (decimal digits), which hold what depends on the compiler. A line that is only `{core frames}` stands for
//! any number of frames of functions of `core` or `kallsyms_core`, or of a trait of theirs, whose calls among each other are the
//! compiler's business. Runs of spaces are alike. A frame that was printed without a name is followed by the
//! one that the ELF has for it, `? = name`.

use anyhow::{Result, bail};

/// Any number of frames of `core` and `kallsyms_core`.
const CORE_FRAMES: &str = "{core frames}";

/// Compares line by line.
pub(super) fn compare(expected: &str, printed: &[String]) -> Result<()> {
    let mut printed = printed.iter().peekable();
    let mut number = 0;
    for line in expected.lines() {
        number += 1;
        if line.trim() == CORE_FRAMES {
            while printed.next_if(|line| is_core_frame(line)).is_some() {}
            continue;
        }
        match printed.next() {
            Some(found) if matches(line, found) => {}
            found => bail!(
                "expected line {number} is\n  {line}\nbut printed was\n  {}",
                found.map_or("nothing", String::as_str)
            ),
        }
    }
    match printed.next() {
        Some(line) => bail!("after the last expected line was printed\n  {line}"),
        None => Ok(()),
    }
}

/// Printed lines as expected ones: what depends on the compiler replaced.
pub(super) fn placeholders(printed: &[String]) -> String {
    let mut text = String::new();
    for line in printed {
        let words = line.split_inclusive([' ', '+', '/', ':', ')', ',', ']']).map(placeholder);
        text.extend(words);
        text.push('\n');
    }
    text
}

fn placeholder(word: &str) -> String {
    let end = word.trim_end_matches([' ', '+', '/', ':', ')', ',', ']']).len();
    let (value, separator) = word.split_at(end);
    let hexadecimal =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = match value {
        value if value.strip_prefix("0x").is_some_and(hexadecimal) => "{hex}",
        value if value.len() == 16 && hexadecimal(value) => "{addr}",
        value => value,
    };
    format!("{value}{separator}")
}

fn is_core_frame(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_frame = words.next().is_some_and(|word| word.starts_with('#'));
    let name = words.skip(2).find(|word| !["?", "="].contains(word)).unwrap_or_default();
    let name = name.trim_start_matches(['<', '&']);
    let is_theirs = ["core::", "kallsyms_core::"].iter().any(|library| name.starts_with(library));
    // What the kernel gives to a trait of theirs is inlined, or is not.
    is_frame && (is_theirs || line.contains(" as kallsyms_core::"))
}

/// Whether a printed line is what an expected one asks for.
fn matches(expected: &str, found: &str) -> bool {
    let (mut expected, mut found) = (expected.trim(), found.trim());
    loop {
        if let Some(rest) = expected.strip_prefix("{addr}") {
            let Some(after) = after_digits(found, 16, Some(16)) else { return false };
            (expected, found) = (rest, after);
        } else if let Some(rest) = expected.strip_prefix("{hex}") {
            let Some(after) = found.strip_prefix("0x").and_then(|digits| after_digits(digits, 16, None))
            else {
                return false;
            };
            (expected, found) = (rest, after);
        } else if let Some(rest) = expected.strip_prefix("{n}") {
            let Some(after) = after_digits(found, 10, None) else { return false };
            (expected, found) = (rest, after);
        } else {
            match (expected.chars().next(), found.chars().next()) {
                (None, None) => return true,
                (Some(' '), Some(' ')) => (expected, found) = (expected.trim_start(), found.trim_start()),
                (Some(wanted), Some(got)) if wanted == got => {
                    expected = &expected[wanted.len_utf8()..];
                    found = &found[got.len_utf8()..];
                }
                _ => return false,
            }
        }
    }
}

/// What follows the digits that a text starts with; `None` if there are none, or not as many as asked for.
fn after_digits(text: &str, radix: u32, count: Option<usize>) -> Option<&str> {
    let after = text.trim_start_matches(|digit: char| digit.is_digit(radix));
    let digits = text.len() - after.len();
    (digits > 0 && count.is_none_or(|count| count == digits)).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn placeholders_stand_for_numbers_only() {
        assert!(matches("  #{n}  pc  {addr} a::b+{hex}/{hex}", "#1 pc ffffffff80101234 a::b+0x1/0x20"));
        for wrong in [
            "#1 pc ffffffff8010123 a::b+0x1/0x20",
            "#1 pc ffffffff80101234 a::c+0x1/0x20",
            "#1 pc ffffffff80101234 a::b+0x/0x20",
            "#x pc ffffffff80101234 a::b+0x1/0x20",
            "#1 pc ffffffff80101234 a::b+0x1/0x20 x",
        ] {
            assert!(!matches("#{n} pc {addr} a::b+{hex}/{hex}", wrong), "{wrong}");
        }
    }

    #[test]
    fn frames_of_core_may_be_any_number() {
        let expected = "a\n{core frames}\n#{n} ret {addr} b+{hex}";
        for core in [
            "",
            "#0 ret 0000000000000000 core::fmt::write+0x1\n",
            "#0 ret 0 <core::x as y>::z+0x1\n#1 ret 0 kallsyms_core::y+0x1\n",
            "#0 pc 0 ? = <core::x as y>::z\n#1 ret 0 = core::y\n",
            "#0 pc 0 <a::B as kallsyms_core::backtrace::StackMemory>::read+0x1\n",
        ] {
            compare(expected, &lines(&format!("a\n{core}#7 ret ffffffff80101234 b+0x1"))).unwrap();
        }
        assert!(
            compare(expected, &lines("a\n#0 ret 0 alloc::x+0x1\n#7 ret ffffffff80101234 b+0x1")).is_err()
        );
    }

    #[test]
    fn every_line_counts() {
        assert!(compare("a\nb", &lines("a")).is_err());
        assert!(compare("a", &lines("a\nb")).is_err());
        assert_eq!(
            placeholders(&lines("  #0  pc  ffffffff80101234 a::b+0x1/0x20")),
            "  #0  pc  {addr} a::b+{hex}/{hex}\n"
        );
    }
}
