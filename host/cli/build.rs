//! Embeds the signed first-party components that lie in `plugins/dist`. A checkout without them builds too; the command
//! then knows no vocabulary, and says so.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let dist = Path::new(&manifest).join("../../plugins/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut components: Vec<PathBuf> = match fs::read_dir(&dist) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    components.retain(|path| path.extension().is_some_and(|extension| extension == "wasm"));
    components.sort();
    let mut source = String::from("pub(crate) static COMPONENTS: &[Embedded] = &[\n");
    for component in components {
        let component = component.canonicalize()?;
        let beside = |extension: &str| component.with_extension(extension);
        writeln!(
            source,
            "    Embedded {{ component: include_bytes!({:?}), signature: include_str!({:?}), manifest: include_bytes!({:?}), \
             digest: include_str!({:?}) }},",
            component,
            beside("wasm.sig"),
            beside("manifest.json"),
            beside("sha256"),
        )
        .map_err(io::Error::other)?;
    }
    source.push_str("];\n");
    let key = dist.join("release.pub");
    if key.exists() {
        writeln!(source, "pub(crate) static RELEASE_KEY: &str = include_str!({:?});", key.canonicalize()?)
    } else {
        writeln!(source, "pub(crate) static RELEASE_KEY: &str = \"\";")
    }
    .map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("embedded.rs"), source)
}
