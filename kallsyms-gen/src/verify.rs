//! Reopens an image with the runtime and asks it for every symbol, both ways.

use kallsyms_core::{Error, Image, SymbolIndex};

use crate::symbols::Symbols;

/// How an image differs from the symbols that it should hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// The image is not sound.
    #[error("the image is not sound")]
    Unsound(#[from] Error),
    /// Another number of symbols.
    #[error("the image has {found} symbols, the input {expected}")]
    Count {
        /// Symbols in the image.
        found: usize,
        /// Symbols in the input.
        expected: usize,
    },
    /// The symbol at a place is another one.
    #[error("symbol {index} is `{found}`, not `{expected}`")]
    Symbol {
        /// The place.
        index: usize,
        /// The image's, as a listing.
        found: String,
        /// The input's, as a listing.
        expected: String,
    },
    /// A name does not lead to a symbol of that name.
    #[error("`{name}` leads to {found} of its symbols, not all {expected}")]
    ByName {
        /// The name.
        name: String,
        /// Symbols that the image found in order.
        found: usize,
        /// Symbols that the input has.
        expected: usize,
    },
    /// An address does not lead to the first symbol at it.
    #[error("{address:#x} does not lead to symbol {expected}")]
    ByAddress {
        /// The address.
        address: u64,
        /// The first symbol at it.
        expected: usize,
    },
}

/// Asks the image for every symbol by place, by name and by address.
///
/// # Errors
///
/// The first [`Mismatch`].
pub fn verify(image: &[u8], symbols: &Symbols) -> Result<(), Mismatch> {
    let image = Image::parse(image)?;
    image.verify()?;
    if image.len() as usize != symbols.list.len() {
        return Err(Mismatch::Count { found: image.len() as usize, expected: symbols.list.len() });
    }
    by_place(&image, symbols)?;
    by_name(&image, symbols)?;
    by_address(&image, symbols)
}

fn by_place(image: &Image<'_>, symbols: &Symbols) -> Result<(), Mismatch> {
    for (index, (found, expected)) in image.iter().zip(&symbols.list).enumerate() {
        let module = expected.module.map(|module| symbols.modules[module as usize].as_slice());
        // An empty module column says as little as none.
        let module = module.filter(|module| !module.is_empty());
        let same = found.address() == expected.address
            && found.kind() == expected.kind
            && found.name() == *expected.name
            && found.module() == module
            && expected.size.is_none_or(|size| found.size() == Some(size));
        if !same {
            let expected = format!(
                "{:x} {} {} size {:x?} module {:?}",
                expected.address,
                char::from(expected.kind),
                String::from_utf8_lossy(&expected.name),
                expected.size,
                module.map(String::from_utf8_lossy),
            );
            let found = format!("{} size {:x?}", found.listing(), found.size());
            return Err(Mismatch::Symbol { index, found, expected });
        }
    }
    Ok(())
}

fn by_name(image: &Image<'_>, symbols: &Symbols) -> Result<(), Mismatch> {
    let mut places = std::collections::BTreeMap::<&[u8], Vec<u32>>::new();
    for (at, symbol) in (0u32..).zip(&symbols.list) {
        places.entry(&symbol.name).or_default().push(at);
    }
    for (name, expected) in places {
        let found =
            image.lookup_all(name).zip(&expected).filter(|(found, at)| found.index() == SymbolIndex(**at));
        let (found, all) = (found.count(), image.lookup_all(name).count());
        if found != expected.len() || all != expected.len() {
            let name = String::from_utf8_lossy(name).into_owned();
            return Err(Mismatch::ByName { name, found, expected: expected.len() });
        }
    }
    Ok(())
}

fn by_address(image: &Image<'_>, symbols: &Symbols) -> Result<(), Mismatch> {
    let mut first = 0;
    for (index, symbol) in symbols.list.iter().enumerate() {
        if symbols.list[first].address != symbol.address {
            first = index;
        }
        let found = image.lookup(symbol.address);
        if found.is_none_or(|found| found.symbol().index().0 as usize != first || found.offset() != 0) {
            return Err(Mismatch::ByAddress { address: symbol.address, expected: first });
        }
    }
    Ok(())
}
