//! Finds sentences in fetched content that give orders to an agent, however they are encoded. It is generous: a guide
//! that says `run the tests` is found too, so that a finding alone may refuse nothing.

use crate::assess::{Assessment, Cause};
use crate::decode::{Completeness, Decoded, decode};
use crate::operation::{Trait, Traits};
use crate::words::words;
use alloc::string::String;

/// Longest HTML tag that is read as one, in bytes.
const TAG_BYTES_MAX: usize = 1024;

words! {
    /// What a text tells an agent. The last two are texts in which an order cannot be excluded.
    Directive {
        RoleMarker = "role-marker",
        IgnoreInstructions = "ignore-instructions",
        NewInstructions = "new-instructions",
        SystemPrompt = "system-prompt",
        YouMust = "you-must",
        DoThis = "do-this",
        NestedTooDeep = "nested-too-deep",
        TooLargeToScan = "too-large-to-scan",
    }
}

const DROP: &[&str] = &["ignore", "disregard", "forget", "override"];
/// In front of what is not to be obeyed.
const NOT: &[&str] = &["not", "never", "stop", "cease", "no"];
const OBEY: &[&str] = &["follow", "following", "obey", "obeying", "attention", "heed"];
const BETWEEN: &[&str] =
    &["all", "any", "the", "every", "of", "and", "other", "everything", "whatever", "what", "to", "given"];
/// What says whose orders are meant: those that were given before, or the agent's own.
const OF_WHAT: &[&str] = &[
    "previous",
    "previously",
    "prior",
    "above",
    "earlier",
    "preceding",
    "these",
    "those",
    "my",
    "our",
    "your",
    "existing",
    "system",
    "before",
];
const ORDERS: &[&str] =
    &["instructions", "prompts", "directions", "guidelines", "instruction", "prompt", "direction", "guideline"];
const RULES: &[&str] = &["rules", "rule"];
const MUST_WHEN: &[&str] = &["now", "immediately", "always"];
const DO: &[&str] = &["execute", "run", "delete", "wipe", "format", "send", "forward", "upload", "exfiltrate"];
const WHAT: &[&str] = &["the", "all", "every", "your", "this"];
/// What starts another role in the templates of models: ChatML, Llama 2 and Llama 3, without blanks and in small letters.
const ROLE_MARKERS: &[&str] =
    &["<|im_start|>", "<|im_end|>", "<|system|>", "<|start_header_id|>", "<|eot_id|>", "<<sys>>", "[/inst]"];
/// Starts another role as well, unless it is an index: `table[inst]`.
const INSTRUCTION_MARKER: &str = "[inst]";

/// The first order of a text, in any of its forms. A text that cannot be decoded as a whole is told as such.
pub fn directive(text: &str) -> Option<Directive> {
    let Decoded { forms, completeness } = decode(text);
    forms.iter().find_map(|form| in_form(form, |_| true)).or(match completeness {
        Completeness::Complete => None,
        Completeness::TooDeep => Some(Directive::NestedTooDeep),
        Completeness::TooMuch => Some(Directive::TooLargeToScan),
    })
}

words! {
    /// Where a text comes from. Ordered: the greatest is the least to be trusted.
    Origin {
        /// From this machine.
        Local = "local",
        /// From wherever a program took it that nobody understands.
        Possible = "possible",
        /// From a network or another program's server.
        Outside = "outside",
    }
}

/// Where what a call brought back comes from. A way over a link that the call itself made is not known, and it leads to a
/// file of this machine all the same.
pub fn origin(assessment: &Assessment) -> Origin {
    let reaches = |traits: Traits| traits.contains(Trait::Network) || traits.contains(Trait::ExternalContent);
    let hides = |cause: Cause| match cause {
        Cause::LinkInFlux => false,
        Cause::Doubt(_)
        | Cause::Failure(_)
        | Cause::Fault(_)
        | Cause::NoClaimant
        | Cause::MissingFact
        | Cause::OverBound => true,
    };
    if assessment.operations().iter().any(|assessed| reaches(assessed.operation.traits)) {
        Origin::Outside
    } else if assessment.unknowns().iter().any(|unknown| hides(unknown.cause)) || assessment.operations().is_empty() {
        Origin::Possible
    } else {
        Origin::Local
    }
}

/// The first order of a text that counts, by where the text comes from. What a build or a test prints is full of sentences
/// that tell somebody to run something, so of a text that only may come from outside just what speaks to an agent counts.
pub fn order(text: &str, origin: Origin) -> Option<Directive> {
    match origin {
        Origin::Local => None,
        Origin::Possible => decode(text).forms.iter().find_map(|form| in_form(form, speaks_to_an_agent)),
        Origin::Outside => directive(text),
    }
}

fn speaks_to_an_agent(directive: Directive) -> bool {
    match directive {
        Directive::RoleMarker | Directive::IgnoreInstructions | Directive::NewInstructions => true,
        Directive::SystemPrompt
        | Directive::YouMust
        | Directive::DoThis
        | Directive::NestedTooDeep
        | Directive::TooLargeToScan => false,
    }
}

