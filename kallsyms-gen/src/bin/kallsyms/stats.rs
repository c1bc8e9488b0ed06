//! `kallsyms stats`.

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Result;
use kallsyms_core::Image;
use kallsyms_core::image::layout::{SectionKind, flags};

use crate::cli::TrainedSourceArgs;
use crate::files;

pub(crate) fn stats(args: &TrainedSourceArgs) -> Result<ExitCode> {
    let source = files::trained_source(args)?;
    let report = report(&source.image()?);
    stdout().write_all(report.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn report(image: &Image<'_>) -> String {
    let header = image.header();
    let symbols = header.symbol_count.get();
    let total = image.as_bytes().len();
    let per_symbol = |bytes: usize| bytes as f64 / f64::from(symbols.max(1));
    let profile = if header.flags.get() & flags::NESTED_TOKENS == 0 { "fast" } else { "compact" };
    let build_id: String = image.build_id().iter().map(|byte| format!("{byte:02x}")).collect();
    let mut text = String::new();
    let facts = [
        ("symbols", symbols.to_string()),
        ("distinct names", header.name_count.get().to_string()),
        ("image bytes", total.to_string()),
        ("bytes a symbol", format!("{:.2}", per_symbol(total))),
        ("code width", format!("{} bits", header.code_bits)),
        ("tokens", format!("{} ({profile})", header.token_count.get())),
        ("fingerprint", format!("{} bits", header.fingerprint_bits)),
        ("prefix", format!("{:?}", String::from_utf8_lossy(&header.prefix[..header.prefix_len.into()]))),
        ("build id", if build_id.is_empty() { "none".into() } else { build_id }),
    ];
    for (name, value) in facts {
        let _ = writeln!(text, "{name:<16} {value}");
    }
    let _ = writeln!(text, "\n{:<16} {:>10} {:>10}", "section", "bytes", "a symbol");
    let mut row = |name: &str, bytes: usize| {
        let _ = writeln!(text, "{name:<16} {bytes:>10} {:>10.2}", per_symbol(bytes));
    };
    row("header", header.header_len.get().into());
    let mut sections = usize::from(header.header_len.get());
    for kind in SectionKind::ALL {
        let bytes = image.section_len(kind);
        if bytes > 0 {
            row(name(kind), bytes);
        }
        sections += bytes;
    }
    row("alignment", total.saturating_sub(sections));
    row("total", total);
    text
}

fn name(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::Blocks => "blocks",
        SectionKind::Hints => "hints",
        SectionKind::Records => "records",
        SectionKind::Tokens => "tokens",
        SectionKind::TokenBytes => "token bytes",
        SectionKind::Pilots => "pilots",
        SectionKind::Index => "name index",
        SectionKind::Gaps => "sizes",
        SectionKind::SizeExceptions => "size exceptions",
        SectionKind::ModuleRuns => "module runs",
        SectionKind::ModuleNames => "module names",
        _ => "other",
    }
}
