//! What the configuration makes of whoever calls: the one place where levels, holds, rungs and lists meet a standing.

use crate::config::Config;
use holdpoint_core::judge::Standing;
use holdpoint_core::posture::Posture;
use holdpoint_core::verdict::Decision;

impl Config {
    /// A principal's standing under the configuration. A freeze is no part of it and stays.
    pub fn bind(&self, principal: &str, mut standing: Standing) -> Standing {
        standing.level = self.level(principal, standing.level);
        standing.posture = Posture { freeze: standing.posture.freeze, ..self.posture.clone() };
        standing.rungs.extend(self.rungs.iter().cloned());
        standing.denied = self.denied_toggles();
        for toggle in &mut standing.declared {
            if self.denies(toggle.key.as_str()) {
                toggle.gate.verdict = Decision::Deny;
            }
        }
        let (run, lists) = (&mut standing.run, &self.lists);
        run.recipients.extend(lists.recipients.iter().map(|entry| entry.value.clone()));
        run.memory_kinds.extend(lists.memory_kinds.iter().map(|entry| entry.value.clone()));
        run.core_roots.extend(lists.core_roots.iter().map(|entry| entry.value.clone()));
        if let Some(tools) = &lists.catalogue {
            run.catalogue.get_or_insert_default().tools.extend(tools.iter().map(|tool| tool.value.clone()));
        }
        standing
    }
}
