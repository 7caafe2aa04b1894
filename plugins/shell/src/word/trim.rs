//! What `${x%suffix}`, `${x##prefix}` and `${x:-default}` make of a value that is known, or of the pattern it fits.

/// Which end of a value is removed, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Removal {
    /// `%`
    SuffixShort,
    /// `%%`
    SuffixLong,
    /// `#`
    PrefixShort,
    /// `##`
    PrefixLong,
}

/// What is done to the value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A beginning or an end that fits a pattern goes.
    Remove(Removal, String),
    /// A value that is missing, or empty where the flag says so, is replaced.
    Default(Missing, String),
}

/// Which values a default replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// `-`
    Unset,
    /// `:-`
    UnsetOrEmpty,
}

const OPERATORS: &[(&str, Removal)] = &[
    ("%%", Removal::SuffixLong),
    ("%", Removal::SuffixShort),
    ("##", Removal::PrefixLong),
    ("#", Removal::PrefixShort),
];

impl Change {
    /// Reads what stands after the name inside `${}`. Only plain operands are understood.
    pub(crate) fn read(text: &str) -> Option<Change> {
        if let Some((operator, removal)) = OPERATORS.iter().find(|(operator, _)| text.starts_with(operator)) {
            let pattern = text.strip_prefix(operator)?;
            let inner = match removal {
                Removal::SuffixShort | Removal::SuffixLong => pattern.strip_suffix('*').unwrap_or(pattern),
                Removal::PrefixShort | Removal::PrefixLong => pattern.strip_prefix('*').unwrap_or(pattern),
            };
            return is_plain(inner).then(|| Change::Remove(*removal, pattern.to_owned()));
        }
        let (missing, default) = match text.strip_prefix(":-") {
            Some(default) => (Missing::UnsetOrEmpty, default),
            None => (Missing::Unset, text.strip_prefix('-')?),
        };
        is_plain(default).then(|| Change::Default(missing, default.to_owned()))
    }

    /// What becomes of a value.
    pub(crate) fn of_value<'a>(&'a self, value: &'a str) -> &'a str {
        match self {
            Change::Remove(removal, pattern) => removed(*removal, pattern, value),
            Change::Default(Missing::UnsetOrEmpty, default) if value.is_empty() => default,
            Change::Default(Missing::UnsetOrEmpty | Missing::Unset, _) => value,
        }
    }

    /// The pattern that all values fit after the change if they fit `pattern` before. `None` if it cannot be told.
    pub(crate) fn of_pattern<'a>(&self, pattern: &'a str) -> Option<&'a str> {
        // A folder of any depth, a set of characters or an escape may hide what is removed.
        if pattern.contains("**") || pattern.contains(['[', ']', '\\']) {
            return None;
        }
        let is_wild = |text: &str| text.contains(['*', '?']);
        match self {
            Change::Default(..) => Some(pattern),
            Change::Remove(removal, part) => match (removal, &**part) {
                (Removal::PrefixLong, "*/") => Some(pattern.rsplit('/').next().unwrap_or(pattern)),
                (Removal::SuffixShort, "/*") => Some(pattern.rsplit_once('/').map_or(pattern, |(folder, _)| folder)),
                (Removal::SuffixShort, ".*") => {
                    let (stem, extension) = pattern.rsplit_once('.')?;
                    (!is_wild(extension) && !extension.contains('/')).then_some(stem)
                }
                (Removal::SuffixShort | Removal::SuffixLong, literal) if !is_wild(literal) => {
                    pattern.strip_suffix(literal)
                }
                (Removal::PrefixShort | Removal::PrefixLong, literal) if !is_wild(literal) => {
                    pattern.strip_prefix(literal)
                }
                (Removal::SuffixShort | Removal::SuffixLong | Removal::PrefixShort | Removal::PrefixLong, _) => None,
            },
        }
    }
}

fn removed<'a>(removal: Removal, pattern: &str, value: &'a str) -> &'a str {
    let kept = match removal {
        Removal::SuffixShort | Removal::SuffixLong => match pattern.strip_suffix('*') {
            Some(start) => {
                let at = if removal == Removal::SuffixShort { value.rfind(start) } else { value.find(start) };
                at.and_then(|at| value.get(..at))
            }
            None => value.strip_suffix(pattern),
        },
        Removal::PrefixShort | Removal::PrefixLong => match pattern.strip_prefix('*') {
            Some(end) => {
                let at = if removal == Removal::PrefixShort { value.find(end) } else { value.rfind(end) };
                at.and_then(|at| value.get(at + end.len()..))
            }
            None => value.strip_prefix(pattern),
        },
    };
    kept.unwrap_or(value)
}

/// Whether an operand is literal, whatever the quoting around it.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_/.,:@%+=-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::Change;

    #[test]
    fn values_lose_what_the_shell_removes() {
        for (text, value, expected) in [
            ("%/", "/home/u/", "/home/u"),
            ("%/", "/home/u", "/home/u"),
            ("%.txt", "a.txt", "a"),
            ("%.*", "a.b.c", "a.b"),
            ("%%.*", "a.b.c", "a"),
            ("##*/", "a/b/c", "c"),
            ("#*/", "a/b/c", "b/c"),
            ("%/*", "a/b/c", "a/b"),
            ("##*.", "a.b.c", "c"),
            ("#a", "ab", "b"),
            ("%*", "ab", "ab"),
            ("%%*", "ab", ""),
            ("##*", "ab", ""),
            ("#*", "ab", "ab"),
            (":-x", "", "x"),
            ("-x", "", ""),
            (":-x", "y", "y"),
        ] {
            assert_eq!(Change::read(text).expect(text).of_value(value), expected, "{text} {value}");
        }
        for text in ["%?", "%[a]", "%$x", "%'a'", "%a*b", "#a*", "=x", ":=x", ":+x", "/a/b", ":-~/x", ":-$y", ":1:2"] {
            assert_eq!(Change::read(text), None, "{text}");
        }
    }

    #[test]
    fn patterns_keep_covering_what_is_left() {
        for (text, pattern, expected) in [
            ("%.jpeg", "*.jpeg", Some("*")),
            ("%.*", "d/*.jpeg", Some("d/*")),
            ("##*/", "d/*.jpeg", Some("*.jpeg")),
            ("%/*", "d/*.jpeg", Some("d")),
            ("#d/", "d/*.jpeg", Some("*.jpeg")),
            ("%.jpeg", "*", None),
            ("%.*", "*.*", None),
            ("%.*", "*", None),
            ("%%.*", "*.jpeg", None),
            ("%/*", "d/**", None),
            ("%.jpeg", "[a.]jpeg", None),
        ] {
            assert_eq!(Change::read(text).expect(text).of_pattern(pattern), expected, "{text} {pattern}");
        }
    }
}
