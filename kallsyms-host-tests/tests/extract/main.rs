//! Linux's tables out of kernels that are laid out and packed here, and out of bytes that are none.

mod anchors;
mod data;
mod hostile;
mod layouts;
mod wrappings;

use kallsyms_core::linux::{Endian, Lengths, NameOrder, Width};
use kallsyms_gen::extract::{ExtractError, Extracted, Fault, MemoryOrder};
use kallsyms_gen::linux::write::{Options, PlaceForm};
use kallsyms_gen::linux::{AddressForm, Tables};
use kallsyms_gen::symbols::Symbols;

/// Symbols of a made-up kernel: six markers.
const COUNT: usize = 1500;

/// Address, type and name of every symbol.
type Listing = Vec<(u64, u8, String)>;

fn listing(tables: &Tables) -> Listing {
    let kallsyms = tables.kallsyms().expect("sound tables");
    kallsyms.iter().map(|symbol| (symbol.address(), symbol.kind(), symbol.name().to_string())).collect()
}

fn expected(symbols: &Symbols) -> Listing {
    let name = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    symbols.list.iter().map(|symbol| (symbol.address, symbol.kind, name(&symbol.name))).collect()
}

fn assert_lists(extracted: &Extracted, symbols: &Symbols) {
    let (found, expected) = (listing(&extracted.tables), expected(symbols));
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
}

/// The tables of a 64-bit kernel with a base.
fn options(order: MemoryOrder) -> Options {
    Options {
        addresses: if order == MemoryOrder::From7_0 {
            AddressForm::PcRelative
        } else {
            AddressForm::UnsignedBase
        },
        ..Options::LINUX_6_12
    }
}

/// The fault of names that lack the rest, or of the first place that was searched.
fn fault(result: Result<Extracted, ExtractError>) -> Fault {
    match result.expect_err("no tables") {
        ExtractError::Incomplete(attempt) => attempt.fault,
        ExtractError::NotFound { attempts } => attempts.first().expect("an attempt").fault.clone(),
        error => panic!("{error}"),
    }
}

/// Every kind of kernel: how it writes its tables, and in which order they lie.
fn kernels() -> Vec<(Options, MemoryOrder)> {
    let orders = [Endian::Little, Endian::Big];
    let mut kernels = Vec::new();
    for (pointer, endian) in
        [Width::Bits32, Width::Bits64].into_iter().flat_map(|width| orders.map(|end| (width, end)))
    {
        let based = Options { pointer, endian, addresses: AddressForm::UnsignedBase, ..Options::LINUX_6_12 };
        let old = Options { lengths: Lengths::Byte, seqs_of_names: None, ..based };
        let oldest = Options { places: PlaceForm::Markers(pointer), ..old };
        kernels.extend([
            (oldest, MemoryOrder::UpTo6_3),
            (Options { addresses: AddressForm::Absolute, ..oldest }, MemoryOrder::UpTo6_3),
            (old, MemoryOrder::UpTo6_3),
            (based, MemoryOrder::UpTo6_3),
            (based, MemoryOrder::From6_4),
            (Options { seqs_of_names: Some(NameOrder::WithoutLlvm), ..based }, MemoryOrder::From6_4),
            (Options { addresses: AddressForm::PcRelative, ..based }, MemoryOrder::From7_0),
        ]);
        kernels.extend(orders.map(|order| {
            let options =
                Options { places: PlaceForm::Offsets(order), addresses: AddressForm::PcRelative, ..based };
            (options, MemoryOrder::From7_0)
        }));
        if pointer == Width::Bits32 {
            kernels.push((Options { addresses: AddressForm::Offset, ..based }, MemoryOrder::From7_0));
        } else {
            let percpu = Options { addresses: AddressForm::SignedPercpu, ..based };
            let without_order = Options { lengths: Lengths::Byte, seqs_of_names: None, ..percpu };
            kernels.extend([
                (without_order, MemoryOrder::UpTo6_3),
                (percpu, MemoryOrder::UpTo6_3),
                (percpu, MemoryOrder::From6_4),
                (Options { addresses: AddressForm::Absolute, ..based }, MemoryOrder::From6_4),
            ]);
        }
    }
    kernels
}

/// Whether the symbols of such a kernel have per-CPU ones in front.
fn has_percpu(options: &Options) -> bool {
    options.addresses == AddressForm::SignedPercpu
}
