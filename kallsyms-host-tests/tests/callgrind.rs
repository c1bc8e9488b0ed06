//! Instructions are counted exactly.

use std::hint::black_box;

use kallsyms_host_tests::callgrind;
use kallsyms_host_tests::skip::skip_without_valgrind;

/// Runs itself under Callgrind.
#[test]
fn twice_the_rounds_are_twice_the_instructions() {
    if callgrind::is_listening() {
        for rounds in [1_000_u64, 2_000, 3_000] {
            let end = black_box(rounds);
            callgrind::count(&rounds.to_string(), || (0..end).fold(0, |sum, round| black_box(sum ^ round)));
        }
        return;
    }
    let name = "twice_the_rounds_are_twice_the_instructions";
    if let Err(reason) = callgrind::available() {
        return skip_without_valgrind(name, &reason);
    }
    let counts = callgrind::run(["--exact", name]).expect("it counts");
    let [one, two, three] = ["1000", "2000", "3000"].map(|rounds| counts[rounds]);
    assert_eq!(two - one, three - two);
    assert_eq!((two - one) % 1_000, 0, "{counts:?}");
    assert!(one < 1_100 * ((two - one) / 1_000), "{one} for a loop, and no more around it");
}
