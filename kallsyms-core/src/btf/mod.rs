//! BTF: the types of a Linux kernel and its modules, read in place and found by name as libbpf finds them.
//!
//! [`Btf::parse`] checks header, sections, records and names in one pass; after that a question returns
//! `Option`, where `None` means that there is no such type. A type by number needs to know where its record
//! begins, which the caller's room keeps; a type by name is found from the first type on, by bisection where
//! the order of names has been checked ([`SortedBtf`]), or by hash in the caller's words ([`HashIndex`]).
//!
//! ```
//! use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, Shape};
//!
//! # let bytes: &[u8] = &[
//! #     0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0, 0, 0, 0, 52, 0, 0, 0, 52, 0, 0, 0, 18, 0, 0, 0, // header
//! #     1, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 32, 0, 0, 1, // int
//! #     5, 0, 0, 0, 1, 0, 0, 4, 8, 0, 0, 0, 10, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, // struct node
//! #     0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, // pointer to it
//! #     0, b'i', b'n', b't', 0, b'n', b'o', b'd', b'e', 0, b'n', b'e', b'x', b't', 0, 0, 0, 0,
//! # ];
//! # // As /sys/kernel/btf/vmlinux, or what lies between __start_BTF and __stop_BTF.
//! // A word a type: `Btf::parse(bytes)?.own_len()`, or bytes / 12 for sure. Fewer will do, a hundredth still helps.
//! let mut offsets = [0; 3];
//! let btf = Btf::parse_with_offsets(bytes, &mut offsets)?;
//!
//! let node = btf.find("node", Kind::Struct).expect("it is there");
//! let next = node.member("next").expect("it has one member"); // of what has no name inside it, too
//! assert_eq!((node.size(), next.bit_offset, btf.size_of(next.type_id)), (Some(8), 0, Some(8)));
//! let Shape::Struct(members) = node.shape() else { unreachable!("a struct") };
//! assert_eq!(members.map(|member| member.name).last(), Some(&b"next"[..]));
//!
//! // Thousands of names at index speed, in `HashIndex::words` of any memory. A `Btf` is `Copy`: it is not used up.
//! let mut words = [0; 8];
//! assert!(HashIndex::words(&btf) <= words.len());
//! let index = HashIndex::build(btf, &mut words).expect("room enough");
//! let mut ids = [None; 2];
//! assert_eq!(index.find_many(&[("int", Kind::Int), ("int", Kind::Func)], &mut ids), 1);
//! assert_eq!(ids, [Some(kallsyms_core::btf::TypeId(1)), None]);
//! # Ok::<(), kallsyms_core::btf::Error>(())
//! ```
//!
//! A module's BTF goes on where that of the kernel ends: [`Btf::split`] takes the base as it is to be searched,
//! a `&Btf`, `&SortedBtf` or `&HashIndex`, and every question asks the base first. A split may be a base too. The
//! types that a BTF has itself are its *own*, those of its bases not. Which base a split belongs to is not written
//! in it: over another one it has other types, and [`Btf::check_references`] may be the only one to notice.
//!
//! To bisect where one can and to hash elsewhere, hold a [`Layer`]: it asks all questions too.
//!
//! ```no_run
//! # use kallsyms_core::btf::{Btf, Find, HashIndex, IndexError, Kind, Layer, SortedBtf};
//! # fn open(btf: Btf<'_>, words: &mut [u64]) -> Result<(), IndexError> {
//! let (sorted, index);
//! let names = match SortedBtf::new(btf) {
//!     Ok(found) => { sorted = found; Layer::from(&sorted) }
//!     Err(_) => { index = HashIndex::build(btf, words)?; Layer::from(&index) }
//! };
//! println!("{:?}", names.find_id("task_struct", Kind::Struct));
//! # Ok(()) }
//! ```
//!
//! # Order
//!
//! Since libbpf 1.7 and Linux 7.0 BTF may be sorted: all own types by the bytes of their names, so that those
//! without name come first, and of one name in the order that they had. Nothing in the file says so. libbpf
//! looks when it opens a file, Linux trusts that of `vmlinux`; here only [`SortedBtf::new`] makes what
//! bisection needs, and it has looked.
//!
//! Source of the format: `uapi/linux/btf.h` of Linux, as of 2026; of the answers: libbpf 1.7.

#[expect(clippy::module_inception, reason = "the module is named as the type")]
mod btf;
mod check;
mod declaration;
mod error;
mod find;
mod format;
mod hash_index;
mod header;
mod kind;
mod layer;
mod linear;
mod lists;
mod member;
mod name_hash;
mod offsets;
mod parse;
mod permute;
mod resolve;
mod sorted;
mod strings;
mod type_id;
mod types;

pub use crate::endian::Endian;
pub use btf::Btf;
pub use declaration::Declaration;
pub use error::{Error, Section};
pub use find::{DeclTags, Find, Kfuncs, Named};
pub use hash_index::{HashIndex, IndexError};
pub use header::HeaderError;
pub use kind::Kind;
pub use layer::Layer;
pub use lists::{Enumerator, Enumerators, Member, Members, Param, Params, Variable, Variables};
pub use permute::{ExtError, ExtSection, Permutation, PermuteError};
pub use sorted::{SortedBtf, Unsorted};
pub use type_id::TypeId;
pub use types::{Array, Int, Shape, Type, Types};
