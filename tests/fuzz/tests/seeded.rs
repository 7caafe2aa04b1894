//! Every target over its examples and over seeded mutations of them.

use holdpoint_tests_fuzz::{TARGETS, mutate, target};
use holdpoint_tests_sim::seeded::Seeded;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Inputs per target, unless `HOLDPOINT_FUZZ_INPUTS` says otherwise.
const INPUTS: u64 = 20_000;

fn inputs() -> u64 {
    std::env::var("HOLDPOINT_FUZZ_INPUTS").ok().and_then(|count| count.parse().ok()).unwrap_or(INPUTS)
}

/// Runs a target and names the input that it fails on.
fn check(name: &str) {
    let Some(target) = target(name) else { return assert_eq!(name, "", "no target has this name") };
    let run = |bytes: &[u8], what: &str| {
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
        assert!(outcome.is_ok(), "{name}, {what}: {:?}", String::from_utf8_lossy(bytes));
    };
    target.examples.iter().for_each(|example| run(example.as_bytes(), "an example"));
    run(&[], "nothing");
    for seed in 0..inputs() {
        run(&mutate::input(target.examples, &mut Seeded::new(seed)), &format!("seed {seed}"));
    }
}

macro_rules! targets {
    ($($test:ident = $name:literal,)*) => {
        const TESTED: &[&str] = &[$($name),*];
        $(
            #[test]
            fn $test() {
                check($name);
            }
        )*
    };
}

targets! {
    shell_text_is_always_answered = "shell-text",
    words_for_a_shell_are_always_answered = "shell-words",
    words_for_a_utility_are_always_answered = "posix-words",
    json_reads_back_as_the_same = "json",
    events_of_a_host_are_read_or_refused = "hook-event",
    manifests_are_read_or_refused = "manifest",
    nothing_unsigned_is_ever_verified = "envelope",
    trust_sets_are_read_or_refused = "trust-set",
    components_are_proved_or_refused = "component",
    lines_of_the_journal_are_followed_or_refused = "journal-line",
    days_read_back_as_the_same = "day",
    paths_never_keep_a_step_up = "path",
}

#[test]
fn every_target_is_tested() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names, TESTED);
}

#[test]
fn inputs_are_bounded_and_the_same_every_time() {
    for seed in 0..200 {
        let make = || mutate::input(TARGETS[0].examples, &mut Seeded::new(seed));
        assert_eq!(make(), make());
        assert!(make().len() <= mutate::INPUT_BYTES_MAX);
    }
}
