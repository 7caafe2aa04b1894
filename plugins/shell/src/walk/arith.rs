//! Arithmetic. The shell evaluates the values of variables again as expressions, and an array subscript in such a value
//! may hold a command. So arithmetic is understood only over numbers and over variables that hold numbers.

use holdpoint_guest::Span;

use super::Walker;
use crate::word::{Atom, Unknown, is_name};

/// What was seen of arithmetic and of the data it may work on.
#[derive(Default)]
pub(crate) struct Arithmetic {
    /// Variables that are evaluated, and where.
    evaluated: Vec<(String, Span)>,
    /// Places where a value that is not named is evaluated.
    anonymous: Vec<Span>,
    /// Variables that may hold something else than a number.
    tainted: Vec<String>,
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

    /// Positional parameters in arithmetic `text` are values without a name.
    pub(crate) fn note_positional(&mut self, text: &str, origin: Span) {
        let mut after_dollar = text.split('$').skip(1).filter_map(|rest| rest.chars().next());
        if after_dollar.any(|next| next.is_ascii_digit() || matches!(next, '@' | '*')) {
            self.evaluates_data(origin);
        }
    }

    /// Looks at the literal text of a word.
    pub(crate) fn note_literals(&mut self, atoms: &[Atom]) {
        let text = |part: char| atoms.iter().any(|atom| matches!(atom, Atom::Text { text, .. } if text.contains(part)));
        self.has_subscript_literal |= text('[') && (text('$') || text('`'));
    }

    /// Where something is evaluated that may hold code.
    pub(crate) fn unsafe_places(&self) -> Vec<Span> {
        let named = self
            .evaluated
            .iter()
            .filter(|(name, _)| self.has_subscript_literal || self.tainted.iter().any(|tainted| tainted == name));
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
        self.arithmetic.note_positional(raw, origin);
    }

    /// Notes that `name` is set to `atoms`, which are a number only in plain cases.
    pub(crate) fn note_assignment(&mut self, name: &str, atoms: Option<&[Atom]>) {
        if !atoms.is_some_and(is_plain_number) {
            self.arithmetic.taint(name);
        }
    }
}

fn is_plain_number(atoms: &[Atom]) -> bool {
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
    use super::holds_code;

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
