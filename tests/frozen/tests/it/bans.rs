//! That every crate is under the lints and the bans of the root, unless it says here why not.

use crate::metadata::members;
use crate::tree::{Objections, Source, root, rust_files};
use std::fs;

/// Names under which clippy finds its settings: in the folder of a crate first, then in each folder above.
const SETTINGS: &[&str] = &["clippy.toml", ".clippy.toml"];
/// Folders with settings of their own.
struct Own {
    folder: &'static str,
    reason: &'static str,
    /// What of the root's bans they leave out: items, or modules with everything in them.
    lifts: &'static [&'static str],
}

const FILES: &[&str] = &["std::fs", "std::path", "std::os::unix::fs"];
/// Such a file stands in place of the root's, so it has to repeat every ban that it does not mean to lift.
const OWN_SETTINGS: &[Own] = &[
    Own { folder: "host/store", reason: "keeping files is what the store is for", lifts: FILES },
    Own {
        folder: "host/runtime",
        reason: "it keeps compiled code, starts the child that compiles, and holds questions to a deadline",
        lifts: &["std::fs", "std::path", "std::os::unix::fs", "std::process", "std::thread", "std::time::Instant"],
    },
    Own {
        folder: "host/cli",
        reason: "it is the program, and tells all others what surrounds them",
        lifts: &["std::fs", "std::path", "std::os::unix::fs", "std::process", "std::env", "std::time", "std::thread"],
    },
    Own { folder: "tests", reason: "tests set up what the product may not reach", lifts: &["std"] },
];
/// Folders whose crates are under all of the root's bans, whatever the list above says.
const NOTHING_LIFTED: &[&str] = &["host/core", "host/engine", "host/gateway", "signing", "guest-sdk", "plugins"];
/// What the root bans at least.
const BANNED: &[&str] = &[
    "std::env::args",
    "std::env::current_dir",
    "std::env::current_exe",
    "std::env::home_dir",
    "std::env::set_var",
    "std::env::temp_dir",
    "std::env::var",
    "std::env::var_os",
    "std::env::vars",
    "std::fs::File::create",
    "std::fs::File::open",
    "std::fs::OpenOptions::new",
    "std::fs::OpenOptions::open",
    "std::fs::copy",
    "std::fs::create_dir",
    "std::fs::create_dir_all",
    "std::fs::metadata",
    "std::fs::read",
    "std::fs::read_dir",
    "std::fs::read_to_string",
    "std::fs::remove_dir_all",
    "std::fs::remove_file",
    "std::fs::rename",
    "std::fs::write",
    "std::net::TcpListener",
    "std::net::TcpStream",
    "std::net::UdpSocket",
    "std::path::Path::exists",
    "std::process::Command",
    "std::thread::sleep",
    "std::thread::spawn",
    "std::time::Instant::now",
    "std::time::SystemTime::now",
];

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

fn bans(folder: &str, exists: &dyn Fn(&str) -> bool, own: &[&str], objections: &mut Objections) {
    let Some(file) = settings_of(folder, exists) else { return objections.to(folder, "is under no settings at all") };
    let place = file.rsplit_once('/').map_or("", |(place, _)| place);
    if own.contains(&folder) && place != folder {
        objections.to(folder, &format!("is listed with settings of its own and is under {file}"));
    } else if file != SETTINGS[0] && !own.contains(&place) {
        objections.to(folder, &format!("is under {file} and not under the bans of the root"));
    }
}

/// The banned paths of settings, and all other lines that say something.
fn settings(text: &str) -> (Vec<&str>, Vec<&str>) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#') && *line != "]");
    let (bans, others): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with('{'));
    let bans = bans.into_iter().map(|line| path_of(line).unwrap_or(line)).collect();
    (bans, others.into_iter().filter(|line| !line.starts_with("disallowed-")).collect())
}

fn path_of(ban: &str) -> Option<&str> {
    Some(ban.strip_prefix("{ path = \"")?.split_once('"')?.0)
}

