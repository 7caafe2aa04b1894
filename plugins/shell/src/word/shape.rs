//! Substitutions whose output has a known shape: it holds no slash of its own, no white space and no character of a
//! pattern, so that it stays one word.

use shuck_ast::{Command, RedirectKind, RedirectTarget, Stmt, StmtSeq, Word};

/// What a program prints, as a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The program, which another command of that name may stand in for.
    pub(crate) program: &'static str,
    pub(crate) pattern: String,
}

/// Letters after `%` for which `date` prints digits and nothing else.
const DIGITS: &[u8] = b"CGHIMNSUVWYdgjmsuwy";

/// What `mktemp` prints where nobody says otherwise.
const TEMPORARY: &str = "/tmp/tmp.*";

/// The shape of what `body` prints. A name is compared as written, so that an escaped one counts as another.
pub(crate) fn shape_of(body: &StmtSeq, source: &str) -> Option<Shape> {
    let [statement] = body.as_slice() else {
        return None;
    };
    let Command::Simple(simple) = &statement.command else {
        return None;
    };
    if !simple.assignments.is_empty() || !is_plain(statement, source) {
        return None;
    }
    let words: Vec<&str> = simple.args.iter().map(|word: &Word| word.span.slice(source)).collect();
    match (simple.name.span.slice(source), words.as_slice()) {
        ("mktemp", [] | ["-d"]) => Some(Shape { program: "mktemp", pattern: TEMPORARY.to_owned() }),
        ("date", [format] | ["-u" | "--utc", format]) => {
            Some(Shape { program: "date", pattern: date_pattern(unquoted(format)?)? })
        }
        _ => None,
    }
}

/// Whether a command stands alone and nothing but its errors goes elsewhere.
fn is_plain(statement: &Stmt, source: &str) -> bool {
    let quiet = statement.redirects.iter().all(|redirect| match &redirect.target {
        RedirectTarget::Word(word) => {
            redirect.fd == Some(2) && redirect.kind == RedirectKind::Output && word.span.slice(source) == "/dev/null"
        }
        RedirectTarget::Heredoc(_) => false,
    });
    quiet && !statement.negated && statement.terminator.is_none()
}

/// The inside of a word that is quoted as a whole or not at all. What expands or escapes is no format.
fn unquoted(word: &str) -> Option<&str> {
    let inside = |quote| word.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    let text = inside('\'').or_else(|| inside('"')).unwrap_or(word);
    (!text.contains(['\'', '"', '$', '`', '\\'])).then_some(text)
}

/// The pattern of a format of `date` that is digits and separators.
fn date_pattern(format: &str) -> Option<String> {
    let mut rest = format.strip_prefix('+').filter(|format| !format.is_empty())?.chars();
    let mut pattern = String::new();
    while let Some(character) = rest.next() {
        let printed = match character {
            '%' => match rest.as_str().trim_start_matches(['-', '3', '6']).as_bytes().first()? {
                b'F' => "*-*-*",
                b'T' => "*:*:*",
                b'R' => "*:*",
                letter if DIGITS.contains(letter) => "*",
                _ => return None,
            },
            _ if character.is_ascii_alphanumeric() || "_-.:,+@=".contains(character) => {
                pattern.push(character);
                continue;
            }
            _ => return None,
        };
        rest = rest.as_str().trim_start_matches(['-', '3', '6']).get(1..)?.chars();
        // Two stars would stand for folders of any depth.
        let printed = if pattern.ends_with('*') { printed.trim_start_matches('*') } else { printed };
        pattern.push_str(printed);
    }
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::date_pattern;
    use crate::classify;
    use crate::testing::{bash, show};

    #[test]
    fn formats_become_patterns_without_folders() {
        for (format, pattern) in [
            ("+%F", Some("*-*-*")),
            ("+%Y%m%d", Some("*")),
            ("+%Y%m%dT%H%M%SZ", Some("*T*Z")),
            ("+v%-d.%3N", Some("v*.*")),
            ("+%F_%T", Some("*-*-*_*:*:*")),
            ("+%D", None),
            ("+%e", None),
            ("+%Y/%m", None),
            ("+%A", None),
            ("+%", None),
            ("+", None),
            ("+%Y %m", None),
            ("%F", None),
        ] {
            assert_eq!(date_pattern(format).as_deref(), pattern, "{format}");
        }
    }

    #[test]
    fn what_has_a_shape_is_a_pattern() {
        for (text, expected) in [
            ("x=$(date +%F); mkdir -p \"out-$x\"", "-> mkdir -p *:out-*-*-*"),
            ("x=$(date '+%s'); mkdir out-$x", "-> mkdir *:out-*"),
            ("tar czf b-$(date +%F).tgz d", "-> tar czf *:b-*-*-*.tgz d"),
            ("tmp=$(mktemp); sort f > \"$tmp\" && mv \"$tmp\" f", "-> mv *:/tmp/tmp.* f"),
            ("d=$(mktemp -d); rm -r $d/x", "-> rm -r *:/tmp/tmp.*/x"),
            ("d=$(mktemp -d 2>/dev/null); rm -r \"${d}/x\"", "-> rm -r *:/tmp/tmp.*/x"),
            ("export D=$(date +%F); make", "-> D=?:$D make"),
        ] {
            let found = show(&classify(&bash(text)));
            assert!(found.contains(expected) && !found.contains("doubt"), "{text}\n{found}");
        }
        let found = show(&classify(&bash("d=$(mktemp -d); echo a > \"$d/x\"")));
        assert!(found.contains("Verb::Update[>] TargetKind::File *:/tmp/tmp.*/x"), "{found}");
    }

    #[test]
    fn what_may_print_something_else_has_no_shape() {
        for text in [
            "mktemp() { echo a; }; d=$(mktemp -d); rm -r \"$d\"",
            "export TMPDIR=d; d=$(mktemp -d); rm -r \"$d\"",
            "TMPDIR=d; rm -r \"$(mktemp -d)\"",
            "d=$(mktemp -d x.XXX); rm -r \"$d\"",
            "d=$(mktemp -p x); rm -r \"$d\"",
            "d=$(mktemp -d; echo a); rm -r \"$d\"",
            "d=$(TMPDIR=d mktemp -d); rm -r \"$d\"",
            "d=$(mktemp -d); d=a; rm -r \"$d\"",
            "d=$(mktemp -d 2>&1); rm -r \"$d\"",
            "IFS=.; d=$(mktemp -d); rm -r $d",
            ". ./f; d=$(mktemp -d); rm -r \"$d\"",
            "x=$(date +%D); rm -r \"$x\"",
            "x=$(date -d \"$y\" +%F); rm -r \"$x\"",
            "alias date=ls; x=$(date +%F); rm -r \"$x\"",
        ] {
            let found = show(&classify(&bash(text)));
            assert!(found.contains("rm -r ?:") || found.contains("rm -r a"), "{text}\n{found}");
        }
    }
}
