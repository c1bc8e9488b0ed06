//! Real BTF, in both byte orders.

use kallsyms_core::btf::Btf;
use kallsyms_host_tests::btf::{Decoded, sources, swap};

/// A real BTF, opened by the slow reader.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) decoded: Decoded,
    pub(crate) base: Option<(Vec<u8>, Decoded)>,
}

/// Every real BTF that this machine has, and each in the other byte order.
pub(crate) fn all(test: &str) -> Vec<Input> {
    let plain: fn(&[u8]) -> Vec<u8> = |bytes| bytes.to_vec();
    let sources = sources::all(test);
    let forms = [("", plain), (", swapped", swap::swapped)];
    let inputs = sources.iter().flat_map(|source| {
        forms.map(|(form, of)| {
            let read = |bytes: &[u8], base| Decoded::read(bytes, base).expect("is sound");
            let base = source.base.as_ref().map(|base| of(base));
            let base = base.map(|base| (base.clone(), read(&base, None)));
            let bytes = of(&source.bytes);
            let decoded = read(&bytes, base.as_ref().map(|(_, base)| base));
            Input { name: format!("{}{form}", source.name), bytes, decoded, base }
        })
    });
    inputs.collect()
}

impl Input {
    /// What `ask` says to the BTF, over its base.
    pub(crate) fn open<T>(&self, ask: impl FnOnce(&Btf<'_>) -> T) -> T {
        match &self.base {
            None => ask(&Btf::parse(&self.bytes).expect("is sound")),
            Some((base, _)) => {
                let base = Btf::parse(base).expect("is sound");
                ask(&Btf::split(&base, &self.bytes).expect("is sound"))
            }
        }
    }
}
