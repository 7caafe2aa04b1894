//! `check --context`: what a host would say about the run, from the command line.

use crate::exit::Failure;
use holdpoint_core::annotations::Annotations;
use holdpoint_core::digest::Digest;
use holdpoint_core::paths::AbsPath;
use holdpoint_core::proof::{Proof, Transport};
use holdpoint_core::run::{Listed, Run};
use holdpoint_core::words::{Word, WordSet};

/// Every key and what it takes.
const KEYS: &[(&str, &str)] = &[
    ("mode", "working or planning"),
    ("driver", "person, autonomous or background"),
    ("session", "quiet or live"),
    ("tests", "passing, failing or unknown"),
    ("stop", "clear or engaged"),
    ("gesture", "none or held"),
    ("operations-today", "a number"),
    ("recipient", "an address that mail may go to"),
    ("memory-kind", "a kind of memory that was reviewed"),
    ("core-root", "an absolute folder of the agent's own program"),
    (
        "catalogue",
        "SERVER/TOOL, or /TOOL for one of the host itself; with @sha256:DIGEST behind it for one schema of it",
    ),
    ("schema", "sha256:DIGEST of the schema of the called tool"),
    ("annotations", "the JSON object with which the server annotates the called tool"),
    ("unconfirmed-content", "the digest of content from outside that gave orders"),
    ("transport", "cli, hook, mcp-stdio, mcp-http, console or embed"),
    ("evidence", "peer-user, bearer, console-session, csrf-token or host-assertion"),
];

/// The run that the settings describe, and who calls. Without a word about the caller it is the user of this process; as
/// soon as there is one, only what is named was checked.
pub(crate) fn told(settings: &[String]) -> Result<(Run, Proof), Failure> {
    let mut proof = None;
    let mut run = Run::default();
    for setting in settings {
        let (key, value) = setting.split_once('=').ok_or_else(|| unfit(setting))?;
        let about_caller = proof.unwrap_or(Proof { transport: Transport::CommandLine, evidence: WordSet::EMPTY });
        let known = match key {
            "transport" => Word::from_word(value).map(|transport| proof = Some(Proof { transport, ..about_caller })),
            "evidence" => Word::from_word(value).map(|found| {
                proof = Some(Proof { evidence: about_caller.evidence.with(found), ..about_caller });
            }),
            _ => with(run.clone(), key, value).map(|with| run = with),
        };
        known.ok_or_else(|| unfit(setting))?;
    }
    Ok((run, proof.unwrap_or(Proof::of_peer_user(Transport::CommandLine))))
}

fn with(mut run: Run, key: &str, value: &str) -> Option<Run> {
    match key {
        "mode" => run.mode = Word::from_word(value)?,
        "driver" => run.driver = Word::from_word(value)?,
        "session" => run.session = Word::from_word(value)?,
        "tests" => run.tests = Some(Word::from_word(value)?),
        "stop" => run.stop = Word::from_word(value)?,
        "gesture" => run.gesture = Word::from_word(value)?,
        "operations-today" => run.operations_today = value.parse().ok()?,
        "recipient" => run.recipients.push(value.to_owned()),
        "memory-kind" => run.memory_kinds.push(value.to_owned()),
        "core-root" => run.core_roots.push(AbsPath::parse(value)?),
        "unconfirmed-content" => run.unconfirmed_content.push(value.to_owned()),
        "schema" => run.schema = Some(Digest::from_hex(value.strip_prefix("sha256:")?)?),
        "annotations" => run.annotations = Annotations::read(&holdpoint_gateway::json::read(value.as_bytes()).ok()?),
        "catalogue" => {
            let (name, schema) = match value.split_once("@sha256:") {
                Some((name, digest)) => (name, Some(Digest::from_hex(digest)?)),
                None => (value, None),
            };
            let (server, tool) = name.rsplit_once('/')?;
            let listed = Listed { server: server.to_owned(), tool: tool.to_owned(), schema };
            run.catalogue.get_or_insert_default().tools.push(listed);
        }
        _ => return None,
    }
    Some(run)
}

fn unfit(setting: &str) -> Failure {
    let keys: Vec<String> = KEYS.iter().map(|(key, takes)| format!("{key}={takes}")).collect();
    Failure::usage(format!("`{setting}` says nothing about a run"), format!("one of: {}", keys.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_core::run::{Mode, TestStatus};

    #[test]
    fn settings_add_up_and_a_misspelt_one_is_an_error_with_all_keys() {
        let settings = ["mode=planning", "tests=failing", "recipient=a@b", "recipient=c@d", "catalogue=/Bash"];
        let (told, proof) = self::told(&settings.map(str::to_owned)).unwrap();
        assert!(proof.is_authenticated());
        assert_eq!((told.mode, told.tests, told.recipients.len()), (Mode::Planning, Some(TestStatus::Failing), 2));
        let bash = Listed { server: String::new(), tool: "Bash".to_owned(), schema: None };
        assert_eq!(told.catalogue.map(|catalogue| catalogue.tools), Some(vec![bash]));
        let wrong = ["mode", "mode=plan", "mod=planning", "core-root=a", "operations-today=-1", "schema=sha256:12"];
        for setting in wrong.into_iter().chain(["schema=12", "catalogue=s/t@sha256:12"]) {
            let failure = self::told(&[setting.to_owned()]).unwrap_err();
            assert!(KEYS.iter().all(|(key, _)| failure.help.contains(key)), "{setting}: {}", failure.help);
        }
    }

    #[test]
    fn a_tool_of_the_catalogue_may_be_pinned_to_a_schema() {
        let schema = Digest::of_file(b"schema");
        let settings = [format!("catalogue=a/b/t@sha256:{schema}"), format!("schema=sha256:{schema}")];
        let run = told(&settings).unwrap().0;
        let listed = Listed { server: "a/b".to_owned(), tool: "t".to_owned(), schema: Some(schema) };
        assert_eq!(run.catalogue.map(|catalogue| catalogue.tools), Some(vec![listed]));
        assert_eq!(run.schema, Some(schema));
    }

    #[test]
    fn as_soon_as_the_caller_is_told_only_what_is_named_was_checked() {
        let proof =
            |settings: &[&str]| told(&settings.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()).unwrap().1;
        assert!(!proof(&["transport=console"]).is_authenticated());
        let session = ["transport=console", "evidence=console-session"];
        assert!(proof(&session).is_authenticated() && !proof(&session).is_of_own_page());
        assert!(proof(&[&session[..], &["evidence=csrf-token"]].concat()).is_of_own_page());
    }
}
