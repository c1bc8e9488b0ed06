//! The text that Linux exports, against a second reading of it line by line; the faults of other readers by name.

use std::cell::Cell;
use std::ops::ControlFlow::{self, Break, Continue};

use kallsyms_core::glob::Glob;
use kallsyms_core::procfs::{
    self, CARRY, Entry, Error, Fault, FilterFunctions, FilterFunctionsAddrs, Format, Function, Kallsyms,
    Lines, Part, Stream,
};
use kallsyms_host_tests::counting_alloc::{CountingAlloc, calls_during};
use kallsyms_host_tests::skip::skip;
use proptest::prelude::*;

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc;

/// An entry that owns its names.
type Owned = (u64, u8, Vec<u8>, Option<Vec<u8>>);

fn owned(entry: &Entry<'_>) -> Owned {
    (entry.addr, entry.kind, entry.name.to_vec(), entry.module.map(<[u8]>::to_vec))
}

/// What readers give for a text, in order.
type Items = Vec<Result<Owned, Error>>;

fn of_slice(text: &[u8]) -> Items {
    procfs::kallsyms(text).map(|line| line.map(|entry| owned(&entry))).collect()
}

fn of_chunks<'c>(chunks: impl IntoIterator<Item = &'c [u8]>, carry: usize) -> Items {
    let mut items = Items::new();
    let mut carry = vec![0; carry];
    let mut stream = Stream::<Kallsyms>::new(&mut carry);
    let mut keep = |line: Result<Entry<'_>, Error>| -> ControlFlow<()> {
        items.push(line.map(|entry| owned(&entry)));
        Continue(())
    };
    for chunk in chunks {
        let Continue(next) = stream.feed(chunk, &mut keep) else { unreachable!("never breaks off") };
        stream = next;
    }
    assert!(stream.finish(&mut keep).is_continue());
    items
}

/// The lines of a text with their offsets; a last LF begins no line.
fn lines(text: &[u8]) -> Vec<(usize, &[u8])> {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    if text.is_empty() {
        return Vec::new();
    }
    body.split(|&byte| byte == b'\n')
        .map(|line| (line.as_ptr() as usize - text.as_ptr() as usize, line))
        .collect()
}

/// A line, read by splitting it.
fn slow_entry(line: &[u8]) -> Option<Owned> {
    let mut parts = line.trim_ascii_start_matches(b"(null)").splitn(3, |&byte| byte == b' ');
    let (digits, kind, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let address = match digits {
        b"(null)" => 0,
        _ if matches!(digits.len(), 8 | 16) && digits.iter().all(u8::is_ascii_hexdigit) => {
            u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
        }
        _ => return None,
    };
    let [kind @ (b'?' | b'a'..=b'z' | b'A'..=b'Z')] = *kind else { return None };
    let mut columns = rest.split(|&byte| byte == b'\t');
    let (name, module) = (columns.next()?, columns.next());
    let module = match module {
        Some(column) => {
            Some(column.strip_prefix(b"[")?.strip_suffix(b"]").filter(|module| !module.is_empty())?)
        }
        None => None,
    };
    let clean = |text: &[u8]| text.iter().all(|&byte| byte >= b' ');
    let sound = columns.next().is_none() && !name.is_empty() && clean(name) && module.is_none_or(clean);
    sound.then(|| (address, kind, name.to_vec(), module.map(<[u8]>::to_vec)))
}

trait Blanks {
    /// Without leading blanks, if this follows them.
    fn trim_ascii_start_matches(&self, follows: &[u8]) -> &[u8];
}

impl Blanks for [u8] {
    fn trim_ascii_start_matches(&self, follows: &[u8]) -> &[u8] {
        let blanks = self.iter().take_while(|&&byte| byte == b' ').count();
        if self[blanks..].starts_with(follows) { &self[blanks..] } else { self }
    }
}

/// Every line gives one item: its entry, or an error with its number and a place in it; then whether all are hidden.
fn check_items(text: &[u8], items: &Items) {
    let lines = lines(text);
    let entries: Vec<Option<Owned>> = lines.iter().map(|(_, line)| slow_entry(line)).collect();
    let read: Vec<u64> = entries.iter().flatten().map(|entry| entry.0).collect();
    let hidden = !read.is_empty() && read.iter().all(|&address| address == 0);
    assert_eq!(items.len(), lines.len() + usize::from(hidden));
    for (number, ((item, expected), (offset, line))) in (1..).zip(items.iter().zip(&entries).zip(&lines)) {
        match (item, expected) {
            (Ok(entry), Some(expected)) => assert_eq!(entry, expected),
            (Err(error), None) => {
                let place = *offset as u64..=(offset + line.len()) as u64;
                assert_eq!(error.line, number, "{error}");
                assert!(place.contains(&error.offset), "{error}: the line is at {place:?}");
            }
            _ => panic!("line {number}, {:?}: {item:?}", String::from_utf8_lossy(line)),
        }
    }
    if hidden {
        let fault = Fault::Hidden { symbols: read.len() as u64 };
        let error = Error { line: lines.len() as u64, offset: text.len() as u64, fault };
        assert_eq!(items.last(), Some(&Err(error)));
    }
}

fn check_text(text: &[u8]) {
    let items = of_slice(text);
    check_items(text, &items);
    for chunk in (1..70).chain([text.len() / 2, text.len().saturating_sub(1), text.len() + 1]) {
        assert_eq!(of_chunks(text.chunks(chunk.max(1)), text.len() + 1), items, "chunks of {chunk}");
    }
}

/// Names as kernels have them, and as none has.
fn name() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => "[a-z_.]{1,40}".prop_map(String::into_bytes),
        2 => "[a-z_]{1,30}(\\.llvm\\.[0-9]{1,19}|\\.isra\\.0|\\.cold|\\.constprop\\.0)".prop_map(String::into_bytes),
        1 => "<[A-Z][a-z é]{1,20}\\[u8\\]>::f(mt|\\])".prop_map(String::into_bytes),
        1 => proptest::collection::vec(0x20u8..=255, 1..90),
    ]
}

