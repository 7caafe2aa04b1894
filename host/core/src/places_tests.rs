//! The lists of places match by whole names and never swallow a neighbour.

use super::*;
use crate::operation::Certainty;
use crate::paths::is_windows_system_folder;
use alloc::vec;

fn at(path: &str) -> Place {
    Place::resolve(path, Certainty::Exact, None)
}

fn scene() -> Scene {
    let path = |text| AbsPath::parse(text).unwrap();
    Scene {
        cwd: Some(path("/home/u/proj")),
        workspace: vec![path("/home/u/proj")],
        home: Some(path("/home/u")),
        protected: vec![],
    }
}

#[test]
fn host_wiring_is_found_in_any_folder_and_through_a_recursive_delete_of_its_own() {
    let wired = |path: &str, reach| matches_any(&at(path), HOST_WIRING, reach);
    assert!(wired("/w/.claude/settings.json", Reach::Itself));
    assert!(wired("/w/sub/.Claude/Settings.json", Reach::Itself));
    assert!(wired("/w/.claude", Reach::Below));
    assert!(!wired("/w/.claude", Reach::Itself));
    assert!(!wired("/w/build", Reach::Below), "an ordinary folder may be removed");
    assert!(!wired("/w/settings.json", Reach::Itself));
    assert!(!wired("/w/x.claude/settings.json.bak", Reach::Itself));
}

#[test]
fn public_places_hold_no_private_exception() {
    for public in ["/etc/passwd", "/usr/share/doc", "/proc/cpuinfo", "/"] {
        assert!(is_public(&at(public), Scope::One), "{public}");
    }
    for private in ["/etc/shadow", "/etc/shadow-", "/proc/1/environ", "/home/u/x", "/root", "/etc/ssl/private/k.pem"] {
        assert!(!is_public(&at(private), Scope::One), "{private}");
    }
    let glob = Place::resolve("/etc/sh*", Certainty::Glob, None);
    assert!(!is_public(&glob, Scope::Selection), "a pattern that may match a private file is private");
}

#[test]
fn system_folders_are_the_root_its_members_homes_and_what_holds_the_workspace() {
    let system = |path: &str| may_be_system_folder(&at(path), &scene());
    for folder in ["/", "/etc", "/x", "/usr/lib", "/home/u", "/home/other", "/home"] {
        assert!(system(folder), "{folder}");
    }
    for folder in ["/home/u/proj", "/home/u/proj/build", "/opt/app/cache", "/srv/www"] {
        assert!(!system(folder), "{folder}");
    }
}

#[test]
fn raw_devices_are_told_from_inert_ones_and_shared_memory() {
    for raw in ["/dev/sda", "/dev/mapper/vg-root", "/dev/disk/by-id/x"] {
        assert!(is_raw_device(&at(raw)), "{raw}");
    }
    for other in ["/dev/null", "/dev/fd/3", "/dev/shm/x", "/w/dev/sda"] {
        assert!(!is_raw_device(&at(other)), "{other}");
    }
}

#[test]
fn a_drive_or_a_folder_on_it_is_a_system_folder_of_another_system() {
    for folder in ["C:", "C:\\", "c:\\$GetCurrent", "C:$GetCurrent", "D:/x", "C:\\*.*"] {
        assert!(is_windows_system_folder(folder), "{folder}");
    }
    for other in ["C:\\Users\\me\\x", "file", "a/b:c", "1:x"] {
        assert!(!is_windows_system_folder(other), "{other}");
    }
}

#[test]
fn a_name_at_any_depth_is_not_taken_for_every_folder_it_might_lie_in() {
    let found = |name: &str| Place::resolve(name, Certainty::Glob, AbsPath::parse("/w").as_ref());
    assert!(!matches_any(&found("./**/*.o"), HOST_WIRING, Reach::Itself));
    assert!(!matches_any(&found("./**/*.o"), PERSISTENCE, Reach::Itself));
    assert!(matches_any(&found("./**/settings.json"), HOST_WIRING, Reach::Itself));
    assert!(matches_any(&found("./**"), HOST_WIRING, Reach::Itself));
    assert!(matches_any(&found("./**/.git"), PERSISTENCE, Reach::Itself));
}

#[test]
fn an_ordinary_name_that_runs_later_counts_where_it_is_named() {
    let writes = |name: &str| {
        let certainty = if name.contains('*') { Certainty::Glob } else { Certainty::Exact };
        let place = Place::resolve(name, certainty, AbsPath::parse("/w").as_ref());
        let operation = crate::operation::Operation {
            verb: crate::operation::Verb::Update,
            native: "x".into(),
            target: alloc::vec![],
            access: Access::Write,
            effect: Effect::Reversible,
            scope: Scope::One,
            traits: crate::operation::Traits::EMPTY,
            origin: crate::operation::Span { part: 0, start: 0, end: 0 },
        };
        let scene = Scene { workspace: alloc::vec![AbsPath::parse("/w").unwrap()], ..Scene::default() };
        persists(&Assessed { node: 0, operation, place: Some(place) }, &scene)
    };
    for name in ["CLAUDE.md", "sub/AGENTS.md", "mise.toml", "x.code-workspace", ".github/workflows/ci.yml"] {
        assert!(writes(name), "{name}");
    }
    for name in ["*.md", "*", "README.md", "src/main.rs"] {
        assert!(!writes(name), "{name}");
    }
}

#[test]
fn patterns_are_in_lowercase_as_they_are_compared() {
    use crate::place_lists::PERSISTENCE_BY_NAME;
    for pattern in [PERSISTENCE, PERSISTENCE_BY_NAME, HOST_WIRING, PRIVATE_PATTERNS].concat() {
        assert!(!pattern.contains(|letter: char| letter.is_uppercase()), "{pattern}");
    }
}

#[test]
fn the_short_way_to_no_match_leaves_no_match_out() {
    let lists = [HOST_WIRING, PERSISTENCE, PERSISTENCE_BY_NAME, PRIVATE_PATTERNS];
    let patterns: Vec<&str> = lists.iter().flat_map(|list| list.iter().copied()).collect();
    let mut paths: Vec<String> =
        ["/", "/etc", "/a/b", "/a*/b", "/w/.GIT/x", "/ETC/Shadow-", "/x/.env", "/x/a.KEY"].map(String::from).to_vec();
    // Each pattern with its wildcards filled in, the folders above it, and what lies below it.
    for pattern in &patterns {
        let filled = pattern.replace("**", "w").replace('*', "q");
        let filled = alloc::format!("/{}", filled.trim_start_matches('/'));
        paths.extend(filled.match_indices('/').skip(1).map(|(end, _)| filled.chars().take(end).collect::<String>()));
        paths.push(alloc::format!("{filled}/deep"));
        paths.push(filled.to_uppercase());
        paths.push(filled);
    }
    let mut matched = 0_usize;
    for text in &paths {
        let place = Place::Exact(AbsPath::parse(text).unwrap());
        for reach in [Reach::Itself, Reach::Below] {
            for pattern in &patterns {
                let whole = matches_one_of(&place, [pattern].into_iter(), reach);
                assert_eq!(matches_any(&place, &[pattern], reach), whole, "{text} {pattern} {reach:?}");
                matched = matched.saturating_add(usize::from(whole));
            }
        }
    }
    assert!(matched > patterns.len(), "{matched}");
}
