//! Lines that other readers take for something else.

use kallsyms_core::procfs::{CARRY, Fault};

use crate::faults::fault;
use kallsyms_host_tests::properties::procfs::{check_items, check_text, of_chunks, of_slice};

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
