//! The vocabulary of shells: reads shell text and says which programs it would start, with which words, in which folder
//! and with which input, and what the shell itself does on the way. It must never judge what a program does, and it must
//! never leave out a command: what it does not understand is a doubt.

mod agree;
mod builtins;
mod limits;
mod mask;
mod names;
mod out;
mod place;
mod prescan;
mod routes;
mod state;
mod streams;
#[cfg(test)]
mod testing;
mod tool;
mod walk;
mod word;
mod wrap;

use holdpoint_guest::{Action, FactKind, Finding, Reason, Request, Span};

use crate::out::Out;
use crate::place::Place;
use crate::state::{Folder, Folders};
use crate::walk::{Dialect, Facts, Known, Setting, walk_text};
use crate::word::Positional;

/// Says what the action of `request` would do.
pub fn classify(request: &Request) -> Finding {
    let mut out = Out::default();
    match &request.action {
        Action::Tool(call) => tool::classify(call, request, &mut out),
        Action::Program(invocation) => wrap::classify(invocation, request, &mut out),
        Action::Source(source) => match routes::dialect(&source.language) {
            // The positional parameters of a text come from a command line that is not part of the request.
            Some(dialect) => text(&source.text, Place::Part(0), dialect, Positional::Unknown, request, &mut out),
            None => out.doubt(Reason::UnknownLanguage, Span::WHOLE),
        },
    }
    out.into_finding()
}

/// Judges shell text of the request.
fn text(source: &str, place: Place, dialect: Dialect, positional: Positional, request: &Request, out: &mut Out) {
    let facts = Facts { home: request.fact(FactKind::HomeDirectory), folder: request.fact(FactKind::WorkingDirectory) };
    let setting = Setting { place, dialect, facts };
    walk_text(source, setting, Known::new(positional), out, &Folders::only(Folder::Same));
}

holdpoint_guest::export_vocabulary!(classify);
