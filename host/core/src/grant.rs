//! What an operator lets through by loosening a toggle: how often, for which names, and when. A toggle without a grant is
//! restrictive. Whatever a grant does not cover meets the toggle as if nobody had loosened it.

use crate::assess::Assessed;
use crate::bound::{Within, least};
use crate::operation::{Certainty, Scope, TargetKind};
use crate::paths::AbsPath;
use crate::toggle::{Permissive, ToggleKey};
use crate::words::{Word, WordSet, words};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Most names in a list of a grant.
pub const GRANT_NAMES_MAX: usize = 256;
/// Greatest number of a daily cap, and of a budget. Counting reads the uses of a day.
pub const GRANT_USES_MAX: u64 = 10_000;
/// Minutes of a day.
const DAY_MINUTES: u64 = 1_440;
/// Minutes of a week.
const WEEK_MINUTES: u64 = 7 * DAY_MINUTES;

/// The limit that a toggle requires of whoever loosens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cap {
    /// So many a UTC day.
    Daily(u64),
    /// Only these.
    List(Vec<String>),
}

words! {
    /// A day of the week.
    Weekday {
        Monday = "mon", Tuesday = "tue", Wednesday = "wed", Thursday = "thu", Friday = "fri", Saturday = "sat",
        Sunday = "sun",
    }
}

/// Hours of the week, in UTC. Past midnight they belong to the day on which they began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hours {
    days: WordSet<Weekday>,
    from_min: u16,
    to_min: u16,
}

impl Hours {
    /// Reads `mon-fri 09:00-17:00`, `sat,sun 10:00-12:00` or `09:00-17:00`, which is every day.
    pub fn parse(text: &str) -> Option<Hours> {
        let (days, times) = text.trim().rsplit_once(' ').unwrap_or(("mon-sun", text.trim()));
        let (from, to) = times.split_once('-')?;
        let (from_min, to_min) = (minute(from)?, minute(to)?);
        let days = days.split(',').try_fold(WordSet::EMPTY, |set, part| Some(set.union(days_of(part.trim())?)))?;
        (from_min != to_min && u64::from(from_min) < DAY_MINUTES).then_some(Hours { days, from_min, to_min })
    }

    /// Whether they hold at this many milliseconds after the Unix epoch.
    pub fn hold(&self, at_ms: u64) -> bool {
        let minutes = at_ms / 60_000;
        let (day, minute) = (minutes / DAY_MINUTES, minutes % DAY_MINUTES);
        let (from, to) = (u64::from(self.from_min), u64::from(self.to_min));
        let began = |day| self.days.contains(weekday(day));
        if from < to {
            began(day) && (from..to).contains(&minute)
        } else {
            (began(day) && minute >= from) || (day.checked_sub(1).is_some_and(began) && minute < to)
        }
    }

    /// Whether they hold only when the wider ones do.
    pub(crate) fn is_within(&self, wider: &Hours) -> bool {
        // The first week has no day before its first.
        let minutes = WEEK_MINUTES..WEEK_MINUTES * 2;
        minutes.map(|minute| minute.saturating_mul(60_000)).all(|at_ms| !self.hold(at_ms) || wider.hold(at_ms))
    }
}

/// 1970-01-01 was a Thursday.
fn weekday(day: u64) -> Weekday {
    let index = usize::try_from(day.saturating_add(3) % 7).unwrap_or(0);
    Weekday::ALL.get(index).copied().unwrap_or(Weekday::Monday)
}

fn minute(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once(':')?;
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str| if digits(text) { text.parse::<u16>().ok() } else { None };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let whole = hours.checked_mul(60)?.checked_add(minutes)?;
    (minutes < 60 && u64::from(whole) <= DAY_MINUTES).then_some(whole)
}

fn days_of(text: &str) -> Option<WordSet<Weekday>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (Weekday::from_word(first)?, Weekday::from_word(last)?);
    let within = |day: &&Weekday| first <= **day && **day <= last;
    (first <= last).then(|| Weekday::ALL.iter().filter(within).fold(WordSet::EMPTY, |set, day| set.with(*day)))
}

impl fmt::Display for Hours {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, day) in self.days.iter().enumerate() {
            formatter.write_str(if index == 0 { "" } else { "," })?;
            formatter.write_str(day.as_str())?;
        }
        let time = |minute: u16| (minute / 60, minute % 60);
        let ((from_h, from_min), (to_h, to_min)) = (time(self.from_min), time(self.to_min));
        write!(formatter, " {from_h:02}:{from_min:02}-{to_h:02}:{to_min:02}")
    }
}

/// The limits of a loosening. The default is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// What the toggle requires.
    pub cap: Option<Cap>,
    /// Only these names of what the toggle is about; empty where it is loosened for all.
    pub only: Vec<String>,
    /// Uses after which it tightens itself.
    pub budget: Option<u64>,
    /// Outside them it is restrictive.
    pub hours: Option<Hours>,
}

/// A loosening that is in force.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// Its limits.
    pub terms: Terms,
    /// When it was made, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// The limits that layers above the user set.
    pub within: Within,
}

/// What the names of a toggle's grant are names of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Steps of this kind on the way to a resource, without regard to case.
    Step(TargetKind),
    /// Absolute files and folders with everything below them.
    Place,
    /// Tools, as `SERVER/TOOL`.
    Tool,
}

