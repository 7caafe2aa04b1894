//! The frozen files by digest, so that no change of them goes unseen.

use crate::expect::expect_file;
use crate::tree::root;
use holdpoint_store::frozen_digest;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// What is frozen. The build script of the store has the same list.
pub(crate) const FROZEN: &[&str] = &["host/core/src", "host/store/src", "wit/0.1.0"];

const MEANING: &str = "the frozen core or the store changed. That is rare on purpose: the commit says why, carries this \
     file and the difference of matrix.txt, and has two readers";

fn collect(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let relative = path.strip_prefix(root()).unwrap();
            files.push(relative.to_str().unwrap().replace('\\', "/"));
        }
    }
}

#[test]
fn the_frozen_files_are_those_of_the_manifest() {
    let mut files = Vec::new();
    for folder in FROZEN {
        collect(&root().join(folder), &mut files);
    }
    files.sort();
    // The format of `sha256sum`, so that anybody can check it: sha256sum -c tests/frozen/FROZEN.sha256
    let line =
        |path: &String| format!("{}  {path}\n", hex::encode(Sha256::digest(fs::read(root().join(path)).unwrap())));
    let manifest: String = files.iter().map(line).collect();
    expect_file("FROZEN.sha256", &manifest, MEANING);
    let digest = hex::encode(Sha256::digest(&manifest));
    assert_eq!(frozen_digest().hex(), digest, "what the program tells of itself is the digest of this manifest");
}
