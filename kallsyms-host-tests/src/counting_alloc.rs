//! An allocator that counts, to show that a call allocates nothing.
#![expect(unsafe_code, reason = "a global allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting the calls of each thread.
#[derive(Debug)]
pub struct CountingAlloc;

// SAFETY: every call is passed to `System` as it is; the counter is a `Cell` without a destructor, so that it
// neither allocates nor unwinds.
unsafe impl GlobalAlloc for CountingAlloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller's promise for `layout` is the one that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        CALLS.set(CALLS.get() + 1);
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
