//! `approvals`: questions that wait for a person outside the run. What is shown is the action itself, with everything
//! visible, and the answer that is there without one is no.

use crate::approval_args::ApprovalsCommand;
use crate::commands::toggle::not_written;
use crate::commands::{freeze, operator};
use crate::exit::{Exit, Failure};
use crate::output::{self, Form, visible};
use crate::terminal::{Arrival, Terminal};
use crate::{gate, home};
use holdpoint_core::approval::Via;
use holdpoint_core::asking::Strength;
use holdpoint_core::words::Word;
use holdpoint_store::{Answered, Answerer, Approvals, Kept, PlanStep, Says, StateFolder};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// Who answers at a terminal.
const ACTOR: &str = "cli";
/// Between two looks for new questions.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Runs an `approvals` command.
pub(crate) fn run(command: ApprovalsCommand) -> Result<Exit, Failure> {
    let state = StateFolder::open(&home::state_path()?)?;
    let form = |json| if json { Form::Json } else { Form::Text };
    match command {
        ApprovalsCommand::List { waiting, json } => {
            list(&state, if waiting { Which::Waiting } else { Which::All }, form(json))
        }
        ApprovalsCommand::Show { id, json } => show(&state, &id, form(json)),
        ApprovalsCommand::Allow { id } => allow(&state, &id),
        ApprovalsCommand::Deny { id } => {
            let kept = find(&state, &id)?;
            say(&state, &kept, &Says::Deny, Strength::Keypress)
        }
        ApprovalsCommand::Withdraw { run } => withdraw(&state, &run),
        ApprovalsCommand::Watch => watch(&state),
    }
}

/// Which questions are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    Waiting,
}

fn kept(state: &StateFolder) -> Result<Vec<Kept>, Failure> {
    Approvals::of(state).list(gate::now_ms()).map_err(|failure| {
        Failure::new(Exit::Audit, failure.cause, "`holdpoint audit verify` says more; until then there is no yes")
    })
}

/// The question with this name, or the only one whose name begins so.
pub(crate) fn find(state: &StateFolder, id: &str) -> Result<Kept, Failure> {
    let help = "`holdpoint approvals list` shows what there is";
    let mut found: Vec<Kept> =
        kept(state)?.into_iter().filter(|kept| !id.is_empty() && kept.id.starts_with(id)).collect();
    match (found.pop(), found.is_empty()) {
        (Some(kept), true) => Ok(kept),
        (Some(_), false) => Err(Failure::usage(format!("several questions begin with `{}`", visible(id)), help)),
        (None, _) => Err(Failure::usage(format!("there is no question `{}`", visible(id)), help)),
    }
}

fn list(state: &StateFolder, which: Which, form: Form) -> Result<Exit, Failure> {
    let now_ms = gate::now_ms();
    let shown = kept(state)?.into_iter().filter(|kept| which == Which::All || kept.is_waiting(now_ms));
    output::data(&match form {
        Form::Json => {
            let questions: Vec<Value> = shown.map(|kept| document(&kept, now_ms)).collect();
            json!({ "schema": 1, "questions": questions }).to_string() + "\n"
        }
        Form::Text => shown
            .map(|kept| {
                let left_s = kept.expires_ms.saturating_sub(now_ms) / 1_000;
                let left = if kept.is_open(now_ms) { format!(", {left_s} s left") } else { String::new() };
                let why = kept.reasons.first().map_or("", String::as_str);
                visible(&format!("{} {:<9} {} {}: {why}{left}", kept.id, kept.word(now_ms), kept.principal, kept.tool))
                    + "\n"
            })
            .collect(),
    })?;
    Ok(Exit::Done)
}

fn show(state: &StateFolder, id: &str, form: Form) -> Result<Exit, Failure> {
    let (kept, now_ms) = (find(state, id)?, gate::now_ms());
    output::data(&match form {
        Form::Json => document(&kept, now_ms).to_string() + "\n",
        Form::Text => text(&kept, now_ms),
    })?;
    Ok(Exit::Done)
}

