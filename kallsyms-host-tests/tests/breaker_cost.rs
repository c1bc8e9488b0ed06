//! What hostile input costs, and where two ways differ.

use std::time::Instant;

use kallsyms_core::glob::Glob;
use kallsyms_core::image::hash::{HashId, hash_name};
use kallsyms_core::linux::{Encoding, Endian, Error, Kallsyms, Lengths, NameOrder, Places, Tables, Width};
use kallsyms_core::query::Way;

fn letters() -> (Vec<u8>, Vec<u8>) {
    (
        (0..=255u8).flat_map(|b| [b.max(1), 0]).collect(),
        (0..256u16).flat_map(|t| (t * 2).to_le_bytes()).collect(),
    )
}

struct Plain {
    names: Vec<u8>,
    markers: Vec<u8>,
    offsets: Vec<u8>,
    seqs: Vec<u8>,
    n: u32,
    tt: Vec<u8>,
    ti: Vec<u8>,
    lengths: Option<Lengths>,
    order: NameOrder,
}
impl Plain {
    fn of(names: &[Vec<u8>], order: NameOrder) -> Self {
        let (tt, ti) = letters();
        let (mut bytes, mut markers, mut offsets) = (vec![], vec![], vec![]);
        for (i, name) in names.iter().enumerate() {
            if i % 256 == 0 {
                markers.extend((bytes.len() as u32).to_le_bytes())
            }
            offsets.extend((i as u32 * 16).to_le_bytes());
            let len = name.len() + 1;
            if len > 127 {
                bytes.extend([0x80 | (len & 127) as u8, (len >> 7) as u8])
            } else {
                bytes.push(len as u8)
            }
            bytes.push(b'T');
            bytes.extend(name);
        }
        let mut ranks: Vec<usize> = (0..names.len()).collect();
        ranks.sort_by_key(|i| {
            let n = &names[*i];
            let cut = if order == NameOrder::Whole {
                n.len()
            } else {
                n.windows(6).position(|w| w == b".llvm.").unwrap_or(n.len())
            };
            &n[..cut]
        });
        let seqs = ranks.iter().flat_map(|r| (*r as u32).to_be_bytes()[1..].to_vec()).collect();
        Self {
            names: bytes,
            markers,
            offsets,
            seqs,
            n: names.len() as u32,
            tt,
            ti,
            lengths: Some(Lengths::ByteOrTwo),
            order,
        }
    }
    fn view(&self) -> Tables<'_> {
        Tables {
            num_syms: self.n,
            pointer: Width::Bits64,
            endian: Endian::Little,
            encoding: Encoding::UnsignedBase { relative_base: 0xffff_ffff_8100_0000 },
            lengths: self.lengths,
            names: &self.names,
            places: Places::Markers { bytes: &self.markers, width: Width::Bits32 },
            token_table: &self.tt,
            token_index: &self.ti,
            offsets: &self.offsets,
            seqs_of_names: &self.seqs,
            name_order: self.order,
        }
    }
}

