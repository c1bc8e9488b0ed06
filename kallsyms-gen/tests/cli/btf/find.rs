//! Types by name.

use super::*;

#[test]
fn every_type_of_a_name_is_found() {
    let folder = Folder::new("btf-find");
    for big in [false, true] {
        let file = folder.write("btf.bin", btf(big));
        assert_eq!(found(&kallsyms(&["btf", "find", &file, "task"])), (Some(0), FOUND, ""));
        let run = kallsyms(&["btf", "find", &file, "task", "--kind", "typedef"]);
        assert_eq!(found(&run), (Some(0), "[6] TYPEDEF 'task'\n", ""));
        let run = kallsyms(&["btf", "find", &file, ""]);
        assert_eq!(found(&run), (Some(0), "[3] PTR '(anon)'\n[5] FUNC_PROTO '(anon)'\n", ""));
    }
}

#[test]
fn several_names_have_lines_of_their_own() {
    let folder = Folder::new("btf-names");
    let file = folder.write("btf.bin", btf(false));
    let run = kallsyms(&["btf", "find", &file, "c_int", "task", "int"]);
    let lines = format!("[7] TYPEDEF 'c_int'\n{FOUND}[1] INT 'int'\n");
    assert_eq!(found(&run), (Some(0), &*lines, ""));
    let run = kallsyms(&["btf", "find", &file, "c_int", "no", "int", "--kind", "typedef"]);
    let said = format!("kallsyms: {file}: no TYPEDEF 'no'\nkallsyms: {file}: no TYPEDEF 'int', but an INT\n");
    assert_eq!(found(&run), (Some(1), "[7] TYPEDEF 'c_int'\n", &*said));
    assert_eq!(kallsyms(&["btf", "find", &file]).code, Some(2));
}

#[test]
fn a_miss_says_what_there_is() {
    let folder = Folder::new("btf-miss");
    let file = folder.write("btf.bin", btf(false));
    for (arguments, said) in [
        (&["find", &file, "tas"][..], "no type 'tas'"),
        (&["dump", &file, "tas"], "no type 'tas'"),
        (&["find", &file, "nobody", "--kind", "union"], "no UNION 'nobody'"),
        (&["find", &file, "task", "--kind", "union"], "no UNION 'task', but a STRUCT and a TYPEDEF"),
        (&["find", &file, "int", "--kind", "enum"], "no ENUM 'int', but an INT"),
        (&["find", &file, "struct task"], "no type 'struct task': give the name alone: 'task' --kind struct"),
        (&["dump", &file, "enum e"], "no type 'enum e': give the name alone: 'e' --kind enum"),
        (
            &["find", &file, "union u", "--kind", "union"],
            "no UNION 'union u': give the name alone: 'u' --kind union",
        ),
        (&["find", &file, "long int"], "no type 'long int'"),
    ] {
        let run = kallsyms(&[&["btf"], arguments].concat());
        assert_eq!(found(&run), (Some(1), "", &*format!("kallsyms: {file}: {said}\n")));
    }
    let run: Run = kallsyms_with_input(&["btf", "find", "-", "nobody"], &btf(false)).into();
    assert_eq!(found(&run), (Some(1), "", "kallsyms: stdin: no type 'nobody'\n"));
}

/// `void`, and any name of its kind, is type 0: the answers of the library, and of libbpf.
#[test]
fn void_is_type_0() {
    let folder = Folder::new("btf-void");
    let file = folder.write("btf.bin", btf(false));
    for arguments in [&["void"][..], &["void", "--kind", "void"], &["task", "--kind", "VOID"]] {
        let run = kallsyms(&[&["btf", "find", &file], arguments].concat());
        assert_eq!(found(&run), (Some(0), "[0] VOID 'void'\n", ""), "{arguments:?}");
    }
    let run = kallsyms(&["btf", "find", &file, "void", "--kind", "struct"]);
    assert_eq!(found(&run), (Some(0), "[0] VOID 'void'\n", ""), "as btf__find_by_name_kind answers");
    assert_eq!(found(&kallsyms(&["btf", "dump", &file, "void"])), (Some(0), "void;\n", ""));
}

/// In any case, also as `find` prints them; the help and the message of a wrong one have all.
#[test]
fn every_kind_can_be_asked_for() {
    let folder = Folder::new("btf-kind");
    let file = folder.write("btf.bin", btf(false));
    for kind in ["struct", "STRUCT", "Struct"] {
        let run = kallsyms(&["btf", "find", &file, "task", "--kind", kind]);
        assert_eq!(found(&run), (Some(0), "[2] STRUCT 'task'\n", ""));
    }
    let wrong = kallsyms(&["btf", "find", &file, "task", "--kind", "function"]);
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(2), ""));
    let help = kallsyms(&["btf", "find", "--help"]).out;
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').map(String::from).collect()
    };
    let (help, listed) = (words(&help), words(&wrong.err));
    for kind in (0..=19).map(|number| Kind::from_number(number).to_string().to_lowercase()) {
        assert!(help.contains(&kind), "{kind}");
        assert!(listed.contains(&kind), "{kind}: {}", wrong.err);
        let code = kallsyms(&["btf", "find", &file, "", "--kind", &kind]).code;
        assert!(matches!(code, Some(0 | 1)), "{kind}");
    }
}
