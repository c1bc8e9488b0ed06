//! libbpf's own reader, as it is in the crate `libbpf-sys`.
//!
//! Version 1.7.0 knows no layout section and reads 16 bits of `vlen` and 5 of the kind; to it, "void" of any kind
//! is type 0, and so is any name of kind 0.
#![expect(unsafe_code, reason = "libbpf is C")]

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};
use std::sync::Once;
use std::{io, slice};

use libbpf_sys as sys;

// SAFETY: libbpf defines it so; it reads a BTF and a C string.
unsafe extern "C" {
    // Not part of the public header, but of the static library.
    fn btf__find_by_name_kind_own(btf: *const sys::btf, name: *const c_char, kind: u32) -> i32;
}

/// What libbpf says where it fails: a number of `errno.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Errno(pub i32);

/// No such entry.
pub const ENOENT: Errno = Errno(2);
/// An argument or file that libbpf does not accept.
pub const EINVAL: Errno = Errno(22);

impl Errno {
    fn last() -> Self {
        Self(io::Error::last_os_error().raw_os_error().unwrap_or_default())
    }
}

/// How libbpf searches a file by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// Type by type.
    Linear,
    /// By bisection: libbpf has found the types in the order of their names.
    Bisection,
}

/// An opened BTF; `'base` is its base's.
#[derive(Debug)]
pub struct Libbpf<'base> {
    raw: NonNull<sys::btf>,
    base: PhantomData<&'base Libbpf<'base>>,
}

/// An opened `.BTF.ext`.
#[derive(Debug)]
pub struct LibbpfExt {
    raw: NonNull<sys::btf_ext>,
}

/// libbpf explains every error on stderr, and the tests make many.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: there is no precondition; `None` is what the function takes for "print nothing".
        unsafe { sys::libbpf_set_print(None) };
    });
}

/// `len` as libbpf takes it.
fn size(bytes: &[u8]) -> Result<u32, Errno> {
    u32::try_from(bytes.len()).map_err(|_| EINVAL)
}

impl Libbpf<'static> {
    /// Opens a file that is not split.
    ///
    /// # Errors
    ///
    /// libbpf's.
    pub fn open(bytes: &[u8]) -> Result<Self, Errno> {
        silence();
        let len = size(bytes)?;
        // SAFETY: the pointer is good for `len` bytes, which the function copies.
        let raw = unsafe { sys::btf__new(bytes.as_ptr().cast(), len) };
        Ok(Self { raw: NonNull::new(raw).ok_or_else(Errno::last)?, base: PhantomData })
    }
}

