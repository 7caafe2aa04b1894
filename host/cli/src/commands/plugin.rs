//! `plugin`: inspect, sign, verify and install vocabularies.

use crate::args::PluginCommand;
use crate::commands::key;
use crate::exit::{Exit, Failure};
use crate::installed::{self, Record};
use crate::output::Form;
use crate::{embedded, gate, home, output};
use holdpoint_core::digest::Digest;
use holdpoint_runtime::{Limits, Manifest, Proof, prove};
use holdpoint_signing::{CONTRACT, PublicKey, Statement, sign};
use holdpoint_store::{StateFolder, Transition, TransitionResult, Transitions};
use serde_json::json;
use std::fmt::Write;
use std::io::{BufRead, IsTerminal};
use std::path::Path;

const SECONDS_A_DAY: u64 = 86_400;
/// Digits of a digest that a person compares.
const SHORT_DIGEST_DIGITS: usize = 16;

/// Runs a `plugin` command.
pub(crate) fn run(command: PluginCommand) -> Result<Exit, Failure> {
    match command {
        PluginCommand::Build { folder, out } => super::plugin_build::run(&folder, out),
        PluginCommand::Inspect { file, json } => inspect(&file, if json { Form::Json } else { Form::Text }),
        PluginCommand::Sign { file, key, valid_days } => sign_file(&file, &key, valid_days),
        PluginCommand::Verify { file, key } => verify_file(&file, &key),
        PluginCommand::Install { file, key, approve } => install(&file, &key, approve.as_deref()),
        PluginCommand::List { json } => list(if json { Form::Json } else { Form::Text }),
        PluginCommand::Remove { name } => remove(&name),
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(file).map_err(|error| Failure::file(file, &error))
}

fn proved(component: &[u8]) -> Result<(Manifest, Proof), Failure> {
    let proof = prove(component, &Limits::DEFAULT)
        .map_err(|error| Failure::new(Exit::Plugin, error.to_string(), error.help()))?;
    let manifest = Manifest::of_component(component).map_err(|error| {
        Failure::new(Exit::Plugin, error.to_string(), "`holdpoint plugin build` embeds the manifest")
    })?;
    Ok((manifest, proof))
}

fn inspect(file: &Path, form: Form) -> Result<Exit, Failure> {
    let (manifest, proof) = proved(&read(file)?)?;
    if form == Form::Json {
        let document =
            json!({ "schema": 1, "manifest": manifest, "proof": proof.lines(), "digest": proof.digest().hex() });
        output::data(&format!("{document}\n"))?;
    } else {
        output::data(&format!("{}\nproof\n  {}\n", described(&manifest), proof.lines().join("\n  ")))?;
    }
    Ok(Exit::Done)
}

/// What a vocabulary claims, for the person who decides about it.
fn described(manifest: &Manifest) -> String {
    let mut out =
        format!("{} {} (release {}): {}\n", manifest.name, manifest.version, manifest.release, manifest.summary);
    let tools: Vec<String> =
        manifest.routes.tools.iter().map(|tool| format!("{}/{}", tool.server, tool.name)).collect();
    for (what, names) in
        [("programs", &manifest.routes.programs), ("languages", &manifest.routes.languages), ("tools", &tools)]
    {
        if !names.is_empty() {
            let _ = writeln!(out, "  claims {} {what}: {}", names.len(), names.join(" "));
        }
    }
    for toggle in &manifest.toggles {
        let _ = writeln!(out, "  a toggle of its own: {} ({})", toggle.key, toggle.label);
    }
    for escape in &manifest.escapes {
        let _ = writeln!(out, "  way out ({}): {}", escape.kind, escape.words);
    }
    let _ = write!(out, "  may report: {}", manifest.actions.join(", "));
    output::visible_lines(&out)
}

fn sign_file(file: &Path, key_file: &Path, valid_days: u64) -> Result<Exit, Failure> {
    let component = read(file)?;
    let (manifest, proof) = proved(&component)?;
    let key = key::read(key_file)?;
    let wrong =
        |error: holdpoint_signing::FormatError| Failure::new(Exit::Plugin, error.to_string(), "mend vocabulary.toml");
    let now_s = gate::now_s();
    let statement = Statement {
        name: manifest.name.parse().map_err(wrong)?,
        component: holdpoint_signing::Digest::from_bytes(*proof.digest().bytes()),
        version: manifest.version.parse().map_err(wrong)?,
        release: manifest.release,
        contract: CONTRACT.parse().map_err(wrong)?,
        not_before_s: if valid_days > 0 { now_s } else { 0 },
        expires_s: (valid_days > 0).then(|| now_s.saturating_add(valid_days.saturating_mul(SECONDS_A_DAY))),
        required_features: Vec::new(),
    };
    let envelope = sign(&statement, &[&key]).map_err(|error| Failure::new(Exit::Plugin, error.to_string(), ""))?;
    let path = installed::signature_path(file);
    installed::write(&path, envelope.as_bytes())?;
    output::data(&format!("{}\n", path.display()))?;
    Ok(Exit::Done)
}

fn public_key(text: &str) -> Result<PublicKey, Failure> {
    text.parse()
        .map_err(|error| Failure::usage(format!("--key: {error}"), "pass the line that `holdpoint key new` printed"))
}

fn verify_file(file: &Path, key: &str) -> Result<Exit, Failure> {
    let (manifest, digest, _, _) = verified(file, key)?;
    output::data(&format!(
        "{} {} release {} sha256:{digest}: the signature holds\n",
        manifest.name, manifest.version, manifest.release
    ))?;
    Ok(Exit::Done)
}

fn verified(file: &Path, key: &str) -> Result<(Manifest, Digest, Vec<u8>, String), Failure> {
    let component = read(file)?;
    let path = installed::signature_path(file);
    let envelope = std::fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
    installed::verify_with_key(&component, &envelope, &public_key(key)?, gate::now_s())?;
    let (manifest, proof) = proved(&component)?;
    Ok((manifest, proof.digest(), component, envelope))
}

fn install(file: &Path, key: &str, approve: Option<&str>) -> Result<Exit, Failure> {
    let (manifest, digest, component, envelope) = verified(file, key)?;
    let own = embedded::vocabularies().map_err(Failure::internal)?;
    if own.iter().any(|vocabulary| vocabulary.manifest.name == manifest.name) {
        let help = "give the vocabulary a name of its own; all claimants are asked, so it need not replace the other";
        return Err(Failure::new(
            Exit::Plugin,
            format!("this binary has a vocabulary `{}` of its own", manifest.name),
            help,
        ));
    }
    let state = home::open_or_create()?;
    let before = installed::records(&state)?;
    let known = before.iter().find(|record| record.manifest.name == manifest.name);
    if let Some(record) = known.filter(|record| record.manifest.release > manifest.release) {
        let what = format!(
            "release {} is older than release {}, which is installed",
            manifest.release, record.manifest.release
        );
        return Err(Failure::new(Exit::Plugin, what, "install a newer release"));
    }
    if known.is_none() && before.len() >= installed::INSTALLED_MAX {
        let what = format!("{} vocabularies are installed, which is the most", before.len());
        return Err(Failure::new(Exit::Plugin, what, "remove one: `holdpoint plugin remove NAME`"));
    }
    output::note(&described(&manifest));
    approved(&manifest.name, digest, approve)?;
    let from = known.map_or_else(|| "absent".to_owned(), |record| record.digest.clone());
    trust_change(&state, &manifest.name, &from, &digest.hex(), "install")?;
    let record = Record { digest: digest.hex(), key: key.to_owned(), manifest };
    installed::put(&state, &component, &envelope, &record)?;
    gate::vocabularies(&state)?.load_all().map_err(|_| {
        Failure::new(Exit::Plugin, "the vocabulary is installed, but cannot be loaded", "`holdpoint doctor` tells why")
    })?;
    output::data(&format!("installed {} sha256:{digest}\n", record.manifest.name))?;
    Ok(Exit::Done)
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

fn trust_change(state: &StateFolder, name: &str, from: &str, to: &str, reason: &str) -> Result<(), Failure> {
    let at_ms = gate::now_ms();
    let transition = Transition {
        at_ms,
        actor: "cli".to_owned(),
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
    let written = Transitions::of(state).append(&[transition], at_ms);
    written.map(|_| ()).map_err(|failure| {
        Failure::new(
            Exit::Audit,
            format!("the change cannot be written down, so it is not made: {}", failure.cause),
            "`holdpoint audit verify`",
        )
    })
}

fn list(form: Form) -> Result<Exit, Failure> {
    let state = home::open_or_create()?;
    let own = embedded::vocabularies().map_err(Failure::internal)?;
    let own = own.iter().map(|vocabulary| (&vocabulary.manifest, vocabulary.digest.hex(), "binary"));
    let records = installed::records(&state)?;
    let others = records.iter().map(|record| (&record.manifest, record.digest.clone(), "installed"));
    let all: Vec<_> = own.chain(others).collect();
    let text = if form == Form::Json {
        let rows = all.iter().map(|(manifest, digest, from)| {
            json!({ "name": manifest.name, "version": manifest.version,
            "release": manifest.release, "digest": digest, "from": from, "summary": manifest.summary })
        });
        format!("{}\n", json!({ "schema": 1, "vocabularies": rows.collect::<Vec<_>>() }))
    } else {
        let row = |(manifest, digest, from): &(&Manifest, String, &str)| {
            let summary = output::visible(&manifest.summary);
            format!("{} {} {from} sha256:{digest} {summary}\n", manifest.name, manifest.version)
        };
        all.iter().map(row).collect()
    };
    output::data(&output::visible_lines(&text))?;
    Ok(Exit::Done)
}

fn remove(name: &str) -> Result<Exit, Failure> {
    let state = home::open_or_create()?;
    installed::known(&state, name)?;
    let digest = installed::records(&state).ok().and_then(|records| {
        records.iter().find(|record| record.manifest.name == name).map(|record| record.digest.clone())
    });
    trust_change(&state, name, digest.as_deref().unwrap_or("unreadable"), "absent", "remove")?;
    installed::remove(&state, name)?;
    output::data(&format!("removed {name}\n"))?;
    Ok(Exit::Done)
}
