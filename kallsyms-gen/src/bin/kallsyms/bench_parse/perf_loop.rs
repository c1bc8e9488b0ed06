//! The algorithm of perf's `kallsyms__parse`, to compare with: a character at a time out of a buffer,
//! hexadecimal digits for as long as there are some, the type, the name copied up to the end of the line.
//!
//! As there, the module stays in the name, and a line that does not fit is left out without a word. Only
//! where a name fills the copy is this one safe.

use std::io::{self, Read};

/// Longest name, as of Linux 6.1.
const KSYM_NAME_LEN: usize = 512;

/// No character: the end.
const END: i32 = -1;
/// No character: there is no digit where one must be.
const NO_DIGIT: i32 = -2;

/// Where characters come from.
pub(super) trait Buffer {
    /// The characters that are there.
    fn bytes(&self) -> &[u8];
    /// Replaces them by the next ones; `false` at the end.
    fn refill(&mut self) -> bool;
}

/// All of them at once.
pub(super) struct Whole<'t>(pub(super) &'t [u8]);

impl Buffer for Whole<'_> {
    fn bytes(&self) -> &[u8] {
        self.0
    }

    fn refill(&mut self) -> bool {
        false
    }
}

/// Chunks of a file.
pub(super) struct Chunks<R> {
    file: R,
    size: usize,
    chunk: Vec<u8>,
    pub(super) result: io::Result<()>,
}

impl<R: Read> Chunks<R> {
    pub(super) fn new(file: R, size: usize) -> Self {
        Self { file, size, chunk: Vec::new(), result: Ok(()) }
    }
}

impl<R: Read> Buffer for Chunks<R> {
    #[inline]
    fn bytes(&self) -> &[u8] {
        &self.chunk
    }

    fn refill(&mut self) -> bool {
        self.chunk.resize(self.size, 0);
        let len = self.file.read(&mut self.chunk).unwrap_or_else(|error| {
            self.result = Err(error);
            0
        });
        self.chunk.truncate(len);
        len != 0
    }
}

struct Characters<B> {
    buffer: B,
    at: usize,
    ended: bool,
}

impl<B: Buffer> Characters<B> {
    #[inline]
    fn next(&mut self) -> i32 {
        match self.buffer.bytes().get(self.at) {
            Some(&character) => {
                self.at += 1;
                i32::from(character)
            }
            None => self.next_of_refilled(),
        }
    }

    #[inline]
    fn next_of_refilled(&mut self) -> i32 {
        if self.buffer.refill()
            && let Some(&character) = self.buffer.bytes().first()
        {
            self.at = 1;
            return i32::from(character);
        }
        self.ended = true;
        END
    }

    /// The number of the digits that come, and the character behind them.
    #[inline]
    fn hex(&mut self) -> (u64, i32) {
        let mut number = 0;
        let mut is_first = true;
        loop {
            let character = self.next();
            let digit = match u8::try_from(character) {
                Ok(digit @ b'0'..=b'9') => digit - b'0',
                Ok(digit @ b'a'..=b'f') => digit - b'a' + 10,
                Ok(digit @ b'A'..=b'F') => digit - b'A' + 10,
                Ok(_) if is_first => return (number, NO_DIGIT),
                _ => return (number, character),
            };
            number = number << 4 | u64::from(digit);
            is_first = false;
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.next(), END | LF) {}
    }
}

const LF: i32 = b'\n' as i32;
const SPACE: i32 = b' ' as i32;

/// Calls `f` with address, type and name of every line.
///
/// perf's callback is a pointer to a function; so is this one.
#[inline(never)]
pub(super) fn parse<B: Buffer>(buffer: B, f: &mut dyn FnMut(u64, u8, &[u8])) -> B {
    let mut characters = Characters { buffer, at: 0, ended: false };
    let mut name = [0; KSYM_NAME_LEN + 1];
    while !characters.ended {
        let (address, behind) = characters.hex();
        if behind != SPACE {
            characters.skip_line();
            continue;
        }
        let kind = characters.next();
        if characters.next() != SPACE {
            characters.skip_line();
            continue;
        }
        let mut len = 0;
        while len < name.len() {
            let character = characters.next();
            if matches!(character, END | LF) {
                break;
            }
            name[len] = character as u8;
            len += 1;
        }
        f(address, kind as u8, &name[..len]);
    }
    characters.buffer
}