impl<'base> Libbpf<'base> {
    /// Opens a file that is split over this one.
    ///
    /// # Errors
    ///
    /// libbpf's.
    pub fn split<'this>(&'this self, bytes: &[u8]) -> Result<Libbpf<'this>, Errno>
    where
        'base: 'this,
    {
        let len = size(bytes)?;
        // SAFETY: the pointer is good for `len` bytes, which the function copies. The base outlives the result
        // by the lifetime that the result carries, and nothing changes it meanwhile: that takes `&mut`.
        let raw = unsafe { sys::btf__new_split(bytes.as_ptr().cast(), len, self.raw.as_ptr()) };
        Ok(Libbpf { raw: NonNull::new(raw).ok_or_else(Errno::last)?, base: PhantomData })
    }

    /// `btf__find_by_name_kind`
    #[must_use]
    pub fn find(&self, name: &CStr, kind: u8) -> Option<u32> {
        // SAFETY: `raw` is open until it is dropped, and `name` ends with a NUL.
        let id = unsafe { sys::btf__find_by_name_kind(self.raw.as_ptr(), name.as_ptr(), kind.into()) };
        u32::try_from(id).ok()
    }

    /// `btf__find_by_name_kind_own`: the base is left out.
    #[must_use]
    pub fn find_own(&self, name: &CStr, kind: u8) -> Option<u32> {
        // SAFETY: `raw` is open until it is dropped, and `name` ends with a NUL. The signature above is that of
        // the header of the same version.
        let id = unsafe { btf__find_by_name_kind_own(self.raw.as_ptr(), name.as_ptr(), kind.into()) };
        u32::try_from(id).ok()
    }

    /// The id behind the last.
    #[must_use]
    pub fn type_count(&self) -> u32 {
        // SAFETY: `raw` is open until it is dropped.
        unsafe { sys::btf__type_cnt(self.raw.as_ptr()) }
    }

    /// The first own id: the type count of the base.
    #[must_use]
    pub fn first_id(&self) -> u32 {
        // SAFETY: `raw` is open until it is dropped.
        let base = unsafe { sys::btf__base_btf(self.raw.as_ptr()) };
        if base.is_null() {
            return 1;
        }
        // SAFETY: the base is open while this is, by the lifetime of `self`.
        unsafe { sys::btf__type_cnt(base) }
    }

    /// Kind of a type.
    #[must_use]
    pub fn kind(&self, id: u32) -> Option<u8> {
        Some((self.record(id)?.info >> 24 & 0x1f) as u8)
    }

    /// Name of a type.
    #[must_use]
    pub fn name(&self, id: u32) -> Option<&CStr> {
        let name_off = self.record(id)?.name_off;
        // SAFETY: `raw` is open until it is dropped.
        let name = unsafe { sys::btf__str_by_offset(self.raw.as_ptr(), name_off) };
        if name.is_null() {
            return None;
        }
        // SAFETY: the strings of an opened file end with a NUL, and they stay where they are while `self` is
        // borrowed: only `permute` moves them.
        Some(unsafe { CStr::from_ptr(name) })
    }

    /// `btf__resolve_size`
    ///
    /// # Errors
    ///
    /// That there is no size, or that it is above 4 GiB.
    pub fn resolve_size(&self, id: u32) -> Result<u64, Errno> {
        // SAFETY: `raw` is open until it is dropped.
        let size = unsafe { sys::btf__resolve_size(self.raw.as_ptr(), id) };
        u64::try_from(size).map_err(|_| Errno(size.unsigned_abs() as i32))
    }

    /// `btf__permute`; what was a bisection is a linear search afterwards, until the file is opened again.
    ///
    /// # Errors
    ///
    /// libbpf's.
    pub fn permute(&mut self, new_ids: &[u32], ext: Option<&mut LibbpfExt>) -> Result<(), Errno> {
        let mut new_ids = new_ids.to_vec();
        // The function reads the first before it looks at their number.
        if new_ids.is_empty() {
            return Err(EINVAL);
        }
        let options = sys::btf_permute_opts {
            sz: size_of::<sys::btf_permute_opts>() as _,
            btf_ext: ext.map_or(ptr::null_mut(), |ext| ext.raw.as_ptr()),
        };
        let (ids, count) = (new_ids.as_mut_ptr(), new_ids.len() as u32);
        // SAFETY: `raw` and the extension are open and not shared, as they are behind `&mut`; the ids are good
        // for `count` words.
        let error = unsafe { sys::btf__permute(self.raw.as_ptr(), ids, count, &raw const options) };
        if error == 0 { Ok(()) } else { Err(Errno(-error)) }
    }

    /// `btf__raw_data`: the file as it is now.
    ///
    /// # Errors
    ///
    /// libbpf's.
    pub fn raw_data(&self) -> Result<Vec<u8>, Errno> {
        let mut len = 0;
        // SAFETY: `raw` is open until it is dropped; what the function keeps for later is not seen elsewhere, and
        // no other thread has the pointer.
        let data = unsafe { sys::btf__raw_data(self.raw.as_ptr(), &raw mut len) };
        if data.is_null() {
            return Err(Errno::last());
        }
        // SAFETY: `len` bytes were written there, and they stay until the file is changed or closed.
        Ok(unsafe { slice::from_raw_parts(data.cast::<u8>(), len as usize) }.to_vec())
    }

    /// How libbpf searches the own types by name, without a clock: the first and the last name change places in
    /// libbpf's own memory, so that a linear search finds what a bisection cannot.
    ///
    /// `None` where both must answer the same: there is but one name.
    pub fn search(&mut self) -> Option<Search> {
        let named = |id: &u32| self.name(*id).is_some_and(|name| !name.is_empty());
        let first = (self.first_id()..self.type_count()).find(named)?;
        let first_name = self.name(first)?;
        let last =
            (first..self.type_count()).rev().find(|id| named(id) && self.name(*id) != Some(first_name))?;
        let wanted = first_name.to_owned();
        // A kind that no type has, so that no other type of this name is taken for it.
        let (one, other) = (self.record(first)?, self.record(last)?);
        let info = 30 << 24;
        self.set(first, other.name_off, one.info);
        self.set(last, one.name_off, info);
        let found = self.find_own(&wanted, 30);
        self.set(first, one.name_off, one.info);
        self.set(last, other.name_off, other.info);
        Some(if found == Some(last) { Search::Linear } else { Search::Bisection })
    }

    fn record(&self, id: u32) -> Option<sys::btf_type> {
        // SAFETY: `raw` is open until it is dropped.
        let record = unsafe { sys::btf__type_by_id(self.raw.as_ptr(), id) };
        if record.is_null() {
            return None;
        }
        // SAFETY: it points to three words of an opened file, or to libbpf's void. Where the file's header is of
        // an odd length, they are not aligned.
        Some(unsafe { record.read_unaligned() })
    }

    /// Two words of an own type in libbpf's memory.
    fn set(&mut self, id: u32, name_off: u32, info: u32) {
        assert!((self.first_id()..self.type_count()).contains(&id), "own types only");
        // SAFETY: `raw` is open until it is dropped.
        let record = unsafe { sys::btf__type_by_id(self.raw.as_ptr(), id) }.cast_mut();
        // SAFETY: the id is of an own type, which is in memory that libbpf got from malloc; the reference to
        // `self` is the only one.
        let mut changed = unsafe { record.read_unaligned() };
        changed.name_off = name_off;
        changed.info = info;
        // SAFETY: as above.
        unsafe { record.write_unaligned(changed) };
    }
}

