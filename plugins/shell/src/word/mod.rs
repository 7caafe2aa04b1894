//! Words: from nodes of the syntax tree to words whose value is known, a pattern, or not known.
//!
//! The text between two nodes is never taken on trust: parts must cover a word without a gap, and a literal part must
//! hold no character that would start an expansion.

mod ansi;
mod atoms;
mod brace;
mod shape;
mod trim;

pub(crate) use atoms::{Atom, Unknown, Zone, heredoc_atoms, word_atoms};
pub(crate) use brace::braces;
pub(crate) use shape::Shape;
pub(crate) use trim::Change;

use holdpoint_guest::{Span, Word, WordKind};

use crate::state::{Constant, From};
use crate::walk::Dialect;

/// What the values of well-known expansions are at the place of a word.
pub(crate) struct Values<'a> {
    /// The home folder, where it is known and no assignment changes it.
    pub(crate) home: Option<&'a str>,
    /// The working folder as the shell sees it.
    pub(crate) folder: Option<&'a str>,
    /// Variables with exactly one literal assignment.
    pub(crate) constants: &'a [Constant],
    /// Whether a value without quotes may be split at any character.
    pub(crate) splitting: Splitting,
    /// Whether `$1`, `$@` and the like are known to be empty.
    pub(crate) positional: Positional,
    /// What `$1`, `$2` and so on are, where the text sets them.
    pub(crate) arguments: Option<&'a [String]>,
    /// Whose rules hold where shells expand differently.
    pub(crate) dialect: Dialect,
    /// Whether `${x:-default}` is taken for its default where `x` is not known.
    pub(crate) defaults: Defaults,
}

/// What an expansion with a default is taken for where the variable is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defaults {
    /// For anything.
    Open,
    /// For the default: one of its possible values.
    Taken,
}

/// At which characters the shell splits values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Splitting {
    /// At white space.
    Usual,
    /// At whatever `IFS` was set to.
    Changed,
}

/// What is known of the positional parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Positional {
    Empty,
    Unknown,
}

/// How the shell treats a word after expanding it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Braces, splitting and file name patterns apply.
    Argument,
    /// None of them apply: the value of an assignment, a here-string.
    Value,
}

/// The words that `atoms` become. `source` is the text of the word, used where the value is not known.
pub(crate) fn resolve(atoms: &[Atom], source: &str, origin: Span, values: &Values<'_>, usage: Use) -> Vec<Word> {
    if let Some(words) = all_arguments(source, origin, values, usage) {
        return words;
    }
    let alternatives = match usage {
        Use::Argument => braces(atoms),
        Use::Value => Some(vec![atoms.to_vec()]),
    };
    match alternatives {
        Some(alternatives) => {
            alternatives.iter().filter_map(|atoms| one_word(atoms, source, origin, values, usage)).collect()
        }
        None => vec![Word::dynamic(source, origin)],
    }
}

/// The words that a word of nothing but `$@` stands for, where they are known.
fn all_arguments(source: &str, origin: Span, values: &Values<'_>, usage: Use) -> Option<Vec<Word>> {
    let arguments = values.arguments.filter(|_| usage == Use::Argument)?;
    let plain = values.splitting == Splitting::Usual && arguments.iter().all(|text| is_plain(text) && !text.is_empty());
    let stands = match source {
        "\"$@\"" | "\"${@}\"" => true,
        "$@" | "$*" | "${@}" | "${*}" => plain,
        _ => false,
    };
    stands.then(|| arguments.iter().map(|text| Word::exact(text.clone(), origin)).collect())
}

