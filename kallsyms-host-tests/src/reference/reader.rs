//! The reader: everything is decoded once, questions go through vectors.

use super::ends::{End, ends};
use super::hash::{hash, hi};
use super::hints::check_hints;
use super::numbers::{bits, number, slice};
use super::records::{Entry, decode};
use super::sections::{INDEX, MODULE_NAMES, PILOTS, RUNS, Sections, check};

/// A symbol as an image holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Link address.
    pub address: u64,
    /// The nm type character.
    pub kind: u8,
    /// Name.
    pub name: Vec<u8>,
    /// Bytes, where the image tells them.
    pub size: Option<u64>,
    /// Index of the symbol that answers behind this one's end.
    pub parent: Option<u32>,
    /// Name of its module.
    pub module: Option<Vec<u8>>,
    /// Index of the next symbol of the same name.
    pub link: Option<u32>,
}

/// An image that was read as the page says.
#[derive(Debug, Clone)]
pub struct Reader {
    sections: Sections,
    symbols: Vec<Symbol>,
    /// The first address behind each symbol.
    behind: Vec<u128>,
}

impl Reader {
    /// Reads an image, which may be followed by other bytes.
    ///
    /// # Errors
    ///
    /// The part that is not as the page says.
    pub fn new(bytes: &[u8]) -> Result<Self, String> {
        let sections = Sections::new(bytes)?;
        let (entries, bases) = decode(&sections)?;
        check_hints(&sections, &bases)?;
        check(entries.is_sorted_by_key(|entry| entry.address), "order of the addresses")?;
        let ends = ends(&sections, &entries)?;
        let modules = modules(&sections)?;
        let behind = ends.iter().map(|end| end.behind).collect();
        let symbols = entries.into_iter().zip(ends).zip(modules);
        let symbols = symbols.map(|((entry, end), module)| whole(entry, end, module)).collect();
        Ok(Self { sections, symbols, behind })
    }

    /// Every symbol in table order.
    #[must_use]
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Index of the first symbol of a name.
    #[must_use]
    pub fn first_of_name(&self, name: &[u8]) -> Option<u32> {
        let sections = &self.sections;
        let h = hash(sections.hash_id, sections.hash_seed, name);
        let bucket = hi(u64::from(hi(h)) * u64::from(sections.bucket_count));
        let pilot = number(sections.section(PILOTS), u64::from(bucket), 1).ok()?;
        let mixed = h ^ 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(pilot + 1);
        let mixed = hi(mixed.wrapping_mul(0xd6e8_feb8_6659_fd93));
        let slot = hi(u64::from(mixed) * u64::from(sections.slot_count));
        let (index_bits, fingerprint_bits) = (sections.index_bits(), sections.fingerprint_bits);
        let bit = u64::from(slot) * (index_bits + fingerprint_bits);
        let index = bits(sections.section(INDEX), bit, index_bits).ok()? as u32;
        let fingerprint = bits(sections.section(INDEX), bit + index_bits, fingerprint_bits).ok()?;
        let agrees = fingerprint == h & ((1 << fingerprint_bits) - 1);
        let symbol = self.symbols.get(index as usize)?;
        (agrees && symbol.name == name).then_some(index)
    }

    /// The symbol that an address belongs to, and the distance from its start, in a kernel that was not
    /// moved.
    #[must_use]
    pub fn lookup(&self, pc: u64) -> Option<(u32, u64)> {
        self.holding(pc, |_| true)
    }

    /// As [`Reader::lookup`], in a kernel that was moved by `slide`, which is not 0; the distance is from the
    /// moved start.
    #[must_use]
    pub fn lookup_moved(&self, pc: u64, slide: u64) -> Option<(u32, u64)> {
        let absolute = |symbol: &Symbol| matches!(symbol.kind, b'A' | b'a');
        self.holding(pc.wrapping_sub(slide), |symbol| !absolute(symbol))
            .or_else(|| self.holding(pc, absolute))
    }

    /// The answer at a link address if only some symbols may answer.
    fn holding(&self, pc: u64, may: impl Fn(&Symbol) -> bool) -> Option<(u32, u64)> {
        let highest = self.symbols.iter().map(|symbol| symbol.address).filter(|start| *start <= pc).max()?;
        let first = |may: &dyn Fn(&Symbol) -> bool| {
            self.symbols.iter().position(|symbol| symbol.address == highest && may(symbol))
        };
        let mut at = first(&may).or_else(|| first(&|_| true))?;
        // Its own start always belongs to a symbol.
        let reaches = |at: usize| pc == self.symbols[at].address || self.behind[at] > u128::from(pc);
        while !reaches(at) || !may(&self.symbols[at]) {
            let parent = self.symbols[at].parent? as usize;
            if self.behind.get(parent)? <= &self.behind[at] {
                return None;
            }
            at = parent;
        }
        Some((at as u32, pc.checked_sub(self.symbols[at].address)?))
    }
}

fn whole(entry: Entry, end: End, module: Option<Vec<u8>>) -> Symbol {
    let Entry { address, kind, name, link } = entry;
    Symbol { address, kind, name, size: end.size, parent: end.parent, module, link }
}

/// The module of every symbol: section "Modules".
fn modules(sections: &Sections) -> Result<Vec<Option<Vec<u8>>>, String> {
    let (runs, names) = (sections.section(RUNS), sections.section(MODULE_NAMES));
    let mut modules = vec![None; sections.symbol_count as usize];
    for at in (0..runs.len() as u64).step_by(8) {
        let (first, name) = (number(runs, at, 4)?, number(runs, at + 4, 4)?);
        let name = slice(names, name + 1, number(names, name, 1)?)?;
        let rest = modules.get_mut(first as usize..).ok_or("a module run behind the last symbol")?;
        rest.fill((!name.is_empty()).then(|| name.to_vec()));
    }
    Ok(modules)
}
