//! The rows: every way to do the job.

mod blazesym;
mod fst;
mod hash_map;
mod kept;
mod ksym;
mod linux;
mod overlay;
mod ptr_hash;
mod sorted;
mod symbol_map;

use std::time::{Duration, Instant};

use kallsyms_core::Image;
use kallsyms_core::image::layout::SectionKind;
use kallsyms_core::linux::{Endian, Kallsyms};
use kallsyms_gen::compress::Profile;
use kallsyms_gen::linux::Tables;
use kallsyms_gen::linux::write::{Options, PlaceForm, write};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::counting_alloc::held_by;
use kallsyms_host_tests::reference::linux::{Markers, Offsets};

use crate::peer::Peer;

pub(crate) use kept::Kept;

/// A row, built.
pub(crate) struct Row<'s> {
    pub(crate) key: &'static str,
    pub(crate) peer: Box<dyn Peer + 's>,
    /// Bytes by part.
    pub(crate) parts: Vec<(&'static str, usize)>,
    /// Wall time of building, with the generator's own check where it has one.
    pub(crate) build: Duration,
    /// Symbols that a walk goes over.
    pub(crate) walked: usize,
}

/// All rows; a layout that cannot hold the symbols is left out, and a note says why.
pub(crate) fn build<'s>(symbols: &'s Symbols, kept: &Kept) -> Result<(Vec<Row<'s>>, Vec<String>), String> {
    let mut rows = Rows { symbols, kept, rows: Vec::new(), notes: Vec::new() };
    rows.image("image-fast", Profile::Fast)?;
    rows.image("image-compact", Profile::Compact)?;
    rows.linux("linux-markers", "overlay-markers", PlaceForm::Markers(kallsyms_core::linux::Width::Bits32));
    rows.linux("linux-offsets", "overlay-offsets", PlaceForm::Offsets(Endian::Little));
    rows.plain("hash-map", hash_map::HashMapPeer::new);
    rows.plain("ptr-hash", ptr_hash::PtrHashPeer::new);
    rows.plain("sorted", sorted::Sorted::new);
    rows.plain("symbol-map", symbol_map::SymbolMapPeer::new);
    let (ksym, time) = timed(|| ksym::KsymPeer::new(symbols));
    let bytes = ksym.parts();
    rows.push("ksym", ksym, bytes, time);
    let (fst, time) = timed(|| fst::FstPeer::new(symbols));
    let bytes = vec![("fst", fst.bytes())];
    rows.push("fst", fst, bytes, time);
    rows.blazesym();
    Ok((rows.rows, rows.notes))
}

struct Rows<'s, 'k> {
    symbols: &'s Symbols,
    kept: &'k Kept,
    rows: Vec<Row<'s>>,
    notes: Vec<String>,
}

