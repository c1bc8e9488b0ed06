//! The real table, whole and damaged; batches at the edges of the slots' bits.
use kallsyms_core::glob::Glob;
use kallsyms_core::linux::{Kallsyms, Lengths, NameOrder};
use kallsyms_core::query::Way;
use kallsyms_gen::linux::{Places, Tables, folder};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::symbols::{sorted, symbol};
use std::path::Path;
use std::time::{Duration, Instant};

fn rng(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d)
}
fn real(name: &str) -> Tables {
    folder::read(Path::new("/work/shared/data").join(name).as_path()).unwrap()
}

fn probe(k: &Kallsyms<'_>, seed: &mut u64, slowest: &mut (Duration, &'static str)) {
    let mut timed = |what: &'static str, f: &mut dyn FnMut()| {
        let t = Instant::now();
        f();
        if t.elapsed() > slowest.0 {
            *slowest = (t.elapsed(), what)
        }
    };
    let n = k.len();
    let mut names: Vec<Vec<u8>> = (0..200)
        .map(|_| {
            let at = rng(seed) as u32 % n;
            k.symbol(kallsyms_core::table::SymbolIndex(at)).unwrap().name().bytes().take(4096).collect()
        })
        .collect();
    names.extend([b"".to_vec(), b"no_such".to_vec(), b"__func__.0".to_vec()]);
    timed("lookup 203 names", &mut || {
        for name in &names {
            assert!(k.lookup_name(name).is_none_or(|s| s.name() == name.as_slice()));
            let _ = k.lookup_all(name).count();
        }
    });
    timed("walk", &mut || {
        let _ = k
            .iter()
            .map(|s| s.name().len() + s.address() as usize % 2 + usize::from(s.kind()))
            .fold(0usize, usize::wrapping_add);
    });
    timed("starting_with", &mut || {
        let _ = k.starting_with("tcp_").count();
    });
    timed("glob", &mut || {
        let _ = k.matching(Glob::kernel("*[a-f]*_send*msg?")).count();
    });
    timed("llvm", &mut || {
        let _ = k.lookup_name_ignoring_llvm("tcp_nosuch").is_some();
    });
    timed("1000 addresses", &mut || {
        for _ in 0..1000 {
            let a = 0xffff_ffff_8100_0000 + rng(seed) % 0x300_0000;
            let _ = k.lookup(a).map(|l| (l.offset(), l.size()));
            let _ = k.describe_return_address(a).to_string();
        }
    });
    for way in [Way::Lookups, Way::Pass] {
        let mut out = vec![None; names.len()];
        timed(if way == Way::Pass { "pass" } else { "lookups" }, &mut || {
            out.fill(None);
            k.resolve_by(way, &names, &mut out, |s| s.index().0 % 3 == 0);
        });
    }
    let mut buffer = vec![0; 8192];
    timed("self_test", &mut || {
        let _ = k.self_test(&mut buffer, || 0);
    });
}

#[test]
fn damaged_real_tables() {
    let start = Instant::now();
    let mut seed = 0x1357_9bdf_1234_5678;
    let (mut passed, mut rounds, mut slowest) = (0, 0, (Duration::ZERO, ""));
    let sources = [real("linux-6.12.107"), real("synthetic-big")];
    while start.elapsed() < Duration::from_secs(20) {
        let mut t = sources[(rng(&mut seed) % 2) as usize].clone();
        if rng(&mut seed) % 3 == 0 {
            t.lengths = None
        } else {
            t.lengths = Some(Lengths::ByteOrTwo)
        }
        if rng(&mut seed) % 4 == 0 {
            t.name_order = NameOrder::WithoutLlvm
        }
        let n = t.num_syms as u64;
        match rng(&mut seed) % 9 {
            0 => {
                let at = (rng(&mut seed) % t.names.len() as u64) as usize;
                t.names[at] ^= 1 << (rng(&mut seed) % 8);
            }
            1 => {
                for _ in 0..100 {
                    let at = (rng(&mut seed) % t.names.len() as u64) as usize;
                    t.names[at] = b'0';
                }
            }
            2 => {
                for i in 0..n as usize {
                    t.seqs_of_names[3 * i..3 * i + 3].copy_from_slice(&[0, 1, 0])
                }
            }
            3 => {
                for i in 0..n as usize {
                    let r = (rng(&mut seed) % n) as u32;
                    t.seqs_of_names[3 * i..3 * i + 3].copy_from_slice(&r.to_be_bytes()[1..])
                }
            }
            4 => t.seqs_of_names.reverse(),
            5 => {
                t.num_syms = 1 + (rng(&mut seed) % n) as u32;
            }
            6 => {
                let len = t.offsets.len() / 8 * 8;
                let w = &t.offsets[len / 2..len / 2 + 4].to_vec();
                for i in (len / 2..len).step_by(4) {
                    t.offsets[i..i + 4].copy_from_slice(w)
                }
            }
            7 => {
                let (a, b) = (t.token_table.len() / 3, t.token_table.len() / 2);
                for i in a..b {
                    if t.token_table[i] != 0 {
                        t.token_table[i] = rng(&mut seed) as u8 | 1
                    }
                }
            }
            _ => {
                let at = (rng(&mut seed) % t.seqs_of_names.len() as u64) as usize;
                t.seqs_of_names[at] ^= 1 << (rng(&mut seed) % 8);
            }
        }
        rounds += 1;
        let began = Instant::now();
        let opened = Kallsyms::new(t.view());
        if began.elapsed() > slowest.0 {
            slowest = (began.elapsed(), "new")
        }
        if let Ok(k) = opened {
            passed += 1;
            let b = slowest;
            probe(&k, &mut seed, &mut slowest);
            if slowest.0 > b.0 * 2 {
                println!("{slowest:?} {:?} {}", t.name_order, k.len())
            }
        }
    }
    println!("{rounds} {passed} slowest {slowest:?}");
}

