//! What every input becomes: the symbols of one image, in table order.

/// One symbol of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Link address.
    pub address: u64,
    /// The nm type character.
    pub kind: u8,
    /// Name as it will be stored.
    pub name: Vec<u8>,
    /// Bytes from the start to the end where the input tells them; without it the next different address
    /// ends it.
    pub size: Option<u64>,
    /// Table index of the symbol that answers past this one's end: the nearest one that starts no later and
    /// ends later. It may be a later alias at the same address.
    pub parent: Option<u32>,
    /// Index into [`Symbols::modules`].
    pub module: Option<u32>,
}

/// The symbols of one image, in table order (address, then the alias rules), and what belongs to all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    /// In table order.
    pub list: Vec<Symbol>,
    /// Module names.
    pub modules: Vec<Vec<u8>>,
    /// Hexadecimal digits of an address: 8 or 16.
    pub address_digits: u8,
    /// GNU build id, or empty.
    pub build_id: Vec<u8>,
    /// Last address (inclusive) that the table covers, where the input tells it; not below the last symbol.
    pub covered_last: Option<u64>,
}

/// A symbol of an ELF file whose place in the table and whose end are not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Link address.
    pub address: u64,
    /// The nm type character.
    pub kind: u8,
    /// Name as it will be stored.
    pub name: Vec<u8>,
    /// Bytes that the file claims for it; 0 where it claims none.
    pub size: u64,
    /// Bytes from the address to the end of its section; `None` for an absolute symbol.
    pub room: Option<u64>,
}
