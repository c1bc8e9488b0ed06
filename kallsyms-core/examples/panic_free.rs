//! Every public call of the core, in a crate that is never run: `cargo xtask panic-free` looks at its object
//! code for calls of the panic machinery, and that no public function is missing here.
#![no_std]

use core::fmt::{Debug, Write};

use kallsyms_core::backtrace::{Backtrace, Frames, Stack, StackMemory, TrapFrame};
use kallsyms_core::glob::Glob;
use kallsyms_core::image::hash::{HashId, NameHasher, bucket, fingerprint, hash_name, slot};
use kallsyms_core::image::layout::{RecordHead, SectionKind, index_bits};
use kallsyms_core::image::{Native, checksum};
use kallsyms_core::table::is_absolute_kind;
use kallsyms_core::{Error, Image, Location, Reserved, Symbol, SymbolIndex};

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

/// A reservation; its size is checked when it is compiled.
#[inline(never)]
#[must_use]
pub fn reservation(default: bool) -> Reserved<4096> {
    if default { Reserved::default() } else { Reserved::new() }
}

/// What an image tells of itself.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn about(image: &Image<'_>, reserved: &Reserved<4096>, sink: &mut dyn Write) -> core::fmt::Result {
    write!(sink, "{} {} {:#x} {reserved:?}", image.len(), image.is_empty(), image.slide())?;
    write!(sink, "{}", image.address_digits())?;
    write!(sink, "{:?} {:#010x}", image.header(), checksum(image.as_bytes()))?;
    SectionKind::ALL.into_iter().try_for_each(|kind| write!(sink, "{kind:?} {}", image.section_len(kind)))
}

/// The parts that the generator shares.
#[inline(never)]
#[must_use]
pub fn shared(id: u8, seed: u64, name: &[u8], count: u32, wide: u8, links: bool) -> Option<u64> {
    let id = HashId::from_u8(id)?;
    let mut hasher = NameHasher::new(id, seed);
    hasher.write(name);
    let hash = hasher.clone().finish() ^ hash_name(id, seed, name);
    let place = slot(hash, wide, count) ^ bucket(hash, count) ^ index_bits(count);
    let known = SectionKind::from_number(count).is_some() && is_absolute_kind(wide);
    let head = RecordHead::new(wide, wide, wide, links || known);
    let widths = head.delta_width() ^ head.count_width() ^ head.shift() ^ u32::from(head.has_links());
    Some(fingerprint(hash, wide) ^ u64::from(place ^ widths))
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
    let returned = image.lookup_return_address(pc)?;
    let same = image.lookup(pc) == Some(returned);
    Some(
        exact.wrapping_add(returned.size()?).wrapping_add(returned.symbol().link_address()) ^ u64::from(same),
    )
}

/// What a symbol tells.
#[inline(never)]
pub fn symbols(image: &Image<'_>, n: u32) -> Option<u64> {
    let first = image.symbol(SymbolIndex(n))?;
    let copy = first.name().to_owned_name::<64>().ok()?;
    let same =
        image.iter().filter(|symbol| symbol.name() == first.name() || symbol.name().starts_with(&copy));
    let same = same.fold(0, |sum: u64, symbol| sum.wrapping_add(symbol.address()));
    let of = same.wrapping_add(u64::from(first.kind())).wrapping_add(first.module()?.len() as u64);
    let absolute = first.is_absolute() && Some(first) == image.symbol(first.index());
    Some(of ^ u64::from(absolute))
}

/// A name in its other forms.
#[inline(never)]
#[must_use]
pub fn names(symbol: &Symbol<'_, Native<'_>>, text: &str, bytes: &[u8]) -> usize {
    let name = symbol.name();
    let same = [name == *text, name == *bytes, name == text, name.clone() == name, name.is_empty()];
    let pieces = name.fragments();
    let longest = pieces.clone().map(<[u8]>::len).max().unwrap_or(0);
    pieces.count() ^ longest ^ usize::from(same.contains(&true))
}

