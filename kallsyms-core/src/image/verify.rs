//! The walk over everything that a table holds.

use super::layout::{self, BLOCK_SYMBOLS, NO_PARENT, SectionKind};
use super::native::Native;
use super::sections::Sections;
use super::sizes::Known;
use super::{Image, codes::PackedCodes};
use crate::error::{Error, Field};
use crate::name::Name;
use crate::num::{index, wide};
use crate::table::{Layout, SymbolIndex, is_absolute_kind};

/// Checks all of it; see [`Image::verify`].
pub(super) fn verify(image: &Image<'_>) -> Result<(), Error> {
    let native = &image.layout;
    tokens(native)?;
    hints(native)?;
    addresses(native)?;
    names(native)?;
    index_and_links(native)?;
    sizes(native)?;
    modules(native)
}

fn tokens(native: &Native<'_>) -> Result<(), Error> {
    for code in 0..native.header().token_count.get() {
        match native.tokens.expanded_len(code) {
            Some(0) => return Err(Error::EmptyToken { code }),
            Some(_) => {}
            None if native.tokens.nests() => return Err(Error::TokenTooLarge { code }),
            None => return Err(Error::TokenOutOfBounds { code }),
        }
    }
    Ok(())
}

fn addresses(native: &Native<'_>) -> Result<(), Error> {
    let header = native.header();
    let link_base = header.link_base.get();
    records(native)?;
    let symbols = || (0..header.symbol_count.get()).map(SymbolIndex);
    let address = |symbol| native.addresses.address(symbol).unwrap_or_default();
    let mut previous = 0;
    for at in symbols() {
        let (symbol, address) = (at.0, address(at));
        if address < previous {
            return Err(Error::AddressOrder { symbol, address });
        }
        if (address < link_base) != native.is_leading(at) {
            return Err(Error::WrongSideOfBase { symbol, address });
        }
        previous = address;
    }
    let mut first = SymbolIndex(0);
    for at in symbols() {
        let (symbol, address) = (at.0, address(at));
        if address != native.addresses.address(first).unwrap_or_default() {
            first = at;
        }
        if native.holder(address).is_none_or(|holder| holder.index != first) {
            return Err(Error::NotFoundByAddress { symbol, address });
        }
    }
    let value = header.covered_last.get();
    if value < previous { Err(Error::BadField { field: Field::CoveredLast, value }) } else { Ok(()) }
}

/// Records follow one another without a gap, so that no code is counted twice; their deltas begin at 0, and
/// are all ones where there is no symbol.
fn records(native: &Native<'_>) -> Result<(), Error> {
    let header = native.header();
    let mut expected = 0u64;
    for block in 0..native.addresses.block_count() {
        let (_, offset) = native.addresses.stored(block).unwrap_or_default();
        if u64::from(offset) != expected {
            return Err(Error::RecordOrder { block, offset, expected });
        }
        let out_of_bounds = Error::BadRecord { block, offset };
        let open = native.addresses.open(block).ok_or(out_of_bounds)?;
        let len = open.record.len(header.code_bits, header.link_bytes).ok_or(out_of_bounds)?;
        expected = expected.checked_add(len).ok_or(out_of_bounds)?;
        if open.record.delta(0) != Some(0) {
            return Err(Error::FirstDelta { block });
        }
        if (open.used..BLOCK_SYMBOLS).any(|place| !open.record.delta_is_spare(place)) {
            return Err(Error::SpareDelta { block });
        }
        if let Some(place) = (0..open.used).find(|&place| open.record.delta_overflows(place)) {
            return Err(Error::DeltaOverflow { symbol: open.symbol(place).0 });
        }
    }
    let len = native.section(SectionKind::Records).len();
    let expected = expected.saturating_add(wide(layout::BIT_PADDING));
    if wide(len) == expected { Ok(()) } else { Err(Sections::length(SectionKind::Records, len, expected)) }
}

fn hints(native: &Native<'_>) -> Result<(), Error> {
    let header = native.header();
    let first = header.leading_absolute.get().div_ceil(BLOCK_SYMBOLS);
    let last = native.addresses.block_count().checked_sub(1).filter(|last| *last >= first);
    let last = last.and_then(|last| native.addresses.stored(last));
    let expected =
        last.map_or(0, |(base, _)| base.wrapping_shr(u32::from(header.hint_shift)).saturating_add(2));
    let found = wide(native.addresses.hint_count());
    if found != expected {
        return Err(Error::HintCount { found, expected });
    }
    let mut block = first;
    for number in 0..native.addresses.hint_count() {
        let bucket = |block| {
            native.addresses.stored(block).map(|(base, _)| base.wrapping_shr(u32::from(header.hint_shift)))
        };
        while bucket(block).is_some_and(|bucket| bucket < wide(number)) {
            block = block.wrapping_add(1);
        }
        let expected = block.wrapping_sub(first);
        let found = native.addresses.hint(number).unwrap_or_default();
        if found != expected {
            let hint = u32::try_from(number).unwrap_or(u32::MAX);
            return Err(Error::BadHint { hint, found, expected });
        }
    }
    Ok(())
}

