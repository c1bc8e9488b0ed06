//! The exact bytes of an image: a change of the format or of what the generator writes must be meant.
//!
//! After one that is: `KALLSYMS_BLESS=1 cargo test --package kallsyms-host-tests --test format_lock`, and
//! look at the difference.

use std::path::PathBuf;

use kallsyms_core::Image;
use kallsyms_gen::build::build;
use kallsyms_gen::compress::Profile;
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::fixtures::{linux_like, sized};

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn locked(name: &str, symbols: &Symbols, profile: Profile) {
    let written = build(symbols, profile, &mut |_, _| ()).expect("builds");
    let path = fixture(name);
    if std::env::var_os("KALLSYMS_BLESS").is_some() {
        std::fs::write(&path, &written).expect("the fixture can be written");
    }
    let locked = std::fs::read(&path).expect("the fixture is there");
    let first = written.iter().zip(&locked).position(|(a, b)| a != b);
    assert_eq!((written.len(), first), (locked.len(), None), "{name} differs, first at this byte");
    let image = Image::parse(&locked).expect("parses");
    image.verify().expect("is sound");
    let listed: Vec<String> =
        image.iter().map(|symbol| format!("{} {:x?}", symbol.listing(), symbol.size())).collect();
    assert_eq!(listed.len(), symbols.list.len());
    for (line, symbol) in listed.iter().zip(&symbols.list) {
        let name = String::from_utf8_lossy(&symbol.name);
        assert!(
            line.starts_with(&format!("{:016x} {} {name}", symbol.address, char::from(symbol.kind))),
            "{line}"
        );
    }
}

#[test]
fn bytes_of_a_linux_like_table() {
    locked("linux_like.img", &linux_like(), Profile::Fast);
    locked("linux_like_compact.img", &linux_like(), Profile::Compact);
}

#[test]
fn bytes_of_a_table_with_sizes() {
    locked("sized.img", &sized(), Profile::Fast);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for profile in [Profile::Fast, Profile::Compact] {
        let once = build(&linux_like(), profile, &mut |_, _| ());
        assert_eq!(once, build(&linux_like(), profile, &mut |_, _| ()));
    }
}
