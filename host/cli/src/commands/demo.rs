//! `demo`: the product in three calls, on a state folder of its own that is gone afterwards.

use crate::commands::audit;
use crate::exit::{Exit, Failure};
use crate::gate::Gate;
use crate::{home, output, render};
use holdpoint::Call;
use holdpoint::core::json::Json;
use holdpoint_store::{Counting, verify};
use std::path::PathBuf;

/// A call an agent makes all day, one that a person should see, and one that nothing permits.
const CALLS: &[&str] = &["ls -l src | grep main", "rm -rf build && git push --force", "echo done; rm -rf /"];

/// Shows the three calls.
pub(crate) fn run() -> Result<Exit, Failure> {
    let scratch = Scratch::new()?;
    output::note("compiling the vocabularies that this binary carries (once for each state folder) …");
    let gate = Gate::open(home::create(&scratch.0.join("state"))?, Counting::Take)?;
    for line in CALLS {
        let call = Call {
            server: String::new(),
            tool: "Bash".to_owned(),
            arguments: Json::object([("command", Json::text(*line))]),
        };
        let recorded = gate.holdpoint.decide(gate.gated_caller("agent", &scratch.0)?, call);
        output::data(&format!("$ {line}\n{}\n", render::summary(&recorded)))?;
    }
    gate.parts.degraded().iter().for_each(|text| output::note(&format!("degraded: {text}")));
    let verification = verify(&gate.parts.state)?;
    output::data(&audit::as_text(&verification))?;
    Ok(if verification.is_intact() { Exit::Done } else { Exit::Audit })
}

/// A folder that is removed when it is no longer needed.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new() -> Result<Scratch, Failure> {
        use std::os::unix::fs::DirBuilderExt;
        let mut name = [0_u8; 8];
        getrandom::fill(&mut name).map_err(|error| Failure::internal(error.to_string()))?;
        let path = std::env::temp_dir().join(format!("holdpoint-{}", hex::encode(name)));
        std::fs::DirBuilder::new().mode(0o700).create(&path).map_err(|error| Failure::file(&path, &error))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on the folder being gone.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
