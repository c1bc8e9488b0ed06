use kallsyms_core::linux::Endian;
use kallsyms_gen::linux::AddressForm;
use kallsyms_gen::linux::write::{Options, PlaceForm, own_symbols, write};
use kallsyms_gen::symbols::Symbols;
use proptest::prelude::*;

use super::{KSYM_NAME_LEN, Markers, Offsets, Places, Reference};
use crate::fixtures;
use crate::linux_symbols::symbols_for;
use crate::oracle::Oracle;

fn check_all(symbols: &Symbols, addresses: AddressForm) {
    let options = Options { addresses, ..Options::LINUX_6_12 };
    let tables = write(symbols, &options).expect("tables");
    check(&Markers::new(&tables).expect("markers"), symbols);
    assert!(Offsets::new(&tables).is_none());
    for endian in [Endian::Little, Endian::Big] {
        let tables = write(symbols, &Options { places: PlaceForm::Offsets(endian), ..options });
        let tables = tables.expect("tables");
        check(&Offsets::new(&tables).expect("offsets"), symbols);
        assert!(Markers::new(&tables).is_none());
    }
}

fn check<P: Places>(reference: &Reference<P>, symbols: &Symbols) {
    let oracle = Oracle::new(symbols, 0);
    let list = &symbols.list;
    let by_name = |name: &[u8]| oracle.by_name(name).first().map(|first| list[*first as usize].address);
    for symbol in list {
        let mut name = symbol.name.clone();
        assert_eq!(reference.lookup_name(&name), by_name(&name));
        name.push(b'x');
        assert_eq!(reference.lookup_name(&name), by_name(&name));
        name.truncate(name.len() / 2);
        assert_eq!(reference.lookup_name(&name), by_name(&name).filter(|_| !name.is_empty()));
    }

    let mut buffer = [0; KSYM_NAME_LEN];
    for (index, symbol) in list.iter().enumerate() {
        // Linux takes the first of several at one address, and what lies between two for the lower one's.
        let first = list.iter().position(|other| other.address == symbol.address).expect("itself");
        let behind = list[index..].iter().map(|next| next.address).find(|next| *next > symbol.address);
        let last = behind.map_or(symbol.address, |behind| behind - 1);
        for address in [symbol.address, last] {
            let (position, len) = reference.lookup(address, &mut buffer);
            assert_eq!((position, &buffer[..len]), (reference.position(address), &*list[first].name));
            assert_eq!((position.index, position.offset), (first, address - symbol.address));
            assert_eq!(position.size, behind.map(|behind| behind - symbol.address));
        }
        let (holder, offset, _) = oracle.by_address(symbol.address).expect("its own");
        let position = reference.position(symbol.address);
        assert_eq!((position.index, position.offset), (holder as usize, offset));
    }

    let mut walked = Vec::new();
    reference.on_each_symbol(&mut |name, address| walked.push((name.to_vec(), address)));
    assert!(
        walked.iter().map(|(name, address)| (name, address)).eq(list.iter().map(|s| (&s.name, &s.address)))
    );
}

#[test]
fn a_little_of_everything_that_linux_holds() {
    check_all(&own_symbols(&fixtures::linux_like()), AddressForm::SignedPercpu);
}

#[test]
fn a_name_as_long_as_the_buffer_is_none() {
    let longest = vec![b'n'; KSYM_NAME_LEN - 1];
    let symbols = crate::symbols::sorted(vec![crate::symbols::symbol(0x1000, b't', longest.clone())]);
    check_all(&symbols, AddressForm::UnsignedBase);
    let reference = Markers::new(&write(&symbols, &Options::LINUX_6_12).expect("tables")).expect("markers");
    assert_eq!(reference.lookup_name(&longest), Some(0x1000));
    assert_eq!(reference.lookup_name(&[longest, vec![b'n']].concat()), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn signed_offsets(symbols in symbols_for(Options::LINUX_6_12, 1..300)) {
        check_all(&symbols, AddressForm::SignedPercpu);
    }

    #[test]
    fn distances(symbols in symbols_for(Options::LINUX_7_0, 1..300)) {
        check_all(&symbols, AddressForm::PcRelative);
    }
}
