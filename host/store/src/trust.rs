//! Who may speak for which vocabularies, what was taken back, which releases are too old, and which generation is in force.
//! The chain of steps is the only record of it, so floors and revocations outlive what they are about.
//!
//! Must never let a floor go down, a revocation go away, or a time that has passed come back; and never take a stream that
//! is missing, cut back or damaged for one that says nothing.

use crate::chain::{Chain, Trouble};
use crate::disk::Disk;
use crate::folder::StateFolder;
use crate::heads::Named;
use crate::kept::certain_head;
use crate::lines::{self, Snapshot};
use crate::storage::Storage;
use crate::streams::Stream;
use crate::trust_lines::{Generation, Revocation, Step, TrustedDocument, TrustedPublisher};
use crate::verify::Walk;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Head;
use holdpoint_core::ports::NotDurable;
use std::collections::{BTreeMap, BTreeSet};

/// Most publishers that an operator names.
pub const PUBLISHERS_MAX: usize = 64;
/// Most delegations that an operator takes.
pub const DELEGATIONS_MAX: usize = 64;

/// What the chain says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustState {
    /// The publishers that the operator named, by name.
    pub publishers: BTreeMap<String, TrustedPublisher>,
    /// What was taken back.
    pub revoked: BTreeSet<Revocation>,
    /// The trust document that counts.
    pub document: Option<TrustedDocument>,
    /// The delegations that count, by the digest of their text.
    pub delegations: Vec<Digest>,
    /// The least release of each name.
    pub floors: BTreeMap<String, u64>,
    /// The generation in force.
    pub active: Option<Generation>,
    /// Every generation that ever was, by number.
    pub generations: BTreeMap<u64, Digest>,
    /// The greatest time that was seen, in milliseconds since the Unix epoch.
    pub passed_ms: u64,
    /// Where the chain ends.
    pub head: Head,
}

