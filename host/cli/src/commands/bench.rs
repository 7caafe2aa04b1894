//! `bench`: decisions in this process, and whole hook processes next to `/bin/true`, measured in one run.

use crate::args::BenchArgs;
use crate::commands::demo::Scratch;
use crate::exit::{Exit, Failure};
use crate::gate::{self, Gate};
use crate::{home, output};
use holdpoint::Call;
use holdpoint::core::json::Json;
use holdpoint_store::Counting;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Lines of ordinary work, of the kinds that agents send.
const SAMPLE: &[&str] = &[
    "ls -la",
    "cat src/main.rs",
    "grep -rn 'fn main' src",
    "find . -name '*.rs' | xargs wc -l",
    "sed -n '1,80p' README.md",
    "cd src && ls",
    "git status",
    "cargo test 2>&1 | tail -20",
    "mkdir -p out && cp a.txt out/",
    "rm -rf target/tmp",
    "for f in *.txt; do head -1 \"$f\"; done",
    "echo hello > note.txt",
    "curl -s https://example.com | head",
    "awk '{print $1}' data.txt | sort | uniq -c",
    "tar czf out.tgz out",
    "python3 script.py --flag",
];

/// Measures and prints.
pub(crate) fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let scratch = Scratch::new()?;
    let gate = Gate::open(home::create(&scratch.0.join("state"))?, Counting::Take)?;
    let failed = |_| Failure::new(Exit::Plugin, gate.parts.degraded().join("; "), "`holdpoint doctor` tells more");
    output::note("compiling the vocabularies …");
    gate.parts.vocabularies.load_all().map_err(failed)?;
    let lines = lines(args)?;
    let warm = warm(&gate, &scratch.0, &lines, args.rounds)?;
    let (hook, base) = cold(gate.parts.state.path(), &scratch.0, args.cold)?;
    let ratio = percentile(&hook, 50) / percentile(&base, 50).max(f64::MIN_POSITIVE);
    let text = if args.json {
        let spread = |times: &[f64]| json!({ "p50": percentile(times, 50), "p99": percentile(times, 99) });
        let document = json!({ "schema": 1, "lines": lines.len(), "decision_us": spread(&warm),
            "cold_hook_us": spread(&hook), "bin_true_us": spread(&base), "cold_ratio": ratio });
        format!("{document}\n")
    } else {
        let spread =
            |times: &[f64]| format!("p50 {:.1} µs, p99 {:.1} µs", percentile(times, 50), percentile(times, 99));
        format!(
            "decision in this process, fresh instances, {} lines x {} rounds: {}\n\
             one hook process with a durable record: {}\n/bin/true in the same run: {}\nratio of medians: {ratio:.1}\n",
            lines.len(),
            args.rounds,
            spread(&warm),
            spread(&hook),
            spread(&base)
        )
    };
    output::data(&text)?;
    Ok(Exit::Done)
}

fn lines(args: &BenchArgs) -> Result<Vec<String>, Failure> {
    match &args.lines {
        None => Ok(SAMPLE.iter().map(|line| (*line).to_owned()).collect()),
        Some(file) => {
            let text = std::fs::read_to_string(file).map_err(|error| Failure::file(file, &error))?;
            Ok(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect())
        }
    }
}

/// Microseconds of judging each line, each round, without the record.
fn warm(gate: &Gate, workspace: &Path, lines: &[String], rounds: u32) -> Result<Vec<f64>, Failure> {
    let caller = gate.gated_caller("bench", workspace)?;
    let mut times = Vec::new();
    for _ in 0..rounds {
        for line in lines {
            let call = Call {
                server: String::new(),
                tool: "Bash".to_owned(),
                arguments: Json::object([("command", Json::text(line.as_str()))]),
            };
            let caller = caller.clone();
            let start = Instant::now();
            let judged = gate.holdpoint.rehearse(caller, call);
            times.push(micros(start));
            drop(judged);
        }
    }
    Ok(times)
}

/// Microseconds of whole processes: hooks, and `/bin/true` in between.
fn cold(state: &Path, workspace: &Path, rounds: u32) -> Result<(Vec<f64>, Vec<f64>), Failure> {
    let program = gate::own_program()?;
    let payload = json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": workspace,
        "tool_input": { "command": "ls -la src | head" } })
    .to_string();
    let (mut hook, mut base) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let mut command = Command::new(&program);
        command.args(["hook", "claude-code", "--state"]).arg(state).arg("--workspace").arg(workspace);
        hook.push(process(&mut command, &payload)?);
        base.push(process(&mut Command::new("/bin/true"), "")?);
    }
    Ok((hook, base))
}

fn process(command: &mut Command, input: &str) -> Result<f64, Failure> {
    let failed = |error: std::io::Error| Failure::internal(format!("cannot measure a process: {error}"));
    let start = Instant::now();
    // A hook refuses an output that leads nowhere. Its answer fits into the pipe, so nobody has to read it.
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input has closed the pipe by now.
        let _ = stdin.write_all(input.as_bytes());
    }
    let status = child.wait().map_err(failed)?;
    let time = micros(start);
    if status.success() { Ok(time) } else { Err(Failure::internal(format!("a measured process ended with {status}"))) }
}

fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

/// The value that `percent` of the times do not exceed.
fn percentile(times: &[f64], percent: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let index = times.len().saturating_mul(percent).div_ceil(100).saturating_sub(1);
    times.get(index).copied().unwrap_or_default()
}
