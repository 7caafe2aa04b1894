//! sed: its script can write files, read files and run commands.
//!
//! It must never read a script differently from sed: where versions differ in where a command ends, it doubts.

mod script;

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_CREATE, ACT_READ, ACT_UPDATE, ACT_WRITE, Role, Tag};
use crate::walk::{Item, Walked};
use crate::words::{Arg, escape_glob};

use script::Effect;

/// Names that sed gives a meaning of their own.
const STREAMS: &[&str] = &["/dev/stdin", "/dev/stdout", "/dev/stderr", "-"];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let mut operands = walked.operands();
    let mut scripts = Vec::new();
    let mut in_place = false;
    let mut suffixes = Vec::new();
    let mut has_script = false;
    for item in &walked.items {
        let Item::Option { option, value, .. } = *item else {
            continue;
        };
        match (option.role, value) {
            (Role::Tag(Tag::Script), Some(value)) => {
                has_script = true;
                scripts.push(value);
            }
            (Role::Tag(Tag::ScriptFile), Some(value)) => {
                has_script = true;
                report.code_file(value);
            }
            (Role::Tag(Tag::InPlace), suffix) => {
                in_place = true;
                suffixes.extend(suffix);
            }
            _ => {}
        }
    }
    if !has_script {
        match operands.is_empty() {
            false => scripts.push(operands.remove(0)),
            true if only_asks(&walked) => {}
            true => report.doubt(Reason::MalformedArgument, call.own_span),
        }
    }
    read_scripts(&mut report, &scripts);
    for suffix in suffixes {
        backups(&mut report, &walked, &operands, suffix);
    }
    for operand in &operands {
        report.act(if in_place { &ACT_UPDATE } else { &ACT_READ }, *operand, Spread::Single);
    }
    report.finish()
}

/// Reports the backups that editing in place keeps. A slash or a star in the suffix puts them elsewhere, and so does a
/// link that is followed.
fn backups(report: &mut Report, walked: &Walked<'_>, operands: &[Arg<'_>], suffix: Arg<'_>) {
    if suffix.is_uncertain() || suffix.text.contains(['/', '*']) || walked.has_any(&["--follow-symlinks"]) {
        return report.act(&ACT_CREATE, Arg { kind: WordKind::Dynamic, ..suffix }, Spread::Single);
    }
    for operand in operands {
        let ending = if operand.kind == WordKind::Glob { escape_glob(suffix.text) } else { suffix.text.to_owned() };
        let text = format!("{}{ending}", operand.text);
        report.act(&ACT_CREATE, Arg { text: &text, ..*operand }, Spread::Single);
    }
}

fn only_asks(walked: &Walked<'_>) -> bool {
    walked.has_any(&["--help", "--version"])
}

/// Several scripts are one, joined by newlines. Places are those of the script a text came from.
fn read_scripts(report: &mut Report, scripts: &[Arg<'_>]) {
    let Some(first) = scripts.first() else { return };
    let mut whole = String::new();
    for script in scripts {
        let Some(text) = script.known() else {
            return report.doubt(Reason::DynamicWord, script.span);
        };
        if !whole.is_empty() {
            whole.push('\n');
        }
        whole.push_str(text);
    }
    let span = first.span;
    let Some(effects) = script::effects(&whole) else {
        return report.doubt(Reason::UnsupportedSyntax, span);
    };
    for effect in effects {
        match effect {
            Effect::Read(name) | Effect::Write(name) if STREAMS.contains(&name) => {}
            Effect::Read(name) => report.act(&ACT_READ, first.renamed(name), Spread::Single),
            Effect::Write(name) => report.act(&ACT_WRITE, first.renamed(name), Spread::Single),
            Effect::Run(command) if command.trim().is_empty() => report.unseen_code(span),
            Effect::Run(command) => report.source(command, span),
        }
    }
}
