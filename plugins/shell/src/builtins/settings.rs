//! Builtins that change how the shell reads what follows, its limits, its history.

use holdpoint_guest::{Effect, Operation, Reason, Segment, TargetKind, Traits, Verb, Word};

use crate::state::{Export, OnFailure};
use crate::walk::{Call, Flow, Walker};
use crate::word::Positional;

/// Options of `set` that change nothing about what commands mean. Sorted.
const SET_LETTERS: &str = "CETabefhmnprtuvx";
/// Options of `set -o` of the same kind. Sorted.
const SET_NAMES: &[&str] = &[
    "allexport",
    "emacs",
    "errexit",
    "errtrace",
    "functrace",
    "hashall",
    "ignoreeof",
    "interactive-comments",
    "monitor",
    "noclobber",
    "noglob",
    "nolog",
    "notify",
    "nounset",
    "pipefail",
    "verbose",
    "vi",
    "xtrace",
];
/// Options of `shopt` of the same kind. Sorted.
const SHOPT_NAMES: &[&str] = &[
    "autocd",
    "cdspell",
    "checkhash",
    "checkjobs",
    "checkwinsize",
    "cmdhist",
    "dirspell",
    "execfail",
    "extquote",
    "force_fignore",
    "globasciiranges",
    "globskipdots",
    "globstar",
    "gnu_errfmt",
    "histappend",
    "histreedit",
    "histverify",
    "huponexit",
    "inherit_errexit",
    "interactive_comments",
    "lithist",
    "login_shell",
    "mailwarn",
    "no_empty_cmd_completion",
    "nocasematch",
    "nullglob",
    "progcomp",
    "promptvars",
    "shift_verbose",
    "xpg_echo",
];

/// Options of `shopt` with which a pattern meets more files than its reader expects, as long as they are on.
const GLOB_NAMES: &[&str] = &["dotglob", "extglob", "nocaseglob"];

/// `set`.
pub(crate) fn set(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    walker.shows("set");
    let mut words = call.args.iter();
    while let Some(word) = words.next() {
        match word.known() {
            Some("--" | "-") => {
                positional(walker, words.as_slice());
                break;
            }
            Some("-o" | "+o") => named_option(walker, words.next(), word),
            Some(text) if text.starts_with(['-', '+']) => letters(walker, word, text, &mut words),
            Some(_) | None => {
                let from = call.args.len() - words.len() - 1;
                positional(walker, call.args.get(from..).unwrap_or_default());
                if word.known().is_none() {
                    walker.out.doubt(Reason::DynamicWord, word.origin);
                }
                break;
            }
        }
    }
    walker.shell_state(call.name, "", call.origin);
    Flow::same(call.folders)
}

/// Sets the positional parameters.
fn positional(walker: &mut Walker<'_>, words: &[Word]) {
    let known: Option<Vec<String>> = words.iter().map(|word| word.known().map(str::to_owned)).collect();
    walker.state.positional = Positional::Unknown;
    walker.state.arguments = known.filter(|_| walker.always_runs());
}

fn letters<'w>(walker: &mut Walker<'_>, word: &Word, text: &str, words: &mut impl Iterator<Item = &'w Word>) {
    let on = text.starts_with('-');
    for letter in text.chars().skip(1) {
        match letter {
            'o' => named_option(walker, words.next(), word),
            'e' => walker.ends_on_failure(if on { OnFailure::Exit } else { OnFailure::Continue }),
            'a' if on => walker.state.export = Export::All,
            _ if SET_LETTERS.contains(letter) => {}
            _ => walker.out.doubt(Reason::UnknownOption, word.origin),
        }
    }
}

fn named_option(walker: &mut Walker<'_>, name: Option<&Word>, word: &Word) {
    let Some(name) = name else { return };
    let on = word.known().is_some_and(|text| text.starts_with('-'));
    match name.known() {
        Some("errexit") => walker.ends_on_failure(if on { OnFailure::Exit } else { OnFailure::Continue }),
        Some("allexport") if on => walker.state.export = Export::All,
        Some(known) if SET_NAMES.binary_search(&known).is_ok() => {}
        Some(_) | None => walker.out.doubt(Reason::UnknownOption, name.origin),
    }
}

