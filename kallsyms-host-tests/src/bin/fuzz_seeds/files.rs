//! Kernels, texts, BTF, patterns, stacks, lists.

use kallsyms_core::Image;
use kallsyms_core::linux::{Endian, Width};
use kallsyms_gen::extract::MemoryOrder;
use kallsyms_gen::linux::write::Options;
use kallsyms_host_tests::btf::{BtfWriter, Decoded, samples, sources};
use kallsyms_host_tests::elf;
use kallsyms_host_tests::fake_kernel::{BEFORE, IMAGE, kernel, symbols, vmlinux};
use kallsyms_host_tests::fixtures::image_of;
use kallsyms_host_tests::properties::generator::{Case, Entry, write_case};
use kallsyms_host_tests::properties::input::push_part;

use crate::{Inputs, Source};

/// Symbols of a made-up kernel: enough to be found.
const KERNEL_SYMBOLS: usize = 300;

/// Types that are taken from a BTF.
const TYPES: usize = 40;

/// Images of kernels in each order of the tables, each by itself, in an ELF file, and to be packed in every way.
pub(crate) fn kernels() -> Inputs {
    let mut inputs = Inputs::new();
    for (name, order, options) in [
        ("old", MemoryOrder::UpTo6_3, Options::LINUX_6_12),
        ("6.12", MemoryOrder::From6_4, Options::LINUX_6_12),
        ("7.0", MemoryOrder::From7_0, Options::LINUX_7_0),
    ] {
        let placed = kernel(&symbols(IMAGE, KERNEL_SYMBOLS, false), &options, order);
        // The noise around the tables is as random as a fuzzer is.
        let image = &placed.bytes[BEFORE - 64..placed.bytes.len() - 0x1_0000 + 64];
        inputs.push((name.into(), [&[0], image].concat()));
        let file = vmlinux(image, IMAGE, Width::Bits64, Endian::Little);
        inputs.push((format!("{name}-elf"), [&[0], file.as_slice()].concat()));
        for form in 1..32 {
            inputs.push((format!("{name}-packed-{form}"), [&[form], image].concat()));
        }
    }
    inputs
}

/// Listings, one of them hidden.
pub(crate) fn texts(sources: &[Source]) -> Inputs {
    let mut inputs: Inputs = vec![
        ("null".into(), b"          (null) A fixed_percpu_data\n          (null) t last\t[xfs]\n".to_vec()),
        ("hidden".into(), b"0000000000000000 T _stext\n0000000000000000 t s_next\t[bpf]\n".to_vec()),
        ("short".into(), b"c0008000 T stext\nc0008040 t __create_page_tables\n".to_vec()),
    ];
    for (name, symbols) in sources {
        let image = image_of(symbols);
        let image = Image::parse(&image).expect("is sound");
        for count in [4, 20] {
            let text: String =
                image.iter().take(count).map(|symbol| format!("{}\n", symbol.listing())).collect();
            inputs.push((format!("{name}-{count}"), text.into_bytes()));
        }
    }
    inputs
}

/// One type of every kind in both byte orders, a split, and the first types of what this machine has.
pub(crate) fn btf() -> Inputs {
    let case = |base: &[u8], split: &[u8]| {
        let mut input = Vec::new();
        push_part(&mut input, base);
        [&input, split].concat()
    };
    let mut inputs = Inputs::new();
    for (name, endian) in [("little", Endian::Little), ("big", Endian::Big)] {
        let base = samples::of(endian, &samples::every_kind());
        let mut sorted = samples::every_kind();
        sorted.sort_by(|one, next| one.name.cmp(&next.name));
        let mut split = BtfWriter::over(&base);
        for record in samples::every_kind() {
            split.push(&record);
        }
        inputs.push((name.into(), case(&base.bytes(), &split.bytes())));
        inputs.push((format!("{name}-sorted"), case(&samples::of(endian, &sorted).bytes(), &[])));
        let layout = base.clone().layout(samples::layout(&[(0, 4), (9, 1)]));
        inputs.push((format!("{name}-layout"), case(&layout.bytes(), &[])));
    }
    for (number, source) in sources::all("seeds").into_iter().enumerate() {
        if source.base.is_some() {
            continue;
        }
        let decoded = Decoded::read(&source.bytes, None).expect("is sound");
        let few = samples::of(decoded.endian, &decoded.records[..decoded.records.len().min(TYPES)]);
        inputs.push((format!("source-{number}"), case(&few.bytes(), &[])));
    }
    inputs
}

