//! Wrappers hand on what they wrap, and nothing else.

use holdpoint_guest::{Input, Span, Word};

use crate::classify;
use crate::testing::{program, program_with, show};

fn check(words: &str, expected: &[&str]) {
    let words: Vec<&str> = words.split(' ').collect();
    assert_eq!(show(&classify(&program(&words))), expected.join("\n"), "{words:?}");
}

const ROOT: &str = "TargetKind::User root Effect::Unknown Traits(PRIVILEGE)";

#[test]
fn plain_wrappers_hand_on_the_command() {
    for words in [
        "timeout 5 rm x",
        "timeout -k 1 --signal=KILL 5s rm x",
        "nice rm x",
        "nice -n 5 rm x",
        "nice -10 rm x",
        "setsid -w rm x",
        "stdbuf -oL rm x",
        "ionice -c 3 rm x",
        "chrt -b 0 rm x",
        "taskset -c 0 rm x",
        "time -p rm x",
        "busybox rm x",
        "env rm x",
        "env -- rm x",
        "watch -x rm x",
        "strace -f -e trace=file rm x",
        "/usr/bin/env rm x",
    ] {
        check(words, &["-> rm x"]);
    }
    check("nohup rm x", &["Verb::Patch[nohup] TargetKind::File nohup.out Effect::Reversible", "-> rm x"]);
    check("time -o t rm x", &["Verb::Update[time] TargetKind::File t Effect::Reversible", "-> rm x"]);
    check("flock l rm x", &["Verb::Lock[flock] TargetKind::File l Effect::Reversible", "-> rm x"]);
    check("strace -o t rm x", &["Verb::Update[strace] TargetKind::File t Effect::Reversible", "-> rm x"]);
    check("watch rm x", &["-> sh: rm x"]);
}

#[test]
fn a_program_that_is_told_another_name_is_a_doubt() {
    check("env -a rm /bin/rm x", &["-> /bin/rm x"]);
    for words in ["env -a sh busybox x", "env --argv0=-bash bash", "env -a ?:$x rm"] {
        let words: Vec<&str> = words.split(' ').collect();
        assert!(show(&classify(&program(&words))).contains("doubt Reason::UnknownProgram"), "{words:?}");
    }
}

#[test]
fn a_shell_does_not_calculate_with_what_it_inherits() {
    let run = |command: &str| {
        let found = classify(&crate::testing::bash(command));
        let inner = found.delegates.last().map(|delegate| delegate.action.clone()).expect("a program");
        show(&classify(&holdpoint_guest::Request { action: inner, facts: Vec::new() }))
    };
    for command in [
        "x='a[$(b)]' bash -c '((x))'",
        "export x=$y; bash -c 'echo $((x))'",
        "x=$y bash -c 'echo ${a[x]}'",
        "x='a[`b`]' bash <<< 'let x'",
    ] {
        assert!(run(command).contains("doubt"), "{command}");
    }
    for command in ["x=$y bash -c 'echo $x'", "x=1 bash -c '((x))'", "x=$y bash -c '((z))'", "X=a[1] bash -c 'ls $X'"] {
        assert!(!run(command).contains("doubt"), "{command}");
    }
}

#[test]
fn unknown_options_and_words_are_doubts() {
    for words in
        ["timeout --zap 5 rm", "nice -z rm", "timeout ?:$x rm x", "env ?:$x rm x", "sudo --zap rm", "xargs --zap rm"]
    {
        check(words, &[if words.contains("?:") { "doubt Reason::DynamicWord" } else { "doubt Reason::UnknownOption" }]);
    }
    check("setsid ?:$x", &["doubt Reason::DynamicWord"]);
    check("timeout 5", &["doubt Reason::MalformedArgument"]);
    check("parallel rm ::: a", &["doubt Reason::UnsupportedSyntax"]);
    check("foo", &["doubt Reason::UnknownProgram"]);
}

