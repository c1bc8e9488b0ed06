//! Damaged kernels and bytes that are none: an error, never a panic, and never another table.

use std::iter;
use std::sync::LazyLock;

use kallsyms_core::linux::{Endian, Width};
use kallsyms_gen::extract::{Codec, ExtractError, Fault, MemoryOrder, extract};
use kallsyms_gen::linux::Tables;
use kallsyms_host_tests::fake_kernel::{
    CODECS, IMAGE, Placed, bz_image, kernel, noise, pack, symbols, vmlinux,
};
use proptest::prelude::*;

use crate::{fault, options};

const ORDERS: [MemoryOrder; 3] = [MemoryOrder::UpTo6_3, MemoryOrder::From6_4, MemoryOrder::From7_0];

/// Few symbols, for there are many damages.
const FEW: usize = 700;

/// A small kernel of each order: its image, and the ELF file that loads it.
fn small(order: MemoryOrder) -> &'static (Placed, Vec<u8>) {
    static KERNELS: LazyLock<[(Placed, Vec<u8>); 3]> = LazyLock::new(|| {
        ORDERS.map(|order| {
            let options = options(order);
            let placed = kernel(&symbols(IMAGE, FEW, false), &options, order);
            let file = vmlinux(&placed.bytes, IMAGE, options.pointer, options.endian);
            (placed, file)
        })
    });
    let place = ORDERS.iter().position(|&known| known == order).expect("a known order");
    &KERNELS[place]
}

/// Where the image begins in the file.
const IN_FILE: usize = 0x1000;

#[test]
fn a_file_without_tables_says_what_was_looked_for() {
    assert_eq!(extract(&[]), Err(ExtractError::Empty));
    let text = extract(b"ffffffff81000000 T _text\n").expect_err("a text").to_string();
    assert_eq!(
        text,
        "no kallsyms tables: the file itself: no token_table (256 strings, then the offset of each in 2 bytes) in \
         25 bytes; give a vmlinuz, Image or vmlinux of Linux 4.6 or later built with CONFIG_KALLSYMS"
    );
    let packed = pack(Codec::Gzip, &noise(51).take(1 << 16).collect::<Vec<u8>>());
    let message = extract(&packed).expect_err("noise").to_string();
    assert!(message.contains("the gzip payload at 0x0: no token_table"), "{message}");
    assert!(message.contains("in 65536 bytes"), "{message}");
}

/// What each table is needed for: without it, the error names what is missing.
#[test]
fn the_missing_table_is_named() {
    for order in ORDERS {
        let (placed, file) = small(order);
        let without = |label: &str, len: usize| {
            let mut file = file.clone();
            let at = IN_FILE + placed.label(label);
            file[at..at + len].fill(0xee);
            fault(extract(&file))
        };
        let names = placed.label("names");
        assert!(matches!(without("token_index", 512), Fault::NoTokens { .. }));
        assert!(matches!(without("token_table", 100), Fault::NoTokens { .. }));
        for label in ["num_syms", "names", "markers"] {
            assert!(matches!(without(label, 4), Fault::NoNames { .. }), "{order:?} {label}");
        }
        let num_syms = FEW as u32;
        assert_eq!(without("offsets", 4 * FEW), Fault::NoAddresses { names, num_syms }, "{order:?}");
        if order != MemoryOrder::UpTo6_3 {
            assert_eq!(without("seqs_of_names", 3), Fault::NoAddresses { names, num_syms }, "{order:?}");
        }
    }
}

/// Bytes of the tables in turn: what still comes out differs from the right tables by what the byte says, no
/// more.
#[test]
fn a_changed_byte_reaches_no_further_than_it_says() {
    for order in ORDERS {
        let (placed, file) = small(order);
        let right = spelled(&extract(file).expect("tables").tables);
        let (first, last) = (placed.labels[0].1, placed.bytes.len() - 0x1_0000);
        let mut found = 0;
        for at in (first..last).step_by(23) {
            let mut file = file.clone();
            let old = file[IN_FILE + at];
            let new = old ^ 1 << (at % 8);
            file[IN_FILE + at] = new;
            let Ok(extracted) = extract(&file) else { continue };
            let changed = spelled(&extracted.tables);
            let (table, _) = placed.labels.iter().rfind(|(_, start)| *start <= at).expect("a table");
            let place = format!("{order:?}, {table}, {at:#x}: {old:#x} to {new:#x}");
            assert!(changed.is_sorted_by_key(|(address, _)| *address), "{place}");
            check_reach(table, (old, new), &right, &changed, &place);
            found += usize::from(changed != right);
        }
        assert!(found > 100, "{order:?}: {found} changes make other tables");
    }
}

/// Address of every symbol, and the bytes of its type and name.
fn spelled(tables: &Tables) -> Vec<(u64, Vec<u8>)> {
    let kallsyms = tables.kallsyms().expect("sound tables");
    let symbols = kallsyms.iter();
    symbols
        .map(|symbol| (symbol.address(), iter::once(symbol.kind()).chain(symbol.name().bytes()).collect()))
        .collect()
}

