//! What there is to show, and how each run should end.

/// One scenario of the kernel.
#[derive(Debug)]
pub(super) struct Scenario {
    /// Its name on the kernel's command line.
    pub(super) name: &'static str,
    /// QEMU's exit status.
    pub(super) status: i32,
    /// What is done to the kernel.
    pub(super) table: Table,
    /// Which frames have a name.
    pub(super) named: Named,
    /// What the debug console's messages are.
    pub(super) defmt: Option<Log>,
    /// Whether the time stamp counter counts instructions.
    pub(super) count_instructions: bool,
    /// Whether a second run must print exactly the same.
    pub(super) repeatable: bool,
    /// A scenario whose kernel, too, must print these names.
    pub(super) same_names_with_embedded: Option<&'static Scenario>,
}

/// How the kernel gets its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    /// Put into the reserved static.
    Embedded,
    /// The same, then one byte of it damaged.
    Damaged,
    /// Linked in as an object file.
    Linked,
}

/// Which frames of a transcript have a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// Every one that is in a function.
    All,
    /// Those from before the table was lost.
    Some,
    /// None, and every one is in a function.
    None,
}

/// What a transcript shows of defmt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Log {
    /// The messages.
    Messages,
    /// The messages, which hold the frames of the text.
    Frames,
}

/// The scenario returned.
const DONE: i32 = 33;
/// A panic.
const PANIC: i32 = 35;
/// An exception.
const FAULT: i32 = 37;
/// A panic while something was being reported.
const DOUBLE_PANIC: i32 = 39;
/// An exception while something was being reported.
const NESTED_FAULT: i32 = 43;
/// A panic or an exception in the deepest report.
const TOO_DEEP: i32 = 45;

const fn scenario(name: &'static str, status: i32) -> Scenario {
    Scenario {
        name,
        status,
        table: Table::Embedded,
        named: Named::All,
        defmt: None,
        count_instructions: false,
        repeatable: false,
        same_names_with_embedded: None,
    }
}

static PANIC_SCENARIO: Scenario = scenario("panic", PANIC);

/// All of them, in the order that they run in.
pub(super) static SCENARIOS: [Scenario; 23] = [
    scenario("hello", DONE),
    scenario("panic", PANIC),
    scenario("page-fault", FAULT),
    scenario("breakpoint", DONE),
    scenario("divide", FAULT),
    scenario("bad-call", FAULT),
    scenario("leaf-fault", FAULT),
    scenario("noreturn", DONE),
    scenario("panic-in-panic", DOUBLE_PANIC),
    scenario("panic-in-console", PANIC),
    scenario("fault-in-console", FAULT),
    Scenario { defmt: Some(Log::Messages), ..scenario("panic-in-defmt", PANIC) },
    Scenario { named: Named::Some, ..scenario("fault-in-symbolizer", NESTED_FAULT) },
    scenario("nested-faults", TOO_DEEP),
    scenario("recursion", DONE),
    scenario("overflow", FAULT),
    Scenario { table: Table::Damaged, named: Named::None, ..scenario("corrupt", DONE) },
    scenario("read-only", FAULT),
    Scenario {
        table: Table::Linked,
        same_names_with_embedded: Some(&PANIC_SCENARIO),
        ..scenario("two-pass", PANIC)
    },
    Scenario { defmt: Some(Log::Frames), ..scenario("defmt", DONE) },
    Scenario { count_instructions: true, repeatable: true, ..scenario("perf", DONE) },
    Scenario { count_instructions: true, repeatable: true, ..scenario("selftest", DONE) },
    Scenario { repeatable: true, ..scenario("stack", DONE) },
];

/// The scenario of this name, for the command line.
pub(super) fn by_name(name: &str) -> Result<&'static Scenario, String> {
    SCENARIOS.iter().find(|scenario| scenario.name == name).ok_or_else(|| {
        let names: Vec<_> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
        format!("there is: {}", names.join(", "))
    })
}
