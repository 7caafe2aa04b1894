//! A process to be killed: asks, answers, withdraws, freezes and thaws at random over one state folder, through the gate
//! itself, and prints what has happened once it is on disk.
//!
//! Arguments: the state folder, a tag, a seed. Lines: `acted REFERENCE`, `asked`, `refused`, `answered`, `withdrawn`,
//! `frozen`, `thawed`. A line on standard input makes it begin.

use holdpoint::{Call, CapabilitySnapshot, Holdpoint, Surroundings, Uncounted};
use holdpoint_core::approval::{Attestation, Via};
use holdpoint_core::asking::Strength;
use holdpoint_core::authorize::Recorded;
use holdpoint_core::outcome::{self, Became, Execution, Reference};
use holdpoint_core::ports::NotDurable;
use holdpoint_core::posture::Freeze;
use holdpoint_core::proof::Transport;
use holdpoint_store::{Answerer, Approvals, Decisions, Frozen, Holds, Kept, Says, StateFolder};
use holdpoint_tests_sim::agent::{Removals, call, caller, claims, now_ms};
use holdpoint_tests_sim::seeded::Seeded;
use std::error::Error;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// A process that nobody kills ends by itself.
const STEPS_MAX: u64 = 1_000_000;
/// Files that may be removed at a time. Few, so that processes ask the same.
const FILES: u64 = 4;
/// How long they are those: who said no is not asked again, so after a while nothing would be asked.
const FILES_MS: u64 = 1_000;
/// Runs that ask.
const RUNS: u64 = 2;
/// So short that a question's time can be over before somebody answers.
const SHORT_MS: u64 = 40;
/// So long that it cannot.
const LONG_MS: u64 = 60 * 60 * 1_000;

type Failed = Box<dyn Error>;

/// The machine's clock, and names that no other process gives.
struct Names {
    tag: String,
    count: AtomicU64,
}

impl Surroundings for Names {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn correlation_id(&self) -> String {
        format!("{}-{}", self.tag, self.count.fetch_add(1, Ordering::Relaxed))
    }
}

fn main() -> Result<(), Failed> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [state, tag, seed] = arguments.as_slice() else {
        return Err("usage: asker STATE TAG SEED".into());
    };
    let folder = StateFolder::open(Path::new(state))?;
    let mut seeded = Seeded::new(seed.parse()?);
    let gate = Gate { gates: [gate(&folder, tag, SHORT_MS)?, gate(&folder, &format!("{tag}l"), LONG_MS)?], folder };
    std::io::stdin().lock().read_line(&mut String::new())?;
    let mut out = std::io::stdout().lock();
    for _ in 0..STEPS_MAX {
        if let Some(told) = gate.step(&mut seeded)? {
            writeln!(out, "{told}")?;
            out.flush()?;
        }
    }
    Ok(())
}

fn gate(folder: &StateFolder, tag: &str, lifetime_ms: u64) -> Result<Holdpoint, Failed> {
    let built = Holdpoint::builder()
        .vocabularies(claims(), Removals)
        .journal(Decisions::of(folder))
        .meter(Uncounted)
        .surroundings(Names { tag: tag.to_owned(), count: AtomicU64::new(0) })
        .approvals(Approvals::of(folder).waiting_for(lifetime_ms))
        .snapshot(CapabilitySnapshot::of_tools([("", "note")]))
        .build();
    built.map_err(|error| error.to_string().into())
}

struct Gate {
    folder: StateFolder,
    /// One whose questions end soon, and one whose do not.
    gates: [Holdpoint; 2],
}

fn lost(failure: NotDurable) -> Failed {
    failure.cause.into()
}

impl Gate {
    fn step(&self, seeded: &mut Seeded) -> Result<Option<String>, Failed> {
        match seeded.below(100) {
            0..60 => self.ask(seeded),
            60..90 => self.answer(seeded),
            90..93 => self.withdraw(seeded),
            93..95 => self.freeze(),
            _ => self.thaw(),
        }
    }