fn address() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0u64..1 << 24).prop_map(|low| format!("{:016x}", 0xffff_ffff_8000_0000 + low)),
        2 => any::<u64>().prop_map(|address| format!("{address:016x}")),
        1 => any::<u32>().prop_map(|address| format!("{address:08x}")),
        1 => any::<u64>().prop_map(|address| format!("{address:016X}")),
        2 => Just("0000000000000000".to_owned()),
        1 => Just("00000000".to_owned()),
        1 => "( {0,10})\\(null\\)",
    ]
}

fn sound_line() -> impl Strategy<Value = Vec<u8>> {
    let module = proptest::option::weighted(0.3, "[a-z_]{1,20}|__builtin__ftrace|bpf");
    (address(), "[a-zA-Z?]", name(), module).prop_map(|(address, kind, name, module)| {
        let mut line = format!("{address} {kind} ").into_bytes();
        line.extend(name);
        line.extend(module.map(|module| format!("\t[{module}]")).unwrap_or_default().into_bytes());
        line
    })
}

/// Lines with bytes changed, put in or left out.
fn bad_line() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![proptest::sample::select(b" \t[]\0\r0fgG?(".to_vec()), any::<u8>()];
    let edits = proptest::collection::vec((any::<prop::sample::Index>(), 0..3, byte), 1..4);
    (sound_line(), edits).prop_map(|(mut line, edits)| {
        for (place, edit, byte) in edits {
            let place = place.index(line.len().max(1)).min(line.len());
            match edit {
                0 => line.insert(place, byte),
                1 if place < line.len() => line[place] = byte,
                _ => line.truncate(place),
            }
        }
        line
    })
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let hidden =
        sound_line().prop_map(|line| [b"0000000000000000".as_slice(), &line[16.min(line.len())..]].concat());
    let line = prop_oneof![8 => sound_line(), 3 => bad_line(), 1 => Just(Vec::new())];
    let lines = prop_oneof![
        4 => proptest::collection::vec(line, 0..12),
        1 => proptest::collection::vec(sound_line(), 1..12),
        1 => proptest::collection::vec(hidden, 1..5),
    ];
    (lines, any::<bool>()).prop_map(|(lines, ends)| {
        let mut text = lines.join(&b'\n');
        text.extend(ends.then_some(b'\n'));
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn as_the_slow_reader(text in text()) {
        check_text(&text);
    }

    #[test]
    fn as_the_slow_reader_on_anything(text in proptest::collection::vec(
        prop_oneof![proptest::sample::select(b"0f \nt\t[]".to_vec()), any::<u8>()], 0..200)
    ) {
        check_text(&text);
    }

    #[test]
    fn chunks_cut_anywhere(text in text(), places in proptest::collection::vec(any::<prop::sample::Index>(), 0..9)) {
        let mut places: Vec<usize> = places.iter().map(|place| place.index(text.len() + 1)).collect();
        places.extend([0, text.len()]);
        places.sort_unstable();
        let chunks = places.windows(2).map(|pair| &text[pair[0]..pair[1]]);
        prop_assert_eq!(of_chunks(chunks, text.len() + 1), of_slice(&text));
    }

    /// A carry buffer that is too small costs the lines that do not fit, and nothing else.
    #[test]
    fn a_small_carry(text in text(), chunk in 1usize..60, carry in 0usize..60) {
        let (expected, items) = (of_slice(&text), of_chunks(text.chunks(chunk), carry));
        let lines = lines(&text);
        let last_words = |items: &Items| items.iter().filter(|item| is_hidden(item)).count();
        prop_assert_eq!(items.len() - last_words(&items), lines.len());
        for (number, (item, expected)) in (1..).zip(items.iter().zip(&expected)).take(lines.len()) {
            let (offset, line) = lines[number as usize - 1];
            match item {
                Err(Error { line: found, offset: at, fault: Fault::LineTooLong { capacity } }) => {
                    prop_assert_eq!((*found, *capacity), (number, carry));
                    prop_assert_eq!(*at, (offset + carry) as u64);
                    prop_assert!(line.len() > carry);
                }
                _ => prop_assert_eq!(item, expected),
            }
        }
    }

    #[test]
    fn searches_as_a_filter(text in text(), pattern in "[a-z_]{0,2}|\\*[a-z_.]{1,3}\\*|[a-z_]\\*|\\*[a-c]?\\?") {
        let entries: Vec<Entry<'_>> = procfs::kallsyms(&text).flatten().collect();
        let hidden = of_slice(&text).iter().any(is_hidden);
        let names = entries.iter().map(|entry| entry.name).chain([pattern.as_bytes(), b"[xfs]", b"\n"]);
        for name in names {
            let expected: Vec<&Entry<'_>> = entries.iter().filter(|entry| entry.name == name).collect();
            check_search(&text, procfs::named(&text, name), &expected, hidden)?;
        }
        for glob in [Glob::kernel(&pattern), Glob::libbpf(&pattern)] {
            let expected: Vec<&Entry<'_>> = entries.iter().filter(|entry| glob.matches([entry.name])).collect();
            check_search(&text, procfs::matching(&text, glob), &expected, hidden)?;
        }
    }

    #[test]
    fn functions_as_the_slow_reader(
        functions in proptest::collection::vec(("[a-z_.]{1,40}", proptest::option::of("[a-z_]{1,9}"), any::<u64>()), 0..9)
    ) {
        let module = |module: &Option<String>| module.as_ref().map(|module| format!(" [{module}]")).unwrap_or_default();
        let plain: String = functions.iter().map(|(name, of, _)| format!("{name}{}\n", module(of))).collect();
        let with: String = functions.iter().map(|(name, of, at)| format!("{at:x} {name}{}\n", module(of))).collect();
        let expected = |addrs: bool| -> Vec<Result<Function<'_>, Error>> {
            let functions = (1..).zip(&functions).map(|(line, (name, module, at))| Function {
                line,
                addr: addrs.then_some(*at),
                name: name.as_bytes(),
                module: module.as_ref().map(String::as_bytes),
            });
            functions.map(Ok).collect()
        };
        prop_assert_eq!(procfs::available_filter_functions(plain.as_bytes()).collect::<Vec<_>>(), expected(false));
        prop_assert_eq!(procfs::available_filter_functions_addrs(with.as_bytes()).collect::<Vec<_>>(), expected(true));
        for chunk in 1..50 {
            prop_assert_eq!(names_of_chunks::<FilterFunctions>(plain.as_bytes(), chunk), names(&functions));
            prop_assert_eq!(names_of_chunks::<FilterFunctionsAddrs>(with.as_bytes(), chunk), names(&functions));
        }
    }
}

