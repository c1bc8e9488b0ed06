//! Declarations in C against bpftool's, of every type that has one: nothing is left out without a reason.

mod comparison;
mod generate;

use kallsyms_core::btf::{Btf, Endian};
use kallsyms_host_tests::btf::sources;
use kallsyms_host_tests::peers::bpftool;
use kallsyms_host_tests::skip::skip_peer;

use comparison::{Comparison, compare};

/// Whether there is a bpftool; else the test is skipped.
fn has_bpftool(test: &str) -> bool {
    bpftool::present().map_err(|reason| skip_peer(test, &reason)).is_ok()
}

/// Kernels have thousands.
#[test]
fn every_definition_of_kernels() {
    let test = "every_definition_of_kernels";
    if !has_bpftool(test) {
        return;
    }
    for source in [sources::vmlinux(test), sources::recorded(test)].into_iter().flatten() {
        let found = compare(&source);
        println!("{}: {found}", source.name);
        assert!(found.same > 5_000, "{}: {found}", source.name);
        assert!(found.same > 50 * found.renamed, "{}: {found}", source.name);
    }
}

/// C with one of everything, as gcc, pahole and clang see it; split over another, too.
#[test]
fn every_definition_of_compilers() {
    let test = "every_definition_of_compilers";
    if !has_bpftool(test) {
        return;
    }
    let all = [sources::gcc(test), sources::pahole(test), sources::pahole_split(test), sources::clang(test)];
    for source in all.into_iter().flatten() {
        let found = compare(&source);
        println!("{}: {found}", source.name);
        assert!(found.same > 0, "{}: {found}", source.name);
    }
}

/// Forms that kernels have few of, or none: made up, in both byte orders, with pointers of 4 and 8 bytes.
#[test]
fn made_up_definitions() {
    if !has_bpftool("made_up_definitions") {
        return;
    }
    let forms = [
        (Endian::Little, 8, 0x9e37_79b9_7f4a_7c15),
        (Endian::Big, 8, 0x1e37_79b9_7f4a_7c15),
        (Endian::Little, 4, 0x3e37_79b9_7f4a_7c15),
    ];
    for (endian, pointer, seed) in forms {
        let source = generate::source(endian, pointer, seed);
        let found = compare(&source);
        println!("{}: {found}", source.name);
        let Comparison { same, renamed, compilers_own, .. } = found;
        assert_eq!((same, renamed, compilers_own), (generate::DEFINITIONS, 0, 0), "{found}");
    }
}

/// Types that contain themselves, and have any size: each declaration ends.
#[test]
fn tangled_definitions_end() {
    let (mut most, mut given_up) = (0, 0);
    for seed in 1..4 {
        let bytes = generate::tangled(seed);
        let btf = Btf::parse(&bytes).expect("the structure is sound");
        let mut room = vec![0; btf.own_len() as usize];
        let btf = btf.with_offsets(&mut room);
        for one in btf.types().step_by(29) {
            let text = one.declaration().to_string();
            most = most.max(text.len());
            given_up += usize::from(text.contains("{ ... }") || text.contains("(...)"));
        }
    }
    println!("at most {most} bytes of text; {given_up} not to their end");
    assert!(given_up > 20, "{given_up}");
    // 65,536 members of some hundred bytes.
    assert!(most < 1 << 25, "{most}");
}
