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
    let required = std::env::var_os("REQUIRE_BTF_PEERS").is_some_and(|value| value != "0");
    assert!(!required, "REQUIRE_BTF_PEERS is set, but for {test}: {reason}");
    skip(test, reason);
}
