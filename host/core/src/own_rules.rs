//! How a call reaches for the gate without naming one of its files to a program that is understood: its processes, words of
//! programs that nobody understands, and scripts that are written to run later.

use crate::action::{Action, Input, Invocation};
use crate::assess::{Assessment, Cause, NodeId};
use crate::finding::Reason;
use crate::operation::{Certainty, Operation, Segment, TargetKind, Verb};
use crate::paths::{AbsPath, Place};
use crate::scene::Scene;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The gate's own program.
pub(crate) const OWN_PROGRAM: &str = "holdpoint";
/// Sub-commands of it that a gated principal may run: they have no effect beyond an audit line.
const OWN_HARMLESS: &[&str] = &["check", "explain"];
/// Options of them that are a person's all the same.
const OWN_RESERVED: &[&str] = &["--principal", "--batch"];
/// Words by which it only tells about itself.
const OWN_TALK: &[&str] = &["--help", "-h", "--version", "-V"];
/// Sub-commands that change the gate, with what has to follow them. In the words of a program that nobody understands only
/// these count: the name alone is also that of a folder, a package or a branch.
const OWN_CHANGES: &[(&str, &[&str])] = &[
    ("approvals", &["allow", "deny", "watch", "withdraw"]),
    ("attest", &[]),
    ("config", &["set"]),
    ("content", &["confirm"]),
    ("freeze", &[]),
    ("hook", &["install"]),
    ("key", &["new"]),
    ("operator", &["set-password"]),
    ("plugin", &["install", "remove", "activate", "rollback"]),
    ("thaw", &[]),
    ("toggle", &["bound", "keep", "lift", "loosen", "reset", "tighten"]),
    ("trust", &["add", "revoke", "rotate", "floor"]),
    ("undo", &[]),
];
/// Beginnings of the names of variables that the gate itself reads.
const OWN_VARIABLES: &[&str] = &["HOLDPOINT_"];
/// Variables that tell a gate or an agent host where a project and its settings lie: a host that is started with another
/// value has no hook, or one that judges another place.
const HOST_VARIABLES: &[&str] = &[
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_PROJECT_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
];
/// Fewest letters of the gate's name by which a pattern for processes is taken to mean it.
const LETTERS_MIN: usize = 4;
/// Marks of patterns that leave a name what it is.
const PATTERN_MARKS: &[char] = &['^', '$', '[', ']', '(', ')', '\\', '.', '*', '+', '?'];
/// What stands around a path within a word: an option's sign of equality, a list, quotes, the syntax of a language.
const AROUND_PATHS: &[char] = &[
    ' ', '\t', '\n', '\r', '\'', '"', '`', '=', ':', ',', ';', '@', '|', '&', '<', '>', '(', ')', '[', ']', '{', '}',
    '!', '#', '%',
];

/// Whether the gate's own program runs: it could answer its own questions, so only harmless sub-commands are left.
pub(crate) fn runs_the_gate(action: &Action) -> bool {
    let Action::Program(invocation) = action else { return false };
    let Some((program, words)) = invocation.argv.split_first() else { return false };
    let known = words.iter().all(|word| word.certainty == Certainty::Exact);
    let asks = words.first().is_some_and(|word| OWN_HARMLESS.contains(&word.text.as_str()));
    // Under another name an answer would look like somebody else's, and a batch fills the record.
    let poses = words.iter().any(|word| OWN_RESERVED.iter().any(|option| word.text.starts_with(option)));
    // Without a sub-command it says how it is used.
    let talks = words.first().is_none_or(|word| words.len() == 1 && OWN_TALK.contains(&word.text.as_str()));
    let harmless = known && (talks || (asks && !poses));
    is_own_program(&program.text) && !harmless
}

/// Whether the gate's own environment changes: which state it reads and what it is put in front of.
pub(crate) fn sets_own_variable(operation: &Operation) -> bool {
    let named = |segment: &Segment| is_own_variable(&segment.name);
    operation.kind() == Some(TargetKind::Environment)
        && operation.verb == Verb::Configure
        && operation.target.last().is_some_and(named)
}

