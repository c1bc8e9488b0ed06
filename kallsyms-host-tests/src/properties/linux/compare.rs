//! Every query against the slow reader.

use kallsyms_core::Table;
use kallsyms_core::glob::Glob;
use kallsyms_core::linux::{Bounds, IndexError, Kallsyms, Span};
use kallsyms_core::query::Way;
use kallsyms_core::table::{Layout, SymbolIndex};

use super::raw::RawTables;
use super::slow::Slow;
use crate::random::Random;

/// Asserts that every query gives what the slow reader finds. `sound`: the order of names is one.
///
/// # Panics
///
/// Where one gives something else.
pub fn compare(raw: &RawTables, kallsyms: &Kallsyms<'_>, random: &mut Random, sound: bool) {
    let slow = compare_symbols(raw, kallsyms, random);
    if sound {
        bounds(&slow, kallsyms);
    }
    let wanted = wanted(&slow, random);
    for name in &wanted {
        by_name(&slow, kallsyms, name, sound);
    }
    for count in [0, 1, 2, 7, 8, 9, wanted.len()] {
        let names: Vec<&[u8]> = (0..count).map(|_| wanted[random.below(wanted.len())].as_slice()).collect();
        batch(&slow, kallsyms, &names, sound);
    }
    self_test(&slow, kallsyms, sound);
    indexed(&slow, kallsyms, &wanted);
}

/// The same of the symbols in their order and of addresses: what costs least.
///
/// # Panics
///
/// Where an answer is another.
pub(super) fn compare_symbols(raw: &RawTables, kallsyms: &Kallsyms<'_>, random: &mut Random) -> Slow {
    let slow = Slow::read(raw, kallsyms.lengths()).expect("what passes can be read");
    assert_eq!(kallsyms.names_len(), slow.end);
    by_index(&slow, kallsyms);
    by_address(&slow, kallsyms, random);
    slow
}

/// The index is of the names themselves, so that it is right whatever their order is.
fn indexed(slow: &Slow, kallsyms: &Kallsyms<'_>, wanted: &[Vec<u8>]) {
    let mut buffer = vec![0xdead_beef; kallsyms.name_index_words() + 1];
    let (last, short) = buffer.split_last_mut().expect("not empty");
    let needed = short.len();
    let error = kallsyms.with_name_index(&mut short[1..]).err();
    assert_eq!(error, Some(IndexError::TooShort { len: needed - 1, needed }));
    let indexed = kallsyms.with_name_index(short).expect("an index");
    by_index(slow, &indexed);
    for name in wanted {
        by_name(slow, &indexed, name, true);
    }
    let names: Vec<&[u8]> = wanted.iter().map(Vec::as_slice).collect();
    batch(slow, &indexed, &names, true);
    self_test(slow, &indexed, true);
    assert_eq!(*last, 0xdead_beef);
}

fn by_index<L: Layout>(slow: &Slow, kallsyms: &Table<L>) {
    let count = slow.addresses.len();
    assert_eq!(kallsyms.len() as usize, count);
    let walked: Vec<_> = kallsyms.iter().collect();
    assert_eq!(walked.len(), count);
    for (index, symbol) in walked.iter().enumerate() {
        let name: Vec<u8> = symbol.name().bytes().collect();
        let (kind, other) = (slow.kinds[index], &slow.names[count - 1 - index]);
        let expected = (slow.addresses[index], kind, &slow.names[index]);
        assert_eq!((symbol.address(), symbol.kind(), &name), expected, "{index}");
        let direct = kallsyms.symbol(SymbolIndex(index as u32)).expect("an index of the table");
        assert_eq!((direct.kind(), direct.name().bytes().collect::<Vec<_>>()), (kind, name.clone()));
        assert_eq!(symbol.name().len(), name.len());
        assert!(symbol.name() == name.as_slice() && symbol.name().starts_with(&name[..name.len() / 2]));
        assert_eq!(symbol.name().compare(other), name.cmp(other));
        assert_eq!(symbol.name() == walked[count - 1 - index].name(), name == *other);
    }
    for at in [0, 1, count / 2, count - 1, count, count + 1, 254, 255, 256, 257, usize::MAX] {
        let found = kallsyms.iter().nth(at).map(|symbol| symbol.index().0 as usize);
        assert_eq!(found, (at < count).then_some(at));
        let mut behind_first = kallsyms.iter();
        behind_first.next();
        assert_eq!(
            behind_first.nth(at).map(|symbol| symbol.name().bytes().collect::<Vec<_>>()),
            at.checked_add(1).and_then(|at| slow.names.get(at)).cloned()
        );
    }
}

