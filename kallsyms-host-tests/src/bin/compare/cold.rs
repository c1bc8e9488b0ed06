//! One question at a time, the caches emptied before it.
//!
//! A walk over a buffer larger than the caches pushes table, code and stack out of them. What is asked for was
//! just read, as it would be by its caller. Reading the clock takes as long as a fast answer: what the same
//! steps take without a question is taken off.

use std::hint::black_box;

use crate::asker::{Asker, timed};
use crate::measure::{Figure, figure};
use crate::queries::Queries;
use crate::question::Question;
use crate::rows::Row;

/// Twice the largest share of a third-level cache that common processors have.
const BUFFER: usize = 64 << 20;

/// Numbers in a line of a cache.
const LINE: usize = 64 / size_of::<u64>();

/// Times that each row is asked each question.
const ROUNDS: usize = 40;
const QUICK_ROUNDS: usize = 8;

/// Figures of each row, in the order of [`Question::SINGLE`].
pub(crate) fn measure(rows: &[Row<'_>], queries: &Queries, quick: bool) -> Vec<Vec<Option<Figure>>> {
    let rounds = if quick { QUICK_ROUNDS } else { ROUNDS };
    // Not zeros: all pages of those may be one.
    let buffer = vec![1; BUFFER / size_of::<u64>()];
    let mut asker = Asker::new(queries);
    let clock = figure((0..rounds).map(|_| nothing(&buffer)).collect()).map_or(0.0, |clock| clock.value);
    let mut samples = vec![vec![Vec::new(); Question::SINGLE.len()]; rows.len()];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    for round in 0..rounds {
        for (column, question) in Question::SINGLE.into_iter().enumerate() {
            for &at in order.iter().filter(|at| rows[**at].peer.can(question)) {
                empty_caches(&buffer);
                let time = asker.ask_one(&rows[at], question, round).as_secs_f64() * 1e9;
                samples[at][column].push((time - clock).max(0.0));
            }
        }
        // What predicts branches is not emptied: of two rows with the same code each comes second in turn.
        order.reverse();
    }
    samples.into_iter().map(|row| row.into_iter().map(figure).collect()).collect()
}

/// The time of no question.
fn nothing(buffer: &[u64]) -> f64 {
    empty_caches(buffer);
    timed(|| ()).as_secs_f64() * 1e9
}

fn empty_caches(buffer: &[u64]) {
    black_box(buffer.iter().step_by(LINE).fold(0, |sum: u64, number| sum.wrapping_add(*number)));
}
