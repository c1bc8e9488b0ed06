//! Questions by address.

use kallsyms_core::Location;
use kallsyms_core::table::{Layout, Table};

use super::known::Known;
use crate::random::Random;

/// Symbols whose surroundings are asked about.
const ASKED: usize = 12;

pub(super) fn check<L: Layout + Copy>(table: &Table<L>, known: &Known, random: &mut Random) {
    let mut addresses = vec![0, 1, 1 << 63, u64::MAX, 0xffff_ffff_8100_0000, random.next()];
    for _ in 0..ASKED.min(known.symbols.len()) {
        let start = random.one_of(&known.symbols).address;
        let within = random.next() % 5000;
        addresses.extend([start, start.wrapping_sub(1), start.wrapping_add(1), start.wrapping_add(within)]);
    }
    let moved = table.with_slide(random.next());
    let slightly = table.with_slide(0x1e0_0000);
    for pc in addresses {
        for table in [table, &moved, &slightly] {
            at(table, pc);
            at(table, pc.wrapping_add(table.slide()));
        }
    }
}

fn at<L: Layout>(table: &Table<L>, pc: u64) {
    let found = table.lookup(pc);
    if let Some(found) = found {
        let symbol = found.symbol();
        assert!(symbol.index().0 < table.len());
        let wrapped =
            if table.slide() != 0 && table.address_digits() == 8 { u64::from(u32::MAX) } else { u64::MAX };
        assert_eq!(symbol.address().wrapping_add(found.offset()) & wrapped, pc, "{pc:#x}");
        assert!(table.slide() != 0 || symbol.link_address() <= pc);
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
