//! Texts at random: every way to read them against the second reading.

use std::ops::ControlFlow::Continue;

use kallsyms_core::procfs::{
    self, CARRY, Error, Fault, FilterFunctions, FilterFunctionsAddrs, Format, Function, Stream,
};
use proptest::prelude::*;

use crate::texts::text;
use kallsyms_host_tests::properties::procfs::{
    Items, check_searches, check_text, is_hidden, lines, of_chunks, of_slice,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn as_the_slow_reader(text in text()) {
        check_text(&text);
    }

    #[test]
    fn as_the_slow_reader_on_anything(text in proptest::collection::vec(
        prop_oneof![proptest::sample::select(b"0f \nt\t[]".to_vec()), any::<u8>()], 0..200)
    ) {
        check_text(&text);
    }

    #[test]
    fn chunks_cut_anywhere(text in text(), places in proptest::collection::vec(any::<prop::sample::Index>(), 0..9)) {
        let mut places: Vec<usize> = places.iter().map(|place| place.index(text.len() + 1)).collect();
        places.extend([0, text.len()]);
        places.sort_unstable();
        let chunks = places.windows(2).map(|pair| &text[pair[0]..pair[1]]);
        prop_assert_eq!(of_chunks(chunks, text.len() + 1), of_slice(&text));
    }

    /// A carry buffer that is too small costs the lines that do not fit, and nothing else.
    #[test]
    fn a_small_carry(text in text(), chunk in 1usize..60, carry in 0usize..60) {
        let (expected, items) = (of_slice(&text), of_chunks(text.chunks(chunk), carry));
        let lines = lines(&text);
        let last_words = |items: &Items| items.iter().filter(|item| is_hidden(item)).count();
        prop_assert_eq!(items.len() - last_words(&items), lines.len());
        for (number, (item, expected)) in (1..).zip(items.iter().zip(&expected)).take(lines.len()) {
            let (offset, line) = lines[number as usize - 1];
            match item {
                Err(Error { line: found, offset: at, fault: Fault::LineTooLong { capacity } }) => {
                    prop_assert_eq!((*found, *capacity), (number, carry));
                    prop_assert_eq!(*at, (offset + carry) as u64);
                    prop_assert!(line.len() > carry);
                }
                _ => prop_assert_eq!(item, expected),
            }
        }
    }

    #[test]
    fn searches_as_a_filter(text in text(), pattern in "[a-z_]{0,2}|\\*[a-z_.]{1,3}\\*|[a-z_]\\*|\\*[a-c]?\\?") {
        check_searches(&text, pattern.as_bytes());
    }

    #[test]
    fn functions_as_the_slow_reader(
        functions in proptest::collection::vec(("[a-z_.]{1,40}", proptest::option::of("[a-z_]{1,9}"), any::<u64>()), 0..9)
    ) {
        let module = |module: &Option<String>| module.as_ref().map(|module| format!(" [{module}]")).unwrap_or_default();
        let plain: String = functions.iter().map(|(name, of, _)| format!("{name}{}\n", module(of))).collect();
        let with: String = functions.iter().map(|(name, of, at)| format!("{at:x} {name}{}\n", module(of))).collect();
        let expected = |addrs: bool| -> Vec<Result<Function<'_>, Error>> {
            let functions = (1..).zip(&functions).map(|(line, (name, module, at))| Function {
                line,
                addr: addrs.then_some(*at),
                name: name.as_bytes(),
                module: module.as_ref().map(String::as_bytes),
            });
            functions.map(Ok).collect()
        };
        prop_assert_eq!(procfs::available_filter_functions(plain.as_bytes()).collect::<Vec<_>>(), expected(false));
        prop_assert_eq!(procfs::available_filter_functions_addrs(with.as_bytes()).collect::<Vec<_>>(), expected(true));
        for chunk in 1..50 {
            prop_assert_eq!(names_of_chunks::<FilterFunctions>(plain.as_bytes(), chunk), names(&functions));
            prop_assert_eq!(names_of_chunks::<FilterFunctionsAddrs>(with.as_bytes(), chunk), names(&functions));
        }
    }
}

fn names(functions: &[(String, Option<String>, u64)]) -> Vec<(u64, Vec<u8>)> {
    (1..).zip(functions).map(|(line, (name, ..))| (line, name.clone().into_bytes())).collect()
}

/// Line and name of every function, read in chunks.
fn names_of_chunks<F: for<'t> Format<Entry<'t> = Function<'t>>>(
    text: &[u8],
    chunk: usize,
) -> Vec<(u64, Vec<u8>)> {
    let mut names = Vec::new();
    let mut carry = [0; CARRY];
    let mut stream = Stream::<F>::new(&mut carry);
    let mut keep = procfs::strict::<F, ()>(|function| {
        names.push((function.line, function.name.to_vec()));
        Continue(())
    });
    for chunk in text.chunks(chunk) {
        let Continue(next) = stream.feed(chunk, &mut keep) else { unreachable!("no line is bad") };
        stream = next;
    }
    assert!(stream.finish(keep).is_continue());
    names
}
