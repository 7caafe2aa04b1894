//! Embeds the signed first-party components that lie in `plugins/dist`, each pinned by its digest. A checkout without them
//! builds too; the command then knows no vocabulary, and says so.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The section that holds the manifest. The runtime reads it under the same name.
const SECTION: &str = "holdpoint:vocabulary";

fn main() -> io::Result<()> {
    let variable = |name| env::var(name).map_err(io::Error::other);
    let dist = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../../plugins/dist");
    let out = PathBuf::from(variable("OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut components: Vec<PathBuf> = match fs::read_dir(&dist) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(_) => Vec::new(),
    };
    components.retain(|path| path.extension().is_some_and(|extension| extension == "wasm"));
    components.sort();
    let mut source = String::from("pub(crate) static COMPONENTS: &[Embedded] = &[\n");
    for component in &components {
        source.push_str(&embedded(&component.canonicalize()?, &out)?);
    }
    source.push_str("];\n");
    let key = fs::read_to_string(dist.join("release.pub")).unwrap_or_default();
    writeln!(source, "pub(crate) static RELEASE_KEY: &str = {:?};", key.trim()).map_err(io::Error::other)?;
    fs::write(out.join("embedded.rs"), source)
}

fn embedded(component: &Path, out: &Path) -> io::Result<String> {
    let bytes = fs::read(component)?;
    let name = component.file_stem().and_then(|name| name.to_str()).ok_or(io::ErrorKind::InvalidData)?;
    let manifest = out.join(format!("{name}.manifest.json"));
    fs::write(&manifest, manifest_of(&bytes)?)?;
    let signature = component.with_extension("wasm.sig");
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!(
        "    Embedded {{ component: include_bytes!({component:?}), signature: include_str!({signature:?}), \
         manifest: include_bytes!({manifest:?}), digest: {digest:?} }},\n"
    ))
}

fn manifest_of(component: &[u8]) -> io::Result<&[u8]> {
    for payload in wasmparser::Parser::new(0).parse_all(component) {
        if let wasmparser::Payload::CustomSection(section) = payload.map_err(io::Error::other)?
            && section.name() == SECTION
        {
            return Ok(section.data());
        }
    }
    Err(io::Error::other("a component in plugins/dist has no manifest"))
}
