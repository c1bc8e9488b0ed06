//! Another order.

use super::*;

#[test]
fn types_are_sorted() {
    let folder = Folder::new("btf-sort");
    for big in [false, true] {
        let (file, out) = (folder.write("in.btf", btf(big)), folder.path("out.btf"));
        let run = kallsyms(&["btf", "sort", &file, "-o", &out]);
        let said = format!(
            "kallsyms: {file}: 7 types, 6 of them with a new number\n\
             kallsyms: {file}: where it is a kernel's, the BTF of its modules has the old numbers, and does not fit\n"
        );
        assert_eq!(found(&run), (Some(0), "", &*said));
        let sorted = folder.read("out.btf");
        assert!(SortedBtf::new(Btf::parse(&sorted).expect("is sound")).is_ok());
        assert_eq!(sorted, sort(&Btf::parse(&btf(big)).expect("is sound"), None).expect("is followed").bytes);
        let names = "[6] STRUCT 'task'\n[7] TYPEDEF 'task'\n";
        assert_eq!(kallsyms(&["btf", "find", &out, "task"]).out, names);
        // In place, and to stdout; what is sorted stays.
        let run = kallsyms(&["btf", "sort", &out, "-o", &out]);
        let said = format!("kallsyms: {out}: its 7 types are in order: written as they are\n");
        assert_eq!(found(&run), (Some(0), "", &*said));
        assert_eq!(folder.read("out.btf"), sorted);
        let run = kallsyms_with_input(&["btf", "sort", "-", "-o", "-"], &btf(big));
        assert_eq!((run.status.code(), run.stdout), (Some(0), sorted));
    }
}

#[test]
fn a_program_keeps_its_ext() {
    let folder = Folder::new("btf-ext");
    let file = folder.write("program.o", elf(&[(".BTF", &btf(false)), (".BTF.ext", &ext())]));
    let (out, new_ext) = (folder.path("out.btf"), folder.path("out.ext"));
    let run = kallsyms(&["btf", "sort", &file, "-o", &out]);
    assert_eq!(run.code, Some(0));
    assert!(run.err.ends_with("(--ext FILE writes one with the new)\n"), "{}", run.err);
    assert!(!run.err.contains("modules"), "{}", run.err);
    let run = kallsyms(&["btf", "sort", &file, "-o", &out, "--ext", &new_ext]);
    assert_eq!((run.code, run.err.lines().count()), (Some(0), 1), "{}", run.err);
    // (anon), (anon), c_int, do_work: the number of the function happens to stay.
    let run = kallsyms(&["btf", "find", &out, "do_work"]);
    let id = format!("{}{}", run.out, run.err);
    assert_eq!(id, "[4] FUNC 'do_work'\n");
    assert_eq!(folder.read("out.ext"), ext());
    let raw = folder.write("raw.btf", btf(false));
    let run = kallsyms(&["btf", "sort", &raw, "-o", &out, "--ext", &new_ext]);
    assert_eq!(
        (run.code, run.err),
        (Some(2), format!("kallsyms: {raw}: has no .BTF.ext: leave out --ext\n"))
    );
    assert_eq!(kallsyms(&["btf", "sort", &file, "-o", &out, "--ext", &out]).code, Some(2));
}

#[test]
fn other_files_are_not_replaced() {
    let folder = Folder::new("btf-force");
    let (file, notes) = (folder.write("in.btf", btf(false)), folder.write("notes", "mine"));
    let run = kallsyms(&["btf", "sort", &file, "-o", &notes]);
    let said = format!("kallsyms: {notes} is no BTF and is not replaced (--force does)\n");
    assert_eq!(found(&run), (Some(2), "", &*said));
    assert_eq!(folder.read("notes"), b"mine");
    assert_eq!(kallsyms(&["btf", "sort", &file, "-o", &notes, "--force"]).code, Some(0));
    assert_ne!(folder.read("notes"), b"mine");
    // An object file would lose all but its BTF.
    let object = elf(&[(".text", &[0x90; 16]), (".BTF", &btf(false))]);
    let path = folder.write("program.o", &object);
    let run = kallsyms(&["btf", "sort", &path, "-o", &path]);
    let said = format!(
        "kallsyms: {path} is an ELF file, which BTF alone would replace: give another (--force replaces it)\n"
    );
    assert_eq!(found(&run), (Some(2), "", &*said));
    assert_eq!(folder.read("program.o"), object);
    assert_eq!(kallsyms(&["btf", "sort", &path, "-o", &path, "--force"]).code, Some(0));
    assert!(Btf::parse(&folder.read("program.o")).is_ok());
    // What cannot be sorted leaves the output as it is.
    let cut = folder.write("cut", &btf(false)[..100]);
    let before = folder.read("notes");
    assert_eq!(kallsyms(&["btf", "sort", &cut, "-o", &notes]).code, Some(3));
    assert_eq!(folder.read("notes"), before);
}
