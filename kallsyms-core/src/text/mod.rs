//! Text forms: each streams into a formatter, none has a buffer.

mod described;
mod listing;
mod location;
mod name;
#[cfg(feature = "defmt")]
mod structured;
mod symbol;

pub use described::Described;
pub use listing::Listing;

// Nothing of a table hinders an answer from being sent to another processor.
const _: () = {
    use crate::image::Native;
    use crate::name::Name;
    use crate::query::{Location, Occurrences, StartingWith, Symbol, Symbols};

    static_assertions::assert_impl_all!(Symbol<'static, Native<'static>>: Send, Sync, Copy);
    static_assertions::assert_impl_all!(Location<'static, Native<'static>>: Send, Sync, Copy);
    static_assertions::assert_impl_all!(Name<'static, Native<'static>>: Send, Sync, Clone);
    static_assertions::assert_impl_all!(Symbols<'static, Native<'static>>: Send, Sync, Clone);
    static_assertions::assert_impl_all!(StartingWith<'static, 'static, Native<'static>>: Send, Sync, Clone);
    static_assertions::assert_impl_all!(Occurrences<'static, Native<'static>>: Send, Sync, Clone);
    static_assertions::assert_impl_all!(Described<'static, Native<'static>>: Send, Sync);
    static_assertions::assert_impl_all!(Listing<'static, Native<'static>>: Send, Sync);
};
