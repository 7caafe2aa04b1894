//! Shells as programs: a text to run, a file to run, or whatever comes in on standard input.

use holdpoint_guest::{Binding, Input, Reason, Segment, Span, TargetKind, Word, WorkingDir};

use super::{Run, unseen_code};
use crate::limits::SOURCE_BYTES_MAX;
use crate::out::Out;
use crate::streams;

/// Letters of options without a value that do not change what commands mean. `c` and `s` are handled apart.
const LETTERS: &str = "abefhilmnprtuvxBCETc";
/// Long options without a value. Sorted.
const LONG: &[&str] = &["--login", "--noediting", "--noprofile", "--norc", "--restricted", "--verbose"];
/// Names for `-o` that do not change what commands mean. Sorted.
const NAMES: &[&str] = &[
    "allexport",
    "errexit",
    "errtrace",
    "functrace",
    "noclobber",
    "noglob",
    "nounset",
    "pipefail",
    "verbose",
    "xtrace",
];

/// What a text holds where it evaluates values as arithmetic.
const CALCULATIONS: &[&str] = &["((", "$[", "[[", "let ", "declare", "typeset", "local -", "eval", "-v "];

/// What stands before the name of a variable that is evaluated as a subscript or an offset.
const SUBSCRIPTS: &[&str] = &["[", "[$", ":", ": ", ":$"];

/// What a shell is told to run.
enum Told<'w> {
    Text(&'w Word),
    File(&'w Word),
    Stdin,
    Nothing,
}

/// `bash`.
pub(crate) fn bash(run: &Run<'_>, out: &mut Out) {
    shell(run, "bash", out);
}

/// `sh` and `dash`.
pub(crate) fn posix(run: &Run<'_>, out: &mut Out) {
    shell(run, "sh", out);
}

fn shell(run: &Run<'_>, language: &str, out: &mut Out) {
    match told(run, out) {
        None => {}
        Some(Told::Nothing) => run.nothing(out),
        Some(Told::Text(word)) => match word.known() {
            Some(text) if text.len() > SOURCE_BYTES_MAX => out.doubt(Reason::OverBound, word.origin),
            Some(text) => code(run, language, text, word.origin, out),
            None => {
                unseen_code(run.name, Segment::named(TargetKind::Code, word), word.origin, out);
                out.doubt(Reason::DynamicWord, word.origin);
            }
        },
        Some(Told::File(word)) => {
            unseen_code(run.name, streams::code(Segment::named(TargetKind::Code, word)), word.origin, out);
        }
        Some(Told::Stdin) => match run.input() {
            Input::Text(text) if text.len() <= SOURCE_BYTES_MAX => code(run, language, &text, run.origin, out),
            Input::Text(_) => out.doubt(Reason::OverBound, run.origin),
            Input::File(word) => unseen_code(run.name, Segment::named(TargetKind::Code, &word), run.origin, out),
            Input::Empty => run.nothing(out),
            Input::Inherited | Input::OutputOf(_) | Input::External | Input::Unknown => {
                unseen_code(run.name, Segment::unknown(TargetKind::Code), run.origin, out);
            }
        },
    }
}

/// Hands on a text that the shell runs. Variables that it inherits are not part of a text, and one that holds a subscript
/// with code in it runs that code wherever the text calculates.
fn code(run: &Run<'_>, language: &str, text: &str, origin: Span, out: &mut Out) {
    let calculates = CALCULATIONS.iter().any(|sign| text.contains(sign));
    let indexes = |name: &str| SUBSCRIPTS.iter().any(|sign| text.contains(&format!("{sign}{name}")));
    let may_hold_code = |value: &Word| match value.known() {
        Some(known) => known.contains('[') && known.contains(['$', '`']),
        None => true,
    };
    let evaluated = |binding: &Binding| {
        let Binding { name, value } = binding;
        may_hold_code(value) && text.contains(name) && (calculates || indexes(name))
    };
    if run.invocation.env.iter().any(evaluated) {
        out.doubt(Reason::UnsupportedSyntax, run.origin);
    }
    out.source(language, text, WorkingDir::Same, origin);
}

/// Reads the options of a shell. `None` leaves a doubt.
fn told<'w>(run: &Run<'w>, out: &mut Out) -> Option<Told<'w>> {
    let (mut text, mut stdin) = (false, false);
    let mut rest = run.words;
    while let Some((first, after)) = rest.split_first() {
        let Some(option) = first.known() else {
            if text || !crate::walk::may_be_option(first) {
                break;
            }
            out.doubt(Reason::DynamicWord, first.origin);
            return None;
        };
        rest = after;
        match option {
            "--" | "-" => break,
            "--help" | "--version" => return Some(Told::Nothing),
            "--rcfile" | "--init-file" => {
                let file = rest.first()?;
                unseen_code(run.name, streams::code(Segment::named(TargetKind::Code, file)), file.origin, out);
                rest = rest.get(1..).unwrap_or_default();
            }
            _ if LONG.binary_search(&option).is_ok() => {}
            _ if option.starts_with("--") => {
                out.doubt(Reason::UnknownOption, first.origin);
                return None;
            }
            _ if option.starts_with(['-', '+']) && option.len() > 1 => {
                text |= option.starts_with('-') && option.contains('c');
                stdin |= option.contains('s');
                rest = letters(first, option, rest, out)?;
            }
            _ => {
                rest = run.words.get(run.words.len() - rest.len() - 1..).unwrap_or_default();
                break;
            }
        }
    }
    match rest.first() {
        Some(word) if text => Some(Told::Text(word)),
        None if text => {
            out.doubt(Reason::MalformedArgument, run.origin);
            None
        }
        Some(word) if word.known().is_some_and(streams::is_own_input) => Some(Told::Stdin),
        Some(word) if !stdin => Some(Told::File(word)),
        Some(_) | None => Some(Told::Stdin),
    }
}

/// Reads one word of letters. Returns the words after it and after the values it takes.
fn letters<'w>(word: &Word, option: &str, mut rest: &'w [Word], out: &mut Out) -> Option<&'w [Word]> {
    for letter in option.chars().skip(1) {
        match letter {
            's' => {}
            'o' => {
                let name = rest.first().and_then(Word::known);
                if name.is_none_or(|name| NAMES.binary_search(&name).is_err()) {
                    out.doubt(Reason::UnknownOption, word.origin);
                    return None;
                }
                rest = rest.get(1..).unwrap_or_default();
            }
            // `+B` turns brace expansion off.
            'B' if option.starts_with('+') => {
                out.doubt(Reason::UnknownOption, word.origin);
                return None;
            }
            _ if LETTERS.contains(letter) => {}
            _ => {
                out.doubt(Reason::UnknownOption, word.origin);
                return None;
            }
        }
    }
    Some(rest)
}

/// Shells whose language is not understood.
pub(crate) fn other(run: &Run<'_>, out: &mut Out) {
    match run.words.first().map(|word| (word, word.known())) {
        Some((_, Some("--version" | "--help"))) if run.words.len() == 1 => run.nothing(out),
        Some((word, Some(text))) if !text.starts_with('-') => {
            unseen_code(run.name, streams::code(Segment::named(TargetKind::Code, word)), word.origin, out);
            if matches!(run.name, "powershell" | "pwsh") {
                out.doubt(Reason::UnknownLanguage, word.origin);
            }
        }
        Some((word, _)) => out.doubt(Reason::UnknownLanguage, word.origin),
        None => {
            unseen_code(run.name, Segment::unknown(TargetKind::Code), run.origin, out);
            out.doubt(Reason::UnknownLanguage, run.origin);
        }
    }
}
