//! How much stack a row takes.

use kallsyms_host_tests::stack::used_by;

use crate::asker::Asker;
use crate::queries::{LEAST_CHUNKS, Queries};
use crate::question::Question;
use crate::rows::Row;

/// Bytes, at the deepest of many questions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StackUse {
    /// Of one question: a name, an address, an address with its name.
    pub(crate) single: Option<usize>,
    /// Of many names at once.
    pub(crate) batch: Option<usize>,
}

impl StackUse {
    pub(crate) fn of(row: &Row<'_>, queries: &Queries) -> Self {
        let mut asker = Asker::new(queries);
        let mut deepest = |questions: &[Question], chunks| {
            let can = questions.iter().filter(|question| row.peer.can(**question));
            can.map(|question| {
                let mut ask = || (0..chunks).map(|chunk| asker.ask(row, *question, chunk)).sum::<usize>();
                used_by(&mut ask).1
            })
            .max()
        };
        // One by one all of them take long, and no more stack than some.
        let sizes: &[Question] = if row.peer.has_batch() { &Question::BATCHES } else { &[Question::Batch50] };
        Self { single: deepest(&Question::SINGLE, LEAST_CHUNKS), batch: deepest(sizes, 1) }
    }
}
