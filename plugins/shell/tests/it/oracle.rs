//! A real shell as the judge: whatever makes it create a file must not look harmless here.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use holdpoint_guest::{Action, Effect, Finding, Request};
use holdpoint_plugin_shell::classify;
use proptest::prelude::*;

use crate::acts::MORE_ACTS;
use crate::testing;

/// Programs that the vectors use and that create nothing by themselves.
const READERS: &[&str] = &["cat", "date", "env", "grep", "head", "ls", "sleep", "wc"];

/// How deep delegates are followed.
const LEVELS: usize = 6;

/// Whether a finding, followed through its delegates, admits that something may happen.
fn admits(finding: &Finding, levels: usize) -> bool {
    let unclear = !finding.doubts.is_empty() || !finding.facts_needed.is_empty() || levels == 0;
    let acts = finding.operations.iter().any(|operation| operation.effect != Effect::None);
    let silent = finding.operations.is_empty() && finding.delegates.is_empty();
    unclear || acts || silent || finding.delegates.iter().any(|delegate| admits_action(&delegate.action, levels - 1))
}

fn admits_action(action: &Action, levels: usize) -> bool {
    if let Action::Program(invocation) = action
        && let Some(name) = invocation.argv.first().and_then(|word| word.known())
        && READERS.contains(&name)
        && name != "env"
    {
        return false;
    }
    let request = Request { action: action.clone(), facts: Vec::new() };
    admits(&classify(&request), levels)
}

/// Whether `shell -c command` creates the file `P`.
#[expect(clippy::expect_used, reason = "without a folder a test would prove nothing")]
fn creates(shell: &str, command: &str) -> bool {
    let folder = tempfile::tempdir().expect("a scratch folder");
    // Some places make a command wait for input that never ends.
    let status = Command::new("timeout")
        .args(["-k", "1", "5", shell, "-c", command])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok() && folder.path().join("P").exists()
}

fn is_there(shell: &str) -> bool {
    Command::new(shell).args(["-c", ":"]).status().is_ok()
}

/// Fails if bash creates `P` and the vocabulary sees nothing.
fn check(command: &str) -> Result<bool, String> {
    if !creates("bash", command) {
        return Ok(false);
    }
    let finding = classify(&testing::bash(command));
    if admits(&finding, LEVELS) { Ok(true) } else { Err(format!("{command:?}\n{}", testing::show(&finding))) }
}

/// The shell rows of the public failures, with their marks for line ends undone.
fn public_vectors() -> Option<Vec<String>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let folder = std::env::var_os("HOLDPOINT_CORPORA").map_or(beside, PathBuf::from);
    let text = std::fs::read_to_string(folder.join("domain-failures.md")).ok()?;
    let row = |line: &str| {
        let mut cells = line.split(" | ");
        cells.next().filter(|id| id.starts_with("| shell-"))?;
        let input = cells.nth(2)?.trim();
        let input = input.trim_start_matches('`').trim_end_matches('`').trim();
        Some(input.replace('\u{23ce}', "\n").replace('\u{240d}', "\r").replace("\\|", "|"))
    };
    Some(text.lines().filter_map(row).filter(|input| input.contains('P')).collect())
}

