//! Images and Linux's tables.

use kallsyms_core::linux::{Endian, Lengths, NameOrder, Width};
use kallsyms_gen::build::{build, build_untrained};
use kallsyms_gen::compress::Profile;
use kallsyms_gen::linux::AddressForm;
use kallsyms_gen::linux::write::{Options, PlaceForm, own_symbols, write};
use kallsyms_host_tests::properties::linux;
use kallsyms_host_tests::random::Random;

use crate::{Inputs, Source};

/// The committed images, and one of each source in each profile.
pub(crate) fn images(sources: &[Source]) -> Inputs {
    let mut inputs: Inputs = vec![
        ("fixture-linux-like".into(), include_bytes!("../../../fixtures/linux_like.img").to_vec()),
        ("fixture-compact".into(), include_bytes!("../../../fixtures/linux_like_compact.img").to_vec()),
        ("fixture-sized".into(), include_bytes!("../../../fixtures/sized.img").to_vec()),
    ];
    for (name, symbols) in sources {
        for (form, image) in [
            ("fast", build(symbols, Profile::Fast, &mut |_, _| ())),
            ("compact", build(symbols, Profile::Compact, &mut |_, _| ())),
            ("plain", build_untrained(symbols)),
        ] {
            inputs.push((format!("{name}-{form}"), image.expect("fit for a table")));
        }
    }
    inputs
}

/// Tables in forms of every kind, and the random ones of the tests.
pub(crate) fn linux(sources: &[Source]) -> Inputs {
    let old = Options {
        lengths: Lengths::Byte,
        places: PlaceForm::Markers(Width::Bits64),
        addresses: AddressForm::Absolute,
        seqs_of_names: None,
        ..Options::LINUX_6_12
    };
    let forms = [
        ("6.12", Options::LINUX_6_12),
        ("7.0", Options::LINUX_7_0),
        ("offsets", Options { places: PlaceForm::Offsets(Endian::Big), ..Options::LINUX_6_12 }),
        (
            "big",
            Options {
                endian: Endian::Big,
                seqs_of_names: Some(NameOrder::WithoutLlvm),
                ..Options::LINUX_6_12
            },
        ),
        ("old", old),
    ];
    let mut inputs = Inputs::new();
    for (name, symbols) in sources {
        let symbols = own_symbols(symbols);
        for (form, options) in &forms {
            // Some forms do not reach from the first symbol to the last.
            if let Ok(tables) = write(&symbols, options) {
                inputs.push((format!("{name}-{form}"), linux::write_case(&mut tables.into())));
            }
        }
    }
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    inputs.extend(
        (0..24)
            .map(|number| (format!("random-{number}"), linux::write_case(&mut linux::tables(&mut random)))),
    );
    inputs
}
