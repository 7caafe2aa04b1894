//! One classification: a fresh instance, one call, every limit, and nothing kept afterwards.

use crate::bindings::VocabularyPre;
use crate::convert;
use crate::limits::Limits;
use crate::sandbox::Sandbox;
use holdpoint_core::action::{Action, Fact};
use holdpoint_core::finding::Finding;
use holdpoint_core::ports::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wasmtime::component::{Component, Linker};
use wasmtime::{Store, StoreLimits, StoreLimitsBuilder, Trap};

/// A vocabulary that is ready to be asked.
pub(crate) struct Ready {
    instances: VocabularyPre<StoreLimits>,
    fuel: u64,
}

impl Ready {
    /// Links a component against nothing.
    pub(crate) fn new(sandbox: &Sandbox, component: &Component, own_fuel: u64) -> wasmtime::Result<Ready> {
        let linker = Linker::new(sandbox.engine());
        let instances = VocabularyPre::new(linker.instantiate_pre(component)?)?;
        Ok(Ready { instances, fuel: own_fuel.min(sandbox.limits().fuel_max) })
    }

    /// Asks about one action.
    pub(crate) fn ask(&self, sandbox: &Sandbox, action: &Action, facts: &[Fact]) -> Result<Finding, Failure> {
        sandbox.start_clock();
        let request = convert::request(action, facts);
        // A defect of the engine must end as "unknown", not take the host down.
        let asked = catch_unwind(AssertUnwindSafe(|| {
            let mut store = self.store(sandbox).map_err(|_| Failure::Unavailable)?;
            let instance =
                self.instances.instantiate(&mut store).map_err(|error| failure(&error, Failure::Unavailable))?;
            let classifier = instance.holdpoint_vocabulary_classifier();
            classifier.call_classify(&mut store, &request).map_err(|error| failure(&error, Failure::Output))
        }));
        let answer = asked.unwrap_or(Err(Failure::Trapped))?;
        convert::finding(answer).map_err(|_| Failure::Output)
    }

    fn store(&self, sandbox: &Sandbox) -> wasmtime::Result<Store<StoreLimits>> {
        let limits = sandbox.limits();
        let mut store = Store::new(sandbox.engine(), store_limits(limits));
        store.limiter(|limits| limits);
        store.set_fuel(self.fuel)?;
        store.set_epoch_deadline(limits.deadline_ticks);
        store.epoch_deadline_trap();
        store.set_hostcall_fuel(limits.answer_bytes_max);
        Ok(store)
    }
}

fn store_limits(limits: &Limits) -> StoreLimits {
    StoreLimitsBuilder::new()
        .memory_size(limits.memory_bytes_max)
        .table_elements(limits.table_elements_max)
        .instances(4)
        .memories(1)
        .tables(2)
        .trap_on_grow_failure(true)
        .build()
}

/// Why a call did not give an answer; `otherwise` if neither a trap nor a limit ended it. Texts of the guest go nowhere.
fn failure(error: &wasmtime::Error, otherwise: Failure) -> Failure {
    // wasmtime has no types for these.
    const OVER_MEMORY: [&str; 3] = ["forcing trap when growing", "exceeds memory limits", "exceeds table limits"];
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Failure::OutOfFuel,
        Some(Trap::Interrupt) => Failure::Deadline,
        Some(_) => Failure::Trapped,
        None => {
            let text = format!("{error:#}");
            if OVER_MEMORY.iter().any(|part| text.contains(part)) { Failure::OverMemory } else { otherwise }
        }
    }
}
