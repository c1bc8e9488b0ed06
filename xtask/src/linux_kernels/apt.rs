//! Kernels out of Debian's packages, with apt but without root: its state is in the cache folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};

use super::btf;
use super::distribution::Kernel;
use super::package::{Package, unpack};
use super::{files, output};

/// Names another mirror of Debian than the one of the machine's own sources.
const MIRROR: &str = "KALLSYMS_DEBIAN_MIRROR";
/// Where Debian and its derivatives keep the keys of the archive.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// The packages of a kernel and nothing else, from 7.x on.
const BINARY: &str = "linux-binary-";
/// Package lists are fetched again after this.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// The mirror that the machine takes its own packages from.
pub(super) fn mirror() -> Result<String> {
    if let Ok(mirror) = std::env::var(MIRROR) {
        return Ok(mirror);
    }
    let targets = output(Command::new("apt-get").args(["indextargets", "--format", "$(REPO_URI)"]))?;
    let debian =
        targets.lines().map(|line| line.trim().trim_end_matches('/')).find(|line| line.ends_with("/debian"));
    debian.map(str::to_owned).with_context(|| {
        format!("the machine's sources of packages have no mirror of Debian: name one with {MIRROR}=http://…/debian")
    })
}

/// The newest kernel of a suite and an architecture, out of the cache or downloaded.
pub(super) fn kernel(kernel: &Kernel, mirror: &str, cache: &Path) -> Result<Package> {
    let Kernel { suite, architecture, flavour } = kernel;
    let apt = Apt::new(cache.join(format!("apt/{suite}-{architecture}")), kernel, mirror)?;
    apt.update()?;
    let package = apt.package(&format!("linux-image-{flavour}"))?;
    let folder = cache.join(format!("kernels/{package}_{architecture}"));
    if let Ok(whole) = Package::open(&folder) {
        return Ok(whole);
    }
    println!("linux-kernels: {kernel}: {package}");
    let unpacked = folder.with_file_name(format!("{package}_{architecture}.new"));
    let _ = fs::remove_dir_all(&unpacked);
    fs::create_dir_all(&unpacked)?;
    apt.unpack(&package, &unpacked)?;
    // From 7.x on the configuration and the modules are in packages of their own.
    if let Some(version) = package.strip_prefix(BINARY) {
        apt.unpack(&format!("linux-base-{version}"), &unpacked)?;
        if Package::open(&unpacked)?.has(btf::BTF) {
            apt.unpack(&format!("linux-modules-{version}"), &unpacked)?;
        }
    }
    Package::open(&unpacked).with_context(|| package.clone())?;
    // One that an older version of this task kept has less in it.
    let _ = fs::remove_dir_all(&folder);
    fs::rename(&unpacked, &folder)?;
    Package::open(&folder)
}

/// An apt of its own.
struct Apt {
    folder: PathBuf,
    architecture: &'static str,
}

impl Apt {
    fn new(folder: PathBuf, kernel: &Kernel, mirror: &str) -> Result<Self> {
        for part in ["state/lists/partial", "cache/archives/partial", "parts"] {
            fs::create_dir_all(folder.join(part))?;
        }
        fs::write(folder.join("status"), "")?;
        let signed = if Path::new(KEYS).exists() { format!("[signed-by={KEYS}] ") } else { String::new() };
        let source = format!("deb {signed}{mirror} {} main\n", kernel.suite);
        fs::write(folder.join("sources.list"), source)?;
        fs::write(folder.join("apt.conf"), configuration(&folder, kernel.architecture)?)?;
        Ok(Self { folder, architecture: kernel.architecture })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("APT_CONFIG", self.folder.join("apt.conf")).current_dir(&self.folder);
        command
    }

    /// Fetches the lists of packages, unless it has of late.
    fn update(&self) -> Result<()> {
        let stamp = self.folder.join("updated");
        let updated = fs::metadata(&stamp).and_then(|metadata| metadata.modified());
        let age = updated.ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if age.is_some_and(|age| age < STALE) {
            return Ok(());
        }
        output(self.command("apt-get").args(["-qq", "--error-on=any", "update"]))?;
        Ok(fs::write(stamp, "")?)
    }

    /// The package with the kernel itself that one with no version in its name leads to.
    fn package(&self, meta: &str) -> Result<String> {
        const DEEPEST: usize = 4;
        let mut package = meta.to_owned();
        for _ in 0..DEEPEST {
            let shown = output(
                self.command("apt-cache").args(["show", &format!("{package}:{}", self.architecture)]),
            )?;
            let depends = shown.lines().find_map(|line| line.strip_prefix("Depends: ")).unwrap_or_default();
            let names = depends.split(',').filter_map(|name| name.split_whitespace().next());
            // From 7.x on the image is in a package of its own.
            let further = |prefix: &str| {
                let mut names = names.clone();
                names.find(|name| {
                    name.strip_prefix(prefix)
                        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
                })
            };
            match further(BINARY).or_else(|| further("linux-image-")) {
                Some(next) if next != package => package = next.to_owned(),
                _ => return Ok(package),
            }
        }
        bail!("{meta} leads from package to package")
    }

    fn download(&self, package: &str) -> Result<PathBuf> {
        let folder = self.folder.join("archives");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let name = format!("{package}:{}", self.architecture);
        output(self.command("apt-get").args(["-qq", "download", &name]).current_dir(&folder))?;
        files(&folder).pop().with_context(|| format!("apt-get download {name} left no file"))
    }

    /// Downloads a package, and takes out of it what is kept.
    fn unpack(&self, package: &str, folder: &Path) -> Result<()> {
        let archive = self.download(package)?;
        unpack(&archive, folder)?;
        Ok(fs::remove_file(&archive)?)
    }
}

/// Everything of apt's in one folder; of the machine's own configuration only how to reach a mirror.
///
/// A mirror that lags behind will do: the signatures are checked all the same.
fn configuration(folder: &Path, architecture: &str) -> Result<String> {
    let folder = folder.to_str().context("a folder with a name in UTF-8")?;
    let own = output(Command::new("apt-config").arg("dump"))?;
    let reach: String =
        own.lines().filter(|line| line.starts_with("Acquire::http")).flat_map(|line| [line, "\n"]).collect();
    Ok(format!(
        "{reach}\
         Dir::State \"{folder}/state\";\n\
         Dir::State::status \"{folder}/status\";\n\
         Dir::Cache \"{folder}/cache\";\n\
         Dir::Cache::srcpkgcache \"\";\n\
         Dir::Etc::sourcelist \"{folder}/sources.list\";\n\
         Dir::Etc::sourceparts \"{folder}/parts\";\n\
         Dir::Etc::parts \"{folder}/parts\";\n\
         Dir::Etc::main \"{folder}/none\";\n\
         APT::Architecture \"{architecture}\";\n\
         APT::Architectures {{ \"{architecture}\"; }};\n\
         APT::Sandbox::User \"\";\n\
         Acquire::Check-Valid-Until \"false\";\n\
         Acquire::Languages \"none\";\n\
         Acquire::PDiffs \"false\";\n\
         Acquire::IndexTargets::deb::DEP-11::DefaultEnabled \"false\";\n\
         Acquire::Retries \"3\";\n\
         Acquire::http::Timeout \"60\";\n"
    ))
}
