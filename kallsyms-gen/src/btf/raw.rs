//! Types as text, a line for each and for each of its elements, in the form of `bpftool btf dump`.

use std::io::{self, Write};

use kallsyms_core::btf::{Int, Kind, Shape, Type, TypeId};

/// `[id] KIND 'name'`; type 0 is `[0] VOID 'void'`.
///
/// # Errors
///
/// The writer's.
pub fn heading(out: &mut impl Write, of: &Type<'_>) -> io::Result<()> {
    write!(out, "[{}] {} '", of.id(), of.kind())?;
    out.write_all(if of.id() == TypeId::VOID { b"void" } else { name(of.name()) })?;
    out.write_all(b"'")
}

/// The lines of a type.
///
/// # Errors
///
/// The writer's.
pub fn lines(out: &mut impl Write, of: &Type<'_>) -> io::Result<()> {
    heading(out, of)?;
    match of.shape() {
        Shape::Int(int) => {
            let Int { size, bits, bit_offset, .. } = int;
            let encoding = encoding(&int);
            write!(out, " size={size} bits_offset={bit_offset} nr_bits={bits} encoding={encoding}")?;
        }
        Shape::Pointer(target)
        | Shape::Typedef(target)
        | Shape::Volatile(target)
        | Shape::Const(target)
        | Shape::Restrict(target)
        | Shape::TypeTag(target) => write!(out, " type_id={target}")?,
        Shape::Array(array) => {
            let (element, index, len) = (array.element, array.index, array.len);
            write!(out, " type_id={element} index_type_id={index} nr_elems={len}")?;
        }
        Shape::Struct(members) | Shape::Union(members) => {
            write!(out, " size={} vlen={}", of.size_or_type(), of.vlen())?;
            for member in members {
                element(out, member.name)?;
                write!(out, " type_id={} bits_offset={}", member.type_id, member.bit_offset)?;
                if member.bit_size != 0 {
                    write!(out, " bitfield_size={}", member.bit_size)?;
                }
            }
        }
        Shape::Enum(values) => {
            let signed = values.is_signed();
            let encoding = if signed { "SIGNED" } else { "UNSIGNED" };
            write!(out, " encoding={encoding} size={} vlen={}", of.size_or_type(), of.vlen())?;
            for value in values {
                element(out, value.name)?;
                match (of.kind() == Kind::Enum64, signed) {
                    (true, true) => write!(out, " val={}LL", value.value.cast_signed())?,
                    (true, false) => write!(out, " val={}ULL", value.value)?,
                    (false, true) => write!(out, " val={}", value.value.cast_signed())?,
                    (false, false) => write!(out, " val={}", value.value)?,
                }
            }
        }
        Shape::Forward { union } => write!(out, " fwd_kind={}", if union { "union" } else { "struct" })?,
        Shape::Func { proto, linkage: of } => write!(out, " type_id={proto} linkage={}", linkage(of))?,
        Shape::FuncProto { result, params } => {
            write!(out, " ret_type_id={result} vlen={}", of.vlen())?;
            for param in params {
                element(out, param.name)?;
                write!(out, " type_id={}", param.type_id)?;
            }
        }
        Shape::Var { type_id, linkage: of } => write!(out, " type_id={type_id}, linkage={}", linkage(of))?,
        Shape::DataSec(variables) => {
            write!(out, " size={} vlen={}", of.size_or_type(), of.vlen())?;
            for variable in variables {
                let (id, offset, size) = (variable.type_id, variable.offset, variable.size);
                write!(out, "\n\ttype_id={id} offset={offset} size={size}")?;
                if let Some(found) = of.btf().type_by_id(id) {
                    write!(out, " ({} '", found.kind())?;
                    out.write_all(name(found.name()))?;
                    out.write_all(b"')")?;
                }
            }
        }
        Shape::Float { size } => write!(out, " size={size}")?,
        Shape::DeclTag { target, component } => {
            write!(out, " type_id={target} component_idx={component}")?;
        }
        // Of a later kind there is nothing to say.
        _ => {}
    }
    out.write_all(b"\n")
}

/// The name of an element, on a line of its own.
fn element(out: &mut impl Write, of: &[u8]) -> io::Result<()> {
    out.write_all(b"\n\t'")?;
    out.write_all(name(of))?;
    out.write_all(b"'")
}

fn name(of: &[u8]) -> &[u8] {
    if of.is_empty() { b"(anon)" } else { of }
}

fn encoding(int: &Int) -> &'static str {
    match (int.signed, int.char, int.bool) {
        (false, false, false) => "(none)",
        (true, false, false) => "SIGNED",
        (false, true, false) => "CHAR",
        (false, false, true) => "BOOL",
        _ => "UNKN",
    }
}

fn linkage(of: u32) -> &'static str {
    match of {
        0 => "static",
        1 => "global",
        2 => "extern",
        _ => "(unknown)",
    }
}
