//! Linux's tables, hostile.

use kallsyms_core::glob::Glob;
use kallsyms_core::linux::{Encoding, Endian, Error, Kallsyms, Lengths, NameOrder, Places, Tables, Width};
use kallsyms_core::query::Way;
use kallsyms_core::table::SymbolIndex;

fn rng(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d)
}
fn below(state: &mut u64, n: usize) -> usize {
    ((rng(state) >> 16) % n as u64) as usize
}

#[derive(Clone, Debug)]
struct Raw {
    n: u32,
    pointer: Width,
    endian: Endian,
    encoding: Encoding,
    lengths: Option<Lengths>,
    names: Vec<u8>,
    markers: Option<(Vec<u8>, Width)>,
    offs: (Vec<u8>, Endian),
    tt: Vec<u8>,
    ti: Vec<u8>,
    offsets: Vec<u8>,
    seqs: Vec<u8>,
    order: NameOrder,
}
impl Raw {
    fn view(&self) -> Tables<'_> {
        Tables {
            num_syms: self.n,
            pointer: self.pointer,
            endian: self.endian,
            encoding: self.encoding,
            lengths: self.lengths,
            names: &self.names,
            places: match &self.markers {
                Some((bytes, width)) => Places::Markers { bytes, width: *width },
                None => Places::Offsets { bytes: &self.offs.0, endian: self.offs.1 },
            },
            token_table: &self.tt,
            token_index: &self.ti,
            offsets: &self.offsets,
            seqs_of_names: &self.seqs,
            name_order: self.order,
        }
    }
}
fn num(e: Endian, v: u64, n: usize) -> Vec<u8> {
    match e {
        Endian::Little => v.to_le_bytes()[..n].to_vec(),
        Endian::Big => v.to_be_bytes()[8 - n..].to_vec(),
    }
}
fn unnum(e: Endian, b: &[u8]) -> u64 {
    let mut v = 0u64;
    for i in 0..b.len() {
        let x = match e {
            Endian::Little => b[b.len() - 1 - i],
            Endian::Big => b[i],
        };
        v = v << 8 | u64::from(x);
    }
    v
}

/// What the slow reader makes of the tables.
struct Slow {
    addr: Vec<u64>,
    kind: Vec<u8>,
    name: Vec<Vec<u8>>,
    end: usize,
}

fn slow(r: &Raw, lengths: Lengths) -> Option<Slow> {
    let (mut at, mut addr, mut kind, mut name) = (0usize, vec![], vec![], vec![]);
    for i in 0..r.n as usize {
        let w = if r.encoding == Encoding::Absolute { r.pointer.bytes() } else { 4 };
        let word = unnum(r.endian, r.offsets.get(i * w..i * w + w)?);
        let s = word as u32 as i32;
        let a = match r.encoding {
            Encoding::Absolute | Encoding::Offset => word,
            Encoding::UnsignedBase { relative_base: b } => (u128::from(b) + u128::from(word)) as u64,
            Encoding::SignedPercpu { relative_base: b } => {
                if s >= 0 {
                    word
                } else {
                    (i128::from(b) - 1 - i128::from(s)) as u64
                }
            }
            Encoding::PcRelative { offsets_address: o } => {
                (i128::from(o) + 4 * i as i128 + i128::from(s)) as u64
            }
        };
        addr.push(if r.pointer == Width::Bits32 { a & 0xffff_ffff } else { a });
        let b0 = usize::from(*r.names.get(at)?);
        at += 1;
        let len = if lengths == Lengths::ByteOrTwo && b0 & 0x80 != 0 {
            let b1 = usize::from(*r.names.get(at)?);
            at += 1;
            b0 & 0x7f | b1 << 7
        } else {
            b0
        };
        if len == 0 {
            return None;
        }
        let mut all = vec![];
        for t in r.names.get(at..at + len)? {
            let from = unnum(r.endian, r.ti.get(2 * usize::from(*t)..2 * usize::from(*t) + 2)?) as usize;
            let rest = r.tt.get(from..)?;
            all.extend_from_slice(&rest[..rest.iter().position(|b| *b == 0)?]);
        }
        at += len;
        kind.push(all.first().copied().unwrap_or(b'?'));
        name.push(all.get(1..).unwrap_or_default().to_vec());
    }
    Some(Slow { addr, kind, name, end: at })
}

