//! `trust`: who may speak for which vocabularies. Widening is for a person at a terminal with the operator's password;
//! narrowing is one step, always.

use crate::commands::toggle::not_written;
use crate::commands::{operator, trust_text};
use crate::exit::{Exit, Failure};
use crate::installed::{self, Installed};
use crate::output::Form;
use crate::terminal::{Arrival, Terminal};
use crate::trust_args::{AddArgs, RevokeArgs, RotateArgs, TrustCommand};
use crate::trusted::{PINNED, Trusted, entry, not_taken, said};
use crate::{home, output};
use holdpoint_core::digest::Digest;
use holdpoint_core::ports::NotDurable;
use holdpoint_signing::limits::TRUST_ENVELOPE_BYTES_MAX;
use holdpoint_signing::{
    FormatError, KeyId, PublicKey, PublisherEntry, Rooted, VocabularyName, verify_delegation, verify_first, verify_next,
};
use holdpoint_store::operator::is_set;
use holdpoint_store::{Generations, Revocation, StateFolder, Step, TrustedDocument};
use std::io::Read;
use std::num::NonZeroU8;
use std::path::Path;

const SECONDS_A_DAY: u64 = 86_400;
/// Days for which a new publisher is trusted, unless the operator says otherwise.
const VALID_DAYS: u64 = 365;

/// Runs a `trust` command.
pub(crate) fn run(command: TrustCommand) -> Result<Exit, Failure> {
    let form = |json| if json { Form::Json } else { Form::Text };
    let state = home::open_or_create()?;
    match command {
        TrustCommand::Add(AddArgs { document: Some(file), root_key, .. }) => add_document(&state, &file, &root_key),
        TrustCommand::Add(AddArgs { delegation: Some(file), .. }) => add_delegation(&state, &file),
        TrustCommand::Add(args) => add(&state, args),
        TrustCommand::List { json } => trust_text::list(&Trusted::of(&state)?, form(json)),
        TrustCommand::Show { publisher, json } => trust_text::show(&Trusted::of(&state)?, &publisher, form(json)),
        TrustCommand::Revoke(args) => revoke(&state, args),
        TrustCommand::Rotate(RotateArgs { document: Some(file), .. }) => next_document(&state, &file),
        TrustCommand::Rotate(RotateArgs { publisher, key, document: None }) => {
            rotate(&state, &publisher.unwrap_or_default(), &key)
        }
        TrustCommand::Floor { name, release } => floor(&state, &name, release),
    }
}

fn wrong(error: FormatError) -> Failure {
    Failure::usage(error.to_string(), "nothing was changed")
}

fn keys(texts: &[String]) -> Result<Vec<PublicKey>, Failure> {
    texts.iter().map(|text| text.parse()).collect::<Result<_, _>>().map_err(wrong)
}

fn add(state: &StateFolder, args: AddArgs) -> Result<Exit, Failure> {
    let trusted = Trusted::of(state)?;
    let name = args.publisher.unwrap_or_default();
    if name == PINNED {
        let help = "give the publisher another name";
        return Err(Failure::usage(format!("`{PINNED}` stands for every key that was named at an install"), help));
    }
    let before = before(&trusted, &name)?;
    let fresh = before.is_none();
    if fresh && (args.key.is_empty() || args.names.is_empty()) {
        let help = format!("`holdpoint trust add {name} --key KEY --names NAMES`");
        return Err(Failure::usage("a publisher that is new needs keys and names", help));
    }
    let (mut own, mut names) = (keys(&args.key)?, Vec::new());
    for pattern in &args.names {
        names.push(pattern.parse().map_err(wrong)?);
    }
    if let Some(before) = &before {
        own = if own.is_empty() { before.keys.clone() } else { own };
        names = if names.is_empty() { before.names.clone() } else { names };
    }
    let none = FormatError::Rule { what: "`distinct_keys`", rule: "1 or more" };
    // What is not named stays as it is, so that naming less than before is a narrowing and nothing else.
    let known = before.as_ref();
    let distinct_keys = args.distinct_keys.or(known.map(|before| before.distinct_keys.get())).unwrap_or(1);
    let from_now = |days: u64| trusted.now_s.saturating_add(days.saturating_mul(SECONDS_A_DAY));
    let kept = known.map(|before| before.expires_s).filter(|_| args.valid_days.is_none());
    let after = PublisherEntry {
        publisher: name.parse().map_err(wrong)?,
        keys: own,
        names,
        distinct_keys: NonZeroU8::new(distinct_keys).ok_or(none).map_err(wrong)?,
        not_before_s: before.as_ref().map_or(trusted.now_s, |before| before.not_before_s),
        expires_s: kept.unwrap_or_else(|| from_now(args.valid_days.unwrap_or(VALID_DAYS))),
    };
    put_publisher(state, before, after)
}

