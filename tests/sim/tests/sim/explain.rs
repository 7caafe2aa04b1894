//! The state of the toggles as the lines of a journal explain it, worked out without the code under test.

use holdpoint_core::registry::{Registry, ToggleState};
use holdpoint_store::ToggleStates;
use serde_json::Value;
use std::collections::BTreeMap;

const LOOK_BACK_MS: u64 = 7 * 86_400_000;

/// One line of the transitions.
pub(crate) struct Told {
    pub(crate) actor: String,
    pub(crate) result: String,
    key: String,
    to_state: String,
    at_ms: u64,
}

impl Told {
    pub(crate) fn of(line: &Value) -> Told {
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        Told {
            actor: text("actor"),
            result: text("result"),
            key: text("key"),
            to_state: text("to_state"),
            at_ms: (line["ts"].as_f64().unwrap() * 1_000.0).round() as u64,
        }
    }

    fn is_loosening(&self) -> bool {
        self.result == "ok" && self.to_state == "permissive"
    }
}

/// Whether these states are what the lines say at this time: each toggle is as its last line that was not denied left it.
pub(crate) fn check_states(states: &ToggleStates, lines: &[Told], registry: &Registry, now_ms: u64, what: &str) {
    assert_eq!(states.problem, None, "{what}");
    let mut last: BTreeMap<&str, &Told> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.result == "ok") {
        last.insert(&line.key, line);
    }
    for toggle in registry.toggles() {
        let key = toggle.declaration().key.as_ref();
        let counts = |line: &Told| line.at_ms <= now_ms && now_ms - line.at_ms < LOOK_BACK_MS;
        let loose = last.get(key).is_some_and(|line| line.is_loosening() && counts(line));
        let expected = if loose { ToggleState::Permissive } else { ToggleState::Restrictive };
        assert_eq!(states.record(key).state, expected, "{what}: {key}");
    }
}

/// In the order of the lines, no toggle is loosened before its wait is over, whatever clock a process had.
pub(crate) fn check_cooldowns(lines: &[Told], registry: &Registry, what: &str) {
    let mut last_ms: BTreeMap<&str, u64> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.is_loosening()) {
        let cooldown_ms = u64::from(registry.get(&line.key).unwrap().declaration().cooldown_s) * 1_000;
        if let Some(before_ms) = last_ms.insert(&line.key, line.at_ms) {
            assert!(line.at_ms >= before_ms + cooldown_ms, "{what}: {} at {before_ms} and {}", line.key, line.at_ms);
        }
    }
}
