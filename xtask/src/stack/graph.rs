//! Who calls whom in compiled code, and what each function takes of the stack.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::{Context, Result, ensure};
use object::read::archive::ArchiveFile;
use object::{
    Object, ObjectSection, ObjectSymbol, RelocationKind, RelocationTarget, SectionKind, SymbolKind,
};

/// Bytes that a call pushes.
const RETURN_ADDRESS: u64 = 8;

/// A section of an object file: a function, as each has its own, or a constant that may point at some.
#[derive(Debug, Default)]
struct Node {
    /// Of the function, demangled; of a constant none.
    name: Option<String>,
    /// Bytes of its frame without the return address, if the compiler has told.
    frame: Option<u64>,
    refers: BTreeSet<usize>,
    /// What it ends with a jump to, its own frame gone.
    continues: BTreeSet<usize>,
    /// Functions of other libraries, whose frames nobody knows.
    outside: BTreeSet<String>,
}

/// All functions of some libraries.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
}

/// The deepest stack of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Depth {
    /// Bytes, the return addresses of all calls among them.
    pub(super) bytes: u64,
    /// The functions on the way there, outermost first.
    pub(super) path: Vec<String>,
    /// What of other libraries may be called on any way.
    pub(super) outside: BTreeSet<String>,
}

impl Depth {
    /// Goes another way if that is deeper; whether it is.
    fn deepen(&mut self, other: Self) -> bool {
        self.outside.extend(other.outside);
        let is_deeper = other.bytes > self.bytes;
        if is_deeper {
            (self.bytes, self.path) = (other.bytes, other.path);
        }
        is_deeper
    }
}

/// What is known of a node while its callees are followed.
enum State {
    Open,
    Known(Depth),
}

impl Graph {
    /// Reads the object files of some archives.
    pub(super) fn read(archives: &[Vec<u8>]) -> Result<Self> {
        let mut graph = Self::default();
        let mut objects = Vec::new();
        for bytes in archives {
            let archive = ArchiveFile::parse(&**bytes)?;
            for member in archive.members() {
                let member = member?;
                if member.name().ends_with(b".o") {
                    objects.push(object::File::parse(member.data(&**bytes)?)?);
                }
            }
        }
        // A number for each section, and where every global function is.
        let mut first = Vec::new();
        let mut global = HashMap::new();
        for object in &objects {
            let base = graph.nodes.len();
            first.push(base);
            let sections = object.sections().map(|section| section.index().0).max().unwrap_or(0) + 1;
            graph.nodes.resize_with(base + sections, Node::default);
            for symbol in object.symbols() {
                let Some(section) = symbol.section_index() else { continue };
                let node = base + section.0;
                if symbol.kind() == SymbolKind::Text {
                    let name = format!("{:#}", rustc_demangle::demangle(symbol.name()?));
                    graph.nodes.get_mut(node).context("a symbol without a section")?.name = Some(name);
                }
                if symbol.is_global() {
                    global.insert(symbol.name()?.to_owned(), node);
                }
            }
        }
        for (object, &base) in objects.iter().zip(&first) {
            graph.read_object(object, base, &global)?;
        }
        ensure!(graph.nodes.iter().any(|node| node.frame.is_some()), "the compiler gave no stack sizes");
        Ok(graph)
    }

