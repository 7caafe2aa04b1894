//! Settings of git, given for one command or kept: which of them only change how things look, and which run programs. It
//! must never call a setting harmless that is not listed as such.

use holdpoint_guest::{Effect, Escapes, FactKind, Reason, Request, Segment, TargetKind, Traits, Verb};

use crate::keys::{HARMLESS, HARMLESS_VALUES, PROGRAMS};
use crate::parse::Words;
use crate::report::{Report, act, is_exact};
use crate::table::{ACT_STAGE, Act, Command, Mark};
use crate::words::Arg;

/// What a setting can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Weight {
    Harmless,
    /// Its value is a program, or the place of one.
    Program,
    Unknown,
}

/// Reads a setting.
const READ: Act = act(Verb::Get, TargetKind::File, Effect::None, Traits::empty());
/// Keeps a setting that may run a program at every later command.
const KEEP: Act = act(Verb::Update, TargetKind::File, Effect::Reversible, Traits::PERSISTENCE);
/// The settings of the machine.
const SYSTEM_FILE: &str = "/etc/gitconfig";
/// The settings of the repository.
const OWN_FILE: &str = ".git/config";

/// Whether `key` is `pattern`, in which `*` is any text.
fn is_like(key: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            key.len() >= start.len().saturating_add(end.len()) && key.starts_with(start) && key.ends_with(end)
        }
        None => key == pattern,
    }
}

/// What the setting `key` does with this value.
pub(crate) fn weigh(key: &str, value: Option<&str>) -> Weight {
    let key = key.to_ascii_lowercase();
    let is_any = |patterns: &[&str]| patterns.iter().any(|pattern| is_like(&key, pattern));
    let plain = HARMLESS_VALUES.iter().filter(|(keys, _)| is_any(keys));
    if value.is_some_and(|value| plain.into_iter().any(|(_, values)| values.contains(&value))) || is_any(HARMLESS) {
        return Weight::Harmless;
    }
    if is_any(PROGRAMS) { Weight::Program } else { Weight::Unknown }
}

/// Reports a setting `name=value` for one command.
pub(crate) fn pair(arg: Arg<'_>, out: &mut Report) {
    let Some(text) = arg.known() else { return out.doubt(Reason::DynamicWord, arg.span) };
    let (key, value) = text.split_once('=').map_or((text, None), |(key, value)| (key, Some(value)));
    match weigh(key, value) {
        Weight::Harmless => {}
        Weight::Unknown => out.doubt(Reason::UnknownOption, arg.span),
        Weight::Program => {
            out.escapes(Escapes::OS_COMMAND);
            out.unseen_code(arg.span);
            let line = value.map(|value| value.strip_prefix('!').unwrap_or(value)).filter(|line| !line.is_empty());
            if let Some(line) = line {
                out.source(line, arg.span);
            }
        }
    }
}

/// `git config`: reads or keeps settings.
pub(crate) fn config(command: &Command, words: &Words<'_>, request: &Request, out: &mut Report) {
    let says = |sub: &str| command.name.rsplit('/').next() == Some(sub);
    let file = file(words, request, out);
    let operands = &words.operands;
    let reads = says("get") || says("list") || words.has(Mark::Read) || (says("config") && operands.len() == 1);
    let changes = words.has(Mark::Write) || words.has(Mark::Edit);
    if reads && !changes {
        return out.operation(&READ, vec![file], holdpoint_guest::Scope::One, out.own_span());
    }
    let Some(key) = operands.first().copied().filter(|_| !says("edit") && !words.has(Mark::Edit)) else {
        return out.operation(&KEEP, vec![file], holdpoint_guest::Scope::One, out.own_span());
    };
    let value = operands.get(1).copied();
    let shown = value.is_none_or(is_exact);
    let weight = key.known().map_or(Weight::Unknown, |key| weigh(key, value.and_then(Arg::known)));
    let own = !words.has(Mark::Global) && !words.has(Mark::System) && !words.has(Mark::File);
    // A setting of this kind is one of the things that belong to the repository, as its index does.
    if weight == Weight::Harmless && shown && own {
        return out.fixed(&ACT_STAGE);
    }
    let keeps = Act { traits: KEEP.traits, ..KEEP };
    out.operation(&keeps, vec![file], holdpoint_guest::Scope::One, key.span);
    if weight == Weight::Program {
        out.escapes(Escapes::CONFIG_PERSISTENCE);
        out.unseen_code(key.span);
        let line = value.and_then(Arg::known).map(|line| line.strip_prefix('!').unwrap_or(line));
        if let Some(line) = line.filter(|line| !line.trim().is_empty()) {
            out.source(line, key.span);
        }
    }
}

/// The file that the options name.
fn file(words: &Words<'_>, request: &Request, out: &Report) -> Segment {
    if words.has(Mark::File) {
        return match words.value(Mark::File).and_then(Arg::known) {
            Some(path) => Segment::file(out.folder.path(path)),
            None => Segment::unknown(TargetKind::File),
        };
    }
    if words.has(Mark::System) {
        return Segment::file(SYSTEM_FILE);
    }
    if words.has(Mark::Global) {
        return match request.fact(FactKind::HomeDirectory) {
            Some(home) => Segment::file(format!("{}/.gitconfig", home.trim_end_matches('/'))),
            None => Segment::unknown(TargetKind::File),
        };
    }
    Segment::file(out.folder.path(OWN_FILE))
}
