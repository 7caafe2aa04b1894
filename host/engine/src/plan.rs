//! Plans: several calls that somebody answers as one list, carried out one after the other. Each is judged again when its
//! turn comes, so whatever an operator changed in between counts, and the first that does not happen is the last.

use crate::builder::Holdpoint;
use crate::pipeline::{self, Call, Caller, Request};
use holdpoint_core::approval::Challenge;
use holdpoint_core::authorize::{Committed, Judged, Recorded};
use holdpoint_core::json::Json;
use holdpoint_core::outcome::{self, Became, Execution, Reference};
use holdpoint_core::plan::{NoPlan, PLAN_STEPS_MAX, Plan, refusal_within};
use holdpoint_core::ports::NotDurable;

/// A plan that was put before somebody.
#[derive(Debug)]
pub struct Proposed {
    /// Its steps as they would be judged now. Nothing can be done with them.
    pub steps: Vec<Judged>,
    /// The question that waits; or why there is none. `None` where it cannot be kept.
    pub question: Result<Option<Challenge>, NoPlan>,
}

/// How far a plan got.
#[derive(Debug)]
pub struct PlanRun {
    /// The steps that happened, by the names that their decisions and outcomes share.
    pub ran: Vec<String>,
    /// What stopped it before its end.
    pub stopped: Option<Stopped>,
    /// The steps after that, which were not begun.
    pub skipped: usize,
}

/// What stopped a plan.
#[derive(Debug)]
pub enum Stopped {
    /// A step may not happen, or somebody has to answer first.
    Recorded(Box<Recorded>),
    /// A step was let through and did not happen, by its name.
    NotDone(String),
    /// What became of a step could not be written down.
    NotDurable(NotDurable),
}

impl PlanRun {
    /// The refusal that stopped it, with what has happened; `null` where none did.
    pub fn refusal(&self) -> Json {
        match &self.stopped {
            Some(Stopped::Recorded(recorded)) => refusal_within(recorded.judged(), &self.ran, self.skipped),
            Some(Stopped::NotDone(_) | Stopped::NotDurable(_)) | None => Json::Null,
        }
    }
}

impl Holdpoint {
    /// Judges the steps of a plan without letting any through, and asks about all of them at once.
    pub fn propose(&self, caller: &Caller, calls: Vec<Call>) -> Proposed {
        let judge = |call| pipeline::rehearse(self, caller.clone(), Request::Call(call));
        // One more than a plan has is enough to say that there are too many.
        let steps: Vec<Judged> = calls.into_iter().take(PLAN_STEPS_MAX.saturating_add(1)).map(judge).collect();
        let question = Plan::of(&steps).map(|plan| {
            let kept = self.approvals()?.open_plan(&plan, &steps)?;
            // Where this cannot be written down, the decisions name the question's line later.
            let at_ms = steps.first().map_or(0, |step| step.stamp.at_ms);
            let mark = outcome::mark(&caller.principal, &format!("planned {}", kept.id), at_ms);
            let _ = self.journal().append(&[mark], at_ms);
            Some(kept)
        });
        Proposed { steps, question }
    }

    /// Carries out the steps of a plan, each once it may happen. `caller` says who calls, as it stands at that moment;
    /// `perform` does one step and says what became of it.
    pub fn carry_out(
        &self,
        mut caller: impl FnMut() -> Caller,
        calls: Vec<Call>,
        mut perform: impl FnMut(Committed) -> Became,
    ) -> PlanRun {
        let count = calls.len();
        let mut ran = Vec::new();
        for (number, call) in calls.into_iter().enumerate() {
            let stopped = match self.decide(caller(), call) {
                Recorded::Committed(committed) => self.performed(committed, &mut perform, &mut ran),
                other @ (Recorded::Denied(_) | Recorded::Pending(_)) => Some(Stopped::Recorded(Box::new(other))),
            };
            if stopped.is_some() {
                return PlanRun { ran, stopped, skipped: count.saturating_sub(number.saturating_add(1)) };
            }
        }
        PlanRun { ran, stopped: None, skipped: 0 }
    }

    /// Does one step and writes down what became of it; what stops the plan, if that does.
    fn performed(
        &self,
        committed: Committed,
        perform: &mut impl FnMut(Committed) -> Became,
        ran: &mut Vec<String>,
    ) -> Option<Stopped> {
        let (stamp, who) = (committed.judged().stamp.clone(), committed.judged().who.clone());
        let became = perform(committed);
        let reference = Reference { correlation_id: stamp.correlation_id.clone(), call: who.call, run: who.run };
        let written = self.report(&Execution { principal: who.principal, via: who.via, reference, became });
        if became == Became::Completed {
            ran.push(stamp.correlation_id.clone());
        }
        match (written, became) {
            (Err(failure), _) => Some(Stopped::NotDurable(failure)),
            (Ok(()), Became::Completed) => None,
            (Ok(()), Became::Skipped | Became::Undone) => Some(Stopped::NotDone(stamp.correlation_id)),
        }
    }
}
