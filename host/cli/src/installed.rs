//! Vocabularies that an operator installed: the generation that is in force, which names components and signatures by
//! digest. A generation that cannot be read stops every decision, since nobody can tell what it claimed; a vocabulary of
//! it that is not trusted any more is not asked, and what it claims stays claimed.

use crate::commands::freeze;
use crate::commands::toggle::not_written;
use crate::exit::{Exit, Failure};
use crate::gate;
use crate::trusted::{Trusted, not_read, unusable};
use holdpoint_core::digest::Digest;
use holdpoint_core::ports::NotDurable;
use holdpoint_runtime::{Manifest, Source, Vocabulary};
use holdpoint_signing::{PublicKey, Verified, VocabularyName};
use holdpoint_store::{Generation, Generations, StateFolder, Step, Trust, TrustChange};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Most vocabularies that may be installed.
pub(crate) const INSTALLED_MAX: usize = 64;
/// The layout of an index. A change of its fields is a new one.
const SCHEMA: u32 = 1;
/// Who changes the trust at a command line.
pub(crate) const ACTOR: &str = "cli";

/// What is remembered about an installed vocabulary.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// The digest of the component.
    pub(crate) digest: String,
    /// The digest of its signature.
    pub(crate) signature: String,
    /// The key that the operator named when installing it, where nobody was trusted.
    pub(crate) key: Option<String>,
    /// Whoever signed it, by the operator's names.
    pub(crate) signers: Vec<String>,
    pub(crate) manifest: Manifest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    schema: u32,
    vocabularies: Vec<Record>,
}

/// A component with its signature, as it lies in files.
pub(crate) struct Signed {
    pub(crate) component: Vec<u8>,
    pub(crate) envelope: String,
    /// The key that the operator named for it.
    pub(crate) key: Option<String>,
}

impl Signed {
    /// Verifies it against the trust, or against the key that was named.
    pub(crate) fn verify(&self, trusted: &Trusted) -> Result<Verified, Failure> {
        let refused = |what: String, help: &str| Failure::new(Exit::Plugin, what, help);
        let manifest = Manifest::of_component(&self.component)
            .map_err(|error| refused(error.to_string(), "`holdpoint plugin build` embeds the manifest"))?;
        let pin = pin(self.key.as_deref(), &manifest.name)?;
        let verified = trusted.verify(&self.component, &self.envelope, pin.as_ref().map(|(key, name)| (key, name)))?;
        let statement = verified.statement();
        let same = statement.name.as_str() == manifest.name
            && statement.version.as_str() == manifest.version
            && statement.release == manifest.release;
        if same {
            return Ok(verified);
        }
        let what = "the signature speaks of another name or version than the component does";
        Err(refused(what.to_owned(), "sign the component again: `holdpoint plugin sign`"))
    }
}

/// A key that was named for one component, and the name that it may speak for.
fn pin(key: Option<&str>, name: &str) -> Result<Option<(PublicKey, VocabularyName)>, Failure> {
    let refused = |error: holdpoint_signing::FormatError| Failure::new(Exit::Plugin, error.to_string(), "");
    let Some(key) = key else { return Ok(None) };
    Ok(Some((key.parse().map_err(refused)?, name.parse().map_err(refused)?)))
}

/// The installed vocabularies, and the trust by which they are.
pub(crate) struct Installed {
    pub(crate) trusted: Trusted,
    pub(crate) records: Vec<Record>,
    kept: Generations,
}

impl Installed {
    /// The generation in force.
    pub(crate) fn of(state: &StateFolder) -> Result<Installed, Failure> {
        check_layout(state)?;
        let kept = Generations::of(state);
        let said = Trust::of(state).state().map_err(not_read)?;
        let records = said.active.map_or(Ok(Vec::new()), |generation| index(&kept, &generation))?;
        Ok(Installed { trusted: Trusted::by(said, &kept)?, records, kept })
    }

    /// The vocabularies, of which some may be refused.
    pub(crate) fn vocabularies(&self, state: &StateFolder) -> Result<Vec<Vocabulary>, Failure> {
        let vocabulary = |record: &Record| {
            let digest = Digest::from_hex(&record.digest).ok_or_else(|| unusable("a digest is not one"))?;
            let source = Box::new(Blobs { state: state.clone(), record: record.clone() });
            let refused = self.objection(record);
            Ok(Vocabulary { manifest: record.manifest.clone(), digest, refused, source })
        };
        self.records.iter().map(vocabulary).collect()
    }

