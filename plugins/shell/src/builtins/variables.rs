//! Builtins that set variables by name. A name with a subscript is evaluated, so only plain names are understood.

use holdpoint_guest::{Operation, Reason, Word};

use crate::state::Certainty;
use crate::walk::{Assigned, Call, Flow, Walker};
use crate::word::is_name;

/// `export` and its kin, when they are reached as plain words.
pub(crate) fn declare(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    walker.declare_words(call.name, call.args, call.origin);
    Flow::same(call.folders)
}

/// `let`: evaluates its arguments.
pub(crate) fn arithmetic(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    for word in call.args {
        match word.known() {
            Some(text) => {
                walker.shows_text(text);
                walker.arithmetic_text(text, word.origin);
            }
            None => walker.out.doubt(Reason::DynamicWord, word.origin),
        }
    }
    walker.out.operation(Operation::nothing(call.name, call.origin));
    Flow::same(call.folders)
}

/// `unset`.
pub(crate) fn unset(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    for word in call.args {
        match word.known() {
            Some("-v" | "-f" | "-n" | "--") => {}
            Some(name) if is_name(name) => {
                // Without a variable of that name, a function of that name goes.
                for (known, certainty) in &mut walker.state.functions {
                    if known == name {
                        *certainty = Certainty::Possible;
                    }
                }
                walker.state.unset_env(name);
                let value = Word::dynamic(format!("${name}"), word.origin);
                walker.judge_name(call.name, &Assigned { name: name.to_owned(), value, origin: word.origin });
            }
            Some(_) => walker.out.doubt(Reason::UnsupportedSyntax, word.origin),
            None => walker.out.doubt(Reason::DynamicWord, word.origin),
        }
    }
    walker.shell_state(call.name, "", call.origin);
    Flow::same(call.folders)
}

/// `read`.
pub(crate) fn read(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let mut words = call.args.iter();
    let mut names: Vec<Word> = Vec::new();
    while let Some(word) = words.next() {
        let Some(text) = word.known() else {
            walker.out.doubt(Reason::DynamicWord, word.origin);
            continue;
        };
        match text.strip_prefix('-') {
            Some("-") => names.extend(words.by_ref().cloned()),
            Some(letters) if names.is_empty() => option(walker, word, letters, &mut words, &mut names),
            Some(_) | None => names.push(word.clone()),
        }
    }
    for name in &names {
        walker.set_by_builtin(call, name);
    }
    if names.is_empty() {
        walker.set_by_builtin(call, &Word::exact("REPLY", call.origin));
    }
    Flow::same(call.folders)
}

fn option<'w>(
    walker: &mut Walker<'_>,
    word: &Word,
    letters: &str,
    words: &mut impl Iterator<Item = &'w Word>,
    names: &mut Vec<Word>,
) {
    let mut rest = letters.chars();
    while let Some(letter) = rest.next() {
        match letter {
            'e' | 'r' | 's' => {}
            'd' | 'i' | 'n' | 'N' | 'p' | 't' | 'u' => {
                if rest.as_str().is_empty() {
                    words.next();
                }
                return;
            }
            'a' => {
                let attached = rest.as_str();
                let name =
                    if attached.is_empty() { words.next().cloned() } else { Some(Word::exact(attached, word.origin)) };
                return names.extend(name);
            }
            _ => return walker.out.doubt(Reason::UnknownOption, word.origin),
        }
    }
}

/// `mapfile`: with `-C` it runs code.
pub(crate) fn mapfile(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let mut words = call.args.iter();
    let mut names = Vec::new();
    while let Some(word) = words.next() {
        match word.known() {
            Some("-t") => {}
            Some("-d" | "-n" | "-O" | "-s" | "-u") => drop(words.next()),
            Some(text) if text.starts_with('-') => walker.out.doubt(Reason::UnknownOption, word.origin),
            Some(_) => names.push(word.clone()),
            None => walker.out.doubt(Reason::DynamicWord, word.origin),
        }
    }
    if names.is_empty() {
        names.push(Word::exact("MAPFILE", call.origin));
    }
    for name in &names {
        walker.set_by_builtin(call, name);
    }
    Flow::same(call.folders)
}

/// `getopts SPEC NAME [ARG...]`.
pub(crate) fn getopts(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let words = call.args.iter().skip(usize::from(call.args.first().and_then(Word::known) == Some("--")));
    match words.take(2).nth(1) {
        Some(name) => walker.set_by_builtin(call, name),
        None => walker.out.operation(Operation::nothing(call.name, call.origin)),
    }
    Flow::same(call.folders)
}
