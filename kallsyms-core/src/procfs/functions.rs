//! A line of `available_filter_functions`, `NAME [SP '[' MODULE ']']`, and of
//! `available_filter_functions_addrs`, which has `HEX SP` in front of that.

use core::fmt;

use super::kallsyms::{behind_space, bracketed, hex};
use super::lines::{Flaw, Format, private};
use super::{Fault, Part};

/// The format of `available_filter_functions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FilterFunctions;

/// The format of `available_filter_functions_addrs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FilterFunctionsAddrs;

/// A function that ftrace can trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Function<'t> {
    /// Its line, from 1: the number by which `set_ftrace_filter` selects it.
    pub line: u64,
    /// Where ftrace patches it, in the file that has addresses.
    pub addr: Option<u64>,
    /// Its name, of any length.
    pub name: &'t [u8],
    /// The module that it is in, without brackets.
    pub module: Option<&'t [u8]>,
}

impl fmt::Debug for Function<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function(line {}, ", self.line)?;
        if let Some(addr) = self.addr {
            write!(f, "{addr:#x} ")?;
        }
        write!(f, "{}", self.name.escape_ascii())?;
        if let Some(module) = self.module {
            write!(f, " [{}]", module.escape_ascii())?;
        }
        f.write_str(")")
    }
}

impl Function<'_> {
    /// Whether the line only keeps the numbers of the others: `__ftrace_invalid_address___N` is no function,
    /// but a place whose function the kernel left out. Steps: one a byte of the name.
    #[must_use]
    pub fn is_placeholder(&self) -> bool {
        let offset = self.name.strip_prefix(b"__ftrace_invalid_address___");
        offset.is_some_and(|offset| !offset.is_empty() && offset.iter().all(u8::is_ascii_digit))
    }
}

impl Format for FilterFunctions {}

impl private::Format for FilterFunctions {
    type Entry<'t> = Function<'t>;
    type Memo = ();

    fn entry(line: &[u8], number: u64) -> Result<Function<'_>, Flaw> {
        blank(line)?;
        function(line, line, number, None)
    }
}

impl Format for FilterFunctionsAddrs {}

impl private::Format for FilterFunctionsAddrs {
    type Entry<'t> = Function<'t>;
    type Memo = ();

    fn entry(line: &[u8], number: u64) -> Result<Function<'_>, Flaw> {
        blank(line)?;
        let (addr, rest) = hex(line, |digits| matches!(digits, 1..=16))?;
        function(line, behind_space(line, rest, Part::Address)?, number, Some(addr))
    }
}

fn blank(line: &[u8]) -> Result<(), Flaw> {
    if line.is_empty() { Err(Flaw { at: 0, fault: Fault::Blank }) } else { Ok(()) }
}

/// The name and the module of the rest of a line.
fn function<'t>(line: &[u8], rest: &'t [u8], number: u64, addr: Option<u64>) -> Result<Function<'t>, Flaw> {
    let end = rest.iter().position(|&byte| byte <= b' ').unwrap_or(rest.len());
    let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    if name.is_empty() {
        return Err(Flaw::new(line, rest, Fault::NoName));
    }
    let module = match *behind {
        [] => None,
        [b' ', ref column @ ..] => Some(bracketed(line, column)?),
        [found, ..] => return Err(Flaw::new(line, behind, Fault::Control { found })),
    };
    Ok(Function { line: number, addr, name, module })
}
