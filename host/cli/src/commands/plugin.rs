//! `plugin`: inspect, sign, verify and list vocabularies. What changes what is installed has a file of its own.

use crate::args::PluginCommand;
use crate::commands::{key, plugin_change};
use crate::exit::{Exit, Failure};
use crate::installed::{self, Installed, Signed};
use crate::output::Form;
use crate::trusted::Trusted;
use crate::{embedded, gate, home, output};
use holdpoint_runtime::{Limits, Manifest, Proof, prove};
use holdpoint_signing::{CONTRACT, Statement, sign};
use holdpoint_store::StateFolder;
use serde_json::json;
use std::fmt::Write;
use std::io::Read;
use std::path::Path;

const SECONDS_A_DAY: u64 = 86_400;

/// Runs a `plugin` command.
pub(crate) fn run(command: PluginCommand) -> Result<Exit, Failure> {
    match command {
        PluginCommand::Build { folder, out } => super::plugin_build::run(&folder, out),
        PluginCommand::Inspect { file, json } => inspect(&file, if json { Form::Json } else { Form::Text }),
        PluginCommand::Annotations { name, json } => {
            super::annotations::run(&name, if json { Form::Json } else { Form::Text })
        }
        PluginCommand::Sign { file, key, valid_days } => sign_file(&file, &key, valid_days),
        PluginCommand::Verify { file, key } => verify_file(&file, key),
        PluginCommand::Install { file, key, approve, json } => {
            plugin_change::install(&file, key, approve.as_deref(), if json { Form::Json } else { Form::Text })
        }
        PluginCommand::List { json } => list(if json { Form::Json } else { Form::Text }),
        PluginCommand::Remove { name, json } => {
            plugin_change::remove(&name, if json { Form::Json } else { Form::Text })
        }
        PluginCommand::Diff { file, json } => plugin_change::diff(&file, if json { Form::Json } else { Form::Text }),
        PluginCommand::Activate { number, json } => {
            plugin_change::activate(number, if json { Form::Json } else { Form::Text })
        }
        PluginCommand::Rollback { json } => plugin_change::rollback(if json { Form::Json } else { Form::Text }),
        PluginCommand::Status { json } => plugin_change::status(if json { Form::Json } else { Form::Text }),
    }
}

/// Reads a component. One that is too long is not held in memory to be refused.
pub(crate) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let bytes_max = Limits::DEFAULT.component_bytes_max;
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).map_err(|error| Failure::file(file, &error))?;
    let read = opened.take(u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Failure::file(file, &error))?;
    if bytes.len() > bytes_max {
        let what = format!("`{}` is over {bytes_max} bytes", file.display());
        return Err(Failure::new(Exit::Plugin, what, "a vocabulary is at most that long"));
    }
    Ok(bytes)
}

pub(crate) fn proved(component: &[u8]) -> Result<(Manifest, Proof), Failure> {
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
pub(crate) fn described(manifest: &Manifest) -> String {
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

fn verify_file(file: &Path, key: Option<String>) -> Result<Exit, Failure> {
    let state = home::open_or_create()?;
    let (_, manifest, proof) = verified(&state, file, key)?;
    output::data(&format!(
        "{} {} release {} sha256:{}: the signature holds\n",
        manifest.name,
        manifest.version,
        manifest.release,
        proof.digest()
    ))?;
    Ok(Exit::Done)
}

/// A component that is verified, and proved to import nothing.
pub(crate) fn verified(
    state: &StateFolder,
    file: &Path,
    key: Option<String>,
) -> Result<(Signed, Manifest, Proof), Failure> {
    if let Some(key) = &key {
        key.parse::<holdpoint_signing::PublicKey>().map_err(|error| {
            Failure::usage(format!("--key: {error}"), "pass the line that `holdpoint key new` printed")
        })?;
    }
    let component = read(file)?;
    let path = installed::signature_path(file);
    let envelope = std::fs::read_to_string(&path).map_err(|error| Failure::file(&path, &error))?;
    let signed = Signed { component, envelope, key };
    signed.verify(&Trusted::of(state)?)?;
    let (manifest, proof) = proved(&signed.component)?;
    Ok((signed, manifest, proof))
}

fn list(form: Form) -> Result<Exit, Failure> {
    let state = home::open_or_create()?;
    let own = embedded::vocabularies().map_err(Failure::internal)?;
    let own = own.iter().map(|vocabulary| (&vocabulary.manifest, vocabulary.digest.hex(), "binary"));
    let installed = Installed::of(&state)?;
    let others = installed.records.iter().map(|record| (&record.manifest, record.digest.clone(), "installed"));
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
