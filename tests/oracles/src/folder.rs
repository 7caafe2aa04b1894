//! A folder with something of everything in it, and what changes there.

use holdpoint_tests_e2e::Failed;
use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Seconds after which a command is stopped.
const COMMAND_S: &str = "2";

/// The folder that a command runs in, and the one for temporary files.
const WORK: &str = "w";
const TEMPORARY: &str = "t";
/// What makes the archives.
const ARCHIVES: &[&str] = &[
    "tar cf t.tar d",
    "gzip -k c.txt",
    "bzip2 -k b",
    "xz -k b",
    "zstd -qk b",
    "lz4 -qk b b.lz4",
    "zip -q z.zip b d/f.o",
    "ar qc r.a b",
    "gzip -c c.txt > d/.envrc.gz",
    "find b c.txt | cpio -o > c.cpio",
];

/// A file as it is: what kind, its rights and owners, when it was changed, and its content.
type State = ((u32, u32, u32), i64, i64, Vec<u8>);

/// The files that every command finds, made once.
pub struct Template(TempDir);

/// A folder for one command, with another beside it for temporary files, which are nobody's.
pub struct Folder {
    outside: TempDir,
    path: PathBuf,
}

impl Template {
    /// The same files every time.
    pub fn new() -> Result<Template, Failed> {
        let outside = TempDir::with_prefix("holdpoint-oracle-")?;
        let path = outside.path().join(WORK);
        for folder in ["", "d", "d/g", "e"] {
            std::fs::create_dir(path.join(folder))?;
        }
        let files =
            [("a", "one\ntwo\none\n"), ("b", "three\n"), ("c.txt", "x y\nz\n"), ("d/f.o", "o"), ("d/g/i", "i\n")];
        for (name, text) in files.into_iter().chain([(".hidden", "h\n"), ("p.diff", PATCH)]) {
            std::fs::write(path.join(name), text)?;
        }
        symlink("a", path.join("l"))?;
        let folder = Folder { outside, path };
        // An archive that no tool here can make is missing, and commands over it then fail.
        ARCHIVES.iter().try_for_each(|line| folder.run(line))?;
        Ok(Template(folder.outside))
    }

    /// A copy with the same times.
    pub fn copy(&self) -> Result<Folder, Failed> {
        let outside = TempDir::with_prefix("holdpoint-oracle-")?;
        std::fs::create_dir(outside.path().join(TEMPORARY))?;
        let copied = Command::new("cp").arg("-a").arg(self.0.path().join(WORK)).arg(outside.path()).status()?;
        let path = outside.path().join(WORK);
        if copied.success() { Ok(Folder { outside, path }) } else { Err("the folder was not copied".into()) }
    }
}

impl Folder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a command to its end or for a few seconds.
    pub fn run(&self, line: &str) -> Result<(), Failed> {
        let mut command = Command::new("timeout");
        command.args([COMMAND_S, "bash", "-c", line]).current_dir(&self.path).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("HOME", &self.path).env("TMPDIR", self.outside.path().join(TEMPORARY));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        Ok(())
    }

    /// Everything in it.
    pub fn states(&self) -> Result<BTreeMap<PathBuf, State>, Failed> {
        let mut states = BTreeMap::new();
        collect(&self.path, &mut states)?;
        Ok(states)
    }
}

const PATCH: &str = "--- a\n+++ a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n one\n";

fn collect(folder: &Path, states: &mut BTreeMap<PathBuf, State>) -> Result<(), Failed> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let about = std::fs::symlink_metadata(&path)?;
        let rights = (about.permissions().mode(), about.uid(), about.gid());
        let state = if about.is_dir() {
            // The time of a folder changes with what is in it, which counts by itself.
            (rights, 0, 0, Vec::new())
        } else if about.is_symlink() {
            (rights, 0, 0, std::fs::read_link(&path)?.into_os_string().into_encoded_bytes())
        } else if about.is_file() {
            // A file without the right to be read is still seen by its time and its rights.
            (rights, about.mtime(), about.mtime_nsec(), std::fs::read(&path).unwrap_or_default())
        } else {
            (rights, about.mtime(), 0, Vec::new())
        };
        states.insert(path.clone(), state);
        if about.is_dir() {
            collect(&path, states)?;
        }
    }
    Ok(())
}

/// The files that differ between two looks.
pub fn changed(before: &BTreeMap<PathBuf, State>, after: &BTreeMap<PathBuf, State>) -> Vec<PathBuf> {
    let gone_or_other = before.iter().filter(|(path, state)| after.get(*path) != Some(state));
    let new = after.iter().filter(|(path, _)| !before.contains_key(*path));
    gone_or_other.chain(new).map(|(path, _)| path.clone()).collect()
}