/// Which orders count.
type Counts = fn(Directive) -> bool;

fn in_form(form: &str, counts: Counts) -> Option<Directive> {
    let marker = holds_role_marker(form).then_some(Directive::RoleMarker);
    let found = marker.filter(|marker| counts(*marker)).or_else(|| in_words(form, counts));
    if found.is_some() || !form.contains('<') {
        return found;
    }
    // A tag may stand between two words or within one.
    in_words(&without_tags(form, " "), counts).or_else(|| in_words(&without_tags(form, ""), counts))
}

fn holds_role_marker(form: &str) -> bool {
    if !form.contains(['[', '<']) {
        return false;
    }
    let dense: String =
        form.chars().filter(|character| !character.is_whitespace()).map(|letter| letter.to_ascii_lowercase()).collect();
    let is_index = |start: usize| {
        let before = dense.get(..start).and_then(|before| before.chars().next_back());
        before.is_some_and(|character| character.is_alphanumeric() || matches!(character, '_' | ']' | ')'))
    };
    ROLE_MARKERS.iter().any(|marker| dense.contains(marker))
        || dense.match_indices(INSTRUCTION_MARKER).any(|(start, _)| !is_index(start))
}

/// What the words so far may be the start of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Nothing,
    Drop,
    /// It says of what: of what was said before, or of what is the agent's.
    DropWhat,
    Not,
    New,
    System,
    You,
    YouMust,
    Do,
}

/// Reads words whatever stands between them. Only the colon behind `new instructions` counts.
fn in_words(form: &str, counts: Counts) -> Option<Directive> {
    let mut start = Start::Nothing;
    let mut rest = form;
    loop {
        rest = rest.trim_start_matches(|character: char| !character.is_alphanumeric());
        let end = rest.find(|character: char| !character.is_alphanumeric()).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end)?;
        if word.is_empty() {
            return None;
        }
        if let Some(found) = ending(start, word, behind).filter(|found| counts(*found)) {
            return Some(found);
        }
        start = next(start, word);
        rest = behind;
    }
}

fn ending(start: Start, word: &str, behind: &str) -> Option<Directive> {
    match start {
        Start::Drop if is_one_of(word, ORDERS) => Some(Directive::IgnoreInstructions),
        // Programs override rules as well, but not those that somebody gave before.
        Start::DropWhat if is_one_of(word, ORDERS) || is_one_of(word, RULES) => Some(Directive::IgnoreInstructions),
        Start::New if is_one_of(word, ORDERS) && colon_follows(behind) => Some(Directive::NewInstructions),
        Start::System if is_one_of(word, &["prompt", "prompts"]) => Some(Directive::SystemPrompt),
        Start::YouMust if is_one_of(word, MUST_WHEN) => Some(Directive::YouMust),
        Start::Do if is_one_of(word, WHAT) => Some(Directive::DoThis),
        Start::Nothing
        | Start::Drop
        | Start::DropWhat
        | Start::Not
        | Start::New
        | Start::System
        | Start::You
        | Start::YouMust
        | Start::Do => None,
    }
}

fn next(start: Start, word: &str) -> Start {
    let starts: [(&[&str], Start); 6] = [
        (DROP, Start::Drop),
        (NOT, Start::Not),
        (&["new"], Start::New),
        (&["you"], Start::You),
        (DO, Start::Do),
        (&["system"], Start::System),
    ];
    match start {
        Start::Drop | Start::DropWhat if is_one_of(word, OF_WHAT) => Start::DropWhat,
        Start::Drop if is_one_of(word, BETWEEN) => Start::Drop,
        Start::DropWhat if is_one_of(word, BETWEEN) => Start::DropWhat,
        Start::Not if is_one_of(word, OBEY) => Start::Drop,
        Start::You if is_one_of(word, &["must"]) => Start::YouMust,
        Start::Nothing
        | Start::Drop
        | Start::DropWhat
        | Start::Not
        | Start::New
        | Start::System
        | Start::You
        | Start::YouMust
        | Start::Do => {
            starts.into_iter().find(|(words, _)| is_one_of(word, words)).map_or(Start::Nothing, |(_, start)| start)
        }
    }
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|other| other.eq_ignore_ascii_case(word))
}

/// Whether a colon is among the marks up to the next word, such as in `**New instructions**:`.
fn colon_follows(behind: &str) -> bool {
    behind.chars().take_while(|character| !character.is_alphanumeric()).any(|character| character == ':')
}

/// The text with something in the place of each tag.
fn without_tags(form: &str, instead: &str) -> String {
    let mut out = String::with_capacity(form.len());
    let mut rest = form;
    while let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let length = tag.bytes().take(TAG_BYTES_MAX).take_while(|byte| *byte != b'<').position(|byte| byte == b'>');
        let behind = length.and_then(|length| tag.get(length.saturating_add(1)..));
        out.push_str(if behind.is_some() { instead } else { "<" });
        rest = behind.unwrap_or(tag);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
#[path = "injection_tests.rs"]
mod tests;
