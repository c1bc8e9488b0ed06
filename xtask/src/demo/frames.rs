//! The frames of a transcript against an independent reading of the kernel.

use super::elf::{Elf, Function, demangled};
use super::scenarios::Named;
use anyhow::{Context, Result, bail, ensure};
use std::fmt;

/// One frame line: `#3 ret ffffffff80101234 name+0x12/0x34`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// Whether the address is a program counter, not a return address.
    exact: bool,
    pub(super) address: u64,
    /// `None` for `?`, and where a fault has cut the line short.
    place: Option<Place<'t>>,
    /// The place as it was printed.
    pub(super) text: &'t str,
}

#[derive(Debug, PartialEq, Eq)]
struct Place<'t> {
    name: &'t str,
    offset: u64,
    size: Option<u64>,
}

/// What was checked.
#[derive(Debug, Default)]
pub(super) struct Checked {
    frames: usize,
    by_debug_info: usize,
}

impl Line<'_> {
    /// The instruction, or the call before the return address.
    fn at(&self) -> u64 {
        if self.exact { self.address } else { self.address.wrapping_sub(1) }
    }

    fn function<'f>(&self, functions: &'f [Function]) -> Option<&'f Function> {
        functions.iter().find(|function| holds(function, self.at()))
    }
}

fn holds(function: &Function, at: u64) -> bool {
    (function.address..function.address + function.size).contains(&at)
}

impl Checked {
    /// Whether there was a frame to check.
    pub(super) fn any(&self) -> bool {
        self.frames > 0
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} frames by the ELF symbols, {} of them by debug information too",
            self.frames, self.by_debug_info
        )
    }
}

/// Compares every frame with the symbols and the debug information of the kernel.
pub(super) fn check(lines: &[String], elf: &Elf, named: Named) -> Result<Checked> {
    let functions = elf.functions()?;
    let debug_info = elf.lines()?;
    let mut checked = Checked::default();
    for text in lines {
        let Some(line) = parse(text)? else { continue };
        checked.frames += 1;
        let Some(place) = &line.place else {
            match (line.function(&functions), named) {
                (Some(function), Named::All) => bail!("{text:?} has no name, but is in {}", function.name),
                (None, Named::Some | Named::None) => bail!("{text:?} is in no function"),
                _ => continue,
            }
        };
        ensure!(named != Named::None, "{text:?} has a name");
        let same_name = |function: &&Function| {
            function.name == place.name && function.address + place.offset == line.address
        };
        let function = functions
            .iter()
            .find(same_name)
            .with_context(|| format!("{text:?}: the ELF has no such symbol there"))?;
        ensure!(function.size == 0 || holds(function, line.at()), "{text:?} is not inside {function:?}");
        if let Some(size) = place.size {
            ensure!(
                function.size == 0 || size == function.size,
                "{text:?}: its size is {:#x}",
                function.size
            );
        }
        if let Some(name) = outermost(&debug_info, line.at())? {
            ensure!(name == place.name, "{text:?}: debug information says {name}");
            checked.by_debug_info += 1;
        }
    }
    Ok(checked)
}

/// The function that an address was compiled into, past everything that was inlined; `None` for assembly.
fn outermost<R: addr2line::gimli::Reader>(lines: &addr2line::Context<R>, at: u64) -> Result<Option<String>> {
    let mut frames = lines.find_frames(at).skip_all_loads()?;
    let mut name = None;
    while let Some(frame) = frames.next()? {
        name = frame
            .function
            .map(|function| Ok::<_, anyhow::Error>(demangled(&function.raw_name()?)))
            .transpose()?;
    }
    Ok(name)
}

/// The names of all frames, in order.
pub(super) fn names(lines: &[String]) -> Vec<&str> {
    let frames = lines.iter().filter_map(|line| parse(line).ok().flatten());
    frames.filter_map(|line| line.place.map(|place| place.name)).collect()
}

/// The lines, with the ELF's name of the function behind every address that has none: `? = name`.
pub(super) fn with_names_of(lines: &[String], elf: &Elf) -> Result<Vec<String>> {
    let functions = elf.functions()?;
    let named = |text: &String| {
        let Some(line @ Line { place: None, .. }) = parse(text)? else { return Ok(text.clone()) };
        let function = line.function(&functions);
        Ok(function.map_or_else(|| text.clone(), |function| format!("{text} = {}", function.name)))
    };
    lines.iter().map(named).collect()
}

