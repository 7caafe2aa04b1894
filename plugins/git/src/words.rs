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

    /// The text, if it is the word.
    pub(crate) fn known(self) -> Option<&'a str> {
        (self.kind == WordKind::Exact).then_some(self.text)
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

/// Characters that make a pattern match text which the pattern does not show.
const GLOB_STARTS: &[char] = &['*', '?', '[', '!', '+', '@', '\\'];
