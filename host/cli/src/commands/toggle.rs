//! `toggle`: what is loosened, and the ceremony of loosening. Tightening is one step, always.

use crate::args::ToggleCommand;
use crate::commands::operator;
use crate::exit::{Exit, Failure};
use crate::output::Form;
use crate::terminal::{Arrival, Terminal};
use crate::{embedded, gate, home, installed, output};
use holdpoint_core::grant::{Cap, GRANT_USES_MAX, Hours, Terms};
use holdpoint_core::registry::{CapShape, Reauth, Registry, SafetyToggle, ToggleState};
use holdpoint_core::transition::{Loosening, Password, Record, Refusal, Typing, cooldown_left_s};
use holdpoint_core::words::Word;
use holdpoint_store::operator::is_set;
use holdpoint_store::toggles::LOOK_BACK_MS;
use holdpoint_store::{By, Change, Changed, StateFolder, ToggleStates, Transitions};
use serde_json::{Value, json};
use std::time::Duration;

/// Milliseconds of an hour, the unit in which what is left of a loosening is told.
const HOUR_MS: u64 = 3_600_000;

/// Runs a `toggle` command.
pub(crate) fn run(command: ToggleCommand) -> Result<Exit, Failure> {
    let registry = registry(state_that_is_there()?.as_ref())?;
    let form = |json| if json { Form::Json } else { Form::Text };
    match command {
        ToggleCommand::List { json } => list(&registry, form(json)),
        ToggleCommand::Show { key, json } => show(&registry, &key, form(json)),
        ToggleCommand::Loosen { key, wait, only, budget, hours } => {
            let hours = hours.as_deref().map(read_hours).transpose()?;
            let waiting = if wait { Waiting::Wait } else { Waiting::Refuse };
            loosen(&registry, &key, waiting, Terms { cap: None, only, budget, hours })
        }
        ToggleCommand::Tighten { key } => tighten(&registry, &key),
        ToggleCommand::Reset => reset(&registry),
    }
}

/// Every toggle there is.
pub(crate) fn registry(state: Option<&StateFolder>) -> Result<Registry, Failure> {
    let own = embedded::vocabularies().map_err(Failure::internal)?;
    let installed = state.map_or(Ok(Vec::new()), installed::vocabularies)?;
    gate::registry_of(own.iter().chain(&installed).map(|vocabulary| &vocabulary.manifest))
}

/// The state folder, if there is one. Looking makes none.
fn state_that_is_there() -> Result<Option<StateFolder>, Failure> {
    let path = home::state_path()?;
    if path.exists() { Ok(Some(StateFolder::open(&path)?)) } else { Ok(None) }
}

fn read_hours(text: &str) -> Result<Hours, Failure> {
    let help = "write days and times in UTC: `mon-fri 09:00-17:00`, `sat,sun 10:00-12:00`, `22:00-06:00`";
    Hours::parse(text).ok_or_else(|| Failure::usage(format!("`{text}` are no hours of the week"), help))
}

/// Whether the command waits for a cooldown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Wait,
    Refuse,
}

fn known<'a>(registry: &'a Registry, key: &str) -> Result<&'a SafetyToggle, Failure> {
    registry.get(key).ok_or_else(|| {
        let keys: Vec<&str> = registry.toggles().iter().map(|toggle| &*toggle.declaration().key).collect();
        Failure::usage(format!("there is no toggle `{key}`"), format!("toggles: {}", keys.join(", ")))
    })
}

/// The state folder and how every toggle stands in it. Looking makes no folder.
fn look(registry: &Registry) -> Result<ToggleStates, Failure> {
    let Some(state) = state_that_is_there()? else { return Ok(ToggleStates::default()) };
    let states = Transitions::of(&state).toggles(registry, gate::now_ms());
    if let Some(problem) = &states.problem {
        output::note(&format!("note: {}", output::visible(problem)));
    }
    Ok(states)
}

