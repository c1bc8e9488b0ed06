//! What cannot be counted from outside, in instructions: among more, a question takes no more than it says.

use std::hint::black_box;

use kallsyms_core::Image;
use kallsyms_core::btf::{Btf, TypeId};
use kallsyms_gen::linux::write;
use kallsyms_gen::linux::write::Options;
use kallsyms_host_tests::btf::record::{Record, kind};
use kallsyms_host_tests::btf::{BtfWriter, words};
use kallsyms_host_tests::callgrind;
use kallsyms_host_tests::fixtures::image_of;
use kallsyms_host_tests::skip::skip_without_valgrind;
use kallsyms_host_tests::symbols::{sorted, symbol};

use crate::tables::{TEXT, aliases, chains_through_all, duplicates, nested_functions};

/// Of few, and of many.
const FEW: u32 = 500;
const MANY: u32 = 8_000;

/// How a question grows with what it is about.
#[derive(Debug, Clone, Copy)]
enum Growth {
    /// One step, or one for every doubling.
    Doublings,
    /// One step for each.
    Each,
}

impl Growth {
    /// How many times the instructions of few those of many may be.
    fn most(self) -> f64 {
        let more = f64::from(MANY / FEW);
        match self {
            // 9 doublings, and 13; in Linux's tables each leads to a name that is further behind its marker.
            Self::Doublings => 2.2,
            Self::Each => 1.3 * more,
        }
    }
}

const QUESTIONS: [(&str, Growth); 9] = [
    ("first of duplicates", Growth::Doublings),
    ("all of duplicates", Growth::Each),
    ("address of aliases", Growth::Doublings),
    ("size of an alias", Growth::Doublings),
    ("address in nested functions", Growth::Each),
    ("self-test of chains through all", Growth::Each),
    ("first of duplicates in Linux's tables", Growth::Doublings),
    ("address of aliases in Linux's tables", Growth::Doublings),
    ("member among the ends of one name", Growth::Doublings),
];

/// Asks them all.
fn ask(count: u32) {
    let counted = |question: &str, ask: &mut dyn FnMut() -> bool| {
        callgrind::count(&format!("{question} {count}"), || assert!(ask(), "{question}"));
    };
    let bytes = image_of(&duplicates(count.into()));
    let image = Image::parse(&bytes).expect("parses");
    counted(QUESTIONS[0].0, &mut || image.lookup_name(black_box("same")).is_some());
    counted(QUESTIONS[1].0, &mut || image.lookup_all(black_box("same")).count() == count as usize);

    let bytes = image_of(&aliases(count.into()));
    let image = Image::parse(&bytes).expect("parses");
    let last = image.iter().last().expect("is there");
    counted(QUESTIONS[2].0, &mut || image.lookup(black_box(TEXT + 1)).is_some());
    counted(QUESTIONS[3].0, &mut || black_box(last).size().is_none());

    let bytes = image_of(&nested_functions(count));
    let image = Image::parse(&bytes).expect("parses");
    let end = TEXT + 2 * u64::from(count) - 1;
    counted(QUESTIONS[4].0, &mut || image.lookup(black_box(end)).is_some());

    let bytes = chains_through_all(count / 2);
    let image = Image::parse(&bytes).expect("passes the checks");
    counted(QUESTIONS[5].0, &mut || image.self_test(&mut [0; 16], || 0).is_err());

    let tables = write(&duplicates(count.into()), &Options::default()).expect("tables");
    let kallsyms = tables.kallsyms().expect("sound");
    counted(QUESTIONS[6].0, &mut || kallsyms.lookup_name(black_box("same")).is_some());

    // Behind the aliases the table goes on.
    let mut symbols = aliases(count.into()).list;
    symbols.push(symbol(TEXT + 64, b't', *b"behind"));
    let tables = write(&sorted(symbols), &Options::default()).expect("tables");
    let kallsyms = tables.kallsyms().expect("sound");
    counted(QUESTIONS[7].0, &mut || kallsyms.lookup(black_box(TEXT + 1)).is_some());

    let bytes = ends_of_one_name(count);
    let btf = Btf::parse(&bytes).expect("is sound");
    let found = btf.type_by_id(TypeId(2)).expect("is there");
    counted(QUESTIONS[8].0, &mut || found.member(black_box("other")).is_none());
}

/// A struct of a hundred members, all named by one name of 16 times so many bytes.
fn ends_of_one_name(length: u32) -> Vec<u8> {
    let mut writer = BtfWriter::new(words::native());
    let int = writer.push(&Record::int("int", 4));
    let name = vec![b'a'; 16 * length as usize];
    let record = (0..100).fold(Record::new(kind::STRUCT, "s", 4), |record, _| record.member(&name, int, 0));
    writer.push(&record);
    writer.bytes()
}

/// Runs itself under Callgrind.
#[test]
fn of_many_no_more_than_it_says() {
    if callgrind::is_listening() {
        [FEW, MANY].into_iter().for_each(ask);
        return;
    }
    let name = "instructions::of_many_no_more_than_it_says";
    if let Err(reason) = callgrind::available() {
        return skip_without_valgrind(name, &reason);
    }
    let counts = callgrind::run(["--exact", name]).expect("it counts");
    let mut too_much = Vec::new();
    for (question, growth) in QUESTIONS {
        let [few, many] = [FEW, MANY].map(|count| counts[&format!("{question} {count}")] as f64);
        println!("{question:<40} {few:>9} {many:>9} {:>6.2} ×, at most {}", many / few, growth.most());
        if many / few > growth.most() {
            too_much.push(question);
        }
    }
    assert!(too_much.is_empty(), "{too_much:?}");
}
