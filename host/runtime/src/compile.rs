//! Compiling a component. Code generation is where a hostile file can cost the most, so it happens in a child process
//! with limits of its own, and the parent only waits so long.

use crate::limits::Limits;
use crate::sandbox::{Purpose, engine};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, pidfd_open, setrlimit};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Why a component could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The child could not be started or spoken to.
    #[error("the compiler could not be run: {0}")]
    Io(#[from] std::io::Error),
    /// The child took too long.
    #[error("the compiler took longer than {0} ms")]
    Late(u64),
    /// The child gave up, or was stopped by one of its limits.
    #[error("the compiler stopped: {0}")]
    Stopped(String),
    /// The artefact is over its bound.
    #[error("the compiled code is over {0} bytes")]
    TooLarge(usize),
}

/// How components are compiled.
#[derive(Clone, Debug)]
pub enum Compiler {
    /// In a child process: this program with these arguments, which end in [`compile_from_stdin`].
    Child {
        /// The program.
        program: PathBuf,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// In this process, for an author's own component.
    Here,
}

impl Compiler {
    /// Compiles a component that has been proved.
    pub(crate) fn compile(&self, component: &[u8], limits: &Limits) -> Result<Vec<u8>, CompileError> {
        let artefact = match self {
            Compiler::Here => compile_here(component, limits)?,
            Compiler::Child { program, arguments } => {
                let child = Command::new(program)
                    .args(arguments)
                    .env_clear()
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::null())
                    .spawn()?;
                wait_for(child, component, limits)?
            }
        };
        let most = limits.artefact_bytes_max;
        if artefact.len() > most { Err(CompileError::TooLarge(most)) } else { Ok(artefact) }
    }
}

fn wait_for(mut child: Child, component: &[u8], limits: &Limits) -> Result<Vec<u8>, CompileError> {
    let patience = Duration::from_millis(limits.compile_wall_ms);
    let started = Instant::now();
    let artefact = converse(&mut child, component, limits)?;
    let received = artefact.recv_timeout(patience);
    let ended = match &received {
        Ok(_) => ends_within(&child, patience.saturating_sub(started.elapsed())),
        Err(_) => Ok(false),
    };
    if !matches!(ended, Ok(true)) {
        child.kill()?;
    }
    let status = child.wait()?;
    match received {
        Ok(_) if !ended? => Err(CompileError::Late(limits.compile_wall_ms)),
        Ok(artefact) if status.success() => Ok(artefact?),
        Ok(_) | Err(RecvTimeoutError::Disconnected) => Err(CompileError::Stopped(status.to_string())),
        Err(RecvTimeoutError::Timeout) => Err(CompileError::Late(limits.compile_wall_ms)),
    }
}

/// Writes to the child and reads from it, neither of which it can hold the host up with: the threads are not waited for,
/// and end when the pipes do.
fn converse(
    child: &mut Child,
    component: &[u8],
    limits: &Limits,
) -> std::io::Result<Receiver<std::io::Result<Vec<u8>>>> {
    let missing = || std::io::Error::other("the child has no pipe");
    let mut stdin = child.stdin.take().ok_or_else(missing)?;
    let stdout = child.stdout.take().ok_or_else(missing)?;
    let component = component.to_vec();
    // A child that stops early closes the pipe; its status says so.
    std::thread::spawn(move || stdin.write_all(&component));
    let most = u64::try_from(limits.artefact_bytes_max).unwrap_or(u64::MAX).saturating_add(1);
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut artefact = Vec::new();
        let read = stdout.take(most).read_to_end(&mut artefact).map(|_| artefact);
        // The parent may have stopped waiting.
        let _ = sender.send(read);
    });
    Ok(receiver)
}

/// Whether the child ends by itself in this time. The end of its output is not its own end.
fn ends_within(child: &Child, patience: Duration) -> std::io::Result<bool> {
    let handle = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let patience = Timespec::try_from(patience).map_err(std::io::Error::other)?;
    let ended = retry_on_intr(|| poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&patience)))?;
    Ok(ended > 0)
}

fn compile_here(component: &[u8], limits: &Limits) -> Result<Vec<u8>, CompileError> {
    let stopped = |error: String| CompileError::Stopped(error);
    let engine = engine(limits, Purpose::Compile).map_err(|error| stopped(error.to_string()))?;
    engine.precompile_component(component).map_err(|error| stopped(format!("{error:#}")))
}

/// The child's side: takes limits on itself, reads a component from standard input and writes the artefact to standard
/// output.
pub fn compile_from_stdin(limits: &Limits) -> Result<(), CompileError> {
    let limit = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::Cpu, limit(limits.compile_cpu_s)).map_err(std::io::Error::from)?;
    setrlimit(Resource::Data, limit(limits.compile_bytes_max)).map_err(std::io::Error::from)?;
    setrlimit(Resource::Core, limit(0)).map_err(std::io::Error::from)?;
    let most = u64::try_from(limits.component_bytes_max).unwrap_or(u64::MAX);
    let mut component = Vec::new();
    std::io::stdin().lock().take(most).read_to_end(&mut component)?;
    let artefact = compile_here(&component, limits)?;
    std::io::stdout().lock().write_all(&artefact)?;
    Ok(())
}
