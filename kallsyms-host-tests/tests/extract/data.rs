//! Real tables, laid out anew in every order.

use std::fs;

use kallsyms_core::linux::Encoding;
use kallsyms_gen::extract::{Codec, MemoryOrder, extract};
use kallsyms_gen::linux::{Tables, folder};
use kallsyms_host_tests::data;
use kallsyms_host_tests::fake_kernel::{IMAGE, bz_image, lay_out, pack, vmlinux};

use crate::listing;

fn assert_is(file: &[u8], tables: &Tables, text: &str, order: MemoryOrder) {
    let extracted = extract(file).expect("tables");
    assert_eq!(extracted.memory_order, order);
    let found = &extracted.tables;
    assert_eq!(
        (found.num_syms, found.pointer, found.endian, found.encoding),
        (tables.num_syms, tables.pointer, tables.endian, tables.encoding)
    );
    assert_eq!(found.names, tables.names);
    assert_eq!(found.places, tables.places);
    assert_eq!((&found.token_table, &found.token_index), (&tables.token_table, &tables.token_index));
    assert_eq!((&found.offsets, &found.seqs_of_names), (&tables.offsets, &tables.seqs_of_names));
    let lines = listing(found)
        .into_iter()
        .map(|(address, kind, name)| format!("{address:016x} {} {name}", char::from(kind)));
    assert!(lines.eq(text.lines()), "another listing");
}

#[test]
fn the_tables_of_6_12_come_back() {
    let Some(path) = data::folder("the_tables_of_6_12_come_back", "linux-6.12.107") else { return };
    let tables = folder::read(&path).expect("a folder of tables");
    let text = fs::read_to_string(path.join("symbols.txt")).expect("the listing");
    for order in [MemoryOrder::UpTo6_3, MemoryOrder::From6_4] {
        let placed = lay_out(&tables, order);
        assert_is(&placed.bytes, &tables, &text, order);
    }
    let packed = pack(Codec::Lz4, &lay_out(&tables, MemoryOrder::From6_4).bytes);
    assert_is(&bz_image(&packed), &tables, &text, MemoryOrder::From6_4);
}

#[test]
fn the_made_up_tables_come_back_in_every_encoding() {
    let test = "the_made_up_tables_come_back_in_every_encoding";
    let Some(path) = data::folder(test, "synthetic-big") else { return };
    let mut tables = folder::read(&path).expect("a folder of tables");
    let text = fs::read_to_string(path.join("symbols.txt")).expect("the listing");
    let offsets = |name: &str| fs::read(path.join(name)).expect("the offsets");
    for order in [MemoryOrder::UpTo6_3, MemoryOrder::From6_4] {
        assert_is(&lay_out(&tables, order).bytes, &tables, &text, order);
    }
    tables.offsets = offsets("offsets_signed.bin");
    tables.encoding = Encoding::SignedPercpu { relative_base: IMAGE };
    assert_is(&lay_out(&tables, MemoryOrder::From6_4).bytes, &tables, &text, MemoryOrder::From6_4);
    tables.offsets = offsets("offsets_pcrel.bin");
    let offsets_address = 0xffff_ffff_80f0_0000;
    tables.encoding = Encoding::PcRelative { offsets_address };
    let placed = lay_out(&tables, MemoryOrder::From7_0);
    let image = offsets_address - placed.label("offsets") as u64;
    let file = vmlinux(&placed.bytes, image, tables.pointer, tables.endian);
    assert_is(&file, &tables, &text, MemoryOrder::From7_0);
}
