//! What is wrong with a line or a text, and where.

use kallsyms_core::procfs::{self, Entry, Error, Fault, Part};

use kallsyms_host_tests::properties::procfs::{check_text, of_chunks, of_slice};

/// A text of one line and what is wrong with it, and where.
pub(crate) fn fault(line: &[u8]) -> (u64, Fault) {
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
