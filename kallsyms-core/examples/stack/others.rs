//! What is asked beside the questions of a table: one function each, as there.

use core::fmt::Write;
use core::ops::ControlFlow;

use kallsyms_core::Image;
use kallsyms_core::backtrace::{Backtrace, Frames, Stack, StackMemory};
use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, SortedBtf, TypeId};
use kallsyms_core::glob::Glob;
use kallsyms_core::linux::{Kallsyms, Tables};
use kallsyms_core::procfs::{self, Stream};

use super::questions::Answer;

/// Frames that a backtrace holds: its bytes are the caller's.
const FRAMES: usize = 16;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct World<'w> {
    /// A name: of a symbol, of a type, or of none.
    pub name: &'w str,
    /// A pattern.
    pub pattern: &'w [u8],
    /// The bytes of an image.
    pub bytes: &'w [u8],
    /// The image.
    pub image: &'w Image<'w>,
    /// Linux's tables, unchecked.
    pub tables: Tables<'w>,
    /// The same, checked.
    pub kallsyms: &'w Kallsyms<'w>,
    /// Types.
    pub types: Types<'w>,
    /// A type.
    pub id: TypeId,
    /// The text of `/proc/kallsyms`.
    pub text: &'w [u8],
    /// A stack whose frames lead to each other.
    pub stack: Words<'w>,
}

/// Types in the orders of names that they come in.
#[derive(Debug, Clone, Copy)]
pub struct Types<'w> {
    /// The bytes.
    pub bytes: &'w [u8],
    /// In any order.
    pub linear: &'w Btf<'w>,
    /// Sorted, if they are.
    pub sorted: Option<&'w SortedBtf<'w>>,
    /// Indexed.
    pub indexed: &'w HashIndex<'w>,
}

/// Memory that is lent to who asks for some.
#[derive(Debug)]
pub struct Room<'r> {
    /// For an index of names.
    pub index: &'r mut [u32],
    /// For the offsets of types.
    pub offsets: &'r mut [u32],
    /// For an index of types.
    pub words: &'r mut [u64],
    /// For a line, or a name.
    pub line: &'r mut [u8],
}

/// A stack: its words from this address on.
#[derive(Debug, Clone, Copy)]
pub struct Words<'w> {
    /// Where it begins.
    pub first: u64,
    /// What is in it.
    pub words: &'w [u64],
}

impl StackMemory for Words<'_> {
    fn stack_of(&self, address: u64) -> Option<Stack> {
        let last = self.first.wrapping_add(self.words.len() as u64 * 8).wrapping_sub(1);
        Some(Stack { first: self.first, last }).filter(|stack| stack.holds(address, 1))
    }

    fn read(&self, address: u64) -> Option<u64> {
        self.words.get(usize::try_from(address.checked_sub(self.first)? / 8).ok()?).copied()
    }

    fn is_text(&self, address: u64) -> bool {
        address >= 1 << 63
    }
}

