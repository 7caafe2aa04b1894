//! Drives the built `holdpoint` command in a scratch folder of its own. Absent here: any of the command's own code, so
//! that these tests see what a person sees.

pub mod person;

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// What may go wrong in a test's own set-up.
pub type Failed = Box<dyn std::error::Error>;

/// The built command. It is built first if it is not there.
pub fn holdpoint() -> Result<&'static Path, Failed> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = BUILT.get_or_init(|| find().map_err(|error| error.to_string()));
    built.as_deref().map_err(|error| error.clone().into())
}

fn find() -> Result<PathBuf, Failed> {
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(Path::parent).ok_or("the test has no target folder")?;
    let program = folder.join("holdpoint");
    if !program.exists() {
        let built = Command::new(env!("CARGO")).args(["build", "-p", "holdpoint-cli"]).status()?;
        if !built.success() {
            return Err("the command does not build".into());
        }
    }
    Ok(program)
}

/// Tells a person something, whatever the test runner does with the output.
pub fn say(text: &str) {
    // There is nobody to tell if that fails.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A state folder and a workspace for one test.
pub struct Scene {
    folder: TempDir,
}

impl Scene {
    /// A fresh scene. The state folder has compiled code already, so that a test does not pay for compiling.
    pub fn new() -> Result<Scene, Failed> {
        let scene = Scene { folder: TempDir::with_prefix("holdpoint-e2e-")? };
        std::fs::create_dir(scene.workspace())?;
        let state = scene.state();
        create_private(&state)?;
        let warm = warm_state()?;
        for name in ["secrets", "cache"] {
            copy_folder(&warm.join(name), &state.join(name))?;
        }
        Ok(scene)
    }

    /// The state folder.
    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// The folder the agent works in.
    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The folder around both.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The command in this scene.
    pub fn command(&self, arguments: &[&str]) -> Result<Command, Failed> {
        let mut command = Command::new(holdpoint()?);
        command.args(arguments).current_dir(self.workspace()).env("HOLDPOINT_HOME", self.state());
        command.env_remove("CLAUDE_PROJECT_DIR").stdin(Stdio::null());
        Ok(command)
    }

    /// Runs the command to its end.
    pub fn run(&self, arguments: &[&str]) -> Result<Ran, Failed> {
        Ran::of(self.command(arguments)?.output()?)
    }

    /// Runs the command with this on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Result<Ran, Failed> {
        feed(self.command(arguments)?, input)
    }

    /// Judges a shell line and returns the JSON answer.
    pub fn check(&self, line: &str, more: &[&str]) -> Result<Value, Failed> {
        let arguments: Vec<&str> = ["check", "--json"].iter().chain(more).chain(&["--", line]).copied().collect();
        let ran = self.run(&arguments)?;
        serde_json::from_str(&ran.stdout).map_err(|error| format!("{line}: {error}: {}", ran.stderr).into())
    }
}

/// Runs a command with this on standard input.
pub fn feed(mut command: Command, input: &[u8]) -> Result<Ran, Failed> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A command that has answered already may have closed its input.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output()?;
    writer.join().map_err(|_| "the writer failed")?;
    Ran::of(output)
}

/// What a command did.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// What it printed as data.
    pub stdout: String,
    /// What it told a person.
    pub stderr: String,
}

impl Ran {
    fn of(output: Output) -> Result<Ran, Failed> {
        Ok(Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout)?,
            stderr: String::from_utf8(output.stderr)?,
        })
    }
}

/// A state folder whose vocabularies are compiled, shared by all tests of one build of the command.
fn warm_state() -> Result<PathBuf, Failed> {
    use std::os::unix::fs::MetadataExt;
    let program = holdpoint()?;
    let about = std::fs::metadata(program)?;
    let folder = program.parent().ok_or("no folder")?;
    let state = folder.join(format!("e2e-state-{}-{}", about.ino(), about.mtime()));
    if !state.join("ready").exists() {
        let fresh = TempDir::with_prefix_in("e2e-state-", folder)?;
        let own = fresh.path().join("state");
        let ran = Command::new(program).args(["check", "ls"]).env("HOLDPOINT_HOME", &own).output()?;
        if ran.status.code() != Some(0) {
            return Err(format!("the command cannot judge `ls`: {}", String::from_utf8_lossy(&ran.stderr)).into());
        }
        std::fs::write(own.join("ready"), "")?;
        // Another test may have been faster; both folders are good.
        let _ = std::fs::rename(&own, &state);
    }
    Ok(state)
}

fn create_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Failed> {
    create_private(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        std::fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
