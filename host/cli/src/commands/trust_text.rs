//! What `trust` shows.

use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::trusted::Trusted;
use holdpoint_signing::{PublisherEntry, Rooted};
use holdpoint_store::Revocation;
use serde_json::{Value, json};
use std::fmt::Write;

/// A publisher, for the person who decides about it.
pub(crate) fn described(entry: &PublisherEntry) -> String {
    let names: Vec<String> = entry.names.iter().map(ToString::to_string).collect();
    let mut out = format!(
        "{}: {} key(s) have to sign, from {} to {} (seconds since 1970)\n  names: {}\n",
        entry.publisher,
        entry.distinct_keys,
        entry.not_before_s,
        entry.expires_s,
        names.join(" ")
    );
    for key in &entry.keys {
        let _ = writeln!(out, "  key: {key}\n    id: {}", key.id());
    }
    out
}

/// A trust document, for the person who decides about it.
pub(crate) fn document(rooted: &Rooted) -> String {
    let document = rooted.document();
    let mut out = format!("authority {} version {}\n", document.authority, document.version);
    for key in &document.root_keys {
        let _ = writeln!(out, "  root key: {key}");
    }
    let _ = writeln!(out, "  {} root key(s) have to sign", document.root_distinct_keys);
    out + &rooted.publishers().map(|entry| described(&entry)).collect::<String>()
}

/// That nobody of this name is trusted.
pub(crate) fn unknown(name: &str) -> Failure {
    let what = format!("no publisher `{}` is trusted", output::visible(name));
    Failure::usage(what, "`holdpoint trust list` shows all of them")
}

/// All that is said about trust.
pub(crate) fn list(trusted: &Trusted, form: Form) -> Result<Exit, Failure> {
    let said = &trusted.said;
    let text = match form {
        Form::Json => {
            let entries: Vec<Value> = trusted.entries.iter().map(|entry| value(trusted, entry)).collect();
            let document = said.document.as_ref().map(|document| {
                json!({ "authority": document.authority, "version": document.version, "root_keys": document.root_keys })
            });
            json!({ "schema": 1, "publishers": entries, "document": document, "floors": said.floors,
                    "revoked": said.revoked.iter().map(revoked_value).collect::<Vec<Value>>(),
                    "generation": said.active.map(|generation| generation.number), "time_s": trusted.now_s })
            .to_string()
                + "\n"
        }
        Form::Text => {
            let mut out: String = trusted.entries.iter().map(|entry| line(trusted, entry)).collect();
            if let Some(document) = &said.document {
                let _ = writeln!(out, "document: authority {} version {}", document.authority, document.version);
            }
            for (name, release) in &said.floors {
                let _ = writeln!(out, "floor: {name} {release}");
            }
            for one in &said.revoked {
                let _ = writeln!(out, "revoked: {}", revoked_text(one));
            }
            out
        }
    };
    output::data(&output::visible_lines(&text))?;
    Ok(Exit::Done)
}

/// One publisher.
pub(crate) fn show(trusted: &Trusted, name: &str, form: Form) -> Result<Exit, Failure> {
    let found: Vec<&PublisherEntry> = trusted.entries.iter().filter(|entry| entry.publisher.as_str() == name).collect();
    if found.is_empty() {
        return Err(unknown(name));
    }
    let text = match form {
        Form::Json => {
            let entries: Vec<Value> = found.iter().map(|entry| value(trusted, entry)).collect();
            json!({ "schema": 1, "publishers": entries }).to_string() + "\n"
        }
        Form::Text => found.iter().map(|entry| line(trusted, entry)).collect(),
    };
    output::data(&output::visible_lines(&text))?;
    Ok(Exit::Done)
}

/// How a publisher stands: whether its keys count.
fn standing(trusted: &Trusted, entry: &PublisherEntry) -> &'static str {
    let revoked = trusted.trust(None).is_ok_and(|trust| trust.is_publisher_revoked(&entry.publisher));
    if revoked {
        "revoked"
    } else if trusted.now_s < entry.not_before_s {
        "not yet trusted"
    } else if trusted.now_s >= entry.expires_s {
        "expired"
    } else {
        "trusted"
    }
}

fn line(trusted: &Trusted, entry: &PublisherEntry) -> String {
    format!("{} {}", standing(trusted, entry), described(entry))
}

fn value(trusted: &Trusted, entry: &PublisherEntry) -> Value {
    json!({ "publisher": entry.publisher, "standing": standing(trusted, entry), "keys": entry.keys,
            "names": entry.names, "distinct_keys": entry.distinct_keys, "not_before_s": entry.not_before_s,
            "expires_s": entry.expires_s })
}

fn revoked_text(one: &Revocation) -> String {
    match one {
        Revocation::Publisher(name) => format!("publisher {name}"),
        Revocation::Key(id) => format!("key {id}"),
        Revocation::Component(digest) => format!("component {digest}"),
        Revocation::Release(name, release) => format!("release {name}@{release}"),
    }
}

fn revoked_value(one: &Revocation) -> Value {
    match one {
        Revocation::Publisher(name) => json!({ "publisher": name }),
        Revocation::Key(id) => json!({ "key": id }),
        Revocation::Component(digest) => json!({ "component": digest }),
        Revocation::Release(name, release) => json!({ "name": name, "release": release }),
    }
}
