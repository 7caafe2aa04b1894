//! Compiled code on disk that is damaged, foreign or open to others. It is never run, and the vocabulary answers all the
//! same, compiled again from its bytes.

use crate::guest::{good, guest};
use crate::host::{KEY, LIMITS, action_of, nothing, vocabularies, vocabulary};
use holdpoint_core::ports::Classifier;
use holdpoint_runtime::{Cache, Compiler, Limits, Sandbox, Vocabularies};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const DAMAGED: &str = "the entry is damaged, or was made with another key, engine or configuration";
const NOT_PRIVATE: &str = "the entry is not a private file of this user";

/// A folder that holds the compiled code of the good guest.
struct Filled {
    folder: TempDir,
    entry: PathBuf,
    whole: Vec<u8>,
}

fn filled() -> Filled {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(answer(folder.path()), Vec::<String>::new());
    let [entry] = entries(folder.path()).try_into().unwrap();
    let whole = std::fs::read(&entry).unwrap();
    Filled { folder, entry, whole }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Asks the good guest with the cache in this folder, and says what the host notes.
fn answer(folder: &Path) -> Vec<String> {
    answer_of(&vocabularies(folder, LIMITS, Compiler::Here, &[good()]))
}

fn answer_of(vocabularies: &Vocabularies) -> Vec<String> {
    assert_eq!(vocabularies.classify(0, &action_of("ls"), &[]), Ok(nothing()));
    vocabularies.degraded()
}

impl Filled {
    /// The entry is refused for this reason, the guest answers, and the entry is whole again.
    #[track_caller]
    fn is_mended_after(&self, reason: &str) {
        let notes = answer(self.folder.path());
        assert_eq!(notes, [format!("vocabulary test: compiled code: {reason}")]);
        assert_eq!(std::fs::read(&self.entry).unwrap(), self.whole);
        assert!(self.entry.symlink_metadata().unwrap().is_file());
        assert_eq!(entries(self.folder.path()).len(), 1);
    }

    fn write(&self, bytes: &[u8]) {
        std::fs::write(&self.entry, bytes).unwrap();
    }
}

#[test]
fn kept_code_answers_without_the_component() {
    let filled = filled();
    let mode = filled.entry.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut member = vocabulary(&good());
    member.source = Box::new(crate::host::Bytes(Err("not needed".into())));
    let cache = Cache::open(filled.folder.path(), KEY).unwrap();
    let compiler = Compiler::Child { program: "/nonexistent".into(), arguments: vec![] };
    let vocabularies = Vocabularies::new(Sandbox::new(LIMITS).unwrap(), Some(cache), compiler, vec![member]);
    assert_eq!(answer_of(&vocabularies), Vec::<String>::new());
}

#[test]
fn a_flipped_byte_anywhere_is_found() {
    let filled = filled();
    let length = filled.whole.len();
    let code = length - 32;
    let header = 0..64;
    let sample = (64..code).step_by(997);
    for place in header.chain(sample).chain(code..length) {
        let mut damaged = filled.whole.clone();
        damaged[place] ^= 1 << (place % 8);
        filled.write(&damaged);
        filled.is_mended_after(DAMAGED);
    }
}

#[test]
fn an_entry_of_another_length_is_found() {
    let filled = filled();
    let whole = &filled.whole;
    for length in [0, 1, 31, 32, 33, 4_096, whole.len() - 33, whole.len() - 32, whole.len() - 1] {
        filled.write(&whole[..length]);
        filled.is_mended_after(DAMAGED);
    }
    filled.write(&[whole.as_slice(), b"\0"].concat());
    filled.is_mended_after(DAMAGED);
    filled.write(&[whole.as_slice(), whole].concat());
    filled.is_mended_after(DAMAGED);
}

#[test]
fn an_entry_made_with_another_key_is_found() {
    let filled = filled();
    let cache = Cache::open(filled.folder.path(), [8; 32]).unwrap();
    let other =
        Vocabularies::new(Sandbox::new(LIMITS).unwrap(), Some(cache), Compiler::Here, vec![vocabulary(&good())]);
    assert_eq!(answer_of(&other), [format!("vocabulary test: compiled code: {DAMAGED}")]);
    filled.is_mended_after(DAMAGED);
}

#[test]
fn an_entry_of_another_component_is_found() {
    let filled = filled();
    let others = tempfile::tempdir().unwrap();
    let other = vocabularies(others.path(), LIMITS, Compiler::Here, &[guest("unreachable")]);
    other.load_all().unwrap();
    let [entry] = entries(others.path()).try_into().unwrap();
    std::fs::rename(entry, &filled.entry).unwrap();
    filled.is_mended_after(DAMAGED);
}

#[test]
fn an_entry_of_another_configuration_has_another_name_and_does_not_pass_under_this_one() {
    let filled = filled();
    let others = tempfile::tempdir().unwrap();
    let limits = Limits { stack_bytes_max: 128 << 10, memory_bytes_max: 8 << 20, ..LIMITS };
    let same = Sandbox::new(limits.clone()).unwrap().compatibility() == Sandbox::new(LIMITS).unwrap().compatibility();
    vocabularies(others.path(), limits, Compiler::Here, &[good()]).load_all().unwrap();
    let [entry] = entries(others.path()).try_into().unwrap();
    assert_eq!(entry.file_name() == filled.entry.file_name(), same);
    if !same {
        std::fs::rename(entry, &filled.entry).unwrap();
        filled.is_mended_after(DAMAGED);
    }
}

#[test]
fn an_entry_that_others_may_write_is_not_trusted() {
    let filled = filled();
    for mode in [0o666, 0o620, 0o602, 0o777] {
        std::fs::set_permissions(&filled.entry, PermissionsExt::from_mode(mode)).unwrap();
        filled.is_mended_after(NOT_PRIVATE);
        assert_eq!(filled.entry.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn an_entry_of_another_user_is_not_trusted() {
    let filled = filled();
    // Only root can give files away.
    if std::os::unix::fs::chown(&filled.entry, Some(12_345), None).is_ok() {
        filled.is_mended_after(NOT_PRIVATE);
    }
}

#[test]
fn a_link_in_place_of_an_entry_is_not_followed() {
    let filled = filled();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("whole");
    std::fs::rename(&filled.entry, &target).unwrap();
    symlink(&target, &filled.entry).unwrap();
    filled.is_mended_after("Too many levels of symbolic links (os error 40)");
    assert_eq!(std::fs::read(&target).unwrap(), filled.whole);
}

#[test]
fn something_else_in_place_of_an_entry_does_not_stop_the_answer() {
    let filled = filled();
    std::fs::remove_file(&filled.entry).unwrap();
    std::fs::create_dir(&filled.entry).unwrap();
    let notes = answer(filled.folder.path());
    assert_eq!(notes[0], format!("vocabulary test: compiled code: {NOT_PRIVATE}"));
    assert!(notes[1].starts_with("vocabulary test: compiled code is not kept: "), "{notes:?}");
    assert_eq!(notes.len(), 2);
    // What could not be put in place is not left lying about.
    assert_eq!(entries(filled.folder.path()), [filled.entry]);
}

#[test]
fn a_pipe_in_place_of_an_entry_does_not_stop_the_answer() {
    let filled = filled();
    std::fs::remove_file(&filled.entry).unwrap();
    let made = std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&filled.entry).status().unwrap();
    assert!(made.success());
    filled.is_mended_after(NOT_PRIVATE);
}

#[test]
fn a_folder_that_cannot_be_written_does_not_stop_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("cache");
    std::fs::create_dir(&inner).unwrap();
    let vocabularies = vocabularies(&inner, LIMITS, Compiler::Here, &[good()]);
    // Nothing can be made in a folder that was removed while it was open, not even by root.
    std::fs::remove_dir(&inner).unwrap();
    let notes = answer_of(&vocabularies);
    assert_eq!(notes, ["vocabulary test: compiled code is not kept: No such file or directory (os error 2)"]);
}

#[test]
fn a_cache_is_a_folder_and_no_link_to_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, b"").unwrap();
    let link = folder.path().join("link");
    symlink(folder.path(), &link).unwrap();
    assert!(Cache::open(&file, KEY).is_err());
    assert!(Cache::open(&link, KEY).is_err());
    assert!(Cache::open(&folder.path().join("missing"), KEY).is_err());
}

