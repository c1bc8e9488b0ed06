//! What the kernel sent through defmt, decoded.

use super::frames;
use anyhow::{Context, Result, ensure};
use defmt_decoder::{DecodeError, Table};

/// Last byte of a frame, and of no other place in it.
const END: u8 = 0;
/// Stands for a frame that a panic cut short.
const TORN: &str = "(a torn frame)";

/// The messages of a stream, one a line; a torn frame must be ended, as every other.
pub(super) fn decode(elf: &[u8], stream: &[u8]) -> Result<Vec<String>> {
    let table = Table::parse(elf)?.context("the kernel has no .defmt section")?;
    let mut decoder = table.new_stream_decoder();
    decoder.received(stream);
    let mut messages = Vec::new();
    loop {
        match decoder.decode() {
            Ok(frame) => messages.push(frame.display_message().to_string()),
            Err(DecodeError::Malformed) => messages.push(TORN.into()),
            Err(DecodeError::UnexpectedEof) => break,
        }
    }
    ensure!(stream.last().is_none_or(|&last| last == END), "a frame without end after {messages:?}");
    Ok(messages)
}

/// Checks that the frames that came through defmt (`#0 Exact 0xaddress name`) are those of the text.
pub(super) fn compare(lines: &[String], log: &[String]) -> Result<()> {
    let printed: Vec<_> = lines
        .iter()
        .filter_map(|line| frames::parse(line).ok().flatten())
        .map(|line| (line.address, line.text))
        .collect();
    let sent: Vec<_> = log.iter().filter_map(|message| frame(message)).collect();
    ensure!(!sent.is_empty() && sent == printed, "defmt gave the frames {sent:x?}, the text {printed:x?}");
    Ok(())
}

/// Address and name of a frame message.
fn frame(message: &str) -> Option<(u64, &str)> {
    let mut parts = message.strip_prefix('#')?.splitn(4, ' ').skip(2);
    let address = parts.next()?.strip_prefix("0x")?;
    Some((u64::from_str_radix(address, 16).ok()?, parts.next()?))
}
