//! What `toggle` says: how a toggle stands, for a person and as JSON, and why a change was refused.

use crate::exit::{Exit, Failure};
use crate::output;
use holdpoint_core::bound::{Bound, Layer, Reach};
use holdpoint_core::grant::{Cap, GRANT_USES_MAX, Terms};
use holdpoint_core::registry::{CapShape, Reauth, SafetyToggle, ToggleState};
use holdpoint_core::transition::{Record, Refusal, cooldown_left_s, lift_left_s};
use holdpoint_core::words::Word;
use holdpoint_store::day::DAY_MS;
use holdpoint_store::toggles::LOOK_BACK_MS;
use holdpoint_store::{Day, LayerBound, ToggleStates};
use serde_json::{Value, json};

/// Milliseconds of an hour, the unit in which what is left of a loosening is told.
const HOUR_MS: u64 = 3_600_000;
/// Milliseconds of a minute.
const MINUTE_MS: u64 = 60_000;
/// In front of what belongs to the line above.
const INDENT: &str = "             ";

/// A toggle, and how it stands at an instant.
pub(crate) struct View<'v> {
    pub(crate) toggle: &'v SafetyToggle,
    pub(crate) states: &'v ToggleStates,
    /// Milliseconds since the Unix epoch.
    pub(crate) now_ms: u64,
}

impl View<'_> {
    fn key(&self) -> &str {
        &self.toggle.declaration().key
    }

    fn record(&self) -> Record {
        self.states.record(self.key())
    }

    /// What is in force: a bound that is closed keeps what was loosened restrictive.
    fn state(&self) -> ToggleState {
        match self.states.reach(self.key()) {
            Reach::Nothing => ToggleState::Restrictive,
            Reach::Within(_) => self.record().state,
        }
    }

    fn bounds(&self) -> impl Iterator<Item = (Layer, LayerBound)> {
        Layer::ALL.iter().map(|layer| (*layer, self.states.bound(self.key(), *layer)))
    }

    /// The bounds that say something, each in a few words.
    fn bound_texts(&self) -> Vec<String> {
        self.bounds().filter_map(|(layer, set)| bound_text(layer, &set)).collect()
    }

    /// The lines of a listing.
    pub(crate) fn line(&self) -> String {
        let (about, record) = (self.toggle.declaration(), self.record());
        let mut line = format!("{:<12} {:<7} {:<30} {}\n", self.state(), about.category, about.key, about.label);
        if let (ToggleState::Permissive, Some(since_ms)) = (record.state, record.last_loosened_ms) {
            let ago_h = self.now_ms.saturating_sub(since_ms) / HOUR_MS;
            let left_h = since_ms.saturating_add(LOOK_BACK_MS).saturating_sub(self.now_ms).div_ceil(HOUR_MS);
            line.push_str(&format!(
                "{INDENT}loosened {ago_h} h ago, ends by itself in {left_h} h; still needed? {}\n",
                answers(&about.key)
            ));
            limits(&record.terms).iter().for_each(|limit| line.push_str(&format!("{INDENT}{limit}\n")));
        }
        self.bound_texts().iter().for_each(|bound| line.push_str(&format!("{INDENT}{bound}\n")));
        line
    }

    /// Everything about a toggle.
    pub(crate) fn document(&self) -> Value {
        let (about, record) = (self.toggle.declaration(), self.record());
        let cap_shape = about.cap.as_ref().map(|cap| match cap {
            CapShape::Daily { name, least, proposal, notes } => {
                json!({ "name": name, "daily": proposal, "least": least, "notes": notes })
            }
            CapShape::List { name, notes } => json!({ "name": name, "list": [], "notes": notes }),
        });
        let terms = &record.terms;
        let bounds: Vec<Value> = self.bounds().map(|(layer, set)| self.bound_document(layer, &set)).collect();
        json!({
            "key": about.key, "label": about.label, "category": about.category.as_str(),
            "state": self.state().as_str(), "description": about.description, "warning": about.warning,
            "phrase": about.phrase, "reauth": about.reauth == Reauth::Required, "cooldown_s": about.cooldown_s,
            "cooldown_left_s": cooldown_left_s(self.toggle, &record, self.now_ms), "cap_input": cap_shape,
            "cap": terms.cap.as_ref().map(cap_document),
            "only": terms.only, "budget": terms.budget, "hours": terms.hours.map(|hours| hours.to_string()),
            "last_loosened_ms": record.last_loosened_ms, "bounds": bounds,
            "invariants": self.toggle.invariants().iter().map(|invariant| invariant.as_str()).collect::<Vec<_>>(),
        })
    }

    fn bound_document(&self, layer: Layer, set: &LayerBound) -> Value {
        let none = Terms::default();
        let terms = match &set.bounded.bound {
            Bound::Within(terms) => terms,
            Bound::Open | Bound::Closed => &none,
        };
        json!({
            "layer": layer.as_str(), "bound": set.bounded.bound.word(), "cap": terms.cap.as_ref().map(cap_document),
            "only": terms.only, "hours": terms.hours.map(|hours| hours.to_string()),
            "actor": set.set_ms.map(|_| &set.actor), "set_ms": set.set_ms,
            "cooldown_left_s": lift_left_s(self.toggle, &set.bounded, self.now_ms),
        })
    }

    /// What loosening it means and needs.
    pub(crate) fn described(&self) -> String {
        let (about, record) = (self.toggle.declaration(), self.record());
        let invariants: Vec<&str> = self.toggle.invariants().iter().map(|invariant| invariant.as_str()).collect();
        let mut text = format!("{} ({}): {}\n{}\n\nwarning\n", about.key, about.label, self.state(), about.description);
        about.warning.iter().for_each(|bullet| text.push_str(&format!("  - {bullet}\n")));
        text.push_str(&format!("\nto loosen it, type: {}\n", about.phrase));
        if about.reauth == Reauth::Required {
            text.push_str("the operator's password is asked for again\n");
        }
        limits(&record.terms).iter().for_each(|limit| text.push_str(&format!("it is loosened {limit}\n")));
        self.bound_texts().iter().for_each(|bound| text.push_str(&format!("{bound}\n")));
        let left_s = cooldown_left_s(self.toggle, &record, self.now_ms);
        text.push_str(&format!("once every {} s; {left_s} s are left to wait\n", about.cooldown_s));
        text.push_str(&format!("what holds whatever its state: {}\n", invariants.join(", ")));
        text
    }
}

