//! The worst tables that pass every check, sound or damaged where only a walk over everything looks.

use std::mem::offset_of;

use kallsyms_core::image::layout::{Header, RecordHead, SectionKind};
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::fixtures::image_of;
use kallsyms_host_tests::image_builder::ImageBuilder;
use kallsyms_host_tests::symbols::{sorted, symbol};

pub(crate) const TEXT: u64 = 0xffff_ffff_8100_0000;

/// So many symbols of one name, 16 bytes from each other.
pub(crate) fn duplicates(count: u64) -> Symbols {
    sorted((0..count).map(|number| symbol(TEXT + 16 * number, b't', *b"same")).collect())
}

/// One symbol, and so many at one address behind it.
pub(crate) fn aliases(count: u64) -> Symbols {
    let mut list = vec![symbol(TEXT - 16, b't', *b"before")];
    list.extend((0..count).map(|number| symbol(TEXT, b't', format!("alias_{number}"))));
    sorted(list)
}

/// So many functions inside one another: each begins and ends a byte before the next inner one.
pub(crate) fn nested_functions(count: u32) -> Symbols {
    let list = (0..count).map(|number| Symbol {
        size: Some(2 * u64::from(count - number)),
        parent: number.checked_sub(1),
        ..symbol(TEXT + u64::from(number), b't', format!("level_{number}"))
    });
    Symbols { covered_last: Some(TEXT + 2 * u64::from(count)), ..sorted(list.collect()) }
}

/// So many names of two symbols each, the first of which links to the first of the next name, and so on to the
/// last: from each symbol a chain leads through all behind it.
pub(crate) fn chains_through_all(names: u32) -> Vec<u8> {
    let pair =
        |number: u64| [0, 16].map(|at| symbol(TEXT + 32 * number + at, b't', format!("name_{number}")));
    let symbols = sorted((0..names.into()).flat_map(pair).collect());
    let mut image = ImageBuilder::new(&image_of(&symbols));
    let link_bytes = usize::from(image.clone().bytes()[offset_of!(Header, link_bytes)]);
    let blocks = image.section(SectionKind::Blocks).to_vec();
    let records = image.section(SectionKind::Records).to_vec();
    for (block, entry) in (0..).zip(blocks.as_chunks::<8>().0) {
        let [.., a, b, c, d] = *entry;
        let record = u32::from_le_bytes([a, b, c, d]) as usize;
        let head = RecordHead(records[record]);
        let links = record + 1 + (16 << head.delta_width()) + (8 << head.count_width());
        let count = records[links].count_ones() + records[links + 1].count_ones();
        assert!(head.has_links() && count <= 8, "the first of each name has a link");
        for place in 0..count {
            let next = (16 * block + 2 * place + 2).min(2 * names - 1);
            let at = links + 2 + place as usize * link_bytes;
            image = image.with_section(SectionKind::Records, at, &next.to_le_bytes()[..link_bytes]);
        }
    }
    image.sealed()
}
