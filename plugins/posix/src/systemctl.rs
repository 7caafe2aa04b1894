//! systemctl: some units do nothing but stop the machine, and starting one of them does that.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_SHUTDOWN, Role};
use crate::walk::Walked;

/// Units, without their ends, that stop, restart or suspend the machine, or end what everybody does on it.
const STOPPING_UNITS: &[&str] = &[
    "ctrl-alt-del",
    "emergency",
    "exit",
    "final",
    "halt",
    "hibernate",
    "hybrid-sleep",
    "initrd-switch-root",
    "kexec",
    "poweroff",
    "reboot",
    "rescue",
    "runlevel0",
    "runlevel1",
    "runlevel6",
    "shutdown",
    "sleep",
    "soft-reboot",
    "suspend",
    "suspend-then-hibernate",
    "umount",
];
/// What the names of units end in that take part in it.
const UNIT_ENDS: &[&str] = &[".target", ".service"];
/// What the services behind these targets start with.
const SERVICE_START: &str = "systemd-";

/// Reads the command by its table, then looks for units that stop the machine.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    generic::operands(&mut report, call, &walked);
    if changes(call, &walked) {
        units(&mut report, &walked);
    }
    report.finish()
}

/// Whether the command does something to the units it names.
fn changes(call: &Call<'_>, walked: &Walked<'_>) -> bool {
    let operands = walked.operands();
    let Some(sub) = operands.first().and_then(|first| first.known()).and_then(|verb| call.program.sub(verb)) else {
        return false;
    };
    let only_asks = walked.has_any(&["-h", "--help", "--version"]);
    !only_asks && sub.spec.operands.iter().any(|slot| matches!(slot.role, Role::Act(_)) && slot.role.changes())
}

fn units(report: &mut Report, walked: &Walked<'_>) {
    for unit in walked.operands().into_iter().skip(1) {
        match unit.kind {
            WordKind::Exact if stops(unit.text) => report.act(&ACT_SHUTDOWN, unit, Spread::Single),
            WordKind::Exact => {}
            // Patterns only match units that run, but the shell may expand them to any file name.
            WordKind::Glob | WordKind::Dynamic => report.doubt(Reason::DynamicWord, unit.span),
        }
    }
}

fn stops(unit: &str) -> bool {
    let stem = UNIT_ENDS.iter().find_map(|end| unit.strip_suffix(end)).unwrap_or(unit);
    STOPPING_UNITS.contains(&stem.strip_prefix(SERVICE_START).unwrap_or(stem))
}