/// Asserts that two listings differ by no more than one byte of a table can make of them.
fn check_reach(
    table: &str,
    (old, new): (u8, u8),
    right: &[(u64, Vec<u8>)],
    changed: &[(u64, Vec<u8>)],
    place: &str,
) {
    assert_eq!(changed.len(), right.len(), "{place}");
    let pairs = || right.iter().zip(changed);
    let moved: Vec<u64> = pairs().map(|(right, changed)| changed.0.wrapping_sub(right.0)).collect();
    let respelled: Vec<_> = pairs()
        .map(|(right, changed)| (&right.1, &changed.1))
        .filter(|(right, changed)| right != changed)
        .collect();
    let (addresses, names) = (moved.iter().filter(|&&by| by != 0).count(), respelled.len());
    match table {
        // Another token in one record.
        "names" => assert!(addresses == 0 && names <= 1, "{place}: {addresses} addresses, {names} names"),
        // Another letter wherever the token stands.
        "token_table" => {
            assert_eq!(addresses, 0, "{place}");
            for (right, changed) in respelled {
                assert_eq!(right.len(), changed.len(), "{place}");
                let mut letters = right.iter().zip(changed).filter(|(right, changed)| right != changed);
                assert!(letters.all(|letters| letters == (&old, &new)), "{place}");
            }
        }
        "offsets" => assert!(addresses <= 1 && names == 0, "{place}: {addresses} addresses, {names} names"),
        // All by the same.
        "relative_base" => assert!(moved.iter().all(|by| *by == moved[0]) && names == 0, "{place}"),
        // The order of names is whole or refused, and padding says nothing.
        _ => assert_eq!((addresses, names), (0, 0), "{place}"),
    }
}

#[test]
fn a_truncated_kernel_gives_an_error() {
    for order in ORDERS {
        let (placed, file) = small(order);
        let last = placed.labels.iter().map(|(_, at)| *at).max().expect("a table");
        for len in (0..IN_FILE + last)
            .step_by(1009)
            .chain(IN_FILE + placed.labels[0].1..IN_FILE + placed.labels[0].1 + 64)
        {
            assert!(extract(&file[..len]).is_err(), "{order:?} {len}");
        }
    }
}

#[test]
fn truncated_and_damaged_payloads_give_an_error() {
    let (_, file) = small(MemoryOrder::From6_4);
    for codec in CODECS {
        let packed = pack(codec, file);
        for part in 1..16 {
            let cut = &packed[..packed.len() * part / 16];
            assert!(extract(cut).is_err(), "{codec} {part}");
            assert!(extract(&bz_image(cut)).is_err(), "{codec} {part}");
            let mut damaged = packed.clone();
            for at in 0..8 {
                damaged[packed.len() * part / 16 + at] ^= 0x5a;
            }
            // Not every codec has a checksum; no tables but the right ones have passed.
            let _ = extract(&damaged);
        }
    }
}

/// A long run of token tables and markers that lead nowhere costs no more than a few looks.
#[test]
fn many_beginnings_are_soon_given_up() {
    let order = MemoryOrder::UpTo6_3;
    let (placed, _) = small(order);
    let (table, end) = (placed.label("token_table"), placed.label("token_index") + 512);
    let tokens = placed.bytes[table..end].to_vec();
    let aligned = tokens.len().next_multiple_of(8);
    let many: Vec<u8> =
        iter::repeat_n([tokens, vec![0; aligned - (end - table)]].concat(), 2000).flatten().collect();
    assert!(matches!(fault(extract(&many)), Fault::NoNames { .. }));
    let steps: Vec<u8> = (0..1 << 20).flat_map(|step: u32| (step % 64 * 3000).to_le_bytes()).collect();
    let file = [steps, placed.bytes[table..end].to_vec()].concat();
    assert!(matches!(fault(extract(&file)), Fault::NoNames { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn noise_is_no_kernel(seed in any::<u64>(), codec in 0..CODECS.len(), len in 0_usize..40_000) {
        let bytes: Vec<u8> = noise(seed).take(len).collect();
        prop_assert!(extract(&bytes).is_err());
        let mut packed = pack(CODECS[codec], &bytes[..len.min(2000)]);
        packed.extend(&bytes);
        for (at, byte) in packed.iter_mut().enumerate().skip(4) {
            if at as u64 % 97 == seed % 97 {
                *byte = seed as u8;
            }
        }
        prop_assert!(extract(&packed).is_err());
    }

    #[test]
    fn no_damage_panics(
        order in 0..ORDERS.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let (placed, file) = small(ORDERS[order]);
        let mut file = file.clone();
        let (first, last) = (IN_FILE + placed.labels[0].1, file.len() - 0x1_0000);
        for (place, byte) in changes {
            let at = first + place.index(last - first);
            file[at] = byte;
        }
        if let Ok(extracted) = extract(&file) {
            prop_assert!(extracted.tables.kallsyms().is_ok());
        }
    }
}

#[test]
fn headers_of_elf_files_may_be_anything() {
    let (_, file) = small(MemoryOrder::From7_0);
    for at in 0..0x80 {
        for byte in [0, 1, 0xff] {
            let mut file = file.clone();
            file[at] = byte;
            let _ = extract(&file);
        }
    }
}

/// The same bytes loaded a thousand times are not searched a thousand times.
#[test]
fn segments_over_segments_are_soon_given_up() {
    let mut file =
        vmlinux(&noise(61).take(1 << 20).collect::<Vec<u8>>(), IMAGE, Width::Bits64, Endian::Little);
    let entry = file[64..64 + 56].to_vec();
    let (offset, count) = (file.len() as u64, 60_000_u16);
    file[32..40].copy_from_slice(&offset.to_le_bytes());
    file[56..58].copy_from_slice(&count.to_le_bytes());
    file.extend(iter::repeat_n(entry, usize::from(count)).flatten());
    // Each has 1 MiB of the 4.4 MB.
    assert_eq!(fault(extract(&file)), Fault::NoTokens { searched: 8 << 20 });
}
