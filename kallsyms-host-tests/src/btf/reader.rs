//! A slow reader of sound BTF: everything is copied out, by the roles of its words.

use kallsyms_core::linux::Endian;

use super::record::{Record, Role, Word, roles};
use super::words;

/// What a file holds.
#[derive(Debug, Clone)]
pub struct Decoded {
    /// From the magic.
    pub endian: Endian,
    /// The first own type's id.
    pub first_id: u32,
    /// The strings of the base, and behind them the own.
    pub strings: Vec<u8>,
    /// The own types.
    pub records: Vec<Record>,
    /// Where each is in the type section.
    pub offsets: Vec<u32>,
    /// The first word of each.
    pub name_offs: Vec<u32>,
    /// Size of the records of each kind: behind the first twelve bytes, and each element.
    layout: Vec<(u8, u8)>,
}

impl Decoded {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Whatever is not sound, in words.
    pub fn read(bytes: &[u8], base: Option<&Self>) -> Result<Self, String> {
        let endian = match bytes.first_chunk() {
            Some([0x9f, 0xeb]) => Endian::Little,
            Some([0xeb, 0x9f]) => Endian::Big,
            other => return Err(format!("no magic but {other:x?}")),
        };
        let header = |at: usize| words::read(endian, bytes, at).ok_or("a short header");
        let hdr_len = header(4)?;
        let section = |off: u32, len: u32| {
            let start = hdr_len as usize + off as usize;
            bytes.get(start..start + len as usize).ok_or_else(|| format!("no {len} bytes at {start}"))
        };
        let types = section(header(8)?, header(12)?)?;
        let own_strings = section(header(16)?, header(20)?)?;
        let layout = if hdr_len >= 32 { section(header(24)?, header(28)?)? } else { &[] };
        let mut strings = base.map_or(Vec::new(), |base| base.strings.clone());
        strings.extend(own_strings);
        if strings.first() != Some(&0) || strings.last() != Some(&0) {
            return Err("strings without a NUL at either end".into());
        }
        let mut layout: Vec<(u8, u8)> = layout.chunks_exact(4).map(|kind| (kind[0], kind[1])).collect();
        if layout.is_empty() {
            layout = base.map_or(Vec::new(), |base| base.layout.clone());
        }
        let first_id = base.map_or(1, Self::end_id);
        let mut out = Self {
            endian,
            first_id,
            strings,
            records: Vec::new(),
            offsets: Vec::new(),
            name_offs: Vec::new(),
            layout,
        };
        let mut at = 0;
        while at < types.len() {
            let (record, len) =
                out.record(types, at).map_err(|fault| format!("type {}: {fault}", out.end_id()))?;
            out.offsets.push(at as u32);
            out.name_offs.push(words::read(endian, types, at).unwrap_or_default());
            out.records.push(record);
            at += len;
        }
        Ok(out)
    }

    /// The record at an offset of the type section, and its bytes.
    fn record(&self, types: &[u8], start: usize) -> Result<(Record, usize), String> {
        let mut at = start;
        let mut next = || {
            let word = words::read(self.endian, types, at);
            at += 4;
            word.ok_or_else(|| format!("cut at {}", types.len()))
        };
        let (name, info, size_or_type) = (next()?, next()?, next()?);
        let kind = (info >> 24 & 0x7f) as u8;
        let vlen = info & 0xff_ffff;
        let mut words = Vec::new();
        if let Some((once, each)) = roles(kind) {
            let elements = if each.is_empty() { 0 } else { vlen };
            let all = once.iter().chain((0..elements).flat_map(|_| each));
            for role in all {
                let word = next()?;
                words.push(match role {
                    Role::Name => Word::Name(self.string(word)?.to_vec()),
                    Role::Type => Word::Type(word),
                    Role::Plain => Word::Plain(word),
                });
            }
        } else {
            let (info_size, element_size) =
                self.layout.get(usize::from(kind)).ok_or_else(|| format!("kind {kind} without a layout"))?;
            let len = usize::from(*info_size) + vlen as usize * usize::from(*element_size);
            let tail = types.get(at..at + len).ok_or("a cut tail")?;
            at += len;
            words.push(Word::Bytes(tail.to_vec()));
        }
        let name = self.string(name)?.to_vec();
        Ok((Record { name, kind, kflag: info >> 31 == 1, vlen, size_or_type, words }, at - start))
    }

    /// The string at an offset.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn string(&self, offset: u32) -> Result<&[u8], String> {
        let tail = self.strings.get(offset as usize..).unwrap_or_default();
        tail.split(|&byte| byte == 0)
            .next()
            .filter(|_| !tail.is_empty())
            .ok_or(format!("no string at {offset}"))
    }

    /// The id behind the last.
    #[must_use]
    pub fn end_id(&self) -> u32 {
        self.first_id + self.records.len() as u32
    }

    /// Own ids and their types.
    pub fn types(&self) -> impl ExactSizeIterator<Item = (u32, &Record)> + Clone {
        self.records.iter().enumerate().map(|(index, record)| (self.first_id + index as u32, record))
    }

    /// An own type.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&Record> {
        self.records.get(id.checked_sub(self.first_id)? as usize)
    }

    /// Whether the own types are in the order of their names.
    #[must_use]
    pub fn is_sorted(&self) -> bool {
        self.records.is_sorted_by(|one, next| one.name <= next.name)
    }
}
