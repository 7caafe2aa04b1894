//! What a command prints where that stands in the text, so that a shell behind a pipe is told the code that it runs.

use holdpoint_guest::{Input, Word};

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
            words = rest;
        }
        // Shells differ in what they make of an escape.
        let text = literal(words, " ").filter(|text| !text.contains('\\'));
        self.printed = text.map(|text| text + end);
    }

    /// `printf` prints its format, where only a few simple ones are understood.
    pub(crate) fn prints(&mut self, call: &Call<'_>) {
        let Some((format, words)) = call.args.split_first() else { return };
        if !self.is_plain_call(call.name, call.folders) {
            return;
        }
        let Some(format) = format.known().map(|format| format.replace("\\n", "\n")) else { return };
        if format.contains('\\') || format.starts_with('-') {
            return;
        }
        self.printed = match (&*format, words) {
            (plain, []) if !plain.contains('%') => Some(format),
            ("%s", words) => literal(words, ""),
            ("%s\n", [_, ..]) => literal(words, "\n").map(|text| text + "\n"),
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
