//! Questions by address.

use kallsyms_core::Location;
use kallsyms_core::table::{Layout, Table};

use super::Contents;
use super::known::Known;
use crate::random::Random;

/// Symbols whose surroundings are asked about.
const ASKED: usize = 4;

pub(super) fn check<L: Layout + Copy>(
    table: &Table<L>,
    known: &Known,
    random: &mut Random,
    contents: Contents,
) {
    let checked = contents == Contents::Checked;
    let mut asked = vec![0, u64::MAX, 0xffff_ffff_8100_0000, random.next()];
    for _ in 0..ASKED.min(known.symbols.len()) {
        let start = random.one_of(&known.symbols).address;
        let within = random.next() % 5000;
        asked.extend([start, start.wrapping_sub(1), start.wrapping_add(1), start.wrapping_add(within)]);
    }
    let moved = table.with_slide(random.next());
    for pc in asked {
        at(table, pc, checked);
        at(&moved, pc, checked);
        at(&moved, pc.wrapping_add(moved.slide()), checked);
    }
}

fn at<L: Layout>(table: &Table<L>, pc: u64, checked: bool) {
    let found = table.lookup(pc);
    if let Some(found) = found {
        let symbol = found.symbol();
        assert!(symbol.index().0 < table.len());
        assert!(table.slide() != 0 || found.offset() <= pc);
        if checked {
            let narrow = table.slide() != 0 && table.address_digits() == 8;
            let space = if narrow { u64::from(u32::MAX) } else { u64::MAX };
            assert_eq!(symbol.address().wrapping_add(found.offset()) & space, pc, "{pc:#x}");
            assert!(table.slide() != 0 || symbol.link_address() <= pc);
        }
    }
    let called = pc.checked_sub(1).and_then(|before| table.lookup(before));
    let returned = table.lookup_return_address(pc);
    let parts = |found: Location<'_, L>| (found.symbol().index(), found.offset(), found.size());
    let expected = called.map(parts).map(|(symbol, offset, size)| (symbol, offset.wrapping_add(1), size));
    assert_eq!(returned.map(parts), expected);
    assert_eq!(table.describe(pc).to_string(), text(pc, found));
    assert_eq!(table.describe_return_address(pc).to_string(), text(pc, returned));
    if let Some(found) = found {
        let kind = char::from(found.symbol().kind());
        assert_eq!(format!("{found:#}"), format!("{kind} {}", text(pc, Some(found))));
    }
}

/// `name+0xoffset/0xsize [module]`, or the address.
fn text<L: Layout>(pc: u64, found: Option<Location<'_, L>>) -> String {
    let Some(found) = found else { return format!("{pc:#x}") };
    let mut text: Vec<u8> = found.symbol().name().bytes().collect();
    text.extend(format!("+{:#x}", found.offset()).bytes());
    text.extend(found.size().map(|size| format!("/{size:#x}")).unwrap_or_default().bytes());
    if let Some(module) = found.symbol().module() {
        text.extend([b" [", module, b"]"].concat());
    }
    String::from_utf8_lossy(&text).into_owned()
}
