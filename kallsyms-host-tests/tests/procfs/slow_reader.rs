//! A second reading of the text, line by line, and the comparison with it.

use kallsyms_core::procfs::{Error, Fault};

use crate::{Items, Owned, of_chunks, of_slice};

/// The lines of a text with their offsets; a last LF begins no line.
pub(crate) fn lines(text: &[u8]) -> Vec<(usize, &[u8])> {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    if text.is_empty() {
        return Vec::new();
    }
    body.split(|&byte| byte == b'\n')
        .map(|line| (line.as_ptr() as usize - text.as_ptr() as usize, line))
        .collect()
}

/// A line, read by splitting it.
pub(crate) fn slow_entry(line: &[u8]) -> Option<Owned> {
    let mut parts = line.trim_ascii_start_matches(b"(null)").splitn(3, |&byte| byte == b' ');
    let (digits, kind, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let address = match digits {
        b"(null)" => 0,
        _ if matches!(digits.len(), 8 | 16) && digits.iter().all(u8::is_ascii_hexdigit) => {
            u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
        }
        _ => return None,
    };
    let [kind @ (b'?' | b'a'..=b'z' | b'A'..=b'Z')] = *kind else { return None };
    let mut columns = rest.split(|&byte| byte == b'\t');
    let (name, module) = (columns.next()?, columns.next());
    let module = match module {
        Some(column) => {
            Some(column.strip_prefix(b"[")?.strip_suffix(b"]").filter(|module| !module.is_empty())?)
        }
        None => None,
    };
    let clean = |text: &[u8]| text.iter().all(|&byte| byte >= b' ');
    let sound = columns.next().is_none() && !name.is_empty() && clean(name) && module.is_none_or(clean);
    sound.then(|| (address, kind, name.to_vec(), module.map(<[u8]>::to_vec)))
}

trait Blanks {
    /// Without leading blanks, if this follows them.
    fn trim_ascii_start_matches(&self, follows: &[u8]) -> &[u8];
}

impl Blanks for [u8] {
    fn trim_ascii_start_matches(&self, follows: &[u8]) -> &[u8] {
        let blanks = self.iter().take_while(|&&byte| byte == b' ').count();
        if self[blanks..].starts_with(follows) { &self[blanks..] } else { self }
    }
}

/// Every line gives one item: its entry, or an error with its number and a place in it; then whether all are
/// hidden.
pub(crate) fn check_items(text: &[u8], items: &Items) {
    let lines = lines(text);
    let entries: Vec<Option<Owned>> = lines.iter().map(|(_, line)| slow_entry(line)).collect();
    let read: Vec<u64> = entries.iter().flatten().map(|entry| entry.0).collect();
    let hidden = !read.is_empty() && read.iter().all(|&address| address == 0);
    assert_eq!(items.len(), lines.len() + usize::from(hidden));
    for (number, ((item, expected), (offset, line))) in (1..).zip(items.iter().zip(&entries).zip(&lines)) {
        match (item, expected) {
            (Ok(entry), Some(expected)) => assert_eq!(entry, expected),
            (Err(error), None) => {
                let place = *offset as u64..=(offset + line.len()) as u64;
                assert_eq!(error.line, number, "{error}");
                assert!(place.contains(&error.offset), "{error}: the line is at {place:?}");
            }
            _ => panic!("line {number}, {:?}: {item:?}", String::from_utf8_lossy(line)),
        }
    }
    if hidden {
        let fault = Fault::Hidden { symbols: read.len() as u64 };
        let error = Error { line: lines.len() as u64, offset: text.len() as u64, fault };
        assert_eq!(items.last(), Some(&Err(error)));
    }
}

pub(crate) fn check_text(text: &[u8]) {
    let items = of_slice(text);
    check_items(text, &items);
    for chunk in (1..70).chain([text.len() / 2, text.len().saturating_sub(1), text.len() + 1]) {
        assert_eq!(of_chunks(text.chunks(chunk.max(1)), text.len() + 1), items, "chunks of {chunk}");
    }
}
