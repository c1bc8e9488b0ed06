//! Whether numbers are the addresses of a kernel in one of the known forms: they ascend, and span what a
//! kernel spans.

use kallsyms_core::linux::Width;

/// No kernel spans more.
const LARGEST_KERNEL: u64 = 1 << 31;
/// The symbols at the upper end of a table lie within this.
const CLUSTER: u64 = 1 << 30;
/// Most symbols at one address, on the average; fillers are all the same.
const ALIASES: usize = 8;

/// A base plus each; a sum wraps where a pointer does.
pub(super) fn is_unsigned_base(
    offsets: impl Iterator<Item = u32> + Clone,
    base: u64,
    pointer: Width,
) -> bool {
    let addresses = offsets.map(|offset| match pointer {
        Width::Bits32 => u64::from((base as u32).wrapping_add(offset)),
        Width::Bits64 => base.wrapping_add(u64::from(offset)),
    });
    spans_a_kernel(addresses)
}

/// Absolute symbols from 0 up, then others counted from the base downwards, of which the first is at the
/// base.
pub(super) fn is_signed_percpu(offsets: impl Iterator<Item = u32> + Clone) -> bool {
    let mut offsets = offsets.map(u32::cast_signed).peekable();
    let mut previous = 0;
    while let Some(absolute) = offsets.next_if(|&offset| offset >= 0) {
        if absolute < previous {
            return false;
        }
        previous = absolute;
    }
    let distances = offsets.map(|offset| (-1 - i64::from(offset)) as u64);
    distances.clone().next() == Some(0) && spans_a_kernel(distances)
}

/// The addresses themselves, ascending, most of them near each other.
pub(super) fn is_absolute(addresses: impl Iterator<Item = u64> + Clone) -> bool {
    let Some(last) = addresses.clone().last() else { return false };
    let near = addresses.clone().filter(|&address| last.saturating_sub(address) < CLUSTER).count();
    addresses.clone().is_sorted() && near > addresses.clone().count() / 2 && differ(addresses)
}

/// Each counted from its own place.
pub(super) fn is_pc_relative(offsets: impl Iterator<Item = u32> + Clone) -> bool {
    // The constant keeps them positive.
    let distances = pc_distances(offsets.clone()).map(|distance| distance.wrapping_add(1 << 40) as u64);
    // A filler ascends by the size of an entry.
    let steps = offsets.clone().zip(offsets.clone().skip(1)).filter(|(one, next)| one != next).count();
    spans_a_kernel(distances) && steps > offsets.count() / ALIASES
}

/// The addresses themselves, of a 32-bit kernel.
pub(super) fn is_offset(offsets: impl Iterator<Item = u32> + Clone) -> bool {
    is_absolute(offsets.map(u64::from))
}

/// Whether two symbols of plain addresses share one.
pub(super) fn has_aliases(offsets: impl Iterator<Item = u32> + Clone) -> bool {
    offsets.clone().zip(offsets.skip(1)).any(|(one, next)| one == next)
}

/// Where each symbol lies, counted from the first entry.
pub(super) fn pc_distances(offsets: impl Iterator<Item = u32> + Clone) -> impl Iterator<Item = i64> + Clone {
    (0_i64..).zip(offsets).map(|(symbol, offset)| 4 * symbol + i64::from(offset.cast_signed()))
}

fn spans_a_kernel(addresses: impl Iterator<Item = u64> + Clone) -> bool {
    let (first, last) = (addresses.clone().next(), addresses.clone().last());
    let (Some(first), Some(last)) = (first, last) else { return false };
    addresses.clone().is_sorted() && last - first < LARGEST_KERNEL && differ(addresses)
}

/// Whether enough of the addresses are above the one before.
fn differ(addresses: impl Iterator<Item = u64> + Clone) -> bool {
    let rises = addresses.clone().zip(addresses.clone().skip(1)).filter(|(one, next)| next > one).count();
    rises > addresses.count() / ALIASES
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u64 = 0xffff_ffff_8100_0000;

    fn iter(offsets: &[u32]) -> impl Iterator<Item = u32> + Clone {
        offsets.iter().copied()
    }

    #[test]
    fn no_form_takes_the_numbers_of_another() {
        // Symbols at 0x0, 0x0, 0x10, 0x20 and 0x4000 behind a base.
        let unsigned = [0_u32, 0, 0x10, 0x20, 0x4000];
        let signed = [0, 0x20, u32::MAX, u32::MAX, u32::MAX - 0x10, u32::MAX - 0x4000];
        let plain = unsigned.map(|offset| 0xc000_0000 + offset);
        let table = 0x3000;
        let relative: Vec<u32> =
            (0..).zip(unsigned).map(|(at, offset)| offset.wrapping_sub(table + 4 * at)).collect();
        let forms = |offsets: &[u32]| {
            [
                is_unsigned_base(iter(offsets), BASE, Width::Bits64),
                is_signed_percpu(iter(offsets)),
                is_offset(iter(offsets)),
                is_pc_relative(iter(offsets)),
            ]
        };
        // Ascending numbers are ascending distances too: aliases tell them apart.
        assert_eq!(forms(&unsigned), [true, false, true, true]);
        assert_eq!(forms(&signed), [false, true, false, false]);
        assert_eq!(forms(&plain), [true, false, true, true]);
        assert_eq!(forms(&relative), [false, false, false, true]);
        assert!(has_aliases(iter(&plain)) && !has_aliases(iter(&relative)));
    }

    #[test]
    fn a_sum_wraps_where_a_pointer_does() {
        // `_text` below the base.
        let offsets = [0xffff_8000, 0, 0x100];
        assert!(is_unsigned_base(iter(&offsets), 0xc000_8000, Width::Bits32));
        assert!(!is_unsigned_base(iter(&offsets), 0xc000_8000, Width::Bits64));
    }

    #[test]
    fn a_base_is_not_the_last_of_32_bit_addresses() {
        assert!(!is_absolute([0, 0x10, 0x20, 0xc000_0000].into_iter()));
        assert!(is_absolute([0, 0xffff_ffff_8100_0000, 0xffff_ffff_8100_0010].into_iter()));
    }

    #[test]
    fn a_filler_is_no_table() {
        for filler in [0, 0xcccc_cccc, u32::MAX] {
            let offsets = std::iter::repeat_n(filler, 1000);
            let plain = offsets.clone().map(u64::from);
            assert!(!is_absolute(plain) && !is_offset(offsets.clone()) && !is_signed_percpu(offsets.clone()));
            assert!(!is_unsigned_base(offsets.clone(), BASE, Width::Bits64) && !is_pc_relative(offsets));
        }
    }
}