fn is_hidden(item: &Result<Owned, Error>) -> bool {
    item.as_ref().is_err_and(|error| matches!(error.fault, Fault::Hidden { .. }))
}

/// A search gives what a filter over all lines gives; of a hidden text it says so before the first symbol.
fn check_search<'t>(
    text: &'t [u8],
    found: impl Iterator<Item = Result<Entry<'t>, Error>>,
    expected: &[&Entry<'_>],
    hidden: bool,
) -> Result<(), TestCaseError> {
    let all = of_slice(text);
    let mut symbols = Vec::new();
    let mut said = false;
    for item in found {
        match item {
            Ok(entry) => {
                prop_assert!(said || !hidden);
                symbols.push(entry);
            }
            Err(error) => {
                said |= matches!(error.fault, Fault::Hidden { .. });
                prop_assert!(all.contains(&Err(error)), "{} is an error of no line", error);
            }
        }
    }
    prop_assert!(symbols.iter().eq(expected.iter().copied()));
    prop_assert_eq!(said, hidden && !expected.is_empty());
    Ok(())
}

fn names(functions: &[(String, Option<String>, u64)]) -> Vec<(u64, Vec<u8>)> {
    (1..).zip(functions).map(|(line, (name, ..))| (line, name.clone().into_bytes())).collect()
}

