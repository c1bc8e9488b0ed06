//! What is read and what is refused.

use super::*;

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
