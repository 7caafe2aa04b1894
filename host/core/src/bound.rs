//! Bounds that layers above the user set on what a loosening reaches. A bound only takes away: what is let through is what
//! the user's loosening and every bound let through together. Bounds never run out, for that would loosen.

use crate::grant::{Cap, Hours, Terms, subject_covers};
use crate::registry::SafetyToggle;
use crate::toggle::ToggleKey;
use crate::transition::is_fit_bound;
use crate::words::{Word, words};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

words! {
    /// A layer above the user, the widest first. What users loosen themselves has none.
    Layer { Organisation = "organisation", Team = "team" }
}

/// What one layer lets those below it loosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// Whatever they choose. This is how every layer starts.
    #[default]
    Open,
    /// No more than these terms, which have no budget.
    Within(Terms),
    /// Nothing.
    Closed,
}

impl Bound {
    /// A bound with these terms; `None` where a bound of this toggle cannot have them. Without any limit it is closed.
    pub fn of(toggle: &SafetyToggle, terms: Terms) -> Option<Bound> {
        if terms == Terms::default() {
            return Some(Bound::Closed);
        }
        is_fit_bound(toggle.declaration(), &terms).then_some(Bound::Within(terms))
    }

    /// The word for it in records.
    pub fn word(&self) -> &'static str {
        match self {
            Bound::Open => "open",
            Bound::Within(_) => "within",
            Bound::Closed => "closed",
        }
    }

    /// What it leaves.
    pub fn reach(&self) -> Reach {
        match self {
            Bound::Open => Reach::Within(Within::default()),
            Bound::Within(terms) => Reach::Within(Within::of(terms)),
            Bound::Closed => Reach::Nothing,
        }
    }
}

/// What several bounds leave together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nothing can be loosened.
    Nothing,
    /// As far as all of these limits hold.
    Within(Within),
}

impl Reach {
    /// What both leave.
    pub fn meet(&self, other: &Reach) -> Reach {
        match (self, other) {
            (Reach::Within(one), Reach::Within(other)) => Reach::Within(one.meet(other)),
            (Reach::Nothing, Reach::Within(_) | Reach::Nothing) | (Reach::Within(_), Reach::Nothing) => Reach::Nothing,
        }
    }

    /// Whether this certainly leaves nothing that the wider one does not. Where it cannot be told, it is wider.
    pub fn is_within(&self, wider: &Reach, key: &str) -> bool {
        match (self, wider) {
            (Reach::Nothing, Reach::Within(_) | Reach::Nothing) => true,
            (Reach::Within(_), Reach::Nothing) => false,
            (Reach::Within(own), Reach::Within(wider)) => own.is_within(wider, key),
        }
    }
}

/// Limits that all have to hold. The default is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Within {
    lists: BTreeSet<Vec<String>>,
    daily: Option<u64>,
    hours: BTreeSet<Hours>,
}

impl Within {
    /// The limits of these terms, but for a budget.
    pub fn of(terms: &Terms) -> Within {
        let (daily, list) = match &terms.cap {
            Some(Cap::Daily(count)) => (Some(*count), None),
            Some(Cap::List(names)) => (None, Some(names)),
            None => (None, None),
        };
        let only = (!terms.only.is_empty()).then_some(&terms.only);
        Within {
            lists: list.into_iter().chain(only).map(|names| sorted(names)).collect(),
            daily,
            hours: terms.hours.into_iter().collect(),
        }
    }

    /// Both of them.
    pub fn meet(&self, other: &Within) -> Within {
        Within {
            lists: self.lists.union(&other.lists).cloned().collect(),
            daily: least(self.daily, other.daily),
            hours: self.hours.union(&other.hours).copied().collect(),
        }
    }

    /// Whether this is a time at which something may be loosened, in milliseconds since the Unix epoch.
    pub fn hold(&self, at_ms: u64) -> bool {
        self.hours.iter().all(|hours| hours.hold(at_ms))
    }

    /// The lists in all of which a name has to be.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &Vec<String>> {
        self.lists.iter()
    }

    /// The greatest number in a UTC day, if there is one.
    pub(crate) fn daily(&self) -> Option<u64> {
        self.daily
    }

    fn is_within(&self, wider: &Within, key: &str) -> bool {
        let key = ToggleKey::from_word(key);
        let covers = |wide: &Vec<String>, own: &Vec<String>| {
            own.iter().all(|name| wide.iter().any(|listed| subject_covers(key, listed, name)))
        };
        wider.lists.iter().all(|wide| self.lists.iter().any(|own| covers(wide, own)))
            && wider.daily.is_none_or(|most| self.daily.is_some_and(|own| own <= most))
            && wider.hours.iter().all(|wide| self.hours.iter().any(|own| own.is_within(wide)))
    }
}

/// The smaller of two numbers, where one that is missing is no limit.
pub(crate) fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

fn sorted(names: &[String]) -> Vec<String> {
    names.iter().cloned().collect::<BTreeSet<String>>().into_iter().collect()
}

/// How one layer stands to one toggle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounded {
    /// Its bound.
    pub bound: Bound,
    /// When a bound was last lifted, in milliseconds since the Unix epoch.
    pub last_lifted_ms: Option<u64>,
}

#[cfg(test)]
#[path = "bound_tests.rs"]
mod tests;
