//! What a server says of its own tool (MCP `ToolAnnotations`). Nobody checks it, so it only makes a judgement stricter: that a
//! tool is read-only, or harmless in some other way, is never taken for more than what a vocabulary found.

use crate::assess::Assessment;
use crate::json::Json;
use crate::operation::{Effect, Trait};

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

#[cfg(test)]
#[path = "annotations_tests.rs"]
mod tests;
