//! The rounds.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::peer::Text;
use crate::queries::{CHUNK, Queries};
use crate::question::Question;
use crate::rows::Row;

/// A figure in the unit of its question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figure {
    /// The lower quartile.
    pub(crate) value: f64,
    /// From there to the upper one, as a share of it.
    pub(crate) spread: f64,
}

/// What came out for a row.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) key: &'static str,
    pub(crate) parts: Vec<(&'static str, usize)>,
    pub(crate) build: Duration,
    /// In the order of [`Question::ALL`].
    pub(crate) figures: Vec<Option<Figure>>,
}

impl Measured {
    /// Bytes of all parts.
    pub(crate) fn bytes(&self) -> usize {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }

    /// The answer to one question.
    pub(crate) fn figure(&self, question: Question) -> Option<Figure> {
        let place = Question::ALL.iter().position(|other| *other == question)?;
        self.figures[place]
    }
}

pub(crate) fn measure(rows: &[Row<'_>], queries: &Queries, quick: bool) -> Vec<Measured> {
    let columns: Vec<_> =
        Question::ALL.iter().map(|question| column(rows, queries, *question, quick)).collect();
    let figures = |at: usize| columns.iter().map(|column| column[at]).collect();
    rows.iter()
        .enumerate()
        .map(|(at, row)| Measured {
            key: row.key,
            parts: row.parts.clone(),
            build: row.build,
            figures: figures(at),
        })
        .collect()
}

/// One question to all rows, which take turns.
fn column(rows: &[Row<'_>], queries: &Queries, question: Question, quick: bool) -> Vec<Option<Figure>> {
    let plan = question.plan(quick);
    let mut asker = Asker { queries, out: vec![None; queries.unique.len()], text: Text::new() };
    let mut samples = vec![Vec::new(); rows.len()];
    for round in 0..plan.rounds {
        for (row, samples) in rows.iter().zip(&mut samples) {
            if !row.peer.can(question) {
                continue;
            }
            // The row before left the caches to its own liking: the first chunk brings this row's in.
            if plan.warm {
                asker.ask(row, question, round * (plan.chunks + 1));
            }
            for chunk in 1..=plan.chunks {
                let before = cpu_time();
                let count = asker.ask(row, question, round * (plan.chunks + 1) + chunk);
                let time = cpu_time() - before;
                samples.push(time.as_secs_f64() * 1e9 / question.unit() / count as f64);
            }
        }
    }
    samples.into_iter().map(figure).collect()
}

fn figure(mut samples: Vec<f64>) -> Option<Figure> {
    samples.sort_unstable_by(f64::total_cmp);
    let value = *samples.get(samples.len() / 4)?;
    let upper = *samples.get(samples.len() * 3 / 4)?;
    Some(Figure { value, spread: (upper - value) / value })
}

/// Time that this thread has run: what another program takes is not counted.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}

struct Asker<'q> {
    queries: &'q Queries,
    out: Vec<Option<u64>>,
    text: Text,
}

impl Asker<'_> {
    /// Asks one chunk, the same of every row; returns how many answers there are.
    fn ask(&mut self, row: &Row<'_>, question: Question, number: usize) -> usize {
        let (peer, queries) = (row.peer.as_ref(), self.queries);
        let addresses = chunk(&queries.addresses, number);
        let sum = match question {
            Question::NameHit => peer.by_names(chunk(&queries.hits, number)),
            Question::NameMiss => peer.by_names(chunk(&queries.misses, number)),
            Question::Address => peer.offsets(addresses),
            Question::AddressName => peer.names(addresses, &mut self.text),
            Question::AddressText => peer.texts(addresses, &mut self.text),
            Question::Walk => {
                let mut sum = 0u64;
                peer.walk(&mut |name, address| {
                    sum = sum.wrapping_add(address).wrapping_add(name.len() as u64);
                });
                black_box(sum);
                return row.walked;
            }
            Question::Prefix | Question::Infix => {
                let mut sum = 0u64;
                let pattern = &queries.patterns[usize::from(question == Question::Infix)];
                peer.matching(pattern, &mut |address| sum = sum.wrapping_add(address));
                black_box(sum);
                return row.walked;
            }
            Question::Batch50 => return self.batch(row, 50, number),
            Question::Batch3344 => return self.batch(row, 3_344, number),
            Question::BatchAll => return self.batch(row, self.out.len(), number),
        };
        black_box(sum);
        CHUNK
    }

    /// One batch is one answer; a short one is repeated with other names.
    fn batch(&mut self, row: &Row<'_>, count: usize, number: usize) -> usize {
        let unique = &self.queries.unique;
        let count = count.min(unique.len());
        let repeats = (CHUNK / count).max(1);
        for repeat in 0..repeats {
            let start = (number * repeats + repeat) * count % (unique.len() - count + 1);
            row.peer.resolve(&unique[start..start + count], &mut self.out[..count]);
            black_box(&mut self.out);
        }
        repeats
    }
}

/// Chunk of this number; there are at least eight, and behind the last one comes the first.
fn chunk<T>(list: &[T], number: usize) -> &[T] {
    let start = number % (list.len() / CHUNK) * CHUNK;
    &list[start..start + CHUNK]
}
