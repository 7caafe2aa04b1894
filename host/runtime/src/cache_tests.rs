//! What an entry is made for goes into its hash, and entries are never written in place.

use super::*;
use std::fs::read_dir;
use std::io::ErrorKind;
use tempfile::TempDir;

fn engine() -> Engine {
    crate::sandbox::engine(&crate::Limits::DEFAULT, crate::sandbox::Purpose::Compile).unwrap()
}

fn artefact(engine: &Engine) -> Vec<u8> {
    engine.precompile_component(&wat::parse_str("(component)").unwrap()).unwrap()
}

fn folder() -> (TempDir, Cache) {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::open(folder.path(), [1; 32]).unwrap();
    (folder, cache)
}

fn id(component: &[u8], compatibility: u64) -> EntryId {
    EntryId { component: Digest::of_file(component), compatibility }
}

#[test]
fn what_is_stored_is_loaded() {
    let (_folder, cache) = folder();
    let engine = engine();
    let missing = cache.load(&engine, id(b"a", 1)).err().unwrap();
    assert!(matches!(missing, CacheError::Io(error) if error.kind() == ErrorKind::NotFound));
    cache.store(id(b"a", 1), &artefact(&engine)).unwrap();
    assert!(cache.load(&engine, id(b"a", 1)).is_ok());
}

#[test]
fn an_entry_under_the_name_of_another_is_damaged() {
    let (folder, cache) = folder();
    let engine = engine();
    let artefact = artefact(&engine);
    let own = id(b"a", 1);
    for other in [id(b"b", 1), id(b"a", 2)] {
        cache.store(own, &artefact).unwrap();
        std::fs::rename(folder.path().join(own.file_name()), folder.path().join(other.file_name())).unwrap();
        assert!(matches!(cache.load(&engine, other), Err(CacheError::Damaged)));
    }
}

#[test]
fn an_entry_of_another_key_is_damaged() {
    let (folder, cache) = folder();
    let engine = engine();
    cache.store(id(b"a", 1), &artefact(&engine)).unwrap();
    let mut key = [1; 32];
    key[31] ^= 1;
    let other = Cache::open(folder.path(), key).unwrap();
    assert!(matches!(other.load(&engine, id(b"a", 1)), Err(CacheError::Damaged)));
}

#[test]
fn code_that_the_engine_does_not_know_is_refused_though_its_hash_holds() {
    let (_folder, cache) = folder();
    let engine = engine();
    for code in [b"".as_slice(), b"code", &[0; 8_192]] {
        cache.store(id(b"a", 1), code).unwrap();
        let refused = cache.load(&engine, id(b"a", 1)).err().unwrap();
        assert!(matches!(refused, CacheError::Refused(_)), "{refused}");
        assert!(matches!(load_unkept(&engine, code), Err(CacheError::Refused(_))));
    }
    let short = artefact(&engine);
    cache.store(id(b"a", 1), &short[..short.len() / 2]).unwrap();
    assert!(matches!(cache.load(&engine, id(b"a", 1)), Err(CacheError::Refused(_))));
}

#[test]
fn an_entry_is_replaced_and_never_written_in_place() {
    let (folder, cache) = folder();
    let path = folder.path().join(id(b"a", 1).file_name());
    cache.store(id(b"a", 1), b"first").unwrap();
    let mut open = File::open(&path).unwrap();
    cache.store(id(b"a", 1), b"second").unwrap();
    let mut old = Vec::new();
    open.read_to_end(&mut old).unwrap();
    assert!(old.starts_with(b"first") && old.len() == 5 + MAC_BYTES);
    assert!(std::fs::read(&path).unwrap().starts_with(b"second"));
    assert_eq!(read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_was_left_half_written_is_not_written_on() {
    // Another thread of this process may hold it, and may have it mapped under its final name a moment later.
    let (folder, cache) = folder();
    let mut left = Vec::new();
    for ending in [format!("{}", std::process::id()), format!("{}.0", std::process::id())] {
        let path = folder.path().join(format!("{}.{ending}", id(b"a", 1).file_name()));
        std::fs::write(&path, b"half").unwrap();
        left.push(File::open(path).unwrap());
    }
    cache.store(id(b"a", 1), b"whole").unwrap();
    for mut file in left {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, b"half");
    }
}

#[test]
fn code_of_any_length_is_hashed_to_its_end() {
    let (folder, cache) = folder();
    let engine = engine();
    for length in [CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES] {
        let mut code = vec![0; length];
        cache.store(id(b"a", 1), &code).unwrap();
        let path = folder.path().join(id(b"a", 1).file_name());
        let whole = std::fs::read(&path).unwrap();
        code[length - 1] = 1;
        std::fs::write(&path, [code.as_slice(), &whole[length..]].concat()).unwrap();
        assert!(matches!(cache.load(&engine, id(b"a", 1)), Err(CacheError::Damaged)));
    }
}
