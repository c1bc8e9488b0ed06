//! The kernel's table, by the core's public interface only.

use crate::memory::place;
use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use kallsyms_core::backtrace::Frame;
use kallsyms_core::{Error, Image};

#[cfg(not(feature = "two-pass"))]
static TABLE: kallsyms_core::Reserved<{ 256 << 10 }> = kallsyms_core::Reserved::new();

/// What [`check`] found: a report must not sum up the table again for every line.
static CHECKED: AtomicU8 = AtomicU8::new(UNCHECKED);
const UNCHECKED: u8 = 0;
const WHOLE: u8 = 1;
const DAMAGED: u8 = 2;

/// The bytes that hold the table.
pub(crate) fn bytes() -> &'static [u8] {
    #[cfg(feature = "two-pass")]
    return crate::linked_table::bytes();
    #[cfg(not(feature = "two-pass"))]
    TABLE.bytes()
}

/// The table with its checksum checked; says once on the console what is wrong with it.
pub(crate) fn check() -> Result<Image<'static>, Error> {
    let image = Image::parse(bytes());
    if CHECKED.swap(if image.is_ok() { WHOLE } else { DAMAGED }, Relaxed) == UNCHECKED
        && let Err(error) = image
    {
        reportln!("symbol table: {error}");
    }
    image
}

/// The table for a report; `None` if it is damaged.
pub(crate) fn image() -> Option<Image<'static>> {
    match CHECKED.load(Relaxed) {
        UNCHECKED => check().ok(),
        WHOLE => Image::open(bytes()).ok(),
        _ => None,
    }
}

/// Whether a report is asking. A report that begins meanwhile was caused by the question, or may have been.
static ASKING: AtomicBool = AtomicBool::new(false);

/// Asks the table for a report; `None` if it is damaged, or where the question before has not come back: a
/// table that faulted once is left alone.
fn ask<T>(question: impl FnOnce(Image<'static>) -> Option<T>) -> Option<T> {
    if ASKING.swap(true, Relaxed) {
        return None;
    }
    let answer = image().and_then(question);
    ASKING.store(false, Relaxed);
    answer
}

/// Start of the function that holds `pc`.
pub(crate) fn function_start(pc: u64) -> Option<u64> {
    ask(|image| Some(image.lookup(pc)?.symbol().address()))
}

/// Whether an address is in the table.
pub(crate) fn holds(address: u64) -> bool {
    let bytes = bytes();
    address.checked_sub(place(bytes)).is_some_and(|offset| offset < bytes.len() as u64)
}

/// A frame by its name; `?` where no symbol holds it.
pub(crate) struct Named(pub(crate) Frame);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = ask(|image| Some(image.describe_frame(&self.0).location()?.fmt(f)));
        named.unwrap_or_else(|| f.write_str("?"))
    }
}
