//! Bytes that may be an image.

use kallsyms_core::image::checksum;
use kallsyms_core::image::layout::SectionKind;
use kallsyms_core::{Error, Image};

use super::table::{self, Contents};
use crate::image_builder::ImageBuilder;
use crate::random::Random;
use crate::reference::Reader;

/// What opens answers within its bounds, whatever its checksum; what is verified is also what the second reader
/// makes of it.
///
/// # Panics
///
/// Where it is not so.
pub fn check(bytes: &[u8], random: &mut Random) {
    let image = match Image::open(bytes) {
        Ok(image) => image,
        Err(error) => {
            assert_eq!(Image::parse(bytes).map(drop), Err(error));
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    check_parse(bytes, &image);
    assert_eq!(image.as_bytes(), &bytes[..image.header().image_len.get() as usize]);
    assert!(SectionKind::ALL.into_iter().all(|kind| image.section_len(kind) <= image.as_bytes().len()));
    assert!(image.build_id().len() <= 32);
    let verified = image.verify();
    let contents = if verified.is_ok() { Contents::Checked } else { Contents::Unchecked };
    table::check(&image, random, contents);
    check_places(&image, random);
    match verified {
        Ok(()) => check_verified(&image, random),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Symbols of a verified image that the second reader is asked for: it looks at every one for every question.
const SAMPLE: usize = 20;

/// `parse` is `open` and the checksum.
fn check_parse(bytes: &[u8], image: &Image<'_>) {
    let (stored, computed) = (image.header().crc32.get(), checksum(image.as_bytes()));
    let expected = if stored == computed { Ok(()) } else { Err(Error::Checksum { stored, computed }) };
    assert_eq!(Image::parse(bytes).map(drop), expected);
}

/// Symbols of one name rise; an address with a symbol of known size lies in it, or is its start.
fn check_places(image: &Image<'_>, random: &mut Random) {
    for _ in 0..20 {
        let at = random.next() as u32 % image.len();
        let symbol = image.iter().nth(at as usize).expect("is below the count");
        let start = symbol.address();
        let name: Vec<u8> = symbol.name().bytes().take(1 << 16).collect();
        assert!(image.lookup_all(&name).is_sorted_by(|one, next| one.index() < next.index()));
        for pc in [start, start.wrapping_add(1), start.wrapping_add(random.next() % 4096)] {
            if let Some(found) = image.lookup(pc) {
                let lies_in = found.size().is_none_or(|size| found.offset() < size);
                assert!(found.offset() == 0 || lies_in, "{pc:#x} {found:?}");
            }
        }
    }
}

/// Every symbol is found by its name and by its address, and as the second reader has it, which knows the page about
/// the format alone and refuses what `verify` has no use for (bytes that nothing reads).
fn check_verified(image: &Image<'_>, random: &mut Random) {
    let reader = Reader::new(&ImageBuilder::new(image.as_bytes()).sealed()).ok();
    let step = image.len() as usize / SAMPLE + 1;
    for (index, found) in (0..).zip(image).step_by(step) {
        let name: Vec<u8> = found.name().bytes().collect();
        let mut same = image.lookup_all(&name).map(|symbol| symbol.index().0).skip_while(|at| *at != index);
        assert_eq!(same.next(), Some(index), "every symbol is found by its name");
        let at_start = image.lookup(found.address()).map(|found| found.symbol());
        assert_eq!(at_start.map(|first| first.address()), Some(found.address()));
        assert!(at_start.is_some_and(|first| first.index().0 <= index));
        let Some(reader) = &reader else { continue };
        let expected = &reader.symbols()[index as usize];
        let of = (found.address(), found.kind(), found.size(), found.module());
        assert_eq!(
            of,
            (expected.address, expected.kind, expected.size, expected.module.as_deref()),
            "{index}"
        );
        assert_eq!((name, same.next()), (expected.name.clone(), expected.link), "{index}");
        for step in [0, 1, random.next() % 4096, u64::MAX] {
            let pc = expected.address.wrapping_add(step);
            let found = image.lookup(pc).map(|found| (found.symbol().index().0, found.offset()));
            assert_eq!(found, reader.lookup(pc), "{pc:#x}");
        }
    }
}
