//! Linux's tables: tokens that stand for much or for nothing, names of one order.

use kallsyms_core::SymbolIndex;
use kallsyms_core::linux::{Encoding, Endian, Kallsyms, Lengths, NameOrder, Places, Tables, Width};
use kallsyms_gen::linux::write;
use kallsyms_gen::linux::write::Options;

use crate::tables::{TEXT, duplicates};

/// Most tokens of a record, as two bytes tell.
const MOST_TOKENS: usize = 0x7fff;

/// One symbol whose record has the most tokens there can be, all of this one.
fn longest(token: &[u8], ask: impl FnOnce(&Kallsyms<'_>)) {
    let mut names = vec![0xff, 0xff, 0];
    names.extend_from_slice(&[1; MOST_TOKENS - 1]);
    let letters: [&[u8]; 2] = [b"t", token];
    let tokens: Vec<u8> = letters.iter().flat_map(|token| [token, &[0][..]].concat()).collect();
    let second = u16::try_from(letters[0].len() + 1).expect("short");
    // The others stand for nothing.
    let others = u16::try_from(tokens.len()).expect("short");
    let places = [0, second].into_iter().chain((0..254).map(|more| others + more));
    let token_index: Vec<u8> = places.flat_map(u16::to_le_bytes).collect();
    let token_table: Vec<u8> = tokens.iter().copied().chain([0; 254]).collect();
    let kallsyms = Kallsyms::new(Tables {
        num_syms: 1,
        pointer: Width::Bits64,
        endian: Endian::Little,
        encoding: Encoding::UnsignedBase { relative_base: TEXT },
        lengths: Some(Lengths::ByteOrTwo),
        names: &names,
        places: Places::Markers { bytes: &[0; 4], width: Width::Bits32 },
        token_table: &token_table,
        token_index: &token_index,
        offsets: &[0; 4],
        seqs_of_names: &[0; 3],
        name_order: NameOrder::Whole,
    });
    ask(&kallsyms.expect("passes the checks"));
}

#[test]
fn the_longest_name() {
    longest(&[b'x'; 512], |kallsyms| {
        let name = kallsyms.symbol(SymbolIndex(0)).expect("is there").name();
        assert_eq!(name.fragments().count(), MOST_TOKENS - 1);
        assert_eq!(name.len(), 512 * (MOST_TOKENS - 1));
        assert!(kallsyms.lookup_name(&vec![b'x'; 512 * (MOST_TOKENS - 1)]).is_some());
        assert!(kallsyms.lookup_name("x").is_none());
    });
}

#[test]
fn tokens_that_stand_for_nothing() {
    longest(b"", |kallsyms| {
        let symbol = kallsyms.symbol(SymbolIndex(0)).expect("is there");
        assert_eq!((symbol.kind(), symbol.name().fragments().count(), symbol.name().len()), (b't', 0, 0));
        assert!(kallsyms.lookup_name("").is_none() && kallsyms.lookup_name("t").is_none());
    });
}

/// Every symbol of one name, with ranks, without, and by an index whose one bucket holds them all.
#[test]
fn symbols_of_one_name() {
    const COUNT: u64 = 3_000;
    let mut tables = write(&duplicates(COUNT), &Options::default()).expect("tables");
    for ranks in [true, false] {
        if !ranks {
            tables.seqs_of_names.clear();
        }
        let kallsyms = tables.kallsyms().expect("sound");
        assert_eq!(kallsyms.lookup_all("same").count(), COUNT as usize);
        let mut words = vec![0; kallsyms.name_index_words()];
        let indexed = kallsyms.with_name_index(&mut words).expect("there is room");
        assert_eq!(indexed.lookup_all("same").count(), COUNT as usize);
        assert_eq!(indexed.lookup_name("sane"), None);
    }
}

/// An order of names that leads to one symbol again and again ends after as many as there are.
#[test]
fn ranks_that_repeat_a_symbol() {
    let mut tables = write(&duplicates(300), &Options::default()).expect("tables");
    tables.seqs_of_names.fill(0);
    let kallsyms = tables.kallsyms().expect("passes the checks");
    assert!(kallsyms.lookup_all("same").count() <= 300);
    assert!(kallsyms.self_test(&mut [0; 16], || 0).is_err());
}
