//! `file:` addresses: which file curl opens for one.
//!
//! It must never name a file where curl would open another: what curl expands or decodes oddly stays open.

use holdpoint_guest::WordKind;

use crate::words::Arg;

/// Whether `{a,b}` and `[1-3]` in an address stand for several addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Globbing {
    #[default]
    On,
    Off,
}

/// A file and how sure its name is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) kind: WordKind,
}

/// The scheme, in lower case.
const SCHEME: &str = "file:";

/// The file that an address names; `None` if it is not a `file:` address.
pub(super) fn path(url: Arg<'_>, globbing: Globbing) -> Option<File> {
    let start = url.text.get(..SCHEME.len())?;
    if url.kind == WordKind::Dynamic || !start.eq_ignore_ascii_case(SCHEME) {
        return None;
    }
    let rest = url.text.get(SCHEME.len()..)?;
    // A host before the path changes nothing: the file is one of this machine.
    let whole = match rest.strip_prefix("//") {
        Some(rest) => rest.find('/').map_or("", |at| rest.split_at(at).1),
        None => rest,
    };
    let shown = whole.split(['?', '#']).next().unwrap_or_default();
    let expands = globbing == Globbing::On && url.text.contains(['{', '}', '[', ']']);
    let decoded = decode(shown).filter(|path| url.kind == WordKind::Exact && !expands && path.starts_with('/'));
    Some(match decoded {
        Some(path) => File { path: resolve(&path), kind: WordKind::Exact },
        None => File { path: url.text.to_owned(), kind: WordKind::Dynamic },
    })
}

/// The text with `%2e` and the like replaced; `None` if that is no text.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// A path without `.` and `..`.
fn resolve(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use holdpoint_guest::Span;

    use super::*;

    fn check(url: &str, globbing: Globbing, expected: Option<&str>) {
        let arg = Arg { text: url, kind: WordKind::Exact, span: Span::WHOLE };
        let file = path(arg, globbing).expect("a file address");
        let known = (file.kind == WordKind::Exact).then_some(file.path);
        assert_eq!(known.as_deref(), expected, "{url}");
    }

    #[test]
    fn a_file_address_names_the_file_that_is_opened() {
        for (url, expected) in [
            ("file:///etc/passwd", "/etc/passwd"),
            ("FILE:///etc/passwd", "/etc/passwd"),
            ("file:/etc/passwd", "/etc/passwd"),
            ("file://localhost/etc/passwd", "/etc/passwd"),
            ("file://any.host/etc/passwd", "/etc/passwd"),
            ("file:///etc/%73hadow", "/etc/shadow"),
            ("file:///a/../etc/./shadow#x", "/etc/shadow"),
            ("file:///a/%2e%2e/etc/shadow?x", "/etc/shadow"),
            ("file:///a%zz", "/a%zz"),
        ] {
            check(url, Globbing::On, Some(expected));
        }
    }

    #[test]
    fn what_is_expanded_or_no_text_is_not_known() {
        for url in ["file:///etc/{shadow,passwd}", "file:///etc/shado[w-w]", "file:///%ff", "file:///%00", "file:a"] {
            check(url, Globbing::On, None);
        }
        check("file:///a[1]", Globbing::Off, Some("/a[1]"));
    }
}
