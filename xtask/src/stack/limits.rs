//! How much stack a question may take: what its kind may, or, for those that take more, what they take now.

use super::table::Row;

/// Limits of a question, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limit {
    /// On a painted stack.
    pub(super) painted: u64,
    /// Of the compiler's sizes.
    pub(super) compiled: u64,
}

/// What every question of a kind may take.
const KINDS: [(&str, Limit); 2] =
    [("lookup", Limit { painted: 512, compiled: 512 }), ("batch", Limit { painted: 1024, compiled: 1024 })];

const fn limit(painted: u64, compiled: u64) -> Limit {
    Limit { painted, compiled }
}

/// What takes more, or has a kind without a limit: the next multiple of 16 above what it takes.
const EXCEPTIONS: &[(&str, Limit)] = &[
    // Texts of an address: the function that asks holds the answer (152 bytes of `describe`), and `fmt::write` of `core`
    // takes 120 beneath it.
    ("describe", limit(720, 640)),
    ("describe_return_address", limit(752, 608)),
    ("describe_with_build_id", limit(720, 656)),
    ("describe_without_offset", limit(720, 656)),
    ("location", limit(768, 624)),
    ("location_debug", limit(784, 624)),
    // Texts of a symbol: its name, through `fmt::write` and a buffer of 48 bytes.
    ("listing", limit(608, 512)),
    ("symbol_debug", limit(672, 512)),
    ("name_debug", limit(544, 512)),
    ("name", limit(528, 512)),
    // Names of a compact image: their tokens are nested. The walk to the symbol that an address has is over them, too.
    ("lookup", limit(528, 560)),
    ("lookup_return_address", limit(528, 560)),
    ("name_compare", limit(608, 640)),
    ("name_measure", limit(592, 544)),
    // Names in Linux's tables, which are found by bisection over names spelled out; two names at once.
    ("lookup_name", limit(528, 672)),
    ("lookup_all", limit(560, 704)),
    ("same_name", limit(640, 736)),
    // Batches: the compiler's sizes are those of the deeper of two ways, whichever is taken.
    ("resolve", limit(1024, 1184)),
    ("resolve_by_lookups", limit(1024, 1200)),
    ("resolve_by_pass", limit(1024, 1200)),
    // Walks.
    ("iter", limit(528, 512)),
    ("lookup_all_ignoring_llvm", limit(1040, 640)),
    ("lookup_name_ignoring_llvm", limit(752, 704)),
    ("matching_kernel", limit(1184, 1008)),
    ("matching_libbpf", limit(1184, 1008)),
    ("starting_with", limit(592, 640)),
    // Opening and checking; an index of names.
    ("image_open", limit(2000, 1984)),
    ("image_parse", limit(2576, 2560)),
    ("image_verify", limit(992, 992)),
    ("kallsyms_new", limit(1600, 1744)),
    ("with_name_index", limit(1536, 1536)),
    ("self_test_of_an_image", limit(880, 784)),
    ("self_test_of_linux", limit(944, 976)),
    // Types.
    ("btf_check_references", limit(720, 720)),
    ("btf_declaration", limit(1488, 1072)),
    ("btf_find_all", limit(592, 848)),
    ("btf_find_indexed", limit(704, 1216)),
    ("btf_find_linear", limit(704, 1216)),
    ("btf_find_many", limit(1136, 1392)),
    ("btf_find_sorted", limit(720, 1232)),
    ("btf_hash_index", limit(640, 640)),
    ("btf_kfuncs", limit(816, 1120)),
    ("btf_member", limit(912, 960)),
    ("btf_parse", limit(704, 736)),
    ("btf_parse_with_offsets", limit(688, 736)),
    ("btf_resolve", limit(288, 336)),
    ("btf_sorted", limit(496, 496)),
    ("btf_type_by_id", limit(304, 352)),
    // The text of `/proc/kallsyms`, patterns, frames.
    ("glob_kernel", limit(400, 400)),
    ("glob_libbpf", limit(384, 384)),
    ("procfs_find", limit(1120, 1136)),
    ("procfs_lines", limit(368, 592)),
    ("procfs_matching", limit(1376, 1376)),
    ("procfs_stream", limit(704, 656)),
    ("frames", limit(240, 240)),
    ("backtrace_capture", limit(224, 224)),
];

/// The limit of a question; 0 where none is known, so that a new one has to be given its own.
pub(super) fn of(question: &str, kind: &str) -> Limit {
    let own = EXCEPTIONS.iter().find(|(name, _)| *name == question).map(|(_, limit)| *limit);
    let of_kind = || KINDS.iter().find(|(name, _)| *name == kind).map(|(_, limit)| *limit);
    own.or_else(of_kind).unwrap_or(limit(0, 0))
}

/// A line for each question that takes more than it may.
pub(super) fn over(rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        let measured = [
            ("on a painted stack", row.painted, row.limit.painted),
            ("compiled", row.compiled, row.limit.compiled),
        ];
        for (how, bytes, limit) in measured.into_iter().filter(|(_, bytes, limit)| bytes > limit) {
            lines.push(format!("{} takes {bytes} bytes {how}, more than its {limit}", row.question));
        }
    }
    lines
}
