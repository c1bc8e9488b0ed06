//! Hexadecimal numbers on the command line.

use std::str::FromStr;

/// An address argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Address {
    Value(u64),
    /// `-`: they come from stdin.
    Stdin,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "-" {
            return Ok(Self::Stdin);
        }
        hexadecimal(text).map(Self::Value).ok_or_else(expected)
    }
}

/// A number of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hexadecimal(pub(crate) u64);

impl FromStr for Hexadecimal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        hexadecimal(text).map(Self).ok_or_else(expected)
    }
}

/// A slide: modulo 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slide(pub(crate) u64);

impl FromStr for Slide {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let value = match text.strip_prefix('-') {
            Some(text) => hexadecimal(text).map(u64::wrapping_neg),
            None => hexadecimal(text),
        };
        value.map(Self).ok_or_else(expected)
    }
}

/// A number of 1 to 16 hexadecimal digits, with or without `0x`.
pub(crate) fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    let sound = (1..=16).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    sound.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}

fn expected() -> String {
    "expected 1 to 16 hexadecimal digits, with or without 0x".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_hexadecimal() {
        assert_eq!("ffffffff81000000".parse(), Ok(Address::Value(0xffff_ffff_8100_0000)));
        assert_eq!("0xFFFFFFFFFFFFFFFF".parse(), Ok(Address::Value(u64::MAX)));
        assert_eq!("10".parse(), Ok(Address::Value(16)));
        assert_eq!("-".parse(), Ok(Address::Stdin));
        for bad in ["", "0x", "+1", "0x+1", "g", "1ffffffffffffffff", "-1", "1 2"] {
            assert!(bad.parse::<Address>().is_err(), "{bad}");
        }
        assert_eq!("-0x1000".parse(), Ok(Slide(0u64.wrapping_sub(0x1000))));
        assert_eq!("0xff".parse(), Ok(Hexadecimal(255)));
        assert_eq!("1e000000".parse(), Ok(Slide(0x1e00_0000)));
    }
}