/// What a toggle can be loosened for by name; `None` where it is loosened as a whole only.
pub fn subject(key: ToggleKey) -> Option<Subject> {
    match key {
        ToggleKey::EmailRecipientAllowlist => Some(Subject::Step(TargetKind::Recipient)),
        ToggleKey::CodeAutoPush => Some(Subject::Step(TargetKind::GitRemote)),
        ToggleKey::NetAllowOutbound => Some(Subject::Step(TargetKind::Host)),
        ToggleKey::NetAllowBrowserAutoActions => Some(Subject::Step(TargetKind::BrowserElement)),
        ToggleKey::MemoryPersistEverything => Some(Subject::Step(TargetKind::MemoryEntry)),
        ToggleKey::VaultAutoGrantCapabilities => Some(Subject::Step(TargetKind::VaultCapability)),
        ToggleKey::ShellAllowDestructiveFlags
        | ToggleKey::ShellAllowOutsideWorkspace
        | ToggleKey::CodeAllowCorePatch => Some(Subject::Place),
        ToggleKey::ToolsBypassCatalogGate => Some(Subject::Tool),
        ToggleKey::EmailAutoSend
        | ToggleKey::CodeAutoCommit
        | ToggleKey::AgentBypassPlanMode
        | ToggleKey::TestsAllowRedCommit
        | ToggleKey::SelfmodEnabled
        | ToggleKey::SelfmodAutoApply
        | ToggleKey::SelfmodKillSwitch
        | ToggleKey::DreamsWriteDuringActiveSession
        | ToggleKey::AutonomousRaiseDailyOpCap
        | ToggleKey::VoiceAlwaysListening => None,
    }
}

/// Whether a name that a toggle is loosened for covers another one.
pub(crate) fn subject_covers(key: Option<ToggleKey>, listed: &str, name: &str) -> bool {
    match key.and_then(subject) {
        Some(Subject::Step(_)) => listed.eq_ignore_ascii_case(name),
        Some(Subject::Place) => match (AbsPath::parse(listed), AbsPath::parse(name)) {
            (Some(listed), Some(name)) => name.is_within(&listed),
            (Some(_) | None, _) => false,
        },
        Some(Subject::Tool) | None => listed == name,
    }
}

impl Grant {
    /// Whether an operation is among what this grant names. What is not known for certain is not.
    pub(crate) fn names(&self, key: ToggleKey, assessed: &Assessed) -> bool {
        self.lists().all(|list| match subject(key) {
            Some(Subject::Step(kind)) => {
                let mut steps = assessed.operation.target.iter().filter(|step| step.kind == kind).peekable();
                let listed = |name: &str| list.iter().any(|listed| listed.eq_ignore_ascii_case(name));
                steps.peek().is_some() && steps.all(|step| step.certainty == Certainty::Exact && listed(&step.name))
            }
            // What goes beyond the target goes beyond what was named.
            Some(Subject::Place) if assessed.operation.scope > Scope::AllInParent => false,
            Some(Subject::Place) => assessed.place.as_ref().is_some_and(|place| {
                list.iter().filter_map(|listed| AbsPath::parse(listed)).any(|listed| place.is_within(&listed))
            }),
            Some(Subject::Tool) | None => false,
        })
    }

    /// Whether a tool is among what this grant names.
    pub(crate) fn names_tool(&self, server: &str, tool: &str) -> bool {
        let is = |listed: &String| listed.split_once('/') == Some((server, tool));
        self.lists().all(|list| list.iter().any(is))
    }

    /// Whether the grant is for everything that the toggle gates.
    pub(crate) fn is_for_all(&self) -> bool {
        self.lists().next().is_none()
    }

    /// The least number of its daily caps.
    pub fn daily(&self) -> Option<u64> {
        let own = match self.terms.cap {
            Some(Cap::Daily(count)) => Some(count),
            Some(Cap::List(_)) | None => None,
        };
        least(own, self.within.daily())
    }

    fn lists(&self) -> impl Iterator<Item = &Vec<String>> {
        let cap = match &self.terms.cap {
            Some(Cap::List(names)) => Some(names),
            Some(Cap::Daily(_)) | None => None,
        };
        cap.into_iter().chain((!self.terms.only.is_empty()).then_some(&self.terms.only)).chain(self.within.lists())
    }
}

/// The toggles that are loosened, with their grants. In the order of the registry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loosened {
    grants: Vec<(ToggleKey, Grant)>,
}

impl Loosened {
    /// Nothing is.
    pub const NONE: Loosened = Loosened { grants: Vec::new() };

    /// These and one more, or one in place of an earlier one.
    pub fn with(self, key: ToggleKey, grant: Grant) -> Loosened {
        let mut grants = self.without(Permissive::EMPTY.with(key)).grants;
        grants.push((key, grant));
        grants.sort_by_key(|(key, _)| *key);
        Loosened { grants }
    }

    /// These without some.
    pub fn without(&self, keys: Permissive) -> Loosened {
        Loosened { grants: self.grants.iter().filter(|(key, _)| !keys.contains(*key)).cloned().collect() }
    }

    /// The grant of a toggle; `None` while it is restrictive.
    pub fn grant(&self, key: ToggleKey) -> Option<&Grant> {
        self.grants.iter().find(|(own, _)| *own == key).map(|(_, grant)| grant)
    }

    /// Which they are.
    pub fn keys(&self) -> Permissive {
        self.grants.iter().fold(Permissive::EMPTY, |set, (key, _)| set.with(*key))
    }
}

impl From<Permissive> for Loosened {
    /// As if each of them were loosened without any limit.
    fn from(keys: Permissive) -> Loosened {
        Loosened { grants: keys.iter().map(|key| (key, Grant::default())).collect() }
    }
}

#[cfg(test)]
#[path = "grant_tests.rs"]
mod tests;
