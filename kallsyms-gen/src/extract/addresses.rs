//! From the names to the addresses: which of the known layouts the bytes are in.

use std::ops::Range;

use kallsyms_core::linux::{NameOrder, Width};

use super::bytes::{Bytes, align_up};
use super::error::Fault;
use super::forms;
use super::name_order::{SEQ_LEN, name_order};
use super::names::Names;
use super::records::Spelled;
use super::tokens::Tokens;
use crate::linux::AddressForm;

/// The order in which the tables lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    /// Up to 6.3: offsets, `relative_base`, `num_syms`, names, markers, the order of names, tokens.
    UpTo6_3,
    /// 6.4 to 6.19: `num_syms`, names, markers, tokens, offsets, `relative_base`, the order of names.
    From6_4,
    /// From 7.0 on: the same without `relative_base`.
    From7_0,
}

/// One way to read the addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) order: MemoryOrder,
    pub(super) pointer: Width,
    pub(super) form: AddressForm,
    pub(super) offsets: Range<usize>,
    /// Where `relative_base` is.
    pub(super) base_at: Option<usize>,
    pub(super) seqs: Option<Seqs>,
}

/// Where the order of names is, and what it is sorted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seqs {
    pub(super) range: Range<usize>,
    /// `None` where it is an order that nobody can search.
    pub(super) order: Option<NameOrder>,
}

/// Bytes with names in them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) numbers: Bytes<'a>,
    pub(super) tokens: &'a Tokens,
    pub(super) names: &'a Names,
    pub(super) spelled: &'a Spelled,
}

/// The one reading that fits.
pub(super) fn find(found: &Found<'_>, pointer: Option<Width>) -> Result<Reading, Fault> {
    let widths = [Width::Bits64, Width::Bits32];
    let widths = || widths.into_iter().filter(|&width| pointer.is_none_or(|known| known == width));
    // An order of names among the names is in no later layout, and one behind the tokens in no earlier.
    let mut readings = Vec::new();
    if found.names.seqs.is_none() {
        readings.extend(widths().flat_map(|width| found.behind_tokens(width)));
    }
    if readings.is_empty() {
        readings.extend(widths().flat_map(|width| found.before_names(width)));
    }
    // Without a pointer in them, the tables of both widths are the same.
    readings.dedup_by(|second, first| {
        second.base_at.is_none() && Reading { pointer: first.pointer, ..second.clone() } == *first
    });
    if readings.len() > 1 {
        let numbers = &found.numbers;
        let in_a_page = |reading: &Reading| {
            reading
                .base_at
                .is_none_or(|at| numbers.word(at, reading.pointer).is_some_and(|base| base & 0xfff == 0))
        };
        if readings.iter().any(in_a_page) {
            readings.retain(in_a_page);
        }
    }
    let (names, num_syms) = (found.names.records.start, found.names.num_syms);
    match readings.len() {
        0 => Err(Fault::NoAddresses { names, num_syms }),
        1 => Ok(readings.remove(0)),
        _ => {
            let name = |reading: &Reading| {
                let bits = reading.pointer.bytes() * 8;
                format!("{} of {bits} bits at {:#x}", reading.form.name(), reading.offsets.start)
            };
            Err(Fault::Ambiguous { names, num_syms, readings: readings.iter().map(name).collect() })
        }
    }
}

