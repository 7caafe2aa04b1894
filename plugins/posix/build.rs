//! Turns the option tables below `tables/` into static Rust data, so that nothing is built when a call starts.
//!
//! Every mistake in a table stops the build with its file, program and option. This script must never guess: a word it
//! does not know is an error.

#![expect(clippy::disallowed_methods, reason = "a build script is told by its environment what to build")]

#[path = "build/emit.rs"]
mod emit;
#[path = "build/model.rs"]
mod model;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use model::{Program, Roles, Tables};

/// The file that defines the roles; all other files below the folder define programs.
const ROLES_FILE: &str = "roles.toml";

fn main() -> Result<(), String> {
    let folder = Path::new("tables");
    announce(folder);
    let roles: Roles = read(&folder.join(ROLES_FILE))?;
    let mut programs: BTreeMap<String, Program> = BTreeMap::new();
    for path in table_files(folder)? {
        let tables: Tables = read(&path)?;
        collect(&path, tables, &mut programs)?;
    }
    let text = emit::module(&roles, &programs)?;
    let out = std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    let path = Path::new(&out).join("tables.rs");
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn announce(folder: &Path) {
    println!("cargo:rerun-if-changed={}", folder.display());
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn table_files(folder: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = BTreeSet::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let is_table = path.extension().is_some_and(|extension| extension == "toml");
        if is_table && path.file_name().is_some_and(|name| name != ROLES_FILE) {
            files.insert(path);
        }
    }
    Ok(files)
}

/// Files the programs of one table under each of their names.
fn collect(path: &Path, tables: Tables, programs: &mut BTreeMap<String, Program>) -> Result<(), String> {
    let mut before = String::new();
    for program in tables.program {
        let first = program.names.split_whitespace().next().unwrap_or_default().to_owned();
        if first <= before {
            return Err(format!("{}: `{first}` stands after `{before}`: keep programs sorted", path.display()));
        }
        if program.source.trim().is_empty() {
            return Err(format!("{}: `{first}` has no source", path.display()));
        }
        for name in program.names.split_whitespace() {
            if programs.insert(name.to_owned(), program.clone()).is_some() {
                return Err(format!("{}: `{name}` has two tables", path.display()));
            }
        }
        before = first;
    }
    Ok(())
}
