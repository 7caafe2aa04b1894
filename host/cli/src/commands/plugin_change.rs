//! `plugin install`, `remove`, `activate`, `rollback`, `diff` and `status`: one generation of installed vocabularies after
//! the other.

use crate::commands::plugin::{self, described, proved, verified};
use crate::commands::toggle::not_written;
use crate::exit::{Exit, Failure};
use crate::installed::{self, Installed, Record};
use crate::output::Form;
use crate::{embedded, gate, home, output};
use holdpoint_core::digest::Digest;
use holdpoint_runtime::Manifest;
use holdpoint_signing::Verified;
use holdpoint_store::{StateFolder, Transition, TransitionResult, Transitions};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal};
use std::path::Path;

/// Digits of a digest that a person compares.
const SHORT_DIGEST_DIGITS: usize = 16;

/// Puts a signed vocabulary in force, in a generation of its own.
pub(crate) fn install(file: &Path, key: Option<String>, approve: Option<&str>, form: Form) -> Result<Exit, Failure> {
    let state = home::open_or_create()?;
    check_key_counts(&state, key.as_deref())?;
    let (signed, manifest, proof) = verified(&state, file, key)?;
    let own = embedded::vocabularies().map_err(Failure::internal)?;
    if own.iter().any(|vocabulary| vocabulary.manifest.name == manifest.name) {
        let help = "give the vocabulary a name of its own; all claimants are asked, so it need not replace the other";
        let what = format!("this binary has a vocabulary `{}` of its own", manifest.name);
        return Err(Failure::new(Exit::Plugin, what, help));
    }
    output::note(&described(&manifest));
    approved(&manifest.name, proof.digest(), approve)?;
    output::note("compiling");
    gate::compile(&state, &manifest, proof.digest(), &signed.component)?;
    let name = manifest.name.clone();
    let files: [&[u8]; 2] = [&signed.component, signed.envelope.as_bytes()];
    let generation = installed::change(&state, &files, |installed| {
        // The trust may have changed while somebody was asked.
        check_key_counts_in(installed, signed.key.as_deref())?;
        let verified = signed.verify(&installed.trusted)?;
        let from = installed.record(&name).map_or_else(|| "absent".to_owned(), |record| record.digest.clone());
        written(&state, &name, &from, &proof.digest().hex(), "install")?;
        let record = Record {
            digest: proof.digest().hex(),
            signature: Digest::of_file(signed.envelope.as_bytes()).hex(),
            key: signed.key.clone(),
            signers: signers(&verified),
            manifest,
        };
        Ok(without(installed, &name).chain([record]).collect())
    })?;
    let digest = proof.digest().hex();
    let text = format!("installed {name} sha256:{digest} in generation {}", generation.number);
    done(form, &text, json!({ "schema": 1, "installed": name, "digest": digest, "generation": generation.number }))
}

fn without<'i>(installed: &'i Installed, name: &'i str) -> impl Iterator<Item = Record> + 'i {
    installed.records.iter().filter(move |record| record.manifest.name != name).cloned()
}

/// A key that is named at an install is a widening without password, so it counts only where nobody is trusted yet.
fn check_key_counts(state: &StateFolder, key: Option<&str>) -> Result<(), Failure> {
    check_key_counts_in(&Installed::of(state)?, key)
}

fn check_key_counts_in(installed: &Installed, key: Option<&str>) -> Result<(), Failure> {
    match key {
        Some(_) if installed.trusted.names_publishers() => Err(Failure::usage(
            "--key does not count where `holdpoint trust` names who may speak",
            "leave --key out, or let the publisher speak for the name: `holdpoint trust add`",
        )),
        None if !installed.trusted.names_publishers() => Err(Failure::usage(
            "nobody is trusted to speak for vocabularies",
            "`holdpoint trust add`; to try one out, pass the key that you trust for it with --key",
        )),
        Some(_) | None => Ok(()),
    }
}

