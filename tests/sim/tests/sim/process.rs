//! A process that prints a line for each thing it was told is on disk, and can be killed at any time.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

pub(crate) struct Process {
    child: Child,
    out: BufReader<ChildStdout>,
    acknowledged: Vec<String>,
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Process {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Process { child, out, acknowledged: Vec::new() }
    }

    /// Lets a process begin that waits for it.
    pub(crate) fn go(&mut self) {
        self.child.stdin.take().unwrap().write_all(b"\n").unwrap();
    }

    pub(crate) fn read_acknowledged(&mut self, count: u64) {
        for _ in 0..count {
            let mut line = String::new();
            assert!(self.out.read_line(&mut line).unwrap() > 0, "the process ended by itself");
            self.acknowledged.push(line.trim_end().to_owned());
        }
    }

    /// Kills it, and reads what it had still acknowledged.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.code().is_none(), "it ended by itself: {status}");
        let whole_lines = rest.rsplit_once('\n').map_or("", |(whole_lines, _)| whole_lines);
        self.acknowledged.extend(whole_lines.lines().map(str::to_owned));
        self.acknowledged
    }

    /// Waits until it ends by itself.
    pub(crate) fn finish(mut self) -> Vec<String> {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        self.acknowledged.extend(rest.lines().map(str::to_owned));
        self.acknowledged
    }
}

/// Lets a random time pass that is shorter than any sleep.
pub(crate) fn spin(spins: u64) {
    for _ in 0..spins {
        std::hint::spin_loop();
    }
}

/// The seed of this run, printed so that it can be given again.
pub(crate) fn seed() -> u64 {
    let seed = match std::env::var("HOLDPOINT_SIM_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => u64::from(std::process::id()),
    };
    println!("HOLDPOINT_SIM_SEED={seed}");
    seed
}
