//! BTF that others made: kernels and compilers.

use std::fs;
use std::path::Path;

use object::{Object, ObjectSection};

use crate::data;
use crate::skip::{skip, skip_peer};
use crate::tools::{self, Folder};

/// C with every kind of type.
const SAMPLE: &[u8] = include_bytes!("sample.c");

/// A second file, with types of the first and of its own.
const SECOND: &str = "
struct only_here { struct node *node; enum color color; u32 own; };
int second(struct only_here *here) { return here->own; }
";

/// BTF of somebody else's making.
#[derive(Debug)]
pub struct Source {
    /// Where it comes from.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// What it is split over.
    pub base: Option<Vec<u8>>,
    /// `.BTF.ext`
    pub ext: Option<Vec<u8>>,
}

/// Every one that this machine has; of each other, says for `test` why it is not there.
#[must_use]
pub fn all(test: &str) -> Vec<Source> {
    [vmlinux(test), recorded(test), gcc(test), pahole(test), pahole_split(test), clang(test)]
        .into_iter()
        .flatten()
        .collect()
}

/// The biggest one: of the kernel that runs, or else the recorded.
#[must_use]
pub fn kernel(test: &str) -> Option<Source> {
    vmlinux(test).or_else(|| recorded(test))
}

/// The kernel that runs.
#[must_use]
pub fn vmlinux(test: &str) -> Option<Source> {
    let path = "/sys/kernel/btf/vmlinux";
    match fs::read(path) {
        Ok(bytes) => Some(Source::of(path, bytes)),
        Err(error) => {
            skip(test, &format!("{path}: {error}"));
            None
        }
    }
}

/// A distribution's kernel, among the real tables.
#[must_use]
pub fn recorded(test: &str) -> Option<Source> {
    let path = data::folder(test, "linux-6.12.107")?.join("btf.bin");
    match fs::read(&path) {
        Ok(bytes) => Some(Source::of("linux-6.12.107", bytes)),
        Err(error) => {
            skip(test, &format!("{}: {error}", path.display()));
            None
        }
    }
}

/// What gcc itself writes.
#[must_use]
pub fn gcc(test: &str) -> Option<Source> {
    made(test, "gcc -gbtf", skip_peer, |folder| {
        let object = compile("gcc", &["-gbtf"], folder, "sample", SAMPLE)?;
        Source::of_object("gcc -gbtf", &object)
    })
}

/// What pahole makes of gcc's DWARF.
#[must_use]
pub fn pahole(test: &str) -> Option<Source> {
    made(test, "pahole -J", skip_peer, |folder| {
        let object = compile("gcc", &["-g"], folder, "sample", SAMPLE)?;
        tools::run("pahole", ["-J".as_ref(), "--btf_gen_floats".as_ref(), object.as_os_str()])?;
        Source::of_object("pahole -J", &object)
    })
}

/// What pahole makes of a second object over the first.
#[must_use]
pub fn pahole_split(test: &str) -> Option<Source> {
    made(test, "pahole --btf_base", skip_peer, |folder| {
        let base = compile("gcc", &["-g"], folder, "sample", SAMPLE)?;
        tools::run("pahole", ["-J".as_ref(), "--btf_gen_floats".as_ref(), base.as_os_str()])?;
        let base = Source::of_object("pahole -J", &base)?.bytes;
        let base_path = folder.file("base.btf", &base);
        let both = [SAMPLE, SECOND.as_bytes()].concat();
        let object = compile("gcc", &["-g"], folder, "second", &both)?;
        let base_argument = format!("--btf_base={}", base_path.display());
        tools::run(
            "pahole",
            ["-J".as_ref(), "--btf_gen_floats".as_ref(), base_argument.as_ref(), object.as_os_str()],
        )?;
        Ok(Source { base: Some(base), ..Source::of_object("pahole --btf_base", &object)? })
    })
}

/// What clang writes for a BPF program, with its `.BTF.ext`; nobody has to have it.
#[must_use]
pub fn clang(test: &str) -> Option<Source> {
    made(test, "clang -target bpf", skip, |folder| {
        // Every tag of a declaration that C has.
        let tags = "
#define tag(name) __attribute__((btf_decl_tag(name)))
#define type_tag(name) __attribute__((btf_type_tag(name)))
struct tagged { int type_tag(\"user\") *pointer; int member tag(\"of member\"); } tag(\"of struct\");
int tag(\"of function\") tagged_function(struct tagged *one tag(\"of argument\")) { return one->member; }
struct relocated { int field; } __attribute__((preserve_access_index));
int relocate(struct relocated *from) { return from->field; }
";
        let source = [b"static int u; ", tags.as_bytes()].concat();
        let object = compile("clang", &["-target", "bpf", "-g", "-O2"], folder, "tagged", &source)?;
        Source::of_object("clang -target bpf", &object)
    })
}

/// What `make` gives in a folder of its own, or the reason why it is not there.
fn made(
    test: &str,
    name: &str,
    skip: fn(&str, &str),
    make: impl FnOnce(&Folder) -> Result<Source, String>,
) -> Option<Source> {
    match make(&Folder::new()) {
        Ok(source) => Some(source),
        Err(reason) => {
            skip(test, &format!("no BTF of {name}: {reason}"));
            None
        }
    }
}

fn compile(
    compiler: &str,
    options: &[&str],
    folder: &Folder,
    name: &str,
    source: &[u8],
) -> Result<std::path::PathBuf, String> {
    let source = folder.file(&format!("{name}.c"), source);
    let object = folder.path().join(format!("{name}.o"));
    let files = ["-c".as_ref(), source.as_os_str(), "-o".as_ref(), object.as_os_str()];
    tools::run(compiler, options.iter().map(|&option| option.as_ref()).chain(files))?;
    Ok(object)
}

impl Source {
    fn of(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), bytes, base: None, ext: None }
    }

    fn of_object(name: &str, path: &Path) -> Result<Self, String> {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let object = object::File::parse(&*bytes).map_err(|error| error.to_string())?;
        let section = |name: &str| Some(object.section_by_name(name)?.data().ok()?.to_vec());
        let btf = section(".BTF").ok_or("the object has no .BTF")?;
        Ok(Self { ext: section(".BTF.ext"), ..Self::of(name, btf) })
    }
}