/// Whether an action is started with another environment of the gate's.
pub(crate) fn brings_own_variable(action: &Action) -> bool {
    let Action::Program(invocation) = action else { return false };
    invocation.env.iter().any(|(name, _)| is_own_variable(name))
}

fn is_own_variable(name: &str) -> bool {
    HOST_VARIABLES.contains(&name) || OWN_VARIABLES.iter().any(|start| name.starts_with(start))
}

fn is_own_program(word: &str) -> bool {
    word.rsplit('/').next() == Some(OWN_PROGRAM)
}

/// Whether a program that nobody understands is handed the gate's own program to run, as `npx` and `mise exec` are.
pub(crate) fn hands_on_the_gate(assessment: &Assessment, node: NodeId) -> bool {
    let Some(Action::Program(invocation)) = assessment.node(node).map(|node| &node.action) else { return false };
    let words: Vec<&str> = invocation.argv.iter().map(|word| word.text.as_str()).collect();
    is_not_understood(assessment, node) && words.windows(2).enumerate().any(|(index, _)| runs_a_change(&words, index))
}

/// Whether the gate's name stands here and behind it what changes the gate.
fn runs_a_change(words: &[&str], index: usize) -> bool {
    let [program, change, rest @ ..] = words.get(index..).unwrap_or_default() else { return false };
    let follows = |wanted: &[&str]| wanted.is_empty() || rest.first().is_some_and(|word| wanted.contains(word));
    is_own_program(program) && OWN_CHANGES.iter().any(|(own, wanted)| own == change && follows(wanted))
}

/// Whether nobody can tell what the action does with what it is given.
fn is_not_understood(assessment: &Assessment, node: NodeId) -> bool {
    assessment.unknowns().iter().filter(|unknown| unknown.node == node).any(|unknown| match unknown.cause {
        Cause::NoClaimant | Cause::Failure(_) | Cause::Fault(_) => true,
        Cause::Doubt(reason) => matches!(reason, Reason::UnknownProgram | Reason::UnknownTool),
        Cause::MissingFact | Cause::OverBound | Cause::LinkInFlux => false,
    })
}

/// Whether an action that nobody understands is given a path of the gate's own, as a word of its own or within one.
pub(crate) fn names_own_places(assessment: &Assessment, node: NodeId, scene: &Scene) -> bool {
    if !is_not_understood(assessment, node) {
        return false;
    }
    let Some(node) = assessment.node(node) else { return false };
    let named = |text: &str| names_own_place(text, node.cwd.as_ref(), scene);
    match &node.action {
        Action::Program(invocation) => {
            texts_of(invocation).into_iter().any(named)
                || patterns_of(invocation, node.cwd.as_ref()).any(|place| is_own(&place, scene))
        }
        // Most arguments of tools are prose, so only one that is a path as a whole counts.
        Action::Tool(_) => {
            let parts = node.action.parts();
            let paths = parts.iter().filter(|text| !text.contains(char::is_whitespace));
            paths.into_iter().any(|text| named(text))
        }
        Action::Source(_) => false,
    }
}

fn is_own(place: &Place, scene: &Scene) -> bool {
    use crate::glob::Reach::Itself;
    // A pattern of any depth may by chance be every file there is.
    if matches!(place, Place::Pattern { rest, .. } if rest.iter().any(|name| name == "**")) {
        return false;
    }
    scene.protected.iter().any(|own| place.is_within(own) || place.may_be(own, Itself))
}

/// What the program is given as text.
fn texts_of(invocation: &Invocation) -> Vec<&str> {
    let words = invocation.argv.iter().chain(invocation.env.iter().map(|(_, value)| value));
    let exact = words.filter(|word| word.certainty == Certainty::Exact).map(|word| word.text.as_str());
    let fed = match &invocation.stdin {
        Input::Text(text) => Some(text.as_str()),
        Input::File(word) => Some(word.text.as_str()),
        Input::Inherited | Input::Empty | Input::OutputOf(_) | Input::External | Input::Unknown => None,
    };
    exact.chain(fed).collect()
}

