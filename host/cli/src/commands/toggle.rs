//! `toggle`: what is loosened, and the ceremony of loosening. Tightening is one step, always.

use crate::commands::operator;
use crate::commands::toggle_text::{self, View};
use crate::exit::{Exit, Failure};
use crate::output::Form;
use crate::terminal::{Arrival, Terminal};
use crate::toggle_args::{BoundArgs, ToggleCommand};
use crate::{embedded, gate, home, output};
use holdpoint_core::bound::{Layer, Reach};
use holdpoint_core::grant::{Cap, Hours, Terms};
use holdpoint_core::registry::{CapShape, Reauth, Registry, SafetyToggle, ToggleState};
use holdpoint_core::transition::{Loosening, Password, Refusal, Typing, cooldown_left_s, lift_left_s};
use holdpoint_store::operator::is_set;
use holdpoint_store::{By, Change, Changed, StateFolder, ToggleStates, Transitions};
use serde_json::{Value, json};
use std::time::Duration;

/// Runs a `toggle` command.
pub(crate) fn run(command: ToggleCommand) -> Result<Exit, Failure> {
    let state = state_that_is_there()?;
    let registry = match &command {
        ToggleCommand::Tighten { .. } | ToggleCommand::Reset | ToggleCommand::Bound(_) => {
            registry_to_tighten(state.as_ref())?
        }
        ToggleCommand::List { .. }
        | ToggleCommand::Show { .. }
        | ToggleCommand::Loosen { .. }
        | ToggleCommand::Keep { .. }
        | ToggleCommand::Lift { .. } => registry(state.as_ref())?,
    };
    let form = |json| if json { Form::Json } else { Form::Text };
    let waiting = |wait| if wait { Waiting::Wait } else { Waiting::Refuse };
    match command {
        ToggleCommand::List { json } => list(&registry, form(json)),
        ToggleCommand::Show { key, json } => show(&registry, &key, form(json)),
        ToggleCommand::Loosen { key, wait, only, budget, hours } => {
            let hours = hours.as_deref().map(read_hours).transpose()?;
            let terms = Terms { cap: None, only, budget, hours };
            perform(&registry, &key, &Ceremony { purpose: Purpose::Loosen(terms), waiting: waiting(wait) })
        }
        ToggleCommand::Keep { key, wait } => {
            perform(&registry, &key, &Ceremony { purpose: Purpose::Keep, waiting: waiting(wait) })
        }
        ToggleCommand::Tighten { key } => tighten(&registry, &key),
        ToggleCommand::Reset => reset(&registry),
        ToggleCommand::Bound(args) => narrow(&registry, args),
        ToggleCommand::Lift { bound, wait } => {
            let (key, layer) = (bound.key.clone(), bound.layer);
            let purpose = Purpose::Lift(layer, bound_terms(bound)?);
            perform(&registry, &key, &Ceremony { purpose, waiting: waiting(wait) })
        }
    }
}

/// Every toggle there is.
pub(crate) fn registry(state: Option<&StateFolder>) -> Result<Registry, Failure> {
    let own = embedded::vocabularies().map_err(Failure::internal)?;
    let installed = state.map_or(Ok(Vec::new()), gate::installed_in)?;
    gate::registry_of(own.iter().chain(&installed).map(|vocabulary| &vocabulary.manifest))
}

/// The same for what only tightens, which never waits for a repair: as long as it is not known what was installed, nothing
/// that needs it is let through.
fn registry_to_tighten(state: Option<&StateFolder>) -> Result<Registry, Failure> {
    registry(state).or_else(|failure| {
        output::note(&format!("the toggles of installed vocabularies are left out: {}", failure.what));
        registry(None)
    })
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
    let views = registry.toggles().iter().map(|toggle| View { toggle, states: &states, now_ms });
    let text = match form {
        Form::Json => {
            let toggles: Vec<Value> = views.map(|view| view.document()).collect();
            json!({ "schema": 1, "toggles": toggles }).to_string() + "\n"
        }
        Form::Text => views.map(|view| view.line()).collect(),
    };
    output::data(&text)?;
    Ok(Exit::Done)
}