fn before(trusted: &Trusted, name: &str) -> Result<Option<PublisherEntry>, Failure> {
    trusted.said.publishers.get(name).map(entry).transpose().map_err(wrong)
}

fn put_publisher(state: &StateFolder, before: Option<PublisherEntry>, after: PublisherEntry) -> Result<Exit, Failure> {
    after.check().map_err(wrong)?;
    let narrows = before.as_ref().is_some_and(|before| after.is_within(before));
    if !narrows {
        ceremony(state, &trust_text::described(&after), after.publisher.as_str())?;
    }
    let name = after.publisher.to_string();
    installed::say(state, |now| {
        // What was shown may have been narrowed or widened in the meantime; then it was not what was agreed to.
        let same = now.publishers.get(&name).cloned() == before.as_ref().map(said);
        if same { vec![Step::Publisher(said(&after))] } else { Vec::new() }
    })?;
    let found = Trusted::of(state)?.said.publishers.get(&name).cloned();
    if found != Some(said(&after)) {
        return Err(Failure::new(Exit::Plugin, "somebody else changed the publisher meanwhile", "try again"));
    }
    done(&format!("{name} is trusted like this"), &trust_text::described(&after))
}

fn done(what: &str, shown: &str) -> Result<Exit, Failure> {
    output::note(&output::visible_lines(&format!("{shown}{what}")));
    Ok(Exit::Done)
}

/// What a person goes through before somebody may do more than before.
fn ceremony(state: &StateFolder, shown: &str, name: &str) -> Result<(), Failure> {
    let terminal = Terminal::open().ok_or_else(|| {
        let help = "run this where standard input and error are a terminal";
        Failure::new(Exit::Denied, "trusting somebody with more is for a person at a terminal", help)
    })?;
    if !is_set(state)? {
        let what = "trusting somebody asks for the operator's password, and none is set";
        return Err(Failure::new(Exit::Configuration, what, "`holdpoint operator set-password`"));
    }
    let phrase = format!("trust {name}");
    terminal.show(&output::visible_lines(&format!("{shown}compare the keys over a second channel\n")));
    let (line, arrival) = terminal.line(&format!("type `{phrase}`: "))?;
    if arrival == Arrival::Pasted {
        return Err(Failure::new(Exit::Denied, "the phrase was pasted", "type it; nothing was changed"));
    }
    if line.trim() != phrase {
        return Err(Failure::new(Exit::Denied, "that is not the phrase", "nothing was changed"));
    }
    operator::confirm(&terminal, state, "operator's password: ")
}

