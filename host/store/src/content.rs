//! Content from outside that gave orders to an agent: remembered by digest until a person confirms it, once for each.
//!
//! Must never hold the content itself, and never take silence for a confirmation: where the stream cannot be read, there is
//! unconfirmed content.

use crate::chain::{Chain, Trouble};
use crate::day::Day;
use crate::disk::Disk;
use crate::folder::StateFolder;
use crate::heads::{Named, read_since};
use crate::lines;
use crate::storage::Storage;
use crate::streams::Stream;
use crate::toggles::LOOK_BACK_MS;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::ports::NotDurable;
use holdpoint_core::report;
use serde_json::Value;
use std::collections::BTreeSet;

/// The kinds of its lines.
pub(crate) const HEARD: &str = "heard";
pub(crate) const CONFIRMED: &str = "confirmed";
/// The session of what any of them may have heard.
pub const EVERY_SESSION: &str = "*";
/// Most pieces of unconfirmed content that one answer lists.
pub const UNCONFIRMED_MAX: usize = 1_000;

/// A piece of content that gave orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// Its digest.
    pub digest: String,
    /// The session that heard it.
    pub session: String,
    /// The tool that brought it in.
    pub tool: String,
    /// The kind of order.
    pub directive: String,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// The stream of such content.
#[derive(Debug)]
pub struct Content<S = Disk> {
    chain: Chain<S>,
    decisions: S,
}

impl Content<Disk> {
    /// The content that agents of a state folder heard.
    pub fn of(folder: &StateFolder) -> Content {
        Content::over(Disk::new(folder, Stream::Content), Disk::new(folder, Stream::Decisions))
    }
}

impl<S: Storage> Content<S> {
    /// The content in one storage, and the decisions that name where it ends.
    pub fn over(storage: S, decisions: S) -> Content<S> {
        Content { chain: Chain::new(storage), decisions }
    }

    /// Remembers a piece of content.
    pub fn hear(&self, heard: &Heard) -> Result<(), NotDurable> {
        let text = |text: &String| Json::text(text.as_str());
        let members = Json::object([
            ("ts", report::timestamp(heard.at_ms)),
            ("kind", Json::text(HEARD)),
            ("content", text(&heard.digest)),
            ("session", text(&heard.session)),
            ("tool", text(&heard.tool)),
            ("directive", text(&heard.directive)),
        ]);
        self.append(members, heard.at_ms)
    }

    /// Confirms pieces of content for every session.
    pub fn confirm(&self, digests: &[String], actor: &str, at_ms: u64) -> Result<(), NotDurable> {
        let members = Json::object([
            ("ts", report::timestamp(at_ms)),
            ("kind", Json::text(CONFIRMED)),
            ("actor", Json::text(actor)),
            ("contents", Json::Array(digests.iter().map(|digest| Json::text(digest.as_str())).collect())),
        ]);
        self.append(members, at_ms)
    }

    /// Content of the last seven days that nobody has confirmed, of one session or of all.
    pub fn unconfirmed(&self, session: Option<&str>, now_ms: u64) -> Result<Vec<Heard>, NotDurable> {
        let mut heard: Vec<Heard> = Vec::new();
        let mut confirmed = BTreeSet::new();
        self.read(now_ms, |kind, line| match kind {
            HEARD => heard.extend(heard_of(line)),
            CONFIRMED => confirmed.extend(contents(line)),
            _ => {}
        })?;
        heard.retain(|heard| {
            session.is_none_or(|session| heard.session == session || heard.session == EVERY_SESSION)
                && !confirmed.contains(&heard.digest)
        });
        heard.truncate(UNCONFIRMED_MAX);
        Ok(heard)
    }

    fn append(&self, members: Json, at_ms: u64) -> Result<(), NotDurable> {
        let line = Line::new(members).ok_or(Trouble::LineTooLong)?;
        Ok(self.chain.append(at_ms, || Ok(vec![line])).map(|_| ())?)
    }

    fn read(&self, now_ms: u64, mut take: impl FnMut(&str, &Value)) -> Result<(), NotDurable> {
        let since = Day::at(now_ms.saturating_sub(LOOK_BACK_MS));
        let storage = self.chain.storage();
        // In this order what a decision names is in the snapshot.
        let named = Named::by(&self.decisions, Stream::Content)?;
        let snapshot = lines::snapshot(storage).map_err(Trouble::io("read"))?;
        read_since(storage, &named, snapshot, since, |walk| {
            let line: Value = serde_json::from_slice(walk.line()).unwrap_or(Value::Null);
            take(line.get("kind").and_then(Value::as_str).unwrap_or_default(), &line);
            Ok(())
        })?;
        Ok(())
    }
}

/// The digest by which a text is remembered.
pub fn digest_of(text: &str) -> String {
    Digest::of_parts("holdpoint content 1", &[text.as_bytes()]).hex()
}

fn contents(line: &Value) -> Vec<String> {
    let items = line.get("contents").and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn heard_of(line: &Value) -> Option<Heard> {
    let text = |member: &str| line.get(member).and_then(Value::as_str).map(str::to_owned);
    let at_ms = (line.get("ts")?.as_f64()? * 1_000.0).round() as u64;
    Some(Heard {
        digest: text("content")?,
        session: text("session")?,
        tool: text("tool")?,
        directive: text("directive")?,
        at_ms,
    })
}
