//! Containment is by whole names, and a pattern that may reach a path is taken to reach it.

use super::*;

fn path(text: &str) -> AbsPath {
    AbsPath::parse(text).unwrap()
}

fn glob(text: &str) -> Place {
    Place::resolve(text, Certainty::Glob, Some(&path("/w")))
}

#[test]
fn a_name_that_only_starts_like_the_folder_is_not_in_it() {
    assert!(path("/srv/allowed/x").is_within(&path("/srv/allowed")));
    assert!(!path("/srv/allowed-evil/x").is_within(&path("/srv/allowed")));
    assert!(!path("/x/.agent/../../etc/passwd").is_within(&path("/x/.agent")));
    assert_eq!(path("/x/.agent/../../../etc/./passwd").text(), "/etc/passwd");
    assert_eq!(AbsPath::parse("etc"), None);
    assert_eq!(path("/w").join("a\0b"), None);
}

#[test]
fn a_relative_name_without_a_known_folder_may_be_anywhere() {
    assert_eq!(Place::resolve("x", Certainty::Exact, None), Place::Anywhere);
    assert_eq!(Place::resolve("/x", Certainty::Exact, None), Place::Exact(path("/x")));
    assert_eq!(Place::resolve("$x", Certainty::Dynamic, Some(&path("/w"))), Place::Anywhere);
}

#[test]
fn a_pattern_reaches_what_it_matches_and_with_recursion_what_lies_below() {
    assert!(glob("*.md").may_be(&path("/w/a.md"), Reach::Itself));
    assert!(!glob("*.md").may_be(&path("/w/d/a.md"), Reach::Itself));
    assert!(!glob("*").may_be(&path("/w/.git"), Reach::Itself), "a wildcard does not match a hidden name");
    assert!(glob(".g*").may_be(&path("/w/.git/config"), Reach::Below));
    assert!(glob("./**").may_be(&path("/w/.git/config"), Reach::Itself));
    assert!(glob("a[bc]?").may_be(&path("/w/acd"), Reach::Itself));
    assert!(glob("a\\*").may_be(&path("/w/a*"), Reach::Itself));
    assert!(!glob("a\\*").may_be(&path("/w/ab"), Reach::Itself));
    assert_eq!(glob("*/../x"), Place::Anywhere);
}

#[test]
fn a_pattern_may_lie_in_a_folder_it_passes_through() {
    assert!(glob(".h*/x").may_be_within(&path("/w/.holdpoint")));
    assert!(!glob("x/*").may_be_within(&path("/w/.holdpoint")));
    assert!(glob("**").may_be_within(&path("/w/a/b")));
    assert!(glob("/w/a/*").may_be_within(&path("/w/a")));
}

#[test]
fn a_pattern_for_everything_stands_for_its_folder() {
    for whole in ["/etc/*", "/etc/.*", "/etc/**", "/etc/*/*"] {
        assert_eq!(glob(whole).whole_folder(), Some(&path("/etc")), "{whole}");
    }
    assert_eq!(glob("/etc/*.conf").whole_folder(), None);
}

#[test]
fn more_names_than_the_bound_may_be_anywhere() {
    let long = |count: usize| Place::resolve(&"/a".repeat(count), Certainty::Exact, None);
    assert!(matches!(long(NAMES_MAX), Place::Exact(_)));
    assert_eq!(long(NAMES_MAX + 1), Place::Anywhere);
}

#[test]
fn a_link_of_the_kernel_leads_to_the_root_or_to_no_place_that_can_be_told() {
    let exact = |text: &str| Place::resolve(text, Certainty::Exact, Some(&path("/w")));
    assert_eq!(exact("/proc/self/root/etc/x"), Place::Exact(path("/etc/x")));
    assert_eq!(exact("/proc/1/root/../etc/x"), Place::Exact(path("/etc/x")));
    assert_eq!(exact("/dev/fd/3"), Place::Exact(path("/dev/fd/3")));
    assert_eq!(exact("/proc/cpuinfo"), Place::Exact(path("/proc/cpuinfo")));
    for lost in [
        "/dev/fd/../cwd/x",
        "/dev/fd/3/x",
        "/dev/stdin/x",
        "/dev/fd/./..",
        "/proc/self/cwd/x",
        "/proc/self/cwd/../x",
        "/proc/self/fd/3",
        "/proc/2/task/2/cwd",
        "/dev/../proc/self/cwd/x",
        "/w/../proc/self/exe",
    ] {
        assert_eq!(exact(lost), Place::Anywhere, "{lost}");
    }
    for lost in ["/proc/*/cwd/x", "/pr*/self/c*/x", "/proc/self/*/etc/shadow", "/dev/f?/3/x", "/dev/fd/../*"] {
        assert_eq!(glob(lost), Place::Anywhere, "{lost}");
    }
}
