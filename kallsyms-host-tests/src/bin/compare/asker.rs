//! Puts questions to rows, in chunks that are the same for all of them.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::peer::Text;
use crate::queries::{CHUNK, Queries};
use crate::question::Question;
use crate::rows::Row;

/// The queries, and room for answers.
pub(crate) struct Asker<'q> {
    queries: &'q Queries,
    out: Vec<Option<u64>>,
    text: Text,
}

impl<'q> Asker<'q> {
    pub(crate) fn new(queries: &'q Queries) -> Self {
        Self { queries, out: vec![None; queries.unique.len()], text: Text::new() }
    }

    /// Asks one chunk, the same of every row; returns how many answers there are.
    pub(crate) fn ask(&mut self, row: &Row<'_>, question: Question, number: usize) -> usize {
        let (peer, queries) = (row.peer.as_ref(), self.queries);
        let addresses = chunk(&queries.addresses, number);
        let sum = match question {
            Question::NameHit => peer.by_names(chunk(&queries.hits, number)),
            Question::NameMiss => peer.by_names(chunk(&queries.misses, number)),
            Question::Address => peer.offsets(addresses),
            Question::AddressName => peer.names(addresses, &mut self.text),
            Question::AddressText => peer.texts(addresses, &mut self.text),
            Question::Walk => {
                black_box(peer.sum_of_walk());
                return row.walked;
            }
            Question::Prefix | Question::Infix => {
                let mut sum = 0u64;
                let pattern = &queries.patterns[usize::from(question == Question::Infix)];
                peer.matching(pattern, &mut |address| sum = sum.wrapping_add(address));
                black_box(sum);
                return row.walked;
            }
            Question::Batch50 | Question::Batch3344 | Question::BatchAll => {
                return self.batch(row, question.names(queries.unique.len()), number);
            }
        };
        black_box(sum);
        CHUNK
    }

    /// One batch is one answer; a short one is repeated with other names.
    fn batch(&mut self, row: &Row<'_>, count: usize, number: usize) -> usize {
        let unique = &self.queries.unique;
        let repeats = (CHUNK / count).max(1);
        for repeat in 0..repeats {
            let start = (number * repeats + repeat) * count % (unique.len() - count + 1);
            row.peer.resolve(&unique[start..start + count], &mut self.out[..count]);
            black_box(&mut self.out);
        }
        repeats
    }

    /// Asks one question about one name or address; returns the time that it took.
    pub(crate) fn ask_one(&mut self, row: &Row<'_>, question: Question, number: usize) -> Duration {
        let (peer, queries) = (row.peer.as_ref(), self.queries);
        let names = if question == Question::NameMiss { &queries.misses } else { &queries.hits };
        let name = names[number % names.len()];
        let address = queries.addresses[number % queries.addresses.len()];
        // The caller has just made what it asks for.
        black_box(name.bytes().fold(0, u8::wrapping_add));
        black_box(peer.can(question));
        timed(|| match question {
            Question::NameHit | Question::NameMiss => peer.by_name(name),
            Question::Address => peer.offset(address),
            _ => peer.name(address, &mut self.text),
        })
    }
}

/// Thread CPU time of a short call. The clock was read before, so that its own code is in the caches.
pub(crate) fn timed<T>(call: impl FnOnce() -> T) -> Duration {
    black_box(cpu_time());
    let before = cpu_time();
    black_box(call());
    cpu_time() - before
}

/// Time that this thread has run: what another program takes is not counted.
pub(crate) fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}

/// Chunk of this number; there are at least two, and behind the last one comes the first.
fn chunk<T>(list: &[T], number: usize) -> &[T] {
    let start = number % (list.len() / CHUNK) * CHUNK;
    &list[start..start + CHUNK]
}
