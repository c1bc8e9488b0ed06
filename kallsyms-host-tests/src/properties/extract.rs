//! Bytes that may be a kernel.

use kallsyms_core::btf::Btf;
use kallsyms_gen::extract::{Codec, ExtractError, Extracted, Wrapping, extract, extract_btf, is_kernel};

use super::table::{self, Contents};
use crate::fake_kernel::{CODECS, bz_image, pack, zboot, zimage};
use crate::random::Random;

/// What unpacks to less is not looked into.
const LEAST_PAYLOAD: usize = 1 << 14;

/// An input whose first byte says how the rest is packed before it is looked into.
///
/// Tables that come out are sound, and so is BTF; packing changes neither.
///
/// # Panics
///
/// Where it is not so.
pub fn check_case(input: &[u8]) {
    let Some((form, bytes)) = input.split_first() else { return };
    let codec = usize::from(form & 7).checked_sub(1).and_then(|place| CODECS.get(place));
    let Some(codec) = codec else { return drop(check(bytes)) };
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().max(LEAST_PAYLOAD), 0xff);
    let bytes = bytes.as_slice();
    let found = check(bytes);
    let packed = match form >> 3 & 3 {
        0 => pack(*codec, bytes),
        1 => bz_image(&pack(*codec, bytes)),
        2 => zboot(codec_name(*codec), &pack(*codec, bytes)),
        _ => zimage(&pack(*codec, bytes)),
    };
    let unpacked = check(&packed);
    if let (0, Ok(found)) = (form >> 3 & 3, found)
        && found.wrapping == Wrapping::default()
    {
        assert_eq!(unpacked.map(|unpacked| unpacked.tables), Ok(found.tables));
    }
}

/// What comes out of bytes.
///
/// # Errors
///
/// As [`extract`].
///
/// # Panics
///
/// Where what comes out is not sound.
pub fn check(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    let _ = is_kernel(bytes);
    match extract_btf(bytes) {
        Ok(found) => assert!(Btf::parse(&found.btf.bytes).is_ok()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let found = extract(bytes);
    match &found {
        Ok(found) => table::check(
            &found.tables.kallsyms().expect("sound tables"),
            &mut Random::of(bytes),
            Contents::Checked,
        ),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    found
}

/// As a zboot header has it.
fn codec_name(codec: Codec) -> &'static str {
    match codec {
        Codec::Xz => "xzkern",
        Codec::Zstd => "zstd22",
        Codec::Lz4 => "lz4",
        Codec::Lzo => "lzo",
        Codec::Lzma => "lzma",
        _ => "gzip",
    }
}
