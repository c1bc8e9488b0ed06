//! One table out of everything that can hold one.

use crate::build::BuildError;
use crate::embed::embedded;
use crate::error::Error;
use crate::input::{self, Kind, LeftOut, Options};
use crate::linux;
use crate::symbols::Symbols;
use kallsyms_core::Image;
use kallsyms_core::linux::Kallsyms;

/// Where the table of a [`Source`] comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The file is an image.
    Image,
    /// The image was embedded in an ELF file.
    Embedded,
    /// An image was built from the symbols of an ELF file or a text.
    Built(LeftOut),
    /// Linux's own tables.
    Linux,
}

/// Why there is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The file cannot be read as symbols.
    #[error(transparent)]
    Input(#[from] Error),
    /// The image in it is not sound.
    #[error("the image is not sound")]
    Image(#[from] kallsyms_core::Error),
    /// No image can be made of its symbols.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// A file or a folder with symbols, as a table that the runtime reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    held: Held,
    origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Held {
    Image(Vec<u8>),
    Linux(Box<linux::Tables>),
}

/// The table of a source, of either kind: what answers is generic over the layout and called in both arms.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "there is one, on the stack of a command")]
pub enum AnyTable<'a> {
    /// Our own image.
    Image(Image<'a>),
    /// Linux's tables.
    Linux(Kallsyms<'a>, &'a linux::Tables),
}

impl Source {
    /// Takes an image as it is and an image out of an ELF file; has one made of the symbols of anything else.
    ///
    /// For a few questions [`build_untrained`](crate::build::build_untrained) makes it soonest.
    ///
    /// # Errors
    ///
    /// [`SourceError`].
    pub fn open(
        bytes: Vec<u8>,
        options: &Options,
        make: impl FnOnce(&Symbols) -> Result<Vec<u8>, BuildError>,
    ) -> Result<Self, SourceError> {
        let (bytes, origin) = match Kind::of(&bytes) {
            Kind::Image => (bytes, Origin::Image),
            Kind::Elf => match embedded(&bytes)? {
                Some(image) => (image.to_vec(), Origin::Embedded),
                None => built(&bytes, options, make)?,
            },
            Kind::Text => built(&bytes, options, make)?,
        };
        Image::parse(&bytes)?;
        Ok(Self { held: Held::Image(bytes), origin })
    }

    /// Takes Linux's tables as they are.
    ///
    /// # Errors
    ///
    /// [`SourceError::Input`] where they are not sound.
    pub fn of_tables(tables: linux::Tables) -> Result<Self, SourceError> {
        tables.kallsyms().map_err(Error::from)?;
        Ok(Self { held: Held::Linux(Box::new(tables)), origin: Origin::Linux })
    }

    /// The table.
    ///
    /// # Errors
    ///
    /// None in practice: `open` has read it before.
    pub fn table(&self) -> Result<AnyTable<'_>, SourceError> {
        Ok(match &self.held {
            Held::Image(bytes) => AnyTable::Image(Image::open(bytes)?),
            Held::Linux(tables) => AnyTable::Linux(tables.kallsyms().map_err(Error::from)?, tables),
        })
    }

    /// Where it comes from.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.origin
    }
}

fn built(
    bytes: &[u8],
    options: &Options,
    make: impl FnOnce(&Symbols) -> Result<Vec<u8>, BuildError>,
) -> Result<(Vec<u8>, Origin), SourceError> {
    let input = input::read(bytes, options)?;
    let image = make(&input.symbols)?;
    Ok((image, Origin::Built(input.left_out)))
}
