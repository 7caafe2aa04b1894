//! A piece of a command word together with its place in the request. It must never interpret the text.

use holdpoint_guest::{Span, Word, WordKind};

/// A word, or the part of a word that is an option's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arg<'a> {
    pub(crate) text: &'a str,
    pub(crate) kind: WordKind,
    pub(crate) span: Span,
}

impl<'a> Arg<'a> {
    /// The whole word at index `part` of the command.
    pub(crate) fn word(part: usize, word: &'a Word) -> Arg<'a> {
        Arg { text: &word.text, kind: word.kind, span: Span::part(part, &word.text) }
    }

    /// The text from byte `start` on. A dynamic word has no parts, so it stays whole.
    pub(crate) fn tail(self, start: usize) -> Arg<'a> {
        match (self.kind, self.text.get(start..)) {
            (WordKind::Dynamic, _) | (_, None) => self,
            (WordKind::Exact | WordKind::Glob, Some(text)) => {
                let moved = u32::try_from(start).unwrap_or(u32::MAX);
                Arg { text, kind: self.kind, span: Span { start: self.span.start.saturating_add(moved), ..self.span } }
            }
        }
    }

    /// The same place with another text that is known.
    pub(crate) fn renamed<'b>(self, text: &'b str) -> Arg<'b> {
        Arg { text, kind: WordKind::Exact, span: self.span }
    }

    /// The same place, where something stands that is not known.
    pub(crate) fn hidden(self) -> Arg<'a> {
        Arg { kind: WordKind::Dynamic, ..self }
    }

    /// The text, if it is the word.
    pub(crate) fn known(self) -> Option<&'a str> {
        (self.kind == WordKind::Exact).then_some(self.text)
    }

    /// Whether this may stand for several words, or none.
    pub(crate) fn is_uncertain(self) -> bool {
        match self.kind {
            WordKind::Exact => false,
            WordKind::Glob | WordKind::Dynamic => true,
        }
    }

    /// Whether a word made from this may start with a dash although the text does not show one.
    pub(crate) fn may_be_option(self) -> bool {
        match self.kind {
            WordKind::Exact => false,
            WordKind::Glob => self.text.starts_with(GLOB_STARTS),
            WordKind::Dynamic => true,
        }
    }
}

/// Characters that make a pattern match text which the pattern does not show: plain and extended patterns.
pub(crate) const GLOB_STARTS: &[char] = &['*', '?', '[', '!', '+', '@', '\\'];

/// Characters after which a pattern may match text that it does not show.
pub(crate) const GLOB_SIGNS: &[char] = &['*', '?', ']', ')', '[', '(', '\\'];

/// `text` as a pattern that matches exactly it.
pub(crate) fn escape_glob(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '*' | '?' | '[' | ']' | '\\' | '!' | '+' | '@' | '(' | ')' | '|') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

/// The text a pattern matches when it has no metacharacter.
pub(crate) fn literal_glob(pattern: &str) -> Option<String> {
    let mut text = String::with_capacity(pattern.len());
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.push(letters.next()?),
            '*' | '?' | '[' | '(' | ')' | '|' => return None,
            _ => text.push(letter),
        }
    }
    Some(text)
}

/// The folder of a pattern that takes everything in it, as in `dir/*`.
pub(crate) fn whole_folder(pattern: &str) -> Option<String> {
    let (folder, last) = pattern.rsplit_once('/').map_or((None, pattern), |(folder, last)| (Some(folder), last));
    if last != "*" && last != "**" {
        return None;
    }
    match folder {
        None => Some(".".to_owned()),
        Some("") => Some("/".to_owned()),
        Some(folder) => literal_glob(folder),
    }
}

/// `name` in `folder`, as certain as both are.
pub(crate) fn in_folder(folder: Arg<'_>, name: Arg<'_>) -> (String, WordKind) {
    let kind = match (folder.kind, name.kind) {
        (WordKind::Dynamic, _) | (_, WordKind::Dynamic) => return (name.text.to_owned(), WordKind::Dynamic),
        (WordKind::Exact, WordKind::Exact) => WordKind::Exact,
        (WordKind::Glob, _) | (_, WordKind::Glob) => WordKind::Glob,
    };
    let part = |arg: Arg<'_>| match (kind, arg.kind) {
        (WordKind::Glob, WordKind::Exact) => escape_glob(arg.text),
        (WordKind::Exact | WordKind::Glob | WordKind::Dynamic, _) => arg.text.to_owned(),
    };
    let (folder, name) = (part(folder), part(name));
    let text = match folder.as_str() {
        _ if name.starts_with('/') => name,
        "." | "./" | "" => name,
        _ => format!("{}/{name}", folder.trim_end_matches('/')),
    };
    (text, kind)
}

/// The folder that a name lies in.
pub(crate) fn parent(arg: Arg<'_>) -> Arg<'_> {
    let text = match arg.text.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None if arg.text.starts_with('/') => "/",
        None => ".",
    };
    match arg.kind {
        WordKind::Dynamic => arg,
        WordKind::Exact | WordKind::Glob => Arg { text, ..arg },
    }
}

/// The last name of a path; `None` if it is not shown, or leads up.
pub(crate) fn last_name(arg: Arg<'_>) -> Option<Arg<'_>> {
    let text = arg.text.trim_end_matches('/');
    let name = text.rsplit('/').next().filter(|name| !matches!(*name, "" | "." | ".."))?;
    (arg.kind != WordKind::Dynamic).then_some(Arg { text: name, ..arg })
}
