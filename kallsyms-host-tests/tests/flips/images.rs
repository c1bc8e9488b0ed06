//! Images.

use kallsyms_core::{Error, Image};
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_host_tests::fixtures::{image_of, linux_like};
use kallsyms_host_tests::properties::image::check;
use kallsyms_host_tests::random::Random;

use crate::{bits, count, flip, real_symbols};

/// Symbols of the image of real ones: two blocks and a half.
const SYMBOLS: usize = 40;

/// A committed image in each profile, one with sizes, and two of real symbols.
fn images() -> [Vec<u8>; 5] {
    let real = real_symbols(SYMBOLS);
    [
        include_bytes!("../../fixtures/sized.img").to_vec(),
        include_bytes!("../../fixtures/linux_like.img").to_vec(),
        include_bytes!("../../fixtures/linux_like_compact.img").to_vec(),
        image_of(&real),
        build(&real, Profile::Compact, &mut |_, _| ()).expect("fit for a table"),
    ]
}

/// `open` leaves out the checksum: what it lets pass answers within bounds.
#[test]
fn flipped_images_answer_within_bounds() {
    let mut images = images();
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut opened = 0;
    for number in 0..count() {
        let image = &mut images[number % 5];
        let bits = bits(&mut random, image.len());
        flip(image, &bits);
        opened += usize::from(Image::open(image).is_ok());
        check(image, &mut random);
        flip(image, &bits);
    }
    assert!(opened > count() / 2, "{opened} opened: the damage ends at the header");
}

/// The checksum covers all bytes up to `image_len`, with its own as zeros: whatever is flipped in them, `parse`
/// refuses the image; what is flipped behind them is not the image's.
#[test]
fn a_flip_anywhere_is_noticed() {
    let mut images = images();
    let mut random = Random::new(0x1e37_79b9_7f4a_7c15);
    for number in 0..count() {
        let image = &mut images[number % 5];
        let bits = bits(&mut random, image.len());
        flip(image, &bits);
        noticed(image, &bits);
        flip(image, &bits);
    }
    // And every single bit of one.
    let image = &mut images[0];
    for bit in 0..8 * image.len() {
        flip(image, &[bit]);
        noticed(image, &[bit]);
        flip(image, &[bit]);
    }
    let mut reservation = [image.as_slice(), &[0xaa; 64]].concat();
    let len = image.len();
    assert!((8 * len..8 * (len + 64)).all(|bit| {
        flip(&mut reservation, &[bit]);
        Image::parse(&reservation).is_ok()
    }));
}

fn noticed(image: &[u8], bits: &[usize]) {
    match (Image::open(image), Image::parse(image)) {
        (Ok(_), parsed) => assert!(matches!(parsed, Err(Error::Checksum { .. })), "bits {bits:?}"),
        (Err(opened), parsed) => assert_eq!(parsed.map(drop), Err(opened), "bits {bits:?}"),
    }
}

/// An image that says that it is shorter, whatever its length, answers within it.
#[test]
fn every_length_of_an_image() {
    let mut random = Random::new(7);
    let whole = image_of(&linux_like());
    for len in 0..whole.len() {
        assert!(Image::open(&whole[..len]).is_err(), "{len} bytes");
        let mut short = whole[..len].to_vec();
        kallsyms_host_tests::image_builder::mend(&mut short);
        check(&short, &mut random);
    }
}
