//! What the kernel sent through defmt, decoded.

use super::frames;
use anyhow::{Context, Result, anyhow, ensure};
use defmt_decoder::{DecodeError, Table};

/// The messages of a stream, one a line.
pub(super) fn decode(elf: &[u8], stream: &[u8]) -> Result<Vec<String>> {
    let table = Table::parse(elf)?.context("the kernel has no .defmt section")?;
    let mut decoder = table.new_stream_decoder();
    decoder.received(stream);
    let mut messages = Vec::new();
    loop {
        match decoder.decode() {
            Ok(frame) => messages.push(frame.display_message().to_string()),
            Err(DecodeError::UnexpectedEof) => return Ok(messages),
            Err(DecodeError::Malformed) => return Err(anyhow!("malformed frame after {messages:?}")),
        }
    }
}

/// Checks that the frames that came through defmt (`#0 Exact 0xaddress name`) are those of the text.
pub(super) fn compare(lines: &[String], log: &[String]) -> Result<()> {
    let text: Vec<u64> =
        lines.iter().filter_map(|line| frames::parse(line).ok().flatten()).map(|line| line.address).collect();
    let address = |message: &String| {
        let hexadecimal = message.strip_prefix('#')?.split(' ').nth(2)?.strip_prefix("0x")?;
        u64::from_str_radix(hexadecimal, 16).ok()
    };
    let sent: Vec<u64> = log.iter().filter_map(address).collect();
    ensure!(!sent.is_empty() && sent == text, "defmt frames {sent:x?} are not those of the text {text:x?}");
    Ok(())
}
