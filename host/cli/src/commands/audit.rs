//! `audit`: show and verify what was written down.

use crate::audit_args::{AuditCommand, ShowArgs};
use crate::commands::audit_export;
use crate::commands::toggle_text::answers;
use crate::exit::{Exit, Failure};
use crate::output::{Form, Reader};
use crate::{gate, home, output};
use holdpoint_core::report::DECISION;
use holdpoint_store::day::DAY_MS;
use holdpoint_store::verify::StreamReport;
use holdpoint_store::{
    Answer, Cut, Day, Entry, Filter, Follow, Member, StateFolder, Verification, answer, count_for, verify,
};
use serde_json::{Value, json};
use std::time::Duration;

/// Milliseconds between two looks for new lines.
const FOLLOW_MS: u64 = 200;

/// Runs an `audit` command. It only reads, so it never makes a state folder.
pub(crate) fn run(command: AuditCommand) -> Result<Exit, Failure> {
    let state = || Ok::<_, Failure>(StateFolder::open(&home::state_path()?)?);
    let form = |json| if json { Form::Json } else { Form::Text };
    match command {
        AuditCommand::Show(args) => show(&state()?, &args),
        AuditCommand::Refused(args) => show(&state()?, &args.shown()),
        AuditCommand::Count { key, json } => count(&state()?, &key, form(json)),
        AuditCommand::Export(args) => audit_export::write(&state()?, &args),
        AuditCommand::Verify { export: Some(document), json } => audit_export::verify(&document, form(json)),
        AuditCommand::Verify { export: None, json } => {
            let verification = verify(&state()?)?;
            output::data(&if json { as_json(&verification) } else { as_text(&verification) })?;
            Ok(if verification.is_intact() { Exit::Done } else { Exit::Audit })
        }
    }
}

fn show(state: &StateFolder, args: &ShowArgs) -> Result<Exit, Failure> {
    let filter = filter(args)?;
    let stream = args.stream.stream();
    if args.follow {
        let (shown, follow) = Follow::of(state, stream, filter).map_err(|error| unreadable(state, &error))?;
        return follow_on(state, args, &shown, follow);
    }
    let shown = answer(state, stream, &filter)?;
    output::data(&text(args, &shown.entries))?;
    tell_cut(&shown);
    Ok(Exit::Done)
}

/// Shows new lines until somebody ends the command or nobody reads it any more.
fn follow_on(state: &StateFolder, args: &ShowArgs, shown: &Answer, mut follow: Follow) -> Result<Exit, Failure> {
    let mut reader = output::data_to_reader(&text(args, &shown.entries))?;
    tell_cut(shown);
    while reader == Reader::There {
        let entries = follow.poll().map_err(|error| unreadable(state, &error))?;
        if entries.is_empty() {
            std::thread::sleep(Duration::from_millis(FOLLOW_MS));
        }
        reader = output::data_to_reader(&text(args, &entries))?;
    }
    Ok(Exit::Done)
}

fn unreadable(state: &StateFolder, error: &std::io::Error) -> Failure {
    Failure::new(
        Exit::Audit,
        format!("the record in `{}` cannot be read: {error}", state.path().display()),
        "`holdpoint audit verify` says more",
    )
}

fn tell_cut(shown: &Answer) {
    if let Some(cut) = &shown.cut {
        output::note(&format!("note: {}", output::visible(&cut.text())));
    }
}

fn text(args: &ShowArgs, entries: &[Entry]) -> String {
    let line = |entry: &Entry| if args.json { entry.text.clone() } else { human(entry) };
    entries.iter().map(|entry| line(entry) + "\n").collect()
}

fn filter(args: &ShowArgs) -> Result<Filter, Failure> {
    let today = gate::now_ms();
    let before = |days: u32| Day::at(today.saturating_sub(u64::from(days).saturating_mul(DAY_MS)));
    let mut filter = Filter::last(args.last);
    filter.since = args.range.since.or(args.days.map(before));
    filter.until = args.range.until;
    if let Some(id) = &args.id {
        filter = filter.with(Member::CorrelationId, id);
    }
    args.members.iter().try_fold(filter, |filter, wanted| {
        let known = || Member::ALL.map(Member::as_str).join(", ");
        let (member, value) = wanted
            .split_once('=')
            .and_then(|(member, value)| Some((Member::from_word(member)?, value)))
            .ok_or_else(|| Failure::usage(format!("`{wanted}` picks no lines"), format!("members: {}", known())))?;
        Ok(filter.with(member, value))
    })
}