#[test]
fn env_sets_and_splits() {
    check(
        "env ?:A=\"$x\" rm x",
        &["Verb::Configure[env] TargetKind::Environment A Effect::None", "-> A=?:\"$x\" rm x"],
    );
    check("env ?:A=$x rm x", &["doubt Reason::DynamicWord"]);
    check("env A=1 -i", &["Verb::Configure[env] TargetKind::Environment A Effect::None", "-> A=1 -i"]);
    check("env -i -C /d A=1 rm x", &["Verb::Configure[env] TargetKind::Environment A Effect::None", "-> A=1 rm x @/d"]);
    check(
        "env LD_PRELOAD=x ls",
        &[
            "Verb::Configure[env] TargetKind::Environment LD_PRELOAD Effect::Unknown",
            "-> LD_PRELOAD=x ls",
            "escapes Escapes(ENV)",
        ],
    );
    let split = show(&classify(&program(&["env", "-S", "A=1 sh -c 'rm x'", "y"])));
    assert_eq!(split, "Verb::Configure[env] TargetKind::Environment A Effect::None\n-> A=1 sh -c \"rm x\" y");
    assert!(show(&classify(&program(&["env", "-S", "rm ${X}"]))).contains("doubt"));
    check("env", &["Verb::List[env] TargetKind::Environment ?: Effect::None Traits(SENSITIVE)"]);
}

#[test]
fn other_users_are_said_and_the_command_is_handed_on() {
    let sudo = format!("Verb::Impersonate[sudo] {ROOT}");
    let escapes = "escapes Escapes(PRIVILEGE)";
    check("sudo rm x", &[&sudo, "-> rm x", escapes]);
    check(
        "sudo -n -E A=1 rm x",
        &[&sudo, "Verb::Configure[sudo] TargetKind::Environment A Effect::None", "-> A=1 rm x", escapes],
    );
    check(
        "sudo -u bob -- rm x",
        &["Verb::Impersonate[sudo] TargetKind::User bob Effect::Unknown Traits(PRIVILEGE)", "-> rm x", escapes],
    );
    check("doas rm x", &[&format!("Verb::Impersonate[doas] {ROOT}"), "-> rm x", escapes]);
    check("chroot /r rm x", &[&format!("Verb::Impersonate[chroot] {ROOT}"), "-> rm x @?", escapes]);
    check("unshare -r rm x", &[&format!("Verb::Impersonate[unshare] {ROOT}"), "-> rm x", escapes]);
    let su = show(&classify(&program(&["su", "-", "bob", "-c", "rm x"])));
    assert_eq!(
        su,
        "Verb::Impersonate[su] TargetKind::User bob Effect::Unknown Traits(PRIVILEGE)\n-> sh: rm x @?\nescapes Escapes(PRIVILEGE)"
    );
    assert!(show(&classify(&program(&["sudo", "-i"]))).contains("Verb::Exec[sudo] TargetKind::Code"));
}

#[test]
fn words_that_are_read_are_not_known() {
    for words in
        ["xargs -I{} -n1 rm {}", "xargs -n 2 -I {} rm {}", "xargs -i -L1 rm {}", "xargs -I{} --max-args=1 rm {}"]
    {
        check(words, &["-> rm ?:{} ?:{} <empty"]);
    }
    check("xargs -d x -E y -0 -r rm", &["-> rm ?:{} <empty"]);
    check(
        "xargs --process-slot-var=PATH rm",
        &[
            "Verb::Configure[xargs] TargetKind::Environment PATH Effect::Unknown",
            "-> PATH=?:$PATH rm ?:{} <empty",
            "escapes Escapes(ENV)",
        ],
    );
    check("xargs rm -f", &["-> rm -f ?:{} <empty"]);
    check("xargs -0 -n1 -P 4 rm", &["-> rm ?:{} <empty"]);
    check("xargs -I% mv % d/%", &["-> mv ?:% ?:d/% <empty"]);
    check("xargs -a f rm", &["Verb::Get[xargs] TargetKind::File f Effect::None", "-> rm ?:{}"]);
    check("xargs", &["-> echo ?:{} <empty"]);
    check("xargs -I{} {}", &["doubt Reason::DynamicWord"]);
}

