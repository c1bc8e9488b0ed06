//! `kallsyms extract`.

use std::io::{BufWriter, Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_core::linux::{Encoding, Kallsyms, Width};
use kallsyms_gen::extract::{self, AddressSource, Extracted, MemoryOrder};
use kallsyms_gen::linux::{AddressForm, Tables, folder};

use crate::cli::ExtractArgs;
use crate::{files, print, say};

pub(crate) fn extract(args: &ExtractArgs) -> Result<ExitCode> {
    let name = || files::name(&args.kernel);
    let extracted = extract::extract(&files::read(&args.kernel)?).with_context(name)?;
    match &args.output {
        Some(output) => {
            folder::write(&extracted.tables, output)?;
            say(format_args!("kallsyms: {}: {}", name(), summary(&extracted)));
        }
        None => list(&extracted.tables, &args.kernel)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(tables: &Tables, kernel: &Path) -> Result<()> {
    let kallsyms = Kallsyms::new(tables.view()).with_context(|| files::name(kernel))?;
    let digits = 2 * tables.pointer.bytes();
    let mut out = BufWriter::with_capacity(1 << 16, stdout().lock());
    for symbol in kallsyms.iter() {
        print::listing(&mut out, &symbol, digits)?;
    }
    Ok(out.flush()?)
}

/// What was found, and how: `Linux 6.12.107, 154444 symbols, 64 bits, signed-percpu from 0x… (relative_base), …`.
fn summary(extracted: &Extracted) -> String {
    let Extracted { tables, wrapping, memory_order, address_source, .. } = extracted;
    let kernel = tables.facts.kernel.as_deref().unwrap_or("of unknown release");
    let bits = if tables.pointer == Width::Bits64 { 64 } else { 32 };
    let form = AddressForm::from(tables.encoding).name();
    let anchor = match tables.encoding {
        Encoding::UnsignedBase { relative_base: at }
        | Encoding::SignedPercpu { relative_base: at }
        | Encoding::PcRelative { offsets_address: at } => {
            format!(" from {at:#x} ({})", source(*address_source))
        }
        _ => String::new(),
    };
    let order = match memory_order {
        MemoryOrder::UpTo6_3 => "up to 6.3",
        MemoryOrder::From6_4 => "6.4 to 6.19",
        MemoryOrder::From7_0 => "7.0 on",
    };
    let seqs = if tables.seqs_of_names.is_empty() { "without" } else { "with" };
    format!(
        "Linux {kernel}: {} symbols, {bits} bits, {form}{anchor}, in the order of {order}, {seqs} seqs_of_names, \
         in {wrapping}",
        tables.num_syms
    )
}

fn source(source: AddressSource) -> &'static str {
    match source {
        AddressSource::RelativeBase => "relative_base",
        AddressSource::Relocation => "its relocation",
        AddressSource::Segments => "the ELF segments",
        AddressSource::Pointers => "the kernel's pointers",
        _ => "the tables",
    }
}