impl Found<'_> {
    fn count(&self) -> usize {
        self.names.num_syms as usize
    }

    /// Up to 6.3.
    fn before_names(&self, pointer: Width) -> Vec<Reading> {
        let seqs = match self.names.seqs {
            None => None,
            Some(at) => match self.seqs(at) {
                None => return Vec::new(),
                seqs => seqs,
            },
        };
        let reading = |form, offsets, base_at| Reading {
            order: MemoryOrder::UpTo6_3,
            pointer,
            form,
            offsets,
            base_at,
            seqs: seqs.clone(),
        };
        let offsets = || {
            let base_at = self.names.num_syms_at.checked_sub(pointer.bytes())?;
            let start = base_at.checked_sub(4 * self.count())? & !(pointer.bytes() - 1);
            let range = self.padded(start, base_at)?;
            let form = self.based(range.clone(), base_at, pointer)?;
            Some(reading(form, range, Some(base_at)))
        };
        let addresses = || {
            let start = self.names.num_syms_at.checked_sub(pointer.bytes() * self.count())?;
            let range = start..self.names.num_syms_at;
            self.absolute(range.clone(), pointer).then(|| reading(AddressForm::Absolute, range, None))
        };
        offsets().into_iter().chain(addresses()).collect()
    }

    /// From 6.4 on; the order of names tells where the addresses end.
    fn behind_tokens(&self, pointer: Width) -> Vec<Reading> {
        let start = self.tokens.end();
        let offsets = start..start + 4 * self.count();
        let reading = |order, form, offsets, base_at, seqs| {
            vec![Reading { order, pointer, form, offsets, base_at, seqs: Some(seqs) }]
        };
        if let Some(base_at) = align_up(offsets.end, pointer.bytes())
            && let Some(seqs) = self.seqs(base_at + pointer.bytes())
        {
            let form = self
                .based(offsets.clone(), base_at, pointer)
                .filter(|_| self.padded(start, base_at).is_some());
            return form.map_or(Vec::new(), |form| {
                reading(MemoryOrder::From6_4, form, offsets, Some(base_at), seqs)
            });
        }
        // Of 32 bits they are as those from 7.0 on, and no kernel of 6.4 to 6.10 is built with such.
        let addresses = start..start + pointer.bytes() * self.count();
        let absolute = pointer == Width::Bits64 && self.absolute(addresses.clone(), pointer);
        if absolute && let Some(seqs) = self.seqs(addresses.end) {
            return reading(MemoryOrder::From6_4, AddressForm::Absolute, addresses, None, seqs);
        }
        let Some(seqs) = self.seqs(offsets.end) else { return Vec::new() };
        let forms = self.unbased(offsets.clone(), pointer).into_iter();
        forms
            .flat_map(|form| reading(MemoryOrder::From7_0, form, offsets.clone(), None, seqs.clone()))
            .collect()
    }

    fn seqs(&self, at: usize) -> Option<Seqs> {
        let order = name_order(self.numbers.bytes, at, self.names.num_syms, self.spelled)?;
        Some(Seqs { range: at..at + SEQ_LEN * self.count(), order })
    }

    /// The offsets from a place, if only padding follows up to another.
    fn padded(&self, start: usize, to: usize) -> Option<Range<usize>> {
        let end = start.checked_add(4 * self.count())?;
        self.numbers.is_padding(end, to).then_some(start..end)
    }

    fn words(&self, range: Range<usize>, width: Width) -> impl Iterator<Item = u64> + Clone {
        range.step_by(width.bytes()).map_while(move |at| self.numbers.word(at, width))
    }

    fn offsets(&self, range: Range<usize>) -> impl Iterator<Item = u32> + Clone {
        range.step_by(4).map_while(move |at| self.numbers.u32(at))
    }

    fn based(&self, range: Range<usize>, base_at: usize, pointer: Width) -> Option<AddressForm> {
        let base = self.numbers.word(base_at, pointer)?;
        if forms::is_signed_percpu(self.offsets(range.clone())) {
            return Some(AddressForm::SignedPercpu);
        }
        forms::is_unsigned_base(self.offsets(range), base, pointer).then_some(AddressForm::UnsignedBase)
    }

    fn absolute(&self, range: Range<usize>, pointer: Width) -> bool {
        self.words(range.clone(), pointer).count() == self.count()
            && forms::is_absolute(self.words(range, pointer))
    }

    fn unbased(&self, range: Range<usize>, pointer: Width) -> Vec<AddressForm> {
        let relative = forms::is_pc_relative(self.offsets(range.clone()));
        let plain = forms::is_offset(self.offsets(range.clone()));
        // Ascending numbers read as distances ascend even faster: then no two symbols are at one address, and
        // in every kernel some are.
        let relative = relative && !(plain && forms::has_aliases(self.offsets(range)));
        // From 7.0 on only 32-bit kernels have plain ones.
        let plain = plain && pointer == Width::Bits32;
        let forms = [(relative, AddressForm::PcRelative), (plain, AddressForm::Offset)];
        forms.into_iter().filter_map(|(fits, form)| fits.then_some(form)).collect()
    }
}
