//! Every public call of the core, in a crate that is never run: `cargo xtask panic-free` looks at its object code for calls
//! of the panic machinery.
#![no_std]

use core::fmt::Write;

use kallsyms_core::backtrace::{Backtrace, Frames, StackMemory, TrapFrame};
use kallsyms_core::image::layout::SectionKind;
use kallsyms_core::{Error, Image, Reserved, SymbolIndex};

/// Doors.
///
/// # Errors
///
/// As [`Image::parse`].
#[inline(never)]
pub fn doors(bytes: &[u8], reserved: &Reserved<4096>) -> Result<usize, Error> {
    Image::parse(bytes)?.verify()?;
    let image = Image::open(reserved.bytes())?;
    reserved.image()?;
    reserved.open()?;
    Ok(image.section_len(SectionKind::Records) + image.build_id().len() + image.as_bytes().len())
}

/// Queries by name.
#[inline(never)]
pub fn by_name(image: &Image<'_>, name: &[u8]) -> Option<u64> {
    let all = image.lookup_all(name).filter_map(|symbol| symbol.size()).sum::<u64>();
    let prefix = image.starting_with(name).map(|symbol| symbol.name().len()).max()?;
    image.lookup_name(name).map(|symbol| symbol.address().wrapping_add(all).wrapping_add(prefix as u64))
}

/// Queries by address.
#[inline(never)]
pub fn by_address(image: &Image<'_>, pc: u64) -> Option<u64> {
    let exact = image.with_slide(pc).lookup(pc)?.offset();
    let returned = image.lookup_return_address(pc)?.size()?;
    Some(exact.wrapping_add(returned))
}

/// What a symbol tells.
#[inline(never)]
pub fn symbols(image: &Image<'_>) -> Option<u64> {
    let first = image.symbol(SymbolIndex(0))?;
    let copy = first.name().to_owned_name::<64>().ok()?;
    let same =
        image.iter().filter(|symbol| symbol.name() == first.name() || symbol.name().starts_with(&copy));
    let same = same.fold(0, |sum: u64, symbol| sum.wrapping_add(symbol.address()));
    Some(same.wrapping_add(u64::from(first.kind())).wrapping_add(first.module()?.len() as u64))
}

/// Text forms.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn text(image: &Image<'_>, pc: u64, sink: &mut dyn Write) -> core::fmt::Result {
    write!(sink, "{} {}", image.describe(pc), image.describe_return_address(pc))?;
    for symbol in image {
        write!(sink, "{symbol} {symbol:?} {}", symbol.listing())?;
    }
    if let Err(error) = image.verify() {
        write!(sink, "{error} {error:?}")?;
    }
    write!(sink, "{:?} {:#?}", image.lookup(pc), image)
}

/// The frame walker.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn walk(
    image: &Image<'_>,
    memory: &dyn StackMemory,
    trap: TrapFrame,
    sink: &mut dyn Write,
) -> core::fmt::Result {
    let trace = Backtrace::<32>::capture(Frames::from_trap(memory, trap));
    for frame in Frames::new(memory, trap.pc, trap.frame_pointer).chain(trace.frames().iter().copied()) {
        write!(sink, "{frame:?} {}", image.describe_frame(&frame))?;
    }
    match trace.end() {
        Some(end) => write!(sink, "{end} {end:?}"),
        None => write!(sink, "{}", trace.truncated()),
    }
}
