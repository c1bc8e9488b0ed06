//! The rounds.

use std::time::Duration;

use crate::asker::{Asker, cpu_time};
use crate::cold;
use crate::queries::Queries;
use crate::question::Question;
use crate::rows::Row;
use crate::stack_use::StackUse;

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
    pub(crate) stack: StackUse,
    /// In the order of [`Question::ALL`].
    pub(crate) figures: Vec<Option<Figure>>,
    /// In the order of [`Question::SINGLE`].
    pub(crate) cold: Vec<Option<Figure>>,
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

    /// The same with the caches emptied before each question.
    pub(crate) fn cold(&self, question: Question) -> Option<Figure> {
        let place = Question::SINGLE.iter().position(|other| *other == question)?;
        self.cold[place]
    }
}

pub(crate) fn measure(rows: &[Row<'_>], queries: &Queries, quick: bool) -> Vec<Measured> {
    let columns: Vec<_> =
        Question::ALL.iter().map(|question| column(rows, queries, *question, quick)).collect();
    let figures = |at: usize| columns.iter().map(|column| column[at]).collect();
    let cold = cold::measure(rows, queries, quick);
    rows.iter()
        .zip(cold)
        .enumerate()
        .map(|(at, (row, cold))| Measured {
            key: row.key,
            parts: row.parts.clone(),
            build: row.build,
            stack: StackUse::of(row, queries),
            figures: figures(at),
            cold,
        })
        .collect()
}

/// One question to all rows, which take turns.
fn column(rows: &[Row<'_>], queries: &Queries, question: Question, quick: bool) -> Vec<Option<Figure>> {
    let plan = question.plan(quick);
    let mut asker = Asker::new(queries);
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

/// What the samples come to; `None` where there are none.
pub(crate) fn figure(mut samples: Vec<f64>) -> Option<Figure> {
    samples.sort_unstable_by(f64::total_cmp);
    let value = *samples.get(samples.len() / 4)?;
    let upper = *samples.get(samples.len() * 3 / 4)?;
    Some(Figure { value, spread: (upper - value) / value })
}
