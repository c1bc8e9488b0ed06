//! A whole BTF anew, its types in another order.

use zerocopy::FromBytes;

use super::super::btf::{Btf, Record};
use super::super::format::{RawType, Word, copy};
use super::super::kind::Kind;
use super::super::type_id::TypeId;
use super::error::PermuteError;
use super::permutation::Permutation;
use crate::num::index;

/// Bytes of a word.
const WORD: usize = size_of::<Word>();
/// Where a record's head has a type, in the kinds that refer to one.
const IN_HEAD: usize = 2 * WORD;
/// Bytes of a record's head.
const HEAD: usize = size_of::<RawType>();

/// Where the records of a kind refer to types: in the head, and at `first`, `first + step` and so on.
#[derive(Clone, Copy)]
struct Places {
    in_head: bool,
    first: usize,
    step: usize,
    count: Count,
}

#[derive(Clone, Copy)]
enum Count {
    Fixed(usize),
    Elements,
}

impl Places {
    const NONE: Self = Self { in_head: false, first: HEAD, step: WORD, count: Count::Fixed(0) };

    /// `None` of a kind that is not known.
    fn of(kind: Kind) -> Option<Self> {
        let elements = |first, step| Self { first, step, count: Count::Elements, ..Self::NONE };
        Some(match kind {
            // The word of a forward declaration has no meaning, whatever a compiler leaves there.
            Kind::Void | Kind::Int | Kind::Enum | Kind::Enum64 | Kind::Forward | Kind::Float => Self::NONE,
            Kind::Pointer
            | Kind::Typedef
            | Kind::Volatile
            | Kind::Const
            | Kind::Restrict
            | Kind::Func
            | Kind::Var
            | Kind::DeclTag
            | Kind::TypeTag => Self { in_head: true, ..Self::NONE },
            // Element and index.
            Kind::Array => Self { count: Count::Fixed(2), ..Self::NONE },
            // Behind the name of each.
            Kind::Struct | Kind::Union => elements(HEAD + WORD, 3 * WORD),
            Kind::FuncProto => Self { in_head: true, ..elements(HEAD + WORD, 2 * WORD) },
            Kind::DataSec => elements(HEAD, 3 * WORD),
            Kind::Other(_) => return None,
        })
    }
}

impl Btf<'_> {
    /// Writes the whole BTF anew: every record at the place of its new number, every reference to an own type
    /// with it.
    ///
    /// `out` has as many bytes as the BTF, or more; what was written is returned. References into the base, the
    /// byte order, header, layout section, strings, and bytes between and behind the sections stay as they are.
    /// After an error `out` holds nothing of use. Steps: one a type and one a reference.
    ///
    /// # Errors
    ///
    /// [`PermuteError::OutTooShort`], [`PermuteError::OtherTypes`], and the first of the faults behind them.
    pub fn permute<'o>(
        &self,
        permutation: &Permutation<'_>,
        out: &'o mut [u8],
    ) -> Result<&'o [u8], PermuteError> {
        let needed = self.bytes.len();
        let len = out.len();
        let out = out.get_mut(..needed).ok_or(PermuteError::OutTooShort { len, needed })?;
        self.check_starts(permutation)?;
        copy(self.bytes, out);
        let mut left = out.get_mut(self.records_at..).unwrap_or_default();
        for &start in permutation.starts {
            let Some(record) = self.record_at(0, start) else {
                return Err(PermuteError::OtherTypes);
            };
            let len = HEAD.wrapping_add(record.rest.len());
            let (place, behind) = left.split_at_mut_checked(len).ok_or(PermuteError::OtherTypes)?;
            copy(self.records.get(index(start)..).unwrap_or_default(), place);
            self.follow(&record, permutation, place)?;
            left = behind;
        }
        Ok(out)
    }

    /// Checks that the records begin where the permutation says, and that their kinds are known.
    fn check_starts(&self, permutation: &Permutation<'_>) -> Result<(), PermuteError> {
        if permutation.start_id != self.start_id || permutation.starts.len() != index(self.own_len) {
            return Err(PermuteError::OtherTypes);
        }
        for (record, &new) in self.own_types().zip(permutation.new_ids()) {
            let start = permutation.starts.get(index(new.wrapping_sub(self.start_id)));
            if start != Some(&record.offset) {
                return Err(PermuteError::OtherTypes);
            }
            if let Kind::Other(found) = record.kind(self.endian) {
                let id = TypeId(self.start_id.wrapping_add(record.number));
                return Err(PermuteError::UnknownKind { id, offset: self.place_of(record.offset, 0), found });
            }
        }
        Ok(())
    }

    /// Rewrites the references of a record's copy.
    fn follow(
        &self,
        record: &Record<'_>,
        permutation: &Permutation<'_>,
        copy: &mut [u8],
    ) -> Result<(), PermuteError> {
        let kind = record.kind(self.endian);
        let Some(places) = Places::of(kind) else { return Ok(()) };
        let mut rewrite = |at: usize| {
            let Ok((word, _)) = Word::mut_from_prefix(copy.get_mut(at..).unwrap_or_default()) else {
                return Ok(());
            };
            let found = TypeId(word.get(self.endian));
            let new = permutation.new_id(found).ok_or_else(|| self.no_such_type(record.offset, at, found))?;
            *word = Word::new(new.0, self.endian);
            Ok(())
        };
        if places.in_head {
            rewrite(IN_HEAD)?;
        }
        let count = match places.count {
            Count::Fixed(count) => count,
            Count::Elements => index(record.vlen(self.endian)),
        };
        let mut offsets =
            (0..count).map(|number| places.first.wrapping_add(number.wrapping_mul(places.step)));
        offsets.try_for_each(rewrite)
    }

    /// The fault of the reference at a place of a record.
    #[cold]
    fn no_such_type(&self, start: u32, at: usize, found: TypeId) -> PermuteError {
        let number = self.own_types().find(|own| own.offset == start).map_or(0, |own| own.number);
        let id = TypeId(self.start_id.wrapping_add(number));
        PermuteError::NoSuchType { id, offset: self.place_of(start, at), found }
    }

    /// Bytes from the start of the file to a place of a record.
    fn place_of(&self, start: u32, at: usize) -> usize {
        self.records_at.wrapping_add(index(start)).wrapping_add(at)
    }
}
