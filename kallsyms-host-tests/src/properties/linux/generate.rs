//! Sound tables at random: every width, order and encoding, with empty and repeated names.

use kallsyms_core::linux::{Encoding, Endian, Lengths, NameOrder, Width};

use super::raw::{RawTables, to_bytes};
use crate::random::Random;

const PIECES: [&[u8]; 24] = [
    b"",
    b"T",
    b"t",
    b"A",
    b"a",
    b"Tfoo",
    b"t_",
    b"bar",
    b".llvm.",
    b".ll",
    b"vm.",
    b"1",
    b"23",
    b"\xe2\x82",
    b"\xac",
    b"x",
    b"Afoo",
    b"_stext",
    b"_end",
    b"T_end",
    b"init_",
    b"__",
    b"begin",
    b"d",
];

/// Tables whose structure is sound.
#[must_use]
pub fn tables(random: &mut Random) -> RawTables {
    let endian = if random.one_in(2) { Endian::Little } else { Endian::Big };
    let pointer = if random.one_in(2) { Width::Bits32 } else { Width::Bits64 };
    let count = match random.next() % 6 {
        0 => 1,
        1 => 255 + random.below(4),
        2 => 511 + random.below(4),
        _ => 1 + random.below(40),
    };
    let tokens: Vec<&[u8]> = (0..256).map(|token| piece(random, token)).collect();
    let (mut token_table, mut token_index) = (vec![], vec![]);
    for token in &tokens {
        token_index.extend(to_bytes(endian, token_table.len() as u64, 2));
        token_table.extend_from_slice(token);
        token_table.push(0);
    }
    let lengths = if random.one_in(2) { Lengths::Byte } else { Lengths::ByteOrTwo };
    let (mut names, mut starts, mut spelled) = (vec![], vec![], vec![]);
    for _ in 0..count {
        starts.push(names.len());
        spelled.push(push_name(random, lengths, &tokens, &mut names));
    }
    let slack = if random.one_in(2) { random.below(20) } else { 0 };
    names.extend((0..slack).map(|_| random.next() as u8));
    let addresses = addresses(random, pointer, count);
    let encoding = encoding(random, &addresses);
    let offsets = offsets(&addresses, encoding, pointer, endian);
    let name_order = if random.one_in(3) { NameOrder::WithoutLlvm } else { NameOrder::Whole };
    let seqs_of_names = if random.one_in(4) { vec![] } else { seqs_of_names(&spelled, name_order) };
    let offsets_endian = if random.one_in(2) { Endian::Little } else { Endian::Big };
    let marker_width = if random.one_in(2) { Width::Bits32 } else { Width::Bits64 };
    let markers = random.one_in(2).then(|| {
        let marked = starts.iter().step_by(256);
        let bytes = marked.flat_map(|start| to_bytes(endian, *start as u64, marker_width.bytes())).collect();
        (bytes, marker_width)
    });
    let name_offsets = starts.iter().flat_map(|start| to_bytes(offsets_endian, *start as u64, 3)).collect();
    let mut raw = RawTables {
        num_syms: count as u32,
        pointer,
        endian,
        encoding,
        lengths: Some(lengths),
        names,
        markers,
        name_offsets: (name_offsets, offsets_endian),
        token_table,
        token_index,
        offsets,
        seqs_of_names,
        name_order,
    };
    if slack > 0 {
        raw.token_table.extend([7; 9]);
        raw.token_index.extend([9; 3]);
        raw.offsets.extend([1; 5]);
        if !raw.seqs_of_names.is_empty() {
            raw.seqs_of_names.push(3);
        }
    }
    raw
}

fn piece(random: &mut Random, token: usize) -> &'static [u8] {
    match PIECES.get(token) {
        Some(piece) => piece,
        None if random.one_in(3) => b"",
        None => PIECES[random.below(PIECES.len())],
    }
}

/// Appends the record of a name, and returns the name.
fn push_name(random: &mut Random, lengths: Lengths, tokens: &[&[u8]], names: &mut Vec<u8>) -> Vec<u8> {
    let len = match random.next() % 20 {
        0 => 1,
        1 => 127 + random.below(4),
        2 if lengths == Lengths::ByteOrTwo => 300,
        _ => 1 + random.below(5),
    };
    if lengths == Lengths::ByteOrTwo && (len > 127 || random.one_in(30)) {
        names.extend([0x80 | (len & 0x7f) as u8, (len >> 7) as u8]);
    } else {
        names.push(len as u8);
    }
    let mut spelled = vec![];
    for _ in 0..len {
        let token = if random.one_in(10) { random.below(256) } else { random.below(PIECES.len()) };
        names.push(token as u8);
        spelled.extend_from_slice(tokens[token]);
    }
    // Without the type.
    spelled.get(1..).unwrap_or_default().to_vec()
}

fn addresses(random: &mut Random, pointer: Width, count: usize) -> Vec<u64> {
    let top = if pointer == Width::Bits32 { 0xffff_ffff } else { u64::MAX };
    let span = [10, 1000, 1 << 20][random.below(3)];
    let base = match random.next() % 4 {
        0 => 0,
        1 => top - span - 1,
        2 => top / 2,
        _ => (random.next() & top).saturating_sub(span + 1),
    };
    let mut addresses: Vec<u64> = (0..count).map(|_| base + random.next() % (span + 1)).collect();
    addresses.sort_unstable();
    addresses
}

fn encoding(random: &mut Random, addresses: &[u64]) -> Encoding {
    let first = addresses[0];
    match random.next() % 5 {
        0 => Encoding::Absolute,
        1 => Encoding::UnsignedBase { relative_base: first },
        2 => Encoding::SignedPercpu { relative_base: first },
        3 => Encoding::PcRelative {
            offsets_address: first.wrapping_add(random.next() % 100_000).wrapping_sub(50_000),
        },
        _ if addresses.iter().any(|address| *address > 0xffff_ffff) => Encoding::Absolute,
        _ => Encoding::Offset,
    }
}

fn offsets(addresses: &[u64], encoding: Encoding, pointer: Width, endian: Endian) -> Vec<u8> {
    let len = if encoding == Encoding::Absolute { pointer.bytes() } else { 4 };
    let offset = |(index, address): (u64, &u64)| match encoding {
        Encoding::Absolute | Encoding::Offset => *address,
        Encoding::UnsignedBase { relative_base } => address - relative_base,
        Encoding::SignedPercpu { relative_base } => u64::from(!((address - relative_base) as u32)),
        Encoding::PcRelative { offsets_address } => {
            u64::from(address.wrapping_sub(offsets_address).wrapping_sub(4 * index) as u32)
        }
    };
    (0..).zip(addresses).flat_map(|entry| to_bytes(endian, offset(entry), len)).collect()
}

fn seqs_of_names(names: &[Vec<u8>], order: NameOrder) -> Vec<u8> {
    let mut ranks: Vec<usize> = (0..names.len()).collect();
    ranks.sort_by_key(|index| {
        let name = &names[*index];
        let cut = match order {
            NameOrder::Whole => name.len(),
            NameOrder::WithoutLlvm => {
                name.windows(6).position(|part| part == b".llvm.").unwrap_or(name.len())
            }
        };
        name[..cut].to_vec()
    });
    ranks.into_iter().flat_map(|rank| to_bytes(Endian::Big, rank as u64, 3)).collect()
}