fn names(native: &Native<'_>) -> Result<(), Error> {
    let header = native.header();
    let prefix = header.prefix.get(..usize::from(header.prefix_len)).unwrap_or_default();
    let mut before_refers = false;
    let mut base = native.addresses.address(SymbolIndex(0));
    let mut all_absolute = true;
    for symbol in 0..header.symbol_count.get() {
        let at = SymbolIndex(symbol);
        let refers = if let Some((codes, refers)) = native.codes(at) {
            all_codes(native, codes.packed()).ok_or(Error::BadCode { symbol })?;
            refers
        } else {
            // Only a reference at the start of its block has no codes to show.
            return Err(Error::BadPrefixReference { symbol });
        };
        if refers {
            let source = name(native, SymbolIndex(symbol.wrapping_sub(1)));
            let carries = !prefix.is_empty() && source.is_some_and(|name| name.starts_with(prefix));
            if before_refers || !carries {
                return Err(Error::BadPrefixReference { symbol });
            }
        }
        before_refers = refers;
        let len = name(native, at).map_or(0, |name| name.len());
        if len == 0 {
            return Err(Error::EmptyName { symbol });
        }
        if len > layout::MAX_NAME {
            return Err(Error::NameTooLong { symbol, len: wide(len) });
        }
        let kind = native.spelled(at).unwrap_or_default().kind();
        if is_absolute_kind(kind) {
            continue;
        }
        if all_absolute {
            all_absolute = false;
            base = native.addresses.address(at);
        }
        if native.is_leading(at) {
            return Err(Error::NotAbsolute { symbol, kind });
        }
    }
    let value = header.link_base.get();
    if base == Some(value) { Ok(()) } else { Err(Error::BadField { field: Field::LinkBase, value }) }
}

/// Reads every code of a run; `None` at one that is not below the token count, or past the section.
fn all_codes(native: &Native<'_>, codes: PackedCodes<'_>) -> Option<()> {
    let count = codes.remaining();
    let known = native.tokens.count();
    let read = crate::num::count(codes.take_while(|&code| index(code) < known));
    (read == index(count)).then_some(())
}

/// Every name leads through the index to its first symbol, and from there over links to every other one.
///
/// A link rises and leads to an equal name, so the chains of the first symbols have no symbol in common: they
/// hold every symbol if they hold as many as there are.
fn index_and_links(native: &Native<'_>) -> Result<(), Error> {
    let header = native.header();
    let (mut firsts, mut reached) = (0u32, 0u32);
    for symbol in 0..header.symbol_count.get() {
        let at = SymbolIndex(symbol);
        let this = name(native, at).ok_or(Error::BadCode { symbol })?;
        let mut hasher = native.name_index.hasher();
        for piece in this.fragments() {
            hasher.write(piece);
        }
        let first = native.name_index.candidate_of_hash(hasher.finish()).filter(|&first| first <= at);
        let first = first.ok_or(Error::NotFoundByName { symbol })?;
        if first != at && name(native, first).is_none_or(|other| other != this) {
            return Err(Error::NotFoundByName { symbol });
        }
        if let Some(link) = native.link(at) {
            let target = link.0;
            if link <= at || name(native, link).is_none_or(|other| other != this) {
                return Err(Error::BadLink { symbol, target });
            }
        }
        if first == at {
            firsts = firsts.wrapping_add(1);
            reached = native.chain(at).fold(reached, |reached, _| reached.wrapping_add(1));
        }
    }
    let stored = header.name_count.get();
    if firsts != stored {
        return Err(Error::NameCount { stored, counted: firsts });
    }
    let symbols = header.symbol_count.get();
    if reached == symbols { Ok(()) } else { Err(Error::Unlinked { symbols, reached }) }
}

fn sizes(native: &Native<'_>) -> Result<(), Error> {
    let Some(sizes) = native.sizes else { return Ok(()) };
    for symbol in 0..native.symbol_count() {
        let at = SymbolIndex(symbol);
        if let Known::Gap(gap) = sizes.known(at)
            && gap > 0
            && native.distance(at).is_none_or(|distance| distance < u64::from(gap))
        {
            return Err(Error::GapTooLarge { symbol, gap });
        }
    }
    let mut next = 0u32;
    for (exception, entry) in (0..u32::MAX).zip(sizes.exceptions()) {
        let (symbol, parent, size) = (entry.symbol.get(), entry.parent.get(), entry.size.get());
        if symbol < next || symbol >= native.symbol_count() {
            return Err(Error::SizeOrder { exception, symbol });
        }
        if !matches!(sizes.known(SymbolIndex(symbol)), Known::Size(_)) {
            return Err(Error::SizeNotMarked { exception, symbol });
        }
        let start = |symbol| native.address(SymbolIndex(symbol)).unwrap_or(u64::MAX);
        if start(symbol).checked_add(size.saturating_sub(1)).is_none() {
            return Err(Error::SizeOverflow { exception, size });
        }
        let last = |symbol| native.extent(SymbolIndex(symbol)).map(|extent| extent.last);
        if parent != NO_PARENT && (last(parent) <= last(symbol) || start(parent) > start(symbol)) {
            return Err(Error::SizeParent { exception, parent });
        }
        next = symbol.wrapping_add(1);
    }
    Ok(())
}

fn modules(native: &Native<'_>) -> Result<(), Error> {
    let mut next = 0u32;
    for (run, entry) in (0..u32::MAX).zip(native.modules.runs()) {
        let first = entry.first.get();
        if first < next || first >= native.symbol_count() {
            return Err(Error::ModuleOrder { run, first });
        }
        if native.modules.name(entry).is_none() {
            return Err(Error::ModuleName { run, offset: entry.name.get() });
        }
        next = first.wrapping_add(1);
    }
    Ok(())
}

fn name<'t>(native: &'t Native<'_>, symbol: SymbolIndex) -> Option<Name<'t, Native<'t>>> {
    native.spelled(symbol).map(Name::new)
}