impl<'s> Rows<'s, '_> {
    fn push(
        &mut self,
        key: &'static str,
        peer: impl Peer + 's,
        parts: Vec<(&'static str, usize)>,
        build: Duration,
    ) {
        let walked = self.symbols.list.len();
        self.rows.push(Row { key, peer: Box::new(peer), parts, build, walked });
    }

    fn image(&mut self, key: &'static str, profile: Profile) -> Result<(), String> {
        eprintln!("compare: building {key}");
        let mut time = Duration::ZERO;
        let image = self.kept.image(key, || {
            let (image, taken) = timed(|| kallsyms_gen::build::build(self.symbols, profile, &mut |_, _| ()));
            time = taken;
            image.map_err(|error| error.to_string())
        });
        let bytes: &'static [u8] = image?.leak();
        let image = Image::parse(bytes).map_err(|error| error.to_string())?;
        let names = [
            (SectionKind::Blocks, "blocks"),
            (SectionKind::Records, "records"),
            (SectionKind::Tokens, "tokens"),
            (SectionKind::TokenBytes, "token_bytes"),
            (SectionKind::Pilots, "pilots"),
            (SectionKind::Index, "index"),
            (SectionKind::Hints, "hints"),
        ];
        let mut parts: Vec<_> =
            names.map(|(section, name)| (name, image.section_len(section))).into_iter().collect();
        let rest = bytes.len() - parts.iter().map(|(_, bytes)| bytes).sum::<usize>();
        parts.push(("rest", rest));
        self.push(key, overlay::TablePeer(image), parts, time);
        Ok(())
    }

    /// Linux's tables: Linux's own algorithms over them, and ours.
    fn linux(&mut self, key: &'static str, overlay_key: &'static str, places: PlaceForm) {
        eprintln!("compare: building {key}");
        let mut time = Duration::ZERO;
        let tables = self.kept.tables(key, || {
            let (tables, taken) = timed(|| write(self.symbols, &Options { places, ..Options::LINUX_6_12 }));
            time = taken;
            tables.map_err(|error| error.to_string())
        });
        let tables = match tables {
            Ok(tables) => tables,
            Err(error) => return self.notes.push(format!("{key} is left out: {error}")),
        };
        let tables: &'static Tables = Box::leak(Box::new(tables));
        let parts = vec![
            ("names", tables.names.len()),
            ("places", tables.places.bytes().len()),
            ("seqs_of_names", tables.seqs_of_names.len()),
            ("tokens", tables.token_table.len() + tables.token_index.len()),
            ("offsets", tables.offsets.len()),
        ];
        match places {
            PlaceForm::Markers(_) => {
                let reference = Markers::new(tables).expect("a 64-bit kernel's");
                self.push(key, linux::LinuxPeer(reference), parts.clone(), time);
            }
            PlaceForm::Offsets(_) => {
                let reference = Offsets::new(tables).expect("a 64-bit kernel's");
                self.push(key, linux::LinuxPeer(reference), parts.clone(), time);
            }
        }
        match tables.kallsyms() {
            Ok(kallsyms) => {
                self.push(overlay_key, overlay::TablePeer(kallsyms), parts.clone(), time);
                if let PlaceForm::Markers(_) = places {
                    self.indexed(kallsyms, parts);
                }
            }
            Err(error) => self.notes.push(format!("{overlay_key} is left out: {error}")),
        }
    }

    /// Linux's tables as they are, and an index of the names in the caller's memory.
    fn indexed(&mut self, kallsyms: Kallsyms<'static>, mut parts: Vec<(&'static str, usize)>) {
        let words = vec![0u32; kallsyms.name_index_words()].leak();
        parts.push(("name_index", size_of_val(words)));
        let (indexed, time) = timed(|| kallsyms.with_name_index(words));
        match indexed {
            Ok(indexed) => self.push("overlay-indexed", overlay::TablePeer(indexed), parts, time),
            Err(error) => self.notes.push(format!("overlay-indexed is left out: {error}")),
        }
    }

    /// Its memory is measured with the text's, which it reads and gives back.
    fn blazesym(&mut self) {
        let ((peer, held), time) = timed(|| held_by(|| blazesym::BlazesymPeer::new(self.symbols)));
        match peer {
            Ok(peer) => {
                self.push("blazesym", peer, vec![("table", usize::try_from(held).unwrap_or(0))], time)
            }
            Err(error) => self.notes.push(format!("blazesym is left out: {error}")),
        }
    }

    /// What keeps the names as they are: their bytes, and what it allocates.
    fn plain<P: Peer + 's>(&mut self, key: &'static str, new: impl FnOnce(&'s Symbols) -> P) {
        let symbols = self.symbols;
        let ((peer, held), time) = timed(|| held_by(|| new(symbols)));
        let names = symbols.list.iter().map(|symbol| symbol.name.len()).sum();
        let parts = vec![("names", names), ("table", usize::try_from(held).unwrap_or(0))];
        self.push(key, peer, parts, time);
    }
}

fn timed<T>(f: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = f();
    (result, start.elapsed())
}

/// A name as text; the source left out all others.
fn name_of(symbol: &kallsyms_gen::symbols::Symbol) -> &str {
    str::from_utf8(&symbol.name).expect("UTF-8")
}
