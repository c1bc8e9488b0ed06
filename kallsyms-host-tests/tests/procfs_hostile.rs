//! Hostile texts of `/proc/kallsyms`.

use std::ops::ControlFlow;

use kallsyms_core::procfs::{self, Error, Fault, FilterFunctions, FilterFunctionsAddrs, Kallsyms, Stream};

/// Eight NULs in place of the upper digits, before any address has been read.
#[test]
fn nul_digits_are_no_address() {
    let text = b"\0\0\0\0\0\0\0\x0081000000 T foo\n";
    let got: Vec<_> = procfs::kallsyms(text).collect();
    assert!(got[0].is_err(), "{got:?}");
}

/// A name that is also a part of its line's address: the search goes on within the line, and takes the rest
/// of the line for a line.
#[test]
fn a_name_of_hexadecimal_digits_is_found() {
    let text = b"ffffffff81000000 T _stext\nffffffff81000010 T ff\n";
    let got = procfs::find(text, "ff");
    assert_eq!(got.map(|entry| entry.map(|entry| entry.addr)), Ok(Some(0xffff_ffff_8100_0010)));
}

#[test]
fn a_name_of_hexadecimal_digits_has_its_own_address() {
    // 16 digits are left where the search goes on: only 32-bit widths shift in real life, 8 of 16 here.
    let text = b"ffffffff81000010 T 81\nc0008100 T 81\n";
    let all: Vec<_> = procfs::named(text, "81").map(|e| e.map(|e| e.addr)).collect();
    let expected: Vec<_> = procfs::kallsyms(text)
        .filter(|e| e.as_ref().is_ok_and(|e| e.name == b"81"))
        .map(|e| e.map(|e| e.addr))
        .collect();
    assert_eq!(all, expected);
}

#[test]
fn no_symbol_is_made_up() {
    let text = b"ffffffff81000000 t xzbfffffff82000000 T zb\n";
    assert_eq!(procfs::find(text, "zb"), Ok(None));
}

fn rng(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

type Line = Result<Symbol, Error>;

/// What a stream gives of chunks of random sizes below a limit, empty ones among them.
fn in_chunks(text: &[u8], carry: &mut [u8], limit: usize, seed: &mut u64) -> Vec<Line> {
    let mut got = Vec::new();
    let mut take = |line: Result<procfs::Entry<'_>, Error>| {
        got.push(own(line));
        ControlFlow::<()>::Continue(())
    };
    let mut stream = Stream::<Kallsyms>::new(carry);
    let mut rest = text;
    while !rest.is_empty() {
        let len = (rng(seed) as usize % limit).min(rest.len());
        let ControlFlow::Continue(next) = stream.feed(&rest[..len], &mut take) else {
            panic!("nothing breaks")
        };
        stream = next;
        rest = &rest[len..];
    }
    let _ = stream.finish(take);
    got
}

fn own(e: Result<procfs::Entry<'_>, Error>) -> Line {
    e.map(|e| (e.addr, e.kind, e.name.to_vec(), e.module.map(<[u8]>::to_vec)))
}

/// Written from the grammar, byte by byte.
/// Address, type, name, module.
type Symbol = (u64, u8, Vec<u8>, Option<Vec<u8>>);

fn slow(line: &[u8]) -> Option<Symbol> {
    let blanks = line.iter().take_while(|b| **b == b' ').count();
    let (addr, rest) = if line[blanks..].starts_with(b"(null)") {
        (0, &line[blanks + 6..])
    } else {
        let n = line.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        if n != 8 && n != 16 {
            return None;
        }
        (u64::from_str_radix(std::str::from_utf8(&line[..n]).unwrap(), 16).unwrap(), &line[n..])
    };
    let rest = rest.strip_prefix(b" ")?;
    let (&kind, rest) = rest.split_first()?;
    if !(kind.is_ascii_alphabetic() || kind == b'?') {
        return None;
    }
    let rest = rest.strip_prefix(b" ")?;
    let n = rest.iter().take_while(|b| **b >= 32).count();
    let (name, rest) = rest.split_at(n);
    if name.is_empty() {
        return None;
    }
    if rest.is_empty() {
        return Some((addr, kind, name.to_vec(), None));
    }
    let rest = rest.strip_prefix(b"\t[")?.strip_suffix(b"]")?;
    if rest.is_empty() || rest.iter().any(|b| *b < 32) {
        return None;
    }
    Some((addr, kind, name.to_vec(), Some(rest.to_vec())))
}