/// Line and name of every function, read in chunks.
fn names_of_chunks<F: for<'t> Format<Entry<'t> = Function<'t>>>(
    text: &[u8],
    chunk: usize,
) -> Vec<(u64, Vec<u8>)> {
    let mut names = Vec::new();
    let mut carry = [0; CARRY];
    let mut stream = Stream::<F>::new(&mut carry);
    let mut keep = procfs::strict::<F, ()>(|function| {
        names.push((function.line, function.name.to_vec()));
        Continue(())
    });
    for chunk in text.chunks(chunk) {
        let Continue(next) = stream.feed(chunk, &mut keep) else { unreachable!("no line is bad") };
        stream = next;
    }
    assert!(stream.finish(keep).is_continue());
    names
}

/// A text of one line and what is wrong with it, and where.
fn fault(line: &[u8]) -> (u64, Fault) {
    let text = [b"ffffffff81000000 T _stext\n", line, b"\nffffffff81000010 t after\n"].concat();
    check_text(&text);
    let items = of_slice(&text);
    assert_eq!(items.len(), 3);
    assert_eq!(
        items[2],
        Ok((0xffff_ffff_8100_0010, b't', b"after".to_vec(), None)),
        "the next line is intact"
    );
    let error = items[1].clone().expect_err("the line is bad");
    assert_eq!(error.line, 2);
    (error.offset - 26, error.fault)
}

#[test]
fn every_fault_with_its_place() {
    let space = |after, found| Fault::NoSpace { after, found };
    for (line, at, expected) in [
        (&b""[..], 0, Fault::Blank),
        (b" ", 0, Fault::NoAddress { found: b' ' }),
        (b"0x81000000 t name", 1, space(Part::Address, b'x')),
        (b"name", 0, Fault::NoAddress { found: b'n' }),
        (b"fffffff81000000 t name", 0, Fault::AddressDigits { digits: 15 }),
        (b"0ffffffff81000000 t name", 0, Fault::AddressDigits { digits: 17 }),
        (b"ffffffff81000g00 t name", 13, space(Part::Address, b'g')),
        (b"ffffffff81000000", 16, Fault::Ended { after: Part::Address }),
        (b"ffffffff81000000 ", 17, Fault::Ended { after: Part::Address }),
        (b"ffffffff81000000\tt name", 16, space(Part::Address, b'\t')),
        (b"ffffffff81000000 1 name", 17, Fault::Type { found: b'1' }),
        (b"ffffffff81000000  t name", 17, Fault::Type { found: b' ' }),
        (b"ffffffff81000000 t", 18, Fault::Ended { after: Part::Type }),
        (b"ffffffff81000000 tt name", 18, space(Part::Type, b't')),
        (b"ffffffff81000000 t ", 19, Fault::NoName),
        (b"ffffffff81000000 t \t[xfs]", 19, Fault::NoName),
        (b"ffffffff81000000 t name\t", 24, Fault::Module),
        (b"ffffffff81000000 t name\t[]", 24, Fault::Module),
        (b"ffffffff81000000 t name\t[xf", 24, Fault::Module),
        (b"ffffffff81000000 t name\t[xfs] ", 24, Fault::Module),
        (b"ffffffff81000000 t name\t[x\ts]", 26, Fault::Control { found: b'\t' }),
        (b"ffffffff81000000 t name\r", 23, Fault::Control { found: b'\r' }),
        (b"ffffffff81000000 t na\0me", 21, Fault::Control { found: 0 }),
    ] {
        assert_eq!(fault(line), (at, expected), "{:?}", String::from_utf8_lossy(line));
    }
}