#[test]
fn a_host_without_a_cache_answers() {
    let vocabularies =
        Vocabularies::new(Sandbox::new(LIMITS).unwrap(), None, Compiler::Here, vec![vocabulary(&good())]);
    assert_eq!(answer_of(&vocabularies), Vec::<String>::new());
}

#[test]
fn several_hosts_may_fill_one_cache_at_once() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| answer(folder.path()))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), Vec::<String>::new());
        }
    });
    assert_eq!(entries(folder.path()).len(), 1);
}

#[test]
fn what_a_process_that_died_left_behind_is_no_obstacle() {
    let filled = filled();
    let name = filled.entry.file_name().unwrap().to_str().unwrap().to_owned();
    std::fs::remove_file(&filled.entry).unwrap();
    for ending in [format!("{}", std::process::id()), format!("{}.0", std::process::id())] {
        std::fs::write(filled.folder.path().join(format!("{name}.{ending}")), b"half").unwrap();
    }
    assert_eq!(answer(filled.folder.path()), Vec::<String>::new());
    assert_eq!(std::fs::read(&filled.entry).unwrap(), filled.whole);
}

#[test]
fn a_folder_that_others_may_write_is_no_cache() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    assert!(holdpoint_runtime::Cache::open(folder.path(), [7; 32]).is_ok());
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let refused = holdpoint_runtime::Cache::open(folder.path(), [7; 32]).err().map(|error| error.to_string());
    assert_eq!(refused.as_deref(), Some("the folder is not private to this user"));
}
