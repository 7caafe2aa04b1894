//! Arithmetic. The shell evaluates the values of variables again as expressions, and an array subscript in such a value
//! may hold a command. So arithmetic is understood only over numbers and over variables that hold numbers.

use holdpoint_guest::{Reason, Span};

use super::Walker;
use crate::word::{Atom, Positional, Unknown, is_name};

/// Variables that the shell itself never lets be set.
const READ_ONLY: &[&str] = &["BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"];

/// Arrays that the shell itself keeps.
const SHELL_ARRAYS: &[&str] = &["BASH_ALIASES", "BASH_CMDS", "DIRSTACK"];

/// What was seen of arithmetic and of the data it may work on.
#[derive(Default)]
pub(crate) struct Arithmetic {
    /// Variables that are evaluated, and where.
    evaluated: Vec<(String, Span)>,
    /// Places where a value that is not named is evaluated.
    anonymous: Vec<Span>,
    /// Variables that may hold something else than a number.
    tainted: Vec<String>,
    /// Variables that take the values of another one.
    copies: Vec<(String, String)>,
    /// Variables that are arrays somewhere in the text.
    arrays: Vec<String>,
    /// Variables that a declaration gives a value that is not known, and where.
    read_again: Vec<(String, Span)>,
    /// Variables that cannot be set again.
    read_only: Vec<String>,
    /// Whether something was evaluated that may fail, so that the shell leaves out the rest of the line.
    may_fail: bool,
    /// Whether some literal looks like a subscript with an expansion in it.
    has_subscript_literal: bool,
}

impl Arithmetic {
    /// Variable `name` may hold something else than a number.
    pub(crate) fn taint(&mut self, name: &str) {
        if !self.tainted.iter().any(|known| known == name) {
            self.tainted.push(name.to_owned());
        }
    }

    /// Variable `name` takes the values of variable `from`.
    pub(crate) fn copies(&mut self, name: &str, from: &str) {
        self.copies.push((name.to_owned(), from.to_owned()));
    }

    /// Variables that may hold something else than a number, those that take their values included.
    fn all_tainted(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.tainted.iter().map(String::as_str).collect();
        let mut at = 0usize;
        while let Some(from) = all.get(at).copied() {
            for (name, _) in self.copies.iter().filter(|(_, source)| source == from) {
                if !all.contains(&name.as_str()) {
                    all.push(name);
                }
            }
            at += 1;
        }
        all
    }

    /// Variable `name` is an array.
    pub(crate) fn is_array(&mut self, name: &str) {
        if !self.arrays.iter().any(|known| known == name) {
            self.arrays.push(name.to_owned());
        }
    }

    /// If variable `name` is an array, its new value is read again as a list of words.
    pub(crate) fn reads_again(&mut self, name: &str, origin: Span) {
        self.read_again.push((name.to_owned(), origin));
    }

    /// Variable `name` cannot be set from here on.
    pub(crate) fn is_read_only(&mut self, name: &str) {
        self.read_only.push(name.to_owned());
    }

    /// Variable `name` is set, which fails if it cannot be.
    pub(crate) fn sets(&mut self, name: &str) {
        self.may_fail |= READ_ONLY.contains(&name) || self.read_only.iter().any(|known| known == name);
    }

    /// Something is evaluated that may be an error.
    pub(crate) fn attempts(&mut self) {
        self.may_fail = true;
    }

    /// Whether the shell may have left out commands of the line at hand.
    pub(crate) fn may_have_failed(&self) -> bool {
        self.may_fail
    }

    /// A value that has no name is evaluated here.
    pub(crate) fn evaluates_data(&mut self, origin: Span) {
        self.anonymous.push(origin);
    }

    /// The variables named in arithmetic `text` are evaluated here.
    pub(crate) fn evaluates_names(&mut self, text: &str, origin: Span) {
        for token in text.split(|character: char| !(character.is_alphanumeric() || character == '_')) {
            if is_name(token) {
                self.evaluated.push((token.to_owned(), origin));
            }
        }
    }

    /// Looks at the literal text of a word.
    pub(crate) fn note_literals(&mut self, atoms: &[Atom]) {
        let text = |part: char| atoms.iter().any(|atom| matches!(atom, Atom::Text { text, .. } if text.contains(part)));
        self.has_subscript_literal |= text('[') && (text('$') || text('`'));
    }

    /// Where something is evaluated that may hold code.
    pub(crate) fn unsafe_places(&self) -> Vec<Span> {
        let tainted = self.all_tainted();
        let named =
            self.evaluated.iter().filter(|(name, _)| self.has_subscript_literal || tainted.contains(&name.as_str()));
        let is_array = |name: &str| SHELL_ARRAYS.contains(&name) || self.arrays.iter().any(|array| array == name);
        let named = named.chain(self.read_again.iter().filter(|(name, _)| is_array(name)));
        let named = named.map(|(_, origin)| *origin);
        if self.has_subscript_literal { named.chain(self.anonymous.iter().copied()).collect() } else { named.collect() }
    }
}

