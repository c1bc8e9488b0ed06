//! bpftool's two ways to print BTF, taken apart.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use crate::tools;

/// Whether there is a bpftool.
///
/// # Errors
///
/// What is in the way.
pub fn present() -> Result<(), String> {
    tools::run("bpftool", ["version"]).map(|_| ())
}

/// A type of the raw form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: u32,
    /// Its kind in capitals.
    pub kind: String,
    /// Its name, as it is printed: `(anon)` where there is none.
    pub name: String,
    /// Everything: the first line, and one for each member.
    pub text: String,
}

/// The raw form, one entry a type.
///
/// # Errors
///
/// That bpftool is not there or does not read the file, or that a line is not understood.
pub fn raw(file: &Path, base: Option<&Path>) -> Result<Vec<Entry>, String> {
    split_raw(&dump(file, base, "raw")?)
}

/// Definitions in C, by what begins them: `struct NAME`, `union NAME`, `enum NAME`, or `typedef NAME`; those
/// without a name by their text. What is only declared is left out.
///
/// # Errors
///
/// That bpftool is not there, or does not read the file.
pub fn c(file: &Path, base: Option<&Path>) -> Result<BTreeMap<String, String>, String> {
    Ok(by_key(split_c(&dump(file, base, "c")?)))
}

/// Definitions in C in the order in which they are printed; those without a name may be there twice.
///
/// # Errors
///
/// As [`c`].
pub fn definitions(file: &Path, base: Option<&Path>) -> Result<Vec<String>, String> {
    let mut found = split_c(&dump(file, base, "c")?);
    found.retain(|text| text.starts_with("typedef ") || text.contains('{'));
    Ok(found)
}

fn by_key(definitions: Vec<String>) -> BTreeMap<String, String> {
    definitions.into_iter().filter_map(|text| Some((key_of(&text)?, text))).collect()
}

fn dump(file: &Path, base: Option<&Path>, format: &str) -> Result<String, String> {
    let mut arguments: Vec<&OsStr> = Vec::new();
    if let Some(base) = base {
        arguments.extend(["-B".as_ref(), base.as_os_str()]);
    }
    arguments.extend(["btf", "dump", "file"].map(OsStr::new));
    arguments.extend([file.as_os_str(), "format".as_ref(), format.as_ref()]);
    let printed = tools::run("bpftool", arguments)?;
    String::from_utf8(printed).map_err(|error| error.to_string())
}

fn split_raw(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines() {
        if line.starts_with('\t') {
            let entry = entries.last_mut().ok_or("a member of no type")?;
            entry.text.push('\n');
            entry.text.push_str(line);
            continue;
        }
        let head = || -> Option<Entry> {
            let (id, rest) = line.strip_prefix('[')?.split_once("] ")?;
            let (kind, rest) = rest.split_once(" '")?;
            // A name may have quotes of its own, and what follows has none but DATASEC's members.
            let (name, _) = rest.rsplit_once('\'')?;
            Some(Entry { id: id.parse().ok()?, kind: kind.into(), name: name.into(), text: line.into() })
        };
        entries.push(head().ok_or_else(|| format!("not a type: {line}"))?);
    }
    Ok(entries)
}

/// What ends with `;`, definitions and what is only declared.
fn split_c(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut current = String::new();
    for line in text.lines() {
        if current.is_empty() && (line.is_empty() || line.starts_with('#')) {
            continue;
        }
        if !current.is_empty() {
            current.push('\n');
        }
        current.push_str(line);
        let ends = line.ends_with(';') && !line.starts_with('\t');
        if ends {
            out.push(std::mem::take(&mut current));
        }
    }
    out
}

/// What defines itself in a text; `None` where it is only declared.
fn key_of(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("typedef ") {
        return Some(format!("typedef {}", typedef_name(rest)?));
    }
    let (head, _) = text.split_once('{')?;
    let mut words = head.split_whitespace();
    let keyword = words.next()?;
    Some(match words.next() {
        Some(name) => format!("{keyword} {name}"),
        None => text.to_owned(),
    })
}

/// The name of `int NAME;`, `int NAME[4];`, `int (*NAME)(int);`, `int NAME(int);` and `struct { … } NAME;`.
fn typedef_name(text: &str) -> Option<&str> {
    let is_word = |byte: char| byte.is_alphanumeric() || byte == '_';
    let tail = text.rsplit_once('}').map_or(text, |(_, tail)| tail);
    let attribute = tail.trim_start().strip_prefix("__attribute__((").and_then(|rest| rest.split_once("))"));
    let tail = attribute.map_or(tail, |(_, behind)| behind);
    let tail = match tail.split_once('(') {
        Some((_, inner)) if inner.starts_with('*') => {
            let inner = inner.trim_start_matches(['*', ' ', '(']);
            return inner.split(|byte| !is_word(byte)).next().filter(|name| !name.is_empty());
        }
        Some((before, _)) => before,
        None => tail,
    };
    let tail = tail.split_once('[').map_or(tail, |(before, _)| before);
    tail.split(|byte| !is_word(byte)).rfind(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_entries() {
        let text = "[1] STRUCT 's' size=8 vlen=1\n\t'a' type_id=2 bits_offset=0\n[2] FUNC_PROTO '(anon)' \
            ret_type_id=0 vlen=0\n[3] TYPEDEF 'it's' type_id=1\n";
        let entries = split_raw(text).expect("is understood");
        assert_eq!(entries.len(), 3);
        assert_eq!((entries[0].id, &*entries[0].kind, &*entries[0].name), (1, "STRUCT", "s"));
        assert_eq!(entries[0].text, "[1] STRUCT 's' size=8 vlen=1\n\t'a' type_id=2 bits_offset=0");
        assert_eq!((&*entries[1].kind, &*entries[1].name), ("FUNC_PROTO", "(anon)"));
        assert_eq!(entries[2].name, "it's");
        assert!(split_raw("Error: no\n").is_err());
    }

    #[test]
    fn names_of_typedefs() {
        for (text, name) in [
            ("int plain;", "plain"),
            ("long unsigned int words;", "words"),
            ("int row[4][2];", "row"),
            ("struct list *pointer;", "pointer"),
            ("int (*call)(int, void (*)(int));", "call"),
            ("void (*(*twice)(int))(void);", "twice"),
            ("int function(struct s *, int (*)(void));", "function"),
            ("struct {\n\tint (*a)(void);\n} tail;", "tail"),
            ("struct {\n\tint a;\n} __attribute__((packed)) packed_t;", "packed_t"),
            ("int (*table[3])(int);", "table"),
        ] {
            assert_eq!(typedef_name(text), Some(name), "{text}");
        }
    }

    #[test]
    fn definitions_in_c() {
        let text = "#ifndef X\n#define X\n\nstruct b;\n\nstruct a {\n\tstruct b *b;\n\tunion {\n\t\tint x;\n\t};\n};\n\n\
            typedef struct a a_t;\n\nenum {\n\tONE = 1,\n};\n\nenum e {\n\tTWO = 2,\n};\n\n#endif\n";
        let found = by_key(split_c(text));
        let keys: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(keys, ["enum e", "enum {\n\tONE = 1,\n};", "struct a", "typedef a_t"]);
        assert_eq!(found["struct a"], "struct a {\n\tstruct b *b;\n\tunion {\n\t\tint x;\n\t};\n};");
    }
}
