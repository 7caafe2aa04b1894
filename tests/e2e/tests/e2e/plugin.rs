//! From a component to a vocabulary in force, and every way in which it is refused.

use holdpoint_tests_e2e::{Failed, Scene, repository};
use std::path::PathBuf;

/// A shipped component, signed anew with a key of the test.
fn signed(scene: &Scene) -> Result<(PathBuf, String), Failed> {
    let file = scene.folder().join("posix.wasm");
    std::fs::copy(repository().join("plugins/dist/posix.wasm"), &file)?;
    let key = scene.folder().join("secret");
    let made = scene.run(&["key", "new", text(&key)?])?;
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let ran = scene.run(&["plugin", "sign", text(&file)?, "--key", text(&key)?, "--valid-days", "30"])?;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    Ok((file, made.stdout.trim().to_owned()))
}

fn text(path: &std::path::Path) -> Result<&str, Failed> {
    path.to_str().ok_or("not UTF-8".into())
}

#[test]
fn a_shipped_component_shows_its_proof() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for name in ["shell", "posix"] {
        let file = repository().join(format!("plugins/dist/{name}.wasm"));
        let ran = scene.run(&["plugin", "inspect", text(&file)?])?;
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("imports: none"), "{}", ran.stdout);
    }
    Ok(())
}

#[test]
fn a_signature_holds_for_its_bytes_and_its_key_only() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let (file, key) = signed(&scene)?;
    assert_eq!(scene.run(&["plugin", "verify", text(&file)?, "--key", &key])?.code, Some(0));
    let other = scene.folder().join("other");
    let other_key = scene.run(&["key", "new", text(&other)?])?.stdout;
    assert_eq!(scene.run(&["plugin", "verify", text(&file)?, "--key", other_key.trim()])?.code, Some(20));
    let mut bytes = std::fs::read(&file)?;
    bytes.push(0);
    std::fs::write(&file, &bytes)?;
    let ran = scene.run(&["plugin", "verify", text(&file)?, "--key", &key])?;
    assert_eq!(ran.code, Some(20));
    assert!(ran.stderr.contains("help:"), "{}", ran.stderr);
    Ok(())
}

#[test]
fn a_secret_key_is_never_written_over_a_file() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let file = scene.folder().join("precious");
    std::fs::write(&file, "precious")?;
    assert_eq!(scene.run(&["key", "new", text(&file)?])?.code, Some(2));
    assert_eq!(std::fs::read_to_string(&file)?, "precious");
    Ok(())
}

#[test]
fn a_name_of_this_binary_cannot_be_taken() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let (file, key) = signed(&scene)?;
    let ran = scene.run(&["plugin", "install", text(&file)?, "--key", &key])?;
    assert_eq!(ran.code, Some(20));
    assert!(ran.stderr.contains("of its own"), "{}", ran.stderr);
    Ok(())
}

#[test]
fn a_component_without_import_section_but_of_another_kind_is_refused() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let file = scene.folder().join("module.wasm");
    std::fs::write(&file, b"\0asm\x01\0\0\0")?;
    let ran = scene.run(&["plugin", "inspect", text(&file)?])?;
    assert_eq!(ran.code, Some(20));
    assert!(ran.stderr.contains("core module"), "{}", ran.stderr);
    Ok(())
}

#[test]
fn the_vocabularies_in_force_are_listed() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let ran = scene.run(&["plugin", "list", "--json"])?;
    let document: serde_json::Value = serde_json::from_str(&ran.stdout)?;
    let names: Vec<_> =
        document["vocabularies"].as_array().ok_or("no list")?.iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names, ["posix", "shell"]);
    assert_eq!(scene.run(&["plugin", "remove", "nothing"])?.code, Some(2));
    Ok(())
}
