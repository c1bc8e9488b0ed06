//! Tells the kernel build from a host build, and links the kernel by its own script.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(kernel)");
    for variable in ["CARGO_CFG_KERNEL", "KALLSYMS_OBJECT"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    println!("cargo::rerun-if-changed=kernel.ld");
    let bare = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "none");
    if bare {
        println!("cargo::rustc-cfg=kernel");
    }
    if !bare && env::var_os("CARGO_CFG_KERNEL").is_none() {
        return;
    }
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let script = Path::new(&folder).join("kernel.ld");
    link(&format!("-T{}", script.display()));
    link("-Tdefmt.x");
    let common = ["-static", "-nostdlib", "-no-pie"];
    let linker_only = ["--build-id=none", "-zmax-page-size=4096", "-znorelro"];
    common.into_iter().for_each(link);
    if bare {
        linker_only.into_iter().for_each(link);
    } else {
        // The host target links through the C compiler.
        link("-nostartfiles");
        linker_only.into_iter().for_each(|option| link(&format!("-Wl,{option}")));
    }
    // Second pass of `two-pass`: the table as an object file.
    if let Ok(object) = env::var("KALLSYMS_OBJECT") {
        println!("cargo::rerun-if-changed={object}");
        link(&object);
    }
}

fn link(argument: &str) {
    println!("cargo::rustc-link-arg-bins={argument}");
}