/// kernel/kallsyms.c, by the facts.
fn c_lookup(s: &Slow, b: Option<kallsyms_core::linux::Bounds>, a: u64) -> Option<(usize, u64, Option<u64>)> {
    if let Some(b) = b {
        let inside = (b.kernel.start <= a && a < b.kernel.end) || (b.init.start <= a && a < b.init.end);
        if !inside {
            return None;
        }
    }
    let last = s.addr.iter().rposition(|x| *x <= a)?;
    let start = s.addr[last];
    let first = s.addr.iter().position(|x| *x == start)?;
    let next = s.addr.iter().find(|x| **x > start).copied();
    let end =
        next.or(b.map(|b| {
            if b.init_text.start <= a && a < b.init_text.end { b.init_text.end } else { b.kernel.end }
        }));
    Some((first, a - start, end.and_then(|e| e.checked_sub(start))))
}

fn random(seed: &mut u64) -> Raw {
    let endian = if rng(seed).is_multiple_of(2) { Endian::Little } else { Endian::Big };
    let pointer = if rng(seed).is_multiple_of(2) { Width::Bits32 } else { Width::Bits64 };
    let n = match rng(seed) % 6 {
        0 => 1,
        1 => 255 + below(seed, 4),
        2 => 511 + below(seed, 4),
        _ => 1 + below(seed, 40),
    };
    // tokens
    let pieces: [&[u8]; 24] = [
        b"",
        b"T",
        b"t",
        b"A",
        b"a",
        b"Tfoo",
        b"t_",
        b"bar",
        b".llvm.",
        b".ll",
        b"vm.",
        b"1",
        b"23",
        b"\xe2\x82",
        b"\xac",
        b"x",
        b"Afoo",
        b"_stext",
        b"_end",
        b"T_end",
        b"init_",
        b"__",
        b"begin",
        b"d",
    ];
    let (mut tt, mut ti, mut tokens) = (vec![], vec![], vec![]);
    for t in 0..256usize {
        let p: &[u8] = if t < 24 {
            pieces[t]
        } else if rng(seed).is_multiple_of(3) {
            b""
        } else {
            pieces[below(seed, 24)]
        };
        ti.extend(num(endian, tt.len() as u64, 2));
        tt.extend_from_slice(p);
        tt.push(0);
        tokens.push(p);
    }
    let lengths = if rng(seed).is_multiple_of(2) { Lengths::Byte } else { Lengths::ByteOrTwo };
    let (mut names, mut starts, mut spelled) = (vec![], vec![], vec![]);
    for _ in 0..n {
        starts.push(names.len());
        let len = match rng(seed) % 20 {
            0 => 1,
            1 => 127 + below(seed, 4),
            2 if lengths == Lengths::ByteOrTwo => 300,
            _ => 1 + below(seed, 5),
        };
        if lengths == Lengths::ByteOrTwo && (len > 127 || rng(seed).is_multiple_of(30)) {
            names.extend([0x80 | (len & 0x7f) as u8, (len >> 7) as u8])
        } else {
            names.push(len as u8)
        }
        let mut all = vec![];
        for _ in 0..len {
            let t = if rng(seed).is_multiple_of(10) { below(seed, 256) } else { below(seed, 24) };
            names.push(t as u8);
            all.extend_from_slice(tokens[t])
        }
        spelled.push(all.get(1..).unwrap_or_default().to_vec());
    }
    let slack = if rng(seed).is_multiple_of(2) { below(seed, 20) } else { 0 };
    for _ in 0..slack {
        names.push(rng(seed) as u8)
    }
    // addresses
    let top = if pointer == Width::Bits32 { 0xffff_ffffu64 } else { u64::MAX };
    let span = [10u64, 1000, 1 << 20][below(seed, 3)];
    let base = match rng(seed) % 4 {
        0 => 0,
        1 => top - span - 1,
        2 => top / 2,
        _ => (rng(seed) & top).saturating_sub(span + 1),
    };
    let mut addr: Vec<u64> = (0..n).map(|_| base + rng(seed) % (span + 1)).collect();
    addr.sort_unstable();
    let mut offsets = vec![];
    let mut encoding = match rng(seed) % 5 {
        0 => Encoding::Absolute,
        1 => Encoding::UnsignedBase { relative_base: addr[0] },
        2 => Encoding::SignedPercpu { relative_base: addr[0] },
        3 => Encoding::PcRelative {
            offsets_address: addr[0].wrapping_add(rng(seed) % 100000).wrapping_sub(50000),
        },
        _ => Encoding::Offset,
    };
    if encoding == Encoding::Offset && addr[n - 1] > 0xffff_ffff {
        encoding = Encoding::Absolute
    }
    for (i, a) in addr.iter().enumerate() {
        let w = if encoding == Encoding::Absolute { pointer.bytes() } else { 4 };
        let v = match encoding {
            Encoding::Absolute | Encoding::Offset => *a,
            Encoding::UnsignedBase { relative_base } => a - relative_base,
            Encoding::SignedPercpu { relative_base } => u64::from(!((a - relative_base) as u32)),
            Encoding::PcRelative { offsets_address } => {
                u64::from(a.wrapping_sub(offsets_address).wrapping_sub(4 * i as u64) as u32)
            }
        };
        offsets.extend(num(endian, v, w));
    }
    let order = if rng(seed).is_multiple_of(3) { NameOrder::WithoutLlvm } else { NameOrder::Whole };
    let mut ranks: Vec<usize> = (0..n).collect();
    ranks.sort_by_key(|i| {
        let name = &spelled[*i];
        let cut = match order {
            NameOrder::Whole => name.len(),
            NameOrder::WithoutLlvm => name.windows(6).position(|w| w == b".llvm.").unwrap_or(name.len()),
        };
        name[..cut].to_vec()
    });
    let mut seqs = vec![];
    if !rng(seed).is_multiple_of(4) {
        for r in ranks {
            seqs.extend(num(Endian::Big, r as u64, 3))
        }
    }
    let oe = if rng(seed).is_multiple_of(2) { Endian::Little } else { Endian::Big };
    let mw = if rng(seed).is_multiple_of(2) { Width::Bits32 } else { Width::Bits64 };
    let markers = (rng(seed).is_multiple_of(2)).then(|| {
        (starts.iter().step_by(256).flat_map(|s| num(endian, *s as u64, mw.bytes())).collect::<Vec<u8>>(), mw)
    });
    let offs = (starts.iter().flat_map(|s| num(oe, *s as u64, 3)).collect(), oe);
    let mut raw = Raw {
        n: n as u32,
        pointer,
        endian,
        encoding,
        lengths: Some(lengths),
        names,
        markers,
        offs,
        tt,
        ti,
        offsets,
        seqs,
        order,
    };
    if slack > 0 {
        raw.tt.extend([7; 9]);
        raw.ti.extend([9; 3]);
        raw.offsets.extend([1; 5]);
        if !raw.seqs.is_empty() {
            raw.seqs.push(3)
        }
    }
    raw
}

