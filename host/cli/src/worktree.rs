//! What a repository of git would run by itself, as its own files say: programs that its configuration names, and hooks.
//! The user's configuration is not looked at, as it is the user's. It must never call a repository plain that it cannot
//! read as a whole: a setting that is not listed here as harmless counts as a program.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Nothing of the repository starts a program.
const PLAIN: &str = "plain";
/// It starts programs only as hooks of commands that change something.
const HOOKS: &str = "hooks";
/// Its configuration starts programs, or cannot be read.
const CONFIG: &str = "config";

/// The answer where the folder is not known.
pub(crate) const UNKNOWN: &str = "unknown";

/// Most bytes of a configuration that are read.
const CONFIG_BYTES_MAX: u64 = 256 << 10;
/// Most entries of a folder of hooks that are looked at.
const HOOKS_MAX: usize = 256;
/// Hooks that run at reads as well: reads write the index anew.
const HOOKS_OF_READS: &[&str] = &["post-index-change"];
/// The ending of hooks that git brings along and never runs.
const SAMPLE: &str = ".sample";

/// Settings that start nothing, as `section.name`; the name between the two may be any. Source: git-config(1).
const HARMLESS: &[&str] = &[
    "advice.",
    "author.",
    "branch.autosetupmerge",
    "branch.autosetuprebase",
    "branch.description",
    "branch.gh-merge-base",
    "branch.github-pr-base-branch",
    "branch.github-pr-owner-number",
    "branch.merge",
    "branch.pushremote",
    "branch.rebase",
    "branch.remote",
    "branch.vscode-merge-base",
    "color.",
    "commit.gpgsign",
    "commit.verbose",
    "committer.",
    "core.abbrev",
    "core.autocrlf",
    "core.bare",
    "core.eol",
    "core.filemode",
    "core.ignorecase",
    "core.logallrefupdates",
    "core.longpaths",
    "core.precomposeunicode",
    "core.quotepath",
    "core.repositoryformatversion",
    "core.safecrlf",
    "core.sharedrepository",
    "core.sparsecheckout",
    "core.sparsecheckoutcone",
    "core.symlinks",
    "core.untrackedcache",
    "diff.algorithm",
    "diff.renames",
    "extensions.objectformat",
    "extensions.partialclone",
    "extensions.refstorage",
    "extensions.worktreeconfig",
    "fetch.prune",
    "fetch.prunetags",
    "gc.auto",
    "gui.",
    "index.",
    "init.defaultbranch",
    "lfs.repositoryformatversion",
    "log.date",
    "merge.conflictstyle",
    "merge.ff",
    "pull.ff",
    "pull.rebase",
    "push.autosetupremote",
    "push.default",
    "rebase.autosquash",
    "rebase.autostash",
    "remote.fetch",
    "remote.gh-resolved",
    "remote.mirror",
    "remote.partialclonefilter",
    "remote.promisor",
    "remote.prune",
    "remote.pushurl",
    "remote.tagopt",
    "remote.url",
    "rerere.enabled",
    "status.",
    "user.email",
    "user.name",
];
/// The setting that names another folder of hooks.
const HOOKS_PATH: &str = "core.hookspath";
/// What the address of a remote holds that starts a program of its own.
const HELPER_SIGN: &str = "::";

/// What the repository around `folder` would run by itself.
pub(crate) fn runs(folder: &Path) -> &'static str {
    match around(folder) {
        Found::None => PLAIN,
        Found::Unreadable => CONFIG,
        Found::Repository(repository) => repository.runs(),
    }
}

/// What a path leads to, in one word.
pub(crate) fn kind(path: &Path) -> &'static str {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => "folder",
        Ok(found) if found.is_file() => "file",
        Ok(_) => "other",
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "missing",
        Err(_) => "other",
    }
}

enum Found {
    None,
    Unreadable,
    Repository(Repository),
}

/// The places of a repository.
struct Repository {
    /// What belongs to this work tree.
    own: PathBuf,
    /// What belongs to all work trees.
    common: PathBuf,
    /// The work tree; `None` if there is none.
    top: Option<PathBuf>,
}

/// The repository that git finds from `folder` on upward.
fn around(folder: &Path) -> Found {
    for above in folder.ancestors() {
        let dot = above.join(".git");
        let own = match kind(&dot) {
            "folder" => Some((dot, Some(above.to_path_buf()))),
            "file" => match linked(&dot, "gitdir:") {
                Some(own) => Some((own, Some(above.to_path_buf()))),
                None => return Found::Unreadable,
            },
            "missing" => is_bare(above).then(|| (above.to_path_buf(), None)),
            _ => return Found::Unreadable,
        };
        if let Some((own, top)) = own {
            let common = match kind(&own.join("commondir")) {
                "missing" => Some(own.clone()),
                "file" => linked(&own.join("commondir"), ""),
                _ => None,
            };
            let repository = |common| Found::Repository(Repository { own, common, top });
            return common.map_or(Found::Unreadable, repository);
        }
    }
    Found::None
}

