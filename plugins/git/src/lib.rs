//! The vocabulary of git: says which files, commits, branches and other repositories a command would touch.
//!
//! Options and what they mean are data below `tables/`. It must never say "allowed" or "denied", and never leave out what
//! it did not understand: that becomes a doubt. A command that is in no table may be an alias, and is unknown.

mod checkout;
mod commands;
mod env;
mod facts;
mod globals;
mod keys;
mod parse;
mod place;
mod remote;
mod report;
mod runs;
mod settings;
mod table;
mod words;

#[cfg(test)]
mod tests;

use holdpoint_guest::{Action, Finding, Invocation, ObligationKind, Reason, Request, Span};

use facts::Told;
use globals::{Globals, Repository};
use report::Report;
use table::{Command, Handler, Order, Runs};
use words::Arg;

/// Words of a command that are read; the contract allows 4,096.
const WORDS_MAX: usize = 4_096;
/// The program this vocabulary is about.
const PROGRAM: &str = "git";

/// Says what a command of git would do.
pub fn classify(request: &Request) -> Finding {
    let Action::Program(invocation) = &request.action else {
        return Finding::doubtful(Reason::UnknownProgram, Span::WHOLE);
    };
    let Some((first, words)) = invocation.argv.split_first() else {
        return Finding::doubtful(Reason::UnknownProgram, Span::WHOLE);
    };
    let own_span = Span::part(0, &first.text);
    let name = first.known().map(|path| path.rsplit('/').next().unwrap_or(path));
    if name != Some(PROGRAM) {
        return Finding::doubtful(Reason::UnknownProgram, own_span);
    }
    if words.len() > WORDS_MAX {
        return Finding::doubtful(Reason::OverBound, own_span);
    }
    let args: Vec<Arg<'_>> =
        words.iter().enumerate().map(|(index, word)| Arg::word(index.saturating_add(1), word)).collect();
    git(&Globals::of(&args), invocation, request, own_span)
}

fn git(globals: &Globals<'_>, invocation: &Invocation, request: &Request, own_span: Span) -> Finding {
    let print = |globals: &Globals<'_>| {
        let mut out = Report::new(PROGRAM.to_owned(), globals.folder.clone(), own_span);
        globals.report(&mut out);
        env::report(invocation, &mut out);
        out.finish()
    };
    let Some((first, args)) = globals.rest.split_first().filter(|_| !globals.ends) else {
        return print(globals);
    };
    let Some(found) = find(*first, args) else {
        return Finding::doubtful(Reason::UnknownProgram, first.span);
    };
    let told = match facts::ask(&found, globals, request) {
        Ok(told) => told,
        Err(needed) => return Finding { facts_needed: needed, ..Finding::default() },
    };
    let native = format!("{PROGRAM}-{}", found.command.name.replace('/', "-"));
    let mut out = Report::new(native, globals.folder.clone(), first.span);
    globals.report(&mut out);
    env::report(invocation, &mut out);
    dispatch(&found, request, &told, &mut out);
    if found.command.runs > Runs::Nothing && !told.is_plain(found.command.runs) {
        out.oblige(ObligationKind::NoRepoConfig);
    }
    let mut finding = out.finish();
    for delegate in &mut finding.delegates {
        env::hand_on(invocation, &mut delegate.action, own_span);
    }
    finding
}

/// A command, with its words told apart.
struct Found<'a> {
    command: &'static Command,
    words: parse::Words<'a>,
}

/// The command that the words name; a second word may be part of its name.
fn find<'a>(first: Arg<'a>, args: &[Arg<'a>]) -> Option<Found<'a>> {
    let name = first.known()?;
    let second = |word: Option<&Arg<'a>>| Command::named(&format!("{name}/{}", word?.known()?));
    let parent = Command::named(name);
    let strict = parent.filter(|parent| parent.order == Order::Strict);
    if let Some(parent) = strict {
        let words = parse::parse(parent, args);
        let operands = words.operands.len();
        let ended = words.before_dashes.is_some();
        if operands == 0 || ended || matches!(parent.handler, Handler::BisectRun | Handler::Foreach) {
            return Some(Found { command: parent, words });
        }
        // Options in front of the second word belong to the first.
        let split = args.len().saturating_sub(operands);
        let command = second(args.get(split));
        return match command {
            Some(command) => {
                let mut inner = parse::parse(command, args.get(split.saturating_add(1)..).unwrap_or_default());
                inner.doubts.extend(words.doubts);
                Some(Found { command, words: inner })
            }
            // `git reflog HEAD` shows; of the others a second word that is not known is none of theirs.
            None if !parent.spec.operands.is_empty() => Some(Found { command: parent, words }),
            None => None,
        };
    }
    let (command, rest) = match (second(args.first()), parent) {
        (Some(command), _) => (command, args.get(1..).unwrap_or_default()),
        (None, Some(parent)) => (parent, args),
        (None, None) => return None,
    };
    Some(Found { command, words: parse::parse(command, rest) })
}

fn dispatch(found: &Found<'_>, request: &Request, told: &Told, out: &mut Report) {
    let (command, words) = (found.command, &found.words);
    match command.handler {
        Handler::Table => commands::report(command, words, out),
        Handler::BisectRun => runs::bisect(words, out),
        Handler::Checkout => checkout::report(command, words, told, out),
        Handler::Clone => remote::clone(words, out),
        Handler::Config => {
            commands::options(words, out);
            settings::config(command, words, request, out);
        }
        Handler::Fetch => remote::fetch(command, words, out),
        Handler::Foreach => runs::foreach(words, out),
        Handler::Push => remote::push(words, out),
        Handler::RemoteUrl => remote::url(words, out),
    }
}

/// The folder whose repository a command works with; `None` where no word shows it.
fn repository_folder(globals: &Globals<'_>) -> Option<String> {
    match (&globals.folder, globals.repository) {
        (place::Folder::Same, Repository::Found) => Some(String::new()),
        (place::Folder::At(path), Repository::Found) => Some(path.clone()),
        (place::Folder::Unknown, _) | (_, Repository::Named) => None,
    }
}

holdpoint_guest::export_vocabulary!(classify);
