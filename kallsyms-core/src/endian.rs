//! The order of a number's bytes.

/// Byte order of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Endian {
    /// Lowest byte first.
    Little,
    /// Highest byte first.
    Big,
}
