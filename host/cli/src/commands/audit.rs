//! `audit`: show and verify what was written down.

use crate::args::AuditCommand;
use crate::exit::{Exit, Failure};
use crate::{home, output};
use holdpoint_store::verify::StreamReport;
use holdpoint_store::{Entry, Filter, StateFolder, Stream, Verification, read, verify};
use serde_json::{Value, json};

/// Runs an `audit` command. It only reads, so it never makes a state folder.
pub(crate) fn run(command: AuditCommand) -> Result<Exit, Failure> {
    let state = StateFolder::open(&home::state_path()?)?;
    match command {
        AuditCommand::Show { last, id, transitions, json } => {
            let stream = if transitions { Stream::Transitions } else { Stream::Decisions };
            let mut filter = Filter::last(last);
            filter.members.extend(id.map(|id| ("correlation_id".to_owned(), id)));
            let entries = read(&state, stream, &filter)?;
            let line = |entry: &Entry| if json { entry.text.clone() } else { human(entry) };
            output::data(&entries.iter().map(|entry| line(entry) + "\n").collect::<String>())?;
            Ok(Exit::Done)
        }
        AuditCommand::Verify { json } => {
            let verification = verify(&state)?;
            output::data(&if json { as_json(&verification) } else { as_text(&verification) })?;
            Ok(if verification.is_intact() { Exit::Done } else { Exit::Audit })
        }
    }
}

fn human(entry: &Entry) -> String {
    let text = |key: &str| entry.value.get(key).and_then(Value::as_str).unwrap_or("-").to_owned();
    let time = entry.value.get("ts").and_then(Value::as_f64).unwrap_or_default();
    let line = if entry.value.get("decision").is_some() {
        format!(
            "{time:.3} {} {} {} {} {}",
            text("decision"),
            text("rule"),
            text("actor"),
            text("tool"),
            text("correlation_id")
        )
    } else {
        format!(
            "{time:.3} {} {} {} -> {} {}",
            text("result"),
            text("key"),
            text("from_state"),
            text("to_state"),
            text("actor")
        )
    };
    output::visible(&line)
}

/// The result for a person.
pub(crate) fn as_text(verification: &Verification) -> String {
    let stream = |name: &str, report: &StreamReport| {
        let mut text = format!("{name}: {} lines in {} files, head {}\n", report.lines, report.files, report.head.hash);
        if let Some(tail) = &report.torn_tail {
            text += &format!("  {}: {} bytes of a line that was never acknowledged\n", tail.file, tail.bytes);
        }
        if let Some(broken) = &report.first_break {
            text += &format!("  broken: {} line {} {}\n", broken.file, broken.line, broken.what.text());
        }
        text
    };
    let mut text = stream("decisions", &verification.decisions) + &stream("transitions", &verification.transitions);
    if let Some(lost) = &verification.first_lost_anchor {
        text += &format!("lost: {} line {} names a decision that is not there\n", lost.file, lost.line);
    }
    text + if verification.is_intact() { "the chain verifies\n" } else { "the chain is broken\n" }
}

fn as_json(verification: &Verification) -> String {
    let stream = |report: &StreamReport| {
        json!({
            "files": report.files,
            "lines": report.lines,
            "head": { "seq": report.head.seq, "hash": report.head.hash.hex() },
            "torn_tail": report.torn_tail.as_ref().map(|tail| json!({ "file": tail.file, "bytes": tail.bytes })),
            "torn_files": report.torn_files,
            "first_break": report.first_break.as_ref()
                .map(|broken| json!({ "file": broken.file, "line": broken.line, "what": broken.what.text() })),
        })
    };
    let lost = verification.first_lost_anchor.as_ref();
    let document = json!({
        "schema": 1,
        "intact": verification.is_intact(),
        "decisions": stream(&verification.decisions),
        "transitions": stream(&verification.transitions),
        "anchors": verification.anchors,
        "first_lost_anchor": lost.map(|lost| json!({ "file": lost.file, "line": lost.line })),
    });
    format!("{document}\n")
}