/// The comment in records.rs: "Both readings end at the same byte only where no length has its highest bit set."
/// Search for names that both schemes read to the same end with different names.
#[test]
fn both_schemes_may_end_at_the_same_byte() {
    // Long: [0x81 0x00]+1, then 127 tokens (0x7f), then 1 ... Short: 0x81 + 129 tokens, then what stands there.
    // long:  0: 81 00 | x            (1 token, ends 3)
    //        3: 7e | 126 tokens      (ends 130)
    //      130: 02 | 2 tokens        (ends 133)
    // short: 0: 81 | 129 tokens      (ends 130) -- the same place.
    //      130: 02 | 2 tokens        ends 133; needs one more: a fourth record for long, too
    // One record less: balance by a second pair where long has fewer records than short.
    // long:  133: c0 01 | 192 tokens (ends 327); short: 133: c0 | 192 tokens (ends 326), 326: 01? one token -> 328.
    // So place bytes for short: at 326 a 0-length is not allowed; make long's next record begin at 327 and short's
    // at 326 with length L: ends 327 + L; long record at 327 with length L-1 ... they meet at 327 + L.
    let mut names = vec![0x81, 0x00, b'T'];
    names.push(126);
    names.extend([b'x'; 126]);
    assert_eq!(names.len(), 130);
    // long has read two records, short one.
    names.extend([0xc0, 0x01]);
    names.extend([b'y'; 192]); // long ends here: 324; short ends at 130 + 1 + 192 = 323
    assert_eq!(names.len(), 324);
    // short has to read one record more than long from here to the end: short at 323 (byte is the last y).
    // Let the last y be a length 4 for short: tokens 324..328, then another record.
    names[323] = 4; // short: record 324..328
    // long at 324: one record up to the end, short: record to 328, then one record.
    names.push(9); // long: 9 tokens 325..334
    names.extend([b'a', b'b', b'c', 5, b'd', b'e', b'f', b'g', b'h']); // short at 328: 5, 329..334
    assert_eq!(names.len(), 334);
    // long: 4 records (T, x, y, a). short: (129), (192), (4), (5): 4 records. Both end at 334.
    let (tt, ti) = letters();
    let raw = |lengths| Plain {
        names: names.clone(),
        markers: vec![0; 4],
        offsets: (0..4u32).flat_map(|i| (i * 16).to_le_bytes()).collect(),
        seqs: vec![],
        n: 4,
        tt: tt.clone(),
        ti: ti.clone(),
        lengths,
        order: NameOrder::Whole,
    };
    let (long, short) = (raw(Some(Lengths::ByteOrTwo)), raw(Some(Lengths::Byte)));
    let (long, short) =
        (Kallsyms::new(long.view()).expect("fits"), Kallsyms::new(short.view()).expect("fits"));
    assert_eq!(long.names_len(), short.names_len());
    let read = |k: &Kallsyms<'_>| k.iter().map(|s| s.name().bytes().collect::<Vec<_>>()).collect::<Vec<_>>();
    assert_ne!(read(&long), read(&short));
    let raw = raw(None);
    assert_eq!(Kallsyms::new(raw.view()).map(|k| k.lengths()).unwrap_err(), Error::AmbiguousLengths);
}

/// A record of the type alone has a name without bytes: `lookup_name("")` is none, so must both ways be.
#[test]
fn an_empty_name_resolves_the_same_way() {
    let names: Vec<Vec<u8>> = vec![b"".to_vec(), b"foo".to_vec()];
    let plain = Plain::of(&names, NameOrder::Whole);
    let k = Kallsyms::new(plain.view()).unwrap();
    let both = [Way::Lookups, Way::Pass].map(|way| {
        let mut out = [None; 2];
        k.resolve_by(way, &["", "foo"], &mut out, |_| true);
        out
    });
    assert!(k.lookup_name("").is_none());
    assert_eq!(both[0], both[1]);
}

/// Printable names of 16 bytes with one hash: the second group is what the first one makes of the state.
fn colliding(count: usize) -> Vec<Vec<u8>> {
    const SEED: u64 = 0x2d35_8dcc_aa6c_78a5;
    const BODY: u64 = 0x8bb8_4b93_962e_acc9;
    let mut names = vec![];
    let mut i = 0u64;
    while names.len() < count {
        i += 1;
        let mut g = [0u8; 8];
        let mut x = i;
        for b in &mut g {
            *b = b'!' + (x % 94) as u8;
            x /= 94
        }
        let p = u128::from(u64::from_le_bytes(g) ^ SEED) * u128::from(BODY);
        let s = (p as u64 ^ (p >> 64) as u64).to_le_bytes();
        if s.iter().all(|b| (0x21..0x7f).contains(b)) {
            names.push([g, s].concat())
        }
    }
    names
}

#[test]
fn names_that_collide_do_not_cost_their_square() {
    let crafted = colliding(40_000);
    assert!(
        crafted.iter().all(|n| hash_name(HashId::Folded, 0, n) == hash_name(HashId::Folded, 0, &crafted[0]))
    );
    let honest: Vec<Vec<u8>> = (0..40_000).map(|i| format!("honest_name_{i:04x}").into_bytes()).collect();
    let plain =
        Plain::of(&(0..20_000).map(|i| format!("f{i}").into_bytes()).collect::<Vec<_>>(), NameOrder::Whole);
    let k = Kallsyms::new(plain.view()).unwrap();
    let time = |names: &[Vec<u8>]| {
        let mut out = vec![None; names.len()];
        let t = Instant::now();
        k.resolve(names, &mut out);
        t.elapsed()
    };
    let (good, bad) = (time(&honest), time(&crafted));
    println!("resolve of 40,000 honest names {good:?}, of 40,000 that collide {bad:?}");
    assert!(bad < good * 20, "{good:?} {bad:?}");
}

