//! Cuts a word into literal text and expansions. Every byte of the word must belong to a part that was understood;
//! a literal that holds an active character is an error, because then a parser has overlooked something.

use shuck_ast::{
    BourneParameterExpansion, Command, HeredocBody, HeredocBodyPart, LiteralText, ParameterExpansion, StmtSeq, Word,
    WordPart, WordPartNode,
};

use super::ansi;
use super::is_name;
use super::shape::{Shape, shape_of};
use super::trim::Change;

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// Text after removing quotes. Unquoted text may still be a pattern, a brace or a tilde.
    Text { text: String, quoted: bool },
    /// An expansion.
    Unknown { what: Unknown, quoted: bool },
}

/// What is expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// `$name` or `${name}`.
    Variable(String),
    /// `${name%...}` and `${name:-...}` with a plain operand.
    Changed(String, Change),
    /// `<(...)` or `>(...)`: a pipe to commands that are walked apart.
    Pipe,
    /// `$(pwd)` alone.
    WorkingFolder,
    /// A substitution that prints something of a known shape.
    Shaped(Shape),
    /// `$@`, `$*` or `$1` to `$9`.
    Positional(char),
    /// Anything else.
    Other,
}

/// Which characters are active in literal text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    /// A plain word.
    Bare,
    /// The right side of `=~` and patterns, where parentheses and bars are literal.
    Pattern,
    /// Inside double quotes.
    Quoted,
    /// The body of a here-document that expands.
    Heredoc,
}

/// The atoms of a word, or `None` if its parts do not account for all of its text.
pub(crate) fn word_atoms(word: &Word, source: &str, zone: Zone) -> Option<Vec<Atom>> {
    // Numbers after `>&` come without a place.
    if word.span.start.offset() == word.span.end.offset() {
        return placeless(word);
    }
    let mut atoms = Vec::with_capacity(word.parts.len());
    tile(&word.parts, word.span.start.offset(), word.span.end.offset(), source, zone, &mut atoms)?;
    Some(atoms)
}

fn placeless(word: &Word) -> Option<Vec<Atom>> {
    let [WordPartNode { kind: WordPart::Literal(LiteralText::Owned(text)), .. }] = word.parts.as_slice() else {
        return word.parts.is_empty().then(Vec::new);
    };
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    plain.then(|| vec![Atom::Text { text: text.to_string(), quoted: false }])
}

fn tile(
    parts: &[WordPartNode],
    start: usize,
    end: usize,
    source: &str,
    zone: Zone,
    atoms: &mut Vec<Atom>,
) -> Option<()> {
    let mut at = start;
    for part in parts {
        let (from, to) = (part.span.start.offset(), part.span.end.offset());
        skip_continuations(source.get(at..from)?)?;
        let raw = source.get(from..to)?;
        part_atoms(part, raw, source, zone, atoms)?;
        at = to;
    }
    skip_continuations(source.get(at..end)?)
}

/// Between two parts there may be nothing but backslash-newlines, which the shell removes.
fn skip_continuations(gap: &str) -> Option<()> {
    gap.as_bytes().chunks(2).all(|pair| pair == b"\\\n").then_some(())
}

