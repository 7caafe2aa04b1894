//! Everything that is known about a call: the tree of actions it comes down to, their operations, and what is not known.
//!
//! An assessment only grows. Whatever order vocabularies answer in, and however many answer, more is known and nothing
//! is forgotten, so a further answer can only make the judgement stricter.

use crate::action::{Action, Fact, WorkingDir};
use crate::finding::{Fault, Finding, Reason};
use crate::operation::{Escapes, Obligation, Operation, Span};
use crate::paths::{AbsPath, Place};
use crate::places;
use crate::ports::Failure;
use crate::words::Word;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// Most actions that one call may come down to.
pub const NODES_MAX: usize = 1_024;
/// Most steps from the call to an action.
pub const DEPTH_MAX: usize = 12;
/// Most operations of one call.
pub const OPERATIONS_MAX: usize = 8_192;
/// Most bytes of text that the findings of one call may hold together.
pub const CALL_TEXT_BYTES_MAX: usize = 16 << 20;
/// Most scripts of one call that run later.
pub const SCRIPTS_MAX: usize = 64;
/// Most things of one call that are kept as not understood.
pub const UNKNOWNS_MAX: usize = 256;

/// The index of an action in its assessment.
pub type NodeId = usize;

/// One action of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// The action that led here; `None` for the call itself.
    pub parent: Option<NodeId>,
    /// Where it stands in the parent.
    pub origin: Span,
    /// Steps from the call.
    pub depth: usize,
    /// What would be done.
    pub action: Action,
    /// Where it would run.
    pub cwd: Option<AbsPath>,
    /// Whether it runs through a shell.
    pub route: Route,
}

/// How an action is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// By a tool of its own.
    Direct,
    /// Through a shell.
    Shell,
}

/// An operation and the action it belongs to.
#[derive(Clone, Debug)]
pub struct Assessed {
    /// The action.
    pub node: NodeId,
    /// The operation.
    pub operation: Operation,
    /// Where its file is, if it is about a file of this machine.
    pub place: Option<Place>,
}

/// Why something is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A vocabulary said so.
    Doubt(Reason),
    /// A vocabulary gave no answer.
    Failure(Failure),
    /// A vocabulary gave an answer that does not count.
    Fault(Fault),
    /// No installed vocabulary knows the action.
    NoClaimant,
    /// A vocabulary asked for something the host cannot tell.
    MissingFact,
    /// The tree of actions is too large or too deep.
    OverBound,
    /// It goes through links that the call itself brings, or through more than can be looked at.
    LinkInFlux,
}

impl Cause {
    /// The word for records.
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::Doubt(reason) => reason.as_str(),
            Cause::Failure(failure) => failure.as_str(),
            Cause::Fault(fault) => fault.as_str(),
            Cause::NoClaimant => "no-vocabulary",
            Cause::MissingFact => "missing-fact",
            Cause::OverBound => "over-bound",
            Cause::LinkInFlux => "link-in-flux",
        }
    }
}

/// Something that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The action it is about.
    pub node: NodeId,
    /// Where in that action.
    pub origin: Span,
    /// Why.
    pub cause: Cause,
}

/// What a script comes down to that an action writes where it runs later.
#[derive(Clone, Debug)]
pub struct Script {
    /// The action that writes it.
    pub node: NodeId,
    /// What it would do if it ran now.
    pub does: Assessment,
}

/// Everything that is known about a call.
#[derive(Clone, Debug)]
pub struct Assessment {
    nodes: Vec<Node>,
    scripts: Vec<Script>,
    operations: Vec<Assessed>,
    unknowns: Vec<Unknown>,
    obligations: BTreeSet<Obligation>,
    facts: BTreeSet<Fact>,
    escapes: Escapes,
    text_bytes: usize,
}

impl Assessment {
    /// Nothing is known about the call yet, which is not the same as knowing that it does nothing: an assessment
    /// without operations is unknown.
    pub fn new(action: Action, cwd: Option<AbsPath>, route: Route) -> Assessment {
        let origin = Span { part: 0, start: 0, end: 0 };
        let root = Node { parent: None, origin, depth: 0, action, cwd, route };
        Assessment {
            nodes: alloc::vec![root],
            scripts: Vec::new(),
            operations: Vec::new(),
            unknowns: Vec::new(),
            obligations: BTreeSet::new(),
            facts: BTreeSet::new(),
            escapes: Escapes::EMPTY,
            text_bytes: 0,
        }
    }

