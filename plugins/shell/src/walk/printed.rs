//! What a command prints where that stands in the text, so that a shell behind a pipe is told the code that it runs.

use holdpoint_guest::{Input, Word};

use super::format::{self, Rest, Zeros};
use super::{Call, Dialect, Stdin, Walker};
use crate::state::Folders;

impl Walker<'_> {
    /// `echo` prints its words.
    pub(crate) fn echoes(&mut self, call: &Call<'_>) {
        if !self.is_plain_call(call.name, call.folders) {
            return;
        }
        let mut words = call.args;
        let mut end = "\n";
        let mut escapes = false;
        while let Some((first, rest)) = words.split_first()
            && let Some(letters) = first.known().and_then(|text| text.strip_prefix('-'))
            && !letters.is_empty()
            && letters.bytes().all(|byte| b"neE".contains(&byte))
        {
            // Other shells print options that they do not know.
            if self.dialect == Dialect::Posix {
                return;
            }
            if letters.contains('n') {
                end = "";
            }
            // The last one of several counts.
            if let Some(last) = letters.chars().rfind(|letter| "eE".contains(*letter)) {
                escapes = last == 'e';
            }
            words = rest;
        }
        // Shells differ in what they make of an escape.
        self.printed = match literal(words, " ") {
            Some(text) if !text.contains('\\') => Some(text + end),
            Some(text) if escapes => match format::escaped(&text, Zeros::Lead, self.dialect) {
                Some((text, Rest::Printed)) => Some(text + end),
                Some((text, Rest::LeftOut)) => Some(text),
                None => None,
            },
            Some(_) | None => None,
        };
    }

    /// `printf` prints its format, with its words in it.
    pub(crate) fn prints(&mut self, call: &Call<'_>) {
        let Some((format, words)) = call.args.split_first() else { return };
        if !self.is_plain_call(call.name, call.folders) {
            return;
        }
        let words: Option<Vec<&str>> = words.iter().map(Word::known).collect();
        self.printed = match (format.known().filter(|format| !format.starts_with('-')), words) {
            (Some(format), Some(words)) => format::formatted(format, &words, self.dialect),
            _ => None,
        };
    }

    /// Whether a command surely is what its name says, with the same words wherever it runs.
    pub(super) fn is_plain_call(&self, name: &str, folders: &Folders) -> bool {
        !self.may_be_replaced(name) && folders.reached().len() == 1
    }

    /// `cat` prints what it reads.
    pub(crate) fn copies(&mut self, name: &str, args: &[Word], folders: &Folders, stdin: &Stdin) {
        if name == "cat"
            && self.is_plain_call(name, folders)
            && args.iter().all(|word| word.known() == Some("-"))
            && args.len() <= 1
            && let Stdin::Plain(Input::Text(text)) = stdin
        {
            self.printed = Some(text.clone());
        }
    }
}

fn literal(words: &[Word], separator: &str) -> Option<String> {
    let known: Option<Vec<&str>> = words.iter().map(Word::known).collect();
    Some(known?.join(separator))
}
