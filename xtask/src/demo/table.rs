//! Makes the kernel's table and puts it where the kernel looks for it.

use anyhow::{Context, Result};
use kallsyms_gen::compress::Profile;
use kallsyms_gen::object_file::{Machine, object_file};
use kallsyms_gen::{build, embed, input};

/// The kernel with its table in the reserved static.
pub(super) fn embed(mut elf: Vec<u8>) -> Result<Vec<u8>> {
    let image = image(&elf)?;
    let reservation = embed::find(&elf, None)?;
    embed::embed(&mut elf, &reservation, &image)?;
    Ok(elf)
}

/// The kernel's table as an object file to link.
pub(super) fn object(elf: &[u8]) -> Result<Vec<u8>> {
    Ok(object_file(&image(elf)?, Machine::of(elf)?)?)
}

fn image(elf: &[u8]) -> Result<Vec<u8>> {
    let input = input::read(elf, &input::Options::default()).context("cannot read the kernel's symbols")?;
    build::build(&input.symbols, Profile::Fast, &mut |_, _| {}).context("cannot build the kernel's table")
}
