//! Brace expansion: `{a,b}` and `{1..3}` in unquoted text become several words. The number of words is bounded.

use super::Atom;
use crate::limits::{BRACE_WORDS_MAX, BRACES_MAX, SEQUENCE_WORDS_MAX};

#[derive(Clone, PartialEq)]
enum Item {
    Char(char),
    Fixed(Atom),
}

/// The alternatives that the braces of a word expand to, or `None` if there are too many.
pub(crate) fn braces(atoms: &[Atom]) -> Option<Vec<Vec<Atom>>> {
    let active = |atom: &Atom| matches!(atom, Atom::Text { text, quoted: false } if text.contains('{'));
    if !atoms.iter().any(active) {
        return Some(vec![atoms.to_vec()]);
    }
    let mut items = Vec::new();
    for atom in atoms {
        match atom {
            Atom::Text { text, quoted: false } => items.extend(text.chars().map(Item::Char)),
            Atom::Text { .. } | Atom::Unknown { .. } => items.push(Item::Fixed(atom.clone())),
        }
    }
    if items.iter().filter(|item| **item == Item::Char('{')).count() > BRACES_MAX {
        return None;
    }
    let words = expand(&items, 0)?;
    Some(words.iter().map(|items| regroup(items)).collect())
}

fn regroup(items: &[Item]) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = Vec::new();
    for item in items {
        match (item, atoms.last_mut()) {
            (Item::Char(character), Some(Atom::Text { text, quoted: false })) => text.push(*character),
            (Item::Char(character), _) => atoms.push(Atom::Text { text: character.to_string(), quoted: false }),
            (Item::Fixed(atom), _) => atoms.push(atom.clone()),
        }
    }
    atoms
}

/// Expands the first brace and then what follows it. The depth equals the number of braces passed, which is bounded
/// because each level may only multiply up to the allowed number of words.
fn expand(items: &[Item], depth: usize) -> Option<Vec<Vec<Item>>> {
    if depth > BRACE_WORDS_MAX {
        return None;
    }
    let Some((start, end, choices)) = first_brace(items, depth)? else {
        return Some(vec![items.to_vec()]);
    };
    let head = items.get(..start)?;
    let tails = expand(items.get(end + 1..)?, depth + 1)?;
    if choices.len().checked_mul(tails.len())? > BRACE_WORDS_MAX {
        return None;
    }
    let mut words = Vec::with_capacity(choices.len() * tails.len());
    for choice in &choices {
        for tail in &tails {
            let mut word = head.to_vec();
            word.extend_from_slice(choice);
            word.extend_from_slice(tail);
            words.push(word);
        }
    }
    Some(words)
}

type Brace = (usize, usize, Vec<Vec<Item>>);

/// The first brace that expands: where it opens and closes, and its choices.
fn first_brace(items: &[Item], depth: usize) -> Option<Option<Brace>> {
    for (start, item) in items.iter().enumerate() {
        if *item != Item::Char('{') || (start > 0 && items.get(start - 1) == Some(&Item::Char('$'))) {
            continue;
        }
        let Some((end, commas)) = matching(items, start) else {
            continue;
        };
        let inner = items.get(start + 1..end)?;
        if commas.is_empty() {
            if let Some(words) = sequence(inner)? {
                return Some(Some((start, end, words)));
            }
            continue;
        }
        let mut choices = Vec::new();
        let mut from = start + 1;
        for to in commas.into_iter().chain([end]) {
            choices.extend(expand(items.get(from..to)?, depth + 1)?);
            from = to + 1;
        }
        return (choices.len() <= BRACE_WORDS_MAX).then_some(Some((start, end, choices)));
    }
    Some(None)
}

/// The closing brace of the one at `start`, and the commas directly inside it.
fn matching(items: &[Item], start: usize) -> Option<(usize, Vec<usize>)> {
    let mut level = 0usize;
    let mut commas = Vec::new();
    for (index, item) in items.iter().enumerate().skip(start) {
        match item {
            Item::Char('{') => level += 1,
            Item::Char('}') => {
                level -= 1;
                if level == 0 {
                    return Some((index, commas));
                }
            }
            Item::Char(',') if level == 1 => commas.push(index),
            Item::Char(_) | Item::Fixed(_) => {}
        }
    }
    None
}

/// `1..9`, `a..e` and steps. The inner `None` means that this is no sequence; the outer one that it is too long.
fn sequence(inner: &[Item]) -> Option<Option<Vec<Vec<Item>>>> {
    let mut text = String::new();
    for item in inner {
        match item {
            Item::Char(character) => text.push(*character),
            // With an expansion inside, braces are literal unless the value makes a sequence, which comes too late.
            Item::Fixed(_) => return Some(None),
        }
    }
    let mut bounds = text.split("..");
    let (Some(first), Some(last), step, None) = (bounds.next(), bounds.next(), bounds.next(), bounds.next()) else {
        return Some(None);
    };
    let step = match step.map(str::parse::<i64>) {
        None => 1,
        Some(Ok(step)) => step.unsigned_abs().max(1),
        Some(Err(_)) => return Some(None),
    };
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded = [first, last].iter().any(|bound| bound.trim_start_matches('-').len() > 1 && is_padded(bound));
        let width = if padded { first.len().max(last.len()) } else { 0 };
        return count(from, to, step)?
            .map(|number| format!("{number:0width$}"))
            .map(chars)
            .map(Some)
            .collect::<Option<_>>()
            .map(Some);
    }
    let (Some(from), Some(to)) = (letter(first), letter(last)) else {
        return Some(None);
    };
    // Between `Z` and `a` stand characters that are active in the shell.
    if from.is_ascii_uppercase() != to.is_ascii_uppercase() {
        return None;
    }
    let letters = count(i64::from(u32::from(from)), i64::from(u32::from(to)), step)?;
    let words =
        letters.filter_map(|code| char::from_u32(u32::try_from(code).ok()?)).map(|letter| vec![Item::Char(letter)]);
    Some(Some(words.collect()))
}

fn chars(text: String) -> Vec<Item> {
    text.chars().map(Item::Char).collect()
}

fn is_padded(bound: &str) -> bool {
    bound.trim_start_matches('-').starts_with('0')
}

fn letter(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let first = chars.next().filter(char::is_ascii_alphabetic)?;
    chars.next().is_none().then_some(first)
}

fn count(from: i64, to: i64, step: u64) -> Option<impl Iterator<Item = i64>> {
    let steps = from.abs_diff(to) / step;
    if steps >= SEQUENCE_WORDS_MAX.unsigned_abs() {
        return None;
    }
    let step = i64::try_from(step).ok()?;
    let direction = if from <= to { step } else { -step };
    Some((0..=i64::try_from(steps).ok()?).map(move |index| from + direction * index))
}
