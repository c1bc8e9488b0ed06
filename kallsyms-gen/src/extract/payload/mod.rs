//! What a kernel is packed in: compression, and the headers that boot loaders read.

mod codec;
mod decompress;
mod header;
mod lz4_legacy;
mod lzop;
mod zstd;

use std::fmt;

pub use codec::Codec;
pub(super) use codec::{candidates, codec_at};
pub(super) use decompress::decompress;
pub(super) use header::{Header, header};

/// What was unpacked to get at some bytes, from the file inwards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wrapping(pub Vec<Payload>);

/// Compressed bytes within others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payload {
    /// How it is compressed.
    pub codec: Codec,
    /// Where it begins, in the bytes around it.
    pub offset: usize,
}

impl Wrapping {
    pub(super) fn with(&self, payload: Payload) -> Self {
        Self(self.0.iter().copied().chain([payload]).collect())
    }

    pub(super) fn depth(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for Wrapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the file itself");
        }
        for (number, Payload { codec, offset }) in self.0.iter().enumerate() {
            let separator = if number == 0 { "" } else { ", in it " };
            write!(f, "{separator}the {codec} payload at {offset:#x}")?;
        }
        Ok(())
    }
}
