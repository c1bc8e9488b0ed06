//! Files at random, sound ones: one that stands on its own, and two that are split.

use kallsyms_core::btf::Endian;
use kallsyms_host_tests::btf::record::{Record, Word, kind};
use kallsyms_host_tests::btf::{BtfWriter, samples};
use proptest::prelude::*;

/// Few names, so that many types have the same.
pub(crate) fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ab]{0,2}",
        2 => Just("bpf_kfunc".to_owned()),
        1 => Just("void".to_owned()),
        2 => "(prefix_of_eight_bytes|prefix_){1,2}[ab]?",
        1 => "\\*?[a-z<>é:]{1,20}",
    ]
}

/// A type of any kind; its references are to any of 40 numbers, be they there or not.
fn record(later: bool) -> impl Strategy<Value = Record> {
    let words = proptest::collection::vec((name(), 0..40_u32, any::<u32>()), 0..5);
    let kinds = if later { 1..22_u8 } else { 1..20 };
    (kinds, name(), any::<bool>(), 0..40_u32, words).prop_map(|(number, name, kflag, refers, words)| {
        let mut record = Record { kflag, ..Record::new(number, name, refers) };
        let plain = words.first().map_or(5, |&(_, _, plain)| plain);
        match number {
            kind::INT | kind::VAR => record = record.with([Word::Plain(plain)]),
            // The whole, or a component that may not be there.
            kind::DECL_TAG => record = record.with([Word::Plain(if kflag { u32::MAX } else { plain })]),
            kind::ARRAY => record = record.with([Word::Type(refers), Word::Type(1), Word::Plain(plain % 9)]),
            kind::FUNC => record.vlen = plain % 3,
            // As the layouts below have it: a word, and half a word an element.
            20 => record = Record { vlen: 4, ..record.with([Word::Bytes(plain.to_le_bytes().repeat(3))]) },
            21 => record = record.with([Word::Bytes(Vec::new())]),
            _ => {
                for (name, type_id, plain) in words {
                    record = match number {
                        kind::STRUCT | kind::UNION => record.member(name, type_id, plain),
                        kind::ENUM => record.enumerator(name, plain),
                        kind::ENUM64 => record.enumerator64(name, u64::from(plain) << 20),
                        kind::FUNC_PROTO => record.param(name, type_id),
                        kind::DATASEC => record.variable(type_id, plain, 8),
                        _ => record,
                    };
                }
            }
        }
        record
    })
}

/// A file that stands on its own, one split over it, and one over that.
#[derive(Debug, Clone)]
pub(crate) struct Chain {
    endian: Endian,
    layout: bool,
    dedup: bool,
    pub(crate) files: [Vec<Record>; 3],
}

pub(crate) fn chain() -> impl Strategy<Value = Chain> {
    let endian = prop_oneof![Just(Endian::Little), Just(Endian::Big)];
    (endian, any::<bool>(), any::<bool>(), any::<[bool; 3]>()).prop_flat_map(
        |(endian, layout, dedup, sorted)| {
            let file = || proptest::collection::vec(record(layout), 0..14);
            [file(), file(), file()].prop_map(move |mut files| {
                for (file, sorted) in files.iter_mut().zip(sorted) {
                    if sorted {
                        file.sort_by(|one, next| one.name.cmp(&next.name));
                    }
                }
                Chain { endian, layout, dedup, files }
            })
        },
    )
}

impl Chain {
    pub(crate) fn bytes(&self) -> [Vec<u8>; 3] {
        let [base, split, second] = &self.files;
        let of = |mut writer: BtfWriter, records: &[Record]| {
            if !self.dedup {
                writer = writer.without_dedup();
            }
            for record in records {
                writer.push(record);
            }
            writer
        };
        let base = of(BtfWriter::new(self.endian), base);
        let split = of(BtfWriter::over(&base), split);
        let second = of(BtfWriter::over(&split), second);
        // The others have the layout of the first.
        let layout = samples::layout(&[(4, 2), (0, 0)]);
        let base = if self.layout { base.layout(layout) } else { base };
        [base.bytes(), split.bytes(), second.bytes()]
    }
}
