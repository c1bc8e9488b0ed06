//! `btf`, and the BTF that `extract` finds.

use std::io::Write as _;
use std::process::Output;

use kallsyms_core::btf::{Btf, Kind, SortedBtf};
use kallsyms_gen::btf::sort;

use crate::extract::{image, listing};
use crate::{Folder, Run, kallsyms, kallsyms_with_input};

/// A type: its name, and the words behind the offset of the name.
type Record<'r> = (&'r str, &'r [u32]);

const INT: u32 = 1 << 24;
const POINTER: u32 = 2 << 24;
const STRUCT: u32 = 4 << 24;
const TYPEDEF: u32 = 8 << 24;
const FUNC_PROTO: u32 = 13 << 24;
const FUNC: u32 = 12 << 24;

/// A small kernel's, in no order; member names are offsets 1 (`i`) and 3 (`next`).
const KERNEL: [Record<'_>; 7] = [
    ("int", &[INT, 4, 0x0100_0020]),
    ("task", &[STRUCT | 2, 16, 1, 1, 0, 3, 3, 64]),
    ("", &[POINTER, 2]),
    ("do_work", &[FUNC, 5]),
    ("", &[FUNC_PROTO | 1, 1, 1, 1]),
    ("task", &[TYPEDEF, 2]),
    ("c_int", &[TYPEDEF, 1]),
];

/// The names of elements, first among the strings of a kernel's.
const STRINGS: &[u8] = b"\0i\0next\0";