    fn read_object(
        &mut self,
        object: &object::File<'_>,
        base: usize,
        global: &HashMap<String, usize>,
    ) -> Result<()> {
        for section in object.sections() {
            let sizes = section.name()? == ".stack_sizes";
            let followed = matches!(
                section.kind(),
                SectionKind::Text | SectionKind::ReadOnlyData | SectionKind::ReadOnlyDataWithRel
            );
            if !sizes && !followed {
                continue;
            }
            for (offset, relocation) in section.relocations() {
                let RelocationTarget::Symbol(index) = relocation.target() else { continue };
                // A constant that counts from itself is the table of a jump inside of a function.
                if section.kind() != SectionKind::Text && relocation.kind() != RelocationKind::Absolute {
                    continue;
                }
                let symbol = object.symbol_by_index(index)?;
                let node = match symbol.section_index() {
                    Some(section) => Some(base + section.0),
                    None => global.get(symbol.name()?).copied(),
                };
                match node {
                    Some(node) if sizes => {
                        self.nodes[node].frame = Some(stack_size(section.data()?, offset)?)
                    }
                    Some(node) => {
                        let this = &mut self.nodes[base + section.index().0];
                        let jumps = section.kind() == SectionKind::Text && is_jump(section.data()?, offset);
                        if jumps {
                            this.continues.insert(node)
                        } else {
                            this.refers.insert(node)
                        };
                    }
                    None => {
                        let name = format!("{:#}", rustc_demangle::demangle(symbol.name()?));
                        self.nodes[base + section.index().0].outside.insert(name);
                    }
                }
            }
        }
        Ok(())
    }

    /// The deepest stack of every function whose name this accepts.
    ///
    /// A function whose address is taken counts as called, whoever calls it.
    ///
    /// # Errors
    ///
    /// Fails where a function may call itself: then there is no deepest.
    pub(super) fn depths(&self, wanted: impl Fn(&str) -> bool) -> Result<BTreeMap<String, Depth>> {
        let mut known = BTreeMap::new();
        let mut depths = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if let Some(name) = node.name.as_deref().filter(|name| wanted(name)) {
                depths.insert(name.to_owned(), self.depth(number, &mut known)?);
            }
        }
        Ok(depths)
    }

    fn depth(&self, number: usize, known: &mut BTreeMap<usize, State>) -> Result<Depth> {
        match known.get(&number) {
            Some(State::Known(depth)) => return Ok(depth.clone()),
            Some(State::Open) => anyhow::bail!("{} may call itself", self.name(number)),
            None => {}
        }
        known.insert(number, State::Open);
        let node = &self.nodes[number];
        let mut deepest = Depth { bytes: 0, path: Vec::new(), outside: node.outside.clone() };
        for &callee in node.refers.iter().filter(|&&callee| callee != number) {
            let depth =
                self.depth(callee, known).with_context(|| format!("called by {}", self.name(number)))?;
            deepest.deepen(depth);
        }
        if let Some(name) = &node.name {
            let frame = node.frame.with_context(|| format!("the compiler gave no stack size of {name}"))?;
            deepest.bytes += frame + RETURN_ADDRESS;
            deepest.path.insert(0, format!("{name} {frame}"));
        }
        for &next in node.continues.iter().filter(|&&next| next != number) {
            let depth =
                self.depth(next, known).with_context(|| format!("jumped to by {}", self.name(number)))?;
            if deepest.deepen(depth) {
                deepest.path.insert(0, format!("{} (jumps)", self.name(number)));
            }
        }
        known.insert(number, State::Known(deepest.clone()));
        Ok(deepest)
    }

    fn name(&self, number: usize) -> &str {
        self.nodes[number].name.as_deref().unwrap_or("a constant")
    }
}

/// Whether the displacement at `offset` is that of a jump: E9, 0F 8x, or FF 25.
fn is_jump(code: &[u8], offset: u64) -> bool {
    let before = code.get(..offset as usize).unwrap_or_default();
    matches!(before, [.., 0xe9] | [.., 0x0f, 0x80..=0x8f] | [.., 0xff, 0x25])
}

/// The size behind the address that stands at `offset`: an unsigned LEB128.
fn stack_size(bytes: &[u8], offset: u64) -> Result<u64> {
    let rest = bytes.get(offset as usize + 8..).context("a stack size is cut off")?;
    let mut size = 0;
    for (place, byte) in rest.iter().take(9).enumerate() {
        size |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(size);
        }
    }
    anyhow::bail!("a stack size has no end")
}
