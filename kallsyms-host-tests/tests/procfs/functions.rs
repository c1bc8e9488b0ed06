//! The functions of ftrace.

use kallsyms_core::procfs::{self, Fault, Format, Function, Lines, Part};

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