fn show(registry: &Registry, key: &str, form: Form) -> Result<Exit, Failure> {
    let toggle = known(registry, key)?;
    let view = View { toggle, states: &look(registry)?, now_ms: gate::now_ms() };
    let text = match form {
        Form::Json => view.document().to_string() + "\n",
        Form::Text => view.described(),
    };
    output::data(&text)?;
    Ok(Exit::Done)
}

/// What the steps of a ceremony are gone through for.
enum Purpose {
    /// To loosen a toggle within these terms.
    Loosen(Terms),
    /// To loosen it once more within the terms it has.
    Keep,
    /// To lift the bound of a layer, or widen it to these terms.
    Lift(Layer, Terms),
}

/// Everything a person goes through before something gets looser.
struct Ceremony {
    purpose: Purpose,
    waiting: Waiting,
}

/// A toggle and how it stands, at the beginning of a ceremony.
struct Subject<'s> {
    toggle: &'s SafetyToggle,
    states: &'s ToggleStates,
}

impl Ceremony {
    /// The terms that are asked for. To keep what is not loosened is a mistake of whoever types it.
    fn terms(&self, subject: &Subject<'_>) -> Result<Terms, Failure> {
        match &self.purpose {
            Purpose::Loosen(terms) | Purpose::Lift(_, terms) => Ok(terms.clone()),
            Purpose::Keep => {
                let key = &subject.toggle.declaration().key;
                let record = subject.states.record(key);
                let help = format!("`holdpoint toggle loosen {key}`");
                let loosened = record.state == ToggleState::Permissive;
                loosened.then_some(record.terms).ok_or_else(|| Failure::usage(format!("{key} is not loosened"), help))
            }
        }
    }

    fn left_s(&self, subject: &Subject<'_>) -> u32 {
        let Subject { toggle, states } = subject;
        let key = &toggle.declaration().key;
        match self.purpose {
            Purpose::Loosen(_) | Purpose::Keep => cooldown_left_s(toggle, &states.record(key), gate::now_ms()),
            Purpose::Lift(layer, _) => lift_left_s(toggle, &states.bound(key, layer).bounded, gate::now_ms()),
        }
    }

    /// Whether a layer above refuses it, whatever is typed and however long one waits.
    fn is_closed(&self, subject: &Subject<'_>) -> bool {
        match self.purpose {
            Purpose::Loosen(_) | Purpose::Keep => {
                subject.states.reach(&subject.toggle.declaration().key) == Reach::Nothing
            }
            Purpose::Lift(..) => false,
        }
    }

    fn change(&self, asked: Loosening) -> Change {
        match self.purpose {
            Purpose::Loosen(_) | Purpose::Keep => Change::Loosen(asked),
            Purpose::Lift(layer, _) => Change::Lift { layer, asked },
        }
    }

    /// Whether the password is asked for. A bound of a layer is not the user's own.
    fn reauth(&self, toggle: &SafetyToggle) -> Reauth {
        match self.purpose {
            Purpose::Loosen(_) | Purpose::Keep => toggle.declaration().reauth,
            Purpose::Lift(..) => Reauth::Required,
        }
    }

    /// The limit that the toggle requires, if it is still to be asked for.
    fn cap_to_ask_for<'d>(&self, toggle: &'d SafetyToggle, terms: &Terms) -> Option<&'d CapShape> {
        match self.purpose {
            Purpose::Loosen(_) | Purpose::Keep => toggle.declaration().cap.as_ref().filter(|_| terms.cap.is_none()),
            Purpose::Lift(..) => None,
        }
    }
}

