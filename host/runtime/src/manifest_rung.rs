//! Rungs that a manifest declares, as `vocabulary.toml` has them: the same keys as an operator's.

use crate::manifest_toggle::{action, word};
use holdpoint_core::asking::Answer;
use holdpoint_core::call::is_name;
use holdpoint_core::level::{Criticality, Level};
use holdpoint_core::operation::{Effect, Scope};
use holdpoint_core::rungs::{self, RUNGS_MAX, Rung, Unfit};
use holdpoint_core::words::Word;
use serde::{Deserialize, Serialize};

/// What the levels say to some operations. It only adds to what they say without it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RungEntry {
    /// Only this verb.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verb: Option<String>,
    /// Only this native word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
    /// Only where the resource, or a step on the way to it, is of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The least effect; `none` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
    /// The least scope; `one` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The least criticality; `ordinary` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub criticality: Option<String>,
    /// What the level says. One that is left out says what the next higher one does that is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observe: Option<String>,
    /// The same for this level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarded: Option<String>,
    /// The same for this level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trusted: Option<String>,
    /// The same for this level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrestricted: Option<String>,
}

impl RungEntry {
    fn rung(&self, source: &str, actions: &[String]) -> Result<Rung, String> {
        let answers = [&self.observe, &self.guarded, &self.trusted, &self.unrestricted];
        let mut told = [None; 4];
        for (slot, answer) in told.iter_mut().zip(answers) {
            *slot = optional::<Answer>("answer", answer.as_ref())?;
        }
        let rung = Rung {
            verb: optional("verb", self.verb.as_ref())?,
            native: self.native.clone(),
            kind: optional("kind", self.kind.as_ref())?,
            effect_min: optional("effect", self.effect.as_ref())?.unwrap_or(Effect::None),
            scope_min: optional("scope", self.scope.as_ref())?.unwrap_or(Scope::One),
            criticality_min: optional("criticality", self.criticality.as_ref())?.unwrap_or(Criticality::Ordinary),
            says: Rung::filled(told),
            source: source.to_owned(),
        };
        let is_reported = |verb| actions.iter().filter_map(|text| action(text)).any(|(own, _)| own == verb);
        if self.native.as_ref().is_some_and(|native| !is_name(native)) {
            return Err("has a native word that is empty, too long or holds control characters".to_owned());
        }
        if let Some(verb) = rung.verb.filter(|verb| !is_reported(*verb)) {
            return Err(format!("is about `{verb}`, which is not among the vocabulary's actions"));
        }
        if rung.is_never_heard() {
            return Err("never counts: the default is at least as strict at every level".to_owned());
        }
        Ok(rung)
    }
}

fn optional<T: Word>(field: &str, text: Option<&String>) -> Result<Option<T>, String> {
    text.map(|text| word(field, text)).transpose()
}

/// What the core judges by, or what is wrong, with the rungs named by their place from 1.
pub(crate) fn rungs(name: &str, entries: &[RungEntry], actions: &[String]) -> Result<Vec<Rung>, String> {
    let source = format!("vocabulary {name}");
    let number = |index: usize| index.saturating_add(1);
    let one = |(index, entry): (usize, &RungEntry)| {
        entry.rung(&source, actions).map_err(|problem| format!("number {} {problem}", number(index)))
    };
    if entries.len() > RUNGS_MAX {
        return Err(format!("are over {RUNGS_MAX}"));
    }
    let rungs = entries.iter().enumerate().map(one).collect::<Result<Vec<Rung>, String>>()?;
    rungs::check(&rungs).map_err(|unfit| not_monotone(&unfit)).map(|()| rungs)
}

fn not_monotone(unfit: &Unfit) -> String {
    let number = |index: &usize| index.saturating_add(1);
    match unfit {
        Unfit::TooMany => format!("are over {RUNGS_MAX}"),
        Unfit::InLevel { rung, lower, higher } => {
            format!("number {} is stricter at level {higher} than at {lower}", number(rung))
        }
        Unfit::InRisk { less, more, level } => {
            let level: &Level = level;
            format!(
                "number {} is milder at level {level} than number {}, which is about less risk",
                number(more),
                number(less)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(effect: &str, says: [Option<&str>; 4]) -> RungEntry {
        let [observe, guarded, trusted, unrestricted] = says.map(|word| word.map(str::to_owned));
        let verb = Some("delete".to_owned());
        RungEntry {
            verb,
            effect: Some(effect.to_owned()),
            observe,
            guarded,
            trusted,
            unrestricted,
            ..RungEntry::default()
        }
    }

    fn read(entries: &[RungEntry]) -> Result<Vec<Rung>, String> {
        rungs("git", entries, &["delete git-ref".to_owned()])
    }

    #[test]
    fn a_rung_says_at_each_level_what_it_was_told() {
        let found = read(&[entry("irreversible", [None, Some("password"), None, None])]).unwrap();
        assert_eq!(found[0].says, [Answer::Password, Answer::Password, Answer::Allow, Answer::Allow]);
        assert_eq!((found[0].effect_min, found[0].source.as_str()), (Effect::Irreversible, "vocabulary git"));
    }

    #[test]
    fn the_pair_that_is_not_monotone_is_named() {
        let less = entry("reversible", [None, None, Some("password"), None]);
        let more = entry("irreversible", [None, None, Some("type-name"), None]);
        let problem = read(&[less, more]).unwrap_err();
        assert_eq!(problem, "number 2 is milder at level observe than number 1, which is about less risk");
        let odd = entry("reversible", [Some("ask"), Some("password"), None, None]);
        assert_eq!(read(&[odd]).unwrap_err(), "number 1 is stricter at level guarded than at observe");
    }

    #[test]
    fn what_could_never_count_or_is_not_known_is_refused() {
        let fine = || entry("irreversible", [None, Some("password"), None, None]);
        let problem = |entry: RungEntry| read(&[entry]).unwrap_err();
        assert!(problem(entry("irreversible", [None, Some("ask"), None, None])).contains("never counts"));
        assert!(problem(RungEntry { verb: Some("create".into()), ..fine() }).contains("not among"));
        assert!(problem(RungEntry { verb: Some("delte".into()), ..fine() }).contains("known: get"));
        assert!(problem(RungEntry { native: Some(String::new()), ..fine() }).contains("native"));
        assert!(problem(entry("much", [Some("deny"), None, None, None])).contains("the effect `much`"));
    }

    #[test]
    fn one_rung_too_many_is_refused() {
        let fine = entry("irreversible", [None, Some("password"), None, None]);
        assert!(read(&vec![fine.clone(); RUNGS_MAX]).is_ok());
        assert!(read(&vec![fine; RUNGS_MAX + 1]).is_err());
    }
}
