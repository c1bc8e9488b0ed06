//! Tests that cannot run here say so.

use std::io::Write;

/// Says past the test harness's capture that a test is skipped, and why.
pub fn skip(test: &str, reason: &str) {
    let line = format!("test {test} ... SKIPPED: {reason}\n");
    // Nothing to do about a closed stderr.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// As [`skip`], of a test that needs another program; with `REQUIRE_BTF_PEERS=1` that is a failure.
///
/// # Panics
///
/// Where the environment asks for it.
pub fn skip_peer(test: &str, reason: &str) {
    skip_unless("REQUIRE_BTF_PEERS", test, reason);
}

/// As [`skip`], of what counts instructions; with `REQUIRE_VALGRIND=1` that is a failure.
///
/// # Panics
///
/// Where the environment asks for it.
pub fn skip_without_valgrind(test: &str, reason: &str) {
    skip_unless("REQUIRE_VALGRIND", test, reason);
}

fn skip_unless(variable: &str, test: &str, reason: &str) {
    let required = std::env::var_os(variable).is_some_and(|value| value != "0");
    assert!(!required, "{variable} is set, but for {test}: {reason}");
    skip(test, reason);
}
