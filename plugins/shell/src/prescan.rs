//! One linear pass over a text before any parser sees it: size, nesting, and characters that make what a person reads
//! differ from what the shell runs. It must stay linear and must never call a parser.

use holdpoint_guest::Reason;

use crate::limits::{
    BRACES_MAX, COMPOUND_LEVELS_MAX, HEREDOCS_MAX, NESTING_LEVELS_MAX, SEPARATORS_MAX, SOURCE_BYTES_MAX,
};

/// Why a text is refused unparsed, and where.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) reason: Reason,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Says why `text` must not be parsed, if so.
pub(crate) fn refuse(text: &str) -> Option<Refusal> {
    if text.len() > SOURCE_BYTES_MAX {
        return Some(Refusal { reason: Reason::OverBound, start: 0, end: 0 });
    }
    deceptive_character(text).or_else(|| split_dollar(text)).or_else(|| too_complex(text))
}

/// Characters that hide or reorder text, end a line elsewhere than a reader sees it, or end a C string.
fn deceptive_character(text: &str) -> Option<Refusal> {
    let (start, character) = text.char_indices().find(|&(_, character)| is_deceptive(character))?;
    Some(Refusal { reason: Reason::UnsupportedSyntax, start, end: start + character.len_utf8() })
}

fn is_deceptive(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{8}'
            | '\u{b}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// The shell removes a backslash-newline before it looks for `$(`, and both parsers miss that in some places.
fn split_dollar(text: &str) -> Option<Refusal> {
    let start = text.find("$\\\n").or_else(|| text.find("${\\\n"))?;
    Some(Refusal { reason: Reason::UnsupportedSyntax, start, end: start + 3 })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Paren,
    Brace,
    Quote,
    Backtick,
}

/// Counts open constructs. It knows quotes but no here-documents or comments, so it may count wrongly there; the walk
/// has its own bounds.
fn too_complex(text: &str) -> Option<Refusal> {
    let mut open: Vec<Open> = Vec::new();
    let mut separators = 0usize;
    let (mut heredocs, mut braces) = (0usize, 0usize);
    let mut previous = 0u8;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        let quoted = open.last() == Some(&Open::Quote);
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'\'' if !quoted => {
                bytes.by_ref().find(|&(_, byte)| byte == b'\'');
            }
            b'"' if quoted => drop(open.pop()),
            b'"' => open.push(Open::Quote),
            b'`' => toggle(&mut open),
            b'<' if previous == b'<' => heredocs += 1,
            b' ' | b'\t' | b'\n' => braces = 0,
            b'(' if previous == b'$' || !quoted => open.push(Open::Paren),
            b'{' if previous == b'$' => open.push(Open::Brace),
            b'{' => braces += 1,
            b')' => close(&mut open, Open::Paren),
            b'}' => close(&mut open, Open::Brace),
            b';' | b'|' | b'&' => separators += 1,
            _ => {}
        }
        let too_deep = open.len() > NESTING_LEVELS_MAX || braces > BRACES_MAX;
        if too_deep || separators > SEPARATORS_MAX || heredocs > HEREDOCS_MAX {
            return Some(Refusal { reason: Reason::OverBound, start: at, end: at });
        }
        previous = byte;
    }
    too_many_compounds(text)
}

fn toggle(open: &mut Vec<Open>) {
    match open.iter().rposition(|&kind| kind == Open::Backtick) {
        Some(index) => open.truncate(index),
        None => open.push(Open::Backtick),
    }
}

fn close(open: &mut Vec<Open>, kind: Open) {
    if open.last() == Some(&kind) {
        open.pop();
    }
}

/// Counts words that open and close compound commands and stand where a command may begin.
fn too_many_compounds(text: &str) -> Option<Refusal> {
    let (mut level, mut prefixes) = (0usize, 0usize);
    let mut begins = true;
    for word in text.split_inclusive([' ', '\t', '\n', ';', '&', '|', '(', ')']) {
        let separator = word.chars().next_back().filter(|last| " \t\n;&|()".contains(*last));
        let name = word.trim_end_matches([' ', '\t', '\n', ';', '&', '|', '(', ')']);
        let opens = matches!(name, "if" | "while" | "until" | "for" | "case" | "select" | "{");
        let prefix = matches!(name, "!" | "time" | "coproc" | "-p");
        if begins && opens {
            level += 1;
        } else if matches!(name, "fi" | "done" | "esac" | "}") {
            level = level.saturating_sub(1);
        }
        prefixes = if prefix { prefixes + 1 } else { 0 };
        if level > COMPOUND_LEVELS_MAX || prefixes > COMPOUND_LEVELS_MAX {
            return Some(Refusal { reason: Reason::OverBound, start: 0, end: 0 });
        }
        let keyword = opens || prefix || matches!(name, "then" | "do" | "else" | "elif");
        begins = keyword || (name.is_empty() && begins) || !matches!(separator, Some(' ' | '\t'));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_passes() {
        for text in ["ls -l", "echo 'don''t' \"a (b\" $(c) `d`", "echo é 日本 \u{1f600}", "cat <<E\na\tb\nE\n"] {
            assert_eq!(refuse(text), None, "{text}");
        }
    }

    #[test]
    fn hidden_characters_are_refused_where_they_stand() {
        for (text, start) in [("a\0", 1), ("ls\rx", 2), ("\u{feff}ls", 0), ("a \u{202e}b", 2), ("r\u{200b}m", 1)] {
            let found = refuse(text).map(|refusal| (refusal.reason, refusal.start));
            assert_eq!(found, Some((Reason::UnsupportedSyntax, start)), "{text:?}");
        }
    }

    #[test]
    fn a_dollar_split_from_its_parenthesis_is_refused() {
        assert!(refuse("echo \"$\\\n(x)\"").is_some());
        assert!(refuse("cat <<E\n$\\\n(x)\nE").is_some());
    }

    #[test]
    fn nesting_and_size_are_bounded() {
        let nested = |levels: usize| "$(".repeat(levels) + &")".repeat(levels);
        assert_eq!(refuse(&nested(NESTING_LEVELS_MAX)), None);
        assert!(refuse(&nested(NESTING_LEVELS_MAX + 1)).is_some());
        assert!(refuse(&"if ".repeat(COMPOUND_LEVELS_MAX + 1)).is_some());
        assert!(refuse(&"a;".repeat(SEPARATORS_MAX + 1)).is_some());
        assert!(refuse(&"a".repeat(SOURCE_BYTES_MAX + 1)).is_some());
    }
}
