//! An allocator that counts, to show that a call allocates nothing.
#![expect(unsafe_code, reason = "a global allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator, counting the calls of each thread and the bytes that it holds.
#[derive(Debug)]
pub struct CountingAlloc;

// SAFETY: every call is passed to `System` as it is; the counters are `Cell`s without a destructor, so that
// they neither allocate nor unwind.
unsafe impl GlobalAlloc for CountingAlloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        HELD.set(HELD.get().wrapping_add(layout.size() as i64));
        PEAK.set(PEAK.get().max(HELD.get()));
        // SAFETY: the caller's promise for `layout` is the one that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        CALLS.set(CALLS.get() + 1);
        HELD.set(HELD.get().wrapping_sub(layout.size() as i64));
        // SAFETY: `pointer` came from `System.alloc` with this layout, as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Calls of the allocator that this thread has made while `f` ran.
pub fn calls_during<T>(f: impl FnOnce() -> T) -> (T, u64) {
    let before = CALLS.get();
    let result = f();
    (result, CALLS.get() - before)
}

/// Bytes that this thread has allocated while `f` ran and not given back.
pub fn held_by<T>(f: impl FnOnce() -> T) -> (T, i64) {
    let before = HELD.get();
    let result = f();
    (result, HELD.get().wrapping_sub(before))
}

/// Most bytes that this thread has held at a time while `f` ran, beside those that it held before.
pub fn peak_of<T>(f: impl FnOnce() -> T) -> (T, i64) {
    let before = HELD.get();
    PEAK.set(before);
    let result = f();
    (result, PEAK.get().wrapping_sub(before))
}