fn bounds(slow: &Slow, kallsyms: &Kallsyms<'_>) {
    let first = |wanted: &str| {
        let index = slow.names.iter().position(|name| name == wanted.as_bytes());
        index.map(|index| slow.addresses[index])
    };
    let span = |start, end| match (first(start), first(end)) {
        (Some(start), Some(end)) => (start, end),
        _ => (0, 0),
    };
    let expected = first("_stext").and_then(|start| {
        let init_text = span("_sinittext", "_einittext");
        first("_end")
            .map(|end| ((start, end), span("__init_begin", "__init_end"), init_text))
            .or_else(|| first("_etext").map(|end| ((start, end), init_text, init_text)))
    });
    let pair = |span: Span| (span.start, span.end);
    let found = kallsyms.bounds().map(|found| (pair(found.kernel), pair(found.init), pair(found.init_text)));
    assert_eq!(found, expected);
}

fn by_address(slow: &Slow, kallsyms: &Kallsyms<'_>, random: &mut Random) {
    let (count, last) = (slow.addresses.len(), slow.addresses[slow.addresses.len() - 1]);
    let narrow = Bounds {
        kernel: Span { start: slow.addresses[count / 3], end: last.saturating_add(random.below(3) as u64) },
        init: Span::default(),
        init_text: Span { start: slow.addresses[count / 2], end: last.saturating_add(1) },
    };
    for bounds in [kallsyms.bounds(), None, Some(narrow)] {
        let kallsyms = kallsyms.with_bounds(bounds);
        for round in 0..60 {
            let start = slow.addresses[random.below(count)];
            let address = match round % 4 {
                0 => start,
                1 => start.wrapping_add(1),
                2 => start.wrapping_sub(1),
                _ => start.wrapping_add(random.next() % 5000),
            };
            at_address(slow, &kallsyms, bounds, address);
        }
        let slid = kallsyms.with_slide(random.next());
        for _ in 0..5 {
            let _ = slid.lookup(random.next());
            let _ = slid.lookup(slow.addresses[random.below(count)].wrapping_add(slid.slide()));
        }
    }
}

fn at_address(slow: &Slow, kallsyms: &Kallsyms<'_>, bounds: Option<Bounds>, address: u64) {
    let found = kallsyms.lookup(address);
    let found = found.map(|found| (found.symbol().index().0 as usize, found.offset(), found.size()));
    let expected = slow.lookup(bounds, address);
    match (bounds, found, expected) {
        (Some(bounds), ..) => {
            assert_eq!(found, expected, "{address:#x} {bounds:x?}\n{:x?}", slow.addresses);
            let found = kallsyms.lookup_return_address(address);
            let call = address.checked_sub(1).and_then(|call| slow.lookup(Some(bounds), call));
            assert_eq!(
                found.map(|found| (found.symbol().index().0 as usize, found.offset())),
                call.map(|(index, offset, _)| (index, offset + 1))
            );
        }
        (None, Some((index, offset, size)), expected) => {
            let expected = expected.expect("a symbol in front");
            assert_eq!((index, offset), (expected.0, expected.1));
            assert!(size == expected.2 || size.is_none());
        }
        (None, None, Some((index, ..))) => {
            // Behind the last one, or between absolute ones and code.
            let code = slow.kinds.iter().position(|kind| !matches!(kind, b'A' | b'a'));
            let link_base = code.map_or(0, |code| slow.addresses[code]);
            let start = slow.addresses[index];
            assert!(start < link_base || Some(&start) == slow.addresses.last(), "{address:#x} {index}");
        }
        (None, None, None) => {}
    }
    let _ = kallsyms.lookup_return_address(address);
    let _ = (kallsyms.describe(address).to_string(), kallsyms.describe_return_address(address));
}

