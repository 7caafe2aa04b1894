//! Commands of git that run what stands in their words.

use holdpoint_guest::Reason;

use crate::commands;
use crate::parse::Words;
use crate::place::Folder;
use crate::report::Report;
use crate::table::ACT_FILES;

/// `git bisect run`: the program runs at one commit after the other.
pub(crate) fn bisect(words: &Words<'_>, out: &mut Report) {
    commands::options(words, out);
    out.fixed(&ACT_FILES);
    match words.operands.first() {
        Some(first) => out.invoke(&words.operands, first.span),
        None => out.doubt(Reason::MalformedArgument, out.own_span()),
    }
}

/// `git submodule foreach`: one word is a command line, several are a program. Each runs in folders that no word shows.
pub(crate) fn foreach(words: &Words<'_>, out: &mut Report) {
    commands::options(words, out);
    out.folder = Folder::Unknown;
    match words.operands.as_slice() {
        [] => out.doubt(Reason::MalformedArgument, out.own_span()),
        [line] => out.shell(*line),
        all => all.first().into_iter().for_each(|first| out.invoke(all, first.span)),
    }
}
