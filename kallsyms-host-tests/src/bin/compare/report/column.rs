//! What a row has a time for.

use crate::measure::{Figure, Measured};
use crate::question::Question;

/// A question, and in what state the caches were.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Column {
    /// Left as the questions before left them.
    Warm(Question),
    /// Emptied.
    Cold(Question),
}

impl Column {
    /// Every column.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Question::ALL.into_iter().map(Self::Warm).chain(Question::SINGLE.into_iter().map(Self::Cold))
    }

    /// In JSON; the unit is part of it.
    pub(crate) fn key(self) -> String {
        match self {
            Self::Warm(question) => question.key().into(),
            Self::Cold(question) => format!("cold_{}", question.key()),
        }
    }

    /// Above it in a table of its kind.
    pub(crate) fn title(self) -> &'static str {
        let (Self::Warm(question) | Self::Cold(question)) = self;
        question.title()
    }

    pub(crate) fn figure(self, row: &Measured) -> Option<Figure> {
        match self {
            Self::Warm(question) => row.figure(question),
            Self::Cold(question) => row.cold(question),
        }
    }
}
