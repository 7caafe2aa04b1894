//! Variables set for one command.

use holdpoint_guest::{Action, Binding, Finding, Input, Invocation, Request, Span, Word, WorkingDir};

use super::is_harmless;
use crate::classify;

fn with_variable(name: &str, words: &[&str]) -> Finding {
    let env = vec![Binding { name: name.to_owned(), value: Word::exact("x", Span::WHOLE) }];
    let argv = words.iter().map(|word| Word::exact(*word, Span::WHOLE)).collect();
    let invocation = Invocation { argv, env, cwd: WorkingDir::Same, stdin: Input::Inherited };
    classify(&Request { action: Action::Program(invocation), facts: Vec::new() })
}

#[test]
fn variables_that_act_on_every_program_are_doubts() {
    for name in [
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "LD_AUDIT",
        "GCONV_PATH",
        "PATH",
        "BASH_ENV",
        "BASH_FUNC_ls%%",
        "HOME",
        "TMPDIR",
        "PERL5OPT",
        "XDG_CONFIG_HOME",
    ] {
        assert!(!with_variable(name, &["ls"]).doubts.is_empty(), "{name}");
    }
}

#[test]
fn a_program_s_own_variables_are_doubts_for_it_alone() {
    for (name, program) in [
        ("ZIPOPT", "zip"),
        ("SIMPLE_BACKUP_SUFFIX", "cp"),
        ("VERSION_CONTROL", "mv"),
        ("SIMPLE_BACKUP_SUFFIX", "ln"),
        ("VERSION_CONTROL", "install"),
        ("UNZIP", "unzip"),
        ("ACKRC", "ack"),
        ("BZIP2", "bzip2"),
        ("PIGZ", "pigz"),
        ("GREP_OPTIONS", "grep"),
        ("GREP", "zgrep"),
        ("LESSOPEN", "less"),
        ("PAGER", "man"),
        ("EDITOR", "crontab"),
        ("TAR_OPTIONS", "tar"),
        ("XZ_DEFAULTS", "xz"),
        ("RSYNC_RSH", "rsync"),
        ("CURL_HOME", "curl"),
        ("http_proxy", "curl"),
        ("WGETRC", "wget"),
        ("RIPGREP_CONFIG_PATH", "rg"),
        ("COWPATH", "cowsay"),
        ("AWKPATH", "gawk"),
        ("XTABLES_LIBDIR", "iptables"),
        ("SYSTEMD_PAGER", "systemctl"),
    ] {
        let doubts = |words: &[&str]| with_variable(name, words).doubts.len();
        let bare = |words: &[&str]| with_variable("FOO", words).doubts.len();
        assert!(doubts(&[program, "x"]) > bare(&[program, "x"]), "{name} {program}");
        assert_eq!(doubts(&["wc", "x"]), 0, "{name}");
    }
}

#[test]
fn names_that_only_resemble_such_variables_are_no_doubt() {
    for name in ["LC_ALL", "LANG", "TZ", "NO_COLOR", "FOO", "COLUMNS", "NODE_ENV", "HOST", "BUILD_DIR", "MY_PATH"] {
        assert!(is_harmless(&with_variable(name, &["ls"])), "{name}");
    }
}

#[test]
fn what_a_program_starts_gets_its_variables() {
    let finding = with_variable("NODE_OPTIONS", &["find", ".", "-exec", "node", "x.js", ";"]);
    let Some(Action::Program(inner)) = finding.delegates.first().map(|delegate| &delegate.action) else {
        panic!("a program is handed on");
    };
    assert_eq!(inner.env.first().map(|binding| binding.name.as_str()), Some("NODE_OPTIONS"));
    // A command line cannot take them along.
    assert!(!with_variable("NODE_OPTIONS", &["man", "-P", "node x.js", "ls"]).doubts.is_empty());
    assert!(with_variable("LANG", &["man", "-P", "node x.js", "ls"]).doubts.is_empty());
}
