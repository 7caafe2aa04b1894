//! The streams as their users see them: decisions, and transitions that anchor them. What is counted lies in `uses`, what
//! was heard in `content`, and how decisions anchor the other streams in turn in `heads`.
//!
//! Must never let a transition be written without an anchor, nor a caller hold a stream that skips the chain.

use crate::anchor;
use crate::chain::{Appended, Chain, Repair, Trouble};
use crate::disk::Disk;
use crate::folder::StateFolder;
use crate::heads::{Looked, NAMED, Named};
use crate::kept::Key;
use crate::storage::Storage;
use crate::transition::Transition;
use crate::{content, holds, question, trust_lines, uses};
use holdpoint_core::journal::Line;
use holdpoint_core::ports::{Journal, NotDurable};
use holdpoint_core::{outcome, report};
use serde_json::Value;

/// A stream of the audit record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// What was decided about calls.
    Decisions,
    /// What operators changed: toggles, trust, vocabularies.
    Transitions,
    /// What calls took of the limits of loosened toggles.
    Uses,
    /// Content from outside that gave orders to an agent, and who confirmed it.
    Content,
    /// Questions to persons outside the run, and their answers.
    Approvals,
    /// Freezes and their ends.
    Holds,
    /// Who may speak for which vocabularies, and which of them are in force.
    Trust,
}

impl Stream {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Stream; 7] = [
        Stream::Decisions,
        Stream::Transitions,
        Stream::Uses,
        Stream::Content,
        Stream::Approvals,
        Stream::Holds,
        Stream::Trust,
    ];

    /// The kinds of its lines. Transitions have none: they are told by their anchor.
    pub(crate) fn kinds(self) -> &'static [&'static str] {
        match self {
            Stream::Decisions => &[report::DECISION, outcome::OUTCOME, outcome::MARK],
            Stream::Transitions => &[],
            Stream::Uses => &[uses::USE, uses::SETTLED],
            Stream::Content => &[content::HEARD, content::CONFIRMED],
            Stream::Approvals => &[question::QUESTION, question::ANSWER, question::REDEEMED, question::WITHDRAWN],
            Stream::Holds => &[holds::FREEZE, holds::THAW],
            Stream::Trust => trust_lines::KINDS,
        }
    }

    /// The stream that a line is from, by nothing but the line. `None` for a line of no stream that is known.
    pub(crate) fn of_line(line: &[u8]) -> Option<Stream> {
        let line: Value = serde_json::from_slice(line).ok()?;
        match (line.get("kind"), anchor::of_line(&line)) {
            (None, Some(_)) => Some(Stream::Transitions),
            (Some(Value::String(kind)), None) => {
                Stream::ALL.into_iter().find(|stream| stream.kinds().contains(&kind.as_str()))
            }
            _ => None,
        }
    }

    /// The name of its folder under `audit`.
    pub fn folder_name(self) -> &'static str {
        match self {
            Stream::Decisions => "decisions",
            Stream::Transitions => "transitions",
            Stream::Uses => "uses",
            Stream::Content => "content",
            Stream::Approvals => "approvals",
            Stream::Holds => "holds",
            Stream::Trust => "trust",
        }
    }
}

/// The stream of decisions.
#[derive(Debug)]
pub struct Decisions<S = Disk> {
    chain: Chain<S>,
    named: [(Stream, S); NAMED.len()],
}

/// The stream of transitions.
#[derive(Debug)]
pub struct Transitions<S = Disk> {
    chain: Chain<S>,
    decisions: Chain<S>,
    key: Key,
}

impl Decisions<Disk> {
    /// The decisions of a state folder. Nothing is touched before the first append.
    pub fn of(folder: &StateFolder) -> Decisions {
        Decisions::over(|stream| Disk::new(folder, stream))
    }
}

impl<S: Storage> Decisions<S> {
    /// The decisions in their storage, and the storages of the streams whose heads they name.
    pub fn over(storage: impl Fn(Stream) -> S) -> Decisions<S> {
        let chain = Chain::new(storage(Stream::Decisions));
        Decisions { chain, named: NAMED.map(|stream| (stream, storage(stream))) }
    }

    /// Appends all lines, and returns when they are on disk.
    pub fn append(&self, lines: &[Line], at_ms: u64) -> Result<Appended, NotDurable> {
        let looked: Vec<Looked<'_, S>> =
            self.named.iter().map(|(stream, storage)| Looked::at(*stream, storage)).collect();
        let name = |last: &[u8]| looked.iter().map(|looked| looked.after(last)).collect();
        Ok(self.chain.append_naming(at_ms, || Ok(lines.to_vec()), name)?)
    }

    /// What appends had to move aside since the last time this was asked.
    pub fn take_repairs(&self) -> Vec<Repair> {
        self.chain.take_repairs()
    }

    /// Where it is kept.
    pub fn storage(&self) -> &S {
        self.chain.storage()
    }
}

impl<S: Storage> Journal for Decisions<S> {
    fn append(&self, lines: &[Line], at_ms: u64) -> Result<(), NotDurable> {
        Decisions::append(self, lines, at_ms).map(|_| ())
    }
}

impl Transitions<Disk> {
    /// The transitions of a state folder. Nothing is touched before the first append.
    pub fn of(folder: &StateFolder) -> Transitions {
        let over = Transitions::over(Disk::new(folder, Stream::Transitions), Disk::new(folder, Stream::Decisions));
        over.keeping(Key::Of(folder.clone()))
    }
}

impl<S: Storage> Transitions<S> {
    /// The transitions in one storage, which anchor the decisions in the other.
    pub fn over(transitions: S, decisions: S) -> Transitions<S> {
        Transitions { chain: Chain::new(transitions), decisions: Chain::new(decisions), key: Key::None }
    }

    /// The same, with lines that matter kept for cold processes under this key.
    pub fn keeping(self, key: Key) -> Transitions<S> {
        Transitions { key, ..self }
    }

    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// Appends all transitions, each with the head of the decisions, and returns when they are on disk.
    pub fn append(&self, transitions: &[Transition], at_ms: u64) -> Result<Appended, NotDurable> {
        Ok(self.append_made(at_ms, || Ok(transitions.to_vec()))?)
    }

    /// Appends the transitions that `make` returns once nobody else can append.
    pub(crate) fn append_made(
        &self,
        at_ms: u64,
        make: impl FnOnce() -> Result<Vec<Transition>, Trouble>,
    ) -> Result<Appended, Trouble> {
        let lines = || {
            let transitions = make()?;
            // The head is taken under the lock of the transitions, so that anchors never go backwards.
            let head = self.decisions.durable_head()?;
            let line = |transition: &Transition| Line::new(anchor::with(transition.members(), head));
            let lines: Option<Vec<Line>> = transitions.iter().map(line).collect();
            lines.ok_or(Trouble::TransitionTooLong)
        };
        self.chain.append(at_ms, lines)
    }

    pub(crate) fn storage(&self) -> &S {
        self.chain.storage()
    }

    /// The head of a stream that the newest decision names.
    pub(crate) fn named(&self, stream: Stream) -> Result<Named, Trouble> {
        Named::by(self.decisions.storage(), stream)
    }

    /// What appends had to move aside since the last time this was asked.
    pub fn take_repairs(&self) -> Vec<Repair> {
        self.chain.take_repairs()
    }
}
