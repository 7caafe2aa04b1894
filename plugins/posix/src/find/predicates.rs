//! The words of a find expression, by how many arguments they take and what they do.
//!
//! It must never list a predicate that writes, deletes or runs among those that look.

use crate::words::GLOB_STARTS;

/// Tests and actions without an argument that do nothing but look or print.
pub(super) const PLAIN: &[&str] = &[
    "-daystart",
    "-depth",
    "-d",
    "-empty",
    "-executable",
    "-false",
    "-follow",
    "-ignore_readdir_race",
    "-ls",
    "-mount",
    "-nogroup",
    "-noignore_readdir_race",
    "-noleaf",
    "-nouser",
    "-nowarn",
    "-print",
    "-print0",
    "-prune",
    "-quit",
    "-readable",
    "-true",
    "-warn",
    "-writable",
    "-xdev",
    "-help",
    "--help",
    "-version",
    "--version",
];
/// Tests and actions with one argument that is text.
pub(super) const WITH_TEXT: &[&str] = &[
    "-Bmin",
    "-Btime",
    "-amin",
    "-atime",
    "-cmin",
    "-context",
    "-ctime",
    "-flags",
    "-fstype",
    "-gid",
    "-group",
    "-ilname",
    "-iname",
    "-inum",
    "-ipath",
    "-iregex",
    "-iwholename",
    "-links",
    "-lname",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mtime",
    "-name",
    "-path",
    "-perm",
    "-printf",
    "-regex",
    "-regextype",
    "-size",
    "-type",
    "-uid",
    "-used",
    "-user",
    "-wholename",
    "-xattr",
    "-xtype",
];
/// Tests that look at another file.
pub(super) const WITH_FILE: &[&str] = &["-anewer", "-cnewer", "-newer", "-samefile"];
/// Actions that write to a file; the second kind has a format after it.
pub(super) const WRITES: &[&str] = &["-fls", "-fprint", "-fprint0"];
pub(super) const WRITES_FORMAT: &str = "-fprintf";
/// Actions that run a program.
pub(super) const RUNS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
/// Options before the starting points, those of BSD among them.
pub(super) const LEADING: &[&str] = &["-E", "-H", "-L", "-P", "-X", "-s", "-x"];

/// Whether a pattern can expand to a word that acts. Patterns beyond `*` and `?` are taken to.
pub(super) fn may_match_action(pattern: &str) -> bool {
    // An action starts with a dash, so the pattern must be able to.
    if !pattern.starts_with('-') && !pattern.starts_with(GLOB_STARTS) {
        return false;
    }
    if pattern.contains(['[', '(', '\\']) {
        return true;
    }
    let acting = ["-delete", "-files0-from", WRITES_FORMAT];
    acting.iter().chain(RUNS).chain(WRITES).any(|action| simple_match(pattern.as_bytes(), action.as_bytes()))
}

/// Whether a `-name` pattern may match a name. Patterns beyond `*` and `?` are taken to.
pub(super) fn may_match(pattern: &str, name: &str) -> bool {
    pattern.contains(['[', '\\']) || simple_match(pattern.as_bytes(), name.as_bytes())
}

/// Matches `*` and `?` in time linear in the product of the lengths.
fn simple_match(pattern: &[u8], text: &[u8]) -> bool {
    let mut reachable = vec![false; text.len().saturating_add(1)];
    if let Some(first) = reachable.first_mut() {
        *first = true;
    }
    for part in pattern {
        let before = reachable.clone();
        let mut any = false;
        for (at, cell) in reachable.iter_mut().enumerate() {
            let step = at.checked_sub(1);
            let from = step.and_then(|at| before.get(at)).copied().unwrap_or(false);
            let same = step.and_then(|at| text.get(at)).is_some_and(|letter| *part == b'?' || letter == part);
            any |= before.get(at).copied().unwrap_or(false);
            *cell = if *part == b'*' { any } else { from && same };
        }
    }
    reachable.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_matched_against_actions() {
        for (pattern, expected) in
            [("*", true), ("-d*", true), ("*.txt", false), ("?exec", true), ("*ok", true), ("a*", false)]
        {
            assert_eq!(may_match_action(pattern), expected, "{pattern}");
        }
    }
}
