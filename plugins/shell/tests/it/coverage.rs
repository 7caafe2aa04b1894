//! A real shell as the judge of words and folders: every program that it starts must be among those that were said.

use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use holdpoint_guest::{Action, Finding, Invocation, Word, WordKind, WorkingDir};
use holdpoint_plugin_shell::classify;
use proptest::prelude::*;

use crate::testing;

/// Writes its folder and its words into a file, one record a call.
const RECORDER: &str = "#!/bin/sh\n{ printf '%s\\037' \"$(/bin/pwd -P)\" \"$@\"; printf '\\036'; } >> \"$RECORD\"\n";

/// Statements that set variables, options, functions or the folder, or fail to.
#[rustfmt::skip]
const STEPS: &[&str] = &[
    "D=x", "D=.", "D=", "D=x.txt", "D=$D$D", "D=~", "D=*.c", "D=${D%t}", "export D=x", "declare D=x", "declare -u D=x",
    "declare -i D=010", "declare -p D=z", "local D=x", "readonly D=x", "unset D", "read D <<< q", "printf -v D q",
    "D+=z", "((D=7))", "let D=3", "for D in x y; do :; done", "eval D=q", ": ${D:=q}", "D=$(echo q)", "D=q :",
    "D=q export E", "D=q >/nonexistent/y", "{ D=q; }", "(D=q)", "if false; then D=q; fi", "f() { D=q; }; f",
    "set -- a b", "set -- \"$D\"", "shift", "cd a", "cd a/b", "cd ..", "cd ~", "cd -", "cd nowhere", "cd \"$D\"",
    "pushd a", "popd", "cd -P a/..", "(cd a)", "cd a && cd b", "cd a || exit", "cd nowhere || exit --help",
    "cd a >/nonexistent/y", "! cd a", "time cd a", "set -e", "set +e", "if false; then set -e; fi", "f() { cd a; }; f",
    "pwd() { echo q; }", "cd() { :; }", "HOME=/q", "IFS=x", "PWD=/q", "CDPATH=b", ": $((1/0))", "E=$((1/0))",
    "UID=1", "shopt -s nullglob", "D[0]=q", "exec {D}</dev/null", "getopts D: D -Dq", "mapfile -t D <<< q",
    "rec \"$D\"", "rec $D", "rec \"$D/y\" ${D:-z}", "rec ${D%x} \"${D%.txt}.md\"", "rec ${D##*/} ${D#x}",
    "rec \"$1\" $1", "rec \"$@\"", "rec $PWD \"$(pwd)/x\"", "rec ~/x ~+ ~root x=~", "rec ${HOME%/}/y", "rec *.c a*",
    "rec {x,y}{1..2} \"*\"", "rec $'a\\tb' a\\ b \\$D '$D'", "rec \"$D\"* ${D}.c", "rec \"\" $((1+1)) $#",
];

/// What statements stand in; `%` is the statements.
#[rustfmt::skip]
const AROUND: &[&str] = &[
    "%", "%", "%", "(%)", "{ %; }", "if true; then %; fi", "if false; then :; else %; fi", "for i in 1 2; do %; done",
    "while :; do %; break; done", "until %; do break; done", "f() { %; }; f", "true && { %; }", "false || { %; }",
    "for D in x 'y z'; do %; done", "for D in *.c; do %; done", "for f in *.c; do rec \"${f%.c}.o\"; %; done",
    "case a in a) %;; esac", "x=$(%)", "{ %; } 2>/dev/null", "! { %; }", "time { %; }", "{ %; } | cat", "set -e; %",
    "{ %; } >/nonexistent/y",
];

/// Where one run happens.
struct Place {
    base: tempfile::TempDir,
    root: PathBuf,
}