/// One of them.
pub type Other = fn(&World<'_>, &mut Room<'_>, &mut Answer<'_>);

/// Defines the functions, and the list of them.
macro_rules! others {
    ($($function:ident($world:ident, $room:ident, $answer:ident) $body:block)*) => {
        /// Every one, by the name of its function.
        pub fn all() -> impl Iterator<Item = (&'static str, Other)> {
            [$((stringify!($function), $function as Other)),*].into_iter()
        }
        $(
            #[inline(never)]
            fn $function($world: &World<'_>, $room: &mut Room<'_>, $answer: &mut Answer<'_>) $body
        )*
    };
}

others! {
    image_open(world, _room, answer) {
        answer.put(Image::open(world.bytes).ok().map(|image| image.len().into()));
    }
    image_parse(world, _room, answer) {
        answer.put(Image::parse(world.bytes).ok().map(|image| image.len().into()));
    }
    image_verify(world, _room, answer) {
        answer.put(Some(world.image.verify().is_ok().into()));
    }
    kallsyms_new(world, _room, answer) {
        answer.put(Kallsyms::new(world.tables).ok().map(|kallsyms| kallsyms.len().into()));
    }
    with_name_index(world, room, answer) {
        answer.put(world.kallsyms.with_name_index(room.index).ok().map(|indexed| indexed.len().into()));
    }
    self_test_of_an_image(world, room, answer) {
        answer.put(world.image.self_test(room.line, || 0).ok().map(|report| report.walk));
    }
    self_test_of_linux(world, room, answer) {
        answer.put(world.kallsyms.self_test(room.line, || 0).ok().map(|report| report.walk));
    }
    btf_parse(world, _room, answer) {
        answer.put(Btf::parse(world.types.bytes).ok().map(|btf| btf.own_len().into()));
    }
    btf_parse_with_offsets(world, room, answer) {
        let parsed = Btf::parse_with_offsets(world.types.bytes, room.offsets);
        answer.put(parsed.ok().map(|btf| btf.own_len().into()));
    }
    btf_sorted(world, _room, answer) {
        answer.put(SortedBtf::new(*world.types.linear).ok().map(|sorted| sorted.btf().own_len().into()));
    }
    btf_hash_index(world, room, answer) {
        let index = HashIndex::build(*world.types.linear, room.words);
        answer.put(index.ok().map(|index| index.btf().own_len().into()));
    }
    btf_check_references(world, _room, answer) {
        answer.put(Some(world.types.linear.check_references().is_ok().into()));
    }
    btf_find_linear(world, _room, answer) {
        answer.put(world.types.linear.find(world.name, Kind::Struct).map(|found| found.id().0.into()));
    }
    btf_find_sorted(world, _room, answer) {
        if let Some(sorted) = world.types.sorted {
            answer.put(sorted.find(world.name, Kind::Struct).map(|found| found.id().0.into()));
        }
    }
    btf_find_indexed(world, _room, answer) {
        answer.put(world.types.indexed.find(world.name, Kind::Struct).map(|found| found.id().0.into()));
    }
    btf_find_all(world, _room, answer) {
        world.types.indexed.find_all(world.name).for_each(|found| answer.put(Some(found.id().0.into())));
    }
    btf_find_many(world, _room, answer) {
        // The batch and its answers: 224 bytes of the caller's.
        let mut out = [None; 8];
        answer.put(Some(world.types.indexed.find_many(&[(world.name, Kind::Struct); 8], &mut out) as u64));
    }
    btf_kfuncs(world, _room, answer) {
        world.types.indexed.kfuncs().for_each(|_| answer.put(None));
    }
    btf_type_by_id(world, _room, answer) {
        answer.put(world.types.linear.type_by_id(world.id).and_then(|found| found.size()));
    }
    btf_resolve(world, _room, answer) {
        answer.put(world.types.linear.resolve(world.id).map(|found| found.id().0.into()));
        answer.put(world.types.linear.size_of(world.id));
    }
    btf_member(world, _room, answer) {
        let found = world.types.linear.type_by_id(world.id);
        answer.put(found.and_then(|found| Some(found.member(world.name)?.bit_offset.into())));
    }
    btf_declaration(world, _room, answer) {
        if let Some(found) = world.types.linear.type_by_id(world.id) {
            let _ = write!(answer, "{}", found.declaration());
        }
    }
    procfs_find(world, _room, answer) {
        answer.put(procfs::find(world.text, world.name).ok().flatten().map(|entry| entry.addr));
    }
    procfs_matching(world, _room, answer) {
        procfs::matching(world.text, Glob::kernel(world.pattern)).flatten().for_each(|entry| answer.put(Some(entry.addr)));
    }
    procfs_lines(world, _room, answer) {
        procfs::kallsyms(world.text).flatten().for_each(|entry| answer.put(Some(entry.addr)));
    }
    procfs_stream(world, room, answer) {
        let mut look_at = procfs::strict::<procfs::Kallsyms, ()>(|entry| {
            answer.put(Some(entry.addr));
            ControlFlow::Continue(())
        });
        if let ControlFlow::Continue(stream) = Stream::<procfs::Kallsyms>::new(room.line).feed(world.text, &mut look_at) {
            let _ = stream.finish(look_at);
        }
    }
    glob_kernel(world, _room, answer) {
        answer.put(Some(Glob::kernel(world.pattern).matches(world.name.as_bytes().chunks(3)).into()));
    }
    glob_libbpf(world, _room, answer) {
        answer.put(Some(Glob::libbpf(world.pattern).matches(world.name.as_bytes().chunks(3)).into()));
    }
    frames(world, _room, answer) {
        Frames::new(world.stack, u64::MAX, world.stack.first).for_each(|frame| answer.put(Some(frame.address)));
    }
    backtrace_capture(world, _room, answer) {
        let frames = Frames::new(world.stack, u64::MAX, world.stack.first);
        answer.put(Backtrace::<FRAMES>::capture(frames).frames().first().map(|frame| frame.address));
    }
}
