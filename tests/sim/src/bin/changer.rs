//! A process to be killed: waits for a line on its input, then loosens and tightens toggles at random in a state folder,
//! and prints each id and its outcome once it is told that the change is written down.
//!
//! Arguments: the state folder, a tag, how many changes, the first instant in milliseconds, the step, a seed.

use holdpoint_core::grant::{Cap, Terms};
use holdpoint_core::registry::{CapShape, SafetyToggle, own_registry};
use holdpoint_core::transition::{Loosening, Password, Typing};
use holdpoint_store::{By, Change, Changed, Requester, StateFolder, Transitions};
use holdpoint_tests_sim::seeded::Seeded;
use std::error::Error;
use std::io::Write;
use std::path::Path;

/// So few that processes meet at the same toggle.
const TOGGLES: u64 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [state, tag, count, start_ms, step_ms, seed] = arguments.as_slice() else {
        return Err("usage: changer STATE TAG COUNT START_MS STEP_MS SEED".into());
    };
    let registry = own_registry().map_err(|unfit| format!("{unfit:?}"))?;
    let transitions = Transitions::of(&StateFolder::open(Path::new(state))?);
    let mut seeded = Seeded::new(seed.parse()?);
    let mut at_ms: u64 = start_ms.parse()?;
    let step_ms: u64 = step_ms.parse()?;
    let mut out = std::io::stdout().lock();
    std::io::stdin().read_line(&mut String::new())?;
    for number in 0..count.parse::<u64>()? {
        let index = usize::try_from(seeded.below(TOGGLES))?;
        let toggle = registry.toggles().get(index).ok_or("the registry has fewer toggles")?;
        let by = By { actor: format!("{tag}-{number}"), requester: Requester::default() };
        let changed = transitions.change(&registry, toggle, &change(toggle, &mut seeded), &by, at_ms);
        let result = match changed.map_err(|failure| failure.cause)? {
            Changed::Done(_) | Changed::Bounded(_) => "ok",
            Changed::Refused { .. } => "denied",
        };
        writeln!(out, "{} {result}", by.actor)?;
        out.flush()?;
        at_ms = at_ms.saturating_add(seeded.below(step_ms));
    }
    Ok(())
}

/// Mostly a loosening with all that it takes, and now and then with the wrong phrase.
fn change(toggle: &SafetyToggle, seeded: &mut Seeded) -> Change {
    let phrase = match seeded.below(8) {
        0 | 1 => return Change::Tighten,
        2 => "anything else".to_owned(),
        _ => toggle.declaration().phrase.to_string(),
    };
    Change::Loosen(Loosening { phrase, typing: Typing::Typed, password: Password::Right, terms: terms(toggle) })
}

/// The limit that the toggle requires.
fn terms(toggle: &SafetyToggle) -> Terms {
    let cap = toggle.declaration().cap.as_ref().map(|shape| match shape {
        CapShape::Daily { .. } => Cap::Daily(3),
        CapShape::List { .. } => Cap::List(vec!["a@b.example".to_owned()]),
    });
    Terms { cap, ..Terms::default() }
}
