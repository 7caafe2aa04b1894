//! Which folders may hold state, and what is said about the others.

use holdpoint_store::{StateFolder, StoreError};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn a_created_folder_is_private_and_can_be_opened_again() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("a/b/state");
    let folder = StateFolder::create(&path).unwrap();
    assert_eq!(folder.path(), path);
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o700, 0o700));
    StateFolder::create(&path).unwrap();
    StateFolder::open(&path).unwrap();
}

#[test]
fn creating_never_changes_a_folder_that_exists() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("state");
    std::fs::create_dir(&path).unwrap();
    set_mode(&path, 0o770);
    let error = StateFolder::create(&path).unwrap_err();
    assert!(matches!(error, StoreError::WritableByOthers { .. }), "{error}");
    assert_eq!(mode(&path), 0o770);
}

#[test]
fn each_unfit_folder_is_refused_in_its_own_words() {
    let outside = tempfile::tempdir().unwrap();
    let at = |name: &str| outside.path().join(name);
    std::fs::create_dir(at("real")).unwrap();
    set_mode(&at("real"), 0o755);
    symlink(at("real"), at("link")).unwrap();
    std::fs::write(at("file"), "").unwrap();
    std::fs::create_dir(at("open")).unwrap();
    set_mode(&at("open"), 0o1777);
    let check = |path: &Path, expected: &str, help: &str| {
        let error = StateFolder::open(path).unwrap_err();
        assert!(error.to_string().ends_with(expected), "{error}");
        assert!(error.help().contains(help), "{}", error.help());
    };
    StateFolder::open(&at("real")).unwrap();
    StateFolder::open(&at("real/")).unwrap();
    check(&at("none"), "does not exist", "hook install");
    check(Path::new("state"), "is not an absolute path that ends in a name", "/");
    check(Path::new("/"), "is not an absolute path that ends in a name", "/");
    check(&at("real/.."), "is not an absolute path that ends in a name", "/");
    check(&at("file"), "is not a folder", "another path");
    check(&at("file/below"), "Not a directory (os error 20)", "disk");
    check(&at("link"), "is a symbolic link", at("real").to_str().unwrap());
    check(&at("link/"), "is a symbolic link", at("real").to_str().unwrap());
    check(&at("open"), "has mode 1777, so other users can write to it", "chmod 700");
}

#[test]
fn a_folder_of_another_user_is_refused() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("state");
    std::fs::create_dir(&path).unwrap();
    // Only root can give a folder away; for everybody else, root's folders are another user's.
    let given = std::os::unix::fs::chown(&path, Some(54_321), None).is_ok();
    let (path, owner) = if given { (path.as_path(), 54_321) } else { (Path::new("/usr"), 0) };
    let error = StateFolder::open(path).unwrap_err();
    assert!(error.to_string().contains(&format!("belongs to user {owner}")), "{error}");
    assert!(error.help().contains(&format!("user {owner}")));
}