/// Patterns, on any text and on the names of a table.
#[inline(never)]
#[must_use]
pub fn globs(image: &Image<'_>, pattern: &[u8], text: &str) -> usize {
    [Glob::kernel(pattern), Glob::libbpf(text)].into_iter().fold(0, |sum: usize, glob| {
        let of_names = image.iter().filter(|symbol| glob.matches(symbol.name().fragments())).count();
        let of_text = usize::from(glob.matches(text.as_bytes().chunks(7)));
        let literals = glob.literal().unwrap_or_default().len() ^ glob.literal_prefix().len();
        sum.wrapping_add(of_names ^ of_text ^ literals ^ glob.longest_literal().len() ^ glob.pattern().len())
    })
}

/// Iterators beside their steps: a place further on, what is left, a copy.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn iterators(image: &Image<'_>, name: &[u8], n: usize, sink: &mut dyn Write) -> core::fmt::Result {
    let mut all = image.into_iter();
    write!(sink, "{:?} {:?} {}", all.nth(n), all.size_hint(), all.len())?;
    copied(&all, sink)?;
    copied(&image.starting_with(name), sink)?;
    copied(&image.lookup_all(name), sink)?;
    match image.lookup_name(name) {
        Some(symbol) => copied(&symbol.name().fragments(), sink),
        None => Ok(()),
    }
}

fn copied<I: Iterator + Clone + Debug>(items: &I, sink: &mut dyn Write) -> core::fmt::Result {
    let copy = items.clone();
    write!(sink, "{items:?} {:?} {}", copy.size_hint(), copy.count())
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
        write!(sink, "{symbol} {symbol:?} {} {:?}", symbol.listing(), symbol.listing())?;
        write!(sink, "{} {:?} {:?}", symbol.name(), symbol.name(), symbol.index())?;
        if let Err(error) = symbol.name().to_owned_name::<8>() {
            write!(sink, "{error} {error:?}")?;
        }
    }
    if let Err(error) = image.verify() {
        write!(sink, "{error} {error:?}")?;
    }
    write!(sink, "{:?} {:#?}", image.lookup(pc), image)
}

/// An address and its location.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn described(image: &Image<'_>, pc: u64, sink: &mut dyn Write) -> core::fmt::Result {
    let described = image.describe(pc);
    write!(sink, "{described:?} {:#x}", described.address())?;
    match described.location() {
        Some(location) => location_text(location, sink),
        None => Ok(()),
    }
}

fn location_text(location: &Location<'_, Native<'_>>, sink: &mut dyn Write) -> core::fmt::Result {
    write!(sink, "{location} {location:#} {location:?} {:?}", location.symbol())
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

/// The frame walker's other parts.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn walked(stack: Stack, pc: u64, len: u64, trap: TrapFrame, sink: &mut dyn Write) -> core::fmt::Result {
    let mut frames = Frames::from_trap(Machine(stack), trap);
    write!(sink, "{:?} {frames:?} {:?}", frames.next(), frames.clone().last())?;
    write!(sink, "{:?} {stack:?} {trap:?} {}", frames.end(), stack.holds(pc, len))?;
    let trace = Backtrace::<4>::capture(frames);
    write!(sink, "{:?} {}", trace.clone(), trace == Backtrace::capture(Frames::new(Machine(stack), pc, len)))
}

/// A machine with one stack, whose words are their addresses.
#[derive(Debug, Clone)]
struct Machine(Stack);

impl StackMemory for Machine {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        self.0.holds(address, 1).then_some(self.0)
    }

    fn read(&self, address: u64) -> Option<u64> {
        Some(address)
    }

    fn is_text(&self, address: u64) -> bool {
        address & 8 != 0
    }

    fn code(&self, address: u64) -> Option<u8> {
        address.to_le_bytes().first().copied()
    }

    fn function_start(&self, pc: u64) -> Option<u64> {
        pc.checked_sub(8)
    }
}
