//! Computes the digest of the frozen files, so that a program can tell what it was built from. It equals
//! `sha256sum tests/frozen/FROZEN.sha256` as long as nobody changed a file without its list.

#![expect(clippy::disallowed_methods, reason = "a build script is told by its environment what to build")]

use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What is frozen. The frozen tests have the same list.
const FROZEN: &[&str] = &["host/core/src", "host/store/src", "wit/0.1.0"];

fn main() -> io::Result<()> {
    let package = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let root = Path::new(&package).join("../..");
    let mut files = Vec::new();
    for folder in FROZEN {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        collect(&root, Path::new(folder), &mut files)?;
    }
    files.sort();
    let mut manifest = String::new();
    for file in &files {
        let name = file.to_str().ok_or(io::ErrorKind::InvalidData)?;
        manifest.push_str(&format!("{}  {name}\n", hex(&fs::read(root.join(file))?)));
    }
    println!("cargo::rustc-env=HOLDPOINT_FROZEN={}", hex(manifest.as_bytes()));
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
