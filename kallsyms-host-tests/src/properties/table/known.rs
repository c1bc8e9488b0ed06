//! The symbols of a table as a walk gives them, and all forms of each name.

use kallsyms_core::Symbol;
use kallsyms_core::name::{Name, OwnedName};
use kallsyms_core::table::{Layout, SymbolIndex, Table};

use crate::random::Random;

/// Bytes of names after which a walk ends: those of a hostile table together may be gigabytes.
const MAX_NAME_BYTES: usize = 1 << 15;

/// Symbols after which a walk ends.
const MAX_SYMBOLS: usize = 1_000;

/// Symbols of which all forms of the name are looked at: about so many, spread over the table.
const LOOKED_AT: usize = 24;

/// Symbols from the first on.
pub(super) struct Known {
    pub(super) symbols: Vec<Walked>,
    /// Whether these are all.
    pub(super) is_whole: bool,
}

/// What a walk says of a symbol.
pub(super) struct Walked {
    pub(super) address: u64,
    pub(super) name: Vec<u8>,
}

impl Known {
    pub(super) fn walk<L: Layout>(table: &Table<L>, random: &mut Random) -> Self {
        assert_eq!(table.iter().len(), table.len() as usize);
        assert_eq!(table.is_empty(), table.iter().next().is_none());
        let stride = (table.len() as usize).min(MAX_SYMBOLS) / LOOKED_AT + 1;
        let looked_at = random.below(stride);
        let (mut symbols, mut bytes, mut before): (Vec<Walked>, _, Vec<u8>) = (Vec::new(), 0, Vec::new());
        for (index, symbol) in (0..).zip(table).take(MAX_SYMBOLS) {
            assert_eq!(symbol.index(), SymbolIndex(index));
            let name: Vec<u8> = symbol.name().bytes().collect();
            let direct = table.symbol(SymbolIndex(index)).expect("an index of the table");
            let of = |symbol: &Symbol<'_, L>| {
                (symbol.kind(), symbol.address(), symbol.module().map(<[u8]>::to_vec))
            };
            assert_eq!(of(&direct), of(&symbol));
            assert!(direct == symbol && direct.name() == name.as_slice() && direct.name() == symbol.name());
            if symbols.len() % stride == looked_at {
                check_name(&symbol.name(), &name, &before);
                check_listing(table, &symbol, &name);
            }
            bytes += name.len();
            before.clone_from(&name);
            symbols.push(Walked { address: symbol.address(), name });
            if bytes > MAX_NAME_BYTES {
                break;
            }
        }
        for end in [table.len(), u32::MAX] {
            assert!(table.symbol(SymbolIndex(end)).is_none() || end < table.len());
        }
        let is_whole = symbols.len() == table.len() as usize;
        Self { symbols, is_whole }
    }

    /// Indices of the symbols whose names are so.
    pub(super) fn matching(&self, accept: impl Fn(&[u8]) -> bool) -> Vec<u32> {
        (0..).zip(&self.symbols).filter(|(_, walked)| accept(&walked.name)).map(|(index, _)| index).collect()
    }
}

/// All forms of a name say these bytes.
fn check_name<L: Layout>(name: &Name<'_, L>, bytes: &[u8], other: &[u8]) {
    let len = bytes.len();
    assert_eq!((name.len(), name.is_empty()), (len, len == 0));
    assert_eq!(name.fragments().collect::<Vec<_>>().concat(), bytes);
    let mut copy = vec![0xaa; len + 40];
    for room in [len, len + 1, len + 40] {
        let copied = name.copy_to(&mut copy[..room]).map(|copied| &*copied);
        assert_eq!(copied, Ok(bytes), "{room} bytes of room");
    }
    if let Some(short) = len.checked_sub(1) {
        assert_eq!(name.copy_to(&mut copy[..short]).map_err(|error| error.capacity), Err(short));
    }
    let owned: Option<OwnedName<64>> = name.to_owned_name().ok();
    assert_eq!(owned.as_deref(), (len <= 64).then_some(bytes));
    assert!(name.starts_with(&bytes[..len / 2]) && name.starts_with(bytes) && *name == *bytes);
    let longer = [bytes, b"_"].concat();
    assert!(!name.starts_with(&longer) && *name != *longer.as_slice());
    assert_eq!((name.compare(bytes), name.compare(other)), (bytes.cmp(bytes), bytes.cmp(other)));
    assert_eq!(*name == *other, bytes == other);
    let stem = &bytes[..name.stem_len()];
    let suffix = &bytes[stem.len()..];
    assert!(suffix.is_empty() || suffix.starts_with(b".llvm.") && suffix[6..].iter().all(u8::is_ascii_digit));
    assert_eq!(name.to_string(), String::from_utf8_lossy(bytes));
}

fn check_listing<L: Layout>(table: &Table<L>, symbol: &Symbol<'_, L>, name: &[u8]) {
    let digits = if table.address_digits() == 8 { 8 } else { 16 };
    let mut line = format!("{:0digits$x} {} ", symbol.address(), char::from(symbol.kind())).into_bytes();
    line.extend_from_slice(name);
    if let Some(module) = symbol.module() {
        line.extend([b"\t[", module, b"]"].concat());
    }
    assert_eq!(symbol.listing().to_string(), String::from_utf8_lossy(&line));
}