#[test]
fn a_run_of_llvm_names_does_not_cost_its_square() {
    let names: Vec<Vec<u8>> = (0..3_000).map(|i| format!("foo.llvm.{i}").into_bytes()).collect();
    let plain = Plain::of(&names, NameOrder::WithoutLlvm);
    let k = Kallsyms::new(plain.view()).unwrap();
    let t = Instant::now();
    k.self_test(&mut [0; 512], || 0).unwrap();
    let llvm = t.elapsed();
    let plain = Plain::of(&names, NameOrder::Whole);
    let k = Kallsyms::new(plain.view()).unwrap();
    let t = Instant::now();
    k.self_test(&mut [0; 512], || 0).unwrap();
    println!("self_test of 3,000 foo.llvm.N: without-llvm {llvm:?}, whole {:?}", t.elapsed());
    assert!(llvm < t.elapsed() * 50);
}

/// 98 KB of tables whose one name expands to 2 GB: `new` reads all of it, 8 lookups × 2 steps.
#[test]
fn opening_does_not_expand_a_name_without_end() {
    let big = 64_000usize;
    let (mut tt, mut ti) = (vec![], vec![]);
    for t in 0..256usize {
        ti.extend((tt.len() as u16).to_le_bytes());
        if t == 1 {
            tt.extend(vec![b'x'; big])
        } else if t == 2 {
            tt.push(b'T')
        }
        tt.push(0);
    }
    let len = 2000usize; // of 32,767: 128 MB instead of 2 GB
    let mut names = vec![0x80 | (len & 127) as u8, (len >> 7) as u8, 2];
    names.extend(vec![1; len - 1]);
    let bytes = names.len() + tt.len() + ti.len();
    let plain = Plain {
        names,
        markers: vec![0; 4],
        offsets: vec![0; 4],
        seqs: vec![0; 3],
        n: 1,
        tt,
        ti,
        lengths: Some(Lengths::ByteOrTwo),
        order: NameOrder::WithoutLlvm,
    };
    let t = Instant::now();
    let k = Kallsyms::new(plain.view()).unwrap();
    let opened = t.elapsed();
    println!(
        "{bytes} bytes of tables: name of {} bytes, new {opened:?}",
        k.iter().next().unwrap().name().len()
    );
    assert!(opened.as_millis() < 50, "{opened:?}");
}

/// lib/glob.c, transcribed for the comparison.
fn c_glob(p: &[u8], s: &[u8]) -> bool {
    let at = |x: &[u8], i: usize| x.get(i).copied().unwrap_or(0);
    let (mut pi, mut si) = (0usize, 0usize);
    let mut back: Option<(usize, usize)> = None;
    loop {
        let c = at(s, si);
        si += 1;
        let mut d = at(p, pi);
        pi += 1;
        let mut ok = true;
        let mut literal = false;
        match d {
            b'?' => {
                if c == 0 {
                    return false;
                }
            }
            b'*' => {
                if at(p, pi) == 0 {
                    return true;
                }
                si -= 1;
                back = Some((pi, si));
            }
            b'[' => {
                if c == 0 {
                    return false;
                }
                let inverted = at(p, pi) == b'!';
                let mut class = if inverted { pi + 1 } else { pi };
                let mut a = at(p, class);
                class += 1;
                let mut matched = false;
                loop {
                    let mut b = a;
                    if a == 0 {
                        literal = true;
                        break;
                    }
                    if at(p, class) == b'-' && at(p, class + 1) != b']' {
                        b = at(p, class + 1);
                        if b == 0 {
                            literal = true;
                            break;
                        }
                        class += 2;
                    }
                    if a <= c && c <= b {
                        matched = true
                    }
                    a = at(p, class);
                    class += 1;
                    if a == b']' {
                        break;
                    }
                }
                if !literal {
                    if matched == inverted { ok = false } else { pi = class }
                }
            }
            b'\\' => {
                d = at(p, pi);
                pi += 1;
                literal = true
            }
            _ => literal = true,
        }
        if literal {
            if c == d {
                if d == 0 {
                    return true;
                }
            } else {
                ok = false
            }
        }
        if !ok {
            let Some((bp, bs)) = back else { return false };
            if c == 0 {
                return false;
            }
            pi = bp;
            si = bs + 1;
            back = Some((bp, bs + 1));
        }
    }
}