/// The word of one brace alternative; `None` if it expands to nothing at all.
fn one_word(atoms: &[Atom], source: &str, origin: Span, values: &Values<'_>, usage: Use) -> Option<Word> {
    if values.positional == Positional::Empty && matches!(source, "\"$@\"" | "\"${@}\"") {
        return None;
    }
    let mut builder = Builder::default();
    let mut vanishing = false;
    let mut atoms = atoms.iter();
    let mut position = Position::First;
    while let Some(atom) = atoms.next() {
        match atom {
            Atom::Text { text, quoted: true } => {
                builder.quoted = true;
                builder.literal(text);
            }
            Atom::Text { text, quoted: false } => {
                let after = atoms.as_slice().first();
                if !tilde_and_text(&mut builder, text, position, after, values, usage) {
                    return Some(Word::dynamic(source, origin));
                }
            }
            Atom::Unknown { what, quoted } => match value_of(what, atom, values, usage) {
                Value::Text(text) => builder.literal(text),
                Value::Pattern(pattern) => builder.pattern(pattern),
                Value::Nothing => {
                    builder.quoted |= quoted;
                    vanishing |= *quoted && source.contains('@');
                }
                Value::Unknown => return Some(Word::dynamic(source, origin)),
            },
        }
        position = Position::Later;
    }
    // Next to nothing else, `"$@"` without parameters may be no word or an empty one.
    if vanishing && builder.text.is_empty() {
        return Some(Word::dynamic(source, origin));
    }
    builder.finish(origin, usage)
}

/// What the shell puts in place of a process substitution. The number may be another one; all of them are streams.
const PIPE: &str = "/dev/fd/63";

enum Value<'a> {
    Text(&'a str),
    Pattern(&'a str),
    Nothing,
    Unknown,
}

/// The value of the expansion `what`, which is all of `atom`.
fn value_of<'a>(what: &'a Unknown, atom: &Atom, values: &Values<'a>, usage: Use) -> Value<'a> {
    let quoted = matches!(atom, Atom::Unknown { quoted: true, .. });
    let whole = quoted || usage == Use::Value;
    let known = match what {
        Unknown::WorkingFolder => values.folder,
        Unknown::Pipe => return Value::Text(PIPE),
        Unknown::Shaped(shape) if whole || values.splitting == Splitting::Usual => {
            return Value::Pattern(&shape.pattern);
        }
        Unknown::Shaped(_) => None,
        Unknown::Variable(name) => match known_value(name, values) {
            Known::Text(text) => Some(text),
            // In quotes, a name that fits the pattern stays one word.
            Known::Pattern(pattern) if quoted && usage == Use::Argument => return Value::Pattern(pattern),
            Known::Shape(pattern) if whole || values.splitting == Splitting::Usual => return Value::Pattern(pattern),
            Known::Pattern(_) | Known::Shape(_) | Known::Nothing => None,
        },
        Unknown::Changed(name, change) => match (known_value(name, values), change) {
            (Known::Text(text), _) => Some(change.of_value(text)),
            (Known::Pattern(pattern) | Known::Shape(pattern), _) if quoted && usage == Use::Argument => {
                return change.of_pattern(pattern).map_or(Value::Unknown, Value::Pattern);
            }
            (Known::Nothing, Change::Default(_, default)) if values.defaults == Defaults::Taken => Some(&**default),
            (Known::Pattern(_) | Known::Shape(_) | Known::Nothing, Change::Remove(..) | Change::Default(..)) => None,
        },
        Unknown::Positional(place) if values.arguments.is_some() => {
            let place = place.to_digit(10).and_then(|place| usize::try_from(place).ok());
            let found = values.arguments.zip(place).map(|(all, place)| all.get(place.saturating_sub(1)));
            match found {
                Some(Some(text)) => Some(text.as_str()),
                Some(None) => return Value::Nothing,
                None => None,
            }
        }
        Unknown::Positional(_) if values.positional == Positional::Empty => return Value::Nothing,
        Unknown::Positional(_) | Unknown::Other => None,
    };
    // Without quotes the value is split and matched against files, unless it has nothing to split or match.
    match known {
        Some(text) if whole || (values.splitting == Splitting::Usual && is_plain(text) && !text.is_empty()) => {
            Value::Text(text)
        }
        Some(_) | None => Value::Unknown,
    }
}

/// What is known of a variable.
enum Known<'a> {
    Text(&'a str),
    /// A name that fits a pattern.
    Pattern(&'a str),
    /// The same, and it holds nothing that the shell would split or match.
    Shape(&'a str),
    Nothing,
}

fn known_value<'a>(name: &str, values: &Values<'a>) -> Known<'a> {
    match (name, values.constants.iter().find(|known| known.name == *name)) {
        ("HOME", _) => values.home.map_or(Known::Nothing, Known::Text),
        ("PWD", _) => values.folder.map_or(Known::Nothing, Known::Text),
        (_, Some(constant)) if constant.kind == WordKind::Exact => Known::Text(&constant.value),
        (_, Some(constant)) if constant.kind == WordKind::Glob => match constant.from {
            From::Loop => Known::Pattern(&constant.value),
            From::Assignment => Known::Shape(&constant.value),
        },
        (_, Some(_) | None) => Known::Nothing,
    }
}

/// Whether a value stays one word even without quotes.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_/.,:@%+=-".contains(&byte))
}

