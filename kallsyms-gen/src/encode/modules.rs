//! Modules: runs of symbols, and the names.

use kallsyms_core::image::layout::ModuleRun;
use zerocopy::IntoBytes;

use super::EncodeError;
use crate::symbols::Symbols;

/// The two sections that say which module a symbol belongs to; both empty for a table without modules.
#[derive(Debug, Default)]
pub(super) struct Modules {
    pub(super) runs: Vec<u8>,
    pub(super) names: Vec<u8>,
}

impl Modules {
    pub(super) fn encode(symbols: &Symbols) -> Result<Self, EncodeError> {
        let mut modules = Self::default();
        if symbols.list.iter().all(|symbol| symbol.module.is_none()) {
            return Ok(modules);
        }
        modules.names.push(0);
        let mut offsets = Vec::new();
        for name in &symbols.modules {
            offsets.push(modules.names.len() as u32);
            let len = u8::try_from(name.len())
                .map_err(|_| EncodeError::ModuleName { len: name.len(), start: lossy_start(name) })?;
            modules.names.push(len);
            modules.names.extend(name);
        }
        let mut current = None;
        for (at, symbol) in (0u32..).zip(&symbols.list) {
            if symbol.module != current {
                let name = symbol.module.map_or(0, |module| offsets[module as usize]);
                modules.runs.extend(ModuleRun { first: at.into(), name: name.into() }.as_bytes());
                current = symbol.module;
            }
        }
        Ok(modules)
    }
}

/// Enough of a long name to recognise it.
pub(super) fn lossy_start(name: &[u8]) -> String {
    String::from_utf8_lossy(&name[..name.len().min(40)]).into_owned()
}