fn perform(registry: &Registry, key: &str, ceremony: &Ceremony) -> Result<Exit, Failure> {
    let toggle = known(registry, key)?;
    let terminal = Terminal::open().ok_or_else(|| {
        let help = "run this where standard input and error are a terminal; no program can loosen a toggle";
        Failure::new(Exit::Denied, "loosening is for a person at a terminal", help)
    })?;
    let state = home::open_or_create()?;
    let transitions = Transitions::of(&state);
    let states = transitions.toggles(registry, gate::now_ms());
    let subject = Subject { toggle, states: &states };
    let terms = ceremony.terms(&subject)?;
    terminal.show(&View { toggle, states: &states, now_ms: gate::now_ms() }.described());
    if ceremony.waiting == Waiting::Wait && !ceremony.is_closed(&subject) {
        let show = |left_s| terminal.show(&format!("\rwaiting for the cooldown: {left_s} s  "));
        count_down(|| ceremony.left_s(&subject), show, || std::thread::sleep(Duration::from_secs(1)));
    }
    let asked = given(&terminal, ceremony, &subject, &state, terms)?;
    let changed = transitions.change(registry, toggle, &ceremony.change(asked), &by(), gate::now_ms());
    match changed.map_err(|failure| not_written(&failure.cause))? {
        Changed::Done(_) => {
            output::note(&format!("{key} is permissive; `holdpoint toggle tighten {key}` ends it at any time"));
            Ok(Exit::Done)
        }
        Changed::Bounded(bounded) => Ok(told(key, bounded.bound.word())),
        Changed::Refused { refusal, wait_s } => Err(refused(registry, toggle, refusal, wait_s)),
    }
}

fn told(key: &str, word: &str) -> Exit {
    output::note(&format!("the bound of {key} is {word}; `holdpoint toggle show {key}` shows all of them"));
    Exit::Done
}

fn refused(registry: &Registry, toggle: &SafetyToggle, refusal: Refusal, wait_s: u32) -> Failure {
    // Another process may have set the bound in the meantime.
    match look(registry) {
        Ok(states) => toggle_text::refused(&View { toggle, states: &states, now_ms: gate::now_ms() }, refusal, wait_s),
        Err(failure) => failure,
    }
}

fn bound_terms(args: BoundArgs) -> Result<Terms, Failure> {
    let BoundArgs { key: _, layer: _, cap, list, only, hours } = args;
    let hours = hours.as_deref().map(read_hours).transpose()?;
    let list = (!list.is_empty()).then_some(Cap::List(list));
    Ok(Terms { cap: cap.map(Cap::Daily).or(list), only, budget: None, hours })
}

fn narrow(registry: &Registry, args: BoundArgs) -> Result<Exit, Failure> {
    let (key, layer) = (args.key.clone(), args.layer);
    let toggle = known(registry, &key)?;
    let change = Change::Bound { layer, terms: bound_terms(args)? };
    let state = home::open_or_create()?;
    let changed = Transitions::of(&state).change(registry, toggle, &change, &by(), gate::now_ms());
    match changed.map_err(|failure| not_written(&failure.cause))? {
        Changed::Bounded(bounded) => Ok(told(&key, bounded.bound.word())),
        Changed::Refused { refusal, wait_s } => Err(refused(registry, toggle, refusal, wait_s)),
        Changed::Done(_) => Err(Failure::internal("a bound became a loosening")),
    }
}

/// Everything an operator gives. Whatever is missing is refused, and written down, by the gate itself.
fn given(
    terminal: &Terminal,
    ceremony: &Ceremony,
    subject: &Subject<'_>,
    state: &StateFolder,
    terms: Terms,
) -> Result<Loosening, Failure> {
    let nothing = Loosening { phrase: String::new(), typing: Typing::Typed, password: Password::NotGiven, terms };
    if ceremony.is_closed(subject) || ceremony.left_s(subject) > 0 {
        return Ok(nothing);
    }
    let about = subject.toggle.declaration();
    let reauth = ceremony.reauth(subject.toggle);
    if reauth == Reauth::Required && !is_set(state)? {
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
    let password = match reauth {
        Reauth::NotNeeded => Password::NotGiven,
        Reauth::Required => operator::confirm(terminal, state, "operator's password: ").map_or_else(
            |failure| {
                output::failure(&failure);
                Password::NotGiven
            },
            |()| Password::Right,
        ),
    };
    let terms = match ceremony.cap_to_ask_for(subject.toggle, &asked.terms) {
        Some(shape) => Terms { cap: ask_for_cap(terminal, shape)?, ..asked.terms },
        None => asked.terms,
    };
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