/// Patterns with a name for each.
pub(crate) fn globs() -> Inputs {
    let pairs = [
        ("tcp_*", "tcp_sendmsg"),
        ("*_lock*", "raw_spin_lock_irq"),
        ("?[a-c]*[!x-z]", "xbcd_a"),
        (r"\*[]]", "*]"),
        ("[a", "[a"),
        ("*a*a*a*b", "aaaaaaaaaaaaaaaa"),
        ("[!]-a]*", "^^"),
    ];
    let input = |(number, (pattern, name)): (usize, &(&str, &str))| {
        let mut input = vec![number as u8];
        push_part(&mut input, pattern.as_bytes());
        input.extend(name.bytes());
        (format!("{number}"), input)
    };
    pairs.iter().enumerate().map(input).collect()
}

/// A stack of records, and one with a trap frame in it.
pub(crate) fn machines() -> Inputs {
    // A place of code, and one of the stack at 0x3000, as `word` reads them.
    let text = |at: u16| [&[2], &at.to_le_bytes()[..]].concat();
    let stack = |at: u16| [&[7], &at.to_le_bytes()[..]].concat();
    let code = [0x55, 0x48, 0x89, 0xe5, 0xe8, 1, 2, 3, 4, 0xff, 0xd0, 0xc3].repeat(8);
    let records: Vec<u8> = [stack(16), text(9), stack(32), text(11), vec![0], text(9)].concat();
    let mut trapped = [stack(17), text(9)].concat();
    for register in 0..21 {
        trapped.extend(match register {
            4 => stack(184),
            16 => text(6),
            19 => stack(184),
            _ => vec![0],
        });
    }
    trapped.extend([vec![0], text(9)].concat());
    let mut inputs = Inputs::new();
    for (name, words) in [("records", &records), ("trap", &trapped)] {
        for functions in [0, 12] {
            let mut input = vec![4];
            push_part(&mut input, &code);
            input.push(functions);
            push_part(&mut input, words);
            // The stack at 0x3000; then program counter, stack pointer and frame pointer.
            input.push(3);
            input.extend([text(2), stack(0), stack(0)].concat());
            inputs.push((format!("{name}-{functions}"), input));
        }
    }
    inputs
}

/// Lists of symbols in every form, texts and small ELF files.
pub(crate) fn lists(sources: &[Source]) -> Inputs {
    let mut inputs = Inputs::new();
    for (number, (name, symbols)) in sources.iter().enumerate() {
        let entries = symbols.list.iter().take(30).enumerate().map(|(at, symbol)| Entry {
            base: if symbol.kind == b'A' { 4 } else { 5 },
            steps: (at / 2 * 3) as u16,
            kind: symbol.kind,
            size: 16,
            name: symbol.name.clone(),
        });
        let entries: Vec<Entry> = entries.collect();
        for flags in 0..8u8 {
            let forms = (number * 8) as u8 ^ flags.wrapping_mul(37);
            let case = Case { flags, forms, slide: 0x1e0_0000, entries: entries.clone() };
            inputs.push((format!("{name}-{flags}"), [vec![b'l'], write_case(&case)].concat()));
        }
    }
    inputs.extend(
        texts(sources).into_iter().map(|(name, text)| (format!("text-{name}"), [vec![b'f'], text].concat())),
    );
    let names = ["_start", "main", "_RNvCs1234_4core5panic", "_ZN4core3fmt5write17h0123456789abcdefE"];
    let functions: Vec<_> = (0..).zip(names).map(|(at, name)| elf::function(name, at * 16, 12)).collect();
    inputs.push(("elf".into(), [vec![b'f'], elf::executable(&functions)].concat()));
    inputs
}