    /// Why a vocabulary of the generation is refused all the same.
    pub(crate) fn objection(&self, record: &Record) -> Option<String> {
        let objection = || {
            let pin = pin(record.key.as_deref(), &record.manifest.name)?;
            let digest = record.digest.parse().map_err(|_| unusable("a digest is not one"))?;
            let envelope = text(blob(&self.kept, &record.signature)?)?;
            Ok(self.trusted.objection(digest, &envelope, pin.as_ref().map(|(key, name)| (key, name))))
        };
        objection().unwrap_or_else(|failure: Failure| Some(failure.what))
    }

    /// What a decision names: the generation, and the engine that runs its vocabularies.
    pub(crate) fn stamp(&self, engine: u64) -> Option<String> {
        let Generation { number, digest } = self.trusted.said.active?;
        Some(format!("generation {number} sha256:{digest} engine {engine:016x}"))
    }

    /// A vocabulary by its name.
    pub(crate) fn record(&self, name: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.manifest.name == name)
    }

    /// The index of an earlier generation.
    pub(crate) fn generation(&self, number: u64) -> Result<(Generation, Vec<Record>), Failure> {
        let digest = self.trusted.said.generations.get(&number).ok_or_else(|| {
            let known: Vec<String> = self.trusted.said.generations.keys().map(u64::to_string).collect();
            let help = format!("generations: {}", known.join(", "));
            Failure::usage(format!("there is no generation {number}"), help)
        })?;
        let generation = Generation { number, digest: *digest };
        Ok((generation, index(&self.kept, &generation)?))
    }
}

/// A layout of before there were generations says nothing about who is trusted.
fn check_layout(state: &StateFolder) -> Result<(), Failure> {
    let folder = state.path().join(holdpoint_store::generations::FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::file(&folder, &error)),
    };
    for entry in entries {
        let path = entry.map_err(|error| Failure::file(&folder, &error))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let what = format!("`{}` is an installed vocabulary of an older layout", path.display());
            return Err(Failure::new(Exit::Plugin, what, "remove it, then install the vocabulary again"));
        }
    }
    Ok(())
}

fn index(kept: &Generations, generation: &Generation) -> Result<Vec<Record>, Failure> {
    let name = format!("`vocabularies/generations/generation-{}`", generation.number);
    let bytes = kept.index(generation).map_err(not_read)?;
    let bytes = bytes.ok_or_else(|| unusable(&format!("{name} is missing or was changed")))?;
    let index: Index = serde_json::from_slice(&bytes).map_err(|error| unusable(&format!("{name}: {error}")))?;
    if index.schema != SCHEMA {
        return Err(unusable(&format!("{name} has layout {}, and this program reads {SCHEMA}", index.schema)));
    }
    if index.vocabularies.len() > INSTALLED_MAX {
        return Err(too_many(index.vocabularies.len()));
    }
    for record in &index.vocabularies {
        record.manifest.check().map_err(|error| unusable(&format!("{name}: {error}")))?;
    }
    Ok(index.vocabularies)
}

fn too_many(count: usize) -> Failure {
    let what = format!("{count} vocabularies would be installed, and {INSTALLED_MAX} is the most");
    Failure::new(Exit::Plugin, what, "remove one: `holdpoint plugin remove NAME`")
}

fn blob(kept: &Generations, digest: &str) -> Result<Vec<u8>, Failure> {
    let bytes = match Digest::from_hex(digest) {
        Some(digest) => kept.blob(&digest).map_err(not_read)?,
        None => None,
    };
    bytes.ok_or_else(|| unusable(&format!("`vocabularies/generations/sha256-{digest}` is missing or was changed")))
}

fn text(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| unusable(&error.to_string()))
}

/// The files of a record. They are read and verified when no compiled code is kept.
struct Blobs {
    state: StateFolder,
    record: Record,
}

impl Source for Blobs {
    fn verified_bytes(&self) -> Result<Vec<u8>, String> {
        let read = || {
            let kept = Generations::of(&self.state);
            let component = blob(&kept, &self.record.digest)?;
            let envelope = text(blob(&kept, &self.record.signature)?)?;
            let signed = Signed { component, envelope, key: self.record.key.clone() };
            signed.verify(&Trusted::of(&self.state)?)?;
            Ok(signed.component)
        };
        read().map_err(|failure: Failure| failure.what)
    }
}

/// Makes a generation out of the one in force, and puts it in force. Nothing changes before the one line of the trust is
/// on disk that says so.
pub(crate) fn change(
    state: &StateFolder,
    files: &[&[u8]],
    make: impl FnOnce(&Installed) -> Result<Vec<Record>, Failure>,
) -> Result<Generation, Failure> {
    let kept = Generations::of(state);
    let written = |failure: NotDurable| not_written(&failure.cause);
    let _changing = kept.lock().map_err(written)?;
    let installed = Installed::of(state)?;
    let mut vocabularies = make(&installed)?;
    if vocabularies.len() > INSTALLED_MAX {
        return Err(too_many(vocabularies.len()));
    }
    vocabularies.sort_by(|one, other| one.manifest.name.cmp(&other.manifest.name));
    for file in files {
        kept.put_blob(file).map_err(written)?;
    }
    let index = Index { schema: SCHEMA, vocabularies };
    let bytes = serde_json::to_vec(&index).map_err(|error| Failure::internal(error.to_string()))?;
    let generation = kept.put(installed.trusted.said.next_number(), &bytes).map_err(written)?;
    activate(state, generation, &index.vocabularies)?;
    Ok(generation)
}

