//! What the kernel can show, one file each.

mod bad_call;
mod breakpoint;
mod corrupt;
mod defmt;
mod divide;
mod fault_in_console;
mod fault_in_symbolizer;
mod hello;
mod leaf_fault;
mod nested_faults;
mod noreturn;
mod overflow;
mod page_fault;
mod panic;
mod panic_in_console;
mod panic_in_defmt;
mod panic_in_panic;
mod perf;
mod read_only;
mod recursion;
mod selftest;
mod stack;
mod two_pass;

/// One thing to show.
pub(crate) struct Scenario {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What it does.
    pub(crate) run: fn(),
}

static ALL: [Scenario; 23] = [
    Scenario { name: "hello", run: hello::run },
    Scenario { name: "panic", run: panic::run },
    Scenario { name: "page-fault", run: page_fault::run },
    Scenario { name: "breakpoint", run: breakpoint::run },
    Scenario { name: "divide", run: divide::run },
    Scenario { name: "bad-call", run: bad_call::run },
    Scenario { name: "leaf-fault", run: leaf_fault::run },
    Scenario { name: "noreturn", run: noreturn::run },
    Scenario { name: "panic-in-panic", run: panic_in_panic::run },
    Scenario { name: "panic-in-console", run: panic_in_console::run },
    Scenario { name: "fault-in-console", run: fault_in_console::run },
    Scenario { name: "panic-in-defmt", run: panic_in_defmt::run },
    Scenario { name: "fault-in-symbolizer", run: fault_in_symbolizer::run },
    Scenario { name: "nested-faults", run: nested_faults::run },
    Scenario { name: "recursion", run: recursion::run },
    Scenario { name: "overflow", run: overflow::run },
    Scenario { name: "corrupt", run: corrupt::run },
    Scenario { name: "read-only", run: read_only::run },
    Scenario { name: "two-pass", run: two_pass::run },
    Scenario { name: "defmt", run: defmt::run },
    Scenario { name: "perf", run: perf::run },
    Scenario { name: "selftest", run: selftest::run },
    Scenario { name: "stack", run: stack::run },
];

/// The scenario of this name.
pub(crate) fn find(name: &str) -> Option<&'static Scenario> {
    ALL.iter().find(|scenario| scenario.name == name)
}