fn text(seed: &mut u64) -> Vec<u8> {
    let mut out = Vec::new();
    let lines = rng(seed) % 12;
    for _ in 0..lines {
        match rng(seed) % 12 {
            0 => {}
            1 => out.extend(b"(null) T x"),
            2 => out.extend(b"          (null) d yy\t[m]"),
            3 => {
                for _ in 0..rng(seed) % 40 {
                    out.push((rng(seed) >> 20) as u8)
                }
            }
            4 => out.extend(b"00000000 T zero"),
            5 => out.extend(b"0000000000000000 T zero"),
            6 => out.extend(b"FFFFFFFF81000000 T upper"),
            _ => {
                let a = rng(seed);
                let s = if a.is_multiple_of(3) { format!("{:08x}", a as u32) } else { format!("{a:016x}") };
                out.extend(s.as_bytes());
                out.extend(b" t ");
                for _ in 0..rng(seed) % 50 {
                    out.push(b"abf0 [].\xff\x80_"[(rng(seed) % 11) as usize])
                }
                if rng(seed).is_multiple_of(2) {
                    out.extend(b"\t[mod]")
                }
                if rng(seed).is_multiple_of(5) {
                    out.extend(b"\r")
                }
            }
        }
        // mutate
        if rng(seed).is_multiple_of(3) && !out.is_empty() {
            let at = rng(seed) as usize % out.len();
            out[at] = b" \t\n\r\0[]aFg0\x80\x1f\x7f("[(rng(seed) % 15) as usize];
        }
        out.push(b'\n');
    }
    if rng(seed).is_multiple_of(2) {
        out.pop();
    }
    out
}

#[test]
fn chunks_are_the_whole() {
    let mut seed = 0x1234_5678_9abc_def1;
    for round in 0..200_000 {
        let text = text(&mut seed);
        let whole: Vec<Line> = procfs::kallsyms(&text).map(own).collect();
        // against the slow one
        let mut lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
        if lines.last() == Some(&&b""[..]) {
            lines.pop();
        }
        let bare: Vec<_> =
            whole.iter().filter(|l| !matches!(l, Err(Error { fault: Fault::Hidden { .. }, .. }))).collect();
        assert_eq!(bare.len(), lines.len(), "{}", text.escape_ascii());
        for (n, (line, got)) in lines.iter().zip(&bare).enumerate() {
            if !line.starts_with(&[0; 8]) {
                assert_eq!(slow(line), (*got).clone().ok(), "{round} {}", text.escape_ascii());
            }
            if let Err(e) = got {
                assert_eq!(e.line, n as u64 + 1)
            }
        }
        let hidden =
            bare.iter().any(|l| l.is_ok()) && bare.iter().all(|l| l.as_ref().ok().is_none_or(|l| l.0 == 0));
        assert_eq!(hidden, bare.len() != whole.len());
        // in chunks
        let got = in_chunks(&text, &mut [0; 128], 70, &mut seed);
        if lines.iter().all(|l| l.len() <= 128) {
            assert_eq!(got, whole, "{}", text.escape_ascii());
        }
        // small carry: lines that are not too long are the same; numbers stay right
        let size = rng(&mut seed) as usize % 60;
        let got = in_chunks(&text, &mut vec![0; size], 40, &mut seed);
        for (n, (a, b)) in got.iter().zip(&whole).enumerate() {
            if n >= lines.len() {
                break;
            }
            if let Err(Error { fault: Fault::LineTooLong { capacity }, line, .. }) = a {
                assert!(*capacity == size && lines[n].len() > size && *line == n as u64 + 1);
            } else {
                assert_eq!(a, b, "{size} {}", text.escape_ascii())
            }
        }
        // break at every entry: the value comes back
        let stop = rng(&mut seed) as usize % (whole.len() + 2);
        let mut carry = [0; 1024];
        let mut count = 0;
        let mut stream = Some(Stream::<Kallsyms>::new(&mut carry));
        let mut rest = &text[..];
        let mut value = None;
        let mut f = |_: Result<procfs::Entry<'_>, Error>| {
            count += 1;
            if count == stop { ControlFlow::Break(count) } else { ControlFlow::Continue(()) }
        };
        while !rest.is_empty() && value.is_none() {
            let n = (rng(&mut seed) as usize % 40).min(rest.len());
            match stream.take().unwrap().feed(&rest[..n], &mut f) {
                ControlFlow::Continue(s) => stream = Some(s),
                ControlFlow::Break(b) => value = Some(b),
            }
            rest = &rest[n..];
        }
        if let Some(s) = stream.take()
            && let ControlFlow::Break(b) = s.finish(&mut f)
        {
            value = Some(b)
        }
        assert_eq!(value, (1..=whole.len()).contains(&stop).then_some(stop));
    }
}