/// How to answer whether a loosening is still needed.
pub(crate) fn answers(key: &str) -> String {
    format!("`holdpoint toggle tighten {key}` ends it, `holdpoint toggle keep {key}` prolongs it")
}

fn bound_text(layer: Layer, set: &LayerBound) -> Option<String> {
    let what = match &set.bounded.bound {
        Bound::Open => return None,
        Bound::Closed => "closed".to_owned(),
        Bound::Within(terms) => format!("bounded ({})", limits(terms).join("; ")),
    };
    let when = set.set_ms.map_or_else(|| "at an unknown time".to_owned(), |at_ms| format!("on {}", time(at_ms)));
    Some(format!("{what} for everybody by the {layer}: set by {} {when}", output::visible(&set.actor)))
}

/// A moment in minutes, in UTC.
pub(crate) fn time(at_ms: u64) -> String {
    let minutes = at_ms % DAY_MS / MINUTE_MS;
    format!("{} {:02}:{:02} UTC", Day::at(at_ms), minutes / 60, minutes % 60)
}

fn cap_document(cap: &Cap) -> Value {
    match cap {
        Cap::Daily(count) => json!({ "daily": count }),
        Cap::List(names) => json!({ "list": names }),
    }
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

/// Why a change was refused, and what to do.
pub(crate) fn refused(view: &View<'_>, refusal: Refusal, wait_s: u32) -> Failure {
    let key = view.key();
    let (what, help) = match refusal {
        Refusal::Bound => {
            let closed = view.bounds().filter(|(_, set)| set.bounded.bound == Bound::Closed);
            let (lifts, texts): (Vec<String>, Vec<String>) = closed
                .map(|(layer, set)| {
                    let lift = format!("`holdpoint toggle lift {key} --layer {layer}`");
                    (lift, bound_text(layer, &set).unwrap_or_default())
                })
                .unzip();
            (texts.join("; "), format!("whoever speaks for the layer may lift it: {}", lifts.join(" and ")))
        }
        Refusal::Cooldown => {
            (format!("this was done a short time ago; {wait_s} s are left"), "wait, or pass --wait".to_owned())
        }
        Refusal::PasteDetected => ("the phrase was pasted".to_owned(), "read it and type it".to_owned()),
        Refusal::PhraseMismatch => {
            ("this is not the phrase".to_owned(), format!("`holdpoint toggle show {key}` has it"))
        }
        Refusal::ReauthMissing => {
            ("the operator's password was not given".to_owned(), "start again with the password".to_owned())
        }
        Refusal::CapRequired => ("the limit is missing".to_owned(), "start again with a limit".to_owned()),
        Refusal::TermsUnfit => ("the limits do not fit this toggle".to_owned(), fitting(view.toggle)),
        Refusal::WiderBound => (
            "this bound is wider than the one that there is".to_owned(),
            format!("`holdpoint toggle lift {key}` with the same limits widens it, at a terminal"),
        ),
    };
    Failure::new(Exit::Denied, format!("nothing was changed ({refusal}): {what}"), help)
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

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_core::bound::Bounded;

    #[test]
    fn a_bound_says_who_set_it_and_when_and_an_open_one_says_nothing() {
        let set = |bound| LayerBound {
            bounded: Bounded { bound, last_lifted_ms: None },
            actor: "root".into(),
            set_ms: Some(1_800_000_000_000),
        };
        assert_eq!(bound_text(Layer::Team, &set(Bound::Open)), None);
        let closed = bound_text(Layer::Team, &set(Bound::Closed)).unwrap();
        assert_eq!(closed, "closed for everybody by the team: set by root on 2027-01-15 08:00 UTC");
        let within = bound_text(
            Layer::Organisation,
            &set(Bound::Within(Terms { only: vec!["a.example".into()], ..Terms::default() })),
        );
        assert!(within.unwrap().starts_with("bounded (only for a.example) for everybody by the organisation"));
    }
}
