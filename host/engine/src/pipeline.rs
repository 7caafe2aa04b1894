//! The map of the product: from a call to its recorded outcome, one step after the other. Each step takes the value of
//! the step before, so none can be left out or done twice.

use crate::builder::Holdpoint;
use crate::classify::Classification;
use holdpoint_core::annotations::annotated;
use holdpoint_core::approval::{Attesting, Binding, Consent};
use holdpoint_core::asking::{Channel, Strength};
use holdpoint_core::assess::Assessment;
use holdpoint_core::authorize::{self, Judged, Outcome, Recorded, Stamp, Who};
use holdpoint_core::call::{ToolCall, is_name};
use holdpoint_core::json::Json;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::notice::notice;
use holdpoint_core::operation::ObligationKind;
use holdpoint_core::outcome::{Became, Execution, Reference};
use holdpoint_core::paths::Place;
use holdpoint_core::ports::{Settled, Shortage, Waited};
use holdpoint_core::toggle::{Permissive, ToggleKey};
use holdpoint_core::uses::{renewed, still_needed, until_next_day_s, uses};
use holdpoint_core::verdict::{Decision, Rule, Verdict};
use holdpoint_core::words::Word;

/// A call as a transport read it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The server; empty for a tool of the agent host itself.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Json,
}

/// Who calls, and what the operator lets them do. The transport establishes it; nothing in it comes from the call.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The principal's name, for records.
    pub principal: String,
    /// Level, loosened toggles, obligations it sees to, surroundings, and what the host knows of the run. An embedder that
    /// keeps a catalogue of approved tools fills `run.catalogue`, and with each call `run.schema`: the digest of what the
    /// server says of the called tool at that moment.
    pub standing: Standing,
    /// Whether a person can be asked over this transport.
    pub channel: Channel,
    /// The run that the call belongs to; empty where the transport knows none.
    pub run: String,
    /// The transport's own name for the call; empty where it has none.
    pub call: String,
    /// What it is worth if the principal claims that somebody agreed. An operator says so outside every call.
    pub attesting: Attesting,
    /// Toggles that are judged as permissive although they are not.
    pub hypothetical: Vec<String>,
}

/// Something that came in and has to be answered.
#[derive(Clone, Debug)]
pub enum Request {
    /// A call.
    Call(Call),
    /// Bytes that are not a call, and what is wrong with them.
    Unreadable(String),
}

/// Judges a request and makes its outcome durable. Nothing is told before it is on disk.
pub fn run(gate: &Holdpoint, caller: Caller, request: Request) -> Recorded {
    let recorded = authorize::record(outcome(gate, caller, request), gate.journal());
    windowed(gate, told(gate, given_back(gate, recorded)))
}

/// The same for several requests, with one append for all of their outcomes. What has to wait waits one after the other.
pub fn run_all(gate: &Holdpoint, requests: Vec<(Caller, Request)>) -> Vec<Recorded> {
    let outcomes = requests.into_iter().map(|(caller, request)| outcome(gate, caller, request)).collect();
    let recorded = authorize::record_all(outcomes, gate.journal());
    recorded.into_iter().map(|recorded| windowed(gate, told(gate, given_back(gate, recorded)))).collect()
}

/// Judges a request and stops there: no record, and no token that anything could be done with.
pub fn rehearse(gate: &Holdpoint, caller: Caller, request: Request) -> Judged {
    judged(gate, &caller, request)
}

/// One request, from what came in to what follows from it.
fn outcome(gate: &Holdpoint, caller: Caller, request: Request) -> Outcome {
    let judged = judged(gate, &caller, request);
    let counted = counted(gate, &caller, judged);
    let answered = answered(gate, &caller, questioned(&caller, counted));
    authorize::authorize(answered, caller.channel)
}

fn judged(gate: &Holdpoint, caller: &Caller, request: Request) -> Judged {
    let stamp = Stamp { correlation_id: gate.surroundings().correlation_id(), at_ms: gate.surroundings().now_ms() };
    let who = Who {
        principal: caller.principal.clone(),
        level: caller.standing.level,
        run: caller.run.clone(),
        call: caller.call.clone(),
        via: caller.standing.proof.transport,
    };
    let call = match admit(gate, caller, request) {
        Ok(call) => call,
        Err((rule, detail)) => return Judged::refused(stamp, who, rule, detail),
    };
    let assessment = annotated(classification(gate, caller).assess(&call), caller.standing.run.annotations);
    let verdict = past_the_day(&assessment, &standing(gate, caller, &assessment), stamp.at_ms);
    Judged {
        stamp,
        who,
        call: Some(call),
        assessment: Some(assessment),
        verdict,
        sources: gate.claims().labels(),
        hypothetical: caller.hypothetical.clone(),
        uses: Vec::new(),
        policy: caller.standing.revision(),
        consent: None,
        challenge: None,
        still_needed: Vec::new(),
    }
}

