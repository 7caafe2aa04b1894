//! Freezes: a stop of every change, over all processes, until a person ends it. Each line carries the whole state, so that
//! the last one says how things stand.
//!
//! Must never take what cannot be read, or what was cut off, for a thaw.

use crate::chain::{Chain, Trouble, newest};
use crate::disk::Disk;
use crate::folder::StateFolder;
use crate::heads::{Named, holds_anywhere};
use crate::storage::Storage;
use crate::streams::Stream;
use crate::transition::count_of;
use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::ports::NotDurable;
use holdpoint_core::posture::Freeze;
use holdpoint_core::report;
use serde_json::Value;

/// The kinds of its lines.
pub(crate) const FREEZE: &str = "freeze";
pub(crate) const THAW: &str = "thaw";
/// Who froze where that cannot be told.
const NOBODY: &str = "holdpoint";

/// The process that a freeze ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Its number.
    pub pid: u32,
    /// When it started, as the system counts it, so that another process of that number is told apart.
    pub started: u64,
    /// Where its number means something: a namespace and a start of the machine. Elsewhere nobody can tell whether it runs.
    pub surroundings: String,
}

/// A freeze as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// Who, why and since when.
    pub freeze: Freeze,
    /// The process that it ends with; `None` where only a person ends it.
    pub owner: Option<Owner>,
}

/// The stream of freezes.
#[derive(Debug)]
pub struct Holds<S = Disk> {
    chain: Chain<S>,
    decisions: S,
}

impl Holds<Disk> {
    /// The freezes of a state folder. Nothing is touched before the first one.
    pub fn of(folder: &StateFolder) -> Holds {
        Holds::over(Disk::new(folder, Stream::Holds), Disk::new(folder, Stream::Decisions))
    }
}

impl<S: Storage> Holds<S> {
    /// The freezes in one storage, and the decisions that name where they end.
    pub fn over(storage: S, decisions: S) -> Holds<S> {
        Holds { chain: Chain::new(storage), decisions }
    }

    /// The freeze that is in force. `is_alive` tells whether an owner still runs; one that nobody can tell about does.
    pub fn frozen(&self, is_alive: impl Fn(&Owner) -> bool, now_ms: u64) -> Option<Frozen> {
        let frozen = match self.last() {
            Ok(frozen) => frozen?,
            Err(trouble) => {
                let why = format!("the record of freezes cannot be read ({trouble})");
                let freeze = Freeze { by: NOBODY.to_owned(), why, since_ms: now_ms };
                return Some(Frozen { freeze, owner: None });
            }
        };
        frozen.owner.as_ref().is_none_or(is_alive).then_some(frozen)
    }

    /// Freezes everything, or puts another freeze in place of the one there is.
    pub fn freeze(&self, frozen: &Frozen, at_ms: u64) -> Result<(), NotDurable> {
        let owner = frozen.owner.as_ref().map_or(Json::Null, |owner| {
            Json::object([
                ("pid", Json::count(u64::from(owner.pid))),
                ("started", Json::count(owner.started)),
                ("surroundings", Json::text(owner.surroundings.as_str())),
            ])
        });
        let members = Json::object([
            ("ts", report::timestamp(at_ms)),
            ("kind", Json::text(FREEZE)),
            ("actor", Json::text(frozen.freeze.by.as_str())),
            ("reason", Json::text(frozen.freeze.why.as_str())),
            ("since_ms", Json::count(frozen.freeze.since_ms)),
            ("owner", owner),
        ]);
        self.append(members, at_ms)
    }

    /// Ends the freeze.
    pub fn thaw(&self, by: &str, why: &str, at_ms: u64) -> Result<(), NotDurable> {
        let members = Json::object([
            ("ts", report::timestamp(at_ms)),
            ("kind", Json::text(THAW)),
            ("actor", Json::text(by)),
            ("reason", Json::text(why)),
        ]);
        self.append(members, at_ms)
    }

    fn append(&self, members: Json, at_ms: u64) -> Result<(), NotDurable> {
        let line = Line::new(members).ok_or(Trouble::LineTooLong)?;
        Ok(self.chain.append(at_ms, || Ok(vec![line])).map(|_| ())?)
    }

    fn last(&self) -> Result<Option<Frozen>, Trouble> {
        // In this order what a decision names is in what is read.
        let named = Named::by(&self.decisions, Stream::Holds)?;
        let storage = self.chain.storage();
        let _lock = storage.lock_to_read().map_err(Trouble::io("lock"))?;
        let newest = newest(storage)?;
        let head = newest.as_ref().map(|newest| newest.head);
        let is_there = head.unwrap_or(holdpoint_core::journal::Head::START) == named.head
            || holds_anywhere(storage, named.head).map_err(Trouble::io("read"))?;
        if !is_there {
            return Err(Trouble::damaged("holds", &named.lost()));
        }
        match newest {
            None => Ok(None),
            Some(newest) => read(&newest.line).ok_or_else(|| Trouble::damaged(&newest.name, "the last line is none")),
        }
    }
}

/// What a line says: `None` for one that says nothing, `Some(None)` for a thaw.
fn read(line: &[u8]) -> Option<Option<Frozen>> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let text = |member: &str| line.get(member).and_then(Value::as_str).map(str::to_owned);
    match text("kind")?.as_str() {
        THAW => Some(None),
        FREEZE => {
            let freeze =
                Freeze { by: text("actor")?, why: text("reason")?, since_ms: count_of(line.get("since_ms")?)? };
            let owner = match line.get("owner")? {
                Value::Null => None,
                owner => Some(Owner {
                    pid: u32::try_from(count_of(owner.get("pid")?)?).ok()?,
                    started: count_of(owner.get("started")?)?,
                    surroundings: owner.get("surroundings")?.as_str()?.to_owned(),
                }),
            };
            Some(Some(Frozen { freeze, owner }))
        }
        _ => None,
    }
}
