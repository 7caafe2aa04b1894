//! Other repositories: what is taken from them, and what a push does to them. It must never take an address that runs a
//! program for a name, nor a push for less than git makes of it.

use holdpoint_guest::{Effect, Reason, Scope, Segment, TargetKind, Traits, Verb, WordKind};

use crate::commands;
use crate::parse::Words;
use crate::place::git_ref;
use crate::report::{Report, act};
use crate::table::{ACT_MAKE_TREE, ACT_SEE_TREE, ACT_SET_REMOTE, Act, Command, Mark, Role};
use crate::words::Arg;

const TAKES: Traits = Traits::NETWORK.union(Traits::EXTERNAL_CONTENT);
const SENDS: Traits = Traits::NETWORK.union(Traits::NOT_IDEMPOTENT);
/// Looks at what another repository has.
const LOOK: Act = act(Verb::Get, TargetKind::GitRemote, Effect::None, Traits::NETWORK);
/// Takes what another repository has.
const TAKE: Act = act(Verb::Download, TargetKind::GitRemote, Effect::None, TAKES);
/// Changes what a folder of this machine has.
const CHANGE_FOLDER: Act = act(Verb::Update, TargetKind::File, Effect::Reversible, Traits::empty());
/// Programs that an address may start; the rest of the address is their command line.
const RUNNING_ADDRESS: &str = "ext::";

/// What another repository is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Far<'a> {
    /// A name that the repository gave it.
    Named,
    /// An address on another machine.
    Host(&'a str),
    /// A folder of this machine.
    Folder(&'a str),
    /// An address that runs a command line.
    Runs(&'a str),
    /// What no rule here knows, such as a helper of its own.
    Other,
}

impl Far<'_> {
    fn of(text: &str) -> Far<'_> {
        if let Some(line) = text.strip_prefix(RUNNING_ADDRESS) {
            return Far::Runs(line);
        }
        if text.contains("::") || text.starts_with('-') || text.is_empty() || text.contains(char::is_control) {
            return Far::Other;
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let host = host.rsplit('@').next().unwrap_or_default();
            let host = host.split(':').next().unwrap_or_default();
            return match scheme {
                "https" | "http" | "ssh" | "git" | "ftp" | "ftps" | "git+ssh" if !host.is_empty() => Far::Host(host),
                "file" => Far::Folder(rest),
                _ => Far::Other,
            };
        }
        if let Some((place, _)) = text.split_once(':').filter(|(place, _)| !place.contains('/')) {
            return Far::Host(place.rsplit('@').next().unwrap_or(place));
        }
        if text.contains('/') || matches!(text, "." | "..") || text.starts_with('~') {
            return Far::Folder(text);
        }
        Far::Named
    }
}

/// Reports an act on another repository, and below it on a branch if there is one.
fn reach(act: &Act, far: Option<Arg<'_>>, branch: Option<Segment>, scope: Scope, out: &mut Report) {
    let mut target = vec![out.folder.segment()];
    let span = far.map_or(out.own_span(), |far| far.span);
    let known = far.and_then(Arg::known);
    match known.map(Far::of) {
        Some(Far::Host(host)) => target.push(Segment::exact(TargetKind::Host, host)),
        Some(Far::Named | Far::Folder(_) | Far::Runs(_) | Far::Other) | None => {}
    }
    target.push(match (far, known) {
        (_, Some(name)) => Segment::exact(TargetKind::GitRemote, name),
        (Some(far), None) => {
            Segment { kind: TargetKind::GitRemote, name: far.text.to_owned(), certainty: WordKind::Dynamic }
        }
        (None, None) => Segment::unknown(TargetKind::GitRemote),
    });
    target.extend(branch);
    out.operation(act, target, scope, span);
}

/// Reports what an address does beside being reached.
pub(crate) fn beside(far: Arg<'_>, folder: &Act, out: &mut Report) {
    match far.known().map(Far::of) {
        None => out.doubt(Reason::DynamicWord, far.span),
        Some(Far::Named | Far::Host(_)) => {}
        Some(Far::Folder(path)) => {
            let path = Arg { text: path, ..far };
            out.act(folder, path);
        }
        Some(Far::Runs(line)) => {
            out.unseen_code(far.span);
            out.source(line, far.span);
        }
        Some(Far::Other) => out.doubt(Reason::MalformedArgument, far.span),
    }
}

/// Reports that another repository is looked at.
pub(crate) fn look(far: Arg<'_>, out: &mut Report) {
    reach(&LOOK, Some(far), None, Scope::One, out);
    beside(far, &ACT_SEE_TREE, out);
}

