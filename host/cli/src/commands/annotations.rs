//! `plugin annotations`: what hosts may show a person of the tools that a vocabulary knows. It follows from the actions that
//! the manifest declares, so nobody writes it by hand.

use crate::exit::{Exit, Failure};
use crate::installed::Installed;
use crate::output::{self, Form};
use crate::{embedded, home};
use holdpoint_core::annotations::produced;
use holdpoint_core::json::Json;
use holdpoint_runtime::Manifest;

/// The members that are hints, in the order in which they are shown.
const HINTS: &[&str] = &["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/// Prints the annotations of each tool.
pub(crate) fn run(name: &str, form: Form) -> Result<Exit, Failure> {
    let own = embedded::vocabularies().map_err(Failure::internal)?;
    let installed = Installed::of(&home::open_or_create()?)?;
    let manifests = own.iter().map(|vocabulary| &vocabulary.manifest);
    let mut manifests = manifests.chain(installed.records.iter().map(|record| &record.manifest));
    let manifest = manifests.find(|manifest| manifest.name == name).ok_or_else(|| {
        Failure::usage(format!("no vocabulary `{name}` is in force"), "`holdpoint plugin list` shows all of them")
    })?;
    let tools = annotated(manifest)?;
    output::data(&match form {
        Form::Json => {
            let tools = tools.into_iter().map(|(server, tool, annotations)| {
                let text = |text: String| Json::text(text);
                Json::object([("server", text(server)), ("name", text(tool)), ("annotations", annotations)])
            });
            let document = Json::object([
                ("schema", Json::count(1)),
                ("vocabulary", Json::text(name)),
                ("tools", Json::Array(tools.collect())),
            ]);
            document.canonical() + "\n"
        }
        Form::Text => output::visible_lines(&tools.iter().map(line).collect::<String>()),
    })?;
    Ok(Exit::Done)
}

/// Server, name and annotations of each tool.
fn annotated(manifest: &Manifest) -> Result<Vec<(String, String, Json)>, Failure> {
    let declared = manifest.declared().map_err(|error| Failure::internal(error.to_string()))?;
    let one = |tool: &holdpoint_runtime::ToolRoute| {
        let annotations = produced(declared.of_tool(&tool.server, &tool.name), &tool.name);
        (tool.server.clone(), tool.name.clone(), annotations)
    };
    Ok(manifest.routes.tools.iter().map(one).collect())
}

fn line((server, tool, annotations): &(String, String, Json)) -> String {
    let holds = |hint: &&&str| annotations.get(hint) == Some(&Json::Bool(true));
    let hints: Vec<&str> = HINTS.iter().filter(holds).copied().collect();
    format!("{server}/{tool}: {}\n", if hints.is_empty() { "no hint".to_owned() } else { hints.join(" ") })
}
