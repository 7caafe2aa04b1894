//! A judged call as a JSON document for the caller, and as a line for the journal. Every sentence in either was written
//! by the core; text that came from outside stands only in members that hold names.

use crate::action::Action;
use crate::approval::Consent;
use crate::assess::{Assessed, Assessment, NodeId, Unknown};
use crate::authorize::Judged;
use crate::journal::Line;
use crate::json::{Json, Number};
use crate::operation::{Obligation, Span};
use crate::refusal::{challenge, refusal, remedy, shortened, stage};
use crate::uses::Use;
use crate::verdict::{About, Reason};
use crate::words::Word;
use alloc::vec::Vec;

/// The kind of a journal line that records a decision.
pub const DECISION: &str = "decision";
/// Version of the document.
const SCHEMA: u64 = 1;
/// Most operations and reasons in a journal line.
pub const LINE_ITEMS_MAX: usize = 64;

/// The document for the caller.
pub fn document(judged: &Judged) -> Json {
    let verdict = &judged.verdict;
    let operations = judged.assessment.as_ref().map_or(Vec::new(), |assessment| {
        assessment.operations().iter().map(|assessed| operation(assessment, assessed)).collect()
    });
    let unknowns = judged.assessment.as_ref().map_or(Vec::new(), |assessment| {
        assessment.unknowns().iter().map(|unknown| doubt(assessment, unknown)).collect()
    });
    Json::object([
        ("schema", Json::count(SCHEMA)),
        ("decision", Json::text(verdict.decision().as_str())),
        ("rule", rule(judged)),
        ("reasons", Json::Array(verdict.reasons().iter().map(reason).collect())),
        ("operations", Json::Array(operations)),
        ("unknown", Json::Array(unknowns)),
        ("obligations", Json::Array(verdict.obligations().iter().map(obligation).collect())),
        ("escapes", judged.assessment.as_ref().map_or(Json::Array(Vec::new()), |known| list(known.escapes().iter()))),
        ("refusal", refusal(judged)),
        ("challenge", challenge(judged)),
        ("consent", judged.consent.as_ref().map_or(Json::Null, Consent::document)),
        ("principal", Json::text(judged.who.principal.as_str())),
        ("level", Json::text(judged.who.level.as_str())),
        ("digest", judged.digest().map_or(Json::Null, |digest| Json::text(digest.hex()))),
        ("correlation_id", Json::text(judged.stamp.correlation_id.as_str())),
    ])
}

/// The journal line: digests, words of closed lists and shortened names, no arguments.
pub fn line(judged: &Judged) -> Line {
    let assessment = judged.assessment.as_ref();
    let operations = assessment
        .map_or(Vec::new(), |assessment| assessment.operations().iter().take(LINE_ITEMS_MAX).map(redacted).collect());
    let verdict = &judged.verdict;
    let reasons = verdict.reasons().iter().take(LINE_ITEMS_MAX).map(|reason| {
        Json::object([("rule", Json::text(reason.rule.as_str())), ("decision", Json::text(reason.decision.as_str()))])
    });
    let unknown = assessment.map_or(Vec::new(), |assessment| {
        assessment.unknowns().iter().take(LINE_ITEMS_MAX).map(|unknown| Json::text(unknown.cause.as_str())).collect()
    });
    let tool = judged.call.as_ref().map(|call| call.tool());
    let name = |text: Option<&str>| text.map_or(Json::Null, |text| Json::text(shortened(text)));
    let sources = judged.sources.iter().map(|source| Json::text(source.as_str()));
    let members = Json::object([
        ("ts", timestamp(judged.stamp.at_ms)),
        ("kind", Json::text(DECISION)),
        ("stage", Json::text(stage(judged).as_str())),
        ("via", Json::text(judged.who.via.as_str())),
        ("run", name(Some(judged.who.run.as_str()).filter(|run| !run.is_empty()))),
        ("call", name(Some(judged.who.call.as_str()).filter(|call| !call.is_empty()))),
        ("actor", Json::text(shortened(&judged.who.principal))),
        ("level", Json::text(judged.who.level.as_str())),
        ("correlation_id", Json::text(shortened(&judged.stamp.correlation_id))),
        ("server", name(tool.map(|tool| tool.server.as_str()))),
        ("tool", name(tool.map(|tool| tool.name.as_str()))),
        ("digest", judged.digest().map_or(Json::Null, |digest| Json::text(digest.hex()))),
        ("decision", Json::text(verdict.decision().as_str())),
        ("rule", rule(judged)),
        ("reasons", Json::Array(reasons.collect())),
        ("operations", Json::Array(operations)),
        ("operation_count", Json::count(assessment.map_or(0, |assessment| assessment.operations().len()) as u64)),
        ("unknown", Json::Array(unknown)),
        ("vocabularies", Json::Array(sources.take(LINE_ITEMS_MAX).collect())),
        ("hypothetical", Json::Array(judged.hypothetical.iter().map(|key| Json::text(shortened(key))).collect())),
        ("uses", Json::Array(judged.uses.iter().map(counted).collect())),
        ("strength", verdict.strength().map_or(Json::Null, |strength| Json::text(strength.as_str()))),
        ("remedy", remedy(judged)),
        ("consent", judged.consent.as_ref().map_or(Json::Null, Consent::document)),
        ("challenge", judged.challenge.as_ref().map_or(Json::Null, |waiting| Json::text(waiting.id.as_str()))),
        ("undo_window_ms", Json::count(verdict.undo_window_ms())),
        ("still_needed", list(judged.still_needed.iter().copied())),
    ]);
    Line::new(members).unwrap_or_else(|| bare_line(judged))
}

