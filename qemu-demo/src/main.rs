//! A little x86_64 kernel that prints backtraces with its own function names.
//!
//! It boots by PVH, runs one scenario that the command line names, and ends the machine. `cargo demo` builds
//! it, embeds its table, runs every scenario under QEMU and checks what they print.
#![cfg_attr(kernel, no_std, no_main)]

#[cfg(kernel)]
#[macro_use]
mod console;
#[cfg(kernel)]
mod boot;
#[cfg(kernel)]
mod cpu;
#[cfg(kernel)]
mod exit;
#[cfg(kernel)]
mod level;
#[cfg(all(kernel, feature = "two-pass"))]
mod linked_table;
#[cfg(kernel)]
mod memory;
#[cfg(kernel)]
mod painted;
#[cfg(kernel)]
mod panic;
#[cfg(kernel)]
mod report;
#[cfg(kernel)]
mod scenarios;
#[cfg(kernel)]
mod stack;
#[cfg(kernel)]
mod symbols;

#[cfg(not(kernel))]
fn main() {
    println!("This is the host build of a kernel. `cargo demo` builds, boots and checks the real one.");
}

/// Sets the machine up and runs the scenario of the command line's `scenario=NAME`.
#[cfg(kernel)]
#[inline(never)]
fn run(command_line: &str) -> ! {
    memory::protect();
    cpu::init();
    console::serial::init();
    // Says itself what is wrong; a kernel without names goes on.
    let _reported = symbols::check();
    let name = command_line.split_whitespace().find_map(|word| word.strip_prefix("scenario="));
    let Some(scenario) = name.and_then(scenarios::find) else {
        println!("no scenario for command line {command_line:?}");
        exit::exit(exit::Outcome::Usage)
    };
    defmt::info!("scenario {=str}", scenario.name);
    (scenario.run)();
    println!("scenario {} returned", scenario.name);
    exit::exit(exit::Outcome::Done)
}