fn signers(verified: &Verified) -> Vec<String> {
    let names = verified.signers().iter().flat_map(|signer| &signer.publishers).map(ToString::to_string);
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Asks a person for exactly this component. A claim on something that nobody knew turns "unknown" into "known".
fn approved(name: &str, digest: Digest, approve: Option<&str>) -> Result<(), Failure> {
    let short: String = digest.hex().chars().take(SHORT_DIGEST_DIGITS).collect();
    let wanted = format!("{name}@{short}");
    let given = match approve {
        Some(given) => given.to_owned(),
        None if std::io::stdin().is_terminal() => {
            output::note(&format!("type {wanted} to put it in force:"));
            let mut line = String::new();
            std::io::stdin().lock().read_line(&mut line).map_err(|error| Failure::internal(error.to_string()))?;
            line.trim().to_owned()
        }
        None => String::new(),
    };
    if given == wanted {
        return Ok(());
    }
    Err(Failure::new(
        Exit::Plugin,
        "not approved; nothing was changed",
        format!("approve exactly this component: --approve {wanted}"),
    ))
}

fn written(state: &StateFolder, name: &str, from: &str, to: &str, reason: &str) -> Result<(), Failure> {
    let at_ms = gate::now_ms();
    let transition = Transition {
        at_ms,
        actor: installed::ACTOR.to_owned(),
        key: format!("plugin:{name}"),
        layer: None,
        from_state: from.to_owned(),
        to_state: to.to_owned(),
        result: TransitionResult::Ok,
        reason: reason.to_owned(),
        cap: None,
        limits: holdpoint_store::Limits::default(),
        phrase_hash: None,
        requester: Default::default(),
    };
    let appended = Transitions::of(state).append(&[transition], at_ms);
    appended.map(|_| ()).map_err(|failure| not_written(&failure.cause))
}

/// Takes a vocabulary out of force. Its floor stays.
pub(crate) fn remove(name: &str, form: Form) -> Result<Exit, Failure> {
    let state = home::open_or_create()?;
    check_installed(&Installed::of(&state)?, name)?;
    let generation = installed::change(&state, &[], |installed| {
        let record = check_installed(installed, name)?;
        written(&state, name, &record.digest, "absent", "remove")?;
        Ok(without(installed, name).collect())
    })?;
    let document = json!({ "schema": 1, "removed": name, "generation": generation.number });
    done(form, &format!("removed {name}"), document)
}

fn check_installed<'i>(installed: &'i Installed, name: &str) -> Result<&'i Record, Failure> {
    let help = "`holdpoint plugin list` shows what is installed";
    installed.record(name).ok_or_else(|| Failure::usage(format!("no vocabulary `{name}` is installed"), help))
}

/// Puts an earlier generation in force.
pub(crate) fn activate(number: u64, form: Form) -> Result<Exit, Failure> {
    let state = home::open_or_create()?;
    installed::put_in_force(&state, number)?;
    done(form, &format!("generation {number} is in force"), json!({ "schema": 1, "generation": number }))
}

/// Says that a change is done, for people or for programs.
fn done(form: Form, text: &str, document: Value) -> Result<Exit, Failure> {
    output::data(&match form {
        Form::Json => format!("{document}\n"),
        Form::Text => output::visible_lines(&format!("{text}\n")),
    })?;
    Ok(Exit::Done)
}

/// Puts the generation before the one in force in force.
pub(crate) fn rollback(form: Form) -> Result<Exit, Failure> {
    let said = Installed::of(&home::open_or_create()?)?.trusted.said;
    let active = said.active.map_or(0, |generation| generation.number);
    let (number, _) = said.generations.range(..active).next_back().ok_or_else(|| {
        Failure::usage("there is no generation before the one in force", "`holdpoint plugin status` shows all of them")
    })?;
    activate(*number, form)
}

