//! What a call of a tool of git does to which repository. It must never take a name for less than git does: what could be
//! an option, a path, another repository or somebody else's branch is a doubt, and what is not named is not known.

use holdpoint_guest::{
    Effect, Finding, JsonKind, JsonValue, ObligationKind, Operation, Reason, Request, Scope, Segment, Span, TargetKind,
    Traits, Verb, WordKind,
};

use crate::files;
use crate::git::{Act, GitTool, Part, REPOSITORY};
use crate::refspec::{self, Refspec};
use crate::web;

const TAKES: Traits = Traits::NETWORK.union(Traits::EXTERNAL_CONTENT);
const SENDS: Traits = Traits::NETWORK.union(Traits::NOT_IDEMPOTENT);

/// What the arguments of a call say.
#[derive(Default)]
struct Said {
    repository: Option<Segment>,
    remote: Option<String>,
    refs: Vec<Refspec>,
    other_name: Option<Refspec>,
    files: Vec<(String, Span)>,
    mode: String,
    set: Vec<Part>,
    doubts: Vec<Span>,
}

/// What a call of such a tool does.
pub(crate) fn judge(tool: &GitTool, root: JsonValue<'_>, request: &Request) -> Finding {
    let mut said = Said::default();
    for (key, value) in root.children().filter(|(_, value)| value.kind() != JsonKind::Null) {
        let key = key.to_lowercase().replace('_', "");
        let listed = tool.parts.iter().find(|(names, _)| names.contains(&&*key)).map(|(_, part)| *part);
        let repository = REPOSITORY.contains(&&*key).then_some(Part::Repository);
        match listed.or(repository) {
            Some(part) => said.hear(part, value, request),
            None => said.doubts.push(value.span()),
        }
    }
    let doubts = std::mem::take(&mut said.doubts);
    let does = Does { tool, said };
    let finding = does.operations().into_iter().fold(Finding::default(), Finding::with_operation);
    let finding = match tool.act {
        Act::Init | Act::Clone => finding,
        // What a repository configures runs: hooks, filters, pagers and watchers of files.
        _ => finding.with_obligation(ObligationKind::NoRepoConfig),
    };
    let doubts = doubts.into_iter().chain(does.is_unclear().then_some(Span::WHOLE));
    doubts.fold(finding, |finding, span| finding.with_doubt(Reason::MalformedArgument, span))
}

impl Said {
    fn hear(&mut self, part: Part, value: JsonValue<'_>, request: &Request) {
        let span = value.span();
        let plain = |value: JsonValue<'_>| value.as_str().filter(|text| refspec::is_plain(text)).map(str::to_owned);
        let fits = match part {
            Part::Caption => true,
            Part::Count => value.as_number().is_some(),
            Part::Repository => {
                let path = value.as_str().filter(|path| !path.is_empty() && self.repository.is_none());
                self.repository = path.map(|path| files::plain(path, span, request)).or(self.repository.take());
                path.is_some()
            }
            Part::Files => self.hear_all(value, |said, text| said.files.push((text.to_owned(), span))),
            Part::Refspec => self.hear_all(value, |said, text| said.refs.push(Refspec::of(text))),
            Part::Revision => value.as_str().is_some_and(|text| !text.starts_with('-') && refspec::is_line(text)),
            Part::Branch => value.as_str().is_some_and(|text| {
                let refspec = Refspec::of(text);
                let known = refspec.is_known();
                self.refs.push(refspec);
                known
            }),
            Part::RemoteBranch => {
                self.other_name = value.as_str().map(Refspec::of);
                self.other_name.as_ref().is_some_and(Refspec::is_known)
            }
            Part::Remote => {
                let remote = plain(value).filter(|remote| refspec::is_remote(remote));
                let first = self.remote.is_none();
                self.remote = remote.clone().or(self.remote.take());
                first && remote.is_some()
            }
            Part::Mode => {
                self.mode = value.as_str().unwrap_or("?").to_lowercase().replace(['_', '-'], "");
                value.as_str().is_some()
            }
            Part::Force | Part::Mirror | Part::Delete | Part::Amend | Part::Every | Part::New => {
                // Whatever is not certainly "no" counts as yes.
                if value.as_bool() != Some(false) {
                    self.set.push(part);
                }
                value.as_bool().is_some()
            }
        };
        if !fits {
            self.doubts.push(span);
        }
    }

