//! Every public call of the core, in a crate that is never run: `cargo xtask panics` links it, looks for the panic
//! machinery in what was linked, and that no public function is missing here.
#![no_std]
#![expect(unsafe_code, reason = "a link keeps what has a name of its own")]

mod btf;
mod linux;
mod procfs;
mod queries;

use core::fmt::Write;
use core::ops::ControlFlow;

use kallsyms_core::backtrace::{Backtrace, Frames, Stack, StackMemory, TrapFrame};
use kallsyms_core::image::checksum;
use kallsyms_core::image::hash::{HashId, NameHasher, bucket, fingerprint, hash_name, slot};
use kallsyms_core::image::layout::{RecordHead, SectionKind, index_bits};
use kallsyms_core::linux::Kallsyms;
use kallsyms_core::table::is_absolute_kind;
use kallsyms_core::{Error, Image, Reserved};

/// Nothing reaches it. Where panics unwind, as in a build of the whole workspace, the standard library has one.
#[cfg(panic = "abort")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// What a link of the probe keeps: all of it.
// SAFETY: nothing else that the probe is linked with has this name.
#[unsafe(no_mangle)]
pub extern "C" fn probe() {
    let roots = [
        doors as *const (),
        reservation as *const (),
        about as *const (),
        shared as *const (),
        image_queries as *const (),
        linux_queries as *const (),
        linux_index as *const (),
        linux_doors as *const (),
        exported_text as *const (),
        exported_chunks as *const (),
        exported_stream as *const (),
        types as *const (),
        order_of_types as *const (),
        walked as *const (),
    ];
    core::hint::black_box(roots);
}

/// How many there are; the library's `count` and `sum` check for overflow.
pub(crate) fn tally(items: impl Iterator) -> usize {
    items.fold(0, |sum: usize, _| sum.wrapping_add(1))
}

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
    Ok(image.section_len(SectionKind::Records) ^ image.build_id().len() ^ image.as_bytes().len())
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
    if let Err(error) = image.verify() {
        write!(sink, "{error} {error:?}")?;
    }
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

/// Every query on an image.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn image_queries(
    image: &Image<'_>,
    question: &[u8],
    text: &str,
    number: u64,
    memory: &dyn StackMemory,
    sink: &mut dyn Write,
) -> core::fmt::Result {
    queries::all(image, question, text, number, memory, sink)
}

/// Every query on Linux's tables.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn linux_queries(
    kallsyms: &Kallsyms<'_>,
    question: &[u8],
    text: &str,
    number: u64,
    memory: &dyn StackMemory,
    sink: &mut dyn Write,
) -> core::fmt::Result {
    queries::all(kallsyms, question, text, number, memory, sink)
}

/// Every query on Linux's tables with an index of their names.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn linux_index<'a>(
    (kallsyms, buffer): (&Kallsyms<'a>, &'a mut [u32]),
    question: &[u8],
    text: &str,
    number: u64,
    memory: &dyn StackMemory,
    sink: &mut dyn Write,
) -> core::fmt::Result {
    match linux::indexed(kallsyms, buffer, sink)? {
        Some(indexed) => queries::all(&indexed, question, text, number, memory, sink),
        None => Ok(()),
    }
}

/// Linux's tables.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn linux_doors(region: (u64, &[u8]), labels: &[u64; 8], sink: &mut dyn Write) -> core::fmt::Result {
    linux::doors(region, labels, sink)
}

/// The text that Linux exports.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn exported_text(text: &[u8], name: &str, sink: &mut dyn Write) -> core::fmt::Result {
    procfs::whole(text, name, sink)
}

/// The same in chunks.
#[inline(never)]
pub fn exported_chunks(chunks: &[&[u8]], carry: &mut [u8], name: &[u8]) -> ControlFlow<Option<u64>> {
    procfs::chunked(chunks, carry, name)
}

/// The reader of chunks.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn exported_stream(carry: &mut [u8], sink: &mut dyn Write) -> core::fmt::Result {
    procfs::about(carry, sink)
}

/// BTF.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn types(
    bytes: (&[u8], &[u8]),
    room: (&mut [u32], &mut [u64]),
    name: &str,
    sink: &mut dyn Write,
) -> core::fmt::Result {
    btf::all(bytes, room, name, sink)
}

/// BTF in another order.
///
/// # Errors
///
/// The sink's.
#[inline(never)]
pub fn order_of_types(
    btf: (&kallsyms_core::btf::Btf<'_>, &[u8]),
    room: &mut [u32],
    out: &mut [u8],
    sink: &mut dyn Write,
) -> core::fmt::Result {
    btf::order(btf, room, out, sink)
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
    let bare = Frames::from_trap(Bare(stack), trap);
    write!(sink, "{:?}", bare.last())?;
    let trace = Backtrace::<4>::capture(frames);
    write!(sink, "{:?} {}", trace.clone(), trace == Backtrace::capture(Frames::new(Machine(stack), pc, len)))
}

/// A machine that can tell no more than it must.
#[derive(Debug, Clone)]
struct Bare(Stack);

impl StackMemory for Bare {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        self.0.holds(address, 1).then_some(self.0)
    }

    fn read(&self, address: u64) -> Option<u64> {
        Some(address)
    }

    fn is_text(&self, _: u64) -> bool {
        true
    }
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