fn list(registry: &Registry, form: Form) -> Result<Exit, Failure> {
    let states = look(registry)?;
    let now_ms = gate::now_ms();
    let all = registry.toggles().iter().map(|toggle| (toggle, states.record(&toggle.declaration().key)));
    let text = match form {
        Form::Json => {
            let toggles: Vec<Value> = all.map(|(toggle, record)| document(toggle, &record, now_ms)).collect();
            json!({ "schema": 1, "toggles": toggles }).to_string() + "\n"
        }
        Form::Text => all.map(|(toggle, record)| line(toggle, &record, now_ms)).collect(),
    };
    output::data(&text)?;
    Ok(Exit::Done)
}

fn line(toggle: &SafetyToggle, record: &Record, now_ms: u64) -> String {
    let about = toggle.declaration();
    let mut line = format!("{:<12} {:<7} {:<30} {}\n", record.state, about.category, about.key, about.label);
    if let (ToggleState::Permissive, Some(since_ms)) = (record.state, record.last_loosened_ms) {
        let ago_h = now_ms.saturating_sub(since_ms) / HOUR_MS;
        let left_h = since_ms.saturating_add(LOOK_BACK_MS).saturating_sub(now_ms).div_ceil(HOUR_MS);
        line.push_str(&format!(
            "             loosened {ago_h} h ago, ends by itself in {left_h} h; still needed? `holdpoint toggle tighten {}`\n",
            about.key
        ));
        limits(&record.terms).iter().for_each(|limit| line.push_str(&format!("             {limit}\n")));
    }
    line
}

/// The limits of a loosening, each in a few words.
fn limits(terms: &Terms) -> Vec<String> {
    let cap = terms.cap.as_ref().map(|cap| match cap {
        Cap::Daily(count) => format!("at most {count} in a UTC day"),
        Cap::List(names) => format!("for {}", output::visible(&names.join(", "))),
    });
    let only = (!terms.only.is_empty()).then(|| format!("only for {}", output::visible(&terms.only.join(", "))));
    let budget = terms.budget.map(|uses| format!("tightens itself after {uses} uses"));
    let hours = terms.hours.map(|hours| format!("within {hours} UTC"));
    [cap, only, budget, hours].into_iter().flatten().collect()
}

fn document(toggle: &SafetyToggle, record: &Record, now_ms: u64) -> Value {
    let about = toggle.declaration();
    let cap_shape = about.cap.as_ref().map(|cap| match cap {
        CapShape::Daily { name, least, proposal, notes } => {
            json!({ "name": name, "daily": proposal, "least": least, "notes": notes })
        }
        CapShape::List { name, notes } => json!({ "name": name, "list": [], "notes": notes }),
    });
    let terms = &record.terms;
    let cap = terms.cap.as_ref().map(|cap| match cap {
        Cap::Daily(count) => json!({ "daily": count }),
        Cap::List(names) => json!({ "list": names }),
    });
    json!({
        "key": about.key, "label": about.label, "category": about.category.as_str(),
        "state": record.state.as_str(), "description": about.description, "warning": about.warning,
        "phrase": about.phrase, "reauth": about.reauth == Reauth::Required, "cooldown_s": about.cooldown_s,
        "cooldown_left_s": cooldown_left_s(toggle, record, now_ms), "cap_input": cap_shape, "cap": cap,
        "only": terms.only, "budget": terms.budget, "hours": terms.hours.map(|hours| hours.to_string()),
        "last_loosened_ms": record.last_loosened_ms,
        "invariants": toggle.invariants().iter().map(|invariant| invariant.as_str()).collect::<Vec<_>>(),
    })
}

fn show(registry: &Registry, key: &str, form: Form) -> Result<Exit, Failure> {
    let toggle = known(registry, key)?;
    let record = look(registry)?.record(key);
    let now_ms = gate::now_ms();
    let text = match form {
        Form::Json => document(toggle, &record, now_ms).to_string() + "\n",
        Form::Text => described(toggle, &record, now_ms),
    };
    output::data(&text)?;
    Ok(Exit::Done)
}

