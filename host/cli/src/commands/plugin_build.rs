//! `plugin build`: from a crate to a component that holds its manifest, with one command.

use crate::exit::{Exit, Failure};
use crate::{installed, output};
use holdpoint_runtime::{Limits, Manifest, SECTION, prove};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wasm_encoder::{ComponentSection, CustomSection};

/// The only target a vocabulary is built for: it has no system underneath.
const TARGET: &str = "wasm32-unknown-unknown";
/// Names a compiler that has no standard library for the target but its sources, where rustup cannot be asked for one.
const GUEST_RUSTC: &str = "HOLDPOINT_GUEST_RUSTC";
/// Room for the guest's own stack. Parsers that watch their depth need this much before they notice.
const STACK_BYTES: u32 = 2 << 20;

/// Builds the crate in `folder`.
pub(crate) fn run(folder: &Path, out: Option<PathBuf>) -> Result<Exit, Failure> {
    let manifest = read_manifest(folder)?;
    output::note(&format!("building {} for {TARGET} …", manifest.name));
    let module = cargo(folder)?;
    let module = std::fs::read(&module).map_err(|error| Failure::file(&module, &error))?;
    let component = componentize(&module, &manifest)?;
    let proof = prove(&component, &Limits::DEFAULT).map_err(|error| refused(error.to_string(), error.help()))?;
    let out = out.unwrap_or_else(|| PathBuf::from(format!("{}.wasm", manifest.name)));
    installed::write(&out, &component)?;
    output::note(&format!("next: holdpoint plugin sign {} --key FILE", out.display()));
    let lines = proof.lines().join("\n");
    output::data(&format!("{}: {} bytes\n{lines}\n", out.display(), component.len()))?;
    Ok(Exit::Done)
}

fn refused(what: String, help: &str) -> Failure {
    Failure::new(Exit::Plugin, what, help)
}

fn read_manifest(folder: &Path) -> Result<Manifest, Failure> {
    let path = folder.join("vocabulary.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
    let wrong =
        |problem: String| refused(format!("`{}`: {problem}", path.display()), "see wit/README.md for the members");
    let manifest: Manifest = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let problems: Vec<String> = manifest.problems().iter().map(ToString::to_string).collect();
    if !problems.is_empty() {
        return Err(wrong(problems.join("\n  ")));
    }
    Ok(manifest)
}

/// Builds the module and returns where cargo put it.
fn cargo(folder: &Path) -> Result<PathBuf, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(folder)
        .args(["build", "--lib", "--release", "--target", TARGET, "--message-format=json-render-diagnostics"])
        .env("RUSTFLAGS", rustflags(folder)?)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s")
        .env("CARGO_PROFILE_RELEASE_LTO", "fat")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "false")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .stderr(Stdio::inherit());
    if let Some(rustc) = std::env::var_os(GUEST_RUSTC) {
        // A compiler that brings the sources of the standard library builds it for the target first.
        command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort");
    }
    let done = command
        .output()
        .map_err(|error| refused(format!("cargo cannot be run: {error}"), "install rustup's stable toolchain"))?;
    if !done.status.success() {
        return Err(refused(
            "the crate does not build".to_owned(),
            "`rustup target add wasm32-unknown-unknown`, then mend what cargo says",
        ));
    }
    let messages = String::from_utf8_lossy(&done.stdout);
    let modules = messages.lines().filter_map(module_of).next_back();
    modules.ok_or_else(|| {
        refused("cargo built no module".to_owned(), "the crate needs `crate-type = [\"cdylib\", \"rlib\"]`")
    })
}

fn module_of(message: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(message).ok()?;
    let files = message.get("filenames")?.as_array()?;
    let module = files.iter().filter_map(|file| file.as_str()).find(|file| file.ends_with(".wasm"))?;
    Some(PathBuf::from(module))
}

/// Flags that make the same sources give the same bytes wherever they lie.
fn rustflags(folder: &Path) -> Result<String, Failure> {
    let mut flags = format!("-Clink-arg=-zstack-size={STACK_BYTES} -Clink-arg=--stack-first");
    let folder = folder.canonicalize().map_err(|error| Failure::file(folder, &error))?;
    let workspace = folder.ancestors().filter(|above| above.join("Cargo.lock").exists()).last().unwrap_or(&folder);
    let cargo_home =
        std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let paths = [(Some(workspace.to_path_buf()), "/src"), (cargo_home, "/cargo")];
    for (path, name) in paths {
        if let Some(path) = path.as_deref().and_then(Path::to_str) {
            flags += &format!(" --remap-path-prefix={path}={name}");
        }
    }
    Ok(flags)
}

fn componentize(module: &[u8], manifest: &Manifest) -> Result<Vec<u8>, Failure> {
    let help = "use the guest SDK of this release and export with `export_vocabulary!`";
    let encoded =
        wit_component::ComponentEncoder::default().validate(true).module(module).and_then(|encoder| encoder.encode());
    let mut component = encoded.map_err(|error| refused(format!("not a module of the contract: {error:#}"), help))?;
    let json = manifest.to_json();
    CustomSection { name: Cow::Borrowed(SECTION), data: Cow::Borrowed(json.as_bytes()) }
        .append_to_component(&mut component);
    Ok(component)
}
