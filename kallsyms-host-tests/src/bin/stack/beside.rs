//! What is asked beside the questions of a table.

use kallsyms_core::Image;
use kallsyms_core::btf::{Btf, HashIndex, SortedBtf, TypeId};
use kallsyms_core::linux::Endian;
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::linux::Tables;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{samples, sources};
use kallsyms_host_tests::stack::used_by;

use crate::others::{self, Other, Room, Types, Words, World};
use crate::questions::Answer;
use crate::{Depths, RETURN_ADDRESS};

/// Types that every call is asked about, from all over the table.
const ASKED: usize = 200;
/// What takes a few steps.
const STEPS: [&str; 9] = [
    "btf_declaration",
    "btf_find_indexed",
    "btf_find_many",
    "btf_find_sorted",
    "btf_member",
    "btf_resolve",
    "btf_type_by_id",
    "glob_kernel",
    "glob_libbpf",
];
/// Times that the others are asked, which walk.
const WALKS: usize = 6;
/// Frames of the stack that is walked.
const FRAMES: u64 = 20;
/// Where it begins.
const STACK: u64 = 0x1000;

/// Asks every question of these tables, and of types: of every kind, in the order of their names, and of a kernel.
pub(crate) fn ask(symbols: &Symbols, tables: &Tables, depths: &mut Depths) -> Result<(), String> {
    let mut structs: Vec<&[u8]> = symbols.list.iter().map(|symbol| symbol.name.as_slice()).collect();
    structs.sort_unstable();
    structs.dedup();
    let structs: Vec<Record> =
        structs.iter().take(1_000).map(|name| Record::new(kind::STRUCT, name, 8)).collect();
    let mut files = vec![
        samples::of(Endian::Little, &samples::every_kind()).bytes(),
        samples::of(Endian::Little, &structs).bytes(),
    ];
    files.extend(sources::recorded("the stack on a kernel's own types").map(|source| source.bytes));
    let build = |profile| build(symbols, profile, &mut |_, _| ()).map_err(|error| error.to_string());
    let images = [build(Profile::Fast)?, build(Profile::Compact)?];
    for (btf, image) in files.iter().zip(images.iter().cycle()) {
        ask_about(symbols, tables, image, btf, depths)?;
    }
    Ok(())
}

fn ask_about(
    symbols: &Symbols,
    tables: &Tables,
    bytes: &[u8],
    btf: &[u8],
    depths: &mut Depths,
) -> Result<(), String> {
    let image = Image::parse(bytes).map_err(|error| error.to_string())?;
    let kallsyms = tables.kallsyms().map_err(|error| error.to_string())?;
    let text: String = kallsyms.iter().take(2_000).map(|symbol| format!("{}\n", symbol.listing())).collect();
    let mut offsets = vec![0; Btf::parse(btf).map_err(|error| error.to_string())?.own_len() as usize + 1];
    let linear = Btf::parse_with_offsets(btf, &mut offsets).map_err(|error| error.to_string())?;
    let sorted = SortedBtf::new(linear).ok();
    let mut words = vec![0; HashIndex::words(&linear)];
    let indexed = HashIndex::build(linear, &mut words).map_err(|error| error.to_string())?;
    // Each frame leads to the next one, whose place is two words on.
    let stack: Vec<u64> =
        (1..=FRAMES).flat_map(|frame| [STACK + frame * 16, u64::MAX - 64 * frame]).collect();

    let mut room_for_index = vec![0; kallsyms.name_index_words()];
    let mut room_for_offsets = vec![0; linear.own_len() as usize + 1];
    let mut room_for_words = vec![0; HashIndex::words(&linear)];
    let (mut line, mut written) = (vec![0; 4_096], vec![0; 1 << 16]);
    let mut room = Room {
        index: &mut room_for_index,
        offsets: &mut room_for_offsets,
        words: &mut room_for_words,
        line: &mut line,
    };
    let mut answer = Answer { text: &mut written, len: 0, number: 0, slots: &mut [] };
    let names = symbols.list.iter().filter_map(|symbol| str::from_utf8(&symbol.name).ok());
    let ids = (0..linear.end_id().0).map(TypeId).step_by((linear.own_len() as usize / ASKED).max(1));
    let type_names: Vec<&str> =
        ids.clone().filter_map(|id| str::from_utf8(linear.type_by_id(id)?.name()).ok()).collect();
    let worlds: Vec<World<'_>> = ids
        .zip(names.step_by((symbols.list.len() / ASKED).max(1)).cycle())
        .zip(type_names)
        .flat_map(|((id, symbol), of_a_type)| [(id, symbol), (id, of_a_type), (id, "no such name")])
        .map(|(id, name)| World {
            name,
            pattern: b"*_lock*[a-z]",
            bytes,
            image: &image,
            tables: tables.view(),
            kallsyms: &kallsyms,
            types: Types { bytes: btf, linear: &linear, sorted: sorted.as_ref(), indexed: &indexed },
            id,
            text: text.as_bytes(),
            stack: Words { first: STACK, words: &stack },
        })
        .collect();
    let mut depth_of = |other: Other, worlds: &[World<'_>]| {
        let all = || {
            for world in worlds {
                answer.len = 0;
                other(world, &mut room, &mut answer);
            }
        };
        used_by(all).1
    };
    let nothing = depth_of(|_, _, _| (), &worlds[..1]);
    for (name, other) in others::all() {
        let times = if STEPS.contains(&name) { worlds.len() } else { WALKS };
        let bytes = depth_of(other, &worlds[..times]) - nothing + RETURN_ADDRESS;
        let deepest = depths.entry((name, "other", "painted")).or_default();
        *deepest = bytes.max(*deepest);
    }
    Ok(())
}
