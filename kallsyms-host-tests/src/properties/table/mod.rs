//! A table that may hold anything: answers lie in it, and all ways to one answer give the same.

mod addresses;
mod known;
mod names;

use kallsyms_core::table::{Layout, Table};

use crate::random::Random;

use known::Known;

/// Whether the contents of a table have been checked: those of Linux's always are, an image by `verify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// Addresses are in order, and links lead to symbols of the same name.
    Checked,
    /// They may be anything: an answer can be wrong, and nothing worse.
    Unchecked,
}

/// Asks every kind of question, at most so many of each as a small table has symbols.
///
/// - A walk gives each symbol once, as its index does.
/// - All forms of about 24 names (pieces, bytes, copies, text, comparisons) say the same bytes; text is UTF-8 of them.
/// - Symbols that are found by name lie in the table; the first has that name, and all where the contents are checked;
///   a prefix, a pattern, a pass of a batch find what a walk finds.
/// - What is found by address lies in the table; where the contents are checked, it begins at or below the address,
///   and the offset is the distance.
/// - Where [`self_test`](Table::self_test) finds nothing wrong, a name finds all symbols that have it, in order.
///
/// # Panics
///
/// Where one of these does not hold.
pub fn check<L: Layout + Copy>(table: &Table<L>, random: &mut Random, contents: Contents) {
    let known = Known::walk(table, random);
    names::check(table, &known, random, contents);
    addresses::check(table, &known, random, contents);
    assert!(!format!("{table:?}").is_empty());
}
