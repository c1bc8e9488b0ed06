//! The listing of the machine that the tests run on.

use kallsyms_core::glob::Glob;
use kallsyms_core::procfs::{self, CARRY};
use kallsyms_host_tests::skip::skip;

use kallsyms_host_tests::properties::procfs::{check_items, is_hidden, of_chunks, of_slice};

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
