//! Kernels whose payloads unpack to more than there is.

use std::io::Write as _;

use super::{MEMORY, check, limited};
use crate::Folder;

const MIB: usize = 1 << 20;
/// Bytes that the bombs unpack to where nobody stops them.
const ALL: usize = 8 << 30;

/// A piece of a deflate stream that stands on its own: a MiB of zeros.
fn deflated() -> Vec<u8> {
    let mut compress = flate2::Compress::new(flate2::Compression::best(), false);
    let mut piece = Vec::with_capacity(MIB);
    compress.compress_vec(&vec![0; MIB], &mut piece, flate2::FlushCompress::Full).expect("packed");
    assert_eq!(compress.total_in(), MIB as u64);
    piece
}

fn gzip(pieces: &[u8]) -> Vec<u8> {
    [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], pieces].concat()
}

/// Blocks of one byte that is repeated 128 Ki times.
fn zstd(len: usize) -> Vec<u8> {
    // A window of 128 KiB, no size.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3];
    let block = (128_u32 << 10) << 3 | 1 << 1;
    let block = [&block.to_le_bytes()[..3], &[0]].concat();
    frame.extend(block.repeat(len / (128 << 10)));
    frame
}

/// Blocks of 8 MiB: a zero, then a copy of what is one byte behind, then the five bytes that end each block.
fn lz4(len: usize) -> Vec<u8> {
    let copied = (8 * MIB) - 1 - 5;
    // A match has 4 bytes, 15 that the token tells, and what the bytes behind it add up to.
    let rest = copied - 4 - 15;
    let mut block = vec![0x1f, 0, 1, 0];
    block.extend(std::iter::repeat_n(0xff, rest / 255));
    block.extend([(rest % 255) as u8, 0x50, 0, 0, 0, 0, 0]);
    let framed = [&(block.len() as u32).to_le_bytes()[..], &block].concat();
    [&0x184c_2102_u32.to_le_bytes()[..], &framed.repeat(len / (8 * MIB))].concat()
}

const LZOP: [u8; 34] =
    *b"\x89LZO\0\r\n\x1a\n\x10\x40\x20\xa0\x09\x40\x03\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

fn lzop(len: usize) -> Vec<u8> {
    let block = lzokay::compress::compress(&vec![0; 256 << 10]).expect("packed");
    let mut framed = (256_u32 << 10).to_be_bytes().to_vec();
    framed.extend((block.len() as u32).to_be_bytes());
    framed.extend(block);
    let mut packed = LZOP.to_vec();
    packed.extend([0; 4]);
    packed.extend(framed.repeat(len / (256 << 10)));
    packed
}

/// Chunks, each of which begins anew, in a block that does not end.
fn xz(len: usize) -> Vec<u8> {
    let mut encoder =
        lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).expect("an encoder");
    encoder.write_all(&vec![0; MIB]).expect("written");
    let packed = encoder.finish().expect("packed");
    // The header of the stream, then that of the block, whose first byte tells its length.
    let start = 12 + (usize::from(packed[12]) + 1) * 4;
    let chunk = &packed[start..];
    assert!(chunk[0] >= 0xe0, "a chunk that needs nothing before it");
    let unpacked =
        (usize::from(chunk[0] & 0x1f) << 16 | usize::from(chunk[1]) << 8 | usize::from(chunk[2])) + 1;
    let chunk = &chunk[..6 + usize::from(chunk[3]) * 256 + usize::from(chunk[4]) + 1];
    [&packed[..start], &chunk.repeat(len / unpacked)].concat()
}

fn lzma(len: usize) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::with_preset(0);
    let mut encoder = lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, None).expect("an encoder");
    zeros(len, &mut encoder);
    encoder.finish().expect("packed")
}

fn bzip2(len: usize) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    zeros(len, &mut encoder);
    encoder.finish().expect("packed")
}

fn zeros(len: usize, to: &mut impl std::io::Write) {
    let piece = vec![0; MIB];
    for _ in 0..len / MIB {
        to.write_all(&piece).expect("written");
    }
}

/// Runs the commands that unpack.
fn refused(bytes: &[u8], test: &str, wanted: &str) {
    let folder = Folder::new(test);
    let (file, output) = (folder.write("vmlinuz", bytes), folder.path("output"));
    for arguments in [&["extract", &file, "-o", &output][..], &["btf", "stat", &file]] {
        check(&limited(arguments, MEMORY), arguments, wanted);
    }
    assert_eq!(folder.names(), ["vmlinuz"]);
}

/// `btf` unpacks as `extract` does.
fn too_large(codec: &str, bytes: &[u8]) {
    let folder = Folder::new(&format!("hostile-bomb-{codec}"));
    let (file, output) = (folder.write("vmlinuz", bytes), folder.path("output"));
    let arguments = ["extract", &file, "-o", &output];
    let wanted =
        format!("the {codec} payload at 0x0: {codec} data that unpacks to more than is left of 512 MiB");
    check(&limited(&arguments, MEMORY), &arguments, &wanted);
    assert_eq!(folder.names(), ["vmlinuz"]);
}

