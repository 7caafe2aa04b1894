//! One target under libFuzzer: `HOLDPOINT_FUZZ_TARGET` names it. See `tests/fuzz/run`.
#![no_main]

use std::sync::OnceLock;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static RUN: OnceLock<fn(&[u8])> = OnceLock::new();
    let run = RUN.get_or_init(|| {
        let name = std::env::var("HOLDPOINT_FUZZ_TARGET").unwrap_or_default();
        holdpoint_tests_fuzz::target(&name).map_or(|_| std::process::exit(2), |target| target.run)
    });
    run(bytes);
});