/// Git takes a folder that looks like this for a repository, whatever its name is.
fn is_bare(folder: &Path) -> bool {
    ["HEAD", "objects", "refs"].iter().all(|name| kind(&folder.join(name)) != "missing")
}

/// The path in a file of one line, as seen from the folder the file is in.
fn linked(file: &Path, start: &str) -> Option<PathBuf> {
    let text = read(file)?;
    let path = text.strip_prefix(start)?.trim();
    (!path.is_empty() && !path.contains('\n')).then(|| file.parent().map(|folder| folder.join(path)))?
}

/// The text of a file that is not too long.
fn read(path: &Path) -> Option<String> {
    let file = fs::File::open(path).ok()?;
    let mut text = String::new();
    let read = file.take(CONFIG_BYTES_MAX.saturating_add(1)).read_to_string(&mut text).ok()?;
    (u64::try_from(read).ok()? <= CONFIG_BYTES_MAX).then_some(text)
}

impl Repository {
    fn runs(&self) -> &'static str {
        // A submodule has a configuration of its own, which a look at the whole reads too.
        let has_parts = self.top.as_ref().is_some_and(|top| kind(&top.join(".gitmodules")) != "missing");
        let mut folders = vec![self.common.join("hooks")];
        for file in [self.common.join("config"), self.own.join("config.worktree")] {
            match kind(&file) {
                "missing" => {}
                "file" => match read(&file).as_deref().and_then(hook_folders) {
                    Some(paths) => folders.extend(paths.iter().map(|path| self.below_top(path))),
                    None => return CONFIG,
                },
                _ => return CONFIG,
            }
        }
        let hooks: Option<Vec<Vec<String>>> = folders.iter().map(|folder| hooks_in(folder)).collect();
        let Some(hooks) = hooks.filter(|_| !has_parts) else { return CONFIG };
        let hooks = hooks.concat();
        if hooks.iter().any(|hook| HOOKS_OF_READS.contains(&hook.as_str())) {
            CONFIG
        } else if hooks.is_empty() {
            PLAIN
        } else {
            HOOKS
        }
    }

    fn below_top(&self, path: &str) -> PathBuf {
        self.top.as_ref().unwrap_or(&self.common).join(path)
    }
}

/// The hooks in a folder that git would run; `None` if they cannot be told.
fn hooks_in(folder: &Path) -> Option<Vec<String>> {
    if kind(folder) == "missing" {
        return Some(Vec::new());
    }
    let mut hooks = Vec::new();
    for (index, entry) in fs::read_dir(folder).ok()?.enumerate() {
        let name = entry.ok()?.file_name().into_string().ok()?;
        if index >= HOOKS_MAX {
            return None;
        }
        if !name.ends_with(SAMPLE) {
            hooks.push(name);
        }
    }
    Some(hooks)
}

/// The further folders of hooks that a configuration names; `None` if it has a setting that may start a program, or is not
/// as simple as configurations usually are.
fn hook_folders(text: &str) -> Option<Vec<String>> {
    let mut section = String::new();
    let mut folders = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        // A line that goes on in the next one, and a setting behind a section, are left to git.
        if line.ends_with('\\') {
            return None;
        }
        if let Some(head) = line.strip_prefix('[') {
            let head = head.strip_suffix(']')?;
            section = head.split([' ', '"', '.']).next()?.to_ascii_lowercase();
            continue;
        }
        let (name, value) = line.split_once('=').map_or((line, ""), |(name, value)| (name.trim(), value.trim()));
        let key = format!("{section}.{}", name.to_ascii_lowercase());
        if key == HOOKS_PATH {
            let is_plain = !value.is_empty() && !value.contains(['"', '\\', '#', ';', '%']) && !value.starts_with('~');
            folders.push(is_plain.then(|| value.to_owned())?);
            continue;
        }
        let is_listed = |known: &&str| *known == key || (known.ends_with('.') && key.starts_with(*known));
        if !HARMLESS.iter().any(is_listed) || value.contains(HELPER_SIGN) {
            return None;
        }
    }
    Some(folders)
}

#[cfg(test)]
#[path = "worktree_tests.rs"]
mod tests;
