//! BTF that is sound and has one of everything.

use kallsyms_core::linux::Endian;

use super::record::{KNOWN, Record, kind, roles};
use super::writer::{BtfWriter, KindLayout};

/// One type of every kind, in the order of the kinds: the ids are the kinds.
#[must_use]
pub fn every_kind() -> Vec<Record> {
    vec![
        Record::int("int", 4),
        Record::new(kind::PTR, "", 4),
        Record::array(1, 1, 7),
        Record::new(kind::STRUCT, "node", 32)
            .member("next", 2, 0)
            .member("", 5, 64)
            .member("flag", 1, 96)
            .flagged(),
        Record::new(kind::UNION, "", 4).member("number", 1, 0).member("ratio", 16, 0),
        Record::new(kind::ENUM, "color", 4).enumerator("RED", 0).enumerator("BLUE", u32::MAX).flagged(),
        Record::new(kind::FWD, "later", 0).flagged(),
        Record::new(kind::TYPEDEF, "node_t", 4),
        Record::new(kind::VOLATILE, "", 8),
        Record::new(kind::CONST, "", 9),
        Record::new(kind::RESTRICT, "", 2),
        Record::func("walk", 13, 1),
        Record::new(kind::FUNC_PROTO, "", 1).param("node", 2).param("", 0),
        Record::var("head", 4, 1),
        Record::new(kind::DATASEC, ".bss", 32).variable(14, 0, 32),
        Record::new(kind::FLOAT, "float", 4),
        Record::decl_tag("tag", 4, 2),
        Record::new(kind::TYPE_TAG, "user", 1),
        Record::new(kind::ENUM64, "wide", 8).enumerator64("LARGE", 0x0123_4567_89ab_cdef),
    ]
}

/// A file of these records.
#[must_use]
pub fn of(endian: Endian, records: &[Record]) -> BtfWriter {
    let mut writer = BtfWriter::new(endian);
    for record in records {
        writer.push(record);
    }
    writer
}

/// What a layout section says about the kinds that are known, and of `more` behind them.
#[must_use]
pub fn layout(more: &[(u8, u8)]) -> Vec<KindLayout> {
    let known = (0..=*KNOWN.end()).map(|kind| {
        let (once, each) = roles(kind).unwrap_or_default();
        (4 * once.len() as u8, 4 * each.len() as u8)
    });
    known
        .chain(more.iter().copied())
        .map(|(info_size, element_size)| KindLayout { info_size, element_size, flags: 0 })
        .collect()
}
