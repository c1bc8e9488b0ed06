//! The pieces that a name is stored in: compared and copied in place.

use core::fmt;

/// A name as the pieces that it is stored in.
pub trait Pieces<'t>: Clone + Default + fmt::Debug {
    /// The pieces one by one.
    type Iter: Iterator<Item = &'t [u8]> + Clone + fmt::Debug;

    /// The pieces one by one.
    fn iter(&self) -> Self::Iter;

    /// Whether this holds for every piece of what stands behind the first `skip` bytes; stops at the first of
    /// which it does not. Steps: one a piece.
    fn all_behind(&self, skip: usize, holds: impl FnMut(&'t [u8]) -> bool) -> bool {
        all_behind(self.iter(), skip, holds)
    }

    /// Copies what stands behind the first `skip` bytes to the start of a buffer; returns how many bytes that
    /// are, and `None` if they do not fit. Steps: one a piece.
    ///
    /// What the rest of the buffer held may be lost.
    fn copy_to(&self, skip: usize, buffer: &mut [u8]) -> Option<usize> {
        copy(self.iter(), skip, buffer)
    }
}

/// [`Pieces::all_behind`], piece by piece.
#[inline]
pub(crate) fn all_behind<'t>(
    mut pieces: impl Iterator<Item = &'t [u8]>,
    mut skip: usize,
    mut holds: impl FnMut(&'t [u8]) -> bool,
) -> bool {
    pieces.all(|piece| {
        let rest = piece.get(skip..).unwrap_or_default();
        skip = skip.saturating_sub(piece.len());
        rest.is_empty() || holds(rest)
    })
}

/// [`Pieces::copy_to`], piece by piece.
pub(crate) fn copy<'t>(
    pieces: impl Iterator<Item = &'t [u8]>,
    skip: usize,
    buffer: &mut [u8],
) -> Option<usize> {
    let mut len = 0usize;
    let fit = all_behind(pieces, skip, |piece| {
        let room = buffer.get_mut(len..).unwrap_or_default();
        len = len.wrapping_add(piece.len());
        put(room, piece).is_some()
    });
    fit.then_some(len)
}

/// The bytes behind `piece`, if it is what they begin with.
///
/// Pieces are a few bytes: comparing them in place, by two loads that overlap, is a fifth of a call of
/// `memcmp`.
#[inline]
pub(crate) fn without<'a>(bytes: &'a [u8], piece: &[u8]) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(piece.len())?;
    let equal = match piece.len() {
        17.. => head == piece,
        8..=16 => ends_equal::<8>(head, piece),
        4..=7 => ends_equal::<4>(head, piece),
        2..=3 => ends_equal::<2>(head, piece),
        _ => head.first() == piece.first(),
    };
    equal.then_some(rest)
}

/// Whether the first and the last `N` bytes are equal.
#[inline]
fn ends_equal<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<N>() == b.first_chunk() && a.last_chunk::<N>() == b.last_chunk()
}

/// Copies a piece to the start of the room for it, if there is enough: in place by two stores that overlap,
/// as [`without`] compares.
#[inline]
pub(crate) fn put(room: &mut [u8], piece: &[u8]) -> Option<()> {
    let room = room.get_mut(..piece.len())?;
    match piece.len() {
        17.. => room.iter_mut().zip(piece).for_each(|(to, from)| *to = *from),
        8..=16 => put_ends::<8>(room, piece),
        4..=7 => put_ends::<4>(room, piece),
        2..=3 => put_ends::<2>(room, piece),
        _ => put_ends::<1>(room, piece),
    }
    Some(())
}

/// Copies the first and the last `N` bytes; of nothing, nothing.
#[inline]
fn put_ends<const N: usize>(room: &mut [u8], piece: &[u8]) {
    if let (Some(to), Some(from)) = (room.first_chunk_mut::<N>(), piece.first_chunk()) {
        *to = *from;
    }
    if let (Some(to), Some(from)) = (room.last_chunk_mut::<N>(), piece.last_chunk()) {
        *to = *from;
    }
}
