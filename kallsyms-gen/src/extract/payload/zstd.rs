//! zstd, and what is wrong with it in words: the decoder's own errors are for those who wrote it.

use std::error::Error;
use std::io::{self, Read};

use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::FrameDecoderError;

use super::decompress::{Broken, Unpacked};

/// Unpacks one frame.
pub(super) fn decompress(rest: &mut &[u8], unpacked: &mut Unpacked) -> Result<(), Broken> {
    let decoder = StreamingDecoder::new(rest).map_err(|error| Broken::Data(reason(&error)))?;
    unpacked.read(Worded(decoder))
}

/// A decoder whose errors are words.
struct Worded<R>(R);

impl<R: Read> Read for Worded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(|error| {
            let error = error.get_ref().and_then(|inner| inner.downcast_ref());
            io::Error::other(error.map_or_else(|| "the data is damaged".into(), reason))
        })
    }
}

fn reason(error: &FrameDecoderError) -> String {
    if is_cut_short(error) {
        return "the data ends too early".into();
    }
    let reason = match error {
        FrameDecoderError::WindowSizeTooBig { requested, max } => {
            return format!("its window has {requested} bytes, {max} at most are allowed");
        }
        FrameDecoderError::DictNotProvided { dict_id } => {
            return format!("it needs the dictionary {dict_id:#x}, and no kernel has one");
        }
        FrameDecoderError::ReadFrameHeaderError(_)
        | FrameDecoderError::FrameHeaderError(_)
        | FrameDecoderError::FailedToInitialize(_) => "the frame header is damaged",
        FrameDecoderError::FailedToReadBlockHeader(_) => "a block header is damaged",
        FrameDecoderError::FailedToReadBlockBody(_) => "a block is damaged",
        _ => "the data is damaged",
    };
    reason.into()
}

/// Whether what is behind an error is the end of the data.
fn is_cut_short(error: &FrameDecoderError) -> bool {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    let mut reads = causes.filter_map(|cause| cause.downcast_ref::<io::Error>());
    reads.any(|error| error.kind() == io::ErrorKind::UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::super::{Codec, decompress};

    #[test]
    fn damage_is_said_in_words() {
        let text: Vec<u8> = (0..200_000_u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
        let packed = compress_to_vec(&text[..], CompressionLevel::Fastest);
        let with = |at: usize, bytes: &[u8]| {
            let mut damaged = packed.clone();
            damaged[at..at + bytes.len()].copy_from_slice(bytes);
            damaged
        };
        for (payload, reason) in [
            (packed[..packed.len() / 2].to_vec(), "the data ends too early"),
            (packed[..5].to_vec(), "the data ends too early"),
            // A descriptor without a single segment, then 2^41 bytes of window.
            (with(4, &[0, 0xf8]), "its window has 2199023255552 bytes, 134217728 at most are allowed"),
            // One with the number of a dictionary, behind a window of 1 KiB.
            (with(4, &[1, 0, 0x2a]), "it needs the dictionary 0x2a, and no kernel has one"),
            // A window of 1 KiB, then a block of the reserved kind.
            (with(4, &[0, 0, 0xff, 0xff, 0xff]), "a block header is damaged"),
            // The last block, compressed to 4 bytes, with the tree of a block that was not there.
            (with(4, &[0, 0, 5 | 4 << 3, 0, 0, 0xff, 0xff, 0xff, 0xff]), "a block is damaged"),
        ] {
            let wanted = format!("{} data that does not decompress: {reason}", Codec::Zstd);
            let fault =
                decompress(Codec::Zstd, &payload, &mut (1 << 20)).map(|bytes| bytes.len()).expect_err(reason);
            assert_eq!(fault.to_string(), wanted);
        }
    }
}
