//! `seqs_of_names`: told by its contents, which are every symbol once, in the order of the names.

use kallsyms_core::linux::NameOrder;

use super::records::Spelled;
use crate::linux::write::without_llvm;

/// Bytes a symbol.
pub(super) const SEQ_LEN: usize = 3;

/// What a permutation of the symbols is sorted by; the inner `None` where the runtime has no such order.
///
/// The outer `None` where the bytes are no permutation.
pub(super) fn name_order(
    bytes: &[u8],
    at: usize,
    num_syms: u32,
    names: &Spelled,
) -> Option<Option<NameOrder>> {
    let count = num_syms as usize;
    let table = bytes.get(at..at.checked_add(count.checked_mul(SEQ_LEN)?)?)?;
    let symbols = table.as_chunks::<SEQ_LEN>().0.iter();
    let symbols = symbols.map(|&[high, middle, low]| u32::from_be_bytes([0, high, middle, low]) as usize);
    let mut seen = vec![false; count];
    for symbol in symbols.clone() {
        let seen = seen.get_mut(symbol)?;
        if std::mem::replace(seen, true) {
            return None;
        }
    }
    let is_sorted = |key: fn(&[u8]) -> &[u8]| {
        let key = |symbol| (key(names.name(symbol).unwrap_or_default()), symbol);
        symbols.clone().zip(symbols.clone().skip(1)).all(|(symbol, next)| key(symbol) < key(next))
    };
    if is_sorted(|name| name) {
        return Some(Some(NameOrder::Whole));
    }
    Some(is_sorted(without_llvm).then_some(NameOrder::WithoutLlvm))
}
