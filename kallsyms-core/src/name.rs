//! A name: streamed, compared, copied; never held in a buffer.

use core::cmp::Ordering;
use core::fmt;

use crate::llvm;
use crate::pieces::{self, Pieces, without};
use crate::table::{Layout, Spelling};

/// A copy of a name in a caller's fixed capacity.
pub type OwnedName<const N: usize> = heapless::Vec<u8, N>;

/// The name of a symbol, not yet decoded.
///
/// Names are bytes. `Display` writes them as UTF-8, with U+FFFD for what is not.
pub struct Name<'t, L: Layout + 't> {
    spelling: Spelling<L::Stream<'t>>,
}

impl<'t, L: Layout> Name<'t, L> {
    pub(crate) fn new(spelling: Spelling<L::Stream<'t>>) -> Self {
        Self { spelling }
    }

    /// The name piece by piece; no piece of a sound table is empty. Steps: one a piece.
    #[must_use]
    pub fn fragments(&self) -> Fragments<<L::Stream<'t> as Pieces<'t>>::Iter> {
        Fragments { pieces: self.spelling.stream.iter(), skip: self.spelling.skip }
    }

    /// Bytes of the name. Steps: one a piece.
    #[must_use]
    pub fn len(&self) -> usize {
        let mut len = 0usize;
        self.all(|piece| {
            len = len.wrapping_add(piece.len());
            true
        });
        len
    }

    /// Whether the name has no bytes, as only a damaged table says. Steps: one piece.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all(|_| false)
    }

    /// Whether the name starts with these bytes; stops at the first piece that differs. Steps: one a piece.
    #[must_use]
    pub fn starts_with(&self, prefix: &[u8]) -> bool {
        let (mut rest, mut starts) = (prefix, true);
        self.all(|piece| {
            match without(rest, piece) {
                Some(behind) => rest = behind,
                None => {
                    starts = piece.starts_with(rest);
                    rest = &[];
                }
            }
            !rest.is_empty()
        });
        starts && rest.is_empty()
    }

    /// The order of the names' bytes; stops at the first piece that differs. Steps: one a piece.
    #[must_use]
    pub fn compare(&self, other: &[u8]) -> Ordering {
        self.compare_first(usize::MAX, other)
    }

    /// The same of the first `len` bytes of the name.
    #[inline]
    pub(crate) fn compare_first(&self, len: usize, other: &[u8]) -> Ordering {
        let (mut left, mut rest, mut order) = (len, other, Ordering::Equal);
        self.all(|piece| {
            let piece = piece.get(..left).unwrap_or(piece);
            left = left.wrapping_sub(piece.len());
            match without(rest, piece) {
                Some(behind) => rest = behind,
                None => order = piece.cmp(rest),
            }
            order.is_eq() && left > 0
        });
        if order.is_eq() && !rest.is_empty() { Ordering::Less } else { order }
    }

    /// Bytes of the name in front of a trailing `.llvm.<digits>`, as LTO writes it; all of them where there
    /// is none. Steps: one a byte.
    #[must_use]
    pub fn stem_len(&self) -> usize {
        llvm::stem_len(self.bytes())
    }

    /// The bytes of the name one by one. Steps: one a piece and one a byte.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + use<'t, L> {
        self.fragments().flatten().copied()
    }

    /// Copies the name to the start of a buffer, and returns that part of it; what the rest of the buffer held
    /// may be lost. Steps: one a piece.
    ///
    /// # Errors
    ///
    /// [`NameTooLong`] if it does not fit.
    pub fn copy_to<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b mut [u8], NameTooLong> {
        let mut rest = self.clone();
        let len = rest.take_to(buffer);
        let too_long = NameTooLong { capacity: buffer.len() };
        if len == buffer.len() && !rest.is_empty() {
            return Err(too_long);
        }
        buffer.get_mut(..len).ok_or(too_long)
    }

    /// Takes the front of the name, as far as a buffer has room for it: fewer bytes than that are the last
    /// ones. Steps: one a piece.
    #[inline(always)]
    pub(crate) fn take_to(&mut self, buffer: &mut [u8]) -> usize {
        self.spelling.stream.take_to(&mut self.spelling.skip, buffer)
    }

    /// A copy of the name in `N` bytes. Steps: one a piece; `N` bytes of stack.
    ///
    /// # Errors
    ///
    /// [`NameTooLong`] if it does not fit.
    pub fn to_owned_name<const N: usize>(&self) -> Result<OwnedName<N>, NameTooLong> {
        let mut bytes = [0; N];
        let len = self.copy_to(&mut bytes)?.len();
        let mut copy = OwnedName::from_array(bytes);
        copy.truncate(len);
        Ok(copy)
    }

    /// Whether this holds for every piece; stops at the first of which it does not.
    #[inline]
    pub(crate) fn all(&self, holds: impl FnMut(&'t [u8]) -> bool) -> bool {
        self.spelling.stream.all_behind(self.spelling.skip, holds)
    }

    fn equals(&self, other: &[u8]) -> bool {
        let mut rest = other;
        let all = self.all(|piece| without(rest, piece).map(|left| rest = left).is_some());
        all && rest.is_empty()
    }
}