fn is_lifted(ban: &str, lift: &str) -> bool {
    ban.strip_prefix(lift).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Whether settings are those of the root without what they say they lift.
fn differs(root: &str, own: &str, folder: &str, lifts: &[&str], objections: &mut Objections) {
    let ((all, common), (kept, others)) = (settings(root), settings(own));
    let expected: Vec<&str> =
        all.iter().copied().filter(|ban| !lifts.iter().any(|lift| is_lifted(ban, lift))).collect();
    for ban in expected.iter().filter(|ban| !kept.contains(ban)) {
        objections.to(folder, &format!("leaves out the ban of `{ban}`, which is not said to be lifted"));
    }
    for ban in kept.iter().filter(|ban| !expected.contains(ban)) {
        objections.to(folder, &format!("bans `{ban}`, which the root does not, or which is said to be lifted"));
    }
    for lift in lifts.iter().filter(|lift| !all.iter().any(|ban| is_lifted(ban, lift))) {
        objections.to(folder, &format!("lifts `{lift}`, which the root does not ban"));
    }
    if others != common {
        objections.to(folder, "has other settings than the root besides its bans");
    }
}

/// Product code lifts no ban within itself. Tests, examples and build scripts may.
fn lifts_within(file: &Source, objections: &mut Objections) {
    let outside = file.path.split('/').any(|folder| matches!(folder, "tests" | "examples"));
    let is_test = file.path.ends_with("tests.rs") || file.path.ends_with("build.rs");
    for (index, line) in file.text.lines().enumerate().filter(|_| !outside && !is_test) {
        let lifts = ["disallowed_methods", "disallowed_types", "clippy::style", "clippy::all"];
        if lifts.iter().any(|lint| line.contains(lint)) && !line.contains("cfg_attr(test,") {
            objections.at(&file.path, index + 1, "lifts a ban in product code");
        }
    }
}

fn lints(manifest: &Source, objections: &mut Objections) {
    let mut lines = manifest.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let inherited = lines.any(|line| line == "[lints]") && lines.next() == Some("workspace = true");
    if !inherited {
        objections.to(&manifest.path, "is not under the lints of the workspace");
    }
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

#[test]
fn every_member_without_settings_of_its_own_is_under_the_bans_of_the_root() {
    let mut objections = Objections::default();
    let exists = |file: &str| root().join(file).exists();
    let own: Vec<&str> = OWN_SETTINGS.iter().map(|own| own.folder).collect();
    for member in members() {
        let folder = member.manifest.trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned();
        bans(&folder, &exists, &own, &mut objections);
    }
    objections.none_or("take the file away, or list the folder in OWN_SETTINGS of bans.rs with its reason");
}

#[test]
fn settings_of_a_folder_are_those_of_the_root_but_for_what_they_are_said_to_lift() {
    let mut objections = Objections::default();
    let root = read(SETTINGS[0]);
    for own in OWN_SETTINGS {
        assert!(!own.reason.is_empty());
        differs(&root, &read(&format!("{}/{}", own.folder, SETTINGS[0])), own.folder, own.lifts, &mut objections);
        let below = |other: &&&str| is_below(other, own.folder) || is_below(own.folder, other);
        for other in NOTHING_LIFTED.iter().filter(below) {
            objections.to(own.folder, &format!("lifts bans for {other}, where none may be lifted"));
        }
    }
    let (banned, _) = settings(&root);
    for ban in BANNED.iter().filter(|ban| !banned.contains(ban)) {
        objections.to(SETTINGS[0], &format!("does not ban `{ban}`"));
    }
    objections.none_or("repeat the bans of the root, or say in OWN_SETTINGS of bans.rs what is lifted");
}

fn is_below(folder: &str, above: &str) -> bool {
    folder.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[test]
fn no_product_code_lifts_a_ban_within_itself() {
    let mut objections = Objections::default();
    rust_files().iter().for_each(|file| lifts_within(file, &mut objections));
    objections.none_or("move the code into a crate that may, or give it what it needs as an argument");
}

#[test]
fn settings_that_lift_more_than_they_say_are_seen() {
    let root = "a = true\ndisallowed-methods = [\n    { path = \"std::fs::read\", reason = \"r\" },\n    { path = \"std::env::var\", reason = \"r\" },\n]\n";
    let without = |part: &str| root.lines().filter(|line| !line.contains(part)).collect::<Vec<_>>().join("\n");
    for (own, lifts, expected) in [
        (root.to_owned(), &[][..], 0),
        (without("std::fs"), &["std::fs"], 0),
        (without("std::fs"), &[], 1),
        (without("std::env"), &["std::fs"], 2),
        (root.to_owned(), &["std::fs"], 1),
        (root.to_owned(), &["std::f"], 1),
        (without("a = true"), &[], 1),
        (root.replace("std::env::var", "std::env::vars"), &[], 2),
    ] {
        let mut objections = Objections::default();
        differs(root, &own, "host/a", lifts, &mut objections);
        assert_eq!(objections.count(), expected, "{lifts:?}: {own}");
    }
    for (path, text, expected) in [
        ("host/a/src/x.rs", "#[expect(clippy::disallowed_methods, reason = \"r\")]", 1),
        ("host/a/src/lib.rs", "#![cfg_attr(test, expect(clippy::disallowed_methods, reason = \"r\"))]", 0),
        ("host/a/tests/x/main.rs", "#![expect(clippy::disallowed_methods, reason = \"r\")]", 0),
        ("host/a/src/x_tests.rs", "#![expect(clippy::disallowed_methods, reason = \"r\")]", 0),
    ] {
        let mut objections = Objections::default();
        lifts_within(&Source::new(path, text), &mut objections);
        assert_eq!(objections.count(), expected, "{path}");
    }
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
    let own: &[&str] = &["host/a", "tests"];
    for (folder, files, listed, expected) in [
        ("host/a", vec!["clippy.toml"], &own[..0], 0),
        ("host/a", vec!["clippy.toml", "host/a/clippy.toml"], own, 0),
        ("host/a", vec!["clippy.toml", "host/a/.clippy.toml"], own, 0),
        ("host/a", vec!["clippy.toml", "host/a/clippy.toml"], &own[..0], 1),
        ("host/a", vec!["clippy.toml", "host/.clippy.toml"], &own[..0], 1),
        ("host/a", vec!["clippy.toml", "host/clippy.toml"], own, 1),
        ("host/a", vec!["clippy.toml"], own, 1),
        ("host/a", vec![".clippy.toml"], &own[..0], 1),
        ("tests/b", vec!["clippy.toml", "tests/clippy.toml"], own, 0),
        ("tests/b", vec!["clippy.toml", "tests/clippy.toml"], &own[..0], 1),
        ("tests/b", vec!["clippy.toml", "tests/clippy.toml", "tests/b/clippy.toml"], own, 1),
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