fn described(toggle: &SafetyToggle, record: &Record, now_ms: u64) -> String {
    let about = toggle.declaration();
    let invariants: Vec<&str> = toggle.invariants().iter().map(|invariant| invariant.as_str()).collect();
    let mut text = format!("{} ({}): {}\n{}\n\nwarning\n", about.key, about.label, record.state, about.description);
    about.warning.iter().for_each(|bullet| text.push_str(&format!("  - {bullet}\n")));
    text.push_str(&format!("\nto loosen it, type: {}\n", about.phrase));
    if about.reauth == Reauth::Required {
        text.push_str("the operator's password is asked for again\n");
    }
    limits(&record.terms).iter().for_each(|limit| text.push_str(&format!("it is loosened {limit}\n")));
    let left_s = cooldown_left_s(toggle, record, now_ms);
    text.push_str(&format!("once every {} s; {left_s} s are left to wait\n", about.cooldown_s));
    text.push_str(&format!("what holds whatever its state: {}\n", invariants.join(", ")));
    text
}

fn loosen(registry: &Registry, key: &str, waiting: Waiting, terms: Terms) -> Result<Exit, Failure> {
    let toggle = known(registry, key)?;
    let terminal = Terminal::open().ok_or_else(|| {
        let help = "run this where standard input and error are a terminal; no program can loosen a toggle";
        Failure::new(Exit::Denied, "loosening is for a person at a terminal", help)
    })?;
    let state = home::open_or_create()?;
    let transitions = Transitions::of(&state);
    let record = transitions.toggles(registry, gate::now_ms()).record(key);
    terminal.show(&described(toggle, &record, gate::now_ms()));
    if waiting == Waiting::Wait {
        let left_s = || cooldown_left_s(toggle, &record, gate::now_ms());
        let show = |left_s| terminal.show(&format!("\rwaiting for the cooldown: {left_s} s  "));
        count_down(left_s, show, || std::thread::sleep(Duration::from_secs(1)));
    }
    let asked = ceremony(&terminal, toggle, &record, &state, terms)?;
    let changed = transitions.change(registry, toggle, &Change::Loosen(asked), &by(), gate::now_ms());
    match changed.map_err(|failure| not_written(&failure.cause))? {
        Changed::Done(_) => {
            output::note(&format!("{key} is permissive; `holdpoint toggle tighten {key}` ends it at any time"));
            Ok(Exit::Done)
        }
        Changed::Refused { refusal, wait_s } => Err(refused(toggle, refusal, wait_s)),
    }
}

/// Everything an operator gives. Whatever is missing is refused, and written down, by the gate itself.
fn ceremony(
    terminal: &Terminal,
    toggle: &SafetyToggle,
    record: &Record,
    state: &StateFolder,
    terms: Terms,
) -> Result<Loosening, Failure> {
    let nothing = Loosening { phrase: String::new(), typing: Typing::Typed, password: Password::NotGiven, terms };
    if cooldown_left_s(toggle, record, gate::now_ms()) > 0 {
        return Ok(nothing);
    }
    let about = toggle.declaration();
    if about.reauth == Reauth::Required && !is_set(state)? {
        return Err(Failure::new(
            Exit::Configuration,
            "this toggle asks for the operator's password, and none is set",
            "`holdpoint operator set-password`",
        ));
    }
    let (phrase, arrival) = terminal.line("\nphrase: ")?;
    let typing = match arrival {
        Arrival::Typed => Typing::Typed,
        Arrival::Pasted => Typing::Pasted,
    };
    let asked = Loosening { phrase, typing, ..nothing };
    if typing == Typing::Pasted || asked.phrase.trim() != about.phrase {
        return Ok(asked);
    }
    let password = match about.reauth {
        Reauth::NotNeeded => Password::NotGiven,
        Reauth::Required => operator::confirm(terminal, state, "operator's password: ").map_or_else(
            |failure| {
                output::failure(&failure);
                Password::NotGiven
            },
            |()| Password::Right,
        ),
    };
    let cap = about.cap.as_ref().map(|shape| ask_for_cap(terminal, shape)).transpose()?.flatten();
    let terms = Terms { cap, ..asked.terms };
    Ok(Loosening { password, terms, ..asked })
}

