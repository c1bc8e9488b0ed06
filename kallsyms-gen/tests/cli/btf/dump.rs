//! Types as text, and the report.

use super::*;

#[test]
fn types_are_printed_as_bpftool_does_and_in_c() {
    let folder = Folder::new("btf-dump");
    let file = folder.write("btf.bin", btf(false));
    let lines = "[1] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED\n\
                 [2] STRUCT 'task' size=16 vlen=2\n\t'i' type_id=1 bits_offset=0\n\t'next' type_id=3 bits_offset=64\n\
                 [3] PTR '(anon)' type_id=2\n\
                 [4] FUNC 'do_work' type_id=5 linkage=static\n\
                 [5] FUNC_PROTO '(anon)' ret_type_id=1 vlen=1\n\t'i' type_id=1\n\
                 [6] TYPEDEF 'task' type_id=2\n\
                 [7] TYPEDEF 'c_int' type_id=1\n";
    assert_eq!(found(&kallsyms(&["btf", "dump", &file])), (Some(0), lines, ""));
    let run = kallsyms(&["btf", "dump", &file, "task"]);
    let lines = "struct task {\n\tint i;\n\tstruct task *next;\n};\ntypedef struct task task;\n";
    assert_eq!(found(&run), (Some(0), lines, ""));
}

#[test]
fn types_of_a_kind_or_of_a_number_are_printed() {
    let folder = Folder::new("btf-dump-some");
    let file = folder.write("btf.bin", btf(false));
    let structure = "struct task {\n\tint i;\n\tstruct task *next;\n};\n";
    let typedefs = "[6] TYPEDEF 'task' type_id=2\n[7] TYPEDEF 'c_int' type_id=1\n";
    for (arguments, lines) in [
        (&["task", "--kind", "STRUCT"][..], structure),
        (&["task", "--kind", "typedef"], "typedef struct task task;\n"),
        (&["--kind", "typedef"], typedefs),
        (&["--kind", "void"], "[0] VOID 'void'\n"),
        (&["--id", "2"], structure),
        (&["--id", "3"], "struct task *;\n"),
        (&["--id", "0"], "void;\n"),
    ] {
        let run = kallsyms(&[&["btf", "dump", &file], arguments].concat());
        assert_eq!(found(&run), (Some(0), lines, ""), "{arguments:?}");
    }
    for (arguments, said) in [
        (&["task", "--kind", "func"][..], "no FUNC 'task', but a STRUCT and a TYPEDEF"),
        (&["--kind", "union"], "no UNION"),
        (&["--id", "8"], "no type 8: the last one is 7"),
    ] {
        let run = kallsyms(&[&["btf", "dump", &file], arguments].concat());
        let said = format!("kallsyms: {file}: {said}\n");
        assert_eq!(found(&run), (Some(1), "", &*said), "{arguments:?}");
    }
    for arguments in [&["task", "--id", "2"][..], &["--id", "2", "--kind", "struct"], &["--id", "x"]] {
        assert_eq!(kallsyms(&[&["btf", "dump", &file], arguments].concat()).code, Some(2), "{arguments:?}");
    }
    let split = folder.write("module", module(false));
    let run = kallsyms(&["btf", "dump", &split, "--base", &file, "--id", "8"]);
    assert_eq!(found(&run), (Some(0), "struct zone {\n\tint i;\n};\n", ""));
    let run = kallsyms(&["btf", "dump", &split, "--base", &file, "--id", "2"]);
    assert_eq!(found(&run), (Some(0), structure, ""), "of the base too");
}

#[test]
fn a_report_has_the_facts() {
    let folder = Folder::new("btf-stat");
    let file = folder.write("btf.bin", btf(true));
    let run = kallsyms(&["btf", "stat", &file]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let kinds = "kind                  types\n\
                 INT                       1\nPTR                       1\nSTRUCT                    1\n\
                 TYPEDEF                   2\nFUNC                      1\nFUNC_PROTO                1\n";
    let facts = "types            7, 1 to 7\n\
                 named            5\n\
                 duplicates       none\n\
                 sorted           no: the name of type 3 comes before that of the type in front of it\n\
                 references       sound\n\
                 base             none: it stands on its own\n\
                 byte order       big-endian\n\
                 header           24 bytes\n\
                 layout section   none\n\
                 type section     120 bytes\n\
                 string section   36 bytes\n\
                 .BTF.ext         none\n\
                 pointer          8 bytes\n";
    assert_eq!(run.out, format!("{facts}\n{kinds}"));
    let (split, out) = (folder.write("module", module(true)), folder.path("sorted"));
    let run = kallsyms(&["btf", "stat", &split, "--base", &file]);
    for line in ["types            2, 8 to 9\n", "base             7 types, 36 bytes of strings\n"] {
        assert!(run.out.contains(line), "{}", run.out);
    }
    assert_eq!(kallsyms(&["btf", "sort", &file, "-o", &out]).code, Some(0));
    assert!(kallsyms(&["btf", "stat", &out]).out.contains("sorted           yes, by name\n"));
    let twice = folder.write("twice", btf_over(0, STRINGS, &[KERNEL[0], KERNEL[0]], false));
    let run = kallsyms(&["btf", "stat", &twice]);
    let line = "duplicates       1 pairs of name and kind that more than one type has\n";
    assert!(run.out.contains(line), "{}", run.out);
    let astray = folder.write("astray", btf_over(0, STRINGS, &[("", &[POINTER, 9])], false));
    let run = kallsyms(&["btf", "stat", &astray]);
    let line = "references       type 1 refers at 0x20 to type 9, which is not there\n";
    assert_eq!((run.code, run.out.contains(line)), (Some(0), true), "{}", run.out);
}
