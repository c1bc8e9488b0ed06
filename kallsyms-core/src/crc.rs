//! CRC-32 (IEEE 802.3, reflected), eight bytes a step.

/// Table k gives the checksum of a byte that k zero bytes follow.
static TABLES: [[u32; 256]; 8] = tables();

/// Checksum of the parts as if they were one slice; 8 bytes a step, 8 KiB of tables.
pub(crate) fn crc32(parts: &[&[u8]]) -> u32 {
    !parts.iter().fold(u32::MAX, |crc, part| update(crc, part))
}

fn update(mut crc: u32, bytes: &[u8]) -> u32 {
    let (groups, tail) = bytes.as_chunks::<8>();
    for group in groups {
        let [a, b, c, d, e, f, g, h] = *group;
        let [a, b, c, d] = (crc ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
        crc = [a, b, c, d, e, f, g, h]
            .into_iter()
            .zip(TABLES.iter().rev())
            .fold(0, |sum, (byte, table)| sum ^ entry(table, byte));
    }
    tail.iter().fold(crc, |crc, &byte| {
        let [low, ..] = crc.to_le_bytes();
        crc >> 8 ^ TABLES.first().map_or(0, |table| entry(table, low ^ byte))
    })
}

fn entry(table: &[u32; 256], byte: u8) -> u32 {
    table.get(usize::from(byte)).copied().unwrap_or(0)
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    reason = "runs at compile time, where a fault is a compile error"
)]
const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn known_values() {
        // The check value of CRC-32/ISO-HDLC and two more from zlib.
        assert_eq!(crc32(&[b"123456789"]), 0xcbf4_3926);
        assert_eq!(crc32(&[b""]), 0);
        assert_eq!(crc32(&[b"The quick brown fox jumps over the lazy dog"]), 0x414f_a339);
    }

    #[test]
    fn parts_are_one_slice() {
        let whole = b"The quick brown fox jumps over the lazy dog";
        for cut in 0..=whole.len() {
            let (left, right) = whole.split_at(cut);
            assert_eq!(crc32(&[left, right]), 0x414f_a339, "cut at {cut}");
        }
    }
}
