//! The text that Linux exports: `/proc/kallsyms`, `available_filter_functions` and its `_addrs` twin.
//!
//! A line of `/proc/kallsyms` is `HEX SP TYPE SP NAME [TAB '[' MODULE ']'] LF`: 16 digits, or 8 of a 32-bit
//! kernel, no escapes, names of any length. A last line without LF and an address `(null)` are accepted. What
//! else does not fit is an [`Error`] with its line and offset; the next line is read as if nothing had been.
//!
//! A whole text is an iterator. Stop at an `Err` and the reading is strict, go on and it is lenient:
//!
//! ```
//! use kallsyms_core::procfs::{self, Entry, Fault};
//!
//! let text = b"ffffffff81000000 T _stext\nffffffff81000010\nffffffffc0201000 t xfs_agf_read\t[xfs]";
//! let mut lines = procfs::kallsyms(text);
//! let first = Entry { addr: 0xffff_ffff_8100_0000, kind: b'T', name: b"_stext", module: None };
//! assert_eq!(lines.next(), Some(Ok(first)));
//! let error = lines.next().expect("three lines").expect_err("an address alone");
//! assert_eq!((error.line, error.offset), (2, 42));
//! assert_eq!(error.to_string(), "line 2, byte 0x2a of the text: nothing behind the address");
//! assert_eq!(lines.next().and_then(Result::ok).and_then(|entry| entry.module), Some(&b"xfs"[..]));
//!
//! // One name, or a pattern, without reading the other lines.
//! assert_eq!(procfs::find(text, "_stext"), Ok(Some(first)));
//!
//! // Hidden addresses are not addresses.
//! let hidden = b"0000000000000000 T _stext\n0000000000000000 T _text\n";
//! let error = procfs::kallsyms(hidden).last().expect("more than symbols").expect_err("nothing but zeros");
//! assert_eq!(error.fault, Fault::Hidden { symbols: 2 });
//! assert_eq!(procfs::find(hidden, "_text").expect_err("not address 0").fault, Fault::Hidden { symbols: 2 });
//! ```
//!
//! A text that comes in chunks, as from a file that is read bit by bit, goes through a [`Stream`]:
//!
//! ```
//! use std::io::{self, Read};
//! use std::ops::ControlFlow::{self, Break, Continue};
//!
//! use kallsyms_core::procfs::{self, CARRY, Error, Kallsyms, Stream};
//!
//! /// The address of a symbol.
//! fn address(mut file: impl Read, name: &[u8]) -> io::Result<ControlFlow<Result<u64, Error>>> {
//!     let (mut carry, mut chunk) = ([0; CARRY], [0; 4096]);
//!     let mut stream = Stream::<Kallsyms>::new(&mut carry);
//!     let mut look_at = procfs::strict::<Kallsyms, _>(|entry| {
//!         if entry.name == name { Break(entry.addr) } else { Continue(()) }
//!     });
//!     loop {
//!         let len = file.read(&mut chunk)?;
//!         if len == 0 {
//!             return Ok(stream.finish(look_at));
//!         }
//!         stream = match stream.feed(&chunk[..len], &mut look_at) {
//!             Continue(stream) => stream,
//!             Break(found) => return Ok(Break(found)),
//!         };
//!     }
//! }
//!
//! let text = "ffffffff81000000 T _stext\nffffffff81000010 T start_kernel\n";
//! assert_eq!(address(text.as_bytes(), b"start_kernel")?, Break(Ok(0xffff_ffff_8100_0010)));
//! assert_eq!(address(text.as_bytes(), b"no_such_name")?, Continue(()));
//! # Ok::<(), io::Error>(())
//! ```
//!
//! # Hidden addresses
//!
//! `kernel.kptr_restrict` makes every address zero. A single zero says nothing: x86-64 kernels have real
//! symbols at address 0. So a listing is hidden if all of its addresses are zero, which only its end can
//! tell: readers of lines say [`Fault::Hidden`] in place of the end, so that who reads strictly cannot miss
//! it, while names can still be read. A search knows the whole text and says it before the first symbol. Who
//! breaks off a stream before any address above zero has come has to know that this one may be hidden.

mod error;
mod functions;
mod kallsyms;
mod lines;
mod matching;
mod needle;
mod stream;
mod swar;

pub use error::{Error, Fault, Part};
pub use functions::{FilterFunctions, FilterFunctionsAddrs, Function};
pub use kallsyms::{Entry, Kallsyms};
pub use lines::{Format, Lines};
pub use matching::Matching;
pub use stream::{CARRY, Stream, strict};

use crate::glob::Glob;

/// The symbols of a `/proc/kallsyms` text. Steps: one for 8 bytes.
#[must_use]
pub fn kallsyms(text: &[u8]) -> Lines<'_, Kallsyms> {
    Lines::new(text)
}

/// The functions of an `available_filter_functions` text. Steps: one for 8 bytes.
#[must_use]
pub fn available_filter_functions(text: &[u8]) -> Lines<'_, FilterFunctions> {
    Lines::new(text)
}

/// The functions of an `available_filter_functions_addrs` text. Steps: one for 8 bytes.
#[must_use]
pub fn available_filter_functions_addrs(text: &[u8]) -> Lines<'_, FilterFunctionsAddrs> {
    Lines::new(text)
}

/// The first symbol of exactly this name in a `/proc/kallsyms` text.
///
/// Steps: one for 64 bytes, and a line for each that has the name.
///
/// # Errors
///
/// [`Fault::Hidden`] if the text tells no addresses; the fault of a line that has the name and comes first.
pub fn find<'t, N: AsRef<[u8]> + ?Sized>(text: &'t [u8], name: &N) -> Result<Option<Entry<'t>>, Error> {
    named(text, name).next().transpose()
}

/// Every symbol of exactly this name in a `/proc/kallsyms` text. Steps: as [`find`].
pub fn named<'t, 'p, N: AsRef<[u8]> + ?Sized>(text: &'t [u8], name: &'p N) -> Matching<'t, 'p> {
    Matching::of_name(text, name.as_ref())
}

/// Every symbol of a `/proc/kallsyms` text whose name matches a pattern.
///
/// Steps: one for 64 bytes, and for each line that has the pattern's longest literal at most bytes of the
/// name × bytes of the pattern.
#[must_use]
pub fn matching<'t, 'p>(text: &'t [u8], glob: Glob<'p>) -> Matching<'t, 'p> {
    Matching::of_glob(text, glob)
}
