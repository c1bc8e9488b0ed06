//! Arrays of numbers in either byte order, at any alignment.

use zerocopy::FromBytes;

use super::error::{Error, Part};
use super::format::Width;
use crate::endian::Endian;
use crate::num::{index, wide, widen};

/// An array of numbers of `N` bytes; `N` is at most 8.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<'a, const N: usize> {
    items: &'a [[u8; N]],
    endian: Endian,
}

impl<'a, const N: usize> Numbers<'a, N> {
    /// The first `count` numbers of a table.
    pub(super) fn new(part: Part, bytes: &'a [u8], endian: Endian, count: u32) -> Result<Self, Error> {
        match <[[u8; N]]>::ref_from_prefix_with_elems(bytes, index(count)) {
            Ok((items, _)) => Ok(Self { items, endian }),
            Err(_) => {
                Err(Error::TooShort { part, len: bytes.len(), needed: widen(count).saturating_mul(wide(N)) })
            }
        }
    }

    #[inline]
    pub(super) fn get(&self, at: u32) -> Option<u64> {
        let item = self.items.get(index(at))?;
        let mut word = [0; 8];
        match self.endian {
            Endian::Little => {
                *word.first_chunk_mut()? = *item;
                Some(u64::from_le_bytes(word))
            }
            Endian::Big => {
                *word.last_chunk_mut()? = *item;
                Some(u64::from_be_bytes(word))
            }
        }
    }

    /// The numbers as they are stored.
    #[inline]
    pub(super) fn items(&self) -> &'a [[u8; N]] {
        self.items
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + use<'_, N> {
        (0..u32::MAX).map_while(|at| self.get(at))
    }
}

/// An array of numbers of 4 or 8 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Words<'a> {
    Short(Numbers<'a, 4>),
    Long(Numbers<'a, 8>),
}

impl<'a> Words<'a> {
    pub(super) fn new(
        part: Part,
        bytes: &'a [u8],
        endian: Endian,
        count: u32,
        width: Width,
    ) -> Result<Self, Error> {
        Ok(match width {
            Width::Bits32 => Self::Short(Numbers::new(part, bytes, endian, count)?),
            Width::Bits64 => Self::Long(Numbers::new(part, bytes, endian, count)?),
        })
    }

    #[inline]
    pub(super) fn get(&self, at: u32) -> Option<u64> {
        match self {
            Self::Short(numbers) => numbers.get(at),
            Self::Long(numbers) => numbers.get(at),
        }
    }

    /// Those of 4 bytes, lowest byte first.
    #[inline]
    pub(super) fn native(&self) -> Option<&'a [[u8; 4]]> {
        match self {
            Self::Short(Numbers { items, endian: Endian::Little }) => Some(items),
            _ => None,
        }
    }
}
