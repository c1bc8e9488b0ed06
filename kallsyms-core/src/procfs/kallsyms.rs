//! A line of `/proc/kallsyms`: `HEX SP TYPE SP NAME [TAB '[' MODULE ']']`.

use core::fmt;

use super::lines::{Flaw, Format, private};
use super::swar;
use super::{Fault, Part};
use crate::num::count;

/// The format of `/proc/kallsyms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Kallsyms;

/// A symbol as `/proc/kallsyms` prints it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Entry<'t> {
    /// Its address; 0 also where the kernel hides it.
    pub addr: u64,
    /// Its nm type; a capital letter for an exported or global symbol.
    pub kind: u8,
    /// Its name, of any length.
    pub name: &'t [u8],
    /// The module that it is in, without brackets.
    pub module: Option<&'t [u8]>,
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({:#x} {} {}", self.addr, char::from(self.kind), self.name.escape_ascii())?;
        if let Some(module) = self.module {
            write!(f, " [{}]", module.escape_ascii())?;
        }
        f.write_str(")")
    }
}

impl Format for Kallsyms {}

impl private::Format for Kallsyms {
    type Entry<'t> = Entry<'t>;
    type Memo = HighHalf;

    #[inline(always)]
    fn usual<'t>(text: &'t [u8], _: u64, high_half: &mut HighHalf) -> Option<(Entry<'t>, &'t [u8])> {
        let (addr, kind, body) = match text.split_first_chunk::<19>()? {
            ([digits @ .., b' ', kind, b' '], body) => {
                let ([high, low], _) = digits.as_chunks::<8>() else { return None };
                (high_half.value_of(high)? | swar::hex(low)?, *kind, body)
            }
            _ => narrow_head(text)?,
        };
        let (name, rest) = body.split_at_checked(swar::first_control(body)?)?;
        if name.is_empty() || !is_type(kind) {
            return None;
        }
        let (module, rest) = match rest {
            [b'\n', rest @ ..] => (None, rest),
            [b'\t', b'[', rest @ ..] => {
                let (module, rest) = rest.split_at_checked(swar::first_control(rest)?)?;
                let ([module @ .., b']'], [b'\n', rest @ ..]) = (module, rest) else { return None };
                if module.is_empty() {
                    return None;
                }
                (Some(module), rest)
            }
            _ => return None,
        };
        Some((Entry { addr, kind, name, module }, rest))
    }

    fn entry(line: &[u8], _: u64) -> Result<Entry<'_>, Flaw> {
        if line.is_empty() {
            return Err(Flaw { at: 0, fault: Fault::Blank });
        }
        let (addr, rest) = address(line)?;
        let rest = behind_space(line, rest, Part::Address)?;
        let Some((&kind, rest_behind)) = rest.split_first() else {
            return Err(Flaw::new(line, rest, Fault::Ended { after: Part::Address }));
        };
        if !is_type(kind) {
            return Err(Flaw::new(line, rest, Fault::Type { found: kind }));
        }
        let rest = behind_space(line, rest_behind, Part::Type)?;
        let (name, module) = name_and_module(line, rest)?;
        Ok(Entry { addr, kind, name, module })
    }

    #[inline]
    fn address(entry: &Entry<'_>) -> Option<u64> {
        Some(entry.addr)
    }
}

/// The upper eight digits of the last address, for they are nearly always those of the next.
#[derive(Debug, Clone)]
pub struct HighHalf {
    /// The digits.
    digits: [u8; 8],
    /// What they add to an address.
    value: u64,
}

impl Default for HighHalf {
    fn default() -> Self {
        Self { digits: [b'0'; 8], value: 0 }
    }
}

impl HighHalf {
    #[inline]
    fn value_of(&mut self, digits: &[u8; 8]) -> Option<u64> {
        if self.digits != *digits {
            *self = Self { digits: *digits, value: swar::hex(digits)? << 32 };
        }
        Some(self.value)
    }
}

/// Address and type of a line of a 32-bit kernel, and what is behind them.
#[inline]
fn narrow_head(text: &[u8]) -> Option<(u64, u8, &[u8])> {
    let ([digits @ .., b' ', kind, b' '], body) = text.split_first_chunk::<11>()? else { return None };
    Some((swar::hex(digits)?, *kind, body))
}

#[inline]
fn is_type(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'?'
}

/// An address of 8 or 16 digits, or `(null)` behind the blanks that fill its column; and what is behind it.
fn address(line: &[u8]) -> Result<(u64, &[u8]), Flaw> {
    let blanks = count(line.iter().take_while(|&&byte| byte == b' '));
    if let Some(rest) = line.get(blanks..).and_then(|rest| rest.strip_prefix(b"(null)")) {
        return Ok((0, rest));
    }
    hex(line, |digits| matches!(digits, 8 | 16))
}

/// The hexadecimal number that a line begins with, if it has a right number of digits; and what is behind it.
pub(super) fn hex(line: &[u8], is_right: impl Fn(usize) -> bool) -> Result<(u64, &[u8]), Flaw> {
    let mut rest = line;
    let mut value = 0_u64;
    while let [digit, behind @ ..] = rest
        && let Some(digit) = char::from(*digit).to_digit(16)
    {
        value = value << 4 | u64::from(digit);
        rest = behind;
    }
    match (line.len().saturating_sub(rest.len()), rest) {
        (0, &[found, ..]) => Err(Flaw { at: 0, fault: Fault::NoAddress { found } }),
        (digits, _) if is_right(digits) => Ok((value, rest)),
        // A byte that is no digit within the address tells more than the number of digits before it.
        (_, &[found, ..]) if found != b' ' => {
            Err(Flaw::new(line, rest, Fault::NoSpace { after: Part::Address, found }))
        }
        (digits, _) => Err(Flaw { at: 0, fault: Fault::AddressDigits { digits } }),
    }
}

/// What stands behind the space that follows a part of the line.
pub(super) fn behind_space<'t>(line: &[u8], rest: &'t [u8], after: Part) -> Result<&'t [u8], Flaw> {
    match *rest {
        [b' ', ref rest @ ..] => Ok(rest),
        [found, ..] => Err(Flaw::new(line, rest, Fault::NoSpace { after, found })),
        [] => Err(Flaw::new(line, rest, Fault::Ended { after })),
    }
}

/// The name, and the module that stands behind a tab.
fn name_and_module<'t>(line: &[u8], rest: &'t [u8]) -> Result<(&'t [u8], Option<&'t [u8]>), Flaw> {
    let (name, behind) = match swar::first_control(rest) {
        Some(at) => rest.split_at_checked(at).unwrap_or((rest, &[])),
        None => (rest, &[][..]),
    };
    if name.is_empty() {
        return Err(Flaw::new(line, rest, Fault::NoName));
    }
    match *behind {
        [] => Ok((name, None)),
        [b'\t', ref column @ ..] => Ok((name, Some(bracketed(line, column)?))),
        [found, ..] => Err(Flaw::new(line, behind, Fault::Control { found })),
    }
}

/// The name between the brackets that a line ends with.
pub(super) fn bracketed<'t>(line: &[u8], column: &'t [u8]) -> Result<&'t [u8], Flaw> {
    if let Some(behind) = swar::first_control(column).and_then(|at| column.get(at..))
        && let [found, ..] = *behind
    {
        return Err(Flaw::new(line, behind, Fault::Control { found }));
    }
    match column {
        [b'[', module @ .., b']'] if !module.is_empty() => Ok(module),
        _ => Err(Flaw::new(line, column, Fault::Module)),
    }
}
