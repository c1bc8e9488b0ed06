//! Which files are written over, what is left of them where the command fails, and what is written to directly.

use std::fs;

use crate::elf::kernel;
use crate::{Folder, Run, TEXT, kallsyms};

fn refused(output: &str, wanted: &str) -> Run {
    let err = format!("kallsyms: {output} is no {wanted} and is not replaced (--force does)\n");
    Run { code: Some(2), out: String::new(), err }
}

/// An object file is written over its own like, never over the kernel that it is made of.
#[test]
fn an_object_file_does_not_replace_a_kernel() {
    let folder = Folder::new("force-object");
    let (elf, object) = (folder.write("kernel", kernel(0x2000)), folder.path("table.o"));
    for _ in 0..2 {
        assert_eq!(kallsyms(&["build", "--object", &elf, "-o", &object]).code, Some(0));
    }
    assert_eq!(kallsyms(&["build", "--object", &elf, "-o", &elf]), refused(&elf, "object file with a table"));
    assert_eq!(kallsyms(&["build", &elf, "-o", &object]), refused(&object, "image"));
    assert_eq!(folder.read("kernel"), kernel(0x2000));
    assert_eq!(kallsyms(&["build", "--object", &elf, "-o", &elf, "--force"]).code, Some(0));
}

/// A kernel that has room but no table yet was written by somebody else.
#[test]
fn embed_replaces_its_input_and_what_it_wrote() {
    let folder = Folder::new("force-embed");
    let (elf, other) = (folder.write("kernel", kernel(0x2000)), folder.write("other", kernel(0x3000)));
    assert_eq!(kallsyms(&["embed", &elf, "-o", &other]), refused(&other, "kernel with a table"));
    assert_eq!(folder.read("other"), kernel(0x3000));
    assert_eq!(kallsyms(&["embed", &elf, "-o", &other, "--force"]).code, Some(0));
    let copy = folder.path("copy");
    for _ in 0..2 {
        assert_eq!(kallsyms(&["embed", &elf, "-o", &copy]).code, Some(0));
    }
    // In place, by another name of the file.
    let around = folder.path("../").clone()
        + folder.0.file_name().expect("a name").to_str().expect("UTF-8")
        + "/kernel";
    assert_eq!(kallsyms(&["embed", &elf, "-o", &around]).code, Some(0));
    assert_eq!(folder.read("kernel"), folder.read("copy"));
    assert_eq!(folder.names(), ["copy", "kernel", "other"]);
}

#[test]
#[cfg(unix)]
fn a_runner_does_not_replace_what_it_did_not_write() {
    let folder = Folder::new("force-run");
    let (elf, copy) = (folder.write("kernel", kernel(0x2000)), folder.write("kernel.kallsyms", "mine"));
    let run = kallsyms(&["run", "true", &elf]);
    let err = format!("kallsyms: {copy} is no kernel with a table and is not replaced: move it\n");
    assert_eq!(run, Run { code: Some(2), out: String::new(), err });
    assert_eq!(folder.read("kernel.kallsyms"), b"mine");
    fs::remove_file(&copy).expect("removed");
    for _ in 0..2 {
        assert_eq!(kallsyms(&["run", "true", &elf]).code, Some(0));
    }
}

#[test]
#[cfg(unix)]
fn permissions_are_those_of_the_file_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("permissions");
    let (elf, image) = (folder.write("kernel", kernel(0x2000)), folder.path("k.img"));
    let (mode, set) = (
        |path: &str| fs::metadata(path).expect("there").permissions().mode() & 0o7777,
        |path: &str, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set"),
    );
    set(&elf, 0o755);
    assert_eq!(kallsyms(&["embed", &elf, "-o", &elf]).code, Some(0));
    assert_eq!(mode(&elf), 0o755);
    assert_eq!(kallsyms(&["embed", &elf, "-o", &folder.path("copy")]).code, Some(0));
    assert_eq!(mode(&folder.path("copy")), 0o755);
    let usual = folder.write("usual", "");
    assert_eq!(kallsyms(&["build", &elf, "-o", &image]).code, Some(0));
    assert_eq!(mode(&image), mode(&usual));
    set(&image, 0o640);
    assert_eq!(kallsyms(&["build", &elf, "-o", &image]).code, Some(0));
    assert_eq!(mode(&image), 0o640);
}

/// A link stays a link; what is no file is written to as it is.
#[test]
#[cfg(unix)]
fn links_pipes_and_devices() {
    let folder = Folder::new("directly");
    let (input, image) = (folder.write("kallsyms", TEXT), folder.path("k.img"));
    assert_eq!(kallsyms(&["build", &input, "-o", &image]).code, Some(0));
    let wanted = folder.read("k.img");
    std::os::unix::fs::symlink("behind", folder.path("link")).expect("a link");
    for _ in 0..2 {
        assert_eq!(kallsyms(&["build", &input, "-o", &folder.path("link")]).code, Some(0));
        assert_eq!(folder.read("behind"), wanted);
        assert!(fs::symlink_metadata(folder.path("link")).expect("there").is_symlink());
    }
    assert_eq!(kallsyms(&["build", &input, "-o", "/dev/null"]).code, Some(0));
    let piped = crate::command(&["build", &input, "-o", "/dev/stdout"]).output().expect("the command runs");
    assert_eq!(piped.stdout, wanted);
    let file = fs::File::create(folder.path("redirected")).expect("made");
    let mut redirected = crate::command(&["build", &input, "-o", "/dev/stdout"]);
    assert!(redirected.stdout(file).status().expect("the command runs").success());
    assert_eq!(folder.read("redirected"), wanted);
    assert_eq!(folder.names(), ["behind", "k.img", "kallsyms", "link", "redirected"]);
}

/// Where the last of two outputs cannot be written, the first is not either.
#[test]
fn outputs_that_fail_leave_nothing() {
    let folder = Folder::new("fails");
    let (input, missing) = (folder.write("kallsyms", TEXT), folder.path("missing/k.img"));
    let run = kallsyms(&["build", &input, "-o", &missing]);
    assert!(run.code == Some(3) && run.err.starts_with(&format!("kallsyms: {missing}: ")), "{}", run.err);
    // A file is in the way of the folder.
    let run = kallsyms(&["build", &input, "--layout", "linux", "-o", &folder.path("kallsyms/tables")]);
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert_eq!(folder.names(), ["kallsyms"]);
}
