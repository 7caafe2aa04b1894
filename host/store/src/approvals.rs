//! Questions that wait for a person outside the run, and what became of them. One stream holds all of it, so that several
//! processes agree, a yes is given out once, and nothing is known that the chain does not say.
//!
//! Must never give out a yes before it is on disk that it was given out, nor where the stream cannot be read.

use crate::chain::{Chain, Trouble};
use crate::day::Day;
use crate::disk::Disk;
use crate::folder::StateFolder;
use crate::heads::{Named, read_since};
use crate::lines;
use crate::question::{self, Kept, Step};
use crate::storage::Storage;
use crate::streams::Stream;
use holdpoint_core::approval::{Attestation, Binding, Challenge, Consent, Via};
use holdpoint_core::asking::Strength;
use holdpoint_core::authorize::Judged;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Line;
use holdpoint_core::plan::Plan;
use holdpoint_core::ports::{self, NotDurable};
use std::collections::BTreeMap;

/// Milliseconds for which a question waits and a yes holds, unless the operator says otherwise.
pub const QUESTION_MS: u64 = 60 * 60 * 1_000;
/// Most milliseconds that an operator can give. Only so much of the stream is read.
pub const QUESTION_MS_MAX: u64 = 24 * 60 * 60 * 1_000;
/// Most questions that wait at once.
pub const WAITING_MAX: usize = 256;

/// Most of them of one run, so that none takes away everybody's way to ask.
pub const RUN_WAITING_MAX: usize = 16;

/// The stream of questions.
#[derive(Debug)]
pub struct Approvals<S = Disk> {
    chain: Chain<S>,
    decisions: S,
    lifetime_ms: u64,
}

/// Who answers a question, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answerer {
    /// The person, as the channel knows them.
    pub by: String,
    /// The channel.
    pub via: Via,
    /// How strong the answer is.
    pub strength: Strength,
}

/// What stands as the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// Yes, to exactly this.
    Allow,
    /// No.
    Deny,
    /// That somebody agreed, as a claim of whoever asked.
    Attest(Attestation),
}

/// What became of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It is on disk.
    Kept(Kept),
    /// There is no such question.
    Unknown,
    /// The question waits no more: it was answered, withdrawn, or its time is over.
    Over(Kept),
    /// The question wants a stronger answer, or one that is no claim.
    TooWeak(Kept),
}

impl Approvals<Disk> {
    /// The questions of a state folder. Nothing is touched before the first one.
    pub fn of(folder: &StateFolder) -> Approvals {
        Approvals::over(Disk::new(folder, Stream::Approvals), Disk::new(folder, Stream::Decisions))
    }
}

/// Every question that is not older than a question can get, by its name.
type Questions = BTreeMap<String, Kept>;

impl<S: Storage> Approvals<S> {
    /// The questions in one storage, and the decisions that name where they end.
    pub fn over(storage: S, decisions: S) -> Approvals<S> {
        Approvals { chain: Chain::new(storage), decisions, lifetime_ms: QUESTION_MS }
    }

    /// The same where questions wait for so long, at most [`QUESTION_MS_MAX`].
    pub fn waiting_for(self, lifetime_ms: u64) -> Approvals<S> {
        Approvals { lifetime_ms: lifetime_ms.min(QUESTION_MS_MAX), ..self }
    }

    /// The questions of the last day, oldest first.
    pub fn list(&self, now_ms: u64) -> Result<Vec<Kept>, NotDurable> {
        let named = Named::by(&self.decisions, Stream::Approvals)?;
        let snapshot = lines::snapshot(self.chain.storage()).map_err(Trouble::io("read"))?;
        let mut all: Vec<Kept> = self.questions(&named, snapshot, now_ms)?.into_values().collect();
        all.sort_by(|left, right| (left.asked_ms, &left.id).cmp(&(right.asked_ms, &right.id)));
        Ok(all)
    }

    /// Keeps an answer. Nobody else can answer or take it in between.
    pub fn answer(&self, id: &str, says: &Says, who: &Answerer, now_ms: u64) -> Result<Answered, NotDurable> {
        let mut answered = Answered::Unknown;
        self.chain.append(now_ms, || {
            let Some(kept) = self.under_lock(now_ms)?.remove(id) else { return Ok(Vec::new()) };
            if !kept.is_waiting(now_ms) {
                answered = Answered::Over(kept);
                return Ok(Vec::new());
            }
            if !kept.takes(says, who.strength) {
                answered = Answered::TooWeak(kept);
                return Ok(Vec::new());
            }
            let line = question::answer_line(&kept, says, who, now_ms).ok_or(Trouble::LineTooLong)?;
            answered =
                Answered::Kept(kept.after(&Step::Answered { says: says.clone(), who: who.clone(), at_ms: now_ms }));
            Ok(vec![line])
        })?;
        Ok(answered)
    }

    /// Withdraws what a run still asks, and every yes that it has not taken; returns their names. `None` means every run.
    pub fn withdraw(&self, run: Option<&str>, by: &str, now_ms: u64) -> Result<Vec<String>, NotDurable> {
        let mut withdrawn = Vec::new();
        self.chain.append(now_ms, || {
            let of_run = |kept: &Kept| run.is_none_or(|run| kept.run == run) && kept.is_open(now_ms);
            let open = self.under_lock(now_ms)?.into_values().filter(of_run);
            withdrawn = open.map(|kept| kept.id).collect();
            let line = |id: &String| question::withdrawn_line(id, by, now_ms).ok_or(Trouble::LineTooLong);
            withdrawn.iter().map(line).collect()
        })?;
        Ok(withdrawn)
    }

