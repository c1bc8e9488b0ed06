//! Every field of an image, wrong: the error names the field and the value; nothing panics.

mod contents;
mod header;

use kallsyms_core::{Error, Image};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_host_tests::fixtures::{image_of, linux_like, sized};
use kallsyms_host_tests::image_builder::ImageBuilder;
use proptest::prelude::*;

pub(crate) fn linux() -> ImageBuilder {
    ImageBuilder::new(&image_of(&linux_like()))
}

/// What `parse` says, with a checksum that fits.
pub(crate) fn parse(image: ImageBuilder) -> Error {
    let bytes = image.sealed();
    let open = Image::open(&bytes).expect_err("is refused by open");
    assert_eq!(Image::parse(&bytes).expect_err("is refused by parse"), open);
    open
}

/// What `verify` says of an image that opens.
pub(crate) fn verify(image: ImageBuilder) -> Error {
    let bytes = image.sealed();
    let image = Image::parse(&bytes).expect("parses");
    ask_everything(&image);
    image.verify().expect_err("is refused by verify")
}

/// Asks every kind of question; there is nothing to assert but that each comes back.
pub(crate) fn ask_everything(image: &Image<'_>) {
    for symbol in image.iter().take(300) {
        let line = symbol.listing().to_string();
        assert!(line.len() >= image.header().address_digits as usize);
        let _ = (symbol.size(), symbol.module(), symbol.name().len());
        for pc in [symbol.address(), symbol.address().wrapping_add(9)] {
            let _ = (image.describe(pc).to_string(), image.describe_return_address(pc).to_string());
        }
        let name: Vec<u8> = symbol.name().fragments().flatten().copied().collect();
        let mut copy = vec![0; name.len()];
        assert_eq!(symbol.name().copy_to(&mut copy).map(|copy| &*copy), Ok(&*name), "{symbol:?}");
        assert!(image.lookup_all(&name).count() <= image.len() as usize);
    }
    for pc in [0, 1, u64::MAX, 1 << 63, 0xffff_ffff_8100_0000] {
        let _ = (image.lookup(pc), image.lookup_return_address(pc), image.with_slide(pc).lookup(7).is_some());
    }
    let _ = (image.lookup_name("step_1"), image.lookup_name(""), image.starting_with("step").count());
}

#[test]
fn sound_images_are_sound() {
    for symbols in [linux_like(), sized()] {
        let bytes = image_of(&symbols);
        Image::parse(&bytes).and_then(|image| image.verify()).expect("is sound");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the bytes, every question comes back.
    #[test]
    fn damaged_images_answer(
        from_elf in any::<bool>(),
        profile in prop::sample::select(vec![Profile::Fast, Profile::Compact]),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let symbols = if from_elf { sized() } else { linux_like() };
        let mut bytes = build(&symbols, profile, &mut |_, _| ()).expect("builds");
        for (at, value) in damage {
            let at = at.index(bytes.len() - 16) + 16;
            bytes[at] = value;
        }
        if let Ok(image) = Image::open(&bytes) {
            ask_everything(&image);
            let _ = image.verify();
        }
    }
}