#[test]
fn shells_run_texts_files_and_input() {
    let text = |words: &[&str]| show(&classify(&program(words)));
    assert_eq!(text(&["bash", "-c", "rm x", "a", "b"]), "-> bash: rm x");
    assert_eq!(text(&["bash", "-euxo", "pipefail", "-c", "rm x"]), "-> bash: rm x");
    assert_eq!(text(&["sh", "-c", "-e", "rm x"]), "-> sh: rm x");
    assert_eq!(text(&["bash", "--norc", "-lc", "rm x"]), "-> bash: rm x");
    assert_eq!(
        text(&["bash", "a.sh", "-c", "x"]),
        "Verb::Exec[bash] TargetKind::Code a.sh Effect::Unknown Traits(RUNS_CODE)"
    );
    assert_eq!(
        text(&["bash", "-c", "?:$x"]),
        "Verb::Exec[bash] TargetKind::Code ?:$x Effect::Unknown Traits(RUNS_CODE)\ndoubt Reason::DynamicWord"
    );
    assert_eq!(text(&["bash", "-O", "extglob", "-c", "x"]), "doubt Reason::UnknownOption");
    assert_eq!(text(&["bash", "--version"]), "Verb::Nothing[bash] Effect::None");
    assert_eq!(text(&["zsh", "-c", "x"]), "doubt Reason::UnknownLanguage");
    let fed = |input| show(&classify(&program_with(&["bash"], input)));
    assert_eq!(fed(Input::Text("rm x\n".into())), "-> bash: rm x\n");
    assert_eq!(
        fed(Input::External),
        "Verb::Exec[bash] TargetKind::Code ?: Effect::Unknown Traits(EXTERNAL_CONTENT | RUNS_CODE)"
    );
    assert_eq!(
        fed(Input::File(Word::exact("f", Span::WHOLE))),
        "Verb::Exec[bash] TargetKind::Code f Effect::Unknown Traits(RUNS_CODE)"
    );
    assert_eq!(fed(Input::Empty), "Verb::Nothing[bash] Effect::None");
}

#[test]
fn script_writes_its_records_and_runs_the_text() {
    let wrote = |file: &str| format!("Verb::Update[script] TargetKind::File {file} Effect::Reversible");
    for words in ["script -q log -c ls", "script -c ls log", "script -qcls log", "script log --command=ls"] {
        check(words, &[&wrote("log"), "-> sh: ls"]);
    }
    for option in ["-t.envrc", "--timing=.envrc", "--tim=.envrc", "-T.envrc", "--log-out=.envrc", "--log-in=.envrc"] {
        check(&format!("script {option} -c ls out"), &[&wrote(".envrc"), &wrote("out"), "-> sh: ls"]);
        check(&format!("script out -c ls {option}"), &[&wrote(".envrc"), &wrote("out"), "-> sh: ls"]);
    }
    check("script -t -c ls", &[&wrote("typescript"), "-> sh: ls"]);
    // Some systems run the words behind the file.
    check("script -q log rm -f x", &[&wrote("log"), "-> rm -f x"]);
    check("script log --zap", &["doubt Reason::UnknownOption"]);
}

#[test]
fn variables_that_name_copies_reach_the_program() {
    for text in ["export SIMPLE_BACKUP_SUFFIX=rc; cp -b a b", "SIMPLE_BACKUP_SUFFIX=rc; cp -b a b"] {
        let found = show(&classify(&crate::testing::bash(text)));
        assert!(found.contains("-> SIMPLE_BACKUP_SUFFIX=rc cp -b a b") && found.contains("escapes"), "{found}");
    }
    let found = show(&classify(&crate::testing::bash("VERSION_CONTROL=simple mv a b")));
    assert!(found.contains("-> VERSION_CONTROL=simple mv a b") && found.contains("escapes"), "{found}");
}

#[test]
fn ssh_connects_and_hands_on() {
    let connect = "Verb::Connect[ssh] TargetKind::Host h Effect::None Traits(NETWORK | EXTERNAL_CONTENT)";
    let exec = "Verb::Exec[ssh] TargetKind::Host h Effect::Unknown Traits(NETWORK | RUNS_CODE)";
    check("ssh -p 22 u@h rm -rf x", &[connect, exec, "-> bash: rm -rf x @?"]);
    check("ssh h -v rm x", &[connect, exec, "-> bash: rm x @?"]);
    check("ssh -o StrictHostKeyChecking=no h", &[connect, exec]);
    assert!(show(&classify(&program(&["ssh", "-oProxyCommand=x", "h"]))).contains("doubt"));
    check("ssh -F f h", &["doubt Reason::UnknownOption"]);
}

#[test]
fn deleting_on_windows_is_understood() {
    let all = "TargetKind::File C:\\x Effect::Irreversible Scope::AllInParent";
    check("cmd /c rd /s /q C:\\x", &[&format!("Verb::Delete[rd] {all}")]);
    assert_eq!(
        show(&classify(&program(&["cmd.exe", "/C", "rmdir /S \"C:\\x\""]))),
        format!("Verb::Delete[rmdir] {all}")
    );
    check("cmd /c dir", &["doubt Reason::UnsupportedSyntax"]);
}
