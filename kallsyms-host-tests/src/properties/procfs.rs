//! The text of `/proc/kallsyms`: a second reading of it, line by line, and the comparison with it.

use std::ops::ControlFlow::{self, Continue};

use kallsyms_core::glob::Glob;
use kallsyms_core::procfs::{self, Entry, Error, Fault, Kallsyms, Stream};

/// An entry that owns its names.
pub type Owned = (u64, u8, Vec<u8>, Option<Vec<u8>>);

/// What readers give for a text, in order.
pub type Items = Vec<Result<Owned, Error>>;

fn owned(entry: &Entry<'_>) -> Owned {
    (entry.addr, entry.kind, entry.name.to_vec(), entry.module.map(<[u8]>::to_vec))
}

/// What a reader of the whole text gives.
#[must_use]
pub fn of_slice(text: &[u8]) -> Items {
    procfs::kallsyms(text).map(|line| line.map(|entry| owned(&entry))).collect()
}

/// What a reader of chunks gives, with so many bytes to carry from one to the next.
pub fn of_chunks<'c>(chunks: impl IntoIterator<Item = &'c [u8]>, carry: usize) -> Items {
    let mut items = Items::new();
    let mut carry = vec![0; carry];
    let mut stream = Stream::<Kallsyms>::new(&mut carry);
    let mut keep = |line: Result<Entry<'_>, Error>| -> ControlFlow<()> {
        items.push(line.map(|entry| owned(&entry)));
        Continue(())
    };
    for chunk in chunks {
        let Continue(next) = stream.feed(chunk, &mut keep) else { unreachable!("never breaks off") };
        stream = next;
    }
    assert!(stream.finish(&mut keep).is_continue());
    items
}

/// Whether this says that all addresses are hidden.
#[must_use]
pub fn is_hidden(item: &Result<Owned, Error>) -> bool {
    item.as_ref().is_err_and(|error| matches!(error.fault, Fault::Hidden { .. }))
}

/// The lines of a text with their offsets; a last LF begins no line.
#[must_use]
pub fn lines(text: &[u8]) -> Vec<(usize, &[u8])> {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    if text.is_empty() {
        return Vec::new();
    }
    body.split(|&byte| byte == b'\n')
        .map(|line| (line.as_ptr() as usize - text.as_ptr() as usize, line))
        .collect()
}

/// A line, read by splitting it.
fn slow_entry(line: &[u8]) -> Option<Owned> {
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
///
/// # Panics
///
/// Where it is not so.
pub fn check_items(text: &[u8], items: &Items) {
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

/// Whatever the chunks, the items are those of the second reading.
///
/// # Panics
///
/// Where it is not so.
pub fn check_text(text: &[u8]) {
    check_chunks(text, (1..70).chain([text.len() / 2, text.len().saturating_sub(1), text.len() + 1]));
}

/// The same of chunks of these lengths.
///
/// # Panics
///
/// Where it is not so.
pub fn check_chunks(text: &[u8], chunks: impl IntoIterator<Item = usize>) {
    let items = of_slice(text);
    check_items(text, &items);
    for chunk in chunks {
        assert_eq!(of_chunks(text.chunks(chunk.max(1)), text.len() + 1), items, "chunks of {chunk}");
    }
}

/// Searches by name and by pattern give what a filter over all lines gives.
///
/// # Panics
///
/// Where one does not.
pub fn check_searches(text: &[u8], pattern: &[u8]) {
    let entries: Vec<Entry<'_>> = procfs::kallsyms(text).flatten().collect();
    let all = of_slice(text);
    let names = entries.iter().map(|entry| entry.name).chain([pattern, b"[xfs]", b"\n"]);
    for name in names {
        let expected: Vec<&Entry<'_>> = entries.iter().filter(|entry| entry.name == name).collect();
        check_search(&all, procfs::named(text, name), &expected);
    }
    for glob in [Glob::kernel(pattern), Glob::libbpf(pattern)] {
        let expected: Vec<&Entry<'_>> = entries.iter().filter(|entry| glob.matches([entry.name])).collect();
        check_search(&all, procfs::matching(text, glob), &expected);
    }
}

/// Of a hidden text a search says so before the first symbol; its errors are those of lines.
fn check_search<'t>(
    all: &Items,
    found: impl Iterator<Item = Result<Entry<'t>, Error>>,
    expected: &[&Entry<'_>],
) {
    let hidden = all.iter().any(is_hidden);
    let mut symbols = Vec::new();
    let mut said = false;
    for item in found {
        match item {
            Ok(entry) => {
                assert!(said || !hidden);
                symbols.push(entry);
            }
            Err(error) => {
                said |= matches!(error.fault, Fault::Hidden { .. });
                assert!(all.contains(&Err(error)), "{error} is an error of no line");
            }
        }
    }
    assert!(symbols.iter().eq(expected.iter().copied()));
    assert_eq!(said, hidden && !expected.is_empty());
}
