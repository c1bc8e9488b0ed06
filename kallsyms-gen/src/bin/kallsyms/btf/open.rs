//! BTF and its base out of their files.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use kallsyms_core::btf::{Btf, Error};
use kallsyms_gen::btf::Source;

use super::args::FileArgs;
use crate::{Usage, files, say};

/// An opened file.
pub(super) struct Opened<'o> {
    /// How messages call it.
    pub(super) place: &'o str,
    /// Its types, which are found by number at once.
    pub(super) btf: Btf<'o>,
    /// The `.BTF.ext` beside them.
    pub(super) ext: Option<&'o [u8]>,
}

/// Opens BTF over its base, and asks it something. What fails then is not said to be the file's fault: it
/// may be that stdout takes no more.
pub(super) fn with<R>(args: &FileArgs, ask: impl FnOnce(&Opened<'_>) -> Result<R>) -> Result<R> {
    let standard = Path::new(files::STANDARD);
    if args.file == standard && args.base.as_deref() == Some(standard) {
        return Err(Usage("only one of FILE and --base can be stdin".into()).into());
    }
    let (source, place) = read(&args.file)?;
    let open = |btf: Result<_, Error>| {
        btf.map_err(|error| explained(error, &source.bytes, args)).with_context(|| place.clone())
    };
    let (mut own_room, mut base_room) = (Vec::new(), Vec::new());
    let (base_source, base);
    let btf = match &args.base {
        Some(path) => {
            let (found, base_place) = read(path)?;
            base_source = found;
            let parsed = Btf::parse(&base_source.bytes).context(base_place)?;
            base_room.resize(parsed.own_len() as usize, 0);
            base = parsed.with_offsets(&mut base_room);
            if Btf::parse(&source.bytes).is_ok_and(|alone| alone.own_len() > 0) {
                say(format_args!(
                    "kallsyms: {place}: is not split: over --base its types get other numbers and names"
                ));
            }
            open(Btf::split(&base, &source.bytes))?
        }
        None => open(Btf::parse(&source.bytes))?,
    };
    own_room.resize(btf.own_len() as usize, 0);
    let btf = btf.with_offsets(&mut own_room);
    ask(&Opened { place: &place, btf, ext: source.ext.as_deref() })
}

/// As [`with`], but for BTF that is not that of its base.
pub(super) fn with_fitting<R>(args: &FileArgs, ask: impl FnOnce(&Opened<'_>) -> Result<R>) -> Result<R> {
    with(args, |opened| {
        if let (Some(base), Err(error)) = (&args.base, opened.btf.check_references()) {
            let (place, base) = (opened.place, name(base));
            return Err(anyhow!("{place}: give the BTF that it was made over, not {base}: {error}"));
        }
        ask(opened)
    })
}

/// How messages call a file.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new(files::STANDARD) { "stdin".into() } else { files::name(path) }
}

/// The BTF in a file, and how messages call it.
fn read(path: &Path) -> Result<(Source, String)> {
    let name = name(path);
    if path.is_dir() {
        return Err(Usage(format!("{name}: is a folder: give the file in it that has the BTF")).into());
    }
    let source = Source::read(files::read(path)?).with_context(|| name.clone())?;
    let place = format!("{name}{}", source.origin);
    Ok((source, place))
}

/// What to do about the faults of split BTF that is read without its base, or over another.
fn explained(error: Error, bytes: &[u8], args: &FileArgs) -> anyhow::Error {
    match (error, &args.base) {
        (Error::FirstString { .. } | Error::NoStrings, None) => {
            anyhow!("give that of its kernel with --base FILE, if it is the BTF of a module: {error}")
        }
        (Error::NameOutOfBounds { .. } | Error::BaseEndian, Some(base)) if is_split(bytes) => {
            let base = name(base);
            anyhow!("give the BTF of the kernel that the module was built for, not {base}: {error}")
        }
        (
            Error::SectionOutOfBounds { .. } | Error::RecordOutOfBounds { .. } | Error::LastString { .. },
            _,
        ) => {
            anyhow!("{error}: the file is cut or damaged, copy it again")
        }
        (Error::UnknownKind { .. }, _) => {
            anyhow!("{error}: the file is damaged, or of a newer format without a layout section")
        }
        _ => error.into(),
    }
}

/// Whether the strings go on from those of a base.
fn is_split(bytes: &[u8]) -> bool {
    matches!(Btf::parse(bytes), Err(Error::FirstString { .. } | Error::NoStrings))
}