#[test]
fn errors_say_what_and_where() {
    let said = |text: &[u8]| of_slice(text).into_iter().find_map(Result::err).expect("is bad").to_string();
    assert_eq!(said(b"\n"), "line 1, byte 0x0 of the text: a blank line");
    assert_eq!(
        said(b"0ffffffff81000000 t x\n"),
        "line 1, byte 0x0 of the text: an address of 17 digits, as no kernel prints it"
    );
    assert_eq!(
        said(b"ffffffff81000000 t x\ty"),
        "line 1, byte 0x15 of the text: what stands behind the name is not \
        [MODULE] to the end of the line"
    );
    assert_eq!(
        said(b"ffffffff81000000 t x\r\n"),
        "line 1, byte 0x14 of the text: a carriage return: the line ends \
        must be LF alone"
    );
    assert_eq!(
        said(b"0000000000000000 t x"),
        "all 1 addresses are zero: the kernel hides them (read as root, or set \
        kernel.kptr_restrict)"
    );
    let Some(Err(error)) = of_chunks([&b"ffffffff81000000 t long"[..]], 8).pop() else {
        panic!("fits in 8 bytes")
    };
    assert_eq!(
        error.to_string(),
        "line 1, byte 0x8 of the text: the line does not fit in the 8 bytes to carry it to the next chunk"
    );
}

/// Other readers leave `\t[xfs]` in the name.
#[test]
fn a_module_is_no_part_of_the_name() {
    let text =
        b"ffffffffc0201000 t xfs_agf_read\t[xfs]\nffffffffc0201010 t bpf_prog_6deef7357e7b4530\t[bpf]\n\
        ffffffffc0201020 t ftrace_trampoline\t[__builtin__ftrace]";
    check_text(text);
    let found: Vec<_> =
        of_slice(text).into_iter().map(|item| item.map(|(_, _, name, module)| (name, module))).collect();
    let expected = [
        ("xfs_agf_read", "xfs"),
        ("bpf_prog_6deef7357e7b4530", "bpf"),
        ("ftrace_trampoline", "__builtin__ftrace"),
    ];
    assert_eq!(found, expected.map(|(name, module)| Ok((name.into(), Some(module.into())))));
}

/// A blank line, or an address alone, swallows the next line in other readers; or the reading ends there.
#[test]
fn a_bad_line_costs_itself_alone() {
    for bad in [
        &b""[..],
        b"ffffffff81000008",
        b"ffffffff81000008 ",
        b"ffffffff81000008 t",
        b"ffffffff81000008 t ",
        b"#",
    ] {
        fault(bad);
    }
}

/// Fields are looked for on their own line only: `ADDRESS\nTYPE NAME` is no symbol.
#[test]
fn no_line_goes_on_behind_its_end() {
    let text =
        b"ffffffff81000000\nt name\nffffffff81000010 t\nname\nffffffff81000020 t \nffffffff81000030 t x\n";
    check_text(text);
    let numbers: Vec<u64> = of_slice(text).into_iter().filter_map(|item| Some(item.err()?.line)).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}

/// 17 digits are not 16 with one dropped.
#[test]
fn no_digit_of_an_address_is_dropped() {
    assert_eq!(fault(b"1ffffffff81000000 t name").1, Fault::AddressDigits { digits: 17 });
    assert_eq!(fault(b"ffffffff8100000000000000 t name").1, Fault::AddressDigits { digits: 24 });
    let text = b"fedcba9876543210 t name\n12345678 t name\n";
    let addresses: Vec<u64> = of_slice(text).into_iter().map(|item| item.expect("is sound").0).collect();
    assert_eq!(addresses, [0xfedc_ba98_7654_3210, 0x1234_5678]);
}

/// Names are cut at 499 bytes, or a name of 513 bytes overruns the buffer.
#[test]
fn names_of_any_length() {
    for len in [1, 31, 32, 33, 127, 128, 498, 499, 500, 511, 512, 513, 1023, 1024, 5_000, 100_000] {
        let name = "n".repeat(len);
        let text =
            format!("ffffffff81000000 t {name}\nffffffff81000010 t {name}\t[xfs]\nffffffff81000020 t z\n");
        let items = of_slice(text.as_bytes());
        check_items(text.as_bytes(), &items);
        assert_eq!(items[0].as_ref().map(|entry| entry.2.len()), Ok(len));
        for chunk in [7, 64, 499, 4096, len + 19, len + 20, len + 21] {
            assert_eq!(of_chunks(text.as_bytes().chunks(chunk), len + 26), items);
        }
        // Where it lies in one chunk no buffer bounds it.
        assert_eq!(of_chunks([text.as_bytes()], 0), items);
    }
}

/// The kernel's longest line fits in the carry buffer that is named for it.
#[test]
fn the_longest_line_of_a_kernel_can_be_carried() {
    let text = format!("ffffffff81000000 t {}\t[{}]\n", "n".repeat(511), "m".repeat(55));
    assert_eq!(of_chunks(text.as_bytes().chunks(1), CARRY), of_slice(text.as_bytes()));
    assert!(of_slice(text.as_bytes())[0].is_ok());
}

