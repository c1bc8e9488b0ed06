//! `cargo xtask fuzz` begins with these inputs: what is in the repository, what the generator writes of real
//! symbols, and of real tables where they are.

mod files;
mod symbols;
mod tables;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use symbols::Source;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: fuzz_seeds FOLDER");
        return ExitCode::FAILURE;
    };
    match write(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fuzz_seeds: {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> io::Result<()> {
    let sources = symbols::sources();
    for (target, inputs) in [
        ("image", tables::images(&sources)),
        ("linux", tables::linux(&sources)),
        ("extract", files::kernels()),
        ("procfs", files::texts(&sources)),
        ("btf", files::btf()),
        ("glob", files::globs()),
        ("frames", files::machines()),
        ("generator", files::lists(&sources)),
    ] {
        let folder = folder.join(target);
        fs::create_dir_all(&folder)?;
        let bytes: usize = inputs.iter().map(|(_, input)| input.len()).sum();
        println!("seeds of {target}: {}, {bytes} bytes", inputs.len());
        for (name, input) in inputs {
            fs::write(folder.join(name), input)?;
        }
    }
    Ok(())
}

/// Inputs by name.
type Inputs = Vec<(String, Vec<u8>)>;