    /// Takes back an action that waits, by the name that its decision and answer share. It counts for whoever waits with it.
    pub fn take_back(&self, reference: &str, by: &str, now_ms: u64) -> Result<(), NotDurable> {
        let line = question::taken_back_line(reference, by, now_ms).ok_or(Trouble::LineTooLong)?;
        Ok(self.chain.append(now_ms, || Ok(vec![line])).map(|_| ())?)
    }

    /// Who took back the action with this name, if somebody did.
    pub fn taken_back(&self, reference: &str, now_ms: u64) -> Result<Option<String>, NotDurable> {
        let named = Named::by(&self.decisions, Stream::Approvals)?;
        let snapshot = lines::snapshot(self.chain.storage()).map_err(Trouble::io("read"))?;
        let mut by = None;
        self.walk(&named, snapshot, now_ms, |id, step| match step {
            Step::TakenBack(who) if id == reference => by = Some(who),
            Step::TakenBack(_) | Step::Asked(_) | Step::Answered { .. } | Step::Redeemed | Step::Withdrawn => {}
        })?;
        Ok(by)
    }

    fn under_lock(&self, now_ms: u64) -> Result<Questions, Trouble> {
        let named = Named::by(&self.decisions, Stream::Approvals)?;
        let snapshot = lines::snapshot_under_lock(self.chain.storage()).map_err(Trouble::io("read"))?;
        self.questions(&named, snapshot, now_ms)
    }

    fn questions(&self, named: &Named, snapshot: lines::Snapshot, now_ms: u64) -> Result<Questions, Trouble> {
        let mut questions = Questions::new();
        self.walk(named, snapshot, now_ms, |id, step| match step {
            Step::Asked(kept) => drop(questions.insert(id, *kept)),
            // Of a question that is too old to be read, nothing matters any more.
            other => drop(questions.get_mut(&id).map(|kept| *kept = kept.after(&other))),
        })?;
        Ok(questions)
    }

    fn walk(
        &self,
        named: &Named,
        snapshot: lines::Snapshot,
        now_ms: u64,
        mut each: impl FnMut(String, Step),
    ) -> Result<(), Trouble> {
        let since = Day::at(now_ms.saturating_sub(QUESTION_MS_MAX));
        read_since(self.chain.storage(), named, snapshot, since, |walk| {
            let unreadable = || walk.unreadable("is neither a question nor what became of one");
            let (id, step) = question::read(walk.line()).ok_or_else(unreadable)?;
            each(id, step);
            Ok(())
        })
    }

    fn redeem_kept(&self, binding: &Binding, reference: &str, at_ms: u64) -> Result<Option<Consent>, Trouble> {
        let is_right = |kept: &Kept| kept.redeemable(binding.digest(), at_ms).is_some();
        // Most calls have no yes that waits, and then nothing is locked.
        let named = Named::by(&self.decisions, Stream::Approvals)?;
        let snapshot = lines::snapshot(self.chain.storage()).map_err(Trouble::io("read"))?;
        if !self.questions(&named, snapshot, at_ms)?.values().any(is_right) {
            return Ok(None);
        }
        let mut redeemed = None;
        self.chain.append(at_ms, || {
            let questions = self.under_lock(at_ms)?;
            let Some(kept) = questions.values().find(|kept| is_right(kept)) else { return Ok(Vec::new()) };
            let line = question::redeemed_line(&kept.id, reference, at_ms).ok_or(Trouble::LineTooLong)?;
            redeemed = kept.redeemable(binding.digest(), at_ms);
            Ok(vec![line])
        })?;
        Ok(redeemed)
    }

    /// Keeps a question under its digest, made as `new` says for the time when it ends.
    fn open_kept(
        &self,
        digest: Digest,
        judged: &Judged,
        new: impl Fn(u64) -> Option<(Kept, Line)>,
    ) -> Result<Option<Challenge>, Trouble> {
        let at_ms = judged.stamp.at_ms;
        let mut challenge = None;
        self.chain.append(at_ms, || {
            let questions = self.under_lock(at_ms)?;
            let same = |kept: &&Kept| kept.binding == digest && at_ms < kept.expires_ms;
            if let Some(kept) = questions.values().find(|kept| same(kept) && kept.is_waiting(at_ms)) {
                challenge = Some(kept.challenge());
                return Ok(Vec::new());
            }
            let waiting = || questions.values().filter(|kept| kept.is_waiting(at_ms));
            let own = waiting().filter(|kept| kept.run == judged.who.run).count();
            let full = own >= RUN_WAITING_MAX || waiting().count() >= WAITING_MAX;
            // Who said no is not asked again and again.
            if full || questions.values().any(|kept| same(&kept) && kept.is_denied()) {
                return Ok(Vec::new());
            }
            let Some((kept, line)) = new(at_ms.saturating_add(self.lifetime_ms)) else { return Ok(Vec::new()) };
            challenge = Some(kept.challenge());
            Ok(vec![line])
        })?;
        Ok(challenge)
    }
}

impl<S: Storage> ports::Approvals for Approvals<S> {
    fn redeem(&self, binding: &Binding, reference: &str, at_ms: u64) -> Option<Consent> {
        self.redeem_kept(binding, reference, at_ms).unwrap_or(None)
    }

    fn open(&self, binding: &Binding, judged: &Judged) -> Option<Challenge> {
        let new = |expires_ms| question::asked(binding, judged, expires_ms);
        self.open_kept(binding.digest(), judged, new).unwrap_or(None)
    }

    fn open_plan(&self, plan: &Plan, steps: &[Judged]) -> Option<Challenge> {
        let new = |expires_ms| question::planned(plan, steps, expires_ms);
        self.open_kept(plan.digest(), steps.first()?, new).unwrap_or(None)
    }
}