impl Place {
    #[expect(clippy::expect_used, reason = "without a place to run a test would prove nothing")]
    fn new() -> Place {
        let base = tempfile::tempdir().expect("a scratch folder");
        let root = base.path().canonicalize().expect("a path");
        for folder in ["work/a/b", "work/b/a", "work/x", "home/a", "bin"] {
            std::fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        for file in ["work/p.c", "work/q z.c", "work/a/m.c"] {
            std::fs::write(root.join(file), "").expect("a file");
        }
        let recorder = root.join("bin/rec");
        std::fs::write(&recorder, RECORDER).expect("a program");
        std::fs::set_permissions(&recorder, PermissionsExt::from_mode(0o755)).expect("a program");
        Place { base, root }
    }

    /// The folder and the words of each call of the recorder.
    fn calls(&self, command: &str) -> Vec<(PathBuf, Vec<String>)> {
        let record = self.root.join("record");
        let path = format!("{}:/usr/bin:/bin", self.root.join("bin").display());
        let status = Command::new("timeout")
            .args(["-k", "1", "5", "bash", "-c", command])
            .current_dir(self.root.join("work"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.root.join("home"))
            .env("RECORD", &record)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.is_ok() && self.base.path().exists(), "bash runs");
        let text = std::fs::read(&record).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let call = |record: &str| {
            let mut parts = record.split('\u{1f}');
            let folder = PathBuf::from(parts.next().unwrap_or(""));
            let mut words: Vec<String> = parts.map(str::to_owned).collect();
            words.pop();
            (folder, words)
        };
        text.split('\u{1e}').filter(|record| !record.is_empty()).map(call).collect()
    }

    fn judged(&self, command: &str) -> Finding {
        let mut request = testing::bash(command);
        for (fact, folder) in request.facts.iter_mut().zip(["home", "work"]) {
            fact.answer = self.root.join(folder).display().to_string();
        }
        classify(&request)
    }

    fn covers(&self, said: &Invocation, folder: &Path, words: &[String]) -> bool {
        let there = match &said.cwd {
            WorkingDir::Same => tidy(&self.root.join("work")) == folder,
            WorkingDir::Path(path) => tidy(&self.root.join("work").join(path)) == folder,
            WorkingDir::Unknown => true,
        };
        let Some((head, rest)) = said.argv.split_first() else { return false };
        there && head.text == "rec" && fits(rest, words)
    }
}

fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => out.push(part),
        }
    }
    out
}

/// Whether words of which some are known could be these.
fn fits(said: &[Word], words: &[String]) -> bool {
    let Some((first, rest)) = said.split_first() else { return words.is_empty() };
    match first.kind {
        WordKind::Exact => words.split_first().is_some_and(|(word, after)| *word == first.text && fits(rest, after)),
        WordKind::Glob | WordKind::Dynamic => {
            (0..=words.len()).any(|taken| words.get(taken..).is_some_and(|after| fits(rest, after)))
        }
    }
}

fn check(command: &str) -> Result<(), String> {
    let place = Place::new();
    let finding = place.judged(command);
    if !finding.doubts.is_empty() || !finding.facts_needed.is_empty() {
        return Ok(());
    }
    let said: Vec<&Invocation> = finding
        .delegates
        .iter()
        .filter_map(|delegate| match &delegate.action {
            Action::Program(invocation) => Some(invocation),
            Action::Tool(_) | Action::Source(_) => None,
        })
        .collect();
    for (folder, words) in place.calls(command) {
        if !said.iter().any(|said| place.covers(said, &folder, &words)) {
            return Err(format!("{command:?} starts {words:?} in {folder:?}\n{}", testing::show(&finding)));
        }
    }
    Ok(())
}

fn statements() -> impl Strategy<Value = String> {
    let step = || proptest::sample::select(STEPS);
    let joined = proptest::sample::select(&["; ", "\n", " && ", " || "][..]);
    let block = (step(), joined, step()).prop_map(|(first, joint, second)| format!("{first}{joint}{second}"));
    (block, proptest::sample::select(AROUND)).prop_map(|(block, around)| around.replace('%', &block))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_program_that_starts_was_said(
        parts in proptest::collection::vec(statements(), 1..4),
        joint in proptest::sample::select(&["; ", "\n"][..]),
    ) {
        if Command::new("bash").args(["-c", ":"]).status().is_err() {
            return Ok(());
        }
        let found = check(&format!("{}{joint}rec \"$D\" $PWD", parts.join(joint)));
        prop_assert!(found.is_ok(), "{}", found.unwrap_err());
    }
}
