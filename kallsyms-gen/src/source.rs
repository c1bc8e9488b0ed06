//! One image out of everything that can hold a symbol table.

use crate::build::BuildError;
use crate::embed::embedded;
use crate::error::Error;
use crate::input::{self, Kind, LeftOut, Options};
use crate::symbols::Symbols;
use kallsyms_core::Image;

/// Where the image of a [`Source`] comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The file is an image.
    Image,
    /// The image was embedded in an ELF file.
    Embedded,
    /// It was built from the symbols of an ELF file or a text.
    Built(LeftOut),
}

/// Why there is no image.
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

/// A file with symbols, as an image that the runtime reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    bytes: Vec<u8>,
    origin: Origin,
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
        Ok(Self { bytes, origin })
    }

    /// The image.
    ///
    /// # Errors
    ///
    /// None in practice: `open` has read it before.
    pub fn image(&self) -> Result<Image<'_>, kallsyms_core::Error> {
        Image::open(&self.bytes)
    }

    /// The bytes of the image; a reservation around it may make them longer.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
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