#[test]
fn batches_at_the_edges_of_the_bits() {
    for symbols in [1usize, 2, 3, 126, 127, 128, 254, 255, 256, 1022, 1023, 1024, 1025] {
        let list: Symbols = sorted(
            (0..symbols)
                .map(|i| {
                    symbol(
                        0xffff_ffff_8100_0000 + i as u64 * 16,
                        b't',
                        format!("f{}", i % (symbols.div_ceil(2))),
                    )
                })
                .collect(),
        );
        let tables = kallsyms_gen::linux::write(&list, &Default::default()).unwrap();
        let k = tables.kallsyms().unwrap();
        for count in [
            1usize, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257,
            1023, 1024, 1025, 4095, 4096, 65535, 65536,
        ] {
            let names: Vec<String> = (0..count).map(|i| format!("f{}", i * 7 % (symbols + 3))).collect();
            let (mut a, mut b) = (vec![None; count], vec![None; count]);
            k.resolve_by(Way::Lookups, &names, &mut a, |s| s.index().0 % 2 == 1);
            k.resolve_by(Way::Pass, &names, &mut b, |s| s.index().0 % 2 == 1);
            assert_eq!(a, b, "{symbols} {count}");
            let expected = names.iter().map(|n| {
                list.list
                    .iter()
                    .enumerate()
                    .find(|(i, s)| i % 2 == 1 && s.name == n.as_bytes())
                    .map(|x| x.1.address)
            });
            if count < 300 {
                assert!(a.iter().copied().eq(expected))
            }
        }
    }
    // 154,444 symbols take 18 bits: 2^22 names take 2 × 23 = 46, 64 in all: too many; 2^21 take 2 × 22: 62.
    let t = real("linux-6.12.107");
    let k = t.kallsyms().unwrap();
    let own: Vec<Vec<u8>> = k.iter().map(|s| s.name().bytes().collect()).collect();
    for count in [(1usize << 21) - 1, 1 << 21, (1 << 22) - 1, 1 << 22, (1 << 22) + 1] {
        let names: Vec<&[u8]> = (0..count).map(|i| own[i % own.len()].as_slice()).collect();
        let mut out = vec![None; count];
        let t = Instant::now();
        let found = k.resolve_by(Way::Pass, &names, &mut out, |_| true);
        println!("{count}: {found} {:?}", t.elapsed());
        assert_eq!(found, count);
        for i in (0..count).step_by(9973) {
            assert_eq!(out[i], k.lookup_name(names[i]).map(|s| s.address()))
        }
    }
}

/// Every address near a symbol, and the edges of the gate, as kernel/kallsyms.c has it.
#[test]
fn the_gate() {
    let t = real("linux-6.12.107");
    let k = t.kallsyms().unwrap();
    let addr: Vec<u64> = k.iter().map(|s| s.address()).collect();
    let b = k.bounds().unwrap();
    let mut asked: Vec<u64> = vec![0, 1, u64::MAX, u64::MAX - 1];
    for s in [b.kernel, b.init, b.init_text] {
        for e in [s.start, s.end] {
            asked.extend([e - 2, e - 1, e, e + 1, e + 2])
        }
    }
    asked.extend(addr.iter().flat_map(|a| [a.wrapping_sub(1), *a, a + 1]));
    asked.extend([0xffff_ffff_84f0_0000, 0xffff_ffff_83c2_ffff, 0x39000, 0x38fff]);
    for a in asked {
        let inside = (b.kernel.start <= a && a < b.kernel.end) || (b.init.start <= a && a < b.init.end);
        let expected = inside.then(|| {
            let above = addr.partition_point(|x| *x <= a);
            let start = addr[above - 1];
            let first = addr.partition_point(|x| *x < start);
            let end = addr.get(above).copied().unwrap_or(if b.init_text.contains(a) {
                b.init_text.end
            } else {
                b.kernel.end
            });
            (first as u32, a - start, Some(end - start))
        });
        let got = k.lookup(a).map(|l| (l.symbol().index().0, l.offset(), l.size()));
        assert_eq!(got, expected, "{a:#x}");
    }
    let _ = Places::bytes(&t.places);
}