fn document(kept: &Kept, now_ms: u64) -> Value {
    json!({
        "id": kept.id, "standing": kept.word(now_ms), "strength": kept.strength.as_str(),
        "principal": kept.principal, "run": kept.run, "tool": kept.tool, "action": kept.action,
        "resource": kept.resource, "reasons": kept.reasons, "claimable": kept.is_claimable, "binding": kept.binding.hex(),
        "correlation_id": kept.correlation_id, "asked_ms": kept.asked_ms, "expires_ms": kept.expires_ms,
        "taken": kept.taken, "steps": kept.steps.iter().map(|step| json!({
            "binding": step.binding.hex(), "tool": step.tool, "action": step.action, "reasons": step.reasons,
        })).collect::<Vec<_>>(),
    })
}

/// The whole question, for a person.
fn text(kept: &Kept, now_ms: u64) -> String {
    let what = if kept.steps.is_empty() {
        called("", &kept.tool, &kept.action, &kept.reasons)
    } else {
        let step = |(number, step): (usize, &PlanStep)| {
            let began = if number < kept.taken { "begun, " } else { "" };
            called(&format!("step {}: {began}", number + 1), &step.tool, &step.action, &step.reasons)
        };
        kept.steps.iter().enumerate().map(step).collect()
    };
    format!(
        "question {} ({})\n  {} in run {} wants to call\n{what}  answer wanted: {}\n",
        kept.id,
        kept.word(now_ms),
        visible(&kept.principal),
        if kept.run.is_empty() { "(none)".to_owned() } else { visible(&kept.run) },
        kept.strength,
    )
}

/// One call, with everything that it holds.
fn called(before: &str, tool: &str, action: &str, reasons: &[String]) -> String {
    let reasons: String = reasons.iter().map(|reason| format!("    because {}\n", visible(reason))).collect();
    format!("  {before}{} with\n    {}\n{reasons}", visible(tool), visible(action))
}

fn terminal() -> Result<Terminal, Failure> {
    Terminal::open().ok_or_else(|| {
        let help = "run this where standard input and error are a terminal";
        Failure::new(Exit::Denied, "a question is answered by a person at a terminal", help)
    })
}

fn allow(state: &StateFolder, id: &str) -> Result<Exit, Failure> {
    let terminal = terminal()?;
    let kept = find(state, id)?;
    if !kept.is_waiting(gate::now_ms()) {
        return Err(over(&kept));
    }
    terminal.show(&text(&kept, gate::now_ms()));
    if agrees(&terminal, state, &kept)? {
        return say(state, &kept, &Says::Allow, kept.strength);
    }
    output::note("not allowed; the question waits on");
    Ok(Exit::Denied)
}

/// Whether the person at the terminal says yes, as strongly as the question wants it.
fn agrees(terminal: &Terminal, state: &StateFolder, kept: &Kept) -> Result<bool, Failure> {
    let typed = |question: &str, wanted: &str| {
        let (line, arrival) = terminal.line(question)?;
        Ok::<bool, Failure>(arrival == Arrival::Typed && line.trim() == wanted)
    };
    match kept.strength {
        Strength::Keypress if !kept.steps.is_empty() => {
            typed("let each of these steps through once, in this order? [y/N] ", "y")
        }
        Strength::Keypress => typed("let this through once? [y/N] ", "y"),
        Strength::TypeName if kept.resource.is_empty() => {
            typed("type the name of the question to let it through once: ", &kept.id)
        }
        Strength::TypeName => {
            let question = format!("type `{}` to let this through once: ", visible(&kept.resource));
            typed(&question, kept.resource.trim())
        }
        Strength::Password => {
            let yes = typed("let this through once? [y/N] ", "y")?;
            if yes {
                operator::confirm(terminal, state, "operator's password: ")?;
            }
            Ok(yes)
        }
    }
}

