//! Commands that the shell runs itself. Each either says what it does or leaves a doubt; a name outside the table is a
//! program. Several of them evaluate their arguments again, and those arguments must then be plain.

mod code;
mod folders;
mod inspect;
mod jobs;
mod settings;
mod variables;

use crate::walk::{Call, Flow, Walker};

type Run = fn(&mut Walker<'_>, &Call<'_>) -> Flow;

/// Every builtin and what judges it. Sorted.
const BUILTINS: &[(&str, Run)] = &[
    (".", code::source),
    (":", inspect::nothing),
    ("[", inspect::test),
    ("alias", settings::alias),
    ("bg", jobs::control),
    ("bind", settings::bind),
    ("break", inspect::nothing),
    ("builtin", code::builtin),
    ("caller", inspect::nothing),
    ("cd", folders::cd),
    ("command", code::command),
    ("compgen", settings::completion),
    ("complete", settings::completion),
    ("compopt", settings::completion),
    ("continue", inspect::nothing),
    ("declare", variables::declare),
    ("dirs", folders::dirs),
    ("disown", jobs::control),
    ("echo", inspect::echo),
    ("enable", settings::enable),
    ("eval", code::eval),
    ("exec", code::exec),
    ("exit", inspect::exit),
    ("export", variables::declare),
    ("false", inspect::nothing),
    ("fc", settings::fc),
    ("fg", jobs::control),
    ("getopts", variables::getopts),
    ("hash", settings::hash),
    ("help", inspect::nothing),
    ("history", settings::history),
    ("jobs", jobs::jobs),
    ("kill", jobs::kill),
    ("let", variables::arithmetic),
    ("local", variables::declare),
    ("logout", inspect::nothing),
    ("mapfile", variables::mapfile),
    ("popd", folders::popd),
    ("printf", inspect::printf),
    ("pushd", folders::pushd),
    ("pwd", inspect::nothing),
    ("read", variables::read),
    ("readarray", variables::mapfile),
    ("readonly", variables::declare),
    ("return", inspect::nothing),
    ("set", settings::set),
    ("shift", settings::shift),
    ("shopt", settings::shopt),
    ("source", code::source),
    ("suspend", jobs::control),
    ("test", inspect::test),
    ("times", inspect::nothing),
    ("trap", code::trap),
    ("true", inspect::nothing),
    ("type", inspect::nothing),
    ("typeset", variables::declare),
    ("ulimit", settings::limit),
    ("umask", settings::limit),
    ("unalias", settings::alias),
    ("unset", variables::unset),
    ("wait", jobs::wait),
];

fn find(name: &str) -> Option<Run> {
    let index = BUILTINS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    BUILTINS.get(index).map(|(_, run)| *run)
}

/// Whether the shell runs this name itself.
pub(crate) fn is_builtin(name: &str) -> bool {
    find(name).is_some()
}

/// Judges a call of a builtin.
pub(crate) fn run(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    if let [only] = call.args
        && only.known() == Some("--help")
    {
        return inspect::nothing(walker, call);
    }
    match find(call.name) {
        Some(run) => run(walker, call),
        None => Flow::same(call.folders),
    }
}

#[cfg(test)]
mod tests;