/// Everything that is known about a call and that an answer to a question about it rests on.
pub fn bound(assessment: &Assessment) -> Json {
    let operations = assessment.operations().iter().map(|assessed| operation(assessment, assessed));
    let unknowns = assessment.unknowns().iter().map(|unknown| doubt(assessment, unknown));
    let obligations: Vec<Obligation> = assessment.obligations().collect();
    let facts = assessment.facts().map(|fact| {
        Json::object([
            ("kind", Json::text(fact.query.kind.as_str())),
            ("subject", Json::text(fact.query.subject.as_str())),
            ("answer", Json::text(fact.answer.as_str())),
        ])
    });
    Json::object([
        ("operations", Json::Array(operations.collect())),
        ("unknown", Json::Array(unknowns.collect())),
        ("obligations", Json::Array(obligations.iter().map(obligation).collect())),
        ("escapes", list(assessment.escapes().iter())),
        ("facts", Json::Array(facts.collect())),
    ])
}

fn counted(taken: &Use) -> Json {
    Json::object([("key", Json::text(taken.key.as_str())), ("count", Json::count(taken.count))])
}

/// What is left of a line that would be too long. Every member is bounded, so this one never is.
fn bare_line(judged: &Judged) -> Line {
    let members = Json::object([
        ("ts", timestamp(judged.stamp.at_ms)),
        ("kind", Json::text(DECISION)),
        ("correlation_id", Json::text(shortened(&judged.stamp.correlation_id))),
        ("decision", Json::text(judged.verdict.decision().as_str())),
        ("shortened", Json::Bool(true)),
    ]);
    Line::bounded(members)
}

/// Seconds since the Unix epoch with milliseconds, as the paper's audit record has them.
pub fn timestamp(at_ms: u64) -> Json {
    let seconds = at_ms as f64 / 1_000.0;
    Number::float(seconds).map_or(Json::Null, Json::Number)
}

fn rule(judged: &Judged) -> Json {
    judged.verdict.leading().map_or(Json::Null, |reason| Json::text(reason.rule.as_str()))
}

fn list<T: Word>(words: impl Iterator<Item = T>) -> Json {
    Json::Array(words.map(|word| Json::text(word.as_str())).collect())
}

fn reason(reason: &Reason) -> Json {
    let about = |name: &'static str, index: usize| (name, Json::count(index as u64));
    let (name, index) = match reason.about {
        About::Call => ("call", Json::Null),
        About::Operation(index) => about("operation", index),
        About::Unknown(index) => about("unknown", index),
        About::Node(index) => about("action", index),
    };
    Json::object([
        ("rule", Json::text(reason.rule.as_str())),
        ("decision", Json::text(reason.decision.as_str())),
        ("about", Json::text(name)),
        ("index", index),
        ("detail", Json::text(reason.detail.as_str())),
    ])
}

fn operation(assessment: &Assessment, assessed: &Assessed) -> Json {
    let operation = &assessed.operation;
    let target = operation.target.iter().map(|segment| {
        Json::object([
            ("kind", Json::text(segment.kind.as_str())),
            ("name", Json::text(segment.name.as_str())),
            ("certainty", Json::text(segment.certainty.as_str())),
        ])
    });
    Json::object([
        ("verb", Json::text(operation.verb.as_str())),
        ("native", Json::text(operation.native.as_str())),
        ("target", Json::Array(target.collect())),
        ("access", Json::text(operation.access.as_str())),
        ("effect", Json::text(operation.effect.as_str())),
        ("scope", Json::text(operation.scope.as_str())),
        ("traits", list(operation.traits.iter())),
        ("place", assessed.place.as_ref().map_or(Json::Null, |place| Json::text(place.text()))),
        ("action", Json::count(assessed.node as u64)),
        ("span", span(locate(assessment, assessed.node, operation.origin))),
    ])
}

fn redacted(assessed: &Assessed) -> Json {
    let operation = &assessed.operation;
    let place = assessed.place.as_ref().map(|place| shortened(&place.text()));
    Json::object([
        ("verb", Json::text(operation.verb.as_str())),
        ("native", Json::text(shortened(&operation.native))),
        ("kind", operation.kind().map_or(Json::Null, |kind| Json::text(kind.as_str()))),
        ("effect", Json::text(operation.effect.as_str())),
        ("scope", Json::text(operation.scope.as_str())),
        ("place", place.map_or(Json::Null, Json::text)),
    ])
}

fn doubt(assessment: &Assessment, unknown: &Unknown) -> Json {
    Json::object([
        ("cause", Json::text(unknown.cause.as_str())),
        ("action", Json::count(unknown.node as u64)),
        ("span", span(locate(assessment, unknown.node, unknown.origin))),
    ])
}

fn obligation(obligation: &Obligation) -> Json {
    Json::object([("kind", Json::text(obligation.kind.as_str())), ("amount", Json::count(obligation.amount))])
}

fn span(span: Span) -> Json {
    Json::object([
        ("part", Json::count(u64::from(span.part))),
        ("start", Json::count(u64::from(span.start))),
        ("end", Json::count(u64::from(span.end))),
    ])
}

/// The place in the call itself that a place in one of its actions comes from.
pub fn locate(assessment: &Assessment, node: NodeId, within: Span) -> Span {
    let (mut node, mut span) = (node, within);
    while let Some(current) = assessment.node(node) {
        let Some(parent) = current.parent else { break };
        span = match &current.action {
            Action::Program(invocation) => {
                let word = usize::try_from(span.part).ok().and_then(|part| invocation.argv.get(part));
                word.map_or(current.origin, |word| word.origin)
            }
            Action::Source(_) | Action::Tool(_) => current.origin,
        };
        node = parent;
    }
    span
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