#[test]
fn globs_are_the_kernels() {
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut r = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        ((seed >> 16) % n as u64) as usize
    };
    let (mut yes, mut bad) = (0, 0);
    for _ in 0..6_000_000 {
        let p: Vec<u8> = (0..r(9)).map(|_| b"**?[]!-\\ab^cb]["[r(15)]).collect();
        let s: Vec<u8> = (0..r(7)).map(|_| b"abc[]!-\\*^"[r(10)]).collect();
        let cut = r(s.len() + 1);
        let (expected, glob) = (c_glob(&p, &s), Glob::kernel(&p));
        let got = glob.matches([&s[..cut], b"", &s[cut..]]);
        yes += u32::from(expected);
        if got != expected {
            bad += 1;
            if bad < 20 {
                println!("{} on {}: C {expected}", p.escape_ascii(), s.escape_ascii())
            }
        }
        if let Some(l) = glob.literal() {
            assert_eq!(got, l == s)
        }
        if got {
            let (pre, lit) = (glob.literal_prefix(), glob.longest_literal());
            assert!(s.starts_with(pre) && (lit.is_empty() || s.windows(lit.len()).any(|w| w == lit)))
        }
        // libbpf: recursive
        fn lib(s: &[u8], p: &[u8]) -> bool {
            match p.split_first() {
                None => s.is_empty(),
                Some((b'*', q)) => (0..=s.len()).any(|i| lib(&s[i..], q)),
                Some((b'?', q)) => !s.is_empty() && lib(&s[1..], q),
                Some((x, q)) => s.first() == Some(x) && lib(&s[1..], q),
            }
        }
        assert_eq!(
            Glob::libbpf(&p).matches([&s[..cut], b"", &s[cut..]]),
            lib(&s, &p),
            "{} {}",
            p.escape_ascii(),
            s.escape_ascii()
        );
    }
    println!("{yes} matched");
    assert_eq!(bad, 0);
}

#[test]
fn globs_at_worst() {
    let name = vec![b'a'; 1 << 16];
    for (what, p) in [
        ("1,000 stars", b"*a".repeat(1000)),
        ("1,000 stars, then b", [b"*a".repeat(1000), b"b".to_vec()].concat()),
        ("2,000 stars alone + b", [b"*".repeat(2000), b"b".to_vec()].concat()),
        ("*aaa(2000)b", [b"*".to_vec(), vec![b'a'; 2000], b"b".to_vec()].concat()),
        ("*?(2000)b", [b"*".to_vec(), vec![b'?'; 2000], b"b".to_vec()].concat()),
        ("*[a(4000)]b", [b"*[".to_vec(), vec![b'a'; 4000], b"]b".to_vec()].concat()),
        ("*[(4000)b", [b"*".to_vec(), vec![b'['; 4000], b"b".to_vec()].concat()),
        ("*[](4000) b", [b"*".to_vec(), b"[]a]".repeat(1000), b"b".to_vec()].concat()),
        ("*[(2000)a]b", [b"*".to_vec(), vec![b'['; 2000], b"a]".repeat(500), b"b".to_vec()].concat()),
    ] {
        let pieces = || name.chunks(3);
        let t = Instant::now();
        let got = Glob::kernel(&p).matches(pieces());
        let steps = (name.len() * p.len()) as f64;
        println!("{what}: {got} {:?}, {:.2} ns a step", t.elapsed(), t.elapsed().as_nanos() as f64 / steps);
        assert!(t.elapsed().as_nanos() as f64 / steps < 20.0);
    }
}