/// Shows which generation is in force.
pub(crate) fn status(form: Form) -> Result<Exit, Failure> {
    let installed = Installed::of(&home::open_or_create()?)?;
    let said = &installed.trusted.said;
    let active = said.active.map(|generation| generation.number);
    let known: Vec<u64> = said.generations.keys().copied().collect();
    let rows: Vec<(&Record, Option<String>)> =
        installed.records.iter().map(|record| (record, installed.objection(record))).collect();
    let text = match form {
        Form::Json => {
            let row = |(record, why): &(&Record, Option<String>)| {
                json!({ "name": record.manifest.name, "release": record.manifest.release, "digest": record.digest,
                        "signers": record.signers, "floor": said.floor(&record.manifest.name), "refused": why })
            };
            let rows: Vec<Value> = rows.iter().map(row).collect();
            json!({ "schema": 1, "generation": active, "generations": known, "vocabularies": rows }).to_string() + "\n"
        }
        Form::Text => {
            let number = active.map_or_else(|| "none".to_owned(), |number| number.to_string());
            let row = |(record, why): &(&Record, Option<String>)| {
                let Manifest { name, release, .. } = &record.manifest;
                let refused = why.as_ref().map_or_else(String::new, |why| format!(": refused: {why}"));
                format!("{name} release {release} signed by {}{refused}\n", record.signers.join(", "))
            };
            format!("generation in force: {number}; all: {known:?}\n") + &rows.iter().map(row).collect::<String>()
        }
    };
    output::data(&output::visible_lines(&text))?;
    Ok(Exit::Done)
}

/// Shows what a component changes in comparison with the installed one of its name.
pub(crate) fn diff(file: &Path, form: Form) -> Result<Exit, Failure> {
    let component = plugin::read(file)?;
    let (after, proof) = proved(&component)?;
    let installed = Installed::of(&home::open_or_create()?)?;
    let before = installed.record(&after.name).map(|record| &record.manifest);
    let old = before.map_or_else(BTreeSet::new, says);
    let new = says(&after);
    let added: Vec<&String> = new.difference(&old).collect();
    let removed: Vec<&String> = old.difference(&new).collect();
    let text = match form {
        Form::Json => {
            let from = before.map(|manifest| manifest.release);
            json!({ "schema": 1, "name": after.name, "digest": proof.digest().hex(), "from_release": from,
                    "to_release": after.release, "added": added, "removed": removed })
            .to_string()
                + "\n"
        }
        Form::Text => {
            let from = before.map_or_else(|| "not installed".to_owned(), |old| format!("release {}", old.release));
            let lines = removed.iter().map(|line| format!("- {line}\n"));
            let lines = lines.chain(added.iter().map(|line| format!("+ {line}\n")));
            format!("{}: {from} -> release {}\n", after.name, after.release) + &lines.collect::<String>()
        }
    };
    output::data(&output::visible_lines(&text))?;
    Ok(Exit::Done)
}

/// Everything that a manifest says, one line a thing.
fn says(manifest: &Manifest) -> BTreeSet<String> {
    let Manifest {
        name: _,
        version,
        release: _,
        summary,
        contract,
        actions,
        obligations,
        escapes,
        toggles,
        rungs,
        routes,
        limits,
    } = manifest;
    let each = |what: &'static str, items: &[String]| -> Vec<String> {
        items.iter().map(|item| format!("{what} {item}")).collect()
    };
    let tools = routes.tools.iter().map(|tool| {
        let only = tool.actions.as_ref().map_or_else(String::new, |only| format!(", only to {}", only.join(", ")));
        format!("claims tool {}/{}{only}", tool.server, tool.name)
    });
    let whole = |what: &str, value: Value| format!("{what} {value}");
    let mut all: BTreeSet<String> = tools.collect();
    all.extend(each("claims program", &routes.programs));
    all.extend(each("claims language", &routes.languages));
    all.extend(each("may report", actions));
    all.extend(each("obligation", obligations));
    all.extend(escapes.iter().map(|escape| whole("way out", json!(escape))));
    all.extend(toggles.iter().map(|toggle| whole("toggle", json!(toggle))));
    all.extend(rungs.iter().map(|rung| whole("rung", json!(rung))));
    all.extend([format!("version {version}"), format!("summary {summary}"), format!("contract {contract}")]);
    all.insert(format!("fuel {}", limits.fuel));
    all
}