    /// Takes in a checked finding about an action and returns the actions it leads to.
    pub fn admit(&mut self, node: NodeId, finding: Finding) -> Vec<NodeId> {
        let text_bytes = self.text_bytes.saturating_add(finding.text_bytes());
        if text_bytes > CALL_TEXT_BYTES_MAX {
            self.fail(node, Cause::OverBound);
            return Vec::new();
        }
        self.text_bytes = text_bytes;
        for doubt in finding.doubts {
            self.doubt(node, doubt.origin, Cause::Doubt(doubt.reason));
        }
        self.escapes = self.escapes.union(finding.escapes);
        self.obligations.extend(finding.obligations);
        let (cwd, route) = match self.nodes.get(node) {
            Some(node) => (node.cwd.clone(), node.route),
            None => return Vec::new(),
        };
        for operation in finding.operations {
            if self.operations.len() >= OPERATIONS_MAX {
                self.fail(node, Cause::OverBound);
                break;
            }
            let place = places::place_of(&operation, cwd.as_ref());
            self.operations.push(Assessed { node, operation, place });
        }
        let mut led_to = Vec::new();
        for delegate in finding.delegates {
            match self.grow(node, delegate.action, delegate.origin, cwd.as_ref(), route) {
                Some(child) => led_to.push(child),
                None => self.doubt(node, delegate.origin, Cause::OverBound),
            }
        }
        led_to
    }

    fn grow(
        &mut self,
        parent: NodeId,
        action: Action,
        origin: Span,
        cwd: Option<&AbsPath>,
        route: Route,
    ) -> Option<NodeId> {
        let id = self.nodes.len();
        let depth = self.nodes.get(parent)?.depth.checked_add(1)?;
        if id >= NODES_MAX || depth > DEPTH_MAX {
            return None;
        }
        let cwd = match action.working_dir() {
            WorkingDir::Same => cwd.cloned(),
            WorkingDir::Unknown => None,
            WorkingDir::Path(path) if path.starts_with('/') => AbsPath::parse(path),
            WorkingDir::Path(path) => cwd.and_then(|cwd| cwd.join(path)),
        };
        self.nodes.push(Node { parent: Some(parent), origin, depth, action, cwd, route });
        Some(id)
    }

    /// Notes that an action arrives through a shell, and with it everything it leads to.
    pub fn through_shell(&mut self, node: NodeId) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.route = Route::Shell;
        }
    }

    /// Notes what a script would do that an action writes. Nothing of it happens now, so only rules about the gate itself
    /// look at it, and what is not understood of it is no unknown of the call.
    pub fn arrange(&mut self, script: Script) {
        if self.scripts.len() < SCRIPTS_MAX {
            self.scripts.push(script);
        } else {
            self.fail(script.node, Cause::OverBound);
        }
    }

    /// The scripts that the call writes and that run later.
    pub fn scripts(&self) -> &[Script] {
        &self.scripts
    }

    /// Notes that nothing is known about an action.
    pub fn fail(&mut self, node: NodeId, cause: Cause) {
        self.doubt(node, Span { part: 0, start: 0, end: 0 }, cause);
    }

    fn doubt(&mut self, node: NodeId, origin: Span, cause: Cause) {
        // One unknown already makes the whole call unknown, so what is over the bound may be dropped.
        if self.unknowns.len() < UNKNOWNS_MAX {
            self.unknowns.push(Unknown { node, origin, cause });
        }
    }

    /// The tree of actions; the call itself is first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One action.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }

    /// What would be done.
    pub fn operations(&self) -> &[Assessed] {
        &self.operations
    }

    /// The same to be made stricter.
    pub(crate) fn operations_mut(&mut self) -> impl Iterator<Item = &mut Operation> {
        self.operations.iter_mut().map(|assessed| &mut assessed.operation)
    }

    /// What is not known.
    pub fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// What must hold for all of this to be true.
    pub fn obligations(&self) -> impl Iterator<Item = Obligation> {
        self.obligations.iter().copied()
    }

    /// Ways out that were named.
    pub fn escapes(&self) -> Escapes {
        self.escapes
    }

    /// Notes what was told about live state, so that it can be said what an answer rests on.
    pub fn told(&mut self, facts: impl IntoIterator<Item = Fact>) {
        self.facts.extend(facts);
    }

    /// What was told about live state.
    pub fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter()
    }

    /// Whether everything about the call is known.
    pub fn is_known(&self) -> bool {
        self.unknowns.is_empty() && !self.operations.is_empty()
    }
}

#[cfg(test)]
#[path = "assess_tests.rs"]
mod tests;