/// Every query against the slow reader. `sound`: the order of names is one.
fn compare(r: &Raw, k: &Kallsyms<'_>, seed: &mut u64, sound: bool) {
    let s = slow(r, k.lengths()).expect("what passes can be read");
    assert_eq!(k.names_len(), s.end);
    let n = s.addr.len();
    assert_eq!(k.len() as usize, n);
    let walked: Vec<_> = k.iter().collect();
    assert_eq!(walked.len(), n);
    for (i, symbol) in walked.iter().enumerate() {
        let name: Vec<u8> = symbol.name().bytes().collect();
        assert_eq!((symbol.address(), symbol.kind(), &name), (s.addr[i], s.kind[i], &s.name[i]), "{i}");
        let direct = k.symbol(SymbolIndex(i as u32)).unwrap();
        assert_eq!((direct.kind(), direct.name().bytes().collect::<Vec<_>>()), (s.kind[i], name.clone()));
        assert_eq!(symbol.name().len(), name.len());
        assert!(symbol.name() == name.as_slice() && symbol.name().starts_with(&name[..name.len() / 2]));
        assert_eq!(symbol.name().compare(&s.name[n - 1 - i]), name.cmp(&s.name[n - 1 - i]));
        assert_eq!(symbol.name() == walked[n - 1 - i].name(), name == s.name[n - 1 - i]);
    }
    for at in [0, 1, n / 2, n - 1, n, n + 1, 254, 255, 256, 257, usize::MAX] {
        assert_eq!(k.iter().nth(at).map(|x| x.index().0 as usize), (at < n).then_some(at));
        let mut it = k.iter();
        it.next();
        assert_eq!(
            it.nth(at).map(|x| x.name().bytes().collect::<Vec<_>>()),
            at.checked_add(1).and_then(|a| s.name.get(a)).cloned()
        );
    }
    let bounds = k.bounds();
    if sound {
        let first = |w: &str| s.name.iter().position(|x| x == w.as_bytes()).map(|i| s.addr[i]);
        let span = |a, b| match (first(a), first(b)) {
            (Some(a), Some(b)) => (a, b),
            _ => (0, 0),
        };
        let expected = first("_stext").and_then(|st| {
            let it = span("_sinittext", "_einittext");
            first("_end")
                .map(|e| ((st, e), span("__init_begin", "__init_end"), it))
                .or_else(|| first("_etext").map(|e| ((st, e), it, it)))
        });
        assert_eq!(
            bounds.map(|b| (
                (b.kernel.start, b.kernel.end),
                (b.init.start, b.init.end),
                (b.init_text.start, b.init_text.end)
            )),
            expected
        );
    }
    // by address
    let link_base = s.kind.iter().position(|k| !matches!(k, b'A' | b'a')).map_or(0, |i| s.addr[i]);
    for b in [
        bounds,
        None,
        Some(kallsyms_core::linux::Bounds {
            kernel: kallsyms_core::linux::Span {
                start: s.addr[n / 3],
                end: s.addr[n - 1].saturating_add(below(seed, 3) as u64),
            },
            init: Default::default(),
            init_text: kallsyms_core::linux::Span {
                start: s.addr[n / 2],
                end: s.addr[n - 1].saturating_add(1),
            },
        }),
    ] {
        let k = k.with_bounds(b);
        for j in 0..60 {
            let a = s.addr[below(seed, n)];
            let a = match j % 4 {
                0 => a,
                1 => a.wrapping_add(1),
                2 => a.wrapping_sub(1),
                _ => a.wrapping_add(rng(seed) % 5000),
            };
            let got = k.lookup(a).map(|l| (l.symbol().index().0 as usize, l.offset(), l.size()));
            let expected = c_lookup(&s, b, a);
            if b.is_some() {
                assert_eq!(got, expected, "{a:#x} {b:x?}\n{:x?}", s.addr);
            } else if let Some(got) = got {
                let e = expected.unwrap();
                assert_eq!((got.0, got.1), (e.0, e.1));
                assert!(got.2 == e.2 || got.2.is_none());
            } else if let Some((i, ..)) = expected {
                // behind the last one, or between absolute ones and code
                assert!(s.addr[i] < link_base || s.addr[i] == s.addr[n - 1], "{a:#x} {i}");
            }
            let ra = k.lookup_return_address(a).map(|l| (l.symbol().index().0 as usize, l.offset()));
            if b.is_some() {
                assert_eq!(ra, a.checked_sub(1).and_then(|a| c_lookup(&s, b, a)).map(|e| (e.0, e.1 + 1)))
            }
            let _ = (k.describe(a).to_string().len().min(9), k.describe_return_address(a));
        }
        let slid = k.with_slide(rng(seed));
        for _ in 0..5 {
            let _ = slid.lookup(rng(seed));
            let _ = slid.lookup(s.addr[below(seed, n)].wrapping_add(slid.slide()));
        }
    }
    // by name
    let mut wanted: Vec<Vec<u8>> =
        vec![b"".to_vec(), b"\0".to_vec(), b"foo".to_vec(), b"foo.llvm.1".to_vec(), b"\xff".to_vec()];
    for _ in 0..12 {
        let mut name = s.name[below(seed, n)].clone();
        wanted.push(name.clone());
        match rng(seed) % 5 {
            0 => {
                name.pop();
            }
            1 => name.push(b'1'),
            2 => name.extend(b".llvm.1"),
            3 if !name.is_empty() => {
                let at = below(seed, name.len());
                name[at] ^= 1
            }
            _ => {}
        }
        wanted.push(name);
    }
    for name in &wanted {
        let all: Vec<usize> = k.lookup_all(name).map(|x| x.index().0 as usize).collect();
        let expected: Vec<usize> =
            if name.is_empty() { vec![] } else { (0..n).filter(|i| s.name[*i] == *name).collect() };
        if sound {
            assert_eq!(all, expected, "{}", name.escape_ascii())
        } else {
            assert!(all.iter().all(|i| s.name[*i] == *name))
        }
        let prefix: Vec<usize> = k.starting_with(name).map(|x| x.index().0 as usize).collect();
        assert_eq!(prefix, (0..n).filter(|i| s.name[*i].starts_with(name)).collect::<Vec<_>>());
        let globbed: Vec<usize> = k.matching(Glob::libbpf(name)).map(|x| x.index().0 as usize).collect();
        if sound {
            assert_eq!(globbed, expected)
        }
        let star = [b"*".as_slice(), &name[name.len() / 2..]].concat();
        let globbed: Vec<usize> = k.matching(Glob::libbpf(&star)).map(|x| x.index().0 as usize).collect();
        if !star[1..].contains(&b'*') {
            assert_eq!(globbed, (0..n).filter(|i| s.name[*i].ends_with(&star[1..])).collect::<Vec<_>>())
        }
        let _ = k.lookup_name_ignoring_llvm(name);
    }
    // batches
    for count in [0, 1, 2, 7, 8, 9, wanted.len()] {
        let names: Vec<&[u8]> = (0..count).map(|_| wanted[below(seed, wanted.len())].as_slice()).collect();
        for out_len in [0, count / 2, count, count + 3] {
            for accept in [0u64, 1, 2, 3] {
                let f = |i: usize| match accept {
                    0 => true,
                    1 => false,
                    2 => i.is_multiple_of(2),
                    _ => i % 7 == 3,
                };
                let expected: Vec<Option<u64>> = (0..out_len)
                    .map(|j| {
                        names
                            .get(j)
                            .filter(|w| !w.is_empty())
                            .and_then(|w| (0..n).find(|i| s.name[*i] == **w && f(*i)))
                            .map(|i| s.addr[i])
                    })
                    .collect();
                for way in [Way::Lookups, Way::Pass] {
                    let mut out = vec![None; out_len];
                    let got = k.resolve_by(way, &names, &mut out, |x| f(x.index().0 as usize));
                    if (sound || way == Way::Pass)
                        && (names.iter().all(|x| !x.is_empty()) || way == Way::Lookups)
                    {
                        assert_eq!(out, expected, "{way:?}");
                        assert_eq!(got, expected.iter().flatten().count());
                    }
                    let mut out = vec![Some(77); out_len];
                    k.resolve_by(way, &names, &mut out, |_| true);
                    assert!(out.iter().all(|x| *x == Some(77)));
                }
            }
        }
    }
    let mut buffer = vec![0; 1 << 20];
    let mut t = 0;
    let test = k.self_test(&mut buffer, || {
        t += 1;
        t
    });
    // Names without bytes cannot be found.
    if sound && s.name.iter().all(|x| !x.is_empty()) {
        let test = test.unwrap();
        assert_eq!(test.expanded, s.name.iter().map(|x| x.len() as u64 + 1).sum::<u64>())
    }
    let _ = k.self_test(&mut buffer[..3], || 0);
}

