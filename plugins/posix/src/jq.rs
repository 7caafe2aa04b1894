//! jq and yq: some options take two words, `--args` turns the remaining operands into data, and a filter can read files.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_READ, Role, Tag};
use crate::walk::Item;
use crate::words::Arg;

/// Words of a filter that read a file of their own.
const READING_WORDS: &[&str] = &["import", "include", "load", "load_base64", "load_props", "load_str", "load_xml"];

/// Reads the command with the options of two words taken out.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let args = without_pairs(&mut report, call);
    let walked = generic::start(&mut report, call, &args);
    for item in &walked.items {
        if let Item::Option { option, at, .. } = item
            && matches!(option.role, Role::Tag(Tag::Config))
        {
            report.doubt(Reason::UnsupportedSyntax, at.span);
        }
    }
    generic::operands(&mut report, call, &walked);
    if let Some(filter) = call.args.iter().find(|arg| reads_elsewhere(arg.text)) {
        report.act(&ACT_READ, Arg { kind: WordKind::Dynamic, ..*filter }, Spread::Single);
    }
    report.finish()
}

/// Reports the files among the options of two words and returns the words that are left.
fn without_pairs<'a>(report: &mut Report, call: &Call<'a>) -> Vec<Arg<'a>> {
    let mut args: Vec<Arg<'a>> = Vec::new();
    let mut data = false;
    let mut words = call.args.iter().copied();
    while let Some(arg) = words.next() {
        let option = arg.known().unwrap_or("");
        match option {
            "--arg" | "--argjson" | "--slurpfile" | "--rawfile" | "--argfile" => {
                let (Some(_), Some(value)) = (words.next(), words.next()) else {
                    report.doubt(Reason::MalformedArgument, arg.span);
                    continue;
                };
                if !matches!(option, "--arg" | "--argjson") {
                    report.act(&ACT_READ, value, Spread::Single);
                }
                // An uncertain word may be several, of which the later ones are files.
                if value.is_uncertain() {
                    args.push(value);
                }
            }
            "--args" | "--jsonargs" => data = true,
            // Operands are data from here on, but options stay options.
            _ if data && arg.kind == WordKind::Exact && !option.starts_with('-') => {}
            _ => args.push(arg),
        }
    }
    args
}

/// Whether a filter holds a word that reads a file. A text that only mentions one counts as well.
fn reads_elsewhere(text: &str) -> bool {
    let in_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.split(|letter| !in_word(letter)).any(|word| READING_WORDS.contains(&word)) && text.contains([' ', '"', '('])
}
