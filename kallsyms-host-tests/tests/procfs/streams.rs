//! Readings that end early.

use std::cell::Cell;
use std::ops::ControlFlow::{Break, Continue};

use kallsyms_core::procfs::{self, CARRY, Entry, Error, Fault, Kallsyms, Stream};

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