impl<'t, L: Layout + 't> Clone for Name<'t, L> {
    fn clone(&self) -> Self {
        Self { spelling: self.spelling.clone() }
    }
}

/// Exact bytes; stops at the first piece that differs.
impl<L: Layout> PartialEq<[u8]> for Name<'_, L> {
    fn eq(&self, other: &[u8]) -> bool {
        self.equals(other)
    }
}

/// Exact bytes; stops at the first piece that differs.
impl<L: Layout> PartialEq<str> for Name<'_, L> {
    fn eq(&self, other: &str) -> bool {
        self.equals(other.as_bytes())
    }
}

/// Exact bytes; stops at the first piece that differs.
impl<T: AsRef<[u8]> + ?Sized, L: Layout> PartialEq<&T> for Name<'_, L> {
    fn eq(&self, other: &&T) -> bool {
        self.equals(other.as_ref())
    }
}

/// Exact bytes, cut into pieces in any way.
impl<L: Layout, M: Layout> PartialEq<Name<'_, M>> for Name<'_, L> {
    fn eq(&self, other: &Name<'_, M>) -> bool {
        let (mut ours, mut theirs) = (self.fragments(), other.fragments());
        let (mut a, mut b): (&[u8], &[u8]) = (&[], &[]);
        loop {
            if a.is_empty() {
                a = ours.next().unwrap_or_default();
            }
            if b.is_empty() {
                b = theirs.next().unwrap_or_default();
            }
            let common = a.len().min(b.len());
            let (Some((a_head, a_tail)), Some((b_head, b_tail))) =
                (a.split_at_checked(common), b.split_at_checked(common))
            else {
                return false;
            };
            if common == 0 || a_head != b_head {
                return a.is_empty() && b.is_empty();
            }
            (a, b) = (a_tail, b_tail);
        }
    }
}

/// The pieces of a name: [`Name::fragments`].
#[derive(Debug, Clone)]
pub struct Fragments<I> {
    pieces: I,
    skip: usize,
}

impl<'t, I: Iterator<Item = &'t [u8]>> Iterator for Fragments<I> {
    type Item = &'t [u8];

    #[inline]
    fn next(&mut self) -> Option<&'t [u8]> {
        if self.skip == 0 { self.pieces.next() } else { self.first() }
    }

    #[inline]
    fn for_each<F: FnMut(&'t [u8])>(self, mut f: F) {
        pieces::all_behind(self.pieces, self.skip, |piece| {
            f(piece);
            true
        });
    }
}

impl<'t, I: Iterator<Item = &'t [u8]>> Fragments<I> {
    /// The first piece that has bytes behind those to skip.
    fn first(&mut self) -> Option<&'t [u8]> {
        loop {
            let piece = self.pieces.next()?;
            match piece.get(self.skip..) {
                Some([]) => {
                    self.skip = 0;
                    return self.pieces.next();
                }
                Some(rest) => {
                    self.skip = 0;
                    return Some(rest);
                }
                None => self.skip = self.skip.saturating_sub(piece.len()),
            }
        }
    }
}

/// The name does not fit in the capacity that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NameTooLong {
    /// Bytes that there was room for.
    pub capacity: usize,
}

impl fmt::Display for NameTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name is longer than {} bytes", self.capacity)
    }
}

impl core::error::Error for NameTooLong {}
