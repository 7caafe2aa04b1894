//! Git itself as the judge: lines run for real in a repository of their own. What is said to leave nothing behind changes
//! no file, ref, object or setting; what is said to change something, or to be lost, really does; an option is taken here
//! as git takes it; and every command of git is known, or unknown by decision.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    reason = "the oracle is a program, its repository lies in files, and without it there is no answer"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use holdpoint_guest::{
    Action, Effect, Fact, Finding, Input, Invocation, Reason, Request, Span, TargetKind, Word, WordKind, WorkingDir,
};
use holdpoint_plugin_git::classify;

/// A repository with two commits, two branches, a tag, a change that is not recorded, and a file that git does not know.
struct Repository(PathBuf);

impl Repository {
    fn new(name: &str) -> Repository {
        let folder = std::env::temp_dir().join(format!("holdpoint-git-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        let repository = Repository(folder);
        for line in ["init -q -b main", "config user.name t", "config user.email t@example.org"] {
            repository.must(line);
        }
        repository.write("a", "one\n");
        repository.write("sub/b", "one\n");
        for line in ["add .", "commit -q -m one", "branch topic", "tag v1"] {
            repository.must(line);
        }
        repository.write("a", "two\n");
        repository.must("commit -q -a -m two");
        repository.write("a", "three\n");
        repository.write("new", "three\n");
        repository
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    /// Runs git with these words; whether it ended well, and what it said.
    fn run(&self, words: &[&str]) -> (Option<i32>, String) {
        let ran = Command::new("git")
            .args(words)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_EDITOR", "true")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .output()
            .unwrap();
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    }

    fn must(&self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (code, said) = self.run(&words);
        assert_eq!(code, Some(0), "git {line}: {said}");
    }

    /// Every file of the repository and of its work tree.
    fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.0, &mut files);
        files
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path.clone(), std::fs::read(path).unwrap());
        }
    }
}

/// What the vocabulary says in a repository that starts nothing by itself.
fn told(words: &[&str], folder: &Path) -> Finding {
    let argv = std::iter::once("git").chain(words.iter().copied());
    let argv = argv.map(|text| Word { kind: WordKind::Exact, text: text.to_owned(), origin: Span::WHOLE }).collect();
    let invocation = Invocation { argv, env: Vec::new(), cwd: WorkingDir::Same, stdin: Input::Inherited };
    let mut request = Request { action: Action::Program(invocation), facts: Vec::new() };
    let first = classify(&request);
    let answers = first.facts_needed.iter().map(|query| {
        let is_there = !query.subject.is_empty() && folder.join(&query.subject).exists();
        let answer = match query.kind {
            holdpoint_guest::FactKind::WorkingTree => "plain",
            _ if is_there => "file",
            _ => "missing",
        };
        Fact { query: query.clone(), answer: answer.to_owned() }
    });
    request.facts = answers.collect();
    if request.facts.is_empty() { first } else { classify(&request) }
}

fn worst(finding: &Finding) -> Effect {
    finding.operations.iter().map(|operation| operation.effect).max_by_key(|effect| *effect as u8).unwrap()
}

/// Lines that read.
const READS: &[&str] = &[
    "status",
    "status --porc",
    "diff",
    "diff HEAD~1",
    "diff --cached",
    "log",
    "log -p -1",
    "log --oneline --graph --all",
    "log -n 1 --format=%H",
    "show",
    "show HEAD:a",
    "show --stat v1",
    "branch",
    "branch -a",
    "branch -vv",
    "branch --show-current",
    "branch --list t*",
    "branch --contains HEAD",
    "tag",
    "tag -l",
    "tag --list v*",
    "remote",
    "remote -v",
    "rev-parse HEAD",
    "rev-parse --abbrev-ref HEAD",
    "rev-parse --show-toplevel",
    "ls-files",
    "ls-files -o",
    "ls-tree -r HEAD",
    "blame a",
    "stash list",
    "config --get user.name",
    "config user.name",
    "config --list",
    "config list",
    "config get user.name",
    "describe --tags",
    "grep one",
    "cat-file -p HEAD",
    "for-each-ref",
    "merge-base main topic",
    "rev-list --count HEAD",
    "shortlog -sn HEAD",
    "reflog",
    "reflog show main",
    "worktree list",
    "check-ignore a",
    "symbolic-ref HEAD",
    "show-ref",
    "name-rev HEAD",
    "cherry topic main",
    "count-objects -v",
    "add -n .",
    "add --dry .",
    "clean -n",
    "rm -n sub/b",
    "mv -n sub/b c",
    "diff-tree --stat HEAD",
    "diff-files",
    "var GIT_EDITOR",
    "diff-index HEAD",
    "ls-remote .",
    "checkout",
    "push --dry-run . main:x",
    "notes",
    "submodule status",
    "verify-pack",
    "archive HEAD",
    "range-diff HEAD~1..HEAD HEAD~1..HEAD",
    "format-patch --stdout HEAD~1",
    "whatchanged -1",
    "fsck",
    "merge-tree main topic",
    "interpret-trailers a",
    "stripspace",
    "version",
    "check-attr -a a",
    "show-branch",
    "bundle list-heads x",
];

