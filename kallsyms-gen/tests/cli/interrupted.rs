//! The command killed while it writes: what it was to replace is whole, the old or the new.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::elf::kernel;
use crate::{Folder, TEXT, command, kallsyms};

/// When a run is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// So long after its start.
    After(Duration),
    /// So long after a file that has not taken its place yet was seen.
    Writing(Duration),
}

/// Moments over the whole of a run, which takes about so long, and over the time in which it writes.
fn moments(whole: Duration) -> impl Iterator<Item = Moment> {
    const EACH: u32 = 24;
    let over = (0..EACH).map(move |step| Moment::After(whole * step / EACH));
    let while_writing = (0..EACH).map(|step| Moment::Writing(Duration::from_micros(1) * step.pow(3)));
    over.chain(while_writing)
}

/// Starts a run and kills it, where it has not come to its end before.
fn kill(folder: &Folder, arguments: &[&str], moment: Moment) {
    let mut child = command(arguments).stderr(Stdio::null()).spawn().expect("the command runs");
    match moment {
        Moment::After(delay) => sleep(delay),
        Moment::Writing(delay) => {
            while !has_ended(&mut child) && !folder.names().iter().any(|name| is_temporary(name)) {}
            sleep(delay);
        }
    }
    child.kill().expect("killed");
    child.wait().expect("it ends");
}

fn has_ended(child: &mut Child) -> bool {
    child.try_wait().expect("known").is_some()
}

fn is_temporary(name: &str) -> bool {
    name.starts_with(".kallsyms-")
}

/// Removes what a killed run left; tells whether that was anything.
fn sweep(folder: &Folder) -> bool {
    let left: Vec<String> = folder.names().into_iter().filter(|name| is_temporary(name)).collect();
    for name in &left {
        let path = folder.path(name);
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
    }
    !left.is_empty()
}

fn timed(arguments: &[&str]) -> Duration {
    let start = Instant::now();
    assert_eq!(kallsyms(arguments).code, Some(0));
    start.elapsed()
}

#[test]
fn an_interrupted_embed_leaves_the_old_kernel_or_the_new() {
    let folder = Folder::new("interrupted-embed");
    let old = kernel(32 << 20);
    let (elf, copy) = (folder.write("kernel", &old), folder.path("copy"));
    let whole = timed(&["embed", &elf, "-o", &copy]);
    let new = folder.read("copy");
    assert!(new.len() == old.len() && new != old);
    let (mut olds, mut news, mut cut) = (0, 0, 0);
    for moment in moments(whole) {
        kill(&folder, &["embed", &elf, "-o", &elf], moment);
        let now = folder.read("kernel");
        assert!(now == old || now == new, "{moment:?}: {} bytes", now.len());
        cut += u32::from(sweep(&folder));
        olds += u32::from(now == old);
        if now == new {
            news += 1;
            folder.write("kernel", &old);
        }
    }
    assert_eq!(folder.names(), ["copy", "kernel"]);
    println!(
        "{olds} times the old kernel, {cut} of them with a part of the new one beside it, {news} times the new"
    );
    assert!(cut > 0, "no run was killed while it wrote");
}

#[test]
fn an_interrupted_folder_is_old_or_new_or_refused() {
    let folder = Folder::new("interrupted-folder");
    let texts = [TEXT.to_owned(), TEXT.replace("helper", "assistant")];
    let lists =
        texts.clone().map(|text| text.lines().take(6).map(|line| format!("{line}\n")).collect::<String>());
    let inputs = [folder.write("a", &texts[0]), folder.write("b", &texts[1])];
    let (tables, whole) = (folder.path("tables"), folder.path("whole"));
    let build = |input| ["build", input, "--layout", "linux", "-o", &tables];
    let time = timed(&["build", &inputs[0], "--layout", "linux", "-o", &whole]);

    // A new folder is there as a whole, or it is not.
    for moment in moments(time) {
        kill(&folder, &build(&inputs[0]), moment);
        if fs::exists(&tables).expect("known") {
            assert_eq!(kallsyms(&["list", &tables]).out, lists[0], "{moment:?}");
            fs::remove_dir_all(&tables).expect("removed");
        }
        sweep(&folder);
    }
    // One that is written over: the files beside their places are in the folder itself.
    assert_eq!(kallsyms(&build(&inputs[0])).code, Some(0));
    let inside = Folder(folder.0.join("tables"));
    for (number, moment) in moments(time).enumerate() {
        kill(&inside, &build(&inputs[(number + 1) % 2]), moment);
        let run = kallsyms(&["list", &tables]);
        if run.code == Some(3) {
            let said =
                format!("kallsyms: {tables}: the writing of this folder was interrupted: write it again\n");
            assert_eq!(run.err, said, "{moment:?}");
        } else {
            assert!(lists.contains(&run.out), "{moment:?}: {}", run.out);
        }
        sweep(&inside);
        assert_eq!(kallsyms(&build(&inputs[number % 2])).code, Some(0), "and it is written again unasked");
        assert_eq!(kallsyms(&["list", &tables]).out, lists[number % 2]);
    }
}
