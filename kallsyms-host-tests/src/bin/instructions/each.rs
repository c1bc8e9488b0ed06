//! One question after the other.

use std::hint::black_box;

use kallsyms_host_tests::asked::ONE_BY_ONE;
use kallsyms_host_tests::callgrind;

use crate::label::LOOP;

/// Asks one after the other, and counts.
pub(crate) fn each<T, A>(label: &str, of: &[T], mut ask: impl FnMut(&T) -> A) {
    callgrind::count(label, || {
        for one in of {
            black_box(ask(black_box(one)));
        }
    });
}

/// The loop of [`each`] without anything in it.
pub(crate) fn nothing() {
    each(&format!("{LOOP}/{ONE_BY_ONE}"), &[(); ONE_BY_ONE].map(|()| 0_u64), |_| None::<u64>);
}
