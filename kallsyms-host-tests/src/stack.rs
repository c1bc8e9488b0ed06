//! How much stack a call takes.
#![expect(unsafe_code, reason = "a stack of our own")]

use std::panic::{self, AssertUnwindSafe};

/// What a stack that nobody has used is full of.
const PAINT: u8 = 0xa5;

/// Bytes of it.
const ROOM: usize = 256 * 1024;

/// Runs a call on a painted stack, and counts the bytes of it that it has used, those of the call itself
/// among them.
///
/// # Panics
///
/// Where the call does.
pub fn used_by<R>(call: impl FnOnce() -> R) -> (R, usize) {
    let none = on_painted(|| ()).1;
    let (result, used) = on_painted(call);
    (result, used.saturating_sub(none))
}

fn on_painted<R>(call: impl FnOnce() -> R) -> (R, usize) {
    let mut room = vec![u128::from_ne_bytes([PAINT; 16]); ROOM / 16];
    let base: *mut u8 = room.as_mut_ptr().cast();
    let guarded = || panic::catch_unwind(AssertUnwindSafe(call));
    // SAFETY: the memory is `room`, which lives until the call is over and which nobody else uses meanwhile; it
    // is aligned as a u128, and of many pages. No panic leaves the call.
    let result = unsafe { psm::on_stack(base, ROOM, guarded) };
    let untouched = room.iter().take_while(|word| word.to_ne_bytes() == [PAINT; 16]).count();
    // A stack grows by 8 bytes at the least.
    let lowest = room.get(untouched).map_or([0; 16], |word| word.to_ne_bytes());
    let half = if lowest.starts_with(&[PAINT; 8]) { 8 } else { 0 };
    match result {
        Ok(result) => (result, ROOM - untouched * 16 - half),
        Err(panic) => panic::resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn counts_what_is_used() {
        let (sum, used) =
            used_by(|| black_box([7_u8; 10_000]).iter().map(|&byte| usize::from(byte)).sum::<usize>());
        assert_eq!(sum, 70_000);
        assert!((10_000..60_000).contains(&used), "{used}");
        let (two, little) = used_by(|| black_box(1) + 1);
        assert!(two == 2 && little < 256, "{little}");
    }
}
