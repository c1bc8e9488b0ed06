//! Searches by name and by pattern.

use kallsyms_core::glob::Glob;
use kallsyms_core::procfs::{self, Entry, Error, Fault};

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