fn patterns_of<'a>(invocation: &'a Invocation, cwd: Option<&'a AbsPath>) -> impl Iterator<Item = Place> + 'a {
    let patterns = invocation.argv.iter().filter(|word| word.certainty == Certainty::Glob);
    patterns.map(move |word| Place::resolve(&word.text, Certainty::Glob, cwd))
}

/// Whether a text is or holds a path of the gate's own. A plain name is a path only where the action does not run in the
/// gate's own folders: there, every word would be.
fn names_own_place(text: &str, cwd: Option<&AbsPath>, scene: &Scene) -> bool {
    let text = text.replace("${HOME}", "~");
    let inside = cwd.is_some_and(|cwd| scene.protected.iter().any(|own| cwd.is_within(own)));
    let path = |piece: &str| match in_home(piece) {
        Some(below) => scene.home.as_ref()?.join(below),
        None if piece.starts_with('/') => AbsPath::parse(piece),
        None if inside => None,
        None => cwd?.join(piece),
    };
    let pieces = core::iter::once(text.as_str()).chain(text.split(AROUND_PATHS)).map(without_option);
    pieces.filter(|piece| !piece.is_empty()).filter_map(path).any(|path| is_own(&Place::Exact(path), scene))
}

/// The path behind the letters of an option, such as in `-C/x`.
fn without_option(piece: &str) -> &str {
    let at = piece.find(['/', '~']).filter(|_| piece.starts_with('-'));
    at.and_then(|at| piece.get(at..)).unwrap_or(piece)
}

/// The path below the home of the user, however the home is written.
fn in_home(piece: &str) -> Option<&str> {
    let behind = ["~", "$HOME"].iter().find_map(|home| piece.strip_prefix(home))?;
    if behind.is_empty() { Some(behind) } else { behind.strip_prefix('/') }
}

/// Whether an operation ends or changes a process or a service of the gate, by its name.
pub(crate) fn ends_the_gate(operation: &Operation) -> bool {
    let own = |step: &Segment| {
        let kind = matches!(step.kind, TargetKind::Process | TargetKind::Service);
        kind && step.certainty != Certainty::Dynamic && means_the_gate(&step.name)
    };
    operation.writes() && operation.target.iter().any(own)
}

/// Whether a name of a process, or a pattern for names, means the gate. What a pattern leaves out of the name is not
/// followed: such a pattern is a question like any other.
fn means_the_gate(name: &str) -> bool {
    let plain: String = name.chars().filter(|mark| !PATTERN_MARKS.contains(mark)).collect();
    let plain = plain.to_ascii_lowercase();
    (plain.len() >= LETTERS_MIN && OWN_PROGRAM.contains(plain.as_str())) || has_own_name(name)
}

/// Whether the gate's name stands in a text as a word of its own, with the brackets that keep a search from finding itself.
fn has_own_name(text: &str) -> bool {
    let text: Cow<'_, str> = Cow::Owned(text.replace(['[', ']'], "").to_ascii_lowercase());
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    text.split(|letter| !is_letter(letter)).any(|word| word == OWN_PROGRAM)
}

/// Whether a call looks up processes, names the gate, and ends processes that it does not name: `kill $(pidof ..)`.
pub(crate) fn ends_what_it_looked_up(assessment: &Assessment) -> bool {
    let of_process = |operation: &&Operation| operation.kind() == Some(TargetKind::Process);
    let operations = || assessment.operations().iter().map(|assessed| &assessed.operation).filter(of_process);
    let unnamed = |operation: &Operation| {
        operation.target.iter().any(|step| step.certainty == Certainty::Dynamic || step.name.is_empty())
    };
    let ends = operations().any(|operation| operation.writes() && unnamed(operation));
    let looks = operations().any(|operation| !operation.writes());
    let names = |action: &Action| match action {
        Action::Program(invocation) => invocation.argv.iter().skip(1).any(|word| has_own_name(&word.text)),
        Action::Tool(_) | Action::Source(_) => false,
    };
    ends && looks && assessment.nodes().iter().any(|node| names(&node.action))
}

#[cfg(test)]
#[path = "own_rules_tests.rs"]
mod tests;