/// A frame line; `None` for any other line.
pub(super) fn parse(text: &str) -> Result<Option<Line<'_>>> {
    let Some(rest) = text.trim_start().strip_prefix('#') else { return Ok(None) };
    let parts = || {
        let (_, rest) = rest.split_once(' ')?;
        let (kind, rest) = rest.trim_start().split_once(' ')?;
        let rest = rest.trim_start();
        let (address, place) = rest.split_once(' ').unwrap_or((rest, ""));
        Some((kind, address, place))
    };
    let (kind, address, place) = parts().with_context(|| format!("{text:?} is not a frame"))?;
    let exact = match kind {
        "pc" => true,
        "ret" | "?" => false,
        _ => bail!("{text:?} is not a frame"),
    };
    let address = u64::from_str_radix(address, 16).with_context(|| format!("the address of {text:?}"))?;
    let found = if ["?", ""].contains(&place) {
        None
    } else {
        Some(parse_place(place).with_context(|| format!("the name of {text:?}"))?)
    };
    Ok(Some(Line { exact, address, place: found, text: place }))
}

/// `name+0x12/0x34`; a name may hold a plus sign itself.
fn parse_place(text: &str) -> Result<Place<'_>> {
    let (name, numbers) = text.rsplit_once("+0x").context("no offset")?;
    let (offset, size) = match numbers.split_once("/0x") {
        Some((offset, size)) => (offset, Some(u64::from_str_radix(size, 16)?)),
        None => (numbers, None),
    };
    Ok(Place { name, offset: u64::from_str_radix(offset, 16)?, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_lines_are_read() {
        let line = parse("  #1  ret ffffffff80101234 a::b<+>+0x1c/0x90").unwrap().unwrap();
        let place = Place { name: "a::b<+>", offset: 0x1c, size: Some(0x90) };
        assert_eq!(
            line,
            Line {
                exact: false,
                address: 0xffff_ffff_8010_1234,
                place: Some(place),
                text: "a::b<+>+0x1c/0x90"
            }
        );
        let line = parse("  #10 pc  00000000dead0000 ?").unwrap().unwrap();
        assert_eq!(line, Line { exact: true, address: 0xdead_0000, place: None, text: "?" });
        let cut_short = parse("  #0  pc  00000000dead0000").unwrap().unwrap();
        assert_eq!((cut_short.address, cut_short.place), (0xdead_0000, None));
        assert_eq!(parse("backtrace:").unwrap(), None);
        assert!(parse("#1 what 12 x+0x1").is_err() && parse("#1 pc xy x+0x1").is_err());
    }

    #[inline(never)]
    fn landmark(value: u64) -> u64 {
        std::hint::black_box(value) + 1
    }

    /// The test's own program, which has symbols and debug information as a kernel has.
    #[test]
    fn lies_about_a_frame_are_found() {
        let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let elf = Elf { bytes };
        let functions = elf.functions().unwrap();
        let own = "xtask::demo::frames::tests::landmark";
        assert_eq!(landmark(1), 2);
        let Function { address, size, .. } = functions.iter().find(|function| function.name == own).unwrap();
        let checked = |address: u64, kind: &str, place: &str| {
            check(&[format!("  #0  {kind} {address:016x} {place}")], &elf, Named::All)
        };
        let checked_well = checked(address + 1, "pc", &format!("{own}+0x1/{size:#x}")).unwrap();
        assert_eq!((checked_well.frames, checked_well.by_debug_info), (1, 1));
        assert!(checked(address + size, "ret", &format!("{own}+{size:#x}/{size:#x}")).is_ok());
        assert!(
            checked(address + size, "pc", &format!("{own}+{size:#x}/{size:#x}")).is_err(),
            "past the end"
        );
        assert!(checked(address + 2, "pc", &format!("{own}+0x1/{size:#x}")).is_err(), "offset");
        assert!(checked(address + 1, "pc", &format!("{own}+0x1/{:#x}", size + 1)).is_err(), "size");
        assert!(checked(address + 1, "pc", &format!("{own}_not+0x1/{size:#x}")).is_err(), "name");
        assert!(checked(address + 1, "pc", "?").is_err(), "a name was missed");
        assert!(checked(0x10, "pc", "?").is_ok(), "an address in no function");
        let bare = [format!("#0 ret {:016x} ?", address + size), format!("#1 pc {:016x} ?", 0x10)];
        let named = with_names_of(&bare, &elf).unwrap();
        assert_eq!(named, [format!("{} = {own}", bare[0]), bare[1].clone()]);
        let lost = |frames: &[String], named| check(frames, &elf, named).is_ok();
        assert!(lost(&bare[..1], Named::Some) && lost(&bare[..1], Named::None));
        assert!(!lost(&bare, Named::Some) && !lost(&bare, Named::None), "an address in no function");
        let right = [format!("#0 pc {:016x} {own}+0x1/{size:#x}", address + 1)];
        assert!(lost(&right, Named::Some) && !lost(&right, Named::None), "a name without a table");
    }
}
