//! Blocks, records and names: sections "Addresses" and "Names".

use super::numbers::{bits, number, number32, slice};
use super::sections::{BLOCKS, RECORDS, Sections, TOKEN_BYTES, TOKENS, check};

/// What the record of a block says of one symbol.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) address: u64,
    pub(super) kind: u8,
    pub(super) name: Vec<u8>,
    pub(super) link: Option<u32>,
}

/// Every symbol in table order, and the base of every block.
pub(super) fn decode(sections: &Sections) -> Result<(Vec<Entry>, Vec<u64>), String> {
    let blocks = sections.section(BLOCKS);
    let width = if sections.wide_bases { 8 } else { 4 };
    let (mut entries, mut bases, mut record) = (Vec::new(), Vec::new(), 0);
    for block in 0..sections.blocks() {
        let at = u64::from(block) * (width + 4);
        let base = number(blocks, at, width)?;
        let absolute = block * 16 < sections.leading_absolute;
        let first = if absolute { base } else { sections.link_base.wrapping_add(base) };
        check(number(blocks, at + width, 4)? == record, "place of a record")?;
        record = decode_record(sections, record, first, &mut entries)?;
        bases.push(base);
    }
    check(record + 8 == sections.section(RECORDS).len() as u64, "length of the records")?;
    Ok((entries, bases))
}

/// Reads the record at a byte; returns where the next one begins.
fn decode_record(
    sections: &Sections,
    mut at: u64,
    first: u64,
    entries: &mut Vec<Entry>,
) -> Result<u64, String> {
    let records = sections.section(RECORDS);
    let here = (sections.symbol_count as usize - entries.len()).min(16) as u64;
    let form = number(records, at, 1)?;
    at += 1;
    let (delta_bytes, count_bits, shift) = (1 << (form & 3), 4 << (form >> 2 & 3), form >> 4 & 7);

    let deltas = numbers(records, at * 8, delta_bytes * 8)?;
    at += 16 * delta_bytes;
    let counts = numbers(records, at * 8, count_bits)?;
    at += 16 * count_bits / 8;
    let nothing = u64::MAX >> (64 - delta_bytes * 8);
    let unused = here as usize..;
    check(deltas[unused.clone()].iter().all(|delta| *delta == nothing), "delta of no symbol")?;
    check(counts[unused].iter().all(|count| *count == 0), "count of no symbol")?;
    check(deltas[0] == 0 && counts[0] != 0, "first symbol of a block")?;

    let mut linked = 0;
    if form & 0x80 != 0 {
        linked = number(records, at, 2)?;
        at += 2;
    }
    check(linked >> here == 0, "link of no symbol")?;
    let mut links = Vec::new();
    for place in 0..here {
        links.push(if linked >> place & 1 == 1 {
            at += sections.link_bytes;
            let link = number(records, at - sections.link_bytes, sections.link_bytes)? as u32;
            check(link as usize > entries.len() + place as usize, "a link that does not rise")?;
            Some(link)
        } else {
            None
        });
    }

    let mut bit = at * 8;
    for (place, link) in links.into_iter().enumerate() {
        let address = first.wrapping_add(deltas[place] << shift);
        let (kind, name) = if counts[place] == 0 {
            check(counts[place - 1] != 0, "count of 0 after another one")?;
            let before = entries.last().expect("not the first of the block");
            let name = before.name.strip_prefix(&sections.prefix[..]).ok_or("prefix")?;
            (before.kind, name.to_vec())
        } else {
            let expansion = expand(sections, bit, counts[place])?;
            bit += counts[place] * sections.code_bits;
            let (kind, name) = expansion.split_first().ok_or("a name without a type")?;
            (*kind, name.to_vec())
        };
        check((1..=1 << 20).contains(&name.len()), "length of a name")?;
        entries.push(Entry { address, kind, name, link });
    }
    Ok(bit.div_ceil(8))
}

fn numbers(bytes: &[u8], bit: u64, width: u64) -> Result<Vec<u64>, String> {
    (0..16).map(|place| bits(bytes, bit + place * width, width)).collect()
}

/// What `count` codes from a bit of the records on expand to.
fn expand(sections: &Sections, bit: u64, count: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for place in 0..count {
        let code = bits(sections.section(RECORDS), bit + place * sections.code_bits, sections.code_bits)?;
        let before = bytes.len();
        if sections.nested_tokens {
            expand_nested(sections, code, 1, &mut bytes)?;
        } else {
            let entry = u64::from(number32(sections.section(TOKENS), code * 4)?);
            bytes.extend_from_slice(slice(sections.section(TOKEN_BYTES), entry >> 8, entry & 0xff)?);
        }
        check((1..=255).contains(&(bytes.len() - before)), "length of a token")?;
    }
    Ok(bytes)
}

fn expand_nested(sections: &Sections, code: u64, depth: u32, bytes: &mut Vec<u8>) -> Result<(), String> {
    check(depth <= 12, "depth of a token")?;
    let tokens = sections.section(TOKENS);
    let (left, right) = (number(tokens, code * 4, 2)?, number(tokens, code * 4 + 2, 2)?);
    if left == code {
        bytes.push(u8::try_from(right).map_err(|_| "a literal above 255")?);
        return Ok(());
    }
    expand_nested(sections, left, depth + 1, bytes)?;
    expand_nested(sections, right, depth + 1, bytes)
}
