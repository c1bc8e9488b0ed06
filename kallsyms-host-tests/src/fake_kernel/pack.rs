//! Images packed as the kernel's build does.

use std::io::Write;

use kallsyms_gen::extract::Codec;

/// Every codec.
pub const CODECS: [Codec; 7] =
    [Codec::Gzip, Codec::Xz, Codec::Zstd, Codec::Lz4, Codec::Lzo, Codec::Bzip2, Codec::Lzma];

/// Compresses; what the kernel's build appends, its size, follows.
///
/// # Panics
///
/// Memory that cannot be written to.
#[must_use]
pub fn pack(codec: Codec, bytes: &[u8]) -> Vec<u8> {
    let mut packed = match codec {
        Codec::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).expect("written");
            // Its own last bytes are the size.
            return encoder.finish().expect("packed");
        }
        Codec::Xz => {
            let mut options = lzma_rust2::XzOptions::with_preset(1);
            // As the build does for the instructions of its machine.
            options.prepend_pre_filter(lzma_rust2::FilterType::BcjX86, 0);
            let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).expect("an encoder");
            encoder.write_all(bytes).expect("written");
            encoder.finish().expect("packed")
        }
        Codec::Lzma => {
            let options = lzma_rust2::LzmaOptions::with_preset(1);
            let mut encoder =
                lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, None).expect("an encoder");
            encoder.write_all(bytes).expect("written");
            encoder.finish().expect("packed")
        }
        Codec::Zstd => ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest),
        Codec::Bzip2 => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(bytes).expect("written");
            encoder.finish().expect("packed")
        }
        Codec::Lz4 => lz4_legacy(bytes),
        Codec::Lzo => lzop(bytes),
        _ => panic!("{codec} is not known here"),
    };
    packed.extend((bytes.len() as u32).to_le_bytes());
    packed
}

fn lz4_legacy(bytes: &[u8]) -> Vec<u8> {
    let mut packed = 0x184c_2102_u32.to_le_bytes().to_vec();
    for block in bytes.chunks(8 << 20) {
        let block = lz4_flex::block::compress(block);
        packed.extend((block.len() as u32).to_le_bytes());
        packed.extend(block);
    }
    packed
}

/// As `lzop -9` writes it: both checksums are there, and not looked at.
fn lzop(bytes: &[u8]) -> Vec<u8> {
    let mut packed = b"\x89LZO\0\r\n\x1a\n".to_vec();
    // Version, library, version needed, method, level, flags (checksums of adler), mode, time, no name,
    // checksum.
    packed.extend([0x10, 0x40, 0x20, 0xa0, 0x09, 0x40, 3, 9]);
    packed.extend(3_u32.to_be_bytes());
    packed.extend([0; 4 + 8 + 1 + 4]);
    for block in bytes.chunks(256 << 10) {
        let small = lzokay::compress::compress(block).expect("packed");
        let stored = small.len() >= block.len();
        packed.extend((block.len() as u32).to_be_bytes());
        packed.extend((if stored { block.len() } else { small.len() } as u32).to_be_bytes());
        packed.extend(if stored { &[0xad; 4][..] } else { &[0xad; 8] });
        packed.extend(if stored { block } else { &small });
    }
    packed.extend([0; 4]);
    packed
}

/// An x86 kernel of boot protocol 2.15 around a payload.
#[must_use]
pub fn bz_image(payload: &[u8]) -> Vec<u8> {
    let (sectors, offset) = (3_u8, 0x2cc_u32);
    let mut image = vec![0; (usize::from(sectors) + 1) * 512 + offset as usize];
    image[..2].copy_from_slice(b"MZ");
    image[0x1f1] = sectors;
    image[0x1fe..0x200].copy_from_slice(&[0x55, 0xaa]);
    image[0x202..0x206].copy_from_slice(b"HdrS");
    image[0x206..0x208].copy_from_slice(&0x20f_u16.to_le_bytes());
    image[0x248..0x24c].copy_from_slice(&offset.to_le_bytes());
    image[0x24c..0x250].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    image.extend(payload);
    image.extend(super::noise(3).take(999));
    image
}

/// An EFI zboot image around a payload.
#[must_use]
pub fn zboot(codec: &str, payload: &[u8]) -> Vec<u8> {
    let offset = 0x2000_u32;
    let mut image = vec![0; offset as usize];
    image[..2].copy_from_slice(b"MZ");
    image[4..8].copy_from_slice(b"zimg");
    image[8..12].copy_from_slice(&offset.to_le_bytes());
    image[12..16].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    image[24..24 + codec.len()].copy_from_slice(codec.as_bytes());
    image.extend(payload);
    image
}

/// A 32-bit arm kernel, whose header tells no payload: code, then the payload, then device trees.
#[must_use]
pub fn zimage(payload: &[u8]) -> Vec<u8> {
    let mut image: Vec<u8> = super::noise(5).take(0x3b2d).collect();
    image[0x24..0x28].copy_from_slice(&0x016f_2818_u32.to_le_bytes());
    image.extend(payload);
    image.extend(super::noise(6).take(5000));
    image
}
