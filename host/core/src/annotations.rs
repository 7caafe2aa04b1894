//! What a server says of its own tool (MCP `ToolAnnotations`), and what is said of the tools that a vocabulary knows. Nobody
//! checks what a server says, so it only makes a judgement stricter: that a tool is read-only, or harmless in some other way,
//! is never taken for more than what a vocabulary found.

use crate::assess::Assessment;
use crate::json::Json;
use crate::operation::{Effect, TargetKind, Trait, Verb};
use alloc::vec::Vec;

/// The annotations that make something stricter; one that is not stated, or states the harmless, says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// `readOnlyHint` is false: it changes something.
    pub changes: Stated,
    /// `destructiveHint` is true: it may destroy something.
    pub destroys: Stated,
    /// `openWorldHint` is true: it reaches what is outside of the server's own world.
    pub reaches_out: Stated,
}

/// Whether something is stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stated {
    /// It is not, or the opposite is.
    #[default]
    No,
    /// It is.
    Yes,
}

impl Stated {
    fn of(told: Option<&Json>, strict: Json) -> Stated {
        match told {
            None | Some(Json::Null) => Stated::No,
            // What is no truth value may have been meant as the strict one.
            Some(Json::Bool(_)) if told != Some(&strict) => Stated::No,
            Some(_) => Stated::Yes,
        }
    }
}

impl Annotations {
    /// Reads the `annotations` member of a tool; what is not an object states nothing.
    pub fn read(annotations: &Json) -> Annotations {
        Annotations {
            changes: Stated::of(annotations.get("readOnlyHint"), Json::Bool(false)),
            destroys: Stated::of(annotations.get("destructiveHint"), Json::Bool(true)),
            reaches_out: Stated::of(annotations.get("openWorldHint"), Json::Bool(true)),
        }
    }

    /// The least effect that an operation of such a tool is judged by.
    fn least(self) -> Effect {
        match (self.destroys, self.changes) {
            (Stated::Yes, _) => Effect::Irreversible,
            (Stated::No, Stated::Yes) => Effect::Reversible,
            (Stated::No, Stated::No) => Effect::None,
        }
    }
}

/// What is known about a call, with what its server says of the tool. Nothing in it gets smaller.
pub fn annotated(mut assessment: Assessment, annotations: Annotations) -> Assessment {
    let network = |assessment: &Assessment| {
        assessment.operations().iter().any(|assessed| assessed.operation.traits.contains(Trait::Network))
    };
    let reaches_out = annotations.reaches_out == Stated::Yes && !network(&assessment);
    for operation in assessment.operations_mut() {
        operation.effect = operation.effect.max(annotations.least());
        if reaches_out {
            operation.traits = operation.traits.with(Trait::Network);
        }
    }
    assessment
}

/// Kinds of things within the world of whoever offers a tool. Whatever else there is may be outside of it.
const INSIDE: &[TargetKind] = &[
    TargetKind::File,
    TargetKind::Filesystem,
    TargetKind::Mount,
    TargetKind::Process,
    TargetKind::Environment,
    TargetKind::ShellState,
    TargetKind::Terminal,
    TargetKind::GitCommit,
    TargetKind::GitRef,
    TargetKind::MemoryEntry,
    TargetKind::ToolSchema,
];

/// The `annotations` member of a tool whose calls lead to these pairs at most: what hosts show a person before they ask. Where
/// nothing is known they are what the protocol takes for granted, which is the worst.
pub fn produced(pairs: impl Iterator<Item = (Verb, Option<TargetKind>)>, title: &str) -> Json {
    let pairs: Vec<(Verb, Option<TargetKind>)> = pairs.collect();
    let all = |is: fn(Verb) -> bool| !pairs.is_empty() && pairs.iter().all(|(verb, _)| is(*verb));
    let inside = |(verb, kind): &(Verb, Option<TargetKind>)| match kind {
        Some(kind) => INSIDE.contains(kind),
        None => *verb == Verb::Nothing,
    };
    let closed = !pairs.is_empty() && pairs.iter().all(inside);
    Json::object([
        ("title", Json::text(title)),
        ("readOnlyHint", Json::Bool(all(only_reads))),
        ("destructiveHint", Json::Bool(!all(only_adds))),
        ("idempotentHint", Json::Bool(all(only_reads))),
        ("openWorldHint", Json::Bool(!closed)),
    ])
}

fn only_reads(verb: Verb) -> bool {
    matches!(verb, Verb::Get | Verb::List | Verb::Watch | Verb::Nothing)
}

fn only_adds(verb: Verb) -> bool {
    only_reads(verb) || verb == Verb::Create
}

#[cfg(test)]
#[path = "annotations_tests.rs"]
mod tests;
