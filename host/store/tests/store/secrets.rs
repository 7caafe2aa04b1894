//! Secrets: made once, the same for everybody, refused when others could know them.

use crate::scratch::Scratch;
use holdpoint_store::{StoreError, secret};
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_secret_is_made_once_and_private() {
    let scratch = Scratch::new();
    let made = secret(&scratch.state, "artefacts").unwrap();
    assert_eq!(secret(&scratch.state, "artefacts").unwrap(), made);
    assert_ne!(secret(&scratch.state, "other").unwrap(), made);
    assert_ne!(made, [0; 32]);
    let path = scratch.state.path().join("secrets/artefacts");
    assert_eq!(std::fs::read(&path).unwrap(), made);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
}

#[test]
fn all_who_ask_at_once_get_the_same_secret() {
    let scratch = Scratch::new();
    let secrets: Vec<[u8; 32]> = std::thread::scope(|scope| {
        let asks: Vec<_> = (0..16).map(|_| scope.spawn(|| secret(&scratch.state, "shared").unwrap())).collect();
        asks.into_iter().map(|ask| ask.join().unwrap()).collect()
    });
    assert!(secrets.iter().all(|secret| *secret == secrets[0]));
}

#[test]
fn a_secret_that_a_crash_left_half_made_is_made_anew() {
    let scratch = Scratch::new();
    secret(&scratch.state, "first").unwrap();
    std::fs::write(scratch.state.path().join("secrets/.new"), "half").unwrap();
    secret(&scratch.state, "second").unwrap();
    assert!(!scratch.state.path().join("secrets/.new").exists());
}

#[test]
fn a_secret_that_others_could_know_is_refused() {
    let check = |spoil: &dyn Fn(&std::path::Path), expected: &str| {
        let scratch = Scratch::new();
        secret(&scratch.state, "artefacts").unwrap();
        let path = scratch.state.path().join("secrets/artefacts");
        spoil(&path);
        let error = secret(&scratch.state, "artefacts").unwrap_err();
        assert!(matches!(error, StoreError::SecretFile { .. }), "{error}");
        assert!(error.to_string().ends_with(expected), "{error}");
        assert!(error.help().starts_with("remove `"));
    };
    let mode = |mode: u32| {
        move |path: &std::path::Path| {
            std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        }
    };
    check(&mode(0o640), "has a mode other than 0600");
    check(&mode(0o400), "has a mode other than 0600");
    check(&|path| std::fs::write(path, "short").unwrap(), "does not have 32 bytes");
    check(
        &|path| {
            std::fs::rename(path, path.with_extension("moved")).unwrap();
            std::os::unix::fs::symlink(path.with_extension("moved"), path).unwrap();
        },
        "is a symbolic link",
    );
    check(
        &|path| {
            std::fs::remove_file(path).unwrap();
            std::fs::create_dir(path).unwrap();
        },
        "is not a file",
    );
}

#[test]
fn a_name_that_is_a_path_is_refused() {
    let scratch = Scratch::new();
    for name in ["", "..", "a/b", ".new", ".lock", "A", "1a", "a b", &"a".repeat(65)] {
        let error = secret(&scratch.state, name).unwrap_err();
        assert!(matches!(error, StoreError::SecretName { .. }), "{name}");
    }
}
