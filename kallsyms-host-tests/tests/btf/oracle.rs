//! Names found slowly: a list of all types, gone through from the start.

use kallsyms_core::btf::{Btf, Find, HashIndex, Kind, Layer, SortedBtf, TypeId};
use kallsyms_host_tests::btf::Decoded;
use kallsyms_host_tests::btf::record::{Word, kind};

/// Id, kind and name of every type of a chain, the base's first.
#[derive(Default, Clone)]
pub(crate) struct Oracle {
    types: Vec<(u32, u8, Vec<u8>)>,
    first_own: u32,
    kfuncs: Vec<u32>,
}

impl Oracle {
    pub(crate) fn new<'d>(chain: impl IntoIterator<Item = &'d Decoded>) -> Self {
        let mut oracle = Self::default();
        let mut tagged = Vec::new();
        for decoded in chain {
            let tags = decoded.records.iter().filter(|record| record.name == b"bpf_kfunc");
            let whole = tags.filter(|tag| tag.kind == kind::DECL_TAG && tag.words == [Word::Plain(u32::MAX)]);
            tagged.extend(whole.map(|tag| tag.size_or_type));
            oracle.first_own = decoded.first_id;
            oracle.types.extend(decoded.types().map(|(id, record)| (id, record.kind, record.name.clone())));
        }
        let is_func = |id: &u32| {
            id.checked_sub(1)
                .and_then(|at| oracle.types.get(at as usize))
                .is_some_and(|found| found.1 == kind::FUNC)
        };
        oracle.kfuncs = tagged.into_iter().filter(is_func).collect();
        oracle
    }

    fn find(&self, name: &[u8], kind: u8, from: u32) -> Option<u32> {
        // As libbpf has it.
        if kind == kind::VOID || name == b"void" {
            return Some(0);
        }
        let fits = |(id, of, called): &&(u32, u8, Vec<u8>)| *id >= from && *of == kind && called == name;
        self.types.iter().find(fits).map(|(id, ..)| *id)
    }

    fn all(&self, name: &[u8]) -> Vec<u32> {
        self.types.iter().filter(|(_, _, called)| called == name).map(|(id, ..)| *id).collect()
    }

    /// Functions that BPF programs may call.
    pub(crate) fn kfuncs(&self) -> &[u32] {
        &self.kfuncs
    }

    /// Every question about these names.
    pub(crate) fn check(&self, by: &impl Find, names: &[&[u8]], kinds: &[u8]) {
        let id = |found: Option<kallsyms_core::btf::Type<'_>>| found.map(|found| found.id().0);
        assert!(by.kfuncs().map(|found| found.id().0).eq(self.kfuncs.iter().copied()));
        let mut queries = Vec::new();
        for &name in names {
            for &number in kinds {
                let kind = Kind::from_number(number);
                let expected = self.find(name, number, 0);
                let text = || format!("{kind} {:?} over {}", String::from_utf8_lossy(name), self.first_own);
                assert_eq!(by.find_id(name, kind).map(|id| id.0), expected, "{}", text());
                assert_eq!(id(by.find(name, kind)), expected, "{}", text());
                assert_eq!(
                    id(by.find_own(name, kind)),
                    self.find(name, number, self.first_own),
                    "{}",
                    text()
                );
                queries.push((name, kind, expected));
            }
            let all: Vec<u32> = by.find_all(name).map(|found| found.id().0).collect();
            assert_eq!(all, self.all(name), "{:?}", String::from_utf8_lossy(name));
            assert!(by.find_all(name).all(|found| found.name() == name));
            let tags: Vec<u32> = by.decl_tags(name).map(|found| found.id().0).collect();
            let is_tag = |id: &u32| self.types[*id as usize - 1].1 == kind::DECL_TAG;
            assert_eq!(tags, self.all(name).into_iter().filter(is_tag).collect::<Vec<u32>>());
        }
        let asked: Vec<(&[u8], Kind)> = queries.iter().map(|&(name, kind, _)| (name, kind)).collect();
        let expected: Vec<Option<TypeId>> = queries.iter().map(|&(.., found)| found.map(TypeId)).collect();
        let total = asked.len();
        for (asked_len, slots) in
            [(total, total), (total, total + 3), (total, total.saturating_sub(5)), (17, 40)]
        {
            let asked = &asked[..asked_len.min(total)];
            let mut out = vec![Some(TypeId(u32::MAX)); slots];
            let found = by.find_many(asked, &mut out);
            let answered = asked.len().min(slots);
            assert_eq!(out[..answered], expected[..answered]);
            assert!(out[answered..].iter().all(Option::is_none));
            assert_eq!(found, out.iter().flatten().count());
        }
    }
}

/// A BTF with a way to search it.
pub(crate) enum Searched<'a> {
    Linear(Btf<'a>),
    Sorted(SortedBtf<'a>),
    Indexed(HashIndex<'a>),
}

/// The ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Linear,
    Sorted,
    Indexed,
}

pub(crate) const WAYS: [Way; 3] = [Way::Linear, Way::Sorted, Way::Indexed];

impl<'a> Searched<'a> {
    /// `None` where there is no order to bisect.
    pub(crate) fn new(btf: Btf<'a>, way: Way, words: &'a mut Vec<u64>) -> Option<Self> {
        Some(match way {
            Way::Linear => Self::Linear(btf),
            Way::Sorted => Self::Sorted(SortedBtf::new(btf).ok()?),
            Way::Indexed => {
                words.resize(HashIndex::words(&btf), u64::MAX);
                Self::Indexed(HashIndex::build(btf, words).expect("there is room"))
            }
        })
    }

    pub(crate) fn layer(&'a self) -> Layer<'a> {
        match self {
            Self::Linear(btf) => btf.into(),
            Self::Sorted(sorted) => sorted.into(),
            Self::Indexed(index) => index.into(),
        }
    }

    /// What the oracle says, with every question.
    pub(crate) fn check(&self, oracle: &Oracle, names: &[&[u8]], kinds: &[u8]) {
        match self {
            Self::Linear(btf) => oracle.check(btf, names, kinds),
            Self::Sorted(sorted) => oracle.check(sorted, names, kinds),
            Self::Indexed(index) => oracle.check(index, names, kinds),
        }
    }
}
