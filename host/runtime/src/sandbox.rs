//! The engine and its clock: one configuration for compiling and for running, with everything a vocabulary does not need
//! switched off.

use crate::limits::Limits;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

/// The engine could not be set up.
#[derive(Debug, thiserror::Error)]
#[error("the wasm engine could not be set up: {0}")]
pub struct SandboxError(String);

/// An engine with its limits. Classifications of one process share it.
pub struct Sandbox {
    engine: Engine,
    limits: Limits,
    ticker: OnceLock<Ticker>,
}

/// Whether instances are made from a pool (to run) or not at all (to compile).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Run,
    Compile,
}

impl Sandbox {
    /// An engine that runs vocabularies.
    pub fn new(limits: Limits) -> Result<Sandbox, SandboxError> {
        let engine = engine(&limits, Purpose::Run)?;
        Ok(Sandbox { engine, limits, ticker: OnceLock::new() })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The limits that classifications run under.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Starts the clock that stops a classification which uses time without using fuel.
    pub(crate) fn start_clock(&self) {
        self.ticker.get_or_init(|| Ticker::start(self.engine.clone(), Duration::from_millis(self.limits.tick_ms)));
    }

    /// A number that changes whenever compiled code of another engine or configuration would not fit.
    pub fn compatibility(&self) -> u64 {
        compatibility(&self.engine)
    }
}

fn compatibility(engine: &Engine) -> u64 {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.finish()
}

pub(crate) fn engine(limits: &Limits, purpose: Purpose) -> Result<Engine, SandboxError> {
    let mut config = Config::new();
    config
        .wasm_tail_call(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        .wasm_relaxed_simd(false)
        .wasm_simd(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_extended_const(false)
        .wasm_component_model(true)
        .concurrency_support(false)
        .consume_fuel(true)
        .epoch_interruption(true)
        .cranelift_nan_canonicalization(true)
        .wasm_backtrace_max_frames(None)
        // Nobody reads a guest's backtrace, and without these tables compiled code is much smaller to load.
        .generate_address_map(false)
        .native_unwind_info(false)
        .max_wasm_stack(limits.stack_bytes_max);
    if purpose == Purpose::Run {
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(limits)));
    }
    Engine::new(&config).map_err(|error| SandboxError(format!("{error:#}")))
}

/// Slots for instances. What an instance touched is cleared by page where the kernel can tell which pages that are.
fn pool(limits: &Limits) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    let instances = limits.instances_max;
    pool.total_component_instances(instances)
        .total_core_instances(instances)
        .total_memories(instances)
        .total_tables(instances.saturating_mul(2))
        .max_memory_size(limits.memory_bytes_max)
        .table_elements(limits.table_elements_max)
        .linear_memory_keep_resident(limits.memory_bytes_max)
        .table_keep_resident(limits.table_elements_max.saturating_mul(8))
        .pagemap_scan(Enabled::Auto);
    pool
}

/// An operating-system thread that moves the engine's epoch on. It ends with the sandbox.
struct Ticker {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn start(engine: Engine, tick: Duration) -> Ticker {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let shared = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let (stopped, wake) = &*shared;
            let mut stopped = stopped.lock().unwrap_or_else(PoisonError::into_inner);
            while !*stopped {
                let waited = wake.wait_timeout(stopped, tick).unwrap_or_else(PoisonError::into_inner);
                stopped = waited.0;
                engine.increment_epoch();
            }
        });
        Ticker { stop, thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        let (stopped, wake) = &*self.stop;
        *stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // The thread cannot panic, and a sandbox that is dropped has nobody to tell.
            let _ = thread.join();
        }
    }
}