impl Drop for Libbpf<'_> {
    fn drop(&mut self) {
        // SAFETY: `raw` came from `btf__new` or `btf__new_split`, is not used afterwards, and no file is split
        // over it any more, as that borrows this one.
        unsafe { sys::btf__free(self.raw.as_ptr()) };
    }
}

impl LibbpfExt {
    /// Opens a `.BTF.ext`.
    ///
    /// # Errors
    ///
    /// libbpf's.
    pub fn open(bytes: &[u8]) -> Result<Self, Errno> {
        silence();
        let len = size(bytes)?;
        // SAFETY: the pointer is good for `len` bytes, which the function copies.
        let raw = unsafe { sys::btf_ext__new(bytes.as_ptr(), len) };
        Ok(Self { raw: NonNull::new(raw).ok_or_else(Errno::last)? })
    }

    /// `btf_ext__raw_data`: the file as it is now.
    ///
    /// # Errors
    ///
    /// libbpf's.
    pub fn raw_data(&self) -> Result<Vec<u8>, Errno> {
        let mut len = 0;
        // SAFETY: `raw` is open until it is dropped; what the function keeps for later is not seen elsewhere, and
        // no other thread has the pointer.
        let data = unsafe { sys::btf_ext__raw_data(self.raw.as_ptr(), &raw mut len) };
        if data.is_null() {
            return Err(Errno::last());
        }
        // SAFETY: `len` bytes are there, and they stay until the file is changed or closed.
        Ok(unsafe { slice::from_raw_parts(data.cast::<u8>(), len as usize) }.to_vec())
    }
}

impl Drop for LibbpfExt {
    fn drop(&mut self) {
        // SAFETY: `raw` came from `btf_ext__new` and is not used afterwards.
        unsafe { sys::btf_ext__free(self.raw.as_ptr()) };
    }
}

#[cfg(test)]
#[path = "libbpf_tests.rs"]
mod tests;
