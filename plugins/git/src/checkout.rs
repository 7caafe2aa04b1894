//! `git checkout` and `git switch`: go to a commit, or put files back over what was changed in them. It must never take a path for a
//! branch: what the file held would be lost.

use crate::commands;
use crate::facts::Told;
use crate::parse::Words;
use crate::report::Report;
use crate::table::{ACT_FILES, ACT_PATH_LOST, ACT_SEE_FILES, Command, Role};
use crate::words::Arg;

/// The command whose words are never paths.
const SWITCH: &str = "switch";
/// Options with which the first word is a commit.
const TAKES_COMMIT: &[&str] = &["--detach", "--track", "-d", "-t"];
/// Signs that only paths hold, as git reads patterns in them.
const PATH_SIGNS: &[char] = &['*', '?', '[', ':', '\\'];

/// Reports what a checkout does.
pub(crate) fn report(command: &'static Command, words: &Words<'_>, told: &Told, out: &mut Report) {
    let makes = words.given.iter().any(|given| matches!(given.option.role, Role::Act(_)));
    let is_usual = !words.given.iter().any(|given| matches!(given.option.role, Role::Mode(_)));
    if makes && is_usual && words.operands.is_empty() {
        // A branch that starts where the work tree is leaves it as it is.
        return commands::options(words, out);
    }
    if command.name == SWITCH {
        return commands::report(command, words, out);
    }
    let is_set = |role: Role| matches!(role, Role::Mode(_) | Role::Act(_));
    let goes = words.given.iter().any(|given| is_set(given.option.role) || TAKES_COMMIT.contains(&given.option.name));
    if goes && words.before_dashes.is_none_or(|before| before == words.operands.len()) {
        return commands::report(command, words, out);
    }
    commands::options(words, out);
    let paths: &[Arg<'_>] = match words.before_dashes {
        Some(before) => words.operands.get(before..).unwrap_or_default(),
        None => match words.operands.as_slice() {
            [] => return out.fixed(&ACT_SEE_FILES),
            [one] if is_commit(*one) || told.is_no_path() => &[],
            all => all,
        },
    };
    if paths.is_empty() {
        return out.fixed(&ACT_FILES);
    }
    paths.iter().for_each(|path| out.act(&ACT_PATH_LOST, *path));
}

fn is_commit(arg: Arg<'_>) -> bool {
    arg.known().is_some_and(|text| matches!(text, "-" | "HEAD" | "@") || text.contains("@{"))
}

/// The only word, where it may be a branch or a path.
pub(crate) fn doubtful_path<'a>(command: &Command, words: &Words<'a>) -> Option<&'a str> {
    match words.operands.as_slice() {
        [one] if command.name != SWITCH && words.before_dashes.is_none() && !is_commit(*one) => {
            one.known().filter(|text| !text.contains(PATH_SIGNS) && !text.is_empty())
        }
        _ => None,
    }
}
