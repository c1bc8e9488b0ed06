//! The text that Linux exports, against a second reading of it line by line; the faults of other readers by
//! name.

mod entries;
mod faults;
mod functions;
mod host;
mod properties;
mod searches;
mod streams;
mod texts;

use std::ops::ControlFlow::{self, Continue};

use kallsyms_core::glob::Glob;
use kallsyms_core::procfs::{self, CARRY, Entry, Error, Kallsyms, Stream};
use kallsyms_host_tests::counting_alloc::{CountingAlloc, calls_during};

#[global_allocator]
static ALLOCATOR: CountingAlloc = CountingAlloc;

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