fn count(state: &StateFolder, key: &str, form: Form) -> Result<Exit, Failure> {
    let counts = count_for(state, key)?;
    let text = match form {
        Form::Json => {
            let cut = counts.cut.as_ref().map(Cut::text);
            json!({ "schema": 1, "key": key, "ok": counts.ok, "denied": counts.denied, "cut": cut }).to_string() + "\n"
        }
        Form::Text => format!("{}: {} made, {} denied\n", output::visible(key), counts.ok, counts.denied),
    };
    output::data(&text)?;
    if let Some(cut) = &counts.cut {
        output::note(&format!("note: {}", output::visible(&cut.text())));
    }
    Ok(Exit::Done)
}

fn human(entry: &Entry) -> String {
    let value = &entry.value;
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or("-").to_owned();
    let time = value.get("ts").and_then(Value::as_f64).unwrap_or_default();
    let line = match value.get("kind").and_then(Value::as_str) {
        Some(DECISION) => format!(
            "{time:.3} {} {} {} {} {}{}",
            text("decision"),
            text("rule"),
            text("actor"),
            text("tool"),
            text("correlation_id"),
            still_needed(value)
        ),
        Some(kind) => format!("{time:.3} {kind}{}", members(value)),
        None => format!(
            "{time:.3} {} {}{} {} -> {} {}",
            text("result"),
            text("key"),
            value.get("layer").map_or_else(String::new, |_| format!(" for the {}", text("layer"))),
            text("from_state"),
            text("to_state"),
            text("actor")
        ),
    };
    output::visible(&line)
}

/// Members that say where a line stands and not what it says.
const FRAME: &[&str] = &["seq", "prev", "hash", "heads", "frozen", "ts", "kind"];

/// What a line says, member by member. Nested members are left to `--json`.
fn members(line: &Value) -> String {
    let told = line.as_object().into_iter().flatten().filter(|(member, _)| !FRAME.contains(&member.as_str()));
    let told = told.filter_map(|(member, value)| match value {
        Value::String(text) => Some(format!(" {member}={text}")),
        Value::Number(number) => Some(format!(" {member}={number}")),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    });
    told.collect()
}

/// The question that a decision asks about the loosenings it rests on.
fn still_needed(line: &Value) -> String {
    let keys = line.get("still_needed").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    keys.map(|key| format!("; {key} was loosened over a day ago, still needed? {}", answers(key))).collect()
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
    let mut text = stream("decisions", &verification.decisions)
        + &stream("transitions", &verification.transitions)
        + &stream("uses", &verification.uses)
        + &stream("content", &verification.content)
        + &stream("approvals", &verification.approvals)
        + &stream("holds", &verification.holds)
        + &stream("trust", &verification.trust);
    if let Some(lost) = &verification.first_lost_anchor {
        text += &format!("lost: {} line {} names a decision that is not there\n", lost.file, lost.line);
    }
    if let Some(lost) = &verification.first_lost_head {
        let stream = lost.stream.folder_name();
        text += &format!("lost: {} line {} names a line of the {stream} that is not there\n", lost.file, lost.line);
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
        "uses": stream(&verification.uses),
        "content": stream(&verification.content),
        "approvals": stream(&verification.approvals),
        "holds": stream(&verification.holds),
        "trust": stream(&verification.trust),
        "anchors": verification.anchors,
        "first_lost_head": verification.first_lost_head.as_ref().map(|lost| {
            json!({ "file": lost.file, "line": lost.line, "stream": lost.stream.folder_name() })
        }),
        "first_lost_anchor": lost.map(|lost| json!({ "file": lost.file, "line": lost.line })),
    });
    format!("{document}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_that_rests_on_an_old_loosening_asks_and_says_how_to_answer() {
        let asked = still_needed(&json!({ "still_needed": ["code.auto_push"] }));
        for part in ["code.auto_push", "still needed?", "toggle tighten code.auto_push", "toggle keep code.auto_push"] {
            assert!(asked.contains(part), "{part}: {asked}");
        }
        assert_eq!(still_needed(&json!({ "still_needed": [] })), "");
        assert_eq!(still_needed(&json!({})), "", "a line from before there was a question");
    }
}
