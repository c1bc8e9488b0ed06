//! Linux's own lookups over its own tables: the steps of `kernel/kallsyms.c`, in safe Rust.
//!
//! A baseline to measure against and a third opinion for tests; nothing of it is shared with the runtime. Two
//! layouts: [`Markers`], as kernels have it, and [`Offsets`], as a patch of 2026 proposes it. The tables are
//! taken as a little-endian 64-bit kernel has them, in arrays of the types that the C code declares.

mod addresses;
mod markers;
mod offsets;
mod tables;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

pub use addresses::Position;
pub use markers::Markers;
pub use offsets::Offsets;

use kallsyms_gen::linux::Tables;
use tables::Common;

/// `KSYM_NAME_LEN`: bytes of a buffer for a name, with the NUL that closes it.
pub const KSYM_NAME_LEN: usize = 512;

/// A buffer that a name is expanded into.
pub type Buffer = [u8; KSYM_NAME_LEN];

/// What the two layouts differ in: how a record is found, and how a name is compared with it.
pub trait Places: Sized {
    /// Takes the table of the layout; `None` if these are tables of another.
    fn new(tables: &Tables) -> Option<Self>;
    /// `get_symbol_offset`: where the record of a symbol begins.
    fn record(&self, names: &[u8], index: usize) -> usize;
    /// The name that is looked for beside that of the record at an offset.
    fn compare(common: &Common, name: &[u8], record: usize) -> Ordering;
}

/// Linux's tables with Linux's algorithms, of one layout.
#[derive(Debug, Clone)]
pub struct Reference<P> {
    common: Common,
    places: P,
}

impl<P: Places> Reference<P> {
    /// Takes tables that a 64-bit little-endian kernel can have; `None` for others.
    #[must_use]
    pub fn new(tables: &Tables) -> Option<Self> {
        Some(Self { common: Common::new(tables)?, places: P::new(tables)? })
    }

    /// `kallsyms_lookup_name`: address of the first symbol of a name.
    #[must_use]
    pub fn lookup_name(&self, name: &[u8]) -> Option<u64> {
        if name.is_empty() {
            return None;
        }
        let rank = self.lookup_names(name)?;
        Some(self.common.address(self.common.seq(rank)))
    }

    /// `kallsyms_lookup_names`: the lowest rank of a name, by bisection and then step by step to the front.
    fn lookup_names(&self, name: &[u8]) -> Option<usize> {
        let (mut low, mut high) = (0, self.common.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.compare(name, middle) {
                Ordering::Greater => low = middle + 1,
                Ordering::Less => high = middle,
                Ordering::Equal => {
                    let mut first = middle;
                    while first > 0 && self.compare(name, first - 1).is_eq() {
                        first -= 1;
                    }
                    return Some(first);
                }
            }
        }
        None
    }

    fn compare(&self, name: &[u8], rank: usize) -> Ordering {
        P::compare(&self.common, name, self.places.record(&self.common.names, self.common.seq(rank)))
    }

    /// `get_symbol_pos`: the symbol that holds an address; index 0 and a wrapped offset below the first.
    ///
    /// The caller is the gate: Linux asks for addresses of the kernel alone.
    #[must_use]
    pub fn position(&self, address: u64) -> Position {
        self.common.position(address)
    }

    /// `kallsyms_lookup`: the same, and the name in a buffer; returns the bytes of the name too.
    pub fn lookup(&self, address: u64, buffer: &mut Buffer) -> (Position, usize) {
        let position = self.common.position(address);
        let record = self.places.record(&self.common.names, position.index);
        (position, self.common.expand(record, buffer).0)
    }

    /// `kallsyms_on_each_symbol`: every symbol in the order of the table, its name expanded.
    pub fn on_each_symbol(&self, each: &mut dyn FnMut(&[u8], u64)) {
        let mut buffer = [0; KSYM_NAME_LEN];
        let mut record = 0;
        for index in 0..self.common.len() {
            let (len, next) = self.common.expand(record, &mut buffer);
            each(&buffer[..len], self.common.address(index));
            record = next;
        }
    }
}