#[test]
fn a_last_line_without_lf_counts() {
    let text = b"ffffffff81000000 T _stext\nffffffff81000010 t last";
    check_text(text);
    assert_eq!(of_slice(text).len(), 2);
    assert_eq!(of_slice(b""), []);
    assert_eq!(of_slice(b"\n").len(), 1);
    assert_eq!(of_chunks([], 0), []);
    assert_eq!(of_chunks([&b""[..], b"", b"\n", b""], 0), of_slice(b"\n"));
}

#[test]
fn a_null_address_is_zero() {
    let text = b"          (null) A fixed_percpu_data\n(null) A cpu_debug_store\nffffffff81000000 T _stext\n";
    check_text(text);
    assert_eq!(of_slice(text)[0], Ok((0, b'A', b"fixed_percpu_data".to_vec(), None)));
    assert_eq!(of_slice(text)[1], Ok((0, b'A', b"cpu_debug_store".to_vec(), None)));
    assert_eq!(of_slice(text).len(), 3);
    assert_eq!(fault(b"(nil) A x").1, Fault::NoAddress { found: b'(' });
}

/// Zeros of kptr_restrict are taken for addresses.
#[test]
fn hidden_is_not_address_zero() {
    let hidden = b"0000000000000000 A fixed_percpu_data\n0000000000000000 T _stext\n";
    check_text(hidden);
    let fault = Fault::Hidden { symbols: 2 };
    assert_eq!(of_slice(hidden)[2], Err(Error { line: 2, offset: hidden.len() as u64, fault }));
    assert_eq!(procfs::find(hidden, "_stext").map_err(|error| error.fault), Err(fault));
    assert_eq!(procfs::find(hidden, "no_such_name"), Ok(None));
    let strict: Result<Vec<Entry<'_>>, Error> = procfs::kallsyms(hidden).collect();
    assert_eq!(strict.map_err(|error| error.fault), Err(fault));
    // Real symbols at address 0, of a listing that hides nothing.
    let shown = [&hidden[..], b"ffffffff81000000 T _text\n"].concat();
    check_text(&shown);
    assert_eq!(of_slice(&shown).len(), 3);
    let found = procfs::find(&shown, "fixed_percpu_data").expect("is shown").expect("is there");
    assert_eq!((found.addr, found.kind), (0, b'A'));
    // A text without symbols hides none.
    assert_eq!(of_slice(b"0000000000000000\n").len(), 1);
}

/// The value of the callback comes back, from every call that can make one.
#[test]
fn the_callback_stops_early_with_its_value() {
    let text = b"ffffffff81000000 T _stext\nffffffff81000010 t second\nffffffff81000020 t third";
    let seen = Cell::new(0);
    let mut carry = [0; CARRY];
    let mut look_for = |name: &'static [u8], chunk: usize| {
        seen.set(0);
        let mut look_at = procfs::strict::<Kallsyms, _>(|entry| {
            seen.set(seen.get() + 1);
            if entry.name == name { Break(entry.addr) } else { Continue(()) }
        });
        let mut stream = Stream::<Kallsyms>::new(&mut carry);
        for chunk in text.chunks(chunk) {
            stream = stream.feed(chunk, &mut look_at)?;
        }
        stream.finish(look_at)
    };
    for chunk in 1..=text.len() {
        assert_eq!((look_for(b"_stext", chunk), seen.get()), (Break(Ok(0xffff_ffff_8100_0000)), 1));
        assert_eq!((look_for(b"second", chunk), seen.get()), (Break(Ok(0xffff_ffff_8100_0010)), 2));
        assert_eq!((look_for(b"third", chunk), seen.get()), (Break(Ok(0xffff_ffff_8100_0020)), 3));
        assert_eq!((look_for(b"fourth", chunk), seen.get()), (Continue(()), 3));
    }
}

/// Strict: the first bad line ends the reading, and is said.
#[test]
fn strict_ends_at_the_first_bad_line() {
    let text = b"ffffffff81000000 T _stext\n\nffffffff81000010 t second\n#\n";
    let expected = Error { line: 2, offset: 26, fault: Fault::Blank };
    let all: Result<Vec<Entry<'_>>, Error> = procfs::kallsyms(text).collect();
    assert_eq!(all, Err(expected));
    for chunk in 1..60 {
        let mut carry = [0; CARRY];
        let mut seen = Vec::new();
        let mut keep = procfs::strict::<Kallsyms, ()>(|entry| {
            seen.push(entry.addr);
            Continue(())
        });
        let mut read = || {
            let mut stream = Stream::<Kallsyms>::new(&mut carry);
            for chunk in text.chunks(chunk) {
                stream = stream.feed(chunk, &mut keep)?;
            }
            stream.finish(&mut keep)
        };
        assert_eq!(read(), Break(Err(expected)));
        drop(keep);
        assert_eq!(seen, [0xffff_ffff_8100_0000]);
    }
}

