//! Edges of the gate, slides of 32 bits, duplicates that are rejected.
use kallsyms_core::linux::{
    Bounds, Encoding, Endian, Kallsyms, Lengths, NameOrder, Places, Span, Tables, Width,
};
use std::time::Instant;
fn letters() -> (Vec<u8>, Vec<u8>) {
    (
        (0..=255u8).flat_map(|b| [b.max(1), 0]).collect(),
        (0..256u16).flat_map(|t| (t * 2).to_le_bytes()).collect(),
    )
}
fn with(list: &[(u64, &str)], f: impl FnOnce(Kallsyms<'_>)) {
    let (tt, ti) = letters();
    let mut names = vec![];
    for (_, n) in list {
        names.push(n.len() as u8);
        names.extend(n.as_bytes())
    }
    let offsets: Vec<u8> = list.iter().flat_map(|(a, _)| a.to_le_bytes()).collect();
    f(Kallsyms::new(Tables {
        num_syms: list.len() as u32,
        pointer: Width::Bits64,
        endian: Endian::Little,
        encoding: Encoding::Absolute,
        lengths: Some(Lengths::ByteOrTwo),
        names: &names,
        places: Places::Markers { bytes: &[0; 4], width: Width::Bits32 },
        token_table: &tt,
        token_index: &ti,
        offsets: &offsets,
        seqs_of_names: &[],
        name_order: NameOrder::Whole,
    })
    .unwrap())
}
/// Init sections above `_end` (the gate's second span): the C code answers the last symbol, with whatever size.
#[test]
fn init_above_the_end() {
    // The last symbol is below _end; the asked address is in [__init_begin, __init_end), 0x3000 behind it.
    with(&[(0x1000, "T_stext"), (0x2000, "tlast")], |k| {
        let b = Bounds {
            kernel: Span { start: 0x1000, end: 0x3000 },
            init: Span { start: 0x4000, end: 0x8000 },
            init_text: Span { start: 0x4000, end: 0x5000 },
        };
        let k = k.with_bounds(Some(b));
        // get_symbol_pos: no next symbol, not init text: symbol_end = _end, size 0x1000, offset 0x4000: answered.
        println!("{} {}", k.describe(0x6000), k.describe(0x4800));
        assert_eq!(k.describe(0x4800).to_string(), "last+0x2800/0x3000");
        assert_eq!(k.describe(0x6000).to_string(), "last+0x4000/0x1000");
    });
}
/// A 32-bit address space ends at 2^32.
#[test]
fn a_slide_of_32_bits_wraps() {
    let (tt, ti) = letters();
    let k = Kallsyms::new(Tables {
        num_syms: 2,
        pointer: Width::Bits32,
        endian: Endian::Little,
        encoding: Encoding::Absolute,
        lengths: None,
        names: b"\x02Ta\x02Tb",
        places: Places::Markers { bytes: &[0; 4], width: Width::Bits32 },
        token_table: &tt,
        token_index: &ti,
        offsets: &[0, 0, 0, 0xc0, 0, 1, 0, 0xc0],
        seqs_of_names: &[],
        name_order: NameOrder::Whole,
    })
    .unwrap();
    // 0xc0000000 moved down by 0x40000000, written in 32 bits.
    let k = k.with_slide(0xc000_0000);
    assert_eq!(k.lookup_name("a").unwrap().address(), 0x8000_0000);
    assert_eq!(k.describe(0x8000_0010).to_string(), "a+0x10/0x100");
}
/// One name that many symbols have, asked for often, none acceptable.
#[test]
fn rejected_duplicates() {
    let names: Vec<String> = (0..4000).map(|_| "tdup".to_string()).collect();
    let (tt, ti) = letters();
    let mut bytes = vec![];
    let mut markers: Vec<u8> = vec![];
    for (i, n) in names.iter().enumerate() {
        if i % 256 == 0 {
            markers.extend((bytes.len() as u32).to_le_bytes())
        }
        bytes.push(4u8);
        bytes.extend(n.as_bytes())
    }
    let offsets: Vec<u8> = (0..4000u32).flat_map(|i| (i * 4).to_le_bytes()).collect();
    let seqs: Vec<u8> = (0..4000u32).flat_map(|i| i.to_be_bytes()[1..].to_vec()).collect();
    let k = Kallsyms::new(Tables {
        num_syms: 4000,
        pointer: Width::Bits32,
        endian: Endian::Little,
        encoding: Encoding::Absolute,
        lengths: None,
        names: &bytes,
        places: Places::Markers { bytes: &markers, width: Width::Bits32 },
        token_table: &tt,
        token_index: &ti,
        offsets: &offsets,
        seqs_of_names: &seqs,
        name_order: NameOrder::Whole,
    })
    .unwrap();
    for (count, taken) in [(100usize, 0usize), (2000, 0), (2000, 1)] {
        let mut asked = 0u64;
        let names = vec!["dup"; count];
        let mut out = vec![None; count];
        if taken == 1 {
            out[0] = Some(1)
        }
        let t = Instant::now();
        k.resolve_missing(&names, &mut out, |_| {
            asked += 1;
            false
        });
        println!("{count} × dup, {taken} filled: {:?}, asked {asked}", t.elapsed());
    }
}
