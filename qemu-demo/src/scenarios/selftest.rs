//! The self-test that Linux has, on the kernel's own table; its clock counts guest instructions.

use crate::cpu::counter::instructions;
use crate::symbols;
use kallsyms_core::query::SelfTest;

/// Longest name that is looked up.
const NAME_BYTES: usize = 4096;

pub(super) fn run() {
    let Some(image) = symbols::image() else { return };
    match image.self_test(&mut [0; NAME_BYTES], instructions) {
        Ok(report) => print(&report),
        Err(fault) => {
            println!("self-test: {fault}");
            crate::exit::exit(crate::exit::Outcome::Usage)
        }
    }
}

fn print(report: &SelfTest) {
    let SelfTest { symbols, beyond_gate, expanded, stored, lookup, walk } = *report;
    let ratio = report.ratio();
    println!("{symbols} symbols, each found by name and by address, {beyond_gate} by name alone");
    println!("names: {expanded} bytes, {stored} in the table, {} percent", ratio / 100);
    println!("lookup: {} to {} instructions, mean {}", lookup.min, lookup.max, lookup.mean());
    println!("walk: {walk} instructions");
}
