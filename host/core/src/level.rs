//! How careful to be: four levels, and the default rung of each for each effect.

use crate::assess::Assessed;
use crate::operation::{Effect, TargetKind};
use crate::verdict::Decision;
use crate::words::words;

words! {
    /// How much a principal may do without a person. Ordered: the least is the most careful.
    Level { Observe = "observe", Guarded = "guarded", Trusted = "trusted", Unrestricted = "unrestricted" }
}

words! {
    /// Whether losing a resource matters to others.
    Criticality { Ordinary = "ordinary", Production = "production" }
}

impl Criticality {
    /// A resource on another machine counts as production unless the operator says otherwise. So does what the whole
    /// machine depends on: whoever else works on it would notice.
    pub fn of(assessed: &Assessed) -> Criticality {
        let steps = &assessed.operation.target;
        if steps.iter().any(|segment| is_shared(segment.kind)) {
            Criticality::Production
        } else {
            Criticality::Ordinary
        }
    }
}

fn is_shared(kind: TargetKind) -> bool {
    match kind {
        TargetKind::Machine
        | TargetKind::Host
        | TargetKind::Filesystem
        | TargetKind::Mount
        | TargetKind::Process
        | TargetKind::User
        | TargetKind::Credential
        | TargetKind::Service
        | TargetKind::Schedule
        | TargetKind::Package
        | TargetKind::SystemSetting
        | TargetKind::GitRemote
        | TargetKind::Mailbox
        | TargetKind::Recipient
        | TargetKind::VaultCapability
        | TargetKind::Microphone
        | TargetKind::BrowserElement
        | TargetKind::SelfModification
        | TargetKind::Application
        | TargetKind::PersonalData
        | TargetKind::ToolSchema
        | TargetKind::Unknown => true,
        TargetKind::File
        | TargetKind::Environment
        | TargetKind::ShellState
        | TargetKind::Terminal
        | TargetKind::Code
        | TargetKind::GitCommit
        | TargetKind::GitRef
        | TargetKind::MemoryEntry => false,
    }
}

/// The default rung: what a level says to an effect on a resource.
///
/// INVARIANT (monotone rungs): a higher level, a smaller effect or an ordinary resource never makes it stricter.
pub fn rung(level: Level, effect: Effect, criticality: Criticality) -> Decision {
    match (level, effect) {
        (_, Effect::None) | (Level::Unrestricted, _) | (Level::Trusted, Effect::Reversible) => Decision::Allow,
        (Level::Observe, Effect::Reversible | Effect::Irreversible | Effect::Unknown) => Decision::Deny,
        (Level::Guarded, Effect::Reversible) => match criticality {
            Criticality::Ordinary => Decision::Allow,
            Criticality::Production => Decision::Ask,
        },
        (Level::Guarded | Level::Trusted, Effect::Irreversible | Effect::Unknown) => Decision::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Word;

    #[test]
    fn rungs_are_monotone_in_level_effect_and_criticality() {
        for pair in Level::ALL.windows(2) {
            for effect in Effect::ALL {
                for criticality in Criticality::ALL {
                    let careful = rung(pair[0], *effect, *criticality);
                    assert!(careful >= rung(pair[1], *effect, *criticality), "{pair:?} {effect} {criticality}");
                }
            }
        }
        for pair in Effect::ALL.windows(2) {
            for level in Level::ALL {
                for criticality in Criticality::ALL {
                    let less = rung(*level, pair[0], *criticality);
                    assert!(less <= rung(*level, pair[1], *criticality), "{level} {pair:?} {criticality}");
                }
            }
        }
        for level in Level::ALL {
            for effect in Effect::ALL {
                let ordinary = rung(*level, *effect, Criticality::Ordinary);
                assert!(ordinary <= rung(*level, *effect, Criticality::Production));
            }
        }
    }
}