/// Lines that change something, with whether what they take away is lost.
const WRITES: &[(&str, Effect)] = &[
    ("add a", Effect::Reversible),
    ("add -A", Effect::Reversible),
    ("commit -a -m x", Effect::Reversible),
    ("commit --dry-run -a", Effect::Reversible),
    ("commit --amend --no-edit", Effect::Reversible),
    ("branch x", Effect::Reversible),
    ("branch -d topic", Effect::Reversible),
    ("branch --delet topic", Effect::Reversible),
    ("branch -D topic", Effect::Irreversible),
    ("branch -f topic HEAD", Effect::Irreversible),
    ("branch -m topic other", Effect::Reversible),
    ("tag v2", Effect::Reversible),
    ("tag -d v1", Effect::Irreversible),
    ("tag -f v1", Effect::Irreversible),
    ("reset --soft HEAD~1", Effect::Reversible),
    ("reset --hard", Effect::Irreversible),
    ("reset --har", Effect::Irreversible),
    ("clean -f", Effect::Irreversible),
    ("clean -fdx", Effect::Irreversible),
    ("checkout -- a", Effect::Irreversible),
    ("checkout a", Effect::Irreversible),
    ("checkout HEAD a", Effect::Irreversible),
    ("checkout -f topic", Effect::Irreversible),
    ("checkout -b x", Effect::Reversible),
    ("checkout -qb x", Effect::Reversible),
    ("restore a", Effect::Irreversible),
    ("switch -c x", Effect::Reversible),
    ("switch -f topic", Effect::Irreversible),
    ("switch --disc topic", Effect::Irreversible),
    ("stash", Effect::Reversible),
    ("stash push -m x", Effect::Reversible),
    ("rm sub/b", Effect::Irreversible),
    ("rm --cached sub/b", Effect::Reversible),
    ("rm -f a", Effect::Irreversible),
    ("mv sub/b c", Effect::Reversible),
    ("config user.name x", Effect::Reversible),
    ("config set user.name x", Effect::Reversible),
    ("config --unset user.name", Effect::Reversible),
    ("remote add x ../x", Effect::Reversible),
    ("notes add -m x", Effect::Reversible),
    ("update-ref refs/heads/x HEAD", Effect::Irreversible),
    ("symbolic-ref HEAD refs/heads/topic", Effect::Reversible),
    ("reflog expire --expire=now --all", Effect::Irreversible),
    ("init sub/inner", Effect::Reversible),
    ("init -b x other", Effect::Reversible),
    ("format-patch HEAD~1", Effect::Reversible),
    ("archive -o x.tar HEAD", Effect::Reversible),
    ("diff --output=x.diff", Effect::Reversible),
    ("log --output=x.log", Effect::Reversible),
    ("bundle create x.bundle main", Effect::Reversible),
    ("gc", Effect::Reversible),
    ("gc --prune=now", Effect::Irreversible),
    ("pack-refs --all", Effect::Reversible),
    ("hash-object -w a", Effect::Reversible),
    ("bisect start", Effect::Reversible),
    ("push . main:topic", Effect::Reversible),
    ("push . +main:topic", Effect::Irreversible),
    ("push . :topic", Effect::Irreversible),
    ("push --delet . topic", Effect::Irreversible),
    ("push --mirror .", Effect::Irreversible),
    ("fetch . main:topic", Effect::Reversible),
];

