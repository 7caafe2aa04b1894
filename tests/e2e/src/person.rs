//! A person at a pseudo-terminal: reads what is shown, types key by key, or pastes.

use crate::{Failed, Scene};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Milliseconds between two keys.
const KEY_MS: u64 = 30;
/// How long a text may take to appear.
const PATIENCE: Duration = Duration::from_secs(30);

/// The operator's password.
pub const PASSWORD: &str = "correct horse battery";

/// Sets it, as a person does.
pub fn set_password(scene: &Scene) -> Result<(), Failed> {
    let mut person = Person::at(scene.command(&["operator", "set-password"])?)?;
    person.see("new password: ")?;
    person.types(PASSWORD)?;
    person.see("once more: ")?;
    person.types(PASSWORD)?;
    let (code, screen) = person.leaves()?;
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains(PASSWORD), "a password is never shown: {screen}");
    Ok(())
}

/// A command at a terminal, and the person in front of it.
pub struct Person {
    child: Child,
    keys: File,
    screen: String,
    /// Up to here the screen was read.
    read: usize,
}

impl Person {
    /// Sits down in front of a command.
    pub fn at(mut command: Command) -> Result<Person, Failed> {
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&keys)?;
        unlockpt(&keys)?;
        let name = PathBuf::from(std::ffi::OsString::from_vec(ptsname(&keys, Vec::new())?.into_bytes()));
        let line = std::fs::OpenOptions::new().read(true).write(true).open(name)?;
        command.stdin(line.try_clone()?).stderr(line).stdout(Stdio::piped());
        Ok(Person { child: command.spawn()?, keys: keys.into(), screen: String::new(), read: 0 })
    }

    /// Waits until this text is shown behind everything that was read so far.
    pub fn see(&mut self, text: &str) -> Result<(), Failed> {
        let start = Instant::now();
        loop {
            let unread = self.screen.get(self.read..).unwrap_or("");
            if let Some(at) = unread.find(text) {
                self.read += at + text.len();
                return Ok(());
            }
            if start.elapsed() > PATIENCE || !self.look(100)? {
                return Err(format!("`{text}` is not shown:\n{}", self.screen).into());
            }
        }
    }

    /// Types a line, key by key.
    pub fn types(&mut self, line: &str) -> Result<(), Failed> {
        for key in line.chars().chain(['\r']) {
            let before = Instant::now();
            while let Some(left) = Duration::from_millis(KEY_MS).checked_sub(before.elapsed()) {
                self.look(u64::try_from(left.as_millis())?.max(1))?;
            }
            self.keys.write_all(key.encode_utf8(&mut [0; 4]).as_bytes())?;
        }
        Ok(())
    }

    /// Pastes a line.
    pub fn pastes(&mut self, line: &str) -> Result<(), Failed> {
        Ok(self.keys.write_all(format!("{line}\r").as_bytes())?)
    }

    /// The exit code, once the command has ended, and everything that was shown.
    pub fn leaves(mut self) -> Result<(Option<i32>, String), Failed> {
        while self.child.try_wait()?.is_none() {
            self.look(50)?;
        }
        while self.look(1)? && self.screen.len() > self.read {
            self.read = self.screen.len();
        }
        Ok((self.child.wait()?.code(), self.screen))
    }

    /// Reads what is shown within some milliseconds; false once the command is gone.
    fn look(&mut self, within_ms: u64) -> Result<bool, Failed> {
        let mut waiting = [PollFd::new(&self.keys, PollFlags::IN)];
        let within = Timespec { tv_sec: 0, tv_nsec: i64::try_from(within_ms * 1_000_000)? };
        if poll(&mut waiting, Some(&within))? == 0 {
            return Ok(true);
        }
        let mut bytes = [0; 4_096];
        match self.keys.read(&mut bytes) {
            Ok(0) | Err(_) => Ok(false),
            Ok(count) => {
                self.screen.push_str(&String::from_utf8_lossy(bytes.get(..count).unwrap_or(&[])));
                Ok(true)
            }
        }
    }
}
