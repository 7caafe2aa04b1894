//! The vocabulary of ordinary Unix utilities: says which operations a program with its arguments would perform.
//!
//! Option tables are data below `tables/`; programs whose arguments are a language of their own have a parser here. It
//! must never say "allowed" or "denied", and never leave out what it did not understand: that becomes a doubt.

mod abbreviation;
mod arrive;
mod awk;
mod beside;
mod chmod;
mod copy;
mod cpio;
mod curl;
mod dc;
mod dd;
mod env;
mod fd;
mod find;
mod generic;
mod hosts;
mod input;
mod jq;
mod kill;
mod mktemp;
mod mount;
mod pack;
mod ps;
mod remote;
mod report;
mod sed;
mod settings;
mod socat;
mod systemctl;
mod table;
mod tar;
mod testing;
mod unpack;
mod viewer;
mod walk;
mod wget;
mod words;

#[cfg(test)]
mod tests;

use holdpoint_guest::{Action, Finding, Invocation, Reason, Request, Span};

use report::Report;
use table::{Handler, Program};
use words::Arg;

/// Words of a command that are read; the contract allows 4,096.
const WORDS_MAX: usize = 4_096;

/// One command, with its program found.
struct Call<'a> {
    program: &'static Program,
    /// The words after the program's name.
    args: Vec<Arg<'a>>,
    invocation: &'a Invocation,
    own_span: Span,
}

impl Call<'_> {
    /// An empty report on this command.
    fn report(&self) -> Report {
        Report::new(self.program, self.own_span)
    }
}

/// Says what a program would do.
pub fn classify(request: &Request) -> Finding {
    let Action::Program(invocation) = &request.action else {
        return Finding::doubtful(Reason::UnknownProgram, Span::WHOLE);
    };
    let Some((first, words)) = invocation.argv.split_first() else {
        return Finding::doubtful(Reason::UnknownProgram, Span::WHOLE);
    };
    let own_span = Span::part(0, &first.text);
    let name = first.known().map(|path| path.rsplit('/').next().unwrap_or(path));
    let Some(program) = name.and_then(Program::named) else {
        return Finding::doubtful(Reason::UnknownProgram, own_span);
    };
    if words.len() > WORDS_MAX {
        return Finding::doubtful(Reason::OverBound, own_span);
    }
    let args = words.iter().enumerate().map(|(index, word)| Arg::word(index.saturating_add(1), word)).collect();
    let call = Call { program, args, invocation, own_span };
    env::judge(&call, dispatch(&call))
}

fn dispatch(call: &Call<'_>) -> Finding {
    match call.program.handler {
        Handler::Table => generic::classify(call),
        Handler::Inert => call.report().finish(),
        Handler::Awk => awk::classify(call),
        Handler::Chmod => chmod::classify(call),
        Handler::Copy => copy::classify(call),
        Handler::Cpio => cpio::classify(call),
        Handler::Curl => curl::classify(call),
        Handler::Dc => dc::classify(call),
        Handler::Dd => dd::classify(call),
        Handler::Editor => viewer::edit(call),
        Handler::Fd => fd::classify(call),
        Handler::Find => find::classify(call),
        Handler::Ip => settings::classify(call),
        Handler::Jq => jq::classify(call),
        Handler::Kill => kill::classify(call),
        Handler::Mount => mount::classify(call),
        Handler::Mktemp => mktemp::classify(call),
        Handler::Pack => pack::classify(call),
        Handler::Pager => viewer::page(call),
        Handler::Ps => ps::classify(call),
        Handler::Rsync => remote::classify(call),
        Handler::Sed => sed::classify(call),
        Handler::Socat => socat::classify(call),
        Handler::Sockets => hosts::sockets(call),
        Handler::Systemctl => systemctl::classify(call),
        Handler::Tar => tar::classify(call),
        Handler::Test => testing::classify(call),
        Handler::Wget => wget::classify(call),
        Handler::Zip => unpack::classify(call),
    }
}

holdpoint_guest::export_vocabulary!(classify);
