//! A pattern cut into what each part of it accepts.

/// One part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item<'p> {
    /// Any number of bytes.
    Star,
    /// Any one byte.
    Any,
    /// This byte.
    Byte(u8),
    /// One byte that is in the class, or with `inverted` one that is not.
    Class {
        /// What stands between the brackets, without the `!`.
        class: &'p [u8],
        inverted: bool,
    },
}

impl Item<'_> {
    /// Whether the item stands for this one byte. Steps: one, or the bytes of a class.
    #[inline]
    pub(super) fn accepts(self, byte: u8) -> bool {
        match self {
            Self::Star => false,
            Self::Any => true,
            Self::Byte(own) => own == byte,
            Self::Class { class, inverted } => holds(class, byte) != inverted,
        }
    }
}

/// Whether a byte is in a class of bytes and ranges.
fn holds(mut class: &[u8], byte: u8) -> bool {
    let mut found = false;
    while let [first, rest @ ..] = class {
        let last;
        (last, class) = match rest {
            [b'-', last, rest @ ..] => (last, rest),
            _ => (first, rest),
        };
        found |= (*first..=*last).contains(&byte);
    }
    found
}

/// The items of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(super) struct Items<'p> {
    rest: &'p [u8],
    /// Bytes behind the last `]` of the pattern: a `[` closer to the end than these is not closed. `None`
    /// where only `*` and `?` are special.
    unclosed: Option<usize>,
}

impl<'p> Items<'p> {
    pub(super) fn kernel(pattern: &'p [u8]) -> Self {
        let last = pattern.iter().rposition(|&byte| byte == b']');
        let behind = last.map_or(pattern.len(), |last| pattern.len().saturating_sub(last).saturating_sub(1));
        Self { rest: pattern, unclosed: Some(behind) }
    }

    pub(super) fn libbpf(pattern: &'p [u8]) -> Self {
        Self { rest: pattern, unclosed: None }
    }

    /// The items behind the first `bytes` bytes of the pattern.
    pub(super) fn skip(self, bytes: usize) -> Self {
        Self { rest: self.rest.get(bytes..).unwrap_or_default(), ..self }
    }

    /// The next item, `None` at the pattern's end. Steps: one, or the bytes of a class.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Item<'p>> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        match (first, self.unclosed) {
            (b'*', _) => Some(Item::Star),
            (b'?', _) => Some(Item::Any),
            (b'\\', Some(_)) => {
                let (&escaped, rest) = rest.split_first()?;
                self.rest = rest;
                Some(Item::Byte(escaped))
            }
            (b'[', Some(unclosed)) => Some(self.class(unclosed).unwrap_or(Item::Byte(b'['))),
            _ => Some(Item::Byte(first)),
        }
    }

    /// The next item that is no `*`.
    pub(super) fn next_but_stars(&mut self) -> Option<Item<'p>> {
        loop {
            let item = self.next()?;
            if item != Item::Star {
                return Some(item);
            }
        }
    }

    /// The class whose `[` has just been read, if a `]` closes it.
    fn class(&mut self, unclosed: usize) -> Option<Item<'p>> {
        let (inverted, inside) = match self.rest {
            [b'!', inside @ ..] => (true, inside),
            inside => (false, inside),
        };
        // The first byte of a class closes nothing.
        let (_, behind) = inside.split_first()?;
        if behind.len() <= unclosed {
            return None;
        }
        let more = behind.iter().position(|&byte| byte == b']')?;
        let (class, rest) = inside.split_at_checked(more.checked_add(1)?)?;
        self.rest = rest.get(1..)?;
        Some(Item::Class { class, inverted })
    }

    /// The runs of bytes that stand for themselves, each as long as it stands in the pattern in one piece.
    pub(super) fn literals(self) -> Literals<'p> {
        Literals { pattern: self.rest, items: self }
    }
}

/// Bytes that stand for themselves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literal<'p> {
    /// Where they stand in the pattern.
    pub(super) at: usize,
    pub(super) bytes: &'p [u8],
}

/// The runs of [`Items::literals`].
pub(super) struct Literals<'p> {
    pattern: &'p [u8],
    items: Items<'p>,
}

impl<'p> Literals<'p> {
    /// Where in the pattern the next item begins.
    fn at(&self) -> usize {
        self.pattern.len().saturating_sub(self.items.rest.len())
    }

    /// Takes the next item; where its byte stands, if it is one that stands for itself.
    fn byte(&mut self) -> Option<Option<usize>> {
        let item = self.items.next()?;
        Some(match item {
            Item::Byte(_) => self.at().checked_sub(1),
            _ => None,
        })
    }
}

impl<'p> Iterator for Literals<'p> {
    type Item = Literal<'p>;

    fn next(&mut self) -> Option<Literal<'p>> {
        let at = loop {
            if let Some(at) = self.byte()? {
                break at;
            }
        };
        let mut end = self.at();
        // A byte behind a backslash begins a run of its own.
        let mut before = self.items;
        while self.byte() == Some(Some(end)) {
            end = self.at();
            before = self.items;
        }
        self.items = before;
        Some(Literal { at, bytes: self.pattern.get(at..end)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_item() {
        let mut items = Items::kernel(br"a*?[!x-z]\*[b");
        let all: heapless::Vec<Item<'_>, 8> = core::iter::from_fn(|| items.next()).collect();
        let class = Item::Class { class: b"x-z", inverted: true };
        let (star, bracket) = (Item::Byte(b'*'), Item::Byte(b'['));
        assert_eq!(all, [Item::Byte(b'a'), Item::Star, Item::Any, class, star, bracket, Item::Byte(b'b')]);
    }

    #[test]
    fn runs() {
        let runs = |pattern: &'static [u8]| -> heapless::Vec<(usize, &[u8]), 4> {
            Items::kernel(pattern).literals().map(|literal| (literal.at, literal.bytes)).collect()
        };
        assert_eq!(runs(br"ab\*c*d[x]ef\"), [(0, &b"ab"[..]), (3, b"*c"), (6, b"d"), (10, b"ef")]);
        assert_eq!(runs(b"*?"), []);
        assert_eq!(runs(br"\a\b"), [(1, &b"a"[..]), (3, b"b")]);
    }
}
