//! The lines of the trust, as they are written and read.
//!
//! Must never take a line for less than it says: one that cannot be read makes the whole stream unreadable.

use crate::heads::at_ms;
use crate::transition::{count_of, list_of};
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::report;
use serde_json::Value;

const PUBLISHER: &str = "trust.publisher";
const REVOKED: &str = "trust.revoked";
const DOCUMENT: &str = "trust.document";
const DELEGATED: &str = "trust.delegated";
const FLOOR: &str = "trust.floor";
const ACTIVATED: &str = "trust.activated";
/// The kinds of its lines.
pub(crate) const KINDS: &[&str] = &[PUBLISHER, REVOKED, DOCUMENT, DELEGATED, FLOOR, ACTIVATED];

/// A publisher that the operator trusts. Keys and names are texts here: what they mean is the business of who verifies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedPublisher {
    /// The operator's name for it.
    pub publisher: String,
    /// Its keys.
    pub keys: Vec<String>,
    /// The names that they may speak for.
    pub names: Vec<String>,
    /// Distinct keys that have to sign.
    pub distinct_keys: u64,
    /// First second since 1970 at which it is trusted.
    pub not_before_s: u64,
    /// First second at which it no longer is.
    pub expires_s: u64,
}

/// A trust document that the operator took. Its text is kept beside the generations, under its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedDocument {
    /// The line of documents that it belongs to.
    pub authority: String,
    /// Its number there.
    pub version: u64,
    /// The digest of its text.
    pub digest: Digest,
    /// Its root keys.
    pub root_keys: Vec<String>,
}

/// A list of the vocabularies in force: its number, and the digest of its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    /// Its number. A later install has a higher one.
    pub number: u64,
    /// The digest of its index.
    pub digest: Digest,
}

/// What was taken back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revocation {
    /// A publisher, by the operator's name.
    Publisher(String),
    /// A key, by its id.
    Key(String),
    /// A component, by its digest.
    Component(String),
    /// A release of a name.
    Release(String, u64),
}

/// One change of the trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A publisher is trusted like this, in place of what was said of it before.
    Publisher(TrustedPublisher),
    /// Something is taken back for ever.
    Revoked(Revocation),
    /// A trust document counts, in place of the one before.
    Document(TrustedDocument),
    /// A delegation counts. Its text is kept under this digest.
    Delegated(Digest),
    /// The least release of a name that is accepted.
    Floor {
        /// The vocabulary's name.
        name: String,
        /// The release.
        release: u64,
    },
    /// A generation is in force, and with it the floors that it raises.
    Activated {
        /// The generation.
        generation: Generation,
        /// Names and releases.
        floors: Vec<(String, u64)>,
    },
}

impl Step {
    fn kind(&self) -> &'static str {
        match self {
            Step::Publisher(_) => PUBLISHER,
            Step::Revoked(_) => REVOKED,
            Step::Document(_) => DOCUMENT,
            Step::Delegated(_) => DELEGATED,
            Step::Floor { .. } => FLOOR,
            Step::Activated { .. } => ACTIVATED,
        }
    }

    /// The line; `None` for one that is too long.
    pub(crate) fn line(&self, actor: &str, at_ms: u64) -> Option<Line> {
        let mut members: Vec<(String, Json)> = vec![
            ("ts".to_owned(), report::timestamp(at_ms)),
            ("kind".to_owned(), Json::text(self.kind())),
            ("actor".to_owned(), Json::text(actor)),
        ];
        let own = self.members();
        members.extend(own.into_iter().map(|(name, value)| (name.to_owned(), value)));
        Line::new(Json::Object(members))
    }

    fn members(&self) -> Vec<(&'static str, Json)> {
        let list = |items: &[String]| Json::Array(items.iter().map(|item| Json::text(item.as_str())).collect());
        match self {
            Step::Publisher(entry) => vec![
                ("publisher", Json::text(entry.publisher.as_str())),
                ("keys", list(&entry.keys)),
                ("names", list(&entry.names)),
                ("distinct_keys", Json::count(entry.distinct_keys)),
                ("not_before_s", Json::count(entry.not_before_s)),
                ("expires_s", Json::count(entry.expires_s)),
            ],
            Step::Revoked(Revocation::Publisher(name)) => vec![("publisher", Json::text(name.as_str()))],
            Step::Revoked(Revocation::Key(id)) => vec![("key", Json::text(id.as_str()))],
            Step::Revoked(Revocation::Component(digest)) => vec![("component", Json::text(digest.as_str()))],
            Step::Revoked(Revocation::Release(name, release)) => {
                vec![("name", Json::text(name.as_str())), ("release", Json::count(*release))]
            }
            Step::Document(document) => vec![
                ("authority", Json::text(document.authority.as_str())),
                ("version", Json::count(document.version)),
                ("digest", Json::text(document.digest.hex())),
                ("root_keys", list(&document.root_keys)),
            ],
            Step::Delegated(digest) => vec![("digest", Json::text(digest.hex()))],
            Step::Floor { name, release } => {
                vec![("name", Json::text(name.as_str())), ("release", Json::count(*release))]
            }
            Step::Activated { generation, floors } => {
                let floors = floors.iter().map(|(name, release)| (name.clone(), Json::count(*release))).collect();
                vec![
                    ("generation", Json::count(generation.number)),
                    ("index", Json::text(generation.digest.hex())),
                    ("floors", Json::Object(floors)),
                ]
            }
        }
    }

    /// Reads a line back, with the time that it was written at.
    pub(crate) fn read(line: &[u8]) -> Option<(Step, u64)> {
        let line: Value = serde_json::from_slice(line).ok()?;
        let text = |member: &str| line.get(member).and_then(Value::as_str).map(str::to_owned);
        let count = |member: &str| line.get(member).and_then(count_of);
        let digest = |member: &str| Digest::from_hex(line.get(member)?.as_str()?);
        let step = match text("kind")?.as_str() {
            PUBLISHER => Step::Publisher(TrustedPublisher {
                publisher: text("publisher")?,
                keys: list_of(line.get("keys")?)?,
                names: list_of(line.get("names")?)?,
                distinct_keys: count("distinct_keys")?,
                not_before_s: count("not_before_s")?,
                expires_s: count("expires_s")?,
            }),
            REVOKED => Step::Revoked(match (text("publisher"), text("key"), text("component"), text("name")) {
                (Some(publisher), None, None, None) => Revocation::Publisher(publisher),
                (None, Some(key), None, None) => Revocation::Key(key),
                (None, None, Some(component), None) => Revocation::Component(component),
                (None, None, None, Some(name)) => Revocation::Release(name, count("release")?),
                _ => return None,
            }),
            DOCUMENT => Step::Document(TrustedDocument {
                authority: text("authority")?,
                version: count("version")?,
                digest: digest("digest")?,
                root_keys: list_of(line.get("root_keys")?)?,
            }),
            DELEGATED => Step::Delegated(digest("digest")?),
            FLOOR => Step::Floor { name: text("name")?, release: count("release")? },
            ACTIVATED => {
                let floor = |(name, release): (&String, &Value)| Some((name.clone(), count_of(release)?));
                let floors = line.get("floors")?.as_object()?.iter().map(floor).collect::<Option<Vec<_>>>()?;
                Step::Activated {
                    generation: Generation { number: count("generation")?, digest: digest("index")? },
                    floors,
                }
            }
            _ => return None,
        };
        Some((step, at_ms(&line)?))
    }
}