fn ask_for_cap(terminal: &Terminal, shape: &CapShape) -> Result<Option<Cap>, Failure> {
    match shape {
        CapShape::Daily { name, proposal, notes, .. } => {
            let (line, _) = terminal.line(&format!("{name} ({notes}) [{proposal}]: "))?;
            let line = line.trim();
            Ok(if line.is_empty() { Some(Cap::Daily(*proposal)) } else { line.parse().ok().map(Cap::Daily) })
        }
        CapShape::List { name, notes } => {
            let (line, _) = terminal.line(&format!("{name} ({notes}), with commas between: "))?;
            let names = line.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
            Ok(Some(Cap::List(names.collect())))
        }
    }
}

/// Shows what is left of a wait until nothing is. The clock decides, not the number of pauses.
fn count_down(left_s: impl Fn() -> u32, mut show: impl FnMut(u32), mut pause: impl FnMut()) {
    loop {
        match left_s() {
            0 => return,
            left_s => show(left_s),
        }
        pause();
    }
}

fn refused(toggle: &SafetyToggle, refusal: Refusal, wait_s: u32) -> Failure {
    let (what, help) = match refusal {
        Refusal::Cooldown => {
            (format!("it was loosened a short time ago; {wait_s} s are left"), "wait, or pass --wait".to_owned())
        }
        Refusal::PasteDetected => ("the phrase was pasted".to_owned(), "read it and type it".to_owned()),
        Refusal::PhraseMismatch => {
            ("this is not the phrase".to_owned(), "`holdpoint toggle show KEY` has it".to_owned())
        }
        Refusal::ReauthMissing => {
            ("the operator's password was not given".to_owned(), "start again with the password".to_owned())
        }
        Refusal::CapRequired => ("the limit is missing".to_owned(), "start again with a limit".to_owned()),
        Refusal::TermsUnfit => ("the limits do not fit this toggle".to_owned(), fitting(toggle)),
    };
    Failure::new(Exit::Denied, format!("not loosened ({refusal}): {what}"), help)
}

/// The limits that a toggle takes, in words.
fn fitting(toggle: &SafetyToggle) -> String {
    let others = format!("--only takes what the toggle is about, --budget 1 to {GRANT_USES_MAX}");
    match &toggle.declaration().cap {
        Some(CapShape::Daily { least, .. }) => {
            format!("the least number that loosens anything is {least}, the most {GRANT_USES_MAX}; {others}")
        }
        Some(CapShape::List { .. }) | None => others,
    }
}

fn tighten(registry: &Registry, key: &str) -> Result<Exit, Failure> {
    let toggle = known(registry, key)?;
    let state = home::open_or_create()?;
    let changed = Transitions::of(&state).change(registry, toggle, &Change::Tighten, &by(), gate::now_ms());
    changed.map_err(|failure| not_written(&failure.cause))?;
    output::note(&format!("{key} is restrictive"));
    Ok(Exit::Done)
}

fn reset(registry: &Registry) -> Result<Exit, Failure> {
    let state = home::open_or_create()?;
    let tightened = Transitions::of(&state).reset(registry, &by(), gate::now_ms());
    let tightened = tightened.map_err(|failure| not_written(&failure.cause))?;
    output::data(&tightened.iter().map(|key| format!("{key}\n")).collect::<String>())?;
    output::note(&format!("every toggle is restrictive; {} were not", tightened.len()));
    Ok(Exit::Done)
}

pub(crate) fn not_written(cause: &str) -> Failure {
    Failure::new(
        Exit::Audit,
        format!("the change cannot be written down, so it is not made: {cause}"),
        "`holdpoint audit verify` says more",
    )
}

fn by() -> By {
    By { actor: "cli".to_owned(), ..By::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    #[test]
    fn a_wait_is_shown_until_the_clock_says_that_it_is_over() {
        let (left_s, shown) = (Cell::new(3_u32), RefCell::new(Vec::new()));
        // The machine slept through one of the seconds.
        let pause = || left_s.set(if left_s.get() == 3 { 1 } else { 0 });
        count_down(|| left_s.get(), |left_s| shown.borrow_mut().push(left_s), pause);
        assert_eq!(*shown.borrow(), [3, 1]);
        count_down(|| 0, |_| shown.borrow_mut().clear(), || {});
        assert_eq!(shown.borrow().len(), 2, "nothing to wait for shows nothing");
    }
}
