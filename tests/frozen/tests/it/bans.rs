//! That every crate is under the lints and the bans of the root, unless it says here why not.

use crate::metadata::members;
use crate::tree::{Objections, Source, root};
use std::fs;

/// Names under which clippy finds its settings: in the folder of a crate first, then in each folder above.
const SETTINGS: &[&str] = &["clippy.toml", ".clippy.toml"];
/// Crates with settings of their own, each with its reason. Such a file stands in place of the root's, so it has to repeat
/// every ban that it does not mean to lift.
const OWN_SETTINGS: &[(&str, &str)] = &[];

/// Where clippy finds the settings of a crate in this folder.
fn settings_of(folder: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut above = Some(folder);
    while let Some(folder) = above {
        let file = |name: &&str| if folder.is_empty() { (*name).to_owned() } else { format!("{folder}/{name}") };
        if let Some(found) = SETTINGS.iter().map(file).find(|file| exists(file)) {
            return Some(found);
        }
        above = match folder.rsplit_once('/') {
            Some((above, _)) => Some(above),
            None if folder.is_empty() => None,
            None => Some(""),
        };
    }
    None
}

fn bans(folder: &str, exists: &dyn Fn(&str) -> bool, own: &[(&str, &str)], objections: &mut Objections) {
    let listed = own.iter().any(|(place, _)| *place == folder);
    match settings_of(folder, exists) {
        Some(file) if file == SETTINGS[0] && !listed => {}
        Some(file) if listed && SETTINGS.iter().any(|name| file == format!("{folder}/{name}")) => {}
        Some(file) if listed => {
            objections.to(folder, &format!("is listed with settings of its own and is under {file}"))
        }
        Some(file) => objections.to(folder, &format!("is under {file} and not under the bans of the root")),
        None => objections.to(folder, "is under no settings at all"),
    }
}

fn lints(manifest: &Source, objections: &mut Objections) {
    let mut lines = manifest.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let inherited = lines.any(|line| line == "[lints]") && lines.next() == Some("workspace = true");
    if !inherited {
        objections.to(&manifest.path, "is not under the lints of the workspace");
    }
}

#[test]
fn every_member_without_settings_of_its_own_is_under_the_bans_of_the_root() {
    let mut objections = Objections::default();
    let exists = |file: &str| root().join(file).exists();
    for member in members() {
        let folder = member.manifest.trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned();
        bans(&folder, &exists, OWN_SETTINGS, &mut objections);
    }
    objections.none_or("take the file away, or list the crate in OWN_SETTINGS of bans.rs with its reason");
}

#[test]
fn every_member_is_under_the_lints_of_the_workspace() {
    let mut objections = Objections::default();
    for member in members() {
        let text = fs::read_to_string(root().join(&member.manifest)).unwrap();
        lints(&Source::new(&member.manifest, &text), &mut objections);
    }
    objections.none_or("write `[lints]` and below it `workspace = true` into the manifest");
}

#[test]
fn a_crate_that_leaves_the_bans_is_seen() {
    let own: &[(&str, &str)] = &[("host/a", "why")];
    for (folder, files, listed, expected) in [
        ("host/a", vec!["clippy.toml"], &own[..0], 0),
        ("host/a", vec!["clippy.toml", "host/a/clippy.toml"], own, 0),
        ("host/a", vec!["clippy.toml", "host/a/.clippy.toml"], own, 0),
        ("host/a", vec!["clippy.toml", "host/a/clippy.toml"], &own[..0], 1),
        ("host/a", vec!["clippy.toml", "host/.clippy.toml"], &own[..0], 1),
        ("host/a", vec!["clippy.toml", "host/clippy.toml"], own, 1),
        ("host/a", vec!["clippy.toml"], own, 1),
        ("host/a", vec![".clippy.toml"], &own[..0], 1),
        ("signing", vec![], &own[..0], 1),
        ("signing", vec!["clippy.toml"], &own[..0], 0),
    ] {
        let mut objections = Objections::default();
        bans(folder, &|file: &str| files.contains(&file), listed, &mut objections);
        assert_eq!(objections.count(), expected, "{folder}: {files:?}");
    }
    for (text, expected) in [
        ("[package]\n[lints]\n# as all\nworkspace = true\n", 0),
        ("[lints]\nworkspace = false\n", 1),
        ("[lints.clippy]\nworkspace = true\n", 1),
        ("[lints]\n[dependencies]\nworkspace = true\n", 1),
    ] {
        let mut objections = Objections::default();
        lints(&Source::new("a/Cargo.toml", text), &mut objections);
        assert_eq!(objections.count(), expected, "{text}");
    }
}