    /// Hears a text, or every text of a list; whether all of them were plain.
    fn hear_all(&mut self, value: JsonValue<'_>, mut hear: impl FnMut(&mut Said, &str)) -> bool {
        let items: Vec<JsonValue<'_>> = match value.kind() {
            JsonKind::Array => value.children().map(|(_, item)| item).collect(),
            _ => vec![value],
        };
        let plain = |item: &JsonValue<'_>| item.as_str().filter(|text| refspec::is_line(text)).map(str::to_owned);
        let texts: Vec<String> = items.iter().filter_map(plain).collect();
        texts.iter().for_each(|text| hear(self, text));
        let is_option = |text: &String| text.starts_with('-') || text.starts_with(":(");
        texts.len() == items.len() && !texts.is_empty() && !texts.iter().any(is_option)
    }

    fn has(&self, part: Part) -> bool {
        self.set.contains(&part)
    }
}

/// A tool and what it was told.
struct Does<'a> {
    tool: &'a GitTool,
    said: Said,
}

impl Does<'_> {
    fn operations(&self) -> Vec<Operation> {
        let update = |effect| self.folder(Verb::Update, effect);
        match self.tool.act {
            Act::Read => vec![self.folder(Verb::Get, Effect::None).reaching(Scope::AllInParent)],
            Act::Log => {
                let reads = self.on(Verb::Get, Effect::None, Segment::unknown(TargetKind::GitCommit));
                vec![reads.reaching(Scope::AllInParent)]
            }
            Act::Add => [vec![update(Effect::Reversible)], self.staged()].concat(),
            Act::Commit => self.commit(),
            Act::Branch => self.branch(),
            Act::CreateBranch => self.named(self.made()),
            Act::Checkout => {
                // A name that is no branch is taken for a file, and what the file held is lost.
                let files = update(Effect::Irreversible).reaching(Scope::AllInParent);
                let made = if self.said.has(Part::New) { self.named(self.made()) } else { Vec::new() };
                [vec![files], made].concat()
            }
            Act::Reset => self.reset(),
            Act::Push => self.push(),
            Act::Fetch => self.fetch(),
            Act::Pull => {
                let files = update(Effect::Reversible).reaching(Scope::AllInParent);
                [self.fetch(), vec![files]].concat()
            }
            Act::Init => vec![self.folder(Verb::Create, Effect::Reversible)],
            Act::Clone => {
                let makes = self.folder(Verb::Create, Effect::Reversible).reaching(Scope::AllInParent);
                vec![self.at_remote(Verb::Download, Effect::None).with_traits(TAKES), makes]
            }
        }
    }

    /// Whether the call leaves open what it is about in a way that no operation says.
    fn is_unclear(&self) -> bool {
        let said = &self.said;
        match self.tool.act {
            Act::Checkout | Act::CreateBranch => said.refs.is_empty(),
            Act::Clone => said.remote.is_none(),
            Act::Add => said.files.is_empty(),
            Act::Branch => {
                let listed = ["", "list", "showcurrent", "create", "delete", "rename"].contains(&&*said.mode);
                // Without a mode, a name alone may be looked for or made.
                !listed || (said.mode.is_empty() && !said.refs.is_empty() && !said.has(Part::Delete))
            }
            Act::Reset => !["", "soft", "mixed", "hard", "merge", "keep"].contains(&&*said.mode),
            Act::Read | Act::Log | Act::Commit | Act::Push | Act::Fetch | Act::Pull | Act::Init => false,
        }
    }

    fn repository(&self) -> Segment {
        self.said.repository.clone().unwrap_or_else(|| Segment::unknown(TargetKind::File))
    }

    /// An operation on the folder of the repository.
    fn folder(&self, verb: Verb, effect: Effect) -> Operation {
        Operation::new(verb, self.tool.name, effect, Span::WHOLE).on(self.repository())
    }

    /// An operation on something in the repository.
    fn on(&self, verb: Verb, effect: Effect, step: Segment) -> Operation {
        self.folder(verb, effect).on(step)
    }

    fn made(&self) -> (Verb, Effect) {
        if self.said.has(Part::Force) {
            (Verb::Update, Effect::Irreversible)
        } else {
            (Verb::Create, Effect::Reversible)
        }
    }

    /// The same on every branch that is named.
    fn named(&self, (verb, effect): (Verb, Effect)) -> Vec<Operation> {
        let unknown = [Refspec::unknown()];
        let refs = if self.said.refs.is_empty() { &unknown[..] } else { &self.said.refs };
        refs.iter().map(|name| self.on(verb, effect, name.segment())).collect()
    }

    /// Reads of the files that are staged. A folder is staged with everything below it.
    fn staged(&self) -> Vec<Operation> {
        let repository = self.repository();
        let below = |(file, span): &(String, Span)| {
            let segment = match repository.certainty {
                _ if file.starts_with('/') || file.starts_with('~') => Segment::file(file.clone()),
                WordKind::Exact if file.contains(['*', '?', '[']) => repository.clone(),
                WordKind::Exact => Segment::file(format!("{}/{file}", repository.name.trim_end_matches('/'))),
                WordKind::Glob | WordKind::Dynamic => Segment::unknown(TargetKind::File),
            };
            let reads = Operation::new(Verb::Get, self.tool.name, Effect::None, *span);
            reads.on(segment).reaching(Scope::AllInParent)
        };
        self.said.files.iter().map(below).collect()
    }

    fn commit(&self) -> Vec<Operation> {
        let commit = |name: &str| Segment::exact(TargetKind::GitCommit, name);
        let mut operations = vec![self.on(Verb::Create, Effect::Reversible, commit(""))];
        if self.said.has(Part::Amend) {
            operations.push(self.on(Verb::Delete, Effect::Reversible, commit("HEAD")));
        }
        [operations, self.staged()].concat()
    }

    fn branch(&self) -> Vec<Operation> {
        let lists = || vec![self.on(Verb::List, Effect::None, Segment::unknown(TargetKind::GitRef))];
        match &*self.said.mode {
            // Which of two arguments a server obeys is its own affair, so the worse one counts.
            _ if self.said.has(Part::Delete) => self.named((Verb::Delete, Effect::Irreversible)),
            "list" | "showcurrent" => lists(),
            "delete" => self.named((Verb::Delete, Effect::Irreversible)),
            "create" => self.named(self.made()),
            "rename" => {
                let new = self.said.other_name.as_ref().map_or_else(Refspec::unknown, Refspec::clone);
                let (verb, effect) = self.made();
                [self.named((Verb::Delete, Effect::Reversible)), vec![self.on(verb, effect, new.segment())]].concat()
            }
            _ => lists(),
        }
    }

    fn reset(&self) -> Vec<Operation> {
        let files = self.folder(Verb::Update, Effect::Reversible);
        let files = match &*self.said.mode {
            "" | "soft" | "mixed" => files,
            _ => self.folder(Verb::Update, Effect::Irreversible).reaching(Scope::AllInParent),
        };
        vec![files, self.on(Verb::Update, Effect::Reversible, Segment::unknown(TargetKind::GitRef))]
    }

    /// An operation on the remote, with its host where its address shows one.
    fn at_remote(&self, verb: Verb, effect: Effect) -> Operation {
        let operation = self.folder(verb, effect);
        match &self.said.remote {
            Some(remote) => match web::host(remote) {
                Some(host) => operation.on(Segment::exact(TargetKind::Host, host)),
                None => operation,
            }
            .on(Segment::exact(TargetKind::GitRemote, remote.as_str())),
            None => operation.on(Segment::unknown(TargetKind::GitRemote)),
        }
    }

    fn fetch(&self) -> Vec<Operation> {
        let takes = self.at_remote(Verb::Download, Effect::None).with_traits(TAKES);
        vec![takes, self.on(Verb::Update, Effect::Reversible, Segment::unknown(TargetKind::GitRef))]
    }

    fn push(&self) -> Vec<Operation> {
        let said = &self.said;
        let mut refs = said.refs.clone();
        if let Some(other) = &said.other_name {
            // One plain branch is pushed under the other name. Where anything is forced, taken away or named twice, either
            // name may be the one that is meant.
            let forced = refs.iter().any(Refspec::overwrites);
            let flagged = [Part::Force, Part::Delete, Part::Mirror].iter().any(|part| said.has(*part));
            let plain = refs.len() < 2 && !forced && !flagged && !refs.iter().any(Refspec::deletes);
            refs.retain(|_| !plain);
            refs.push(if forced { other.clone().forced() } else { other.clone() });
        }
        if refs.is_empty() || said.has(Part::Every) || said.has(Part::Mirror) {
            refs.push(Refspec::unknown());
        }
        let one = |name: &Refspec| {
            let deletes = name.deletes() || said.has(Part::Delete);
            let effect = match deletes || name.overwrites() || said.has(Part::Force) || said.has(Part::Mirror) {
                true => Effect::Irreversible,
                false => Effect::Reversible,
            };
            let verb = if deletes { Verb::Delete } else { Verb::Update };
            self.at_remote(verb, effect).on(name.segment()).with_traits(SENDS)
        };
        refs.iter().map(one).collect()
    }
}
