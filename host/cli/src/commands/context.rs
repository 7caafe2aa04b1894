//! `check --context`: what a host would say about the run, from the command line.

use crate::exit::Failure;
use holdpoint_core::paths::AbsPath;
use holdpoint_core::run::Run;
use holdpoint_core::words::Word;

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
    ("catalogue", "SERVER/TOOL, or /TOOL for one of the host itself"),
];

/// The run that the settings describe.
pub(crate) fn run(settings: &[String]) -> Result<Run, Failure> {
    settings.iter().try_fold(Run::default(), |run, setting| {
        let (key, value) = setting.split_once('=').ok_or_else(|| unfit(setting))?;
        with(run, key, value).ok_or_else(|| unfit(setting))
    })
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
        "catalogue" => {
            let (server, tool) = value.rsplit_once('/')?;
            run.catalogue.get_or_insert_default().push((server.to_owned(), tool.to_owned()));
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
        let told = run(&settings.map(str::to_owned)).unwrap();
        assert_eq!((told.mode, told.tests, told.recipients.len()), (Mode::Planning, Some(TestStatus::Failing), 2));
        assert_eq!(told.catalogue, Some(vec![(String::new(), "Bash".to_owned())]));
        for setting in ["mode", "mode=plan", "mod=planning", "core-root=a", "operations-today=-1"] {
            let failure = run(&[setting.to_owned()]).unwrap_err();
            assert!(KEYS.iter().all(|(key, _)| failure.help.contains(key)), "{setting}: {}", failure.help);
        }
    }
}
