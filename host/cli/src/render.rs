//! A decision for a person: the answer, the rule, and where in the command it points.

use crate::output::visible;
use holdpoint_core::action::Action;
use holdpoint_core::assess::{Assessment, NodeId};
use holdpoint_core::authorize::{Judged, Recorded};
use holdpoint_core::json::Json;
use holdpoint_core::operation::Span;
use holdpoint_core::verdict::{About, Reason};
use holdpoint_core::words::Word;
use holdpoint_core::{refusal, report};
use std::fmt::Write;

/// Most lines of one part of an explanation; `--json` has everything.
const PART_LINES_MAX: usize = 200;
/// Most further reasons under an answer.
const ALSO_LINES_MAX: usize = 20;
/// Most characters of a name or a command in a line for a person.
const SHOWN_CHARACTERS_MAX: usize = 200;

/// The documented answer as JSON, with what was degraded on the way.
pub(crate) fn document(recorded: &Recorded, degraded: &[String]) -> String {
    let mut document = report::document(recorded.judged());
    if let Json::Object(members) = &mut document {
        let texts = degraded.iter().map(|text| Json::text(text.as_str())).collect();
        members.push(("degraded".to_owned(), Json::Array(texts)));
    }
    document.canonical()
}

/// The answer in a few lines.
pub(crate) fn summary(recorded: &Recorded) -> String {
    let judged = recorded.judged();
    let mut out = String::new();
    let decision = judged.verdict.decision();
    let _ = match judged.verdict.leading() {
        Some(reason) => writeln!(out, "{decision}: {}", sentence(judged, reason)),
        None => writeln!(out, "{decision}: nothing objects at level {}", judged.who.level),
    };
    let mut told = Vec::new();
    for reason in judged.verdict.reasons().iter().filter(|reason| Some(*reason) != judged.verdict.leading()) {
        let line = format!("  also {}: {}\n", reason.decision, sentence(judged, reason));
        if !told.contains(&line) {
            told.push(line);
        }
    }
    out.push_str(&bounded(&told.concat(), ALSO_LINES_MAX));
    if let Some(remedy) = judged.verdict.remedy() {
        let after = remedy.retry_after_s().map_or_else(String::new, |seconds| format!(", for {seconds} s"));
        let _ = writeln!(out, "  remedy: {}{after}", remedy.as_str());
    }
    out
}

/// What a reason says, about what, and the rule it comes from.
fn sentence(judged: &Judged, reason: &Reason) -> String {
    let (_, resource) = refusal::subject(judged, reason);
    let resource = if resource.is_empty() { resource } else { format!(": {}", visible(&resource)) };
    format!("{}{resource} ({})", visible(&reason.detail), reason.rule.as_str())
}

/// The answer with every action and operation, and the reasons drawn under the command.
pub(crate) fn explanation(recorded: &Recorded) -> String {
    let judged = recorded.judged();
    let mut out = summary(recorded);
    let Some(assessment) = &judged.assessment else { return out };
    let mut actions = String::new();
    for (index, node) in assessment.nodes().iter().enumerate() {
        let indent = "  ".repeat(node.depth.saturating_add(1));
        let _ = writeln!(actions, "{indent}{}", shown(&node.action.summary()));
        operations(&mut actions, assessment, index, &indent);
    }
    let escapes: Vec<&str> = assessment.escapes().iter().map(Word::as_str).collect();
    for (title, part) in
        [("actions", actions), ("ways out", escapes.join(", ")), ("reasons", marks(judged, assessment))]
    {
        if !part.is_empty() {
            let _ = writeln!(out, "\n{title}\n{}", bounded(part.trim_end(), PART_LINES_MAX).trim_end());
        }
    }
    let _ = writeln!(out, "\ncorrelation id {}", judged.stamp.correlation_id);
    out
}

/// The first lines of a part, and how many more there are.
fn bounded(part: &str, lines_max: usize) -> String {
    let more = part.lines().count().saturating_sub(lines_max);
    let mut kept: String = part.lines().take(lines_max).flat_map(|line| [line, "\n"]).collect();
    if more > 0 {
        let _ = writeln!(kept, "  … {more} more; --json has all of them");
    }
    kept
}

