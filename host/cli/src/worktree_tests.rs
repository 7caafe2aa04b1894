//! Repositories as git would find them, and what they would run.

use super::*;

/// A folder that is removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("holdpoint-worktree-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const USUAL: &str = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = \
                     git@h.example:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = \
                     origin\n\tmerge = refs/heads/main\n";

#[test]
fn an_ordinary_repository_runs_nothing_by_itself() {
    let scratch = Scratch::new("plain");
    scratch.write(".git/config", USUAL);
    scratch.write(".git/hooks/pre-commit.sample", "");
    scratch.write("src/a", "");
    assert_eq!(runs(&scratch.0), PLAIN);
    assert_eq!(runs(&scratch.0.join("src")), PLAIN);
    assert_eq!(runs(&scratch.0.join("nowhere")), PLAIN);
}

#[test]
fn a_hook_runs_at_changes_and_one_hook_at_reads() {
    let scratch = Scratch::new("hooks");
    scratch.write(".git/config", USUAL);
    scratch.write(".git/hooks/pre-commit", "");
    assert_eq!(runs(&scratch.0), HOOKS);
    scratch.write(".git/hooks/post-index-change", "");
    assert_eq!(runs(&scratch.0), CONFIG);
    let moved = Scratch::new("moved");
    moved.write(".git/config", &format!("{USUAL}[core]\n\thooksPath = .husky/_\n"));
    assert_eq!(runs(&moved.0), PLAIN);
    moved.write(".husky/_/pre-commit", "");
    assert_eq!(runs(&moved.0), HOOKS);
}

#[test]
fn a_setting_that_may_start_a_program_counts_as_one() {
    for setting in [
        "[core]\n\tfsmonitor = ./x.sh",
        "[core] fsmonitor = ./x.sh",
        "[Core]\n\tFsMonitor = ./x.sh",
        "[core]\n\tpager = x",
        "[diff]\n\texternal = x",
        "[diff \"a\"]\n\ttextconv = x",
        "[filter \"a\"]\n\tclean = x",
        "[include]\n\tpath = x",
        "[alias]\n\tx = !y",
        "[remote \"a\"]\n\turl = ext::sh -c x",
        "[remote \"a\"]\n\tuploadpack = x",
        "[user]\n\tname = x\\\n[core]",
        "[core]\n\thooksPath = ~/x",
        "[some.thing]\n\telse = 1",
    ] {
        let scratch = Scratch::new("setting");
        scratch.write(".git/config", &format!("{USUAL}{setting}\n"));
        assert_eq!(runs(&scratch.0), CONFIG, "{setting}");
    }
}

#[test]
fn what_is_elsewhere_or_cannot_be_read_is_followed_or_counts_as_programs() {
    let scratch = Scratch::new("elsewhere");
    scratch.write("main/.git/config", &format!("{USUAL}[core]\n\tfsmonitor = x\n"));
    scratch.write("main/.git/worktrees/w/commondir", "../..\n");
    scratch.write("w/.git", &format!("gitdir: {}/main/.git/worktrees/w\n", scratch.0.display()));
    assert_eq!(runs(&scratch.0.join("w")), CONFIG);
    scratch.write("main/.git/config", USUAL);
    assert_eq!(runs(&scratch.0.join("w")), PLAIN);
    scratch.write("main/.git/worktrees/w/config.worktree", "[core]\n\tsshCommand = x\n");
    assert_eq!(runs(&scratch.0.join("w")), CONFIG);
    scratch.write("odd/.git", "nothing\n");
    assert_eq!(runs(&scratch.0.join("odd")), CONFIG);
    scratch.write("parts/.git/config", USUAL);
    scratch.write("parts/.gitmodules", "");
    assert_eq!(runs(&scratch.0.join("parts")), CONFIG);
    for name in ["HEAD", "objects/x", "refs/x"] {
        scratch.write(&format!("bare/{name}"), "");
    }
    scratch.write("bare/config", "[core]\n\tfsmonitor = x\n");
    assert_eq!(runs(&scratch.0.join("bare")), CONFIG);
}

#[test]
fn a_configuration_or_a_folder_of_hooks_over_its_bound_counts_as_programs() {
    let scratch = Scratch::new("bounds");
    let longest = usize::try_from(CONFIG_BYTES_MAX).unwrap();
    scratch.write(".git/config", &"#".repeat(longest));
    assert_eq!(runs(&scratch.0), PLAIN);
    scratch.write(".git/config", &"#".repeat(longest + 1));
    assert_eq!(runs(&scratch.0), CONFIG);
    scratch.write(".git/config", USUAL);
    (0..HOOKS_MAX).for_each(|index| scratch.write(&format!(".git/hooks/{index}"), ""));
    assert_eq!(runs(&scratch.0), HOOKS);
    scratch.write(".git/hooks/more", "");
    assert_eq!(runs(&scratch.0), CONFIG);
}