fn part_atoms(part: &WordPartNode, raw: &str, source: &str, zone: Zone, atoms: &mut Vec<Atom>) -> Option<()> {
    let quoted = matches!(zone, Zone::Quoted | Zone::Heredoc);
    let what = match &part.kind {
        WordPart::Literal(_) => return literal(raw, zone, atoms),
        WordPart::SingleQuoted { dollar, .. } => {
            let inner = raw.strip_prefix(if *dollar { "$'" } else { "'" })?.strip_suffix('\'')?;
            let text = if *dollar { ansi::decode(inner)? } else { inner.to_owned() };
            // A quote inside plain single quotes means that the part is longer than the quotes.
            if quoted || (!*dollar && inner.contains('\'')) {
                return None;
            }
            atoms.push(Atom::Text { text, quoted: true });
            return Some(());
        }
        WordPart::DoubleQuoted { parts, dollar } => {
            let open = if *dollar { "$\"" } else { "\"" };
            if quoted || !raw.starts_with(open) || !raw.ends_with('"') || raw.len() <= open.len() {
                return None;
            }
            let (start, end) = (part.span.start.offset() + open.len(), part.span.end.offset() - 1);
            atoms.push(Atom::Text { text: String::new(), quoted: true });
            return tile(parts, start, end, source, Zone::Quoted, atoms);
        }
        WordPart::Variable(name) => variable(name.as_str(), raw)?,
        WordPart::Parameter(parameter) => parameter_value(parameter, raw)?,
        WordPart::CommandSubstitution { body, .. } => {
            let closed = (raw.starts_with("$(") && raw.ends_with(')')) || is_backticked(raw);
            if !closed {
                return None;
            }
            if is_pwd(body, source) {
                Unknown::WorkingFolder
            } else {
                shape_of(body, source).map_or(Unknown::Other, Unknown::Shaped)
            }
        }
        WordPart::ArithmeticExpansion { .. } => {
            let long = raw.starts_with("$((") && raw.ends_with("))");
            (long || (raw.starts_with("$[") && raw.ends_with(']'))).then_some(Unknown::Other)?
        }
        WordPart::ProcessSubstitution { .. } => {
            let opened = raw.starts_with("<(") || raw.starts_with(">(");
            (opened && raw.ends_with(')') && !quoted).then_some(Unknown::Pipe)?
        }
        WordPart::ParameterExpansion { .. }
        | WordPart::Length(_)
        | WordPart::ArrayAccess(_)
        | WordPart::ArrayLength(_)
        | WordPart::ArrayIndices(_)
        | WordPart::Substring { .. }
        | WordPart::ArraySlice { .. }
        | WordPart::IndirectExpansion { .. }
        | WordPart::PrefixMatch { .. }
        | WordPart::Transformation { .. }
        | WordPart::ZshQualifiedGlob(_) => return None,
    };
    atoms.push(Atom::Unknown { what, quoted });
    Some(())
}

/// A backticked text whose inside the shell and the parser read alike: without an escape that the shell removes first.
fn is_backticked(raw: &str) -> bool {
    let inner = raw.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inner.is_some_and(|inner| {
        let mut bytes = inner.bytes().peekable();
        let mut previous = 0u8;
        bytes.all(|byte| {
            let removed = previous == b'\\' && matches!(byte, b'$' | b'`' | b'\\' | b'"' | b'\n');
            previous = byte;
            !removed && byte != b'`'
        })
    })
}

fn is_pwd(body: &StmtSeq, source: &str) -> bool {
    let [statement] = body.as_slice() else {
        return false;
    };
    let Command::Simple(simple) = &statement.command else {
        return false;
    };
    simple.name.span.slice(source) == "pwd"
        && simple.args.is_empty()
        && simple.assignments.is_empty()
        && statement.redirects.is_empty()
        && !statement.negated
        && statement.terminator.is_none()
}

fn variable(name: &str, raw: &str) -> Option<Unknown> {
    let bare = raw.strip_prefix('$')?;
    let inner = bare.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(bare);
    (inner == name).then(|| named(name))
}

fn named(name: &str) -> Unknown {
    match name {
        "@" => Unknown::Positional('@'),
        "*" => Unknown::Positional('*'),
        _ if name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_digit() && byte != b'0') => {
            Unknown::Positional(name.chars().next().unwrap_or('@'))
        }
        _ => Unknown::Variable(name.to_owned()),
    }
}

fn parameter_value(parameter: &ParameterExpansion, raw: &str) -> Option<Unknown> {
    let inner = raw.strip_prefix("${")?.strip_suffix('}')?;
    let first = inner.bytes().next()?;
    // `${ cmd; }` and `${| cmd; }` run commands in newer shells.
    if !(first.is_ascii_alphanumeric() || b"_#!?@*$-".contains(&first)) {
        return None;
    }
    match parameter.bourne()? {
        BourneParameterExpansion::Access { reference } if reference.subscript.is_none() => {
            (reference.name.as_str() == inner).then(|| named(inner))
        }
        BourneParameterExpansion::Operation { reference, .. } if reference.subscript.is_none() => {
            let name = reference.name.as_str();
            let change = inner.strip_prefix(name).filter(|_| is_name(name)).and_then(Change::read);
            Some(change.map_or(Unknown::Other, |change| Unknown::Changed(name.to_owned(), change)))
        }
        BourneParameterExpansion::Access { .. }
        | BourneParameterExpansion::Length { .. }
        | BourneParameterExpansion::Indices { .. }
        | BourneParameterExpansion::Indirect { .. }
        | BourneParameterExpansion::PrefixMatch { .. }
        | BourneParameterExpansion::Slice { .. }
        | BourneParameterExpansion::Operation { .. }
        | BourneParameterExpansion::Transformation { .. } => Some(Unknown::Other),
    }
}

