//! One kernel: extracted, checked by itself, and compared.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use kallsyms_core::linux::Kallsyms;
use kallsyms_gen::extract::{Extracted, extract};
use kallsyms_gen::linux::AddressForm;

use super::decoder::{Decoder, Line, NAME};

/// What a kernel turned out to be.
pub(super) struct Report {
    extracted: Extracted,
    time: Duration,
    agreement: Agreement,
}

/// How the listing compares with the decoder's.
enum Agreement {
    /// Every address, type and name.
    Whole,
    /// Every type and name, and all addresses by the same distance: the decoder does not know where the
    /// kernel is linked.
    Shifted(u64),
    /// Every type and name; the addresses that the decoder reads do not ascend, and so are none.
    Names,
    /// The decoder cannot read this kernel.
    Unread(String),
    /// There is no decoder.
    None,
}

/// Extracts a kernel; fails if the tables do not find their own symbols, or another decoder reads others.
pub(super) fn check(file: &Path, decoder: Option<&Decoder>) -> Result<Report> {
    let bytes = fs::read(file).with_context(|| file.display().to_string())?;
    let started = Instant::now();
    let extracted = extract(&bytes)?;
    let time = started.elapsed();
    let kallsyms = extracted.tables.kallsyms()?;
    self_test(&extracted, &kallsyms)?;
    let agreement = match decoder {
        None => Agreement::None,
        Some(decoder) => {
            let bits = 8 * extracted.tables.pointer.bytes() as u32;
            match decoder.listing(file, bits) {
                Ok(lines) => compare(&kallsyms, &lines)?,
                Err(error) => Agreement::Unread(last_line(&error)),
            }
        }
    };
    Ok(Report { extracted, time, agreement })
}

/// Every symbol by its name and by its address. Without an order of names each would be a pass over all of
/// them.
fn self_test(extracted: &Extracted, kallsyms: &Kallsyms<'_>) -> Result<()> {
    if extracted.tables.seqs_of_names.is_empty() {
        return Ok(());
    }
    let mut buffer = [0; 512];
    match kallsyms.self_test(&mut buffer, || 0) {
        Ok(_) => Ok(()),
        Err(fault) => bail!("the self-test of the tables: {fault}"),
    }
}

fn compare(kallsyms: &Kallsyms<'_>, lines: &[Line]) -> Result<Agreement> {
    ensure!(
        kallsyms.len() as usize == lines.len(),
        "{} symbols, {NAME} finds {}",
        kallsyms.len(),
        lines.len()
    );
    let addressed = lines.is_sorted_by_key(|line| line.address);
    let mut distance = None;
    for (symbol, line) in kallsyms.iter().zip(lines) {
        let name = symbol.name().to_string();
        ensure!(
            symbol.kind() == line.kind && name == line.name,
            "symbol {} is `{} {name}`, {NAME} reads `{} {}`",
            symbol.index().0,
            char::from(symbol.kind()),
            char::from(line.kind),
            line.name
        );
        let here = symbol.address().wrapping_sub(line.address);
        ensure!(
            !addressed || *distance.get_or_insert(here) == here,
            "`{name}` is at {:#x}, {NAME} has it at {:#x}, at another distance than the symbols before",
            symbol.address(),
            line.address
        );
    }
    Ok(match distance {
        _ if !addressed => Agreement::Names,
        None | Some(0) => Agreement::Whole,
        Some(distance) => Agreement::Shifted(distance),
    })
}

/// What a Python program fails with is in its last line.
fn last_line(error: &anyhow::Error) -> String {
    format!("{error:#}").lines().last().unwrap_or_default().to_owned()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Extracted { tables, wrapping, address_source, .. } = &self.extracted;
        let release = tables.facts.kernel.as_deref().unwrap_or("of unknown release");
        let form = AddressForm::from(tables.encoding).name();
        write!(
            f,
            "Linux {release}: {} symbols, {form} ({address_source}), in {wrapping}, {:.2} s; ",
            tables.num_syms,
            self.time.as_secs_f64()
        )?;
        match &self.agreement {
            Agreement::Whole => write!(f, "the same as {NAME} in every address, type and name"),
            Agreement::Shifted(distance) => write!(
                f,
                "the same as {NAME} in every type and name, and in all addresses but for {distance:#x}: it does not \
                 know where the kernel is linked"
            ),
            Agreement::Names => write!(
                f,
                "the same as {NAME} in every type and name; ADDRESSES NOT COMPARED: those that it reads do not ascend"
            ),
            Agreement::Unread(reason) => {
                write!(f, "NOT COMPARED: {NAME} does not read this kernel: {reason}")
            }
            Agreement::None => f.write_str("NOT COMPARED"),
        }
    }
}