#[test]
fn random_tables() {
    let mut seed = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..150 {
        let mut raw = random(&mut seed);
        let before = seed;
        let k = Kallsyms::new(raw.view()).unwrap_or_else(|e| panic!("{before:#x} {e} {raw:?}"));
        compare(&raw, &k, &mut seed, true);
        raw.lengths = None;
        match Kallsyms::new(raw.view()) {
            Ok(k) => compare(&raw, &k, &mut seed, false),
            Err(e) => assert_eq!(e, Error::AmbiguousLengths),
        }
    }
}

#[test]
fn mutated_tables() {
    let mut seed = 0x1e37_79b9_7f4a_7c15;
    let mut passed = 0;
    for _ in 0..2_000 {
        let mut raw = random(&mut seed);
        if rng(&mut seed).is_multiple_of(3) {
            raw.lengths = None
        }
        for _ in 0..1 + rng(&mut seed) % 4 {
            let which = rng(&mut seed) % 9;
            let table = match which {
                0 | 1 => &mut raw.names,
                2 => match &mut raw.markers {
                    Some(m) => &mut m.0,
                    None => &mut raw.offs.0,
                },
                3 => &mut raw.tt,
                4 => &mut raw.ti,
                5 => &mut raw.offsets,
                6 | 7 => &mut raw.seqs,
                _ => {
                    raw.n = raw.n.wrapping_add((rng(&mut seed) % 5) as u32).wrapping_sub(2);
                    continue;
                }
            };
            if table.is_empty() {
                continue;
            }
            let at = below(&mut seed, table.len());
            match rng(&mut seed) % 6 {
                0 => table[at] = 0,
                1 => table[at] = 0x80,
                2 => table[at] ^= 1 << (rng(&mut seed) % 8),
                3 => {
                    table.remove(at);
                }
                4 => {
                    let v = rng(&mut seed) as u8;
                    table.insert(at, v)
                }
                _ => table.truncate(at),
            }
        }
        if let Ok(k) = Kallsyms::new(raw.view()) {
            passed += 1;
            compare(&raw, &k, &mut seed, false)
        }
    }
    assert!(passed > 100, "{passed} of 2,000 opened: the damage hits nothing that matters");
}