impl Walker<'_> {
    /// Judges the text `start..end` of the source, which the shell evaluates as arithmetic.
    pub(crate) fn arithmetic(&mut self, start: usize, end: usize) {
        let source = self.source;
        let Some(raw) = source.get(start..end) else { return };
        let origin = self.place.at(start, end);
        self.arithmetic_text(raw, origin);
        self.positional_arithmetic(raw, origin);
    }

    /// Positional parameters in arithmetic are values that anything may have given, unless there are none.
    pub(crate) fn positional_arithmetic(&mut self, text: &str, origin: Span) {
        let mut after_dollar = text.split('$').skip(1).map(|rest| rest.trim_start_matches('{').chars().next());
        let reads =
            after_dollar.any(|next| next.is_some_and(|next| next.is_ascii_digit() || matches!(next, '@' | '*')));
        if reads && self.positional() == Positional::Unknown {
            self.out.doubt(Reason::UnsupportedSyntax, origin);
        }
    }

    /// Notes that `name` is set to `atoms`, which are a number only in plain cases.
    pub(crate) fn note_assignment(&mut self, name: &str, atoms: Option<&[Atom]>) {
        if !atoms.is_some_and(is_plain_number) {
            self.arithmetic.taint(name);
        }
    }
}

pub(crate) fn is_plain_number(atoms: &[Atom]) -> bool {
    atoms.iter().all(|atom| match atom {
        Atom::Text { text, .. } => text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-' || byte == b'.'),
        Atom::Unknown { what: Unknown::Variable(name), .. } => {
            matches!(
                &**name,
                "#" | "?" | "$" | "!" | "RANDOM" | "SECONDS" | "LINENO" | "EPOCHSECONDS" | "PPID" | "UID" | "EUID"
            )
        }
        Atom::Unknown { .. } => false,
    })
}

/// Whether a value is a number as the shell itself writes one.
pub(crate) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The variables that arithmetic text sets, as far as they may be told apart from those that it only reads.
pub(crate) fn assigned_names(text: &str) -> Vec<&str> {
    let is_part = |character: char| character == '_' || character.is_ascii_alphanumeric();
    let mut names = Vec::new();
    let mut at = 0usize;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(is_part)) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or("");
        let end = start + rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let name = text.get(start..end).unwrap_or("");
        let (before, after) = (text.get(..start).unwrap_or(""), text.get(end..).unwrap_or(""));
        if is_name(name) && is_set(before.trim_end(), after) {
            names.push(name);
        }
        at = end;
    }
    names
}

/// Whether what stands around a name in arithmetic sets it.
fn is_set(before: &str, after: &str) -> bool {
    let mut rest = after.trim_start();
    // A subscript, which holds no further bracket or is refused.
    if let Some(inside) = rest.strip_prefix('[') {
        rest = inside.split_once(']').map_or("", |(_, rest)| rest).trim_start();
    }
    let steps = |text: &str| text.starts_with("++") || text.starts_with("--");
    let operator = rest.trim_start_matches(['+', '-', '*', '/', '%', '<', '>', '&', '^', '|']);
    let compares = ["==", "<=", ">="].iter().any(|operator| rest.starts_with(operator));
    let assigns = operator.starts_with('=') && !operator.starts_with("==") && !compares;
    assigns || steps(rest) || before.ends_with("++") || before.ends_with("--")
}

/// Whether arithmetic text holds a substitution, or a subscript that is neither a number nor a plain name.
pub(crate) fn holds_code(raw: &str) -> bool {
    if raw.contains("$(") || raw.contains('`') || raw.contains("$[") || raw.contains('\\') {
        return true;
    }
    raw.split('[').skip(1).any(|rest| {
        let Some((inner, _)) = rest.split_once(']') else {
            return true;
        };
        let inner = inner.strip_prefix('$').unwrap_or(inner);
        let number = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
        !(matches!(inner, "@" | "*") || number || is_name(inner))
    })
}

#[cfg(test)]
mod tests {
    use super::{assigned_names, holds_code};

    #[test]
    fn names_that_arithmetic_sets_are_told_from_those_it_reads() {
        for (text, names) in [
            ("PATH=5", &["PATH"][..]),
            ("a = b + c", &["a"]),
            ("i++ + --j", &["i", "j"]),
            ("a[i] += 2, b <<= 1", &["a", "b"]),
            ("a == b || c <= d && e >= f || g != h", &[]),
            ("x > 3 ? y = 1 : 0", &["y"]),
            ("a=b=0", &["a", "b"]),
            ("a < b", &[]),
        ] {
            assert_eq!(assigned_names(text), names, "{text}");
        }
    }

    #[test]
    fn subscripts_that_may_hold_code_are_seen() {
        for raw in ["a[$(x)]", "a[`x`]", "$(x)", "a[b[c]]", "a[1", "a[x+y]"] {
            assert!(holds_code(raw), "{raw}");
        }
        for raw in ["i + 1", "${#a[@]} - 1", "a[i] * 2", "a[$i]", "x > 3 ? 1 : 0", ""] {
            assert!(!holds_code(raw), "{raw}");
        }
    }
}
