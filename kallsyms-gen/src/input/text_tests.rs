use proptest::prelude::*;

use super::*;
use crate::input::{self, Input};

fn parse(text: impl AsRef<[u8]>) -> Result<Input, Error> {
    input::read(text.as_ref(), &Options::default())
}

/// The symbols as lines again.
fn lines(symbols: &Symbols) -> Vec<u8> {
    let mut text = Vec::new();
    for symbol in &symbols.list {
        let width = usize::from(symbols.address_digits);
        text.extend(format!("{:0width$x} {} ", symbol.address, char::from(symbol.kind)).bytes());
        text.extend(&symbol.name);
        if let Some(module) = symbol.module {
            text.extend([&b"\t["[..], &symbols.modules[module as usize], b"]"].concat());
        }
        text.push(b'\n');
    }
    text
}

/// Field report 26: the module column is parsed.
#[test]
fn sorted_text_comes_back_as_it_is() {
    let text = "0000000000000000 A fixed_percpu_data\n\
                ffffffff81000000 T z\n\
                ffffffff81000000 T _stext\n\
                ffffffff81000000 t a::b::<c d>\n\
                ffffffff81000010 W w\n\
                ffffffffc0201000 t f\t[xfs]\n\
                ffffffffc0201000 t f\t[ext4]\n\
                ffffffffc0201010 ? odd\tname\n\
                ffffffffc0201020 d x\ty\t[xfs]\n\
                ffffffffc0201030 d x\t[]\n\
                ffffffffffffffff T last\n";
    let Input { symbols, left_out } = parse(text).expect("symbols");
    assert_eq!(String::from_utf8(lines(&symbols)).as_deref(), Ok(text));
    assert_eq!((symbols.list.len(), left_out), (11, LeftOut::Nothing));
    assert_eq!(symbols.modules, [b"xfs".to_vec(), b"ext4".to_vec()]);
    assert_eq!((symbols.list[8].name.as_slice(), symbols.list[8].module), (&b"x\ty"[..], Some(0)));
    assert_eq!(symbols.list[9].name, b"x\t[]");
    assert_eq!((symbols.address_digits, symbols.covered_last), (16, None));
    assert!(symbols.list.iter().all(|symbol| symbol.size.is_none() && symbol.parent.is_none()));
}

#[test]
fn unsorted_text_is_sorted_stably() {
    let text = "00000020 T c\n00000010 T z\n00000020 T b\n00000010 T a\n00000020 T c\n";
    let Input { symbols, .. } = parse(text).expect("symbols");
    let sorted = "00000010 T z\n00000010 T a\n00000020 T c\n00000020 T b\n00000020 T c\n";
    assert_eq!(String::from_utf8(lines(&symbols)).as_deref(), Ok(sorted));
    assert_eq!(symbols.address_digits, 8);
}

#[test]
fn undefined_symbols_of_nm_are_counted() {
    let text = "                 U puts\n0000000000001139 T main\n                 w __gmon_start__\n";
    let Input { symbols, left_out } = parse(text).expect("symbols");
    assert_eq!((symbols.list.len(), left_out), (1, LeftOut::Undefined(2)));
    let error = parse("                 U puts\n").expect_err("nothing has an address");
    assert_eq!(error, Error::NoTextSymbols { undefined: 1 });
    assert_eq!(
        parse("         U puts\n00001139 T main\n").expect("32-bit nm").left_out,
        LeftOut::Undefined(1)
    );
}

#[test]
fn the_last_line_feed_and_carriage_returns_may_be_there_or_not() {
    let expected = parse("00000010 T a\n00000020 T b\n").expect("symbols");
    assert_eq!(parse("00000010 T a\n00000020 T b").as_ref(), Ok(&expected));
    assert_eq!(parse("00000010 T a\r\n00000020 T b\r\n").as_ref(), Ok(&expected));
    assert_eq!(parse("00000010 T a\r\n00000020 T b").as_ref(), Ok(&expected));
    let kept = parse("00000010 T a\n00000020 T b\r\n").expect("symbols");
    assert_eq!(kept.symbols.list[1].name, b"b\r");
}

/// Field report 25.
#[test]
fn hidden_addresses_are_an_error_of_their_own() {
    let text = "0000000000000000 T a\n0000000000000000 T b\t[xfs]\n";
    let error = parse(text).expect_err("hidden");
    assert_eq!(error, Error::Hidden { symbols: 2 });
    assert!(error.to_string().contains("kptr_restrict") && error.to_string().contains("as root"));
    assert_eq!(parse("0000000000000000 T only\n").expect("one symbol").symbols.list[0].address, 0);
}

#[test]
fn garbage_names_the_line_and_what_was_expected() {
    let first = "00000010 T a\n";
    let cases: [(&[u8], &str); 15] = [
        (b"hello world", LINE),
        (b"", LINE),
        (b"00000010", LINE),
        (b"00000010 T", LINE),
        (b"00000010 T ", "a name after the type letter"),
        (b"00000010 T \t[xfs]", "a name after the type letter"),
        (b"00000010  T a", "a type letter and a space after the address"),
        (b"00000010 00000004 T a", "no sizes: nm without -S"),
        (b"00000010 - a", "a type letter and a space after the address"),
        (b"0000000000000010 T a", "an address of as many digits as the lines before have"),
        (b"0010 T a", "an address of 8 or 16 hexadecimal digits"),
        (b"0x000010 T a", LINE),
        (b"00000010\tT\ta", LINE),
        (b" U a", "an address of 8 or 16 hexadecimal digits"),
        (b"00000010 T a\0b", "text without NUL bytes"),
    ];
    for (line, expected) in cases {
        let text = [first.as_bytes(), line, b"\n"].concat();
        let found = excerpt(line);
        assert_eq!(parse(&text), Err(Error::Line { line: 2, expected, found }), "{}", line.escape_ascii());
    }
    let error = parse(b"\x7fNOT AN ELF FILE\x00\xff and a lot of more text than fits").expect_err("garbage");
    let text = "line 1: expected text without NUL bytes, \
                found `\\u{7f}NOT AN ELF FILE\\0\u{fffd} and a lot of more text…`";
    assert_eq!(error.to_string().split(", found").next(), text.split(", found").next());
}

