//! Through the wrappings of a kernel to the one that holds what is looked for.

use super::error::{Attempt, Fault};
use super::payload::{self, Codec, Header, Payload, Wrapping};
use kallsyms_core::linux::Width;

/// Most bytes that are unpacked, all payloads of a file together: several times those of any kernel.
const LIMIT: usize = 512 << 20;
/// A kernel within an `Image.gz` within a boot image, and no deeper.
const DEEPEST: usize = 3;
/// Places with the first bytes of compressed data that are tried; a raw kernel has many by chance.
const MOST_CANDIDATES: usize = 4096;
/// A payload that unpacks to less is no kernel.
const SMALLEST_KERNEL: usize = 1 << 14;

/// Finds something in bytes that nothing is packed in; the width of a pointer is what the wrapping told.
pub(super) type Seek<'s, T> = &'s dyn Fn(&[u8], Option<Width>) -> Result<T, Fault>;

/// Why nothing was found.
pub(super) enum Failed {
    Empty,
    NotFound(Vec<Attempt>),
    /// The search ended at a part of it.
    Incomplete(Attempt),
}

/// Looks everywhere until it is found, and tells within what.
pub(super) fn search<T>(bytes: &[u8], seek: Seek<'_, T>) -> Result<(T, Wrapping), Failed> {
    if bytes.is_empty() {
        return Err(Failed::Empty);
    }
    let mut search = Search { attempts: Vec::new(), left: LIMIT, seek };
    match search.look_into(bytes, &Wrapping::default(), None) {
        Some(Ok(found)) => Ok(found),
        Some(Err(attempt)) => Err(Failed::Incomplete(attempt)),
        None => Err(Failed::NotFound(search.attempts)),
    }
}

/// What ends a search: it is found, or a part of it that lacks the rest.
type Ended<T> = Result<(T, Wrapping), Attempt>;

struct Search<'s, T> {
    attempts: Vec<Attempt>,
    /// Bytes that may yet be unpacked.
    left: usize,
    seek: Seek<'s, T>,
}

impl<T> Search<'_, T> {
    /// `pointer` is what the wrapping told.
    fn look_into(&mut self, bytes: &[u8], wrapping: &Wrapping, pointer: Option<Width>) -> Option<Ended<T>> {
        if let Some(codec) = payload::codec_at(bytes) {
            return self.unpack(bytes, 0, codec, wrapping, pointer);
        }
        let header = payload::header(bytes);
        let pointer = match header {
            Some(Header::Packed(Some(width)) | Header::Plain(Some(width))) => Some(width),
            _ => pointer,
        };
        if let Some(Header::Payload(place)) = header {
            let end = place.offset.saturating_add(place.size);
            match bytes.get(place.offset..end) {
                Some([]) => {}
                Some(inner) => match payload::codec_at(inner) {
                    Some(codec) => return self.unpack(inner, place.offset, codec, wrapping, pointer),
                    // Not compressed, or in a way that is not known.
                    None => return self.search_image(inner, wrapping, pointer),
                },
                None => {
                    let (offset, size, len) = (place.offset, place.size, bytes.len());
                    self.note(wrapping, Fault::PayloadOutOfBounds { offset, size, len });
                }
            }
        }
        self.search_image(bytes, wrapping, pointer).or_else(|| self.search_payloads(bytes, wrapping, pointer))
    }

    fn search_image(
        &mut self,
        bytes: &[u8],
        wrapping: &Wrapping,
        pointer: Option<Width>,
    ) -> Option<Ended<T>> {
        match (self.seek)(bytes, pointer) {
            Ok(found) => Some(Ok((found, wrapping.clone()))),
            Err(fault) if fault.has_names() => Some(Err(Attempt { wrapping: wrapping.clone(), fault })),
            Err(fault) => {
                self.note(wrapping, fault);
                None
            }
        }
    }

    /// Tries whatever in a file begins as compressed data does.
    fn search_payloads(
        &mut self,
        bytes: &[u8],
        wrapping: &Wrapping,
        pointer: Option<Width>,
    ) -> Option<Ended<T>> {
        if wrapping.depth() >= DEEPEST {
            return None;
        }
        for (offset, codec) in payload::candidates(bytes).take(MOST_CANDIDATES) {
            if self.left == 0 {
                break;
            }
            let packed = bytes.get(offset..).unwrap_or_default();
            if let Some(ended) = self.unpack(packed, offset, codec, wrapping, pointer) {
                return Some(ended);
            }
        }
        None
    }

    fn unpack(
        &mut self,
        bytes: &[u8],
        offset: usize,
        codec: Codec,
        wrapping: &Wrapping,
        pointer: Option<Width>,
    ) -> Option<Ended<T>> {
        let wrapping = wrapping.with(Payload { codec, offset });
        if wrapping.depth() > DEEPEST {
            return None;
        }
        match payload::decompress(codec, bytes, &mut self.left) {
            Ok(inner) if inner.len() < SMALLEST_KERNEL => None,
            Ok(inner) => self.look_into(&inner, &wrapping, pointer),
            Err(fault) => {
                self.note(&wrapping, fault);
                None
            }
        }
    }

    fn note(&mut self, wrapping: &Wrapping, fault: Fault) {
        // By chance, compressed data seems to begin in many places: one fault of each codec says enough.
        let is_known = |attempt: &Attempt| match (&attempt.fault, &fault) {
            (Fault::Compressed { codec, .. }, Fault::Compressed { codec: other, .. }) => codec == other,
            _ => false,
        };
        if !self.attempts.iter().any(is_known) {
            self.attempts.push(Attempt { wrapping: wrapping.clone(), fault });
        }
    }
}