/// Only lines that have the name are read; what is wrong with these is said, with their numbers.
#[test]
fn a_search_says_what_is_wrong_with_the_lines_it_reads() {
    let text = b"#\nffffffff81000000 T _stext\n#\nffffffff81000010 1 tcp_sendmsg\n#\n\
        ffffffff81000020 T tcp_sendmsg\nffffffff81000030 t tcp_sendmsg_locked\n1 t tcp_sendmsg";
    let of = |line, offset, fault| Err(Error { line, offset, fault });
    let sound = Entry { addr: 0xffff_ffff_8100_0020, kind: b'T', name: b"tcp_sendmsg", module: None };
    let locked = Entry { addr: 0xffff_ffff_8100_0030, kind: b't', name: b"tcp_sendmsg_locked", module: None };
    let first = of(4, 47, Fault::Type { found: b'1' });
    let last = of(8, 132, Fault::AddressDigits { digits: 1 });
    assert_eq!(procfs::find(text, "tcp_sendmsg").map(|found| found.is_some()), first.map(|_: ()| true));
    let named: Vec<_> = procfs::named(text, "tcp_sendmsg").collect();
    assert_eq!(named, [first.map(|()| sound), Ok(sound), last.map(|()| sound)]);
    let matching: Vec<_> = procfs::matching(text, Glob::kernel("*sendmsg*")).collect();
    assert_eq!(matching, [first.map(|()| sound), Ok(sound), Ok(locked), last.map(|()| sound)]);
    assert_eq!(procfs::find(text, "_stext").map(|found| found.map(|found| found.kind)), Ok(Some(b'T')));
}

/// What looks like the name elsewhere on a line is not it.
#[test]
fn a_search_compares_names_alone() {
    let text =
        b"ffffffffc0201000 t xfs_read\t[xfs]\nffffffffc0201010 t xfs\nffffffffc0201020 t a xfs\t[xfs]\n\
        ffffffffc0201030 t xfs\t[ffff]\n";
    let addresses = |name: &str| -> Vec<u64> {
        procfs::named(text, name).map(|entry| entry.expect("is sound").addr & 0xff).collect()
    };
    assert_eq!(addresses("xfs"), [0x10, 0x30]);
    assert_eq!(addresses("a xfs"), [0x20]);
    assert_eq!(addresses("ffff"), [0; 0]);
    assert_eq!(addresses("t"), [0; 0]);
    assert_eq!(addresses(""), [0; 0]);
    assert_eq!(addresses("xfs\t[ffff]"), [0; 0]);
    assert_eq!(addresses("xfs\nffffffffc0201020"), [0; 0]);
    let all: Vec<u64> = procfs::matching(text, Glob::kernel("*xfs"))
        .map(|entry| entry.expect("is sound").addr & 0xff)
        .collect();
    assert_eq!(all, [0x10, 0x20, 0x30]);
}

/// A name that stands twice on its line, first where it is no name.
#[test]
fn a_search_goes_on_within_a_line() {
    let text = b"ffffffff81000000 T first\nffffffff8099c4dd a dd\nffffffff8099c4ee t x__ee\t[ee]\nffffffff810000ee t ee\n\
        ffffffff81000010 t    y\n";
    for (name, addr) in [
        ("dd", 0xffff_ffff_8099_c4dd),
        ("ee", 0xffff_ffff_8100_00ee),
        ("ff", 0),
        ("  y", 0),
        ("   y", 0xffff_ffff_8100_0010_u64),
    ] {
        let found = procfs::find(text, name).expect("no line is bad");
        assert_eq!(found.map_or(0, |entry| entry.addr), addr, "{name}");
    }
}

#[test]
fn functions_keep_their_line_numbers() {
    let text =
        b"do_one_initcall\n__ftrace_invalid_address___64\nxfs_agf_read [xfs]\n__ftrace_invalid_address___\n";
    let functions: Vec<Function<'_>> =
        procfs::available_filter_functions(text).map(|line| line.expect("is sound")).collect();
    let told: Vec<_> =
        functions.iter().map(|one| (one.line, one.module, one.is_placeholder(), one.addr)).collect();
    let expected = [
        (1, None, false, None),
        (2, None, true, None),
        (3, Some(&b"xfs"[..]), false, None),
        (4, None, false, None),
    ];
    assert_eq!(told, expected);
    assert_eq!(functions[2].name, b"xfs_agf_read");
    let with = b"ffffffff81000010 do_one_initcall\nc0de xfs_agf_read [xfs]";
    let functions: Vec<Function<'_>> =
        procfs::available_filter_functions_addrs(with).map(|line| line.expect("is sound")).collect();
    let xfs = Function { line: 2, addr: Some(0xc0de), name: b"xfs_agf_read", module: Some(b"xfs") };
    assert_eq!(functions[1], xfs);
    assert_eq!(functions[0].addr, Some(0xffff_ffff_8100_0010));
}

