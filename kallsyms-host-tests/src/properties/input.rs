//! A fuzzer's input as the parts of a case, and back.

/// What is left of an input; behind its end are zeros.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    /// All of an input.
    #[must_use]
    pub fn new(input: &'a [u8]) -> Self {
        Self(input)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        u8::from_le_bytes(self.bytes())
    }

    /// The next two bytes, as a number.
    pub fn half(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes())
    }

    /// The next eight bytes, as a number.
    pub fn number(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// The bytes whose number the next two bytes tell, as far as they are there.
    pub fn part(&mut self) -> &'a [u8] {
        let len = usize::from(self.half());
        let (part, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        part
    }

    /// What is left.
    #[must_use]
    pub fn rest(self) -> &'a [u8] {
        self.0
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_at(N.min(self.0.len()));
        self.0 = rest;
        let mut bytes = [0; N];
        bytes[..head.len()].copy_from_slice(head);
        bytes
    }
}

/// Appends what [`Parts::part`] reads.
///
/// # Panics
///
/// Of a part of 64 KiB.
pub fn push_part(input: &mut Vec<u8>, part: &[u8]) {
    input.extend(u16::try_from(part.len()).expect("less than 64 KiB").to_le_bytes());
    input.extend(part);
}
