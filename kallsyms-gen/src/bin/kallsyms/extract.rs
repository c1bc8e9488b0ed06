//! `kallsyms extract`.

use std::process::ExitCode;

use anyhow::{Context, Result};
use kallsyms_core::linux::{Encoding, Width};
use kallsyms_gen::extract::{self, Extracted, MemoryOrder};
use kallsyms_gen::linux::{AddressForm, folder};

use crate::cli::ExtractArgs;
use crate::list::list_table;
use crate::{Usage, files, outputs, say};

pub(crate) fn extract(args: &ExtractArgs) -> Result<ExitCode> {
    let name = || files::name(&args.kernel);
    if let Some(output) = &args.output {
        outputs::check_folder(output, args.force)?;
    }
    if args.kernel.is_dir() {
        let what = "is a folder, and extract takes a kernel: list and the other commands read a folder of tables as it is";
        return Err(Usage(format!("{}: {what}", name())).into());
    }
    let extracted = extract::extract(&files::read(&args.kernel)?).with_context(name)?;
    match &args.output {
        Some(output) => {
            let btf = extracted.btf.as_ref().map(|btf| &*btf.bytes);
            folder::write_with_btf(&extracted.tables, btf, output)?;
            say(format_args!("kallsyms: {}: {}", name(), summary(&extracted)));
        }
        None => list_table(&extracted.tables.kallsyms().with_context(name)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What was found, and how: `Linux 6.12.107, 154444 symbols, 64 bits, signed-percpu from 0x… (relative_base),
/// …`.
fn summary(extracted: &Extracted) -> String {
    let Extracted { tables, wrapping, memory_order, address_source, btf, .. } = extracted;
    let kernel = tables.facts.kernel.as_deref().unwrap_or("of unknown release");
    let bits = if tables.pointer == Width::Bits64 { 64 } else { 32 };
    let form = AddressForm::from(tables.encoding).name();
    let anchor = match tables.encoding {
        Encoding::UnsignedBase { relative_base: at }
        | Encoding::SignedPercpu { relative_base: at }
        | Encoding::PcRelative { offsets_address: at } => {
            format!(" from {at:#x} ({address_source})")
        }
        _ => String::new(),
    };
    let order = match memory_order {
        MemoryOrder::UpTo6_3 => "up to 6.3",
        MemoryOrder::From6_4 => "6.4 to 6.19",
        MemoryOrder::From7_0 => "7.0 on",
    };
    let seqs = if tables.seqs_of_names.is_empty() { "without" } else { "with" };
    let btf = match btf {
        Some(btf) => format!("; btf.bin has its BTF of {} bytes", btf.bytes.len()),
        None => String::new(),
    };
    format!(
        "Linux {kernel}: {} symbols, {bits} bits, {form}{anchor}, laid out as {order}, {seqs} seqs_of_names, \
         in {wrapping}{btf}",
        tables.num_syms
    )
}
