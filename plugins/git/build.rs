//! Turns the tables below `tables/` into static Rust data, so that nothing is built when a call starts.
//!
//! Every mistake in a table stops the build with its command and option. This script must never guess: a word it does not
//! know is an error.

#![expect(clippy::disallowed_methods, reason = "a build script is told by its environment what to build")]

#[path = "build/emit.rs"]
mod emit;
#[path = "build/model.rs"]
mod model;
#[path = "build/options.rs"]
mod options;

use std::path::Path;

fn main() -> Result<(), String> {
    let folder = Path::new("tables");
    println!("cargo:rerun-if-changed=tables");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    let tables = model::Tables {
        acts: read(&folder.join("acts.toml"))?,
        listed: read(&folder.join("options.toml"))?,
        commands: read(&folder.join("commands.toml"))?,
    };
    let text = emit::module(&tables)?;
    let out = std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    let path = Path::new(&out).join("tables.rs");
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}
