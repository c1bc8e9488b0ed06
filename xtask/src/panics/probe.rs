//! The probe, linked: what is in it is reached from a public function of the core.

use std::fs;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSymbol, SymbolKind};

/// Parts of demangled names that only the panic machinery has, and the crates that a kernel lacks.
const FORBIDDEN: &[&str] = &[
    "core::panicking",
    "unwrap_failed",
    "expect_failed",
    "_fail",
    "begin_unwind",
    "__rust_alloc",
    "alloc::",
    "std::",
];

/// What the probe may ask of whoever it is linked into: the functions that every kernel has, and what the
/// library's own unwind tables name, though nothing unwinds.
const ASKED_FOR: &[&str] = &["memcpy", "memmove", "memset", "memcmp", "bcmp", "rust_eh_personality"];

/// Builds and links the probe, with every overflow checked; its bytes.
pub(super) fn link(level: &str) -> Result<Vec<u8>> {
    let folder = crate::target_folder("panics")?.join(level);
    let status = crate::cargo()
        .args(["rustc", "--quiet", "--release", "--package", "kallsyms-core", "--example", "panic_free"])
        .args(["--crate-type", "cdylib"])
        .arg("--target-dir")
        .arg(&folder)
        .args(["--", "-Clink-arg=-nostdlib"])
        .current_dir(crate::root())
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
        .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "2")
        .status()?;
    ensure!(status.success(), "the probe does not build");
    let path = folder.join("release/examples/libpanic_free.so");
    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// The names of all symbols, and whether each is defined.
pub(super) fn symbols(linked: &[u8]) -> Result<Vec<(String, bool)>> {
    let file = object::File::parse(linked)?;
    let name = |name| format!("{:#}", rustc_demangle::demangle(name));
    let symbols = file.symbols().filter(|symbol| symbol.kind() != SymbolKind::File);
    let symbols = symbols.map(|symbol| Ok((name(symbol.name()?), symbol.is_definition())));
    let symbols: Vec<_> = symbols.collect::<Result<_>>()?;
    let own = symbols.iter().filter(|(name, _)| name.contains("kallsyms_core")).count();
    ensure!(own > 100, "only {own} functions of the core are linked: the probe is not what it should be");
    Ok(symbols)
}

/// Those that panic, or that a kernel does not have.
pub(super) fn foreign(symbols: &[(String, bool)]) -> Vec<String> {
    let is_foreign = |(name, defined): &&(String, bool)| {
        let asked_for = !defined && !name.is_empty() && !ASKED_FOR.contains(&name.as_str());
        asked_for || FORBIDDEN.iter().any(|part| name.contains(part))
    };
    symbols.iter().filter(is_foreign).map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::foreign;

    #[test]
    fn what_panics_or_is_asked_for_is_named() {
        let symbols = [
            ("kallsyms_core::image::checksum", true),
            ("memcpy", false),
            ("", false),
            ("core::panicking::panic_const::panic_const_add_overflow", true),
            ("core::slice::index::slice_index_fail", true),
            ("core::option::unwrap_failed", true),
            ("<alloc::string::String as core::fmt::Write>::write_str", true),
            ("malloc", false),
            ("__tls_get_addr", false),
        ];
        let symbols = symbols.map(|(name, defined)| (name.to_owned(), defined));
        let expected: Vec<_> = symbols[3..].iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(foreign(&symbols), expected);
    }
}
