//! Vocabularies that an operator installed: a component, its signature and a record of who was trusted, in the state
//! folder. A record that cannot be read stops every decision, since nobody can tell what it claimed.

use crate::exit::{Exit, Failure};
use crate::home;
use holdpoint_core::digest::Digest;
use holdpoint_runtime::{Manifest, Source, Vocabulary};
use holdpoint_signing::{PublicKey, Publisher, TrustSet, TrustedKey, Verified, verify};
use holdpoint_store::StateFolder;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The folder in the state folder.
const FOLDER: &str = "vocabularies";
/// Most vocabularies that may be installed.
pub(crate) const INSTALLED_MAX: usize = 64;

/// What is remembered about an installed vocabulary.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) digest: String,
    /// The key that the operator named when installing it.
    pub(crate) key: String,
    pub(crate) manifest: Manifest,
}

/// Verifies a component with its signature against one key that the operator named.
pub(crate) fn verify_with_key(
    component: &[u8],
    envelope: &str,
    key: &PublicKey,
    now_s: u64,
) -> Result<Verified, Failure> {
    let refused = |what: String, help: String| Failure::new(Exit::Plugin, what, help);
    let manifest = Manifest::of_component(component)
        .map_err(|error| refused(error.to_string(), "`holdpoint plugin build` embeds the manifest".to_owned()))?;
    let internal = |error: holdpoint_signing::FormatError| refused(error.to_string(), String::new());
    let trusted = TrustedKey {
        publisher: "operator".parse::<Publisher>().map_err(internal)?,
        key: key.clone(),
        names: vec![manifest.name.parse().map_err(internal)?],
    };
    let trust = TrustSet::new(vec![trusted], Vec::new()).map_err(internal)?;
    let verified = verify(component, envelope, &trust, now_s)
        .map_err(|error| refused(error.to_string(), error.help().to_owned()))?;
    let statement = verified.statement();
    let same = statement.version.as_str() == manifest.version && statement.release == manifest.release;
    if same {
        Ok(verified)
    } else {
        let help = "sign the component again: `holdpoint plugin sign`";
        Err(refused("the signature speaks of another version than the component does".to_owned(), help.to_owned()))
    }
}

/// The installed vocabularies with their records, by name.
pub(crate) fn records(state: &StateFolder) -> Result<Vec<Record>, Failure> {
    let folder = state.path().join(FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unusable(&folder, &error.to_string())),
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(|error| unusable(&folder, &error.to_string()))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    if paths.len() > INSTALLED_MAX {
        return Err(unusable(&folder, &format!("{} are installed, and {INSTALLED_MAX} is the most", paths.len())));
    }
    paths.iter().map(|path| record(path)).collect()
}

fn record(path: &Path) -> Result<Record, Failure> {
    let bytes = fs::read(path).map_err(|error| unusable(path, &error.to_string()))?;
    let record: Record = serde_json::from_slice(&bytes).map_err(|error| unusable(path, &error.to_string()))?;
    record.manifest.check().map_err(|error| unusable(path, &error.to_string()))?;
    // A record under another name would be found by neither `list` nor `remove`.
    if path.file_stem().and_then(|stem| stem.to_str()) != Some(record.manifest.name.as_str()) {
        return Err(unusable(path, &format!("it is about `{}`", record.manifest.name)));
    }
    Ok(record)
}

fn unusable(path: &Path, problem: &str) -> Failure {
    let help = "`holdpoint plugin remove NAME`, then install it again";
    Failure::new(Exit::Plugin, format!("installed vocabulary `{}`: {problem}", path.display()), help)
}

/// The installed vocabularies.
pub(crate) fn vocabularies(state: &StateFolder) -> Result<Vec<Vocabulary>, Failure> {
    let vocabulary = |record: Record| {
        let path = component_path(state, &record.manifest.name);
        let digest = Digest::from_hex(&record.digest).ok_or_else(|| unusable(&path, "the digest is not one"))?;
        let source = FileSource { path, key: record.key.clone() };
        Ok(Vocabulary { manifest: record.manifest, digest, source: Box::new(source) })
    };
    records(state)?.into_iter().map(vocabulary).collect()
}

struct FileSource {
    path: PathBuf,
    key: String,
}

impl Source for FileSource {
    fn verified_bytes(&self) -> Result<Vec<u8>, String> {
        let component = fs::read(&self.path).map_err(|error| error.to_string())?;
        let envelope = fs::read_to_string(signature_path(&self.path)).map_err(|error| error.to_string())?;
        let key = self.key.parse().map_err(|error| format!("recorded key: {error}"))?;
        verify_with_key(&component, &envelope, &key, crate::gate::now_s()).map_err(|failure| failure.what)?;
        Ok(component)
    }
}

/// Where the signature of a component lies.
pub(crate) fn signature_path(component: &Path) -> PathBuf {
    let mut path = component.as_os_str().to_owned();
    path.push(".sig");
    PathBuf::from(path)
}

/// Puts a verified component in force. The record is written last: without it nothing is installed.
pub(crate) fn put(state: &StateFolder, component: &[u8], envelope: &str, record: &Record) -> Result<(), Failure> {
    let folder = home::folder_in(state, FOLDER)?;
    let path = folder.join(format!("{}.wasm", record.manifest.name));
    write(&path, component)?;
    write(&signature_path(&path), envelope.as_bytes())?;
    let text = serde_json::to_vec(record).map_err(|error| Failure::internal(error.to_string()))?;
    write(&path.with_extension("json"), &text)
}

/// Checks that a vocabulary of this name is installed, whether or not its record can be read.
pub(crate) fn known(state: &StateFolder, name: &str) -> Result<(), Failure> {
    let is_name = name.parse::<holdpoint_signing::VocabularyName>().is_ok();
    if is_name && component_path(state, name).with_extension("json").exists() {
        return Ok(());
    }
    let help = "`holdpoint plugin list` shows what is installed";
    Err(Failure::usage(format!("no vocabulary `{name}` is installed"), help))
}

fn component_path(state: &StateFolder, name: &str) -> PathBuf {
    state.path().join(FOLDER).join(format!("{name}.wasm"))
}

/// Takes a vocabulary out of force. The record goes first.
pub(crate) fn remove(state: &StateFolder, name: &str) -> Result<(), Failure> {
    known(state, name)?;
    let path = component_path(state, name);
    for file in [path.with_extension("json"), path.clone(), signature_path(&path)] {
        match fs::remove_file(&file) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::file(&file, &error)),
        }
    }
    Ok(())
}

/// Replaces a file as a whole, so that a crash leaves the old one or the new one. A file that was there keeps its mode.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::file(path, &error);
    let mode = fs::metadata(path).map_or(0o600, |about| about.permissions().mode() & 0o777);
    // Nobody can guess the name and put a link there, and a file that exists is never opened.
    let mut name = [0_u8; 8];
    getrandom::fill(&mut name).map_err(|error| Failure::internal(error.to_string()))?;
    let mut unique = path.as_os_str().to_owned();
    unique.push(format!(".{}", hex::encode(name)));
    let unique = PathBuf::from(unique);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&unique).map_err(failed)?;
    let replaced =
        file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&unique, path)).map_err(failed);
    if replaced.is_err() {
        // What is left is this write's own, and its loss is no loss.
        let _ = fs::remove_file(&unique);
    }
    replaced?;
    // The folder of a plain file name is the current one.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
}