/// Decodes literal text. `None` if it holds a character that would be active where it stands.
fn literal(raw: &str, zone: Zone, atoms: &mut Vec<Atom>) -> Option<()> {
    let mut rest = raw.chars();
    while let Some(character) = rest.next() {
        match (character, zone) {
            ('\\', Zone::Bare | Zone::Pattern) => match rest.next() {
                Some('\n') => {}
                Some(escaped) => push(atoms, escaped, Quoting::Quoted),
                None => push(atoms, '\\', Quoting::Quoted),
            },
            ('\\', Zone::Quoted | Zone::Heredoc) => {
                let next = rest.clone().next();
                match next {
                    Some('\n') => drop(rest.next()),
                    Some('$' | '`' | '\\') => push(atoms, rest.next()?, Quoting::Quoted),
                    Some('"') if zone == Zone::Quoted => push(atoms, rest.next()?, Quoting::Quoted),
                    Some(_) | None => push(atoms, '\\', Quoting::Quoted),
                }
            }
            ('$', _) => {
                if rest.clone().next().is_some_and(|next| is_active_after_dollar(next, zone)) {
                    return None;
                }
                let quoting = if zone == Zone::Bare { Quoting::Bare } else { Quoting::Quoted };
                push(atoms, '$', quoting);
            }
            // The parser keeps a brace with quotes in it as one literal.
            ('\'' | '"', Zone::Bare) => {
                let (inner, after) = rest.as_str().split_once(character)?;
                if character == '"' && inner.contains(['$', '`', '\\']) {
                    return None;
                }
                atoms.push(Atom::Text { text: inner.to_owned(), quoted: true });
                rest = after.chars();
            }
            ('`', _) | ('"', Zone::Pattern | Zone::Quoted) | ('\'', Zone::Pattern) => return None,
            ('(' | ')' | '|' | '&' | ';' | '<' | '>' | ' ' | '\t' | '\n', Zone::Bare) => return None,
            (_, Zone::Bare | Zone::Pattern) => push(atoms, character, Quoting::Bare),
            (_, Zone::Quoted | Zone::Heredoc) => push(atoms, character, Quoting::Quoted),
        }
    }
    Some(())
}

fn is_active_after_dollar(next: char, zone: Zone) -> bool {
    let quote = matches!(next, '\'' | '"') && matches!(zone, Zone::Bare | Zone::Pattern);
    quote || next.is_ascii_alphanumeric() || "_({[@*#?$!-".contains(next)
}

/// Whether a character is literal whatever it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Bare,
    Quoted,
}

fn push(atoms: &mut Vec<Atom>, character: char, quoting: Quoting) {
    let is_quoted = quoting == Quoting::Quoted;
    match atoms.last_mut() {
        Some(Atom::Text { text, quoted }) if *quoted == is_quoted => text.push(character),
        Some(Atom::Text { .. } | Atom::Unknown { .. }) | None => {
            atoms.push(Atom::Text { text: character.to_string(), quoted: is_quoted });
        }
    }
}

/// The atoms of the body of a here-document that expands.
pub(crate) fn heredoc_atoms(body: &HeredocBody, source: &str) -> Option<Vec<Atom>> {
    let mut atoms = Vec::new();
    let mut at = body.span.start.offset();
    for part in &body.parts {
        let (from, to) = (part.span.start.offset(), part.span.end.offset());
        skip_continuations(source.get(at..from)?)?;
        let raw = source.get(from..to)?;
        let what = match &part.kind {
            HeredocBodyPart::Literal(_) => {
                literal(raw, Zone::Heredoc, &mut atoms)?;
                at = to;
                continue;
            }
            HeredocBodyPart::Variable(name) => variable(name.as_str(), raw)?,
            HeredocBodyPart::Parameter(parameter) => parameter_value(parameter, raw)?,
            HeredocBodyPart::CommandSubstitution { .. } => {
                let closed = (raw.starts_with("$(") && raw.ends_with(')')) || is_backticked(raw);
                closed.then_some(Unknown::Other)?
            }
            HeredocBodyPart::ArithmeticExpansion { .. } => raw.starts_with('$').then_some(Unknown::Other)?,
        };
        atoms.push(Atom::Unknown { what, quoted: true });
        at = to;
    }
    skip_continuations(source.get(at..body.span.end.offset())?)?;
    Some(atoms)
}