/// The verdict. Where a run without a person has done what it may in a day, it can go on with the next one.
fn past_the_day(assessment: &Assessment, standing: &Standing, at_ms: u64) -> Verdict {
    let verdict = judge(assessment, standing);
    let key = ToggleKey::AutonomousRaiseDailyOpCap;
    if verdict.leading().is_none_or(|reason| reason.rule != Rule::Toggle(key)) {
        return verdict;
    }
    let used_up = Shortage::UsedUp(Permissive::EMPTY.with(key));
    verdict.until_renewed(renewed(used_up, &uses(assessment, standing)), until_next_day_s(at_ms))
}

/// What the caller may do, with the places of the gate's own that lie around what the call changes.
fn standing(gate: &Holdpoint, caller: &Caller, assessment: &Assessment) -> Standing {
    let mut standing = caller.standing.clone();
    if lets_wait(gate, assessment, &standing) {
        standing.honours = standing.honours.with(ObligationKind::UndoWindow);
    }
    let Some(facts) = gate.facts() else { return standing };
    for assessed in assessment.operations().iter().filter(|assessed| assessed.operation.writes()) {
        let path = match &assessed.place {
            Some(Place::Exact(path) | Place::Pattern { folder: path, .. }) => path,
            Some(Place::Anywhere) | None => continue,
        };
        standing.scene.protected.extend(facts.protected_around(path));
    }
    standing.scene.protected.sort_unstable();
    standing.scene.protected.dedup();
    standing
}

/// Whether the gate itself sees to every wait that a call has to have.
fn lets_wait(gate: &Holdpoint, assessment: &Assessment, standing: &Standing) -> bool {
    let Some(undo) = gate.undo() else { return false };
    let windows = assessment.obligations().filter(|obligation| obligation.kind == ObligationKind::UndoWindow);
    let longest_ms = windows.map(|obligation| obligation.amount).max().unwrap_or(0);
    longest_ms.max(standing.posture.undo_window_ms) <= undo.longest_ms()
}

/// Takes what an allowed call needs of the limits of loosened toggles. Where too little is left, the call is judged as if
/// the toggle were restrictive.
fn counted(gate: &Holdpoint, caller: &Caller, mut judged: Judged) -> Judged {
    let Some(assessment) = judged.assessment.as_ref().filter(|_| judged.verdict.decision() == Decision::Allow) else {
        return judged;
    };
    let uses = uses(assessment, &caller.standing);
    if uses.is_empty() {
        return judged;
    }
    match gate.meter().reserve(&uses, &judged.stamp.correlation_id, judged.stamp.at_ms) {
        Ok(()) => judged.uses = uses,
        Err(shortage) => {
            let standing = standing(gate, caller, assessment).with_used_up(shortage.keys());
            let verdict = judge(assessment, &standing);
            judged.verdict = verdict.until_renewed(renewed(shortage, &uses), until_next_day_s(judged.stamp.at_ms));
        }
    }
    judged
}

/// Notes which old loosenings let an allowed call through. One that is only supposed is none.
fn questioned(caller: &Caller, mut judged: Judged) -> Judged {
    if let Some(assessment) = judged.assessment.as_ref().filter(|_| judged.verdict.decision() == Decision::Allow) {
        let is_supposed = |key: &ToggleKey| caller.hypothetical.iter().any(|supposed| supposed == key.as_str());
        judged.still_needed = still_needed(assessment, &caller.standing, judged.stamp.at_ms);
        judged.still_needed.retain(|key| !is_supposed(key));
    }
    judged
}