/// Names that are there, and such as differ a little.
fn wanted(slow: &Slow, random: &mut Random) -> Vec<Vec<u8>> {
    let fixed: [&[u8]; 5] = [b"", b"\0", b"foo", b"foo.llvm.1", b"\xff"];
    let mut wanted = fixed.map(<[u8]>::to_vec).to_vec();
    for _ in 0..12 {
        let mut name = slow.names[random.below(slow.names.len())].clone();
        wanted.push(name.clone());
        match random.next() % 5 {
            0 => {
                name.pop();
            }
            1 => name.push(b'1'),
            2 => name.extend(b".llvm.1"),
            3 if !name.is_empty() => {
                let at = random.below(name.len());
                name[at] ^= 1;
            }
            _ => {}
        }
        wanted.push(name);
    }
    wanted
}

fn by_name<L: Layout>(slow: &Slow, kallsyms: &Table<L>, name: &[u8], sound: bool) {
    let all: Vec<usize> = kallsyms.lookup_all(name).map(|symbol| symbol.index().0 as usize).collect();
    let expected = slow.matching(|other| !name.is_empty() && other == name);
    if sound {
        assert_eq!(all, expected, "{}", name.escape_ascii());
    } else {
        assert!(all.iter().all(|index| slow.names[*index] == name));
    }
    let prefixed: Vec<usize> = kallsyms.starting_with(name).map(|symbol| symbol.index().0 as usize).collect();
    assert_eq!(prefixed, slow.matching(|other| other.starts_with(name)));
    let globbed = |pattern: &[u8]| -> Vec<usize> {
        kallsyms.matching(Glob::libbpf(pattern)).map(|symbol| symbol.index().0 as usize).collect()
    };
    let same = globbed(name);
    if sound {
        assert_eq!(same, expected);
    }
    let end = &name[name.len() / 2..];
    let ending = globbed(&[b"*", end].concat());
    if !end.contains(&b'*') {
        assert_eq!(ending, slow.matching(|other| other.ends_with(end)));
    }
    let _ = kallsyms.lookup_name_ignoring_llvm(name);
}

fn batch<L: Layout>(slow: &Slow, kallsyms: &Table<L>, names: &[&[u8]], sound: bool) {
    let accepts: [fn(usize) -> bool; 4] =
        [|_| true, |_| false, |index| index.is_multiple_of(2), |index| index % 7 == 3];
    for out_len in [0, names.len() / 2, names.len(), names.len() + 3] {
        for accept in accepts {
            let address = |name: &[u8]| {
                let found = slow.matching(|other| other == name).into_iter().find(|index| accept(*index));
                found.map(|index| slow.addresses[index])
            };
            let wanted = |at: usize| names.get(at).copied().filter(|name| !name.is_empty());
            let expected: Vec<Option<u64>> = (0..out_len).map(|at| wanted(at).and_then(address)).collect();
            for way in [Way::Lookups, Way::Pass] {
                let mut out = vec![None; out_len];
                let found =
                    kallsyms.resolve_by(way, names, &mut out, |symbol| accept(symbol.index().0 as usize));
                if (sound || way == Way::Pass)
                    && (names.iter().all(|name| !name.is_empty()) || way == Way::Lookups)
                {
                    assert_eq!(out, expected, "{way:?}");
                    assert_eq!(found, expected.iter().flatten().count());
                }
                let mut filled = vec![Some(77); out_len];
                kallsyms.resolve_by(way, names, &mut filled, |_| true);
                assert!(filled.iter().all(|address| *address == Some(77)));
            }
        }
    }
}

fn self_test<L: Layout>(slow: &Slow, kallsyms: &Table<L>, sound: bool) {
    let mut buffer = vec![0; 1 << 20];
    let mut time = 0;
    let test = kallsyms.self_test(&mut buffer, || {
        time += 1;
        time
    });
    // Names without bytes cannot be found.
    if sound && slow.names.iter().all(|name| !name.is_empty()) {
        let bytes: u64 = slow.names.iter().map(|name| name.len() as u64 + 1).sum();
        assert_eq!(test.expect("every name is found").expanded, bytes);
    }
    let _ = kallsyms.self_test(&mut buffer[..3], || 0);
}