#[test]
fn named_is_the_walk() {
    let mut seed = 0x7777_5678_9abc_def1;
    let mut bad = 0;
    for _ in 0..200_000 {
        let text = text(&mut seed);
        // a name of the text, or digits of it
        let entries: Vec<_> = procfs::kallsyms(&text).filter_map(Result::ok).collect();
        let Some(entry) = entries.get(rng(&mut seed) as usize % entries.len().max(1)) else { continue };
        let at =
            if rng(&mut seed).is_multiple_of(2) { 0 } else { rng(&mut seed) as usize % entry.name.len() };
        let name = &entry.name[at..];
        let all = |error: bool,
                   it: &mut dyn Iterator<Item = Result<procfs::Entry<'_>, Error>>|
         -> Vec<(u64, Vec<u8>)> {
            it.filter_map(|e| match e {
                Ok(e) => Some((e.addr, e.name.to_vec())),
                Err(e) => {
                    let _ = (error, e);
                    None
                }
            })
            .collect()
        };
        let got = all(true, &mut procfs::named(&text, name));
        let expected: Vec<_> =
            entries.iter().filter(|e| e.name == name).map(|e| (e.addr, e.name.to_vec())).collect();
        if got != expected {
            bad += 1;
            if bad <= 5 {
                println!(
                    "named {} in\n{}\n got {got:x?}\n not {expected:x?}",
                    name.escape_ascii(),
                    text.escape_ascii()
                )
            }
        }
        let pattern: Vec<u8> = [b"*".as_slice(), name, b"*"].concat();
        let glob = kallsyms_core::glob::Glob::libbpf(&pattern);
        let got = all(true, &mut procfs::matching(&text, glob));
        let expected: Vec<_> =
            entries.iter().filter(|e| glob.matches([e.name])).map(|e| (e.addr, e.name.to_vec())).collect();
        assert_eq!(got, expected);
    }
    assert_eq!(bad, 0);
}

/// Line, address, name, module.
type FunctionLine = (u64, Option<u64>, Vec<u8>, Option<Vec<u8>>);

fn own_function(e: Result<procfs::Function<'_>, Error>) -> Result<FunctionLine, Error> {
    e.map(|e| (e.line, e.addr, e.name.to_vec(), e.module.map(<[u8]>::to_vec)))
}

#[test]
fn functions_in_chunks() {
    let mut seed = 0x4567_5678_9abc_def1;
    for _ in 0..100_000 {
        let mut out = Vec::new();
        for _ in 0..rng(&mut seed) % 8 {
            if rng(&mut seed).is_multiple_of(2) {
                out.extend(format!("{:x} ", rng(&mut seed) >> (rng(&mut seed) % 64)).as_bytes())
            }
            for _ in 0..rng(&mut seed) % 12 {
                out.push(b"abf0[].\xff\x80_ \t\0\r"[(rng(&mut seed) % 14) as usize])
            }
            if rng(&mut seed).is_multiple_of(2) {
                out.extend(b" [mod]")
            }
            out.push(b'\n');
        }
        if rng(&mut seed).is_multiple_of(2) {
            out.pop();
        }
        macro_rules! both {
            ($t:ty, $f:path) => {{
                let whole: Vec<_> = $f(&out).map(own_function).collect();
                let mut carry = [0; 128];
                let mut got = Vec::new();
                let mut stream = Stream::<$t>::new(&mut carry);
                let mut rest = &out[..];
                while !rest.is_empty() {
                    let n = (rng(&mut seed) as usize % 20).min(rest.len());
                    let ControlFlow::Continue(next) = stream.feed(&rest[..n], |l| {
                        got.push(own_function(l));
                        ControlFlow::<()>::Continue(())
                    }) else {
                        panic!()
                    };
                    stream = next;
                    rest = &rest[n..];
                }
                let _ = stream.finish(|l| {
                    got.push(own_function(l));
                    ControlFlow::<()>::Continue(())
                });
                assert_eq!(got, whole, "{}", out.escape_ascii());
            }};
        }
        both!(FilterFunctions, procfs::available_filter_functions);
        both!(FilterFunctionsAddrs, procfs::available_filter_functions_addrs);
    }
}

/// `af` of 6.12.107 under one of KASLR's slides (0x2d00_0000).
#[test]
fn af_under_kaslr() {
    let text = b"ffffffffae000000 T _stext\nffffffffafd40f30 d af\nffffffffafd40f40 d ag\n";
    assert_eq!(procfs::find(text, "af").map(|e| e.map(|e| e.addr)), Ok(Some(0xffff_ffff_afd4_0f30)));
}