#[test]
fn gzip_bomb() {
    too_large("gzip", &gzip(&deflated().repeat(ALL / MIB)));
}

#[test]
fn zstd_bomb() {
    too_large("zstd", &zstd(ALL));
}

#[test]
fn lz4_bomb() {
    too_large("lz4", &lz4(ALL / 4));
}

#[test]
fn lzo_bomb() {
    too_large("lzo", &lzop(ALL / 4));
}

#[test]
fn xz_bomb() {
    too_large("xz", &xz(ALL));
}

/// These two cannot be put together from pieces: they unpack to as much as shows the bound.
#[test]
fn lzma_and_bzip2_bombs() {
    too_large("lzma", &lzma(520 * MIB));
    too_large("bzip2", &bzip2(520 * MIB));
}

/// Just within the bound: all of it is unpacked, in the memory that there is, and has no tables.
#[test]
fn at_the_bound() {
    let bytes = zstd(512 * MIB);
    // The last block says that it is.
    let last = bytes.len() - 4;
    let mut whole = bytes.clone();
    whole[last] |= 1;
    let searched = format!("in {} bytes", 512 * MIB);
    refused(&whole, "hostile-at-bound", &searched);
    whole[last] ^= 1;
    whole.extend([0x0b, 0, 0, 0]);
    // One byte more.
    refused(&whole, "hostile-past-bound", "more than is left of 512 MiB");
}

/// Bombs in bombs, and many beside each other: all of them together are within the bound.
#[test]
fn payloads_in_payloads() {
    let small = deflated();
    let mut nested = gzip(&small.repeat(64));
    for _ in 0..6 {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&nested).expect("written");
        encoder.write_all(&vec![0x90; 1 << 15]).expect("written");
        nested = encoder.finish().expect("packed");
    }
    refused(&nested, "hostile-nested", ": no ");
    // Behind bytes that are no header: each is tried.
    let beside = [vec![0x90; 4096], gzip(&small.repeat(64)).repeat(64)].concat();
    refused(&beside, "hostile-beside", ": no ");
}

/// Dictionaries of 4 GiB, windows of 2^41, blocks that tell more than they have.
#[test]
fn declared_sizes_that_lie() {
    let lzma_header = |dictionary: u32, size: u64| {
        [&[0x5d][..], &dictionary.to_le_bytes(), &size.to_le_bytes(), &[0; 4096]].concat()
    };
    let mut xz_dictionary = xz(MIB);
    // The flags of the block, then its one filter: LZMA2 with a byte of properties, 40 for 4 GiB - 1.
    let at = 12 + 4;
    assert_eq!(xz_dictionary[at - 2..at], [0x21, 1]);
    xz_dictionary[at] = 40;
    let header_len = (usize::from(xz_dictionary[12]) + 1) * 4;
    let mut crc = flate2::Crc::new();
    crc.update(&xz_dictionary[12..12 + header_len - 4]);
    xz_dictionary[12 + header_len - 4..12 + header_len].copy_from_slice(&crc.sum().to_le_bytes());

    let zstd_window = [&[0x28, 0xb5, 0x2f, 0xfd, 0, 0xf8][..], &[0; 64]].concat();
    let zstd_size = [&[0x28, 0xb5, 0x2f, 0xfd, 0xe0][..], &[0xff; 8], &[1, 0, 0]].concat();
    let lz4_size = [&0x184c_2102_u32.to_le_bytes()[..], &[0xff; 64]].concat();
    let lzop_block =
        [&LZOP[..], &[0; 4], &(64_u32 << 20).to_be_bytes(), &1_u32.to_be_bytes(), &[0; 64]].concat();
    let lzop_huge = [&LZOP[..], &[0; 4], &[0xff; 64]].concat();
    let mut gzip_name = gzip(&[]);
    gzip_name[3] = 0x1c;
    gzip_name.resize(1 << 20, b'n');
    let mut zboot = b"MZ\0\0zimg".to_vec();
    zboot.extend([0xff; 8]);
    zboot.resize(0x400, 0);
    for (name, bytes) in [
        ("lzma-dictionary", lzma_header(1 << 31, u64::MAX)),
        ("lzma-size", lzma_header(1 << 28, (1 << 32) - 1)),
        ("xz-dictionary", xz_dictionary),
        ("zstd-window", zstd_window),
        ("zstd-size", zstd_size),
        ("lz4-size", lz4_size),
        ("lzop-block", lzop_block),
        ("lzop-huge", lzop_huge),
        ("gzip-name", gzip_name),
        ("zboot", zboot),
    ] {
        refused(&bytes, &format!("hostile-{name}"), "");
    }
}
