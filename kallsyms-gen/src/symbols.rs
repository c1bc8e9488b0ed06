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
    /// Bytes from the start to the end where the input tells them; without it the next different address ends it.
    pub size: Option<u64>,
    /// Table index of the symbol that answers past this one's end: the nearest one before it that ends later.
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
    /// Last address (inclusive) of the last symbol, where the input tells it.
    pub covered_last: Option<u64>,
}