#[test]
fn faults_of_functions() {
    fn faults<F: for<'t> Format<Entry<'t> = Function<'t>>>(lines: Lines<'_, F>) -> Vec<(u64, u64, Fault)> {
        lines.filter_map(|line| line.err().map(|error| (error.line, error.offset, error.fault))).collect()
    }
    let text = b"first\n\n [xfs]\nname [xfs\nname\t[xfs]\nname [xfs] more\nlast [xfs]\n";
    let expected = [
        (2, 6, Fault::Blank),
        (3, 7, Fault::NoName),
        (4, 19, Fault::Module),
        (5, 28, Fault::Control { found: b'\t' }),
        (6, 40, Fault::Module),
    ];
    assert_eq!(faults(procfs::available_filter_functions(text)), expected);
    let text = b"name\nc0de\nc0de name\n123456789abcdef01 name\nc0de \n0 name\n";
    let expected = [
        (1, 0, Fault::NoAddress { found: b'n' }),
        (2, 9, Fault::Ended { after: Part::Address }),
        (4, 20, Fault::AddressDigits { digits: 17 }),
        (5, 48, Fault::NoName),
    ];
    assert_eq!(faults(procfs::available_filter_functions_addrs(text)), expected);
}

#[test]
fn nothing_allocates() {
    let text =
        b"ffffffff81000000 T _stext\nffffffffc0201000 t xfs_agf_read\t[xfs]\n\nffffffff81000010 t last";
    let (found, calls) = calls_during(|| {
        let mut carry = [0; CARRY];
        let mut bytes = 0;
        let mut stream = Stream::<Kallsyms>::new(&mut carry);
        let mut count = |line: Result<Entry<'_>, Error>| -> ControlFlow<()> {
            bytes += line.map_or(0, |entry| entry.name.len());
            Continue(())
        };
        for chunk in text.chunks(10) {
            let Continue(next) = stream.feed(chunk, &mut count) else { return 0 };
            stream = next;
        }
        let ended = stream.finish(&mut count).is_continue();
        let found =
            procfs::matching(text, Glob::kernel("*agf*")).count() + procfs::named(text, "last").count();
        bytes + found + usize::from(ended) + procfs::kallsyms(text).count()
    });
    assert_eq!((found, calls), (6 + 12 + 4 + 2 + 1 + 4, 0));
}

/// The kernel that runs here, line by line.
#[test]
fn the_hosts_listing() {
    let name = "the_hosts_listing";
    let Ok(text) = std::fs::read("/proc/kallsyms") else {
        return skip(name, "/proc/kallsyms cannot be read");
    };
    if text.is_empty() {
        return skip(name, "/proc/kallsyms is empty");
    }
    let items = of_slice(&text);
    check_items(&text, &items);
    assert!(items.iter().all(|item| item.is_ok() || is_hidden(item)));
    for chunk in [1_000, 4_096, 65_536] {
        assert!(of_chunks(text.chunks(chunk), CARRY) == items, "chunks of {chunk}");
    }
    if items.iter().any(is_hidden) {
        return skip(name, "addresses are hidden (kernel.kptr_restrict): nothing is searched");
    }
    for item in items.iter().step_by(997).flatten() {
        let expected: Vec<u64> =
            items.iter().flatten().filter(|entry| entry.2 == item.2).map(|entry| entry.0).collect();
        let found: Vec<u64> =
            procfs::named(&text, &item.2).map(|entry| entry.expect("is sound").addr).collect();
        assert_eq!(found, expected);
    }
    for pattern in ["*sched*", "tcp_*", "*_lock", "vfs_[rw]*"] {
        let glob = Glob::kernel(pattern);
        let expected =
            items.iter().flatten().filter(|entry| glob.matches([&entry.2[..]])).map(|entry| &entry.2[..]);
        let found: Vec<&[u8]> =
            procfs::matching(&text, glob).map(|entry| entry.expect("is sound").name).collect();
        assert!(expected.eq(found.iter().copied()), "{pattern}");
        assert!(!found.is_empty(), "{pattern}");
    }
}