/// A text on one line, made visible and cut.
fn shown(text: &str) -> String {
    let line = text.replace('\n', "\\n");
    let mut kept: String = visible(&line).chars().take(SHOWN_CHARACTERS_MAX.saturating_add(1)).collect();
    if kept.chars().count() > SHOWN_CHARACTERS_MAX {
        kept.pop();
        kept.push('…');
    }
    kept
}

fn operations(out: &mut String, assessment: &Assessment, node: NodeId, indent: &str) {
    for assessed in assessment.operations().iter().filter(|assessed| assessed.node == node) {
        let operation = &assessed.operation;
        let kind = operation.kind().map_or("nothing", |kind| kind.as_str());
        let place = assessed.place.as_ref().map(|place| place.text());
        let name = operation.target.last().map(|segment| segment.name.clone());
        let resource = place.or(name).unwrap_or_default();
        let _ = writeln!(
            out,
            "{indent}  {} {kind} {}: effect {}, scope {}",
            operation.verb,
            shown(&resource),
            operation.effect,
            operation.scope
        );
    }
    for unknown in assessment.unknowns().iter().filter(|unknown| unknown.node == node) {
        let _ = writeln!(out, "{indent}  not understood: {}", unknown.cause.as_str());
    }
}

/// Each reason with its place in the command underlined.
fn marks(judged: &Judged, assessment: &Assessment) -> String {
    let mut out = String::new();
    for reason in judged.verdict.reasons() {
        let _ = writeln!(out, "  {} by {}: {}", reason.decision, reason.rule.as_str(), visible(&reason.detail));
        if let Some((line, caret)) = place(reason, assessment) {
            let _ = writeln!(out, "    {line}\n    {caret}");
        }
    }
    out
}

/// The line of the command that a reason is about, and carets under the place.
fn place(reason: &Reason, assessment: &Assessment) -> Option<(String, String)> {
    let (node, span) = match reason.about {
        About::Call => return None,
        About::Operation(index) => {
            let assessed = assessment.operations().get(index)?;
            (assessed.node, assessed.operation.origin)
        }
        About::Unknown(index) => {
            let unknown = assessment.unknowns().get(index)?;
            (unknown.node, unknown.origin)
        }
        About::Node(node) => (node, Span { part: 0, start: 0, end: 0 }),
    };
    let root: &Action = &assessment.node(0)?.action;
    let span = report::locate(assessment, node, span);
    let parts = root.parts();
    let text = parts.get(span.part as usize)?;
    let before = text.get(..span.start as usize)?;
    let marked = text.get(span.start as usize..span.end as usize)?;
    let line_start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let line = text.get(line_start..)?.lines().next()?;
    let indent = visible(text.get(line_start..span.start as usize)?).chars().count();
    // A mark past the end of what is shown would point at nothing.
    if indent >= SHOWN_CHARACTERS_MAX {
        return Some((shown(marked.lines().next().unwrap_or("")), "^".to_owned()));
    }
    let width = visible(marked.lines().next().unwrap_or("")).chars().count().max(1);
    let width = width.min(SHOWN_CHARACTERS_MAX.saturating_sub(indent));
    Some((shown(line), format!("{}{}", " ".repeat(indent), "^".repeat(width))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_just_over_its_lines_says_how_many_are_missing() {
        let lines = |count: usize| "x\n".repeat(count);
        assert_eq!(bounded(&lines(3), 3), lines(3));
        assert_eq!(bounded(&lines(5), 3), lines(3) + "  … 2 more; --json has all of them\n");
    }

    #[test]
    fn a_text_just_over_its_length_is_cut_and_stays_on_one_line() {
        assert_eq!(shown(&"x".repeat(SHOWN_CHARACTERS_MAX)), "x".repeat(SHOWN_CHARACTERS_MAX));
        assert_eq!(shown(&"x".repeat(SHOWN_CHARACTERS_MAX + 1)), "x".repeat(SHOWN_CHARACTERS_MAX) + "…");
        assert_eq!(shown("a\nb"), "a\\nb");
    }
}
