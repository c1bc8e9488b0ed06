//! A static that is written once, at boot.
#![expect(unsafe_code, reason = "the processor's tables are built at run time and live for ever")]

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering::AcqRel};

/// A value that is set once and then shared.
pub(crate) struct Once<T> {
    taken: AtomicBool,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the only write happens in `set`, which hands out the only reference that ever exists while it is
// made; after it the value is only shared, which `T: Sync` allows; `T: Send` as the setter may be any thread.
unsafe impl<T: Send + Sync> Sync for Once<T> {}

impl<T> Once<T> {
    /// Nothing yet.
    pub(crate) const fn new() -> Self {
        Self { taken: AtomicBool::new(false), value: UnsafeCell::new(None) }
    }

    /// Stores the value and gives its address; `None` the second time.
    pub(crate) fn set(&'static self, value: T) -> Option<&'static T> {
        if self.taken.swap(true, AcqRel) {
            return None;
        }
        // SAFETY: `taken` was false, so this is the only call that comes here: no other reference exists.
        let slot = unsafe { &mut *self.value.get() };
        Some(slot.insert(value))
    }
}
