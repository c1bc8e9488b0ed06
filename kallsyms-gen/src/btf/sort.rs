//! The types in the order of their names.

use kallsyms_core::btf::{Btf, ExtError, Permutation, PermuteError};

/// BTF whose types are in the order of their names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sorted {
    /// The BTF, as long as it was.
    pub bytes: Vec<u8>,
    /// The `.BTF.ext` that goes with it.
    pub ext: Option<Vec<u8>>,
    /// How many types have another number than before.
    pub moved: usize,
}

/// Why types cannot be sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SortError {
    /// The types refer to others in a way that cannot be followed.
    #[error(transparent)]
    Types(#[from] PermuteError),
    /// The `.BTF.ext` cannot be followed.
    #[error(".BTF.ext: {0}")]
    Ext(#[from] ExtError),
}

/// Sorts the types as libbpf 1.7 and Linux 7.0 do; what is sorted comes back as it is.
///
/// # Errors
///
/// [`SortError`].
pub fn sort(btf: &Btf<'_>, ext: Option<&[u8]>) -> Result<Sorted, SortError> {
    if btf.is_sorted() {
        return Ok(Sorted { bytes: btf.as_bytes().to_vec(), ext: ext.map(<[u8]>::to_vec), moved: 0 });
    }
    let mut room = vec![0; Permutation::words(btf)];
    let permutation = btf.permutation(&mut room)?;
    let mut bytes = vec![0; btf.as_bytes().len()];
    btf.permute(&permutation, &mut bytes)?;
    let ext = match ext {
        Some(old) => {
            let mut new = vec![0; old.len()];
            permutation.permute_ext(old, &mut new)?;
            Some(new)
        }
        None => None,
    };
    let own = btf.start_id().0..btf.end_id().0;
    let new_ids = permutation.id_map().iter().rev();
    let moved = own.rev().zip(new_ids).filter(|(old, new)| old != *new).count();
    Ok(Sorted { bytes, ext, moved })
}
