//! `freeze` and `thaw`: a stop of every change, over all processes. Freezing is one step; ending it is for a person at a
//! terminal.

use crate::approval_args::{FreezeArgs, ThawArgs};
use crate::commands::operator;
use crate::commands::toggle::not_written;
use crate::exit::{Exit, Failure};
use crate::terminal::{Arrival, Terminal};
use crate::{gate, home, output};
use holdpoint_core::outcome;
use holdpoint_core::ports::NotDurable;
use holdpoint_core::posture::Freeze;
use holdpoint_store::operator::is_set;
use holdpoint_store::{Approvals, Decisions, Frozen, Holds, Owner, StateFolder};

/// Who freezes at a command line.
const ACTOR: &str = "cli";
/// Longest reason, in bytes.
const WHY_BYTES_MAX: usize = 1_024;

/// The freeze that is in force.
pub(crate) fn in_force(state: &StateFolder) -> Option<Frozen> {
    Holds::of(state).frozen(is_alive, gate::now_ms())
}

/// Freezes.
pub(crate) fn freeze(args: &FreezeArgs) -> Result<Exit, Failure> {
    if args.why.trim().is_empty() || args.why.len() > WHY_BYTES_MAX {
        let what = format!("a freeze needs a reason of 1 to {WHY_BYTES_MAX} bytes");
        return Err(Failure::usage(what, "`holdpoint freeze 'incident 7'`"));
    }
    let owner = args.while_pid.map(owner).transpose()?;
    let now_ms = gate::now_ms();
    let freeze = Freeze { by: ACTOR.to_owned(), why: args.why.clone(), since_ms: now_ms };
    let frozen = Frozen { freeze, owner };
    let state = home::open_or_create()?;
    let written = |failure: NotDurable| not_written(&failure.cause);
    Holds::of(&state).freeze(&frozen, now_ms).map_err(written)?;
    // From this line on the freeze cannot be cut off unseen.
    mark(&state, "frozen", now_ms)?;
    // Whoever said yes said so before there was a reason to freeze.
    let withdrawn = Approvals::of(&state).withdraw(None, ACTOR, now_ms).map_err(written)?;
    output::note(&format!(
        "frozen: nothing is changed until `holdpoint thaw`; {} questions and answers withdrawn",
        withdrawn.len()
    ));
    Ok(Exit::Done)
}

/// Thaws.
pub(crate) fn thaw(args: &ThawArgs) -> Result<Exit, Failure> {
    let state = StateFolder::open(&home::state_path()?)?;
    let Some(frozen) = in_force(&state) else {
        output::note("nothing is frozen");
        return Ok(Exit::Done);
    };
    let Some(terminal) = Terminal::open() else {
        let help = "run this where standard input and error are a terminal";
        return Err(Failure::new(Exit::Denied, "a freeze is ended by a person at a terminal", help));
    };
    let shown = format!("frozen by {}: {}", frozen.freeze.by, frozen.freeze.why);
    terminal.show(&(output::visible(&shown) + "\n"));
    let (line, arrival) = terminal.line("end the freeze? [y/N] ")?;
    if arrival != Arrival::Typed || line.trim() != "y" {
        output::note("still frozen");
        return Ok(Exit::Denied);
    }
    if is_set(&state)? {
        operator::confirm(&terminal, &state, "operator's password: ")?;
    }
    let thawed = Holds::of(&state).thaw(ACTOR, &args.why, gate::now_ms());
    thawed.map_err(|failure| not_written(&failure.cause))?;
    mark(&state, "thawed", gate::now_ms())?;
    output::note("thawed");
    Ok(Exit::Done)
}

/// A line of the decisions, which names where all other streams end.
pub(crate) fn mark(state: &StateFolder, what: &str, at_ms: u64) -> Result<(), Failure> {
    let appended = Decisions::of(state).append(&[outcome::mark(ACTOR, what, at_ms)], at_ms);
    appended.map(|_| ()).map_err(|failure| not_written(&failure.cause))
}

/// Where a process number means something: the namespace of this process and the start of its machine.
fn surroundings() -> Option<String> {
    let namespace = std::fs::read_link("/proc/self/ns/pid").ok()?;
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(format!("{} {}", namespace.display(), boot.trim()))
}

fn owner(pid: u32) -> Result<Owner, Failure> {
    let known = started(pid).zip(surroundings());
    let (started, surroundings) = known.ok_or_else(|| {
        Failure::usage(format!("there is no process {pid} whose start can be told"), "pass the number of one that runs")
    })?;
    Ok(Owner { pid, started, surroundings })
}

/// Whether the owner still runs. Who cannot see the owner's processes, as in a container, cannot tell, and then the freeze
/// stays in force; so it does on any error but that there is no such process.
fn is_alive(owner: &Owner) -> bool {
    if surroundings().as_ref() != Some(&owner.surroundings) {
        return true;
    }
    match std::fs::read_to_string(format!("/proc/{}/stat", owner.pid)) {
        Ok(stat) => start_of(&stat).is_none_or(|started| started == owner.started),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

fn started(pid: u32) -> Option<u64> {
    start_of(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The 22nd field of `/proc/PID/stat`, in ticks since the machine started. The second one is a name in parentheses and may
/// hold anything.
fn start_of(stat: &str) -> Option<u64> {
    let (_, behind) = stat.rsplit_once(')')?;
    behind.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_process_is_read_behind_whatever_name_it_has() {
        let fields: Vec<String> = (3..=22).map(|number| number.to_string()).collect();
        assert_eq!(start_of(&format!("7 (a) (b) c) {}", fields.join(" "))), Some(22));
        assert_eq!(start_of("7 nothing"), None);
    }

    #[test]
    fn this_process_lives_and_one_that_started_at_another_time_does_not() {
        let own = owner(std::process::id()).unwrap();
        assert!(is_alive(&own));
        assert!(!is_alive(&Owner { started: own.started.wrapping_add(1), ..own.clone() }));
        let elsewhere = Owner { surroundings: "pid:[1] another".to_owned(), started: 0, ..own };
        assert!(is_alive(&elsewhere), "who cannot tell stays frozen");
    }
}
