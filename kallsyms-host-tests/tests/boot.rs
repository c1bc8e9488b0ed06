//! The demo kernel under QEMU: one run of `cargo demo`, looked at from several sides.
//!
//! Skipped, and said so, where QEMU is not installed; `REQUIRE_QEMU=1` makes that a failure.

use std::process::{Command, Stdio};
use std::sync::OnceLock;

use kallsyms_host_tests::skip::skip;

/// Every scenario of the demo.
const SCENARIOS: [&str; 23] = [
    "hello",
    "panic",
    "page-fault",
    "breakpoint",
    "divide",
    "bad-call",
    "leaf-fault",
    "noreturn",
    "panic-in-panic",
    "panic-in-console",
    "fault-in-console",
    "panic-in-defmt",
    "fault-in-symbolizer",
    "nested-faults",
    "recursion",
    "overflow",
    "corrupt",
    "read-only",
    "two-pass",
    "defmt",
    "perf",
    "selftest",
    "stack",
];

struct Run {
    output: String,
    succeeded: bool,
}

/// What the demo printed; `None` without QEMU.
fn demo() -> Option<&'static Run> {
    static RUN: OnceLock<Option<Run>> = OnceLock::new();
    RUN.get_or_init(|| {
        let qemu = Command::new("qemu-system-x86_64").arg("--version").stdout(Stdio::null()).status();
        if !qemu.is_ok_and(|status| status.success()) {
            let required = std::env::var_os("REQUIRE_QEMU").is_some_and(|value| value != "0");
            assert!(!required, "REQUIRE_QEMU is set, but qemu-system-x86_64 does not start");
            skip("boot", "qemu-system-x86_64 is not installed (`cargo demo --install-qemu` installs it)");
            return None;
        }
        let output = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--package", "xtask", "--", "demo"])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .output()
            .expect("cargo starts");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Some(Run { output: text.concat(), succeeded: output.status.success() })
    })
    .as_ref()
}

/// What one scenario printed.
fn printed(scenario: &str) -> Option<&'static str> {
    let output = &demo()?.output;
    let start = output.find(&format!("=== {scenario} ===")).unwrap_or_else(|| panic!("{scenario}: {output}"));
    let rest = &output[start..];
    Some(
        &rest[..rest
            .find("\nscenario ")
            .and_then(|end| rest[end..].find(": ok").map(|ok| end + ok))
            .unwrap_or(rest.len())],
    )
}

#[test]
fn every_scenario_ends_as_it_should() {
    let Some(run) = demo() else { return };
    for scenario in SCENARIOS {
        let line = format!("scenario {scenario}: ok");
        assert!(run.output.lines().any(|printed| printed == line), "no `{line}` in\n{}", run.output);
    }
    assert!(run.succeeded, "{}", run.output);
}

/// Field reports 9 and 10: no lock in the panic path; a panic inside it is bounded and ends.
#[test]
fn report_09_10_a_panic_in_the_panic_handler_is_bounded() {
    let Some(text) = printed("panic-in-panic") else { return };
    assert_eq!((text.matches("level 2: panic").count(), text.matches("level 3").count()), (1, 0), "{text}");
    assert!(text.lines().count() < 80, "{text}");
}

/// Field report 13: the walk goes through the trap frame into the interrupted chain.
#[test]
fn report_13_the_walk_goes_on_behind_an_interrupt() {
    let Some(text) = printed("page-fault") else { return };
    let pc = text.find(" pc ").expect("an exact frame");
    assert!(text[pc..].contains("qemu_demo::scenarios::page_fault::run"), "{text}");
    assert!(text[pc..].contains("kernel_main"), "{text}");
}

/// Field report 14: a second link with the table inside gives the same names as embedding.
#[test]
fn report_14_two_links_and_embedding_agree() {
    let Some(text) = printed("two-pass") else { return };
    assert!(text.contains("the embedded table gives the same"), "{text}");
}

/// Eight equal frames are eight lines.
#[test]
fn recursion_shows_every_frame() {
    let Some(text) = printed("recursion") else { return };
    let frames = text.lines().filter(|line| line.contains("scenarios::recursion::descend")).count();
    assert_eq!(frames, 8, "{text}");
}