#[test]
fn names_are_bytes_of_any_length_up_to_a_mebibyte() {
    let name = |name: &[u8]| {
        let symbols = parse([b"ffffffffffffffff T ", name, b"\n"].concat()).map(|input| input.symbols);
        symbols.map(|symbols| symbols.list[0].name.clone())
    };
    for odd in [&b"na\xc3\xafve_\xe2\x82\xac"[..], b"\xff\xfe", b" leading", b"trailing ", b"[x]"] {
        assert_eq!(name(odd).as_deref(), Ok(odd));
    }
    assert_eq!(name(&vec![b'x'; 64 << 10]).map(|name| name.len()), Ok(64 << 10));
    assert_eq!(name(&vec![b'x'; 1 << 20]).map(|name| name.len()), Ok(1 << 20));
    let error = name(&vec![b'x'; 2 << 20]).expect_err("2 MiB");
    assert_eq!(error, Error::NameTooLong { place: Place::Line(1), len: 2 << 20 });
    assert_eq!(error.to_string(), "line 1: a name of 2097152 bytes, at most 1048576 are possible");
}

#[test]
fn options_apply_to_text() {
    let text = "00000010 t __pfx_f\n00000020 T f\n00000030 T _ZN5space3fooEibc\n";
    let names = |options: Options| {
        let input = input::read(text.as_bytes(), &options).expect("symbols");
        input.symbols.list.into_iter().map(|symbol| symbol.name).collect::<Vec<_>>()
    };
    assert_eq!(names(Options::default()), [&b"__pfx_f"[..], b"f", b"_ZN5space3fooEibc"]);
    let options = Options { demangling: Demangling::Always, drop_padding: true, ..Options::default() };
    assert_eq!(names(options), [&b"f"[..], b"space::foo(int, bool, char)"]);
}

#[test]
fn other_contents_are_told_apart() {
    assert_eq!(parse(""), Err(Error::Empty));
    assert_eq!(parse(kallsyms_core::image::layout::MAGIC), Err(Error::AlreadyImage));
    assert!(matches!(parse("\x7fELF"), Err(Error::ElfTruncated { .. })));
    assert!(matches!(parse("\n"), Err(Error::Line { line: 1, .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_sorted_text_comes_back(
        mut addresses in proptest::collection::vec(any::<u64>(), 1..20),
        names in proptest::collection::vec("[^\\x00\n]{1,12}", 20),
        modules in proptest::collection::vec(proptest::option::of("[a-z]{1,3}"), 20),
    ) {
        addresses.sort_unstable();
        addresses.push(u64::MAX);
        let mut text = String::new();
        for ((address, name), module) in addresses.iter().zip(&names).zip(&modules) {
            let module = module.as_ref().map_or_else(String::new, |module| format!("\t[{module}]"));
            text += &format!("{address:016x} t {name}{module}\n");
        }
        let first_ends_in_cr = text.lines().next().is_some_and(|_| text.split('\n').next().unwrap_or("").ends_with('\r'));
        prop_assume!(!first_ends_in_cr);
        let Input { symbols, .. } = parse(&text).expect("sound text");
        prop_assert_eq!(String::from_utf8(lines(&symbols)), Ok(text));
    }

    #[test]
    fn any_bytes_give_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
        let _ = parse([b"00000010 T a\n", bytes.as_slice()].concat());
    }
}

/// The running kernel's own table, where it can be read.
#[test]
fn the_hosts_kallsyms_comes_back_sorted_stably() {
    let path = "/proc/kallsyms";
    let skip = |reason: std::fmt::Arguments<'_>| {
        let test = "input::text::tests::the_hosts_kallsyms_comes_back_sorted_stably";
        let line = format!("test {test} ... SKIPPED: {path} {reason}\n");
        // Past the test harness's capture; nothing to do about a closed stderr.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    };
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) => return skip(format_args!("is not readable: {error}")),
    };
    match parse(&text) {
        Ok(Input { symbols, .. }) => {
            let width = usize::from(symbols.address_digits);
            let mut expected: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
            expected.sort_by_key(|line| &line[..width]);
            assert!(lines(&symbols) == expected.concat(), "the text differs");
        }
        Err(Error::Hidden { .. }) => skip(format_args!("hides its addresses")),
        Err(error) => panic!("{error}"),
    }
}

/// Debian installs this beside the kernel.
#[test]
fn a_stub_of_system_map_is_named() {
    let stub = b"ffffffffffffffff B The real System.map is in the linux-image-<version>-dbg package\n";
    let refused = super::read(stub, &Options::default()).expect_err("holds no symbols");
    assert!(matches!(refused, Error::SystemMapStub) && refused.to_string().contains("vmlinuz"), "{refused}");
}
