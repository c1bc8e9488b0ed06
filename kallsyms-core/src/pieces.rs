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

    /// Takes what stands behind the first `skip` bytes, as far as a buffer has room for it; returns how many
    /// bytes that are: fewer than there is room for, if that is all. Steps: one a piece.
    ///
    /// What is left stands behind the first `skip` bytes again. What the rest of the buffer held may be lost.
    fn take_to(&mut self, skip: &mut usize, buffer: &mut [u8]) -> usize;
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

/// [`Pieces::take_to`], piece by piece.
#[inline]
pub(crate) fn take<'t>(
    pieces: &mut (impl Iterator<Item = &'t [u8]> + Clone),
    skip: &mut usize,
    buffer: &mut [u8],
) -> usize {
    let mut len = 0usize;
    loop {
        let mut behind = pieces.clone();
        let Some(piece) = behind.next() else { return len };
        let (taken, is_whole) = take_piece(piece, skip, buffer.get_mut(len..).unwrap_or_default());
        len = len.wrapping_add(taken);
        if !is_whole {
            return len;
        }
        *pieces = behind;
    }
}

/// The same of one piece: how many bytes were taken, and whether nothing is left of it.
#[inline]
pub(crate) fn take_piece(piece: &[u8], skip: &mut usize, room: &mut [u8]) -> (usize, bool) {
    let rest = piece.get(*skip..).unwrap_or_default();
    let taken = rest.len().min(room.len());
    put(room, rest.get(..taken).unwrap_or_default());
    let is_whole = taken == rest.len();
    *skip = if is_whole { skip.saturating_sub(piece.len()) } else { skip.wrapping_add(taken) };
    (taken, is_whole)
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
