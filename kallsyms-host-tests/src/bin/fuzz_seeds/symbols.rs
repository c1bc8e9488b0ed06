//! Where symbols come from.

use kallsyms_gen::input::{self, Options};
use kallsyms_gen::linux::folder;
use kallsyms_gen::symbols::{Symbol, Symbols};
use kallsyms_host_tests::fixtures::{linux_like, sized};
use kallsyms_host_tests::{data, synthetic};

/// Symbols by name.
pub(crate) type Source = (&'static str, Symbols);

/// A few symbols of each source: tests' own, those of this program, made-up ones, those of a kernel.
pub(crate) fn sources() -> Vec<Source> {
    let mut sources = vec![("linux-like", linux_like()), ("sized", sized())];
    sources.push(("made-up", few(&synthetic::symbols(5_000), 4_000, 60)));
    if let Some(own) = own_symbols() {
        sources.push(("own", few(&own, own.list.len() / 2, 40)));
    }
    if let Some(path) = data::folder("seeds", "linux-6.12.107") {
        let tables = folder::read(&path).expect("a folder of tables");
        let whole = input::read_tables(&tables, &Options::default()).expect("symbols").symbols;
        sources.push(("percpu", few(&whole, 0, 50)));
        sources.push(("kernel", few(&whole, 50_000, 80)));
    }
    sources
}

fn own_symbols() -> Option<Symbols> {
    let file = std::fs::read(std::env::current_exe().ok()?).ok()?;
    Some(input::read(&file, &Options::default()).ok()?.symbols)
}

/// `count` symbols from one on, as a text would list them.
fn few(symbols: &Symbols, first: usize, count: usize) -> Symbols {
    let list = symbols.list.iter().skip(first).take(count);
    let list =
        list.map(|symbol| Symbol { size: None, parent: None, module: None, ..symbol.clone() }).collect();
    Symbols { list, address_digits: symbols.address_digits, ..Symbols::default() }
}
