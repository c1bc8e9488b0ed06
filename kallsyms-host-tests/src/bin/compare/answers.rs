//! The plain answers: a sorted list and a map, made of the symbols and nothing else.

use std::collections::HashMap;

use kallsyms_gen::symbols::{Symbol, Symbols};

/// What is true of the symbols.
#[derive(Debug)]
pub(crate) struct Answers<'s> {
    pub(crate) symbols: &'s Symbols,
    firsts: HashMap<&'s [u8], usize>,
}

/// Where an address lies.
#[derive(Debug)]
pub(crate) struct Held<'s> {
    /// The symbols at the highest start that is not above it.
    pub(crate) holders: &'s [Symbol],
    /// Bytes from there.
    pub(crate) offset: u64,
    /// Bytes from there to the next start.
    pub(crate) size: u64,
}

impl<'s> Answers<'s> {
    pub(crate) fn new(symbols: &'s Symbols) -> Self {
        let mut firsts = HashMap::new();
        for (index, symbol) in symbols.list.iter().enumerate() {
            firsts.entry(symbol.name.as_slice()).or_insert(index);
        }
        Self { symbols, firsts }
    }

    /// Address of the first symbol of a name.
    pub(crate) fn by_name(&self, name: &str) -> Option<u64> {
        self.firsts.get(name.as_bytes()).map(|first| self.symbols.list[*first].address)
    }

    /// What holds an address above the first symbol and below the last one.
    pub(crate) fn by_address(&self, address: u64) -> Held<'s> {
        let list = &self.symbols.list;
        let end = list.partition_point(|symbol| symbol.address <= address);
        let highest = list[end - 1].address;
        let start = list.partition_point(|symbol| symbol.address < highest);
        let size = list[end].address - highest;
        Held { holders: &list[start..end], offset: address - highest, size }
    }

    /// Every symbol whose name fits, by its place; of each name the first alone if so asked.
    pub(crate) fn matching(&self, first_only: bool, fits: impl Fn(&str) -> bool) -> Vec<u64> {
        let list = self.symbols.list.iter().enumerate();
        list.filter(|(index, symbol)| {
            let name = str::from_utf8(&symbol.name).expect("the source left out others");
            fits(name) && (!first_only || self.firsts[symbol.name.as_slice()] == *index)
        })
        .map(|(_, symbol)| symbol.address)
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use kallsyms_gen::linux::write::own_symbols;
    use kallsyms_host_tests::fixtures::linux_like;
    use kallsyms_host_tests::oracle::Oracle;

    use super::*;

    #[test]
    fn they_are_the_oracles() {
        let symbols = own_symbols(&linux_like());
        let (answers, oracle) = (Answers::new(&symbols), Oracle::new(&symbols, 0));
        let last = symbols.list.last().expect("symbols").address;
        for symbol in &symbols.list {
            let name = str::from_utf8(&symbol.name).expect("it is text");
            let first = oracle.by_name(name.as_bytes())[0];
            assert_eq!(answers.by_name(name), Some(symbols.list[first as usize].address));
            if symbol.address == last {
                continue;
            }
            let (holder, offset, size) = oracle.by_address(symbol.address).expect("its own start");
            let held = answers.by_address(symbol.address);
            assert!(std::ptr::eq(&held.holders[0], &symbols.list[holder as usize]), "{name}");
            // The oracle knows that the constants below the code end nowhere.
            assert_eq!((held.offset, size.unwrap_or(held.size)), (offset, held.size), "{name}");
        }
        assert_eq!(answers.by_name("step_"), None);
        let prefixed: Vec<u64> =
            oracle.by_prefix(b"step_1").iter().map(|place| symbols.list[*place as usize].address).collect();
        assert_eq!(answers.matching(false, |name| name.starts_with("step_1")), prefixed);
    }
}