/// Where in its word an atom stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    First,
    Later,
}

/// Adds unquoted text, with `~` expanded where the shell does so. Returns whether the result is known.
fn tilde_and_text(
    builder: &mut Builder,
    text: &str,
    position: Position,
    after: Option<&Atom>,
    values: &Values<'_>,
    usage: Use,
) -> bool {
    let mut rest = text;
    let first = position == Position::First;
    let mut starts = first;
    let mut assigned = usage == Use::Value;
    while let Some(character) = rest.chars().next() {
        if starts && character == '~' {
            let end = rest.find(|c: char| c == '/' || (assigned && c == ':')).unwrap_or(rest.len());
            let followed = end == rest.len() && after.is_some();
            let user = rest.get(..end).unwrap_or("");
            // Only some shells expand these.
            let differs = user == "~+" || (assigned && usage == Use::Argument);
            if differs && values.dialect == Dialect::Posix {
                return false;
            }
            let expansion = match user {
                "~" if !followed => values.home,
                "~+" if !followed => values.folder,
                // The one user whose home is the same everywhere.
                "~root" if !followed => Some("/root"),
                _ => None,
            };
            let Some(folder) = expansion else { return false };
            builder.literal(folder);
            rest = rest.get(end..).unwrap_or("");
            starts = false;
            continue;
        }
        // `name=~` expands like an assignment even as an argument; after that, so does `:~`.
        if character == '=' && !assigned && first && is_name(&builder.text) && !builder.quoted {
            assigned = true;
            starts = true;
        } else {
            starts = assigned && character == ':';
        }
        builder.active(character, usage);
        rest = rest.get(character.len_utf8()..).unwrap_or("");
    }
    true
}

/// Whether `text` is a name of a variable.
pub(crate) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Builds the text of a word as literal text and as a pattern at once.
#[derive(Default)]
struct Builder {
    text: String,
    pattern: String,
    has_pattern: bool,
    open_bracket: bool,
    quoted: bool,
}

impl Builder {
    fn literal(&mut self, text: &str) {
        self.text.push_str(text);
        for character in text.chars() {
            if matches!(character, '*' | '?' | '[' | ']' | '\\') {
                self.pattern.push('\\');
            }
            self.pattern.push(character);
        }
    }

    fn pattern(&mut self, pattern: &str) {
        self.text.push_str(pattern);
        self.pattern.push_str(pattern);
        self.has_pattern |= pattern.contains(['*', '?', '[']);
        self.quoted = true;
    }

    /// An unquoted character, which may be part of a pattern.
    fn active(&mut self, character: char, usage: Use) {
        self.text.push(character);
        if usage == Use::Argument {
            match character {
                '*' | '?' => self.has_pattern = true,
                '[' => self.open_bracket = true,
                ']' => self.has_pattern |= self.open_bracket,
                _ => {}
            }
        }
        self.pattern.push(character);
    }

    fn finish(self, origin: Span, usage: Use) -> Option<Word> {
        if self.has_pattern {
            return Some(Word { kind: WordKind::Glob, text: self.pattern, origin });
        }
        // An unquoted expansion to nothing is no word at all.
        let vanishes = self.text.is_empty() && !self.quoted && usage == Use::Argument;
        (!vanishes).then(|| Word::exact(self.text, origin))
    }
}

#[cfg(test)]
mod tests;
