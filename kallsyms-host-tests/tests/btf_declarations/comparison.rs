//! The declarations of a file beside bpftool's.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use kallsyms_core::btf::{Btf, Kind, Type, TypeId};
use kallsyms_host_tests::btf::sources::Source;
use kallsyms_host_tests::btf::{Decoded, Record};
use kallsyms_host_tests::peers::bpftool;
use kallsyms_host_tests::tools::Folder;

/// How many types of each sort there are.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// The text is bpftool's.
    pub(crate) same: usize,
    /// It is but for the names that bpftool gives to the second and later types and values of one name.
    pub(crate) renamed: usize,
    /// Part of another type, and without a name: bpftool prints it there only.
    pub(crate) inside: usize,
    /// A struct or union without a name that no other refers to: nobody could use it.
    pub(crate) unused: usize,
    /// An enum without values: bpftool declares it only.
    pub(crate) declared: usize,
    /// The compiler has it: bpftool leaves it out.
    pub(crate) compilers_own: usize,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { same, renamed, inside, unused, declared, compilers_own } = self;
        write!(f, "{} compared, {same} the same, {renamed} but for ___N; left out: ", same + renamed)?;
        write!(f, "{inside} anonymous inside others, {unused} anonymous and unused, ")?;
        write!(f, "{declared} without values, {compilers_own} of the compiler")
    }
}

/// Compares every type that can be defined.
///
/// # Panics
///
/// Where a type's text is not bpftool's, and none of the reasons of [`Comparison`] holds; and where bpftool
/// prints more.
pub(crate) fn compare(source: &Source) -> Comparison {
    let folder = Folder::new();
    let base_file = source.base.as_ref().map(|base| folder.file("base.btf", base));
    let file = folder.file("types.btf", &source.bytes);
    let printed = bpftool::definitions(&file, base_file.as_deref()).unwrap_or_else(|error| panic!("{error}"));
    let mut theirs: BTreeMap<String, usize> = BTreeMap::new();
    for text in printed {
        *theirs.entry(without_modes(&text)).or_default() += 1;
    }

    let base = source.base.as_ref().map(|base| Btf::parse(base).expect("is sound"));
    let btf = match &base {
        Some(base) => Btf::split(base, &source.bytes),
        None => Btf::parse(&source.bytes),
    };
    let mut room = vec![0; 1 << 20];
    let btf = btf.expect("is sound").with_offsets(&mut room);
    let referred = referred(source);

    let mut found = Comparison::default();
    let mut left = Vec::new();
    for one in (1..btf.end_id().0).filter_map(|id| btf.type_by_id(TypeId(id))) {
        if !matches!(one.kind(), Kind::Struct | Kind::Union | Kind::Enum | Kind::Enum64 | Kind::Typedef) {
            continue;
        }
        if matches!(one.kind(), Kind::Enum | Kind::Enum64) && one.vlen() == 0 {
            found.declared += 1;
            continue;
        }
        let text = format!("{};", one.declaration());
        match theirs.get_mut(&text) {
            // An anonymous one may have the text of another that is part of something.
            Some(count) if *count > 0 && !(one.name().is_empty() && referred.contains(&one.id().0)) => {
                *count -= 1;
                found.same += 1;
            }
            _ => left.push((one, text)),
        }
    }
    let mut renamed: BTreeMap<String, usize> = BTreeMap::new();
    for (text, count) in theirs.into_iter().filter(|&(_, count)| count > 0) {
        *renamed.entry(without_numbers(&text)).or_default() += count;
    }
    for (one, text) in left {
        account(&one, &text, &referred, &mut renamed, &mut found);
    }
    renamed.retain(|_, count| *count > 0);
    assert!(renamed.is_empty(), "{}: only bpftool prints {renamed:#?}", source.name);
    found
}

/// Notes why a type's text is not among bpftool's.
fn account(
    one: &Type<'_>,
    text: &str,
    referred: &HashSet<u32>,
    renamed: &mut BTreeMap<String, usize>,
    found: &mut Comparison,
) {
    if one.name().is_empty() && referred.contains(&one.id().0) {
        found.inside += 1;
    } else if one.name().is_empty() && matches!(one.kind(), Kind::Struct | Kind::Union) {
        found.unused += 1;
    } else if one.name() == b"__builtin_va_list" {
        found.compilers_own += 1;
    } else if let Some(count) = renamed.get_mut(&without_numbers(text)).filter(|count| **count > 0) {
        *count -= 1;
        found.renamed += 1;
    } else {
        panic!("[{}] is not as bpftool prints it:\n{text}", one.id());
    }
}

/// The types that others refer to.
fn referred(source: &Source) -> HashSet<u32> {
    let read = |bytes: &[u8], base: Option<&Decoded>| Decoded::read(bytes, base).expect("is sound");
    let base = source.base.as_ref().map(|base| read(base, None));
    let own = read(&source.bytes, base.as_ref());
    let records = base.iter().chain([&own]).flat_map(|file| &file.records);
    records.flat_map(Record::references).collect()
}

/// Without the `___2` that bpftool puts behind the second of two equal names.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split("___");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|byte: char| byte.is_ascii_digit());
        let is_number =
            rest.len() < part.len() && !rest.starts_with(|byte: char| byte == '_' || byte.is_alphanumeric());
        if !is_number {
            out.push_str("___");
        }
        out.push_str(if is_number { rest } else { part });
    }
    out
}

/// Without what a later bpftool says of an enum that takes one byte, or eight.
fn without_modes(text: &str) -> String {
    text.replace(" __attribute__((mode(byte)))", "").replace(" __attribute__((mode(word)))", "")
}
