//! Text forms: each streams into a formatter, none holds a name.

mod described;
mod listing;
mod location;
mod name;
#[cfg(feature = "defmt")]
mod structured;
mod symbol;
mod utf8;

pub use described::Described;
pub use listing::Listing;

// Nothing of a table hinders an answer from being sent to another processor.
macro_rules! answers_may_be_sent {
    ($($layout:ty),*) => {$(const _: () = {
        use crate::name::Name;
        use crate::query::{Location, Matching, Occurrences, SameStem, StartingWith, Symbol, Symbols};

        static_assertions::assert_impl_all!(Symbol<'static, $layout>: Send, Sync, Copy);
        static_assertions::assert_impl_all!(Location<'static, $layout>: Send, Sync, Copy);
        static_assertions::assert_impl_all!(Name<'static, $layout>: Send, Sync, Clone);
        static_assertions::assert_impl_all!(Symbols<'static, $layout>: Send, Sync, Clone);
        static_assertions::assert_impl_all!(StartingWith<'static, 'static, $layout>: Send, Sync, Clone);
        static_assertions::assert_impl_all!(Occurrences<'static, $layout>: Send, Sync, Clone);
        static_assertions::assert_impl_all!(SameStem<'static, 'static, $layout>: Send, Sync, Clone);
        static_assertions::assert_impl_all!(Matching<'static, 'static, $layout>: Send, Sync, Clone);
        static_assertions::assert_impl_all!(Described<'static, $layout>: Send, Sync);
        static_assertions::assert_impl_all!(Listing<'static, $layout>: Send, Sync);
    };)*};
}
answers_may_be_sent!(
    crate::image::Native<'static>,
    crate::linux::Linux<'static>,
    crate::linux::Indexed<'static>
);
