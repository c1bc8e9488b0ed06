//! The processor's tables and what happens on an exception.

pub(crate) mod counter;
mod gdt;
mod idt;
mod once;
pub(crate) mod port;
pub(crate) mod provoke;
pub(crate) mod trap;

/// Loads the tables; exceptions are reported from here on.
pub(crate) fn init() {
    gdt::load();
    idt::load();
}