/// `git fetch` and what else takes from another repository, or looks at one.
pub(crate) fn fetch(command: &'static Command, words: &Words<'_>, out: &mut Report) {
    commands::report(command, words, out);
    let looks = matches!(command.name, "ls-remote" | "request-pull");
    let act = if looks { &LOOK } else { &TAKE };
    let place = command.spec.operands.iter().position(|slot| matches!(slot.role, Role::Far));
    reach(act, place.and_then(|place| words.operands.get(place)).copied(), None, Scope::One, out);
}

/// `git clone`.
pub(crate) fn clone(words: &Words<'_>, out: &mut Report) {
    commands::options(words, out);
    let mut operands = words.operands.iter().copied();
    let (Some(far), folder) = (operands.next(), operands.next()) else {
        return out.doubt(Reason::MalformedArgument, out.own_span());
    };
    reach(&TAKE, Some(far), None, Scope::One, out);
    beside(far, &ACT_SEE_TREE, out);
    // Without a folder, git takes the last name of the address.
    let last = far.text.trim_end_matches('/').trim_end_matches("/.git").rsplit(['/', ':']).next().unwrap_or_default();
    let name = last.strip_suffix(".git").unwrap_or(last);
    let made = folder.unwrap_or(Arg { text: if name.is_empty() { "." } else { name }, ..far });
    out.act(&ACT_MAKE_TREE, made);
    if let Some(extra) = operands.next() {
        out.doubt(Reason::MalformedArgument, extra.span);
    }
}

/// `git remote add` and `git remote set-url`.
pub(crate) fn url(words: &Words<'_>, out: &mut Report) {
    commands::options(words, out);
    match words.operands.as_slice() {
        [name, url, ..] => {
            out.act(&ACT_SET_REMOTE, *name);
            beside(*url, &ACT_SEE_TREE, out);
        }
        [] | [_] => out.doubt(Reason::MalformedArgument, out.own_span()),
    }
    if words.given.iter().any(|given| matches!(given.option.name, "-f" | "--fetch")) {
        reach(&TAKE, words.operands.first().copied(), None, Scope::One, out);
    }
}

/// `git push`.
pub(crate) fn push(words: &Words<'_>, out: &mut Report) {
    commands::options(words, out);
    let named = words.operands.first().copied();
    let far = named.or_else(|| words.given.iter().find(|given| matches!(given.option.role, Role::Far))?.value);
    if let Some(far) = far {
        beside(far, if words.has(Mark::Dry) { &ACT_SEE_TREE } else { &CHANGE_FOLDER }, out);
    }
    if words.has(Mark::Dry) {
        return reach(&LOOK, far, None, Scope::One, out);
    }
    let mut pushed = false;
    let mut tagged = false;
    for refspec in words.operands.iter().skip(1).copied() {
        // `tag v1` is two words for one tag.
        if refspec.known() == Some("tag") && !tagged {
            tagged = true;
            continue;
        }
        pushed = true;
        one(refspec, words, far, out);
    }
    if words.has(Mark::Mirror) {
        let lost = act(Verb::Delete, TargetKind::GitRef, Effect::Irreversible, SENDS);
        reach(&lost, far, Some(Segment::unknown(TargetKind::GitRef)), Scope::AllInParent, out);
    }
    if !pushed || words.has(Mark::Every) || words.has(Mark::Mirror) {
        let forced = words.has(Mark::Force) || words.has(Mark::Mirror);
        let effect = if forced { Effect::Irreversible } else { Effect::Reversible };
        let scope = if words.has(Mark::Every) { Scope::AllInParent } else { Scope::One };
        let moved = act(Verb::Update, TargetKind::GitRef, effect, SENDS);
        reach(&moved, far, Some(Segment::unknown(TargetKind::GitRef)), scope, out);
    }
}

/// What one refspec does to the other repository.
fn one(refspec: Arg<'_>, words: &Words<'_>, far: Option<Arg<'_>>, out: &mut Report) {
    if refspec.known().is_none() {
        out.doubt(Reason::DynamicWord, refspec.span);
    }
    let text = refspec.text;
    let (plus, rest) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
    let (source, there) = rest.split_once(':').map_or((rest, rest), |(source, there)| (source, there));
    let deletes = words.has(Mark::Delete) || (source.is_empty() && !there.is_empty());
    // A colon alone is every branch that both sides have, and nothing behind it means the name in front.
    let branch = if rest.contains(':') && there.is_empty() { source } else { there };
    let segment = git_ref(Arg { text: branch, ..refspec });
    let scope = if branch.is_empty() || branch.contains('*') { Scope::AllInParent } else { Scope::One };
    let (verb, effect) = match (deletes, plus || words.has(Mark::Force)) {
        (true, _) => (Verb::Delete, Effect::Irreversible),
        (false, true) => (Verb::Update, Effect::Irreversible),
        (false, false) => (Verb::Update, Effect::Reversible),
    };
    reach(&act(verb, TargetKind::GitRef, effect, SENDS), far, Some(segment), scope, out);
}
