//! BTF: every question, in every order of names.

use core::fmt::{Result, Write};

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, Layer, Permutation, Shape, SortedBtf, Type, TypeId};

pub(crate) fn all(
    (base, split): (&[u8], &[u8]),
    (offsets, words): (&mut [u32], &mut [u64]),
    name: &str,
    sink: &mut dyn Write,
) -> Result {
    let (some, others) = offsets.split_at_mut(offsets.len() / 2);
    let base = match Btf::parse(base).and_then(|_| Btf::parse_with_offsets(base, some)) {
        Ok(base) => base.with_offsets(others),
        Err(error) => return write!(sink, "{error} {error:?}"),
    };
    about(Layer::from(&base).btf(), sink)?;
    if let Err(error) = base.check_references() {
        write!(sink, "{error}")?;
    }
    questions(&base, name, sink)?;
    match SortedBtf::new(base) {
        Ok(sorted) => {
            questions(&sorted, name, sink)?;
            write!(sink, "{:?} {} {:?}", sorted.btf(), base.is_sorted(), Layer::from(&sorted).btf())?;
        }
        Err(error) => write!(sink, "{error} {error:?}")?,
    }
    if words.len() < HashIndex::words(&base) {
        write!(sink, "too few")?;
    }
    match HashIndex::build(base, words) {
        Ok(index) => {
            questions(&index, name, sink)?;
            write!(sink, "{:?} {index:?}", index.btf())?;
            if let Ok(split) = Btf::split(&index, split) {
                questions(&split, name, sink)?;
                write!(sink, "{:?}", split.base())?;
            }
        }
        Err(error) => write!(sink, "{error} {error:?}")?,
    }
    Ok(())
}

fn about(btf: &Btf<'_>, sink: &mut dyn Write) -> Result {
    write!(sink, "{:?} {} {}", btf.endian(), btf.start_id(), btf.end_id())?;
    write!(sink, "{} {} {}", btf.own_len(), btf.named_len(), btf.pointer_size())?;
    write!(sink, "{} {} {}", btf.types_len(), btf.strings_len(), btf.as_bytes().len())?;
    write!(sink, "{:?} {:?}", btf.string(7), btf.resolve(TypeId(7)))?;
    write!(sink, "{:?} {:?}", btf.size_of(TypeId(7)), btf.type_by_id(TypeId(7)))?;
    write!(sink, "{:?} {:?}", btf.types(), btf.types().size_hint())?;
    btf.types().try_for_each(|found| one(&found, sink))
}

fn one(found: &Type<'_>, sink: &mut dyn Write) -> Result {
    write!(sink, "{} {:?} {:?} {}", found.id(), found.kind(), found.name(), found.name_off())?;
    write!(
        sink,
        "{:?} {:?} {}",
        found.size(),
        found.member("pid"),
        *found == found.btf().types().next().unwrap_or(*found)
    )?;
    write!(sink, "{} {} {}", found.vlen(), found.kflag(), found.size_or_type())?;
    write!(sink, "{} {} {:?}", found.offset(), found.record().len(), found.btf())?;
    write!(sink, "{} {:?}", found.declaration(), found.declaration())?;
    match found.shape() {
        Shape::Struct(mut members) => write!(sink, "{:?} {:?}", members.size_hint(), members.next()),
        Shape::Enum(mut values) => write!(sink, "{:?} {}", values.next(), values.is_signed()),
        Shape::FuncProto { mut params, .. } => write!(sink, "{:?}", params.next()),
        Shape::DataSec(mut variables) => write!(sink, "{:?} {:?}", variables.size_hint(), variables.next()),
        other => write!(sink, "{other:?}"),
    }
}

fn questions(btf: &impl Find, name: &str, sink: &mut dyn Write) -> Result {
    let kind = Kind::from_name(name).unwrap_or(Kind::from_number(4));
    write!(sink, "{kind} {} {:?}", kind.number(), btf.find_id(name, kind))?;
    write!(sink, "{:?} {:?}", btf.find(name, kind), btf.find_own(name, kind))?;
    write!(sink, "{:?} {:?}", btf.find_all(name), btf.find_all(name).next())?;
    write!(sink, "{:?}", btf.decl_tags(name).next())?;
    let mut out = [None; 20];
    let found = btf.find_many(&[(name, kind); 20], &mut out);
    write!(sink, "{:?} {found} {out:?}", btf.kfuncs().last())
}

pub(crate) fn order(
    (btf, ext): (&Btf<'_>, &[u8]),
    room: &mut [u32],
    out: &mut [u8],
    sink: &mut dyn Write,
) -> Result {
    write!(sink, "{}", Permutation::words(btf))?;
    let (id_map, room) = room.split_at_mut_checked(9).unwrap_or_default();
    match Permutation::new(btf, id_map, room) {
        Ok(permutation) => follow(btf, &permutation, ext, out, sink)?,
        Err(error) => write!(sink, "{error} {error:?}")?,
    }
    match btf.permutation(room) {
        Ok(permutation) => follow(btf, &permutation, ext, out, sink),
        Err(error) => write!(sink, "{error} {error:?}"),
    }
}

fn follow(
    btf: &Btf<'_>,
    permutation: &Permutation<'_>,
    ext: &[u8],
    out: &mut [u8],
    sink: &mut dyn Write,
) -> Result {
    write!(sink, "{permutation:?} {:?} {:?}", permutation.id_map(), permutation.new_id(TypeId(7)))?;
    match btf.permute(permutation, out) {
        Ok(bytes) => write!(sink, "{bytes:?}")?,
        Err(error) => write!(sink, "{error} {error:?}")?,
    }
    match permutation.permute_ext(ext, out) {
        Ok(bytes) => write!(sink, "{bytes:?}"),
        Err(error) => write!(sink, "{error} {error:?}"),
    }
}