/// `shopt`.
pub(crate) fn shopt(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let is_set = |word: &Word| word.known().is_none_or(|text| text.starts_with('-') && text.contains(['s', 'u']));
    if !call.args.iter().any(is_set) {
        walker.out.operation(Operation::nothing(call.name, call.origin));
        return Flow::same(call.folders);
    }
    let sets = call.args.iter().any(|word| word.known().is_none_or(|text| text.starts_with('-') && text.contains('s')));
    for word in call.args {
        let known = word.known().is_some_and(|text| {
            (!sets && GLOB_NAMES.contains(&text))
                || matches!(text, "-s" | "-u" | "-q" | "-p" | "-o" | "-sq" | "-uq")
                || SHOPT_NAMES.binary_search(&text).is_ok()
                || SET_NAMES.binary_search(&text).is_ok()
        });
        if !known {
            walker.out.doubt(Reason::UnknownOption, word.origin);
        }
    }
    walker.shell_state(call.name, "", call.origin);
    Flow::same(call.folders)
}

/// `shift`: moves positional parameters.
pub(crate) fn shift(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    walker.shell_state(call.name, "", call.origin);
    Flow::same(call.folders)
}

/// `ulimit` and `umask`.
pub(crate) fn limit(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    walker.shell_state(call.name, "", call.origin);
    Flow::same(call.folders)
}

/// Words that the parser itself reads. Sorted.
const GRAMMAR: &[&str] = &[
    "!", "[[", "break", "case", "continue", "coproc", "declare", "do", "done", "elif", "else", "esac", "exit",
    "export", "fi", "for", "function", "if", "in", "local", "readonly", "return", "select", "then", "time", "typeset",
    "until", "while", "{", "}",
];

/// `alias` and `unalias`.
pub(crate) fn alias(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    for word in call.args {
        match word.known() {
            Some(text) => {
                let name = text.split('=').next().unwrap_or(text);
                walker.state.aliases.push(name.to_owned());
                // Where one of these stands, no command is looked up, so that the alias would be missed.
                if text.contains('=') && GRAMMAR.binary_search(&name).is_ok() {
                    walker.out.doubt(Reason::UnsupportedSyntax, word.origin);
                }
                walker.shell_state(call.name, name, word.origin);
            }
            None => walker.out.doubt(Reason::DynamicWord, word.origin),
        }
    }
    if call.args.is_empty() {
        walker.out.operation(Operation::nothing(call.name, call.origin));
    }
    Flow::same(call.folders)
}

/// `hash`: remembering another path for a name redirects later commands.
pub(crate) fn hash(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    only(walker, call, &["-r", "-l", "-t", "-d"])
}

/// `history`: its file is another matter.
pub(crate) fn history(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    only(walker, call, &["-c", "-d", "-s"])
}

/// `fc -l` lists; everything else edits or runs commands.
pub(crate) fn fc(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    if call.args.is_empty() || call.args.first().and_then(Word::known) != Some("-l") {
        walker.out.doubt(Reason::UnsupportedSyntax, call.origin);
    }
    only(walker, call, &["-l", "-n", "-r"])
}

/// `bind`: listing only, since a key may be bound to a command.
pub(crate) fn bind(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    if call.args.iter().any(|word| word.known().is_none_or(|text| !text.starts_with('-'))) {
        walker.out.doubt(Reason::UnsupportedSyntax, call.origin);
    }
    only(walker, call, &["-l", "-p", "-P", "-s", "-S", "-v", "-V", "-X"])
}

/// `complete`, `compgen`, `compopt`: some options run code.
pub(crate) fn completion(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    only(walker, call, &["-a", "-b", "-c", "-d", "-e", "-f", "-g", "-j", "-k", "-p", "-s", "-u", "-v", "-A"])
}

/// `enable`: listing only, since it loads code and changes what names mean.
pub(crate) fn enable(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    for word in call.args {
        if word.known() == Some("-f") {
            let operation = Operation::new(Verb::Exec, call.name, Effect::Unknown, call.origin)
                .on(Segment::unknown(TargetKind::Code))
                .with_traits(Traits::RUNS_CODE);
            walker.out.operation(operation);
        }
    }
    if call.args.iter().any(|word| word.known().is_none_or(|text| !text.starts_with('-'))) {
        walker.out.doubt(Reason::UnsupportedSyntax, call.origin);
    }
    only(walker, call, &["-a", "-p", "-s"])
}

/// A builtin that only concerns the shell as long as its options are among `options`.
fn only(walker: &mut Walker<'_>, call: &Call<'_>, options: &[&str]) -> Flow {
    for word in call.args {
        match word.known() {
            Some(text) if text.starts_with('-') && text.len() > 1 && !options.contains(&text) => {
                walker.out.doubt(Reason::UnknownOption, word.origin);
            }
            Some(_) => {}
            None => walker.out.doubt(Reason::DynamicWord, word.origin),
        }
    }
    walker.shell_state(call.name, "", call.origin);
    Flow::same(call.folders)
}