/// Puts a generation in force that was written before.
pub(crate) fn put_in_force(state: &StateFolder, number: u64) -> Result<(), Failure> {
    let kept = Generations::of(state);
    let _changing = kept.lock().map_err(|failure| not_written(&failure.cause))?;
    let installed = Installed::of(state)?;
    let (generation, records) = installed.generation(number)?;
    for record in &records {
        if let Some(why) = installed.objection(record) {
            let what = format!("generation {number} cannot be in force again: {}: {why}", record.manifest.name);
            let help = "ask the publisher for a newer release that says the same, and install it";
            return Err(Failure::new(Exit::Plugin, what, help));
        }
    }
    activate(state, generation, &records)
}

fn activate(state: &StateFolder, generation: Generation, records: &[Record]) -> Result<(), Failure> {
    let raised = |said: &holdpoint_store::TrustState| {
        let all = records.iter().map(|record| (record.manifest.name.clone(), record.manifest.release));
        all.filter(|(name, release)| *release > said.floor(name)).collect()
    };
    let step = |said: &holdpoint_store::TrustState| vec![Step::Activated { generation, floors: raised(said) }];
    say(state, step)
}

/// Writes steps of the trust down, and a decision that names them, so that they cannot be cut off unseen.
pub(crate) fn say(
    state: &StateFolder,
    make: impl FnOnce(&holdpoint_store::TrustState) -> Vec<Step>,
) -> Result<(), Failure> {
    let now_ms = gate::now_ms();
    match Trust::of(state).change(ACTOR, now_ms, make).map_err(|failure| not_written(&failure.cause))? {
        TrustChange::Done(_) => freeze::mark(state, "trust changed", now_ms),
        TrustChange::Refused(why) => {
            Err(Failure::new(Exit::Plugin, format!("the change {why}"), "`holdpoint trust list` shows what is said"))
        }
    }
}

/// Where the signature of a component lies.
pub(crate) fn signature_path(component: &Path) -> PathBuf {
    let mut path = component.as_os_str().to_owned();
    path.push(".sig");
    PathBuf::from(path)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded;

    fn records(count: usize) -> Vec<Record> {
        let shipped = embedded::vocabularies().unwrap().into_iter().next().unwrap();
        let record = |number: usize| {
            let manifest = Manifest { name: format!("v{number:03}"), ..shipped.manifest.clone() };
            let digest = shipped.digest.hex();
            Record { signature: digest.clone(), digest, key: None, signers: Vec::new(), manifest }
        };
        (0..count).map(record).collect()
    }

    fn state(folder: &tempfile::TempDir) -> StateFolder {
        StateFolder::create(&folder.path().canonicalize().unwrap().join("state")).unwrap()
    }

    #[test]
    fn one_vocabulary_too_many_is_neither_installed_nor_read() {
        let folder = tempfile::tempdir().unwrap();
        let state = state(&folder);
        change(&state, &[], |_| Ok(records(INSTALLED_MAX))).unwrap();
        let refused = change(&state, &[], |_| Ok(records(INSTALLED_MAX + 1))).unwrap_err();
        assert!(refused.what.ends_with("and 64 is the most"), "{}", refused.what);
        assert_eq!(Installed::of(&state).unwrap().records.len(), INSTALLED_MAX, "nothing was changed");
        let index = Index { schema: SCHEMA, vocabularies: records(INSTALLED_MAX + 1) };
        let generation = Generations::of(&state).put(2, &serde_json::to_vec(&index).unwrap()).unwrap();
        activate(&state, generation, &index.vocabularies).unwrap();
        assert!(Installed::of(&state).is_err_and(|failure| failure.what.ends_with("and 64 is the most")));
    }

    #[test]
    fn a_vocabulary_whose_signature_is_gone_is_refused_and_keeps_its_claims() {
        let folder = tempfile::tempdir().unwrap();
        let state = state(&folder);
        change(&state, &[], |_| Ok(records(1))).unwrap();
        let vocabularies = Installed::of(&state).unwrap().vocabularies(&state).unwrap();
        let refused: Vec<Option<String>> = vocabularies.into_iter().map(|one| one.refused).collect();
        assert!(matches!(refused.as_slice(), [Some(why)] if why.contains("is missing or was changed")), "{refused:?}");
    }
}
