//! awk: its programs can run commands, write files and read others.
//!
//! It must never let a program through whose text could be read in two ways.

mod program;

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::hosts;
use crate::report::{Report, Spread};
use crate::table::{ACT_CREATE, ACT_READ, ACT_UPDATE, ACT_WRITE, Role, Tag};
use crate::walk::{Item, Walked};
use crate::words::Arg;

use program::{Effect, Text};

/// Names that awk gives a meaning of their own.
const STREAMS: &[&str] = &["/dev/stdin", "/dev/stdout", "/dev/stderr", "-", "/dev/fd/1", "/dev/fd/2"];

/// Starts of the variables that editing in place makes names from.
const BACKUP_NAMES: &[&str] = &["inplace::", "INPLACE_"];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let mut operands = walked.operands();
    let mut has_program = false;
    let mut in_place = false;
    for item in &walked.items {
        let Item::Option { option, value, at } = *item else {
            continue;
        };
        match (option.role, value) {
            (Role::Tag(Tag::Script), Some(value)) => {
                has_program = true;
                read_program(&mut report, value);
            }
            (Role::Tag(Tag::ScriptFile), Some(value)) => {
                let is_library = matches!(option.name, "-i" | "--include" | "-l" | "--load");
                has_program |= !is_library;
                if is_library && value.known() == Some("inplace") {
                    in_place = true;
                    // The folder one is in comes first, where it may also lie with an ending.
                    report.code_file(Arg { text: "inplace*", kind: WordKind::Glob, ..value });
                } else {
                    report.code_file(value);
                }
            }
            // The value is data, but a word that is not known may hold the program as well.
            (Role::Tag(Tag::Variable), Some(value)) if value.kind == WordKind::Dynamic => {
                report.doubt(Reason::DynamicWord, value.span);
            }
            (Role::Tag(Tag::Config), _) => report.doubt(Reason::UnknownOption, at.span),
            _ => {}
        }
    }
    if !has_program {
        match operands.is_empty() {
            false => read_program(&mut report, operands.remove(0)),
            true if only_asks(&walked) => {}
            true => report.doubt(Reason::MalformedArgument, call.own_span),
        }
    }
    // Such a variable makes the names of backups.
    for arg in call.args.iter().filter(|arg| in_place && BACKUP_NAMES.iter().any(|name| arg.text.contains(name))) {
        report.act(&ACT_CREATE, arg.hidden(), Spread::Single);
    }
    for arg in &call.args {
        hosts::awk_connections(&mut report, *arg);
    }
    for operand in operands {
        if !is_assignment(operand) {
            report.act(if in_place { &ACT_UPDATE } else { &ACT_READ }, operand, Spread::Single);
        }
    }
    report.finish()
}

fn only_asks(walked: &Walked<'_>) -> bool {
    walked.has_any(&["--help", "--version", "-V", "-h", "-C", "--copyright"])
}

/// `name=value` among the files sets a variable.
fn is_assignment(operand: Arg<'_>) -> bool {
    let Some((name, _)) = operand.text.split_once('=') else {
        return false;
    };
    let mut letters = name.chars();
    operand.kind != WordKind::Dynamic
        && letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn read_program(report: &mut Report, program: Arg<'_>) {
    let Some(text) = program.known() else {
        return report.doubt(Reason::DynamicWord, program.span);
    };
    let Some(effects) = program::effects(text) else {
        return report.doubt(Reason::UnsupportedSyntax, program.span);
    };
    for effect in effects {
        match effect {
            Effect::Run(Text::Known(command)) => report.source(&command, program.span),
            Effect::Run(Text::Open) => report.unseen_code(program.span),
            Effect::Write(Text::Known(name)) | Effect::Read(Text::Known(name)) if STREAMS.contains(&name.as_str()) => {}
            // Names below /inet are connections.
            Effect::Write(Text::Known(name)) | Effect::Read(Text::Known(name)) if name.starts_with("/inet") => {
                report.unseen_code(program.span);
            }
            Effect::Write(Text::Known(name)) => report.act(&ACT_WRITE, program.renamed(&name), Spread::Single),
            Effect::Read(Text::Known(name)) => report.act(&ACT_READ, program.renamed(&name), Spread::Single),
            Effect::Write(Text::Open) => report.act(&ACT_WRITE, open(program), Spread::Single),
            Effect::Read(Text::Open) => report.act(&ACT_READ, open(program), Spread::Single),
        }
    }
}

/// A name that the program computes.
fn open(program: Arg<'_>) -> Arg<'_> {
    Arg { kind: WordKind::Dynamic, ..program }
}
