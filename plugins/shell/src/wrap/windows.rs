//! `cmd /c`: only deleting is understood, so that it can be refused; everything else is a doubt.

use holdpoint_guest::{Effect, Operation, Reason, Scope, Segment, TargetKind, Verb, Word, WordKind};

use super::Run;
use crate::out::Out;

/// Judges `cmd`.
pub(crate) fn cmd(run: &Run<'_>, out: &mut Out) {
    let mut rest = run.words;
    while let Some((first, after)) = rest.split_first() {
        let Some(option) = first.known().filter(|text| text.starts_with('/')) else {
            break;
        };
        rest = after;
        if option.eq_ignore_ascii_case("/c") || option.eq_ignore_ascii_case("/k") {
            return command(run, rest, out);
        }
    }
    out.doubt(Reason::UnsupportedSyntax, run.origin);
}

fn command(run: &Run<'_>, words: &[Word], out: &mut Out) {
    let Some(parts) = split(words) else {
        return out.doubt(Reason::UnsupportedSyntax, run.origin);
    };
    let mut parts = parts.iter();
    let name = parts.next().map(|word| word.text.to_ascii_lowercase()).unwrap_or_default();
    if !matches!(&*name, "rd" | "rmdir" | "del" | "erase") {
        return out.doubt(Reason::UnsupportedSyntax, run.origin);
    }
    let (switches, paths): (Vec<&Word>, Vec<&Word>) = parts.partition(|word| word.text.starts_with('/'));
    let below = switches.iter().any(|word| word.text.eq_ignore_ascii_case("/s"));
    for path in paths {
        let is_pattern = path.text.contains(['*', '?', '%']);
        let certainty = if is_pattern { WordKind::Dynamic } else { WordKind::Exact };
        let target = Segment { kind: TargetKind::File, name: path.text.clone(), certainty };
        let scope = if below {
            Scope::AllInParent
        } else if is_pattern {
            Scope::Selection
        } else {
            Scope::One
        };
        let operation = Operation::new(Verb::Delete, name.clone(), Effect::Irreversible, path.origin);
        out.operation(operation.on(target).reaching(scope));
    }
    if out.is_silent() {
        out.doubt(Reason::MalformedArgument, run.origin);
    }
}

/// The words of the command, which may come as one. Operators of `cmd` are not understood.
fn split(words: &[Word]) -> Option<Vec<Word>> {
    let mut parts = Vec::new();
    for word in words {
        let text = word.known()?;
        if text.contains(['&', '|', '<', '>', '^', '(', ')', '\n']) {
            return None;
        }
        if words.len() > 1 {
            parts.push(Word::exact(text.trim_matches('"'), word.origin));
            continue;
        }
        for (index, piece) in text.split('"').enumerate() {
            let quoted = index % 2 == 1;
            let pieces: Vec<&str> = if quoted { vec![piece] } else { piece.split_whitespace().collect() };
            parts.extend(pieces.into_iter().map(|piece| Word::exact(piece, word.origin)));
        }
    }
    Some(parts)
}