#[test]
fn what_is_said_to_read_leaves_everything_as_it_was() {
    let repository = Repository::new("reads");
    repository.must("status");
    let before = repository.snapshot();
    for line in READS {
        let words: Vec<&str> = line.split_whitespace().collect();
        let finding = told(&words, &repository.0);
        let clear = finding.doubts.is_empty() && finding.delegates.is_empty();
        assert!(clear && worst(&finding) == Effect::None, "git {line}: {finding:?}");
        repository.run(&words);
        assert!(repository.snapshot() == before, "git {line} changed something");
    }
}

#[test]
fn what_is_said_to_change_something_does() {
    for (line, effect) in WRITES {
        let repository = Repository::new("writes");
        let words: Vec<&str> = line.split_whitespace().collect();
        let finding = told(&words, &repository.0);
        // What a commit brings into the work tree nobody has looked at; everything else is understood.
        let understood = finding.doubts.iter().all(|doubt| doubt.reason == Reason::MissingFact);
        assert!(understood && worst(&finding) == *effect, "git {line}: {finding:?}");
        let before = repository.snapshot();
        let (_, said) = repository.run(&words);
        // A mirror of a repository to itself has nothing to move.
        assert!(repository.snapshot() != before || line.starts_with("push --mirror"), "git {line}: {said}");
    }
}

#[test]
fn an_option_is_taken_as_git_takes_it() {
    let repository = Repository::new("options");
    for (line, known) in [
        ("status --porcelain", true),
        ("status --porcel", true),
        ("status --s", false),
        ("status --no-such", false),
        ("branch --no-such", false),
        ("branch --no-color", true),
        ("add --no-such", false),
        ("add --verb -n a", true),
        ("commit --dry-ru -a", true),
        ("commit --no-such", false),
        ("push --forc --dry-run . main", false),
        ("push --force --dry-run . main", true),
        ("clean -nd", true),
        ("clean -nJ", false),
        ("tag --no-such", false),
        ("reset --mixe", true),
        ("reset --m", false),
        ("log --no-such", false),
        ("ls-files --othe", true),
        ("stash push --no-such", false),
        ("remote --no-such", false),
    ] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let taken = told(&words, &repository.0).doubts.is_empty();
        let (code, said) = repository.run(&words);
        assert_eq!(taken, known, "git {line}");
        assert_eq!(matches!(code, Some(0 | 1)), known, "git {line}: {code:?} {said}");
    }
}

#[test]
fn every_command_of_git_is_known_or_unknown_by_decision() {
    let unknown = include_str!("../tables/unknown.toml").split("\"\"\"").nth(1).unwrap();
    let unknown: BTreeSet<&str> = unknown.split_whitespace().collect();
    let listed = Command::new("git").arg("--list-cmds=builtins").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.lines().count() > 100);
    let has_table = |name: &str| {
        include_str!("../tables/commands.toml").lines().any(|line| {
            let names = line.strip_prefix("names = \"").map_or("", |rest| rest.trim_end_matches('"'));
            names.split_whitespace().any(|own| own.split('/').next() == Some(name))
        })
    };
    for name in listed.lines() {
        assert!(has_table(name) != unknown.contains(name), "{name} stands in commands.toml or in unknown.toml");
    }
    for name in unknown {
        assert!(!told(&[name], Path::new("/")).doubts.is_empty(), "{name}");
    }
}

#[test]
fn what_starts_a_program_is_said_to_run_code() {
    for words in [
        &["-c", "core.fsmonitor=touch P; false", "status"][..],
        &["-c", "diff.external=touch P; true", "diff"],
        &["-c", "alias.x=!touch P", "x"],
        &["-c", "core.sshCommand=touch P; false", "ls-remote", "ssh://h.invalid/x"],
        &["ls-remote", "--upload-pack=touch P; false", "."],
        &["ls-remote", "--upload-pa=touch P; false", "."],
        &["-c", "protocol.ext.allow=always", "ls-remote", "ext::touch P"],
        &["rebase", "-x", "touch P", "--root", "--autostash"],
        &["grep", "-Otouch P #", "three"],
        &["difftool", "-y", "-x", "touch P; true"],
        &["bisect", "run", "touch", "P"],
        &["-c", "core.editor=touch P; true", "commit", "-a"],
    ] {
        let repository = Repository::new("runs");
        let finding = told(words, &repository.0);
        let runs = |operation: &holdpoint_guest::Operation| {
            operation.target.last().is_some_and(|step| step.kind == TargetKind::Code)
        };
        let said = finding.operations.iter().any(runs) || !finding.delegates.is_empty() || !finding.doubts.is_empty();
        assert!(said, "{words:?}: {finding:?}");
    }
}
