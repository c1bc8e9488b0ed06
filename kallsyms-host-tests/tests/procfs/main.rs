//! The text that Linux exports, against a second reading of it line by line; the faults of other readers by
//! name.

mod entries;
mod faults;
mod functions;
mod host;
mod properties;
mod searches;
mod slow_reader;
mod streams;
mod texts;

use std::ops::ControlFlow::{self, Continue};

use kallsyms_core::glob::Glob;
use kallsyms_core::procfs::{self, CARRY, Entry, Error, Fault, Kallsyms, Stream};
use kallsyms_host_tests::counting_alloc::{CountingAlloc, calls_during};

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc;

/// An entry that owns its names.
type Owned = (u64, u8, Vec<u8>, Option<Vec<u8>>);

/// What readers give for a text, in order.
type Items = Vec<Result<Owned, Error>>;

fn owned(entry: &Entry<'_>) -> Owned {
    (entry.addr, entry.kind, entry.name.to_vec(), entry.module.map(<[u8]>::to_vec))
}

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

fn is_hidden(item: &Result<Owned, Error>) -> bool {
    item.as_ref().is_err_and(|error| matches!(error.fault, Fault::Hidden { .. }))
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