    fn ask(&self, seeded: &mut Seeded) -> Result<Option<String>, Failed> {
        let frozen = Holds::of(&self.folder).frozen(|_| true, now_ms());
        let caller = caller(&format!("run-{}", seeded.below(RUNS)), frozen.map(|frozen| frozen.freeze));
        let gate = if seeded.below(2) == 0 { &self.gates[0] } else { &self.gates[1] };
        // Now and then something that nobody is asked about.
        let what = if seeded.below(8) == 0 { "write" } else { "remove" };
        let file = format!("file-{}-{}", now_ms() / FILES_MS, seeded.below(FILES));
        let call: Call = call(what, &file);
        let recorded = gate.decide(caller, call);
        let judged = recorded.judged();
        let reference = judged.stamp.correlation_id.clone();
        Ok(Some(match recorded {
            Recorded::Committed(_) => {
                if seeded.below(2) == 0 {
                    gate.report(&completed(&reference)).map_err(lost)?;
                }
                format!("acted {reference}")
            }
            Recorded::Pending(_) => "asked".to_owned(),
            Recorded::Denied(_) => "refused".to_owned(),
        }))
    }

    fn answer(&self, seeded: &mut Seeded) -> Result<Option<String>, Failed> {
        let approvals = Approvals::of(&self.folder);
        let at_ms = now_ms();
        let mut waiting: Vec<Kept> = approvals.list(at_ms).map_err(lost)?;
        waiting.retain(|kept| kept.is_waiting(at_ms));
        if waiting.is_empty() {
            return Ok(None);
        }
        let kept = waiting.swap_remove(usize::try_from(seeded.below(waiting.len() as u64))?);
        let claim = Attestation::new("somebody agreed").ok_or("no claim")?;
        let (says, via) = match seeded.below(8) {
            0 => (Says::Deny, Via::Terminal),
            1 => (Says::Attest(claim), Via::Attestation),
            _ => (Says::Allow, Via::Terminal),
        };
        let who = Answerer { by: "person".to_owned(), via, strength: Strength::Keypress };
        approvals.answer(&kept.id, &says, &who, now_ms()).map_err(lost)?;
        Ok(Some("answered".to_owned()))
    }

    fn withdraw(&self, seeded: &mut Seeded) -> Result<Option<String>, Failed> {
        let run = format!("run-{}", seeded.below(RUNS));
        Approvals::of(&self.folder).withdraw(Some(&run), "person", now_ms()).map_err(lost)?;
        Ok(Some("withdrawn".to_owned()))
    }

    /// As the command freezes: the freeze, a mark that holds it, and nothing open is left.
    fn freeze(&self) -> Result<Option<String>, Failed> {
        let at_ms = now_ms();
        let freeze = Freeze { by: "person".to_owned(), why: "incident".to_owned(), since_ms: at_ms };
        Holds::of(&self.folder).freeze(&Frozen { freeze, owner: None }, at_ms).map_err(lost)?;
        Decisions::of(&self.folder).append(&[outcome::mark("person", "frozen", at_ms)], at_ms).map_err(lost)?;
        Approvals::of(&self.folder).withdraw(None, "person", now_ms()).map_err(lost)?;
        Ok(Some("frozen".to_owned()))
    }

    fn thaw(&self) -> Result<Option<String>, Failed> {
        let at_ms = now_ms();
        if Holds::of(&self.folder).frozen(|_| true, at_ms).is_none() {
            return Ok(None);
        }
        Holds::of(&self.folder).thaw("person", "over", at_ms).map_err(lost)?;
        Decisions::of(&self.folder).append(&[outcome::mark("person", "thawed", at_ms)], at_ms).map_err(lost)?;
        Ok(Some("thawed".to_owned()))
    }
}

/// That it happened.
fn completed(reference: &str) -> Execution {
    Execution {
        principal: "embed:sim".to_owned(),
        via: Transport::Embedded,
        reference: Reference { correlation_id: reference.to_owned(), ..Reference::default() },
        became: Became::Completed,
    }
}
