//! What an image tells of itself.

use kallsyms_core::Image;
use kallsyms_core::image::layout::{SectionKind, flags};

use super::{Report, a_symbol};

pub(super) fn report(image: &Image<'_>) -> Report {
    let header = image.header();
    let symbols = header.symbol_count.get();
    let total = image.as_bytes().len();
    let profile = if header.flags.get() & flags::NESTED_TOKENS == 0 { "fast" } else { "compact" };
    let build_id: String = image.build_id().iter().map(|byte| format!("{byte:02x}")).collect();
    let mut report = Report::new(
        symbols,
        &[
            ("symbols", symbols.to_string()),
            ("distinct names", header.name_count.get().to_string()),
            ("image bytes", total.to_string()),
            ("bytes a symbol", format!("{:.2}", a_symbol(total, symbols))),
            ("code width", format!("{} bits", header.code_bits)),
            ("tokens", format!("{} ({profile})", header.token_count.get())),
            ("fingerprint", format!("{} bits", header.fingerprint_bits)),
            ("prefix", format!("{:?}", String::from_utf8_lossy(&header.prefix[..header.prefix_len.into()]))),
            ("build id", if build_id.is_empty() { "none".into() } else { build_id }),
        ],
    );
    let mut parts = vec![("header", usize::from(header.header_len.get()))];
    let sections = SectionKind::ALL.map(|kind| (name(kind), image.section_len(kind)));
    parts.extend(sections.into_iter().filter(|(_, bytes)| *bytes > 0));
    let used: usize = parts.iter().map(|(_, bytes)| bytes).sum();
    parts.push(("alignment", total.saturating_sub(used)));
    report.parts("section", &parts, total);
    report
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
