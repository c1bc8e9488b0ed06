//! blazesym's resolver of `/proc/kallsyms` text: addresses only, for its lookup by name is not public.

use std::path::PathBuf;

use blazesym::MaybeDefault;
use blazesym::symbolize::source::{Kernel, Source};
use blazesym::symbolize::{Input, Sym, Symbolizer};
use kallsyms_gen::symbols::Symbols;
use kallsyms_host_tests::tools::Folder;

use super::name_of;
use crate::peer::{Peer, Text};
use crate::question::Question;

pub(super) struct BlazesymPeer {
    symbolizer: Symbolizer,
    source: Source<'static>,
    /// It looks whether the file is still there.
    _folder: Folder,
}

impl BlazesymPeer {
    /// Writes the symbols as text, which it reads with the first question.
    pub(super) fn new(symbols: &Symbols) -> Result<Self, String> {
        if symbols.list.iter().any(|symbol| symbol.name.iter().any(u8::is_ascii_whitespace)) {
            return Err("its reader cuts names at a space".into());
        }
        let lines = symbols.list.iter().map(|symbol| {
            format!("{:016x} {} {}\n", symbol.address, char::from(symbol.kind), name_of(symbol))
        });
        let folder = Folder::new();
        let file: PathBuf = folder.file("kallsyms", lines.collect::<String>().as_bytes());
        let kernel = Kernel {
            kallsyms: MaybeDefault::Some(file),
            vmlinux: MaybeDefault::None,
            kaslr_offset: Some(0),
            debug_syms: false,
            ..Kernel::default()
        };
        let symbolizer = Symbolizer::builder().enable_code_info(false).enable_auto_reload(false).build();
        let peer = Self { symbolizer, source: Source::Kernel(kernel), _folder: folder };
        let last = symbols.list.last().map_or(0, |symbol| symbol.address);
        peer.symbol(last).ok_or("it does not read its text")?;
        Ok(peer)
    }

    fn symbol(&self, address: u64) -> Option<Sym<'_>> {
        let found = self.symbolizer.symbolize_single(&self.source, Input::AbsAddr(address)).ok()?;
        found.into_sym()
    }
}

impl Peer for BlazesymPeer {
    fn can(&self, question: Question) -> bool {
        question == Question::AddressName
    }

    fn any_alias(&self) -> bool {
        true
    }

    fn name(&self, address: u64, out: &mut Text) -> Option<u64> {
        let symbol = self.symbol(address)?;
        out.clear();
        out.push(symbol.name.as_bytes());
        Some(symbol.offset as u64)
    }
}
