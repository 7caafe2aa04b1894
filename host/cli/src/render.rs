//! A decision for a person: the answer, the rule, and where in the command it points.

use crate::output::visible;
use holdpoint_core::action::Action;
use holdpoint_core::assess::{Assessment, NodeId};
use holdpoint_core::authorize::{Judged, Recorded};
use holdpoint_core::json::Json;
use holdpoint_core::operation::Span;
use holdpoint_core::report;
use holdpoint_core::verdict::{About, Decision, Reason};
use std::fmt::Write;

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
        let line = format!("{}: {}", reason.decision, sentence(judged, reason));
        if !told.contains(&line) {
            let _ = writeln!(out, "  also {line}");
            told.push(line);
        }
    }
    if decision == Decision::Deny
        && let Some(reason) = judged.verdict.leading()
    {
        let _ = writeln!(out, "  remedy: {}", reason.rule.remedy());
    }
    out
}

/// What a reason says, about what, and the rule it comes from.
fn sentence(judged: &Judged, reason: &Reason) -> String {
    let (_, resource) = report::subject(judged, reason);
    let resource = if resource.is_empty() { resource } else { format!(": {}", visible(&resource)) };
    format!("{}{resource} ({})", visible(&reason.detail), reason.rule.as_str())
}

/// The answer with every action and operation, and the reasons drawn under the command.
pub(crate) fn explanation(recorded: &Recorded) -> String {
    let judged = recorded.judged();
    let mut out = summary(recorded);
    let Some(assessment) = &judged.assessment else { return out };
    let _ = writeln!(out, "\nactions");
    for (index, node) in assessment.nodes().iter().enumerate() {
        let indent = "  ".repeat(node.depth.saturating_add(1));
        let _ = writeln!(out, "{indent}{}", visible(&node.action.summary()));
        operations(&mut out, assessment, index, &indent);
    }
    let marks = marks(judged, assessment);
    if !marks.is_empty() {
        let _ = writeln!(out, "\nreasons");
        out.push_str(&marks);
    }
    let _ = writeln!(out, "\ncorrelation id {}", judged.stamp.correlation_id);
    out
}

fn operations(out: &mut String, assessment: &Assessment, node: NodeId, indent: &str) {
    for assessed in assessment.operations().iter().filter(|assessed| assessed.node == node) {
        let operation = &assessed.operation;
        let kind = operation.kind().map_or("nothing", |kind| holdpoint_core::words::Word::as_str(kind));
        let place = assessed.place.as_ref().map(|place| place.text());
        let name = operation.target.last().map(|segment| segment.name.clone());
        let resource = place.or(name).unwrap_or_default();
        let _ = writeln!(
            out,
            "{indent}  {} {kind} {}: effect {}, scope {}",
            operation.verb,
            visible(&resource),
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
    let width = visible(marked.lines().next().unwrap_or("")).chars().count().max(1);
    Some((visible(line), format!("{}{}", " ".repeat(indent), "^".repeat(width))))
}
