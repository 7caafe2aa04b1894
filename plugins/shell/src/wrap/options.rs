//! Reads the options of a wrapper up to the first operand, by a table. An option that is not in the table, or a word
//! that may turn out to be one, is a doubt.

use holdpoint_guest::{Reason, Word};

use super::env::assignment;
use crate::out::Out;
use crate::walk::may_be_option;

/// The options of a program.
pub(crate) struct Table {
    /// Letters without a value.
    pub(crate) flags: &'static str,
    /// Letters with a value, attached or in the next word.
    pub(crate) valued: &'static str,
    /// Letters with a value only if it is attached.
    pub(crate) optional: &'static str,
    /// Long options without a value, or with one only after `=`.
    pub(crate) long_flags: &'static [&'static str],
    /// Long options with a value.
    pub(crate) long_valued: &'static [&'static str],
}

/// An option that was read.
pub(crate) struct Given {
    /// The letter or the long name, without dashes.
    pub(crate) name: String,
    pub(crate) value: Option<Word>,
    /// The word that holds the option.
    pub(crate) word: Word,
}

/// The options of a command and the words after them.
pub(crate) struct Parsed<'w> {
    pub(crate) given: Vec<Given>,
    pub(crate) operands: &'w [Word],
}

impl Parsed<'_> {
    /// Whether one of these options was given.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&&*given.name))
    }

    /// Whether no operand follows the options.
    pub(crate) fn words_only(&self) -> bool {
        self.operands.is_empty()
    }

    /// The last value of one of these options.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Word> {
        self.given.iter().rev().find(|given| names.contains(&&*given.name)).and_then(|given| given.value.as_ref())
    }
}

/// Reads options from `words`. `None` if something was not understood; the doubt is in `out` then.
pub(crate) fn parse<'w>(table: &Table, words: &'w [Word], out: &mut Out) -> Option<Parsed<'w>> {
    let mut given = Vec::new();
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let Some(text) = first.known() else {
            if !may_be_option(first) || assignment(first).is_some() {
                break;
            }
            out.doubt(Reason::DynamicWord, first.origin);
            return None;
        };
        if text == "--" {
            rest = after;
            break;
        }
        let mut next = after;
        let understood = if let Some(long) = text.strip_prefix("--") {
            long_option(table, long, first, &mut next, &mut given)
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            short_options(table, letters, first, &mut next, &mut given)
        } else {
            break;
        };
        if understood.is_none() {
            out.doubt(Reason::UnknownOption, first.origin);
            return None;
        }
        rest = next;
    }
    Some(Parsed { given, operands: rest })
}

fn long_option(table: &Table, long: &str, word: &Word, next: &mut &[Word], given: &mut Vec<Given>) -> Option<()> {
    let (name, attached) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
    let all = || table.long_flags.iter().chain(table.long_valued).copied();
    // Programs accept any beginning that fits one option only.
    let full = match all().find(|known| *known == name) {
        Some(exact) => exact,
        None => {
            let mut fitting = all().filter(|known| !name.is_empty() && known.starts_with(name));
            fitting.next().filter(|_| fitting.next().is_none())?
        }
    };
    let value = match attached {
        Some(value) => Some(Word::exact(value, word.origin)),
        None if table.long_valued.contains(&full) => Some(take(next)?),
        None => None,
    };
    given.push(Given { name: full.to_owned(), value, word: word.clone() });
    Some(())
}

fn short_options(table: &Table, letters: &str, word: &Word, next: &mut &[Word], given: &mut Vec<Given>) -> Option<()> {
    let mut rest = letters.chars();
    while let Some(letter) = rest.next() {
        let attached = rest.as_str();
        let mut push = |value| given.push(Given { name: letter.to_string(), value, word: word.clone() });
        if table.flags.contains(letter) {
            push(None);
        } else if table.optional.contains(letter) {
            push((!attached.is_empty()).then(|| Word::exact(attached, word.origin)));
            return Some(());
        } else if table.valued.contains(letter) {
            push(Some(if attached.is_empty() { take(next)? } else { Word::exact(attached, word.origin) }));
            return Some(());
        } else {
            return None;
        }
    }
    Some(())
}

fn take(next: &mut &[Word]) -> Option<Word> {
    let (first, rest) = next.split_first()?;
    *next = rest;
    Some(first.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_guest::Span;

    const TABLE: Table =
        Table { flags: "ab", valued: "n", optional: "e", long_flags: &["all", "also"], long_valued: &["name"] };

    fn read(words: &[&str]) -> Option<String> {
        let words: Vec<Word> = words.iter().map(|text| Word::exact(*text, Span::WHOLE)).collect();
        let mut out = Out::default();
        let parsed = parse(&TABLE, &words, &mut out)?;
        let show = |given: &Given| match &given.value {
            Some(value) => format!("{}={}", given.name, value.text),
            None => given.name.clone(),
        };
        let given: Vec<String> = parsed.given.iter().map(show).collect();
        let operands: Vec<&str> = parsed.operands.iter().map(|word| word.text.as_str()).collect();
        Some(format!("{} | {}", given.join(" "), operands.join(" ")))
    }

    #[test]
    fn options_end_at_the_first_operand() {
        assert_eq!(read(&["-abn", "5", "-e3", "-e", "x", "-a"]).as_deref(), Some("a b n=5 e=3 e | x -a"));
        assert_eq!(read(&["--name=x", "--na", "y", "--", "-a"]).as_deref(), Some("name=x name=y | -a"));
        assert_eq!(read(&["-", "x"]).as_deref(), Some(" | - x"));
    }

    #[test]
    fn what_is_not_in_the_table_is_refused() {
        for words in [&["-z"][..], &["--zoo"], &["--al"], &["-n"], &["--name"]] {
            assert_eq!(read(words), None, "{words:?}");
        }
    }
}
