//! Committed snapshots.

use crate::tree::root;
use std::fs;

/// Compares a text with a committed file of this package, or rewrites the file under `UPDATE_EXPECT=1`.
pub(crate) fn expect_file(name: &str, actual: &str, meaning: &str) {
    let path = root().join("tests/frozen").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1") {
        fs::write(&path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == actual,
        "\n\ntests/frozen/{name} differs:\n{}\n\n{meaning}\nhelp: UPDATE_EXPECT=1 cargo test -p holdpoint-tests-frozen, \
         then read the difference\n",
        differences(name, &expected, actual)
    );
}

/// Lines that are in one text only, with their number.
fn differences(name: &str, expected: &str, actual: &str) -> String {
    let only = |sign: char, own: &str, other: &str| -> Vec<String> {
        let other: std::collections::HashSet<&str> = other.lines().collect();
        let missing = own.lines().enumerate().filter(|(_, line)| !other.contains(line));
        missing.map(|(index, line)| format!("{name}:{}: {sign} {line}", index + 1)).collect()
    };
    let mut lines = only('-', expected, actual);
    lines.extend(only('+', actual, expected));
    if lines.is_empty() {
        lines.push("the order of the lines".into());
    }
    lines.join("\n")
}

#[test]
fn a_difference_names_the_lines_of_both_sides() {
    assert_eq!(differences("f", "a\nb\n", "a\nc\n"), "f:2: - b\nf:2: + c");
    assert_eq!(differences("f", "a\nb\n", "b\na\n"), "the order of the lines");
}