/// BTF whose strings go on from a number of bytes; `big` is its byte order.
fn btf_over(first_string: usize, start: &[u8], records: &[Record<'_>], big: bool) -> Vec<u8> {
    let mut strings = start.to_vec();
    let mut words = Vec::new();
    for (name, record) in records {
        words.push(if name.is_empty() { 0 } else { (first_string + strings.len()) as u32 });
        words.extend(*record);
        if !name.is_empty() {
            strings.extend(name.as_bytes());
            strings.push(0);
        }
    }
    let types_len = 4 * words.len() as u32;
    let header = [24, 0, types_len, types_len, strings.len() as u32];
    let bytes = |word: u32| if big { word.to_be_bytes() } else { word.to_le_bytes() };
    let mut out = if big { vec![0xeb, 0x9f, 1, 0] } else { vec![0x9f, 0xeb, 1, 0] };
    out.extend(header.into_iter().chain(words).flat_map(bytes));
    out.extend(strings);
    out
}

fn btf(big: bool) -> Vec<u8> {
    btf_over(0, STRINGS, &KERNEL, big)
}

/// The BTF of a module over that: its types begin at 8.
fn module(big: bool) -> Vec<u8> {
    let base = Btf::parse(&btf(big)).expect("is sound").strings_len();
    btf_over(base, b"", &[("zone", &[STRUCT | 1, 4, 1, 1, 0]), ("task", &[FUNC, 5])], big)
}

/// `.BTF.ext` with one function, of type 4.
fn ext() -> Vec<u8> {
    let words = [24_u32, 0, 20, 20, 0, 8, 1, 1, 0, 4];
    let mut bytes = vec![0x9f, 0xeb, 1, 0];
    bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
    bytes
}

/// An object file with these sections.
fn elf(sections: &[(&str, &[u8])]) -> Vec<u8> {
    use object::write::Object;
    use object::{Architecture, BinaryFormat, Endianness, SectionKind};
    let mut file = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    for (name, data) in sections {
        let id = file.add_section(Vec::new(), name.as_bytes().to_vec(), SectionKind::Other);
        file.append_section_data(id, data, 1);
    }
    file.write().expect("is written")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("packed")
}

const FOUND: &str = "[2] STRUCT 'task'\n[6] TYPEDEF 'task'\n";

fn found(run: &Run) -> (Option<i32>, &str, &str) {
    (run.code, &run.out, &run.err)
}

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

/// The file that was read is not at fault where stdout takes nothing; whoever stops reading is told nothing.
#[test]
#[cfg(target_os = "linux")]
fn a_full_stdout_is_not_the_fault_of_the_input() {
    use std::fs::File;
    use std::process::Stdio;
    let folder = Folder::new("btf-full");
    let file = folder.write("btf.bin", btf(false));
    for arguments in
        [&["stat", &file][..], &["find", &file, "task"], &["dump", &file], &["sort", &file, "-o", "-"]]
    {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let mut command = crate::command(&[&["btf"], arguments].concat());
        let run: Run = command.stdout(full).output().expect("the command runs").into();
        assert_eq!(run.code, Some(3), "{arguments:?}");
        assert_eq!(run.err, "kallsyms: No space left on device (os error 28)\n", "{arguments:?}");

        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = crate::command(&[&["btf"], arguments].concat());
        let run: Run = command.stdout(Stdio::from(writer)).output().expect("the command runs").into();
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_module_needs_its_kernel() {
    let folder = Folder::new("btf-split");
    for big in [false, true] {
        let (base, split) = (folder.write("vmlinux", btf(big)), folder.write("module", module(big)));
        let run = kallsyms(&["btf", "find", &split, "task", "--base", &base]);
        assert_eq!(found(&run), (Some(0), &*format!("{FOUND}[9] FUNC 'task'\n"), ""));
        let run = kallsyms(&["btf", "dump", &split, "--base", &base]);
        let lines = "[8] STRUCT 'zone' size=4 vlen=1\n\t'i' type_id=1 bits_offset=0\n\
                     [9] FUNC 'task' type_id=5 linkage=static\n";
        assert_eq!(found(&run), (Some(0), lines, ""));
        for command in ["stat", "dump"] {
            let run = kallsyms(&["btf", command, &split]);
            assert_eq!((run.code, run.out.as_str()), (Some(3), ""));
            let wanted = format!("kallsyms: {split}: give that of its kernel with --base FILE, if it is");
            assert!(run.err.starts_with(&wanted) && run.err.contains("not with NUL"), "{}", run.err);
        }
        let run = kallsyms(&["btf", "stat", &base, "--base", &base]);
        assert_eq!(run.code, Some(0));
        assert!(run.err.contains("is not split"), "{}", run.err);
        let other = folder.write("other", btf(!big));
        let run = kallsyms(&["btf", "stat", &split, "--base", &other]);
        assert_eq!(run.code, Some(3));
        assert!(run.err.contains(&format!("not {other}: ")), "{}", run.err);
        let sorted = folder.path("sorted");
        let run = kallsyms(&["btf", "sort", &split, "--base", &base, "-o", &sorted]);
        let said = format!("kallsyms: {split}: 2 types, 2 of them with a new number\n");
        assert_eq!(found(&run), (Some(0), "", &*said), "it has no modules of its own");
        let run = kallsyms(&["btf", "dump", &sorted, "--base", &base]);
        let lines = "[8] FUNC 'task' type_id=5 linkage=static\n\
                     [9] STRUCT 'zone' size=4 vlen=1\n\t'i' type_id=1 bits_offset=0\n";
        assert_eq!(found(&run), (Some(0), lines, ""));
    }
}

/// What stands on its own has no base: not one to be given, and not a wrong one.
#[test]
fn a_damaged_name_is_not_a_matter_of_the_base() {
    let folder = Folder::new("btf-damaged-name");
    let mut damaged = btf(false);
    damaged[24..28].copy_from_slice(&1_000_000_u32.to_le_bytes());
    let (file, base) = (folder.write("damaged", damaged), folder.write("vmlinux", btf(false)));
    for base in [&[][..], &["--base", &base]] {
        let run = kallsyms(&[&["btf", "stat", &file], base].concat());
        assert_eq!(run.code, Some(3));
        let wanted = format!("kallsyms: {file}: type ");
        assert!(
            run.err.starts_with(&wanted) && run.err.contains(": name offset 0xf4240 at 0x18"),
            "{}",
            run.err
        );
        assert!(!run.err.contains("--base") && !run.err.contains("give"), "{}", run.err);
    }
}

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

/// As the file itself, in a section, packed, in a kernel, from a pipe.
#[test]
fn btf_is_found_wherever_it_is() {
    let folder = Folder::new("btf-source");
    let raw = btf(false);
    // A payload that is smaller is no kernel.
    let large = elf(&[(".text", &[0x90; 1 << 15]), (".BTF", &raw)]);
    let text = listing();
    let kernel = [image(&folder, &text), vec![0; 100], raw.clone(), vec![0; 7]].concat();
    for (name, bytes) in [
        ("btf.bin", raw.clone()),
        ("program.o", elf(&[(".BTF", &raw), (".BTF.ext", &ext())])),
        ("module.ko.gz", gzip(&large)),
        ("Image", kernel.clone()),
        ("Image.gz", gzip(&kernel)),
    ] {
        let file = folder.write(name, &bytes);
        assert_eq!(found(&kallsyms(&["btf", "find", &file, "task"])), (Some(0), FOUND, ""), "{name}");
        let piped: Output = kallsyms_with_input(&["btf", "find", "-", "task"], &bytes);
        assert_eq!(found(&piped.into()), (Some(0), FOUND, ""), "{name}");
    }

    let (image, tables) = (folder.path("Image.gz"), folder.path("tables"));
    let run = kallsyms(&["extract", &image, "-o", &tables]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    let wanted = format!("in the gzip payload at 0x0; btf.bin has its BTF of {} bytes\n", raw.len());
    assert!(run.err.ends_with(&wanted), "{}", run.err);
    assert_eq!(folder.read("tables/btf.bin"), raw);
    assert_eq!(kallsyms(&["list", &tables]).out, text, "the folder is read as before");
    // A kernel without BTF leaves none of another kernel.
    let bare = folder.write("bare", crate::extract::image(&folder, &text));
    let run = kallsyms(&["extract", &bare, "-o", &tables]);
    assert_eq!(run.code, Some(0));
    assert!(run.err.ends_with("in the file itself\n"), "{}", run.err);
    assert!(!std::path::Path::new(&folder.path("tables/btf.bin")).exists());
}

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

#[test]
fn what_is_no_btf_is_refused() {
    let folder = Folder::new("btf-none");
    let text = folder.write("System.map", listing());
    let run = kallsyms(&["btf", "stat", &text]);
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""));
    let wanted = format!("kallsyms: {text}: no BTF: the file itself: no section .BTF");
    assert!(run.err.starts_with(&wanted) && run.err.contains("CONFIG_DEBUG_INFO_BTF"), "{}", run.err);
    let give = "give BTF itself, an ELF file with a section .BTF, or a Linux kernel built with CONFIG_DEBUG_INFO_BTF";
    let empty = folder.write("empty", "");
    let said = format!("kallsyms: {empty}: is empty: {give}\n");
    assert_eq!(found(&kallsyms(&["btf", "stat", &empty])), (Some(3), "", &*said));
    let said = format!("kallsyms: stdin: is empty: {give}\n");
    assert_eq!(found(&kallsyms(&["btf", "stat", "-"])), (Some(3), "", &*said));
    // In a program much seems to be packed, by chance.
    let packed = [&[0x1f, 0x8b, 8][..], &[0xff; 64], b"\x02\x21\x4c\x18", &[0xff; 64]].concat();
    for sections in [&[(".text", &*packed)][..], &[(".text", &packed), (".BTF", b"")]] {
        let program = folder.write("program", elf(sections));
        let said = format!(
            "kallsyms: {program}: no BTF: an ELF file whose section .BTF is missing or empty; {give}\n"
        );
        assert_eq!(found(&kallsyms(&["btf", "stat", &program])), (Some(3), "", &*said));
    }
    assert_eq!(kallsyms(&["btf", "stat", "missing"]).code, Some(3));
    let run = kallsyms(&["btf", "stat", &folder.path("")]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert_eq!(kallsyms(&["btf", "stat", "-", "--base", "-"]).code, Some(2));
    assert_eq!(kallsyms(&["btf", "stat"]).code, Some(2));
    assert_eq!(kallsyms(&["btf"]).code, Some(2));
    // A section that is damaged: the message says where.
    let mut damaged = btf(false);
    damaged[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    let file = folder.write("damaged.o", elf(&[(".BTF", &damaged)]));
    let run = kallsyms(&["btf", "dump", &file]);
    assert_eq!(run.code, Some(3));
    let wanted = format!("kallsyms: {file}: section .BTF at 0x40: the type section ends at 0x");
    assert!(run.err.starts_with(&wanted), "{}", run.err);
}