fn text(file: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::file(file, &error);
    let mut text = String::new();
    let most = u64::try_from(TRUST_ENVELOPE_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    std::fs::File::open(file).map_err(failed)?.take(most).read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

/// Keeps a text beside the generations, so that the chain can name it by its digest.
fn keep(state: &StateFolder, text: &str) -> Result<Digest, Failure> {
    let written = |failure: NotDurable| not_written(&failure.cause);
    let kept = Generations::of(state);
    let _changing = kept.lock().map_err(written)?;
    let digest = kept.put_blob(text.as_bytes()).map_err(written)?;
    kept.sync().map_err(written)?;
    Ok(digest)
}

fn add_document(state: &StateFolder, file: &Path, root_keys: &[String]) -> Result<Exit, Failure> {
    let trusted = Trusted::of(state)?;
    if trusted.document.is_some() {
        let help = "`holdpoint trust rotate --document FILE` follows it with its next version";
        return Err(Failure::usage("a trust document is trusted already", help));
    }
    let text = text(file)?;
    let rooted = verify_first(&text, &keys(root_keys)?, trusted.now_s).map_err(not_taken)?;
    ceremony(state, &trust_text::document(&rooted), "document")?;
    take_document(state, &text, &rooted)
}

fn next_document(state: &StateFolder, file: &Path) -> Result<Exit, Failure> {
    let trusted = Trusted::of(state)?;
    let help = "`holdpoint trust add --document FILE --root-key KEY`";
    let before = trusted.document.as_ref().ok_or_else(|| Failure::usage("no trust document is trusted", help))?;
    let text = text(file)?;
    let after = verify_next(&text, before, trusted.now_s).map_err(not_taken)?;
    if widens(before, &after) {
        ceremony(state, &trust_text::document(&after), "document")?;
    }
    take_document(state, &text, &after)
}

/// Whether the next document trusts anybody with more than the one before, or other root keys.
fn widens(before: &Rooted, after: &Rooted) -> bool {
    let old: Vec<PublisherEntry> = before.publishers().collect();
    let around = |new: &PublisherEntry| old.iter().any(|old| old.publisher == new.publisher && new.is_within(old));
    let (before, roots) = (before.document(), after.document());
    let same_roots = before.root_keys == roots.root_keys && before.root_distinct_keys == roots.root_distinct_keys;
    // INVARIANT (never wider): a publisher that is left out takes its threshold along, which others may have lived under.
    let kept =
        old.iter().all(|old| old.distinct_keys.get() == 1 || after.publishers().any(|new| new.names == old.names));
    !same_roots || !kept || !after.publishers().all(|new| around(&new))
}

fn take_document(state: &StateFolder, text: &str, rooted: &Rooted) -> Result<Exit, Failure> {
    let digest = keep(state, text)?;
    let document = rooted.document();
    let step = Step::Document(TrustedDocument {
        authority: document.authority.to_string(),
        version: document.version,
        digest,
        root_keys: document.root_keys.iter().map(ToString::to_string).collect(),
    });
    installed::say(state, |_| vec![step])?;
    done(&format!("version {} of the trust document counts", document.version), "")
}

fn add_delegation(state: &StateFolder, file: &Path) -> Result<Exit, Failure> {
    let trusted = Trusted::of(state)?;
    let help = "`holdpoint trust add --document FILE --root-key KEY`";
    let document = trusted.document.as_ref();
    let document =
        document.ok_or_else(|| Failure::usage("a delegation needs the trust document it belongs to", help))?;
    let text = text(file)?;
    let to = verify_delegation(&text, document, &trusted.trust(None)?, trusted.now_s).map_err(not_taken)?;
    ceremony(state, &trust_text::described(&to), to.publisher.as_str())?;
    let digest = keep(state, &text)?;
    installed::say(state, |_| vec![Step::Delegated(digest)])?;
    done("the delegation counts", "")
}

fn rotate(state: &StateFolder, name: &str, new_keys: &[String]) -> Result<Exit, Failure> {
    let trusted = Trusted::of(state)?;
    let before = before(&trusted, name)?;
    let known = before.clone().ok_or_else(|| trust_text::unknown(name))?;
    put_publisher(state, before, PublisherEntry { keys: keys(new_keys)?, ..known })
}

fn revoke(state: &StateFolder, args: RevokeArgs) -> Result<Exit, Failure> {
    let step = Step::Revoked(revocation(args)?);
    installed::say(state, |_| vec![step])?;
    output::note("revoked");
    // It is revoked whether or not this can be told.
    if let Ok(installed) = Installed::of(state) {
        for record in &installed.records {
            if let Some(why) = installed.objection(record) {
                output::note(&output::visible(&format!("{} is refused: {why}", record.manifest.name)));
            }
        }
    }
    Ok(Exit::Done)
}

fn revocation(args: RevokeArgs) -> Result<Revocation, Failure> {
    match (args.publisher, args.key, args.component, args.release) {
        (Some(name), None, None, None) => {
            let publisher: holdpoint_signing::Publisher = name.parse().map_err(wrong)?;
            Ok(Revocation::Publisher(publisher.to_string()))
        }
        (None, Some(key), None, None) => {
            let id = key.parse::<PublicKey>().map(|key| key.id()).or_else(|_| key.parse::<KeyId>()).map_err(wrong)?;
            Ok(Revocation::Key(id.to_string()))
        }
        (None, None, Some(digest), None) => {
            let hex = digest.strip_prefix("sha256:").unwrap_or(&digest);
            Ok(Revocation::Component(hex.parse::<holdpoint_signing::Digest>().map_err(wrong)?.to_string()))
        }
        (None, None, None, Some(release)) => {
            let parts = release.split_once('@').and_then(|(name, number)| Some((name, number.parse().ok()?)));
            let (name, number) = parts
                .ok_or_else(|| Failure::usage(format!("`{release}` is no release"), "write it as NAME@RELEASE"))?;
            Ok(Revocation::Release(name.parse::<VocabularyName>().map_err(wrong)?.to_string(), number))
        }
        _ => Err(Failure::usage("name one thing to revoke", "`holdpoint trust revoke --help`")),
    }
}

fn floor(state: &StateFolder, name: &str, release: u64) -> Result<Exit, Failure> {
    let name = name.parse::<VocabularyName>().map_err(wrong)?.to_string();
    installed::say(state, |_| vec![Step::Floor { name: name.clone(), release }])?;
    output::note(&format!("releases of {name} below {release} are refused"));
    Ok(Exit::Done)
}