fn say(state: &StateFolder, kept: &Kept, says: &Says, strength: Strength) -> Result<Exit, Failure> {
    let who = Answerer { by: ACTOR.to_owned(), via: Via::Terminal, strength };
    let answered = Approvals::of(state).answer(&kept.id, says, &who, gate::now_ms());
    match answered.map_err(|failure| not_written(&failure.cause))? {
        Answered::Kept(kept) => {
            freeze::mark(state, "answered", gate::now_ms())?;
            let said = match says {
                Says::Allow => "allowed once: the call has to be made again",
                Says::Deny => "denied",
                Says::Attest(_) => "attested",
            };
            output::note(&format!("{} {said}", kept.id));
            Ok(Exit::Done)
        }
        Answered::Over(kept) => Err(over(&kept)),
        Answered::TooWeak(kept) => {
            let what = format!("the question wants {}", kept.strength);
            Err(Failure::new(Exit::Denied, what, "`holdpoint approvals allow` at a terminal"))
        }
        Answered::Unknown => Err(Failure::usage("the question is gone", "`holdpoint approvals list`")),
    }
}

pub(crate) fn over(kept: &Kept) -> Failure {
    let what = format!("the question {} does not wait any more: it is {}", kept.id, kept.word(gate::now_ms()));
    Failure::new(Exit::Denied, what, "make the call again; it is asked anew where it still needs somebody")
}

fn withdraw(state: &StateFolder, run: &str) -> Result<Exit, Failure> {
    let withdrawn = Approvals::of(state).withdraw(Some(run), ACTOR, gate::now_ms());
    let withdrawn = withdrawn.map_err(|failure| not_written(&failure.cause))?;
    output::note(&format!("{} withdrawn", withdrawn.len()));
    Ok(Exit::Done)
}

/// Asks each new question as it comes, until the person stops it.
fn watch(state: &StateFolder) -> Result<Exit, Failure> {
    let terminal = terminal()?;
    let mut seen = BTreeSet::new();
    output::note("waiting for questions; Ctrl-C ends");
    loop {
        let now_ms = gate::now_ms();
        let new = kept(state)?.into_iter().filter(|kept| kept.is_waiting(now_ms));
        for kept in new.collect::<Vec<_>>() {
            if !seen.insert(kept.id.clone()) {
                continue;
            }
            terminal.show(&text(&kept, now_ms));
            let (says, strength) = match agrees(&terminal, state, &kept)? {
                true => (Says::Allow, kept.strength),
                false => (Says::Deny, Strength::Keypress),
            };
            if let Err(failure) = say(state, &kept, &says, strength) {
                output::note(&failure.what);
            }
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_core::digest::Digest;
    use holdpoint_store::question::Standing;

    fn step(action: &str) -> PlanStep {
        let reasons = vec!["irreversible".to_owned()];
        PlanStep { binding: Digest::ZERO, tool: "Bash".to_owned(), action: action.to_owned(), reasons }
    }

    #[test]
    fn of_a_plan_every_step_is_shown_with_everything_visible_and_what_has_begun() {
        let kept = Kept {
            id: "3f2a".to_owned(),
            binding: Digest::ZERO,
            strength: Strength::Keypress,
            principal: "embed:x".to_owned(),
            run: String::new(),
            tool: "plan".to_owned(),
            action: String::new(),
            resource: String::new(),
            reasons: Vec::new(),
            is_claimable: false,
            correlation_id: "c".to_owned(),
            asked_ms: 0,
            expires_ms: 10,
            steps: vec![step("rm a"), step("rm b\u{202e}\nstep 3: ls")],
            taken: 1,
            standing: Standing::Waiting,
        };
        let shown = text(&kept, 1);
        assert!(shown.contains("step 1: begun, Bash with\n    rm a\n    because irreversible\n"), "{shown}");
        assert!(shown.contains("step 2: Bash with\n    rm b"), "{shown}");
        assert!(!shown.contains('\u{202e}') && !shown.contains("\nstep 3"), "{shown}");
    }
}