/// Where the chain ends, as far as that can be told without walking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The end.
    pub head: Head,
    /// A time that has passed, in milliseconds since the Unix epoch.
    pub passed_ms: u64,
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustChange {
    /// It is on disk, and this is what the chain says now.
    Done(Box<TrustState>),
    /// Nothing was changed, for this reason.
    Refused(&'static str),
}

/// The stream of trust.
#[derive(Debug)]
pub struct Trust<S = Disk> {
    chain: Chain<S>,
    decisions: S,
}

impl Trust<Disk> {
    /// The trust of a state folder. Nothing is touched before the first change.
    pub fn of(folder: &StateFolder) -> Trust {
        Trust::over(Disk::new(folder, Stream::Trust), Disk::new(folder, Stream::Decisions))
    }
}

impl<S: Storage> Trust<S> {
    /// The trust in one storage, and the decisions that name where it ends.
    pub fn over(storage: S, decisions: S) -> Trust<S> {
        Trust { chain: Chain::new(storage), decisions }
    }

    /// Where the chain ends; `None` where only a walk can tell.
    pub fn seen(&self) -> Result<Option<Seen>, NotDurable> {
        let named = Named::by(&self.decisions, Stream::Trust)?;
        let head = certain_head(self.chain.storage(), named.head)?;
        Ok(head.map(|head| Seen { head, passed_ms: named.passed_ms }))
    }

    /// What the whole chain says. It fails where a line does not verify or says nothing, and where the head is not there
    /// that a decision names.
    pub fn state(&self) -> Result<TrustState, NotDurable> {
        // In this order what a decision names is in the snapshot.
        let named = Named::by(&self.decisions, Stream::Trust)?;
        let snapshot = lines::snapshot(self.chain.storage()).map_err(Trouble::io("read"))?;
        Ok(self.walked(&named, snapshot)?)
    }

    /// Appends the steps that `make` returns once nobody else can change anything. If one of them may not be, none is made.
    pub fn change(
        &self,
        actor: &str,
        now_ms: u64,
        make: impl FnOnce(&TrustState) -> Vec<Step>,
    ) -> Result<TrustChange, NotDurable> {
        let mut refused = None;
        let appended = self.chain.append(now_ms, || {
            let named = Named::by(&self.decisions, Stream::Trust)?;
            let snapshot = lines::snapshot_under_lock(self.chain.storage()).map_err(Trouble::io("read"))?;
            let mut state = self.walked(&named, snapshot)?;
            let mut made = Vec::new();
            for step in make(&state) {
                if let Err(why) = state.check(&step) {
                    refused = Some(why);
                    return Ok(Vec::new());
                }
                made.push(step.line(actor, now_ms).ok_or(Trouble::LineTooLong)?);
                state.take(step);
            }
            Ok(made)
        });
        appended?;
        match refused {
            Some(why) => Ok(TrustChange::Refused(why)),
            None => Ok(TrustChange::Done(Box::new(self.state()?))),
        }
    }

    fn walked(&self, named: &Named, snapshot: Snapshot) -> Result<TrustState, Trouble> {
        let mut state = TrustState::nothing(named.passed_ms);
        let mut walk = Walk::new(self.chain.storage(), snapshot);
        let mut is_there = walk.head() == named.head;
        while walk.advance().map_err(Trouble::io("read"))? {
            let (step, at_ms) = Step::read(walk.line()).ok_or_else(|| walk.unreadable("says nothing about trust"))?;
            state.check(&step).map_err(|why| walk.unreadable(why))?;
            state.take(step);
            state.passed_ms = state.passed_ms.max(at_ms);
            is_there |= walk.head() == named.head;
        }
        if let Some(found) = walk.first_break() {
            return Err(Trouble::damaged(&found.file, &format!("line {} {}", found.line, found.what.text())));
        }
        state.head = walk.head();
        if is_there { Ok(state) } else { Err(Trouble::damaged("trust", &named.lost())) }
    }
}

impl TrustState {
    fn nothing(passed_ms: u64) -> TrustState {
        TrustState {
            publishers: BTreeMap::new(),
            revoked: BTreeSet::new(),
            document: None,
            delegations: Vec::new(),
            floors: BTreeMap::new(),
            active: None,
            generations: BTreeMap::new(),
            passed_ms,
            head: Head::START,
        }
    }

    /// The number of the next generation.
    pub fn next_number(&self) -> u64 {
        self.generations.last_key_value().map_or(0, |(number, _)| *number).saturating_add(1)
    }

    /// The least release of a name that is accepted.
    pub fn floor(&self, name: &str) -> u64 {
        self.floors.get(name).copied().unwrap_or(0)
    }

    fn check(&self, step: &Step) -> Result<(), &'static str> {
        match step {
            Step::Publisher(entry) => {
                if self.revoked.contains(&Revocation::Publisher(entry.publisher.clone())) {
                    return Err("is about a publisher that was revoked");
                }
                let is_new = !self.publishers.contains_key(&entry.publisher);
                let full = is_new && self.publishers.len() >= PUBLISHERS_MAX;
                if full { Err("is one publisher too many") } else { Ok(()) }
            }
            Step::Revoked(_) => Ok(()),
            Step::Document(document) => match &self.document {
                Some(before) if before.authority != document.authority => Err("is a document of another authority"),
                Some(before) if before.version >= document.version => Err("is a document that is not newer"),
                Some(_) | None => Ok(()),
            },
            Step::Delegated(_) if self.delegations.len() >= DELEGATIONS_MAX => Err("is one delegation too many"),
            Step::Delegated(_) => Ok(()),
            Step::Floor { name, release } => self.check_floor(name, *release),
            Step::Activated { generation, floors } => {
                // INVARIANT (a number is one list): what a decision named by its number can be found again.
                let known = self.generations.get(&generation.number);
                if known.is_some_and(|known| *known != generation.digest) {
                    return Err("gives a generation another content");
                }
                if known.is_none() && generation.number < self.next_number() {
                    return Err("begins a generation with an old number");
                }
                floors.iter().try_for_each(|(name, release)| self.check_floor(name, *release))
            }
        }
    }

    fn check_floor(&self, name: &str, release: u64) -> Result<(), &'static str> {
        if release < self.floor(name) { Err("lowers a floor") } else { Ok(()) }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Publisher(entry) => drop(self.publishers.insert(entry.publisher.clone(), entry)),
            Step::Revoked(revocation) => drop(self.revoked.insert(revocation)),
            Step::Document(document) => self.document = Some(document),
            Step::Delegated(digest) if self.delegations.contains(&digest) => {}
            Step::Delegated(digest) => self.delegations.push(digest),
            Step::Floor { name, release } => drop(self.floors.insert(name, release)),
            Step::Activated { generation, floors } => {
                self.floors.extend(floors);
                self.generations.insert(generation.number, generation.digest);
                self.active = Some(generation);
            }
        }
    }
}