#[test]
fn public_failures_are_not_repeated() {
    if !is_there("bash") {
        return println!("bash: not found, skipped");
    }
    let Some(vectors) = public_vectors() else {
        return println!("corpora: not found, skipped");
    };
    let results: Vec<_> = vectors.iter().map(|vector| check(vector)).collect();
    let wrong: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    let created = results.iter().filter(|result| matches!(result, Ok(true))).count();
    println!("public failures: {} rows, bash creates the file in {created}", vectors.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Ways to create `P`.
const ACTS: &[&str] = &[
    "touch P",
    "t''ouch P",
    "\\touch P",
    "$'\\x74ouch' P",
    "to\"\"uch 'P'",
    "to$@uch P",
    "command touch P",
    "env touch P",
    "env -S 'touch P'",
    "xargs touch <<< P",
    ">P",
    ": >>P",
    "{ >P; }",
    "eval 'touch P'",
    "eval touch P",
    "bash -c 'touch P'",
    "sh -c 'touch P'",
    "exec touch P",
    "trap 'touch P' EXIT",
    "printf '' >P",
    "x=touch; $x P",
    "{touch,P}",
    "nice touch P",
    "timeout 5 touch P",
    "echo P | xargs touch",
    "true & touch P",
    "printf 'touch P' | bash",
    "bash <<< 'touch P'",
    "bash <<E\ntouch P\nE\n",
    "source <(echo touch P)",
    "f() { touch P; }; f",
    "let x=1; touch P",
    "a='a[$(touch P)]'; echo $((a))",
    "a='a[$(touch P)]'; [[ a -eq 1 ]]",
    "test -v 'a[$(touch P)]'",
    "printf -v 'a[$(touch P)]' x",
    "read 'a[$(touch P)]' <<< x",
    "unset 'a[$(touch P)]'",
    "declare -i x='a[$(touch P)]'",
    "x='a[$(touch P)]'; let x",
    "x='a[$(touch P)]'; echo ${!x}",
    "x='a[$(touch P)]'; y=abc; echo ${y:x:1}",
    "x='$(touch P)'; echo \"${x@P}\"",
    "mapfile -c 1 -C 'touch P #' <<< a",
    "set -- 'a[$(touch P)]'; echo $(($1))",
    "f() { echo $(($1)); }; f 'a[$(touch P)]'",
    "PS4='$(touch P)'; set -x; :",
    "shopt -s expand_aliases\nalias l='touch P'\nl",
    "env 'BASH_FUNC_ls%%=() { touch P; }' bash -c ls",
    "x=$(printf 'a[\\x24(touch P)]'); echo $((x))",
    "read x <<< 'a[$(touch P)]'; echo $((x))",
    "for x in 'a[$(touch P)]'; do echo $((x)); done",
    "compgen -C 'touch P' a",
    "coproc touch P; wait",
    "cd . && touch P",
    "pushd . && touch P",
    "hash -p /usr/bin/touch ls; ls P",
    "enable -n echo; touch P",
    "unalias -a; touch P",
    "ls() { command touch P; }; ls",
    "rm() { :; }; touch P",
    "time touch P",
    "! touch P",
    "BASH_ENV=<(echo touch P) bash -c :",
    "builtin eval 'touch P'",
    "command eval 'touch P'",
    "exec 3>P",
    "exec >P",
    "$(echo touch) P",
    "`echo touch` P",
    "${x:-touch} P",
    "\"touch\" P",
    "touch $'P'",
    "D=P; touch $D",
    "jobs -x touch P",
    "history -s touch P; touch P",
    "setsid touch P; sleep 0.1",
    "nohup touch P",
    "flock f touch P",
    "flock f -c 'touch P'",
    "stdbuf -o0 touch P",
    "env -i /usr/bin/touch P",
    "env -C . touch P",
    "find . -maxdepth 0 -exec touch P \\;",
    "{ touch P; } 2>/dev/null",
    "(touch P)",
    "((1)) && touch P",
    "[[ 1 ]] && touch P",
    "a[0]=1; touch P",
];

/// What an act may be hidden in; `%` is the act.
const PLACES: &[&str] = &[
    "%",
    "echo \"$(%)\"",
    "echo $(%)",
    "x=$(%)",
    "echo ${x:-$(%)}",
    "echo \"${x:-$(%)}\"",
    "(%)",
    "{ %\n}",
    "if %\nthen :; fi",
    "if false; then :; else %\nfi",
    "for i in 1; do %\ndone",
    "while %\ndo break; done",
    "case a in a) %\n;; esac",
    "f() { %\n}; f",
    "true && { %\n}",
    "false || { %\n}",
    "{ %\n} | cat",
    "cat <(%)",
    "cat <<E\n$(%)\nE",
    "cat <<-E\n\t$(%)\n\tE",
    "echo $(( $(%) + 1 ))",
    "[[ -n $(%) ]]",
    "! { %\n}",
    "time { %\n}",
    "{ %\n} &\nwait",
    "a=($(%))",
    "declare x=$(%)",
    "cat <<< $(%)",
    "coproc { %\n}; wait",
    "case $(%) in *) ;; esac",
    "for i in $(%); do :; done",
    "echo {a,$(%)}",
    "echo \"a\\\"$(%)\"",
    "export X=$(%)",
    "[ -z \"$(%)\" ]",
    "echo ${x#$(%)}",
    "echo ${x/$(%)/b}",
    "x=abc; echo ${x:$(%):1}",
    "echo \"${x-\"$(%)\"}\"",
    "cd . && %",
    "set -e; %",
    "# c\n%",
    "true\n%",
    "echo a; %",
    "ls 2>/dev/null; %",
    "echo 'don'\\''t'; %",
    "echo \\\" ; %",
    "echo \"\\\\\"; %",
    "cat <<'E'\n$(x) ` \" '\nE\n%",
    "cat <<A <<B\na\nA\n$(%)\nB",
    "a[$(%)]=1",
    "echo a >$(%)x",
    "echo # '\n%",
    "echo a#b '#'; %",
    "x=1 y=$(%) true",
    "until %\ndo break; done",
    "echo $'\\'' \"$(%)\"",
    "echo \"`%`\"",
    "select x in $(%); do break; done",
    "echo \"$(echo \"$(%)\")\"",
    "${x:=$(%)}",
    "echo ${x+a}$(%)",
    "cat 3< <(%)",
    "function g { %\n}; g",
    "echo ~$(%)",
    "echo a{1..2}$(%)",
    "trap '%' EXIT",
    "eval '%'",
    "bash -c '%'",
    "echo \"$(<<E cat\n$(%)\nE\n)\"",
    "if [[ a == a && -n $(%) ]]; then :; fi",
    "a=(); a+=($(%))",
    "cat <<E\n`%`\nE",
    "cat <<E\n\\$(x) $(%) \\`\nE",
    "echo \"a\n$(%)\nb\"",
    "echo a\\\n; %",
    "{ echo; %\n}>o",
];

fn fill(places: &[&str], act: &str) -> String {
    places.iter().rev().fold(act.to_owned(), |inner, place| place.replace('%', &inner))
}

#[test]
fn every_act_is_seen_in_every_place() {
    if !is_there("bash") {
        return println!("bash: not found, skipped");
    }
    let mut commands: Vec<String> = ACTS.iter().map(|act| (*act).to_owned()).collect();
    commands.extend(PLACES.iter().map(|place| fill(&[place], "touch P")));
    // Every act meets every place over the runs of the property below; here each meets some.
    for (index, act) in ACTS.iter().enumerate() {
        commands.extend((0..8).map(|step| fill(&[PLACES[(index * 7 + step * 11) % PLACES.len()]], act)));
    }
    let results: Vec<_> = commands.iter().map(|command| check(command)).collect();
    let wrong: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    let created = results.iter().filter(|result| matches!(result, Ok(true))).count();
    println!("acts in places: {} commands, bash creates the file in {created}", commands.len());
    for wrong in &wrong {
        println!("{wrong}\n");
    }
    assert!(wrong.is_empty(), "{} overlooked", wrong.len());
}

#[test]
fn every_feature_of_the_shell_is_seen() {
    if !is_there("bash") {
        return println!("bash: not found, skipped");
    }
    let places =
        ["%", "(%\n)", "if %\nthen :; fi", "x=$(%\n)", "f() { %\n}; f", "bash -c \"$(cat <<'EOF'\n%\nEOF\n)\""];
    let commands = MORE_ACTS.iter().flat_map(|act| places.iter().map(|place| fill(&[place], act)));
    let results: Vec<_> = commands.map(|command| check(&command)).collect();
    let created = results.iter().filter(|result| matches!(result, Ok(true))).count();
    let wrong: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    println!("features: {} commands, bash creates the file in {created}", results.len());
    for wrong in &wrong {
        println!("{wrong}\n");
    }
    assert!(wrong.is_empty(), "{} overlooked", wrong.len());
}

#[test]
fn a_posix_shell_reads_nothing_else_than_the_vocabulary() {
    if !is_there("dash") {
        return println!("dash: not found, skipped");
    }
    let mut wrong = Vec::new();
    for act in ACTS.iter().chain(&["touch P &>/dev/null", "[[ x ]]; touch P", "touch {a,P}", "$'touch' P"]) {
        for place in ["%", "echo \"$(%)\"", "cat <<E\n$(%)\nE", "(%)"] {
            let command = fill(&[place], act);
            if creates("dash", &command) {
                let finding = classify(&testing::source("sh", &command));
                if !admits(&finding, LEVELS) {
                    wrong.push(format!("{command:?}\n{}", testing::show(&finding)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// At least so many inputs; `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(300), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn acts_are_seen_two_places_deep(
        act in proptest::sample::select(ACTS),
        outer in proptest::sample::select(PLACES),
        inner in proptest::sample::select(PLACES),
    ) {
        let command = fill(&[outer, inner], act);
        if is_there("bash") {
            prop_assert!(check(&command).is_ok(), "{}", check(&command).unwrap_err());
        }
    }
}
