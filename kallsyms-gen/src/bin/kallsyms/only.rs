//! `--only FILE`: the functions that ftrace can trace.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result};
use kallsyms_core::Symbol;
use kallsyms_core::procfs::{self, Function};
use kallsyms_core::table::{Layout, Table};

use crate::files;

/// An `available_filter_functions` or `available_filter_functions_addrs` text.
pub(crate) struct Only<'f> {
    functions: Vec<Function<'f>>,
}

/// Which symbols of a table a text tells.
pub(crate) enum Acceptable<'f> {
    /// By name and module: the text has no addresses.
    Named(HashSet<(&'f [u8], Option<&'f [u8]>)>),
    /// By the start of the symbol that holds the patched place, which is a few bytes into the function where
    /// that begins with a landing pad.
    Placed(HashSet<u64>),
}

impl<'f> Only<'f> {
    /// Reads the text; its first line tells which of the two it is.
    pub(crate) fn read(path: &Path, text: &'f [u8]) -> Result<Self> {
        let functions: Result<Vec<_>, _> = if has_places(text) {
            procfs::available_filter_functions_addrs(text).collect()
        } else {
            procfs::available_filter_functions(text).collect()
        };
        let functions = functions
            .with_context(|| format!("{}: no list of functions that ftrace has", files::name(path)))?;
        Ok(Self { functions: functions.into_iter().filter(|function| !function.is_placeholder()).collect() })
    }

    pub(crate) fn of_table<L: Layout>(&self, table: &Table<L>) -> Acceptable<'f> {
        let places: Option<Vec<u64>> = self.functions.iter().map(|function| function.addr).collect();
        match places {
            Some(places) => Acceptable::Placed(
                places
                    .into_iter()
                    .filter_map(|place| Some(table.lookup(place)?.symbol().address()))
                    .collect(),
            ),
            None => Acceptable::Named(
                self.functions.iter().map(|function| (function.name, function.module)).collect(),
            ),
        }
    }
}

/// Whether the first line has an address and a name behind it; a module is no name, so `fade [xfs]` has none.
fn has_places(text: &[u8]) -> bool {
    let first = procfs::available_filter_functions_addrs(text).next();
    first.is_some_and(|line| line.is_ok_and(|function| !function.name.starts_with(b"[")))
}

impl Acceptable<'_> {
    pub(crate) fn accepts<L: Layout>(&self, symbol: &Symbol<'_, L>) -> bool {
        match self {
            Self::Placed(starts) => starts.contains(&symbol.address()),
            Self::Named(names) => {
                let name: Vec<u8> = symbol.name().bytes().collect();
                names.contains(&(name.as_slice(), symbol.module()))
            }
        }
    }
}
