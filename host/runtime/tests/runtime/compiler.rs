//! Compilers that fail, lie or never end. The vocabulary is then unavailable, and the host is not.

use crate::guest::{Guest, good};
use crate::host::{LIMITS, action_of, nothing, vocabularies};
use holdpoint_core::ports::{Classifier, Failure};
use holdpoint_runtime::{Compiler, Limits, compile_from_stdin};
use std::path::PathBuf;

fn run(program: &str, arguments: &[&str]) -> Compiler {
    Compiler::Child { program: PathBuf::from(program), arguments: arguments.iter().map(|&each| each.into()).collect() }
}

/// Asks through this compiler and says what the host notes about the failure.
#[track_caller]
fn fails(limits: Limits, compiler: Compiler, component: Vec<u8>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let host = vocabularies(folder.path(), limits.clone(), compiler, &[component]);
    assert_eq!(host.classify(0, &action_of("ls"), &[]), Err(Failure::Unavailable));
    // The folder is as good as before: another compiler fills it, and the good guest answers.
    let other = vocabularies(folder.path(), limits, Compiler::Here, &[good()]);
    assert_eq!(other.classify(0, &action_of("ls"), &[]), Ok(nothing()));
    host.degraded()
}

/// A good guest that is larger than what a pipe takes in before anyone reads.
fn large() -> Vec<u8> {
    Guest { data: &vec![1; 300 << 10], classify: "(i32.const 1024)", ..Guest::default() }.build()
}

const IMPATIENT: Limits = Limits { compile_wall_ms: 50, ..LIMITS };
/// Time enough for a shell to begin.
const PATIENT: Limits = Limits { compile_wall_ms: 2_000, ..LIMITS };

#[test]
fn a_compiler_that_fails_leaves_the_vocabulary_unavailable() {
    for component in [good(), large()] {
        let notes = fails(LIMITS, run("/bin/false", &[]), component);
        assert_eq!(notes, ["vocabulary test: compiler: the compiler stopped: exit status: 1"]);
    }
    let notes = fails(LIMITS, run("/bin/sh", &["-c", "kill -9 $$"]), good());
    assert_eq!(notes, ["vocabulary test: compiler: the compiler stopped: signal: 9 (SIGKILL)"]);
    // Code from a compiler that failed is not taken, however good it looks.
    let notes = fails(LIMITS, run("/bin/sh", &["-c", "cat; exit 3"]), good());
    assert_eq!(notes, ["vocabulary test: compiler: the compiler stopped: exit status: 3"]);
}

#[test]
fn a_compiler_that_is_not_there_leaves_the_vocabulary_unavailable() {
    let notes = fails(LIMITS, run("/nonexistent/compiler", &[]), good());
    assert_eq!(
        notes,
        ["vocabulary test: compiler: the compiler could not be run: No such file or directory (os error 2)"]
    );
}

#[test]
fn a_compiler_that_answers_something_else_leaves_the_vocabulary_unavailable() {
    for compiler in [run("/bin/cat", &[]), run("/bin/true", &[]), run("/bin/echo", &["code"])] {
        for component in [good(), large()] {
            let notes = fails(LIMITS, compiler.clone(), component);
            assert!(notes.iter().all(|note| note.contains("the engine does not take the entry")), "{notes:?}");
            assert!(!notes.is_empty());
        }
    }
}

#[test]
fn a_compiler_that_writes_without_end_is_stopped() {
    let notes = fails(LIMITS, run("/bin/cat", &["/dev/zero"]), good());
    assert!(
        matches!(notes.as_slice(), [one] if one.contains("the compiler stopped") || one.contains("over")),
        "{notes:?}"
    );
}

#[test]
fn a_compiler_that_never_ends_is_killed() {
    let late = ["vocabulary test: compiler: the compiler took longer than 50 ms"];
    // With the large component, nobody ever reads what the host writes.
    for component in [good(), large()] {
        assert_eq!(fails(IMPATIENT, run("/bin/sleep", &["1000"]), component), late);
    }
    // Its output has ended, it has not.
    let quiet = run("/bin/sh", &["-c", "exec >&-; exec /bin/sleep 1000"]);
    assert_eq!(fails(IMPATIENT, quiet, good()), late);
    // It has ended, and somebody else holds its output open.
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let script = format!("/bin/sleep 1000 & echo $! > {}", pid.display());
    let late = ["vocabulary test: compiler: the compiler took longer than 2000 ms"];
    assert_eq!(fails(PATIENT, run("/bin/sh", &["-c", &script]), good()), late);
    let orphan = std::fs::read_to_string(pid).unwrap();
    assert!(std::process::Command::new("/bin/kill").arg(orphan.trim()).status().unwrap().success());
}

#[test]
fn a_compiler_that_was_killed_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let script = format!("echo $$ > {}; exec /bin/sleep 1000", pid.display());
    fails(PATIENT, run("/bin/sh", &["-c", &script]), good());
    let pid = std::fs::read_to_string(pid).unwrap();
    assert!(!PathBuf::from(format!("/proc/{}", pid.trim())).exists());
}

#[test]
fn a_compiler_sees_nothing_of_the_host_s_environment() {
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    let script = format!("/usr/bin/env > {}; exit 1", seen.display());
    fails(LIMITS, run("/bin/sh", &["-c", &script]), good());
    let seen = std::fs::read_to_string(seen).unwrap();
    // What a shell sets for itself is all there is.
    assert!(
        seen.lines().all(|line| ["PWD=", "_=", "SHLVL=", "OLDPWD="].iter().any(|own| line.starts_with(own))),
        "{seen}"
    );
}

/// Everything before the artefact is the test harness of the child.
const MARK: &str = "the artefact of the child follows";

/// A compiler that is this very program, in the test below, with this much memory.
fn this_program(bytes_max: u64) -> Compiler {
    let itself = std::env::current_exe().unwrap();
    let script =
        format!("{CHILD}={bytes_max} \"$0\" --exact compiler::child --nocapture | LC_ALL=C sed '1,/^{MARK}$/d'");
    Compiler::Child { program: "/bin/sh".into(), arguments: vec!["-c".into(), script, itself.to_str().unwrap().into()] }
}

/// Says to the test below that it is the child of another one, and how much memory it has.
const CHILD: &str = "HOLDPOINT_TEST_COMPILER";

#[test]
fn child() {
    let Ok(bytes_max) = std::env::var(CHILD) else {
        return;
    };
    println!("\n{MARK}");
    let limits = Limits { compile_bytes_max: bytes_max.parse().unwrap(), ..LIMITS };
    let code = if compile_from_stdin(&limits).is_ok() { 0 } else { 1 };
    std::process::exit(code);
}

#[test]
fn code_from_a_child_answers() {
    let folder = tempfile::tempdir().unwrap();
    let host = vocabularies(folder.path(), LIMITS, this_program(LIMITS.compile_bytes_max), &[good(), large()]);
    assert_eq!(host.classify(0, &action_of("ls"), &[]), Ok(nothing()));
    assert_eq!(host.load_all(), Ok(()));
    assert_eq!(host.degraded(), Vec::<String>::new());
}

#[test]
fn a_child_that_needs_more_memory_than_it_has_leaves_the_vocabulary_unavailable() {
    let notes = fails(LIMITS, this_program(1 << 20), large());
    assert!(!notes.is_empty());
}
