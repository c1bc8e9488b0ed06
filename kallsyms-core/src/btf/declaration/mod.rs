//! A type as a person writes it in C.

mod align;
mod chain;
mod declarator;
mod element;
mod enumerators;
mod frame;
mod members;
mod padding;
mod stack;
#[cfg(test)]
mod tests;
mod writer;

use core::fmt;

use super::types::Type;
use writer::Writer;

/// A type as text: [`Type::declaration`].
///
/// For a struct, union, enum or typedef the text is, byte for byte, its definition in what
/// `bpftool btf dump file … format c` prints (version 7.1), without the `;` at the end. Beside these there are
///
/// - a function, `int f(int a)`, a variable, `int a`, and a type without name of its own, `char *`;
/// - a section, `section ".data" { … }`, with its variables as members;
/// - a tag on a declaration, `__attribute__((btf_decl_tag("…")))`, without what it is on.
///
/// It is one definition and not a header: what `bpftool` does to make all of them compile together is left
/// out. Nothing is declared ahead; types and values of one name all have this name, where it writes `name___2`
/// for the second; `__builtin_va_list`, which it leaves to the compiler, is a typedef like any other.
///
/// Text that is not UTF-8 has U+FFFD where it is not. Hostile types end too:
///
/// - structs, unions and functions are written up to 32 inside of one another, the definition included;
///   32 pointers, arrays and so on are followed one after the other. What is deeper is `...`, as is what is
///   not there;
/// - of members, values and parameters that are not the definition's own but of something inside, and of
///   lines of padding, there are up to 65,536. What would be more is `struct { ... }`, `enum { ... }`,
///   `(...)`, and `...;` for padding;
/// - of a name up to 4,096 bytes are written, and then `...`;
/// - up to 65,536 members, up to 32 structs deep, are looked at to see whether structs are packed. What is
///   not seen is taken not to be.
///
/// Steps: about ten a member, and one for every member of the structs in it, named ones too; each as many as
/// [`Btf::type_by_id`](super::Btf::type_by_id) takes, so that [`Btf::with_offsets`](super::Btf::with_offsets)
/// pays. Stack: 1 KiB and what the formatter takes.
///
/// ```
/// use kallsyms_core::btf::{Btf, Find, Kind};
///
/// # let words: [u32; 25] = [
/// #     0x0001_eb9f, 24, 0, 76, 76, 18, // header
/// #     1, 1 << 24, 4, 1 << 24 | 32, // int
/// #     0, 3 << 24, 0, 1, 1, 2, // array
/// #     5, 4 << 24 | 2, 16, 10, 2, 0, 15, 2, 64, // struct
/// # ];
/// # let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
/// # bytes.extend_from_slice(b"\0int\0line\0from\0to\0");
/// let btf = Btf::parse(&bytes)?;
/// let line = btf.find("line", Kind::Struct).expect("is there");
/// assert_eq!(line.declaration().to_string(), "struct line {\n\tint from[2];\n\tint to[2];\n}");
/// # Ok::<(), kallsyms_core::btf::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Declaration<'b> {
    of: Type<'b>,
}

impl<'b> Type<'b> {
    /// Its text in C: `struct task_struct { … }` with all members. Steps: when it is written.
    #[must_use]
    pub const fn declaration(&self) -> Declaration<'b> {
        Declaration { of: *self }
    }
}

impl fmt::Display for Declaration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Writer::new(f, self.of.btf()).write(&self.of)
    }
}