/// Looks for an answer to what the verdict asks: a yes from outside the run to exactly this question, or a claim of the
/// principal. Where there is none, the question is kept for somebody to answer, unless the host itself asks it.
fn answered(gate: &Holdpoint, caller: &Caller, mut judged: Judged) -> Judged {
    let Some(binding) = Binding::of(&judged) else { return judged };
    let at_ms = judged.stamp.at_ms;
    let kept = gate.approvals().and_then(|kept| kept.redeem(&binding, &judged.stamp.correlation_id, at_ms));
    let consent = kept.or_else(|| claimed(&caller.attesting));
    judged.consent = consent.filter(|consent| consent.counts_for(&caller.attesting) && consent.answers(&judged));
    if judged.consent.is_none() && !is_asked_by_host(caller.channel, binding.strength()) {
        judged.challenge = gate.approvals().and_then(|kept| kept.open(&binding, &judged));
    }
    judged
}

fn claimed(attesting: &Attesting) -> Option<Consent> {
    match attesting {
        Attesting::Claimed(claim) => Some(Consent::Attested { claim: claim.clone(), kept: None }),
        Attesting::Refused | Attesting::Accepted => None,
    }
}

fn is_asked_by_host(channel: Channel, strength: Strength) -> bool {
    channel == Channel::HostPrompt && channel.answers(strength)
}

/// Gives back what a call took that is not let through because it could not be written down. If that fails too, it stays
/// taken.
fn given_back(gate: &Holdpoint, recorded: Recorded) -> Recorded {
    let judged = recorded.judged();
    if matches!(recorded, Recorded::Denied(_)) && !judged.uses.is_empty() {
        let _ = gate.meter().settle(&judged.stamp.correlation_id, Settled::NotDone, judged.stamp.at_ms);
    }
    recorded
}

/// Tells whoever wants to know of a new question, and of a claim that was taken for an answer.
fn told(gate: &Holdpoint, recorded: Recorded) -> Recorded {
    if let (Some(notifier), Some(notice)) = (gate.notifier(), notice(&recorded)) {
        notifier.tell(&notice);
    }
    recorded
}

/// Lets an action wait as long as its verdict wants, and drops its token where somebody took it back.
fn windowed(gate: &Holdpoint, recorded: Recorded) -> Recorded {
    let (Recorded::Committed(committed), Some(undo)) = (&recorded, gate.undo()) else { return recorded };
    let (judged, window_ms) = (committed.judged(), committed.judged().verdict.undo_window_ms());
    if window_ms == 0 {
        return recorded;
    }
    let by = match undo.wait(&judged.stamp.correlation_id, window_ms) {
        Waited::Over => return recorded,
        Waited::TakenBack(by) => by,
    };
    // If this fails, what it took of a limit stays taken, and its record says no more than that it was let through.
    let _ = gate.report(&taken_back(judged));
    match recorded {
        Recorded::Committed(committed) => authorize::take_back(committed, &by),
        other @ (Recorded::Denied(_) | Recorded::Pending(_)) => other,
    }
}

fn taken_back(judged: &Judged) -> Execution {
    let (who, reference) = (&judged.who, judged.stamp.correlation_id.clone());
    Execution {
        principal: who.principal.clone(),
        via: who.via,
        reference: Reference { correlation_id: reference, call: who.call.clone(), run: who.run.clone() },
        became: Became::Undone,
    }
}

/// A call within every bound, of a tool that exists.
fn admit(gate: &Holdpoint, caller: &Caller, request: Request) -> Result<ToolCall, (Rule, String)> {
    let call = match request {
        Request::Call(call) => call,
        Request::Unreadable(problem) => return Err((Rule::Malformed, problem)),
    };
    if let Some(problem) = gate.problem() {
        return Err((Rule::Configuration, problem.to_owned()));
    }
    if !is_name(&caller.principal) {
        return Err((Rule::Malformed, "the principal's name is not usable".to_owned()));
    }
    if !gate.snapshot().offers(&call.server, &call.tool) {
        return Err((Rule::Unavailable, "TOOL_UNAVAILABLE: this tool does not exist in this run".to_owned()));
    }
    let cwd = caller.standing.scene.cwd.as_ref().map_or_else(String::new, |cwd| cwd.text());
    ToolCall::new(&call.server, &call.tool, call.arguments, &cwd)
        .map_err(|error| (Rule::Malformed, error.text().to_owned()))
}

fn classification<'a>(gate: &'a Holdpoint, caller: &'a Caller) -> Classification<'a> {
    Classification {
        claims: gate.claims(),
        classifier: gate.classifier(),
        facts: gate.facts(),
        scene: &caller.standing.scene,
        surroundings: gate.surroundings(),
    }
}
