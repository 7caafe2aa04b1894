//! Patterns over names and paths. Matching takes time in proportion to the product of both lengths, whatever the pattern,
//! and where two patterns are compared the answer is whether any name at all could match both.

use alloc::string::String;
use alloc::vec::Vec;

/// Whether an operation stops at its target or takes everything below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The target only.
    Itself,
    /// The target and everything in it.
    Below,
}

/// The name that stands for any number of names.
const ANY_NAMES: &str = "**";

#[derive(Clone, Copy, PartialEq)]
enum Piece {
    /// Any characters.
    Any,
    /// One character, whichever.
    One,
    /// This character.
    Literal(char),
}

/// Whether a name has a wildcard that is not escaped.
pub fn has_wildcard(name: &str) -> bool {
    pieces(name).iter().any(|piece| matches!(piece, Piece::Any | Piece::One))
}

/// The name that a pattern without wildcards stands for.
pub fn unescape(name: &str) -> String {
    let mut characters = name.chars();
    let mut plain = String::with_capacity(name.len());
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next().unwrap_or('\\') } else { character });
    }
    plain
}

/// The pattern that matches exactly this name.
pub fn escape(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    for character in name.chars() {
        if matches!(character, '*' | '?' | '[' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

/// Whether every name that a shell would expand to matches.
pub fn matches_everything(name: &str) -> bool {
    name.contains('*') && name.chars().all(|character| matches!(character, '*' | '.'))
}

/// Whether any name could match both patterns. A set `[...]` counts as any one character, and a wildcard in front does not
/// match a hidden name, except for two stars: programs that match names themselves match hidden ones too.
pub fn names_meet(left: &str, right: &str) -> bool {
    // Most names are plain, and most pairs differ in their first character.
    let special = |character: char| matches!(character, '*' | '?' | '[' | '\\');
    if !left.contains(special) && !right.contains(special) {
        return left == right;
    }
    let first = |name: &str| name.chars().next().filter(|first| !special(*first));
    if let (Some(left), Some(right)) = (first(left), first(right))
        && left != right
    {
        return false;
    }
    let hidden = |name: &str| name.starts_with('.') || name.starts_with("\\.");
    let wild = |name: &str| !name.starts_with(ANY_NAMES) && name.starts_with(['*', '?', '[']);
    if (hidden(left) && wild(right)) || (hidden(right) && wild(left)) {
        return false;
    }
    meet(&pieces(left), &pieces(right), |left, right| match (left, right) {
        (Piece::Literal(left), Piece::Literal(right)) => left == right,
        (Piece::One | Piece::Any, _) | (_, Piece::One | Piece::Any) => true,
    })
}

fn pieces(pattern: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        out.push(match character {
            '*' => Piece::Any,
            '?' => Piece::One,
            '[' => match characters.as_str().char_indices().skip(1).find(|(_, next)| *next == ']') {
                Some((end, _)) => {
                    characters = characters.as_str().get(end..).unwrap_or("").chars();
                    characters.next();
                    Piece::One
                }
                None => Piece::Literal('['),
            },
            '\\' => Piece::Literal(characters.next().unwrap_or('\\')),
            plain => Piece::Literal(plain),
        });
    }
    out
}

/// A step of a pattern that may stand for any number of steps of the other.
trait Repeats {
    fn repeats(&self) -> bool;
}

impl Repeats for Piece {
    fn repeats(&self) -> bool {
        *self == Piece::Any
    }
}

impl Repeats for &str {
    fn repeats(&self) -> bool {
        *self == ANY_NAMES
    }
}

/// The usual table, one row at a time: `row[n]` says whether the steps of `left` so far can meet the first n of `right`.
fn meet<T: Repeats>(left: &[T], right: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    rows(left, right, same).last().and_then(|row| row.last().copied()).unwrap_or(false)
}

fn rows<T: Repeats>(left: &[T], right: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<Vec<bool>> {
    let mut first = alloc::vec![true];
    for step in right {
        first.push(step.repeats() && first.last().copied().unwrap_or(false));
    }
    let mut all = alloc::vec![first];
    for step in left {
        let above = all.last().cloned().unwrap_or_default();
        let mut row = alloc::vec![step.repeats() && above.first().copied().unwrap_or(false)];
        for (index, other) in right.iter().enumerate() {
            let before = row.last().copied().unwrap_or(false);
            let over = above.get(index.saturating_add(1)).copied().unwrap_or(false);
            let diagonal = above.get(index).copied().unwrap_or(false);
            let grows = (step.repeats() || other.repeats()) && (over || before);
            row.push(grows || (diagonal && !step.repeats() && !other.repeats() && same(step, other)));
        }
        all.push(row);
    }
    all
}

/// Whether some path could match both lists of names, or with [`Reach::Below`] lie in what `place` matches.
pub fn paths_meet<P: AsRef<str>, O: AsRef<str>>(place: &[P], other: &[O], reach: Reach) -> bool {
    let fixed = |names: &[O]| !names.iter().any(|name| name.as_ref() == ANY_NAMES);
    let meet = |(left, right): (&P, &O)| names_meet(left.as_ref(), right.as_ref());
    if !place.iter().any(|name| name.as_ref() == ANY_NAMES) {
        match (other.split_first(), reach) {
            _ if fixed(other) => {
                let fits = match reach {
                    Reach::Itself => place.len() == other.len(),
                    Reach::Below => place.len() <= other.len(),
                };
                return fits && place.iter().zip(other).all(meet);
            }
            (Some((_, end)), Reach::Itself) if fixed(end) => {
                return place.len() >= end.len() && place.iter().rev().zip(end.iter().rev()).all(meet);
            }
            (Some(_) | None, Reach::Itself | Reach::Below) => {}
        }
    }
    any_names_meet(place, other, reach)
}

fn any_names_meet<P: AsRef<str>, O: AsRef<str>>(place: &[P], other: &[O], reach: Reach) -> bool {
    let place: Vec<&str> = place.iter().map(AsRef::as_ref).collect();
    let other: Vec<&str> = other.iter().map(AsRef::as_ref).collect();
    let rows = rows(&place, &other, |left, right| names_meet(left, right));
    let Some(last) = rows.last() else { return false };
    match reach {
        Reach::Itself => last.last().copied().unwrap_or(false),
        // What `place` matches is a folder above `other` if it meets any beginning of it.
        Reach::Below => last.iter().any(|met| *met),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::ToOwned;

    fn path(text: &str) -> Vec<String> {
        text.split('/').filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect()
    }

    #[test]
    fn two_patterns_meet_if_any_name_matches_both() {
        for (left, right) in
            [("shadow*", "?hadow"), ("shadow*", "s[h]adow"), ("auth*", "aut?.log"), ("*a", "b*"), ("a\\*", "a\\*")]
        {
            assert!(names_meet(left, right) && names_meet(right, left), "{left} {right}");
        }
        for hidden in [".envrc", ".*", "\\.git"] {
            assert!(names_meet("**", hidden) && names_meet("**rc", ".envrc") && names_meet(hidden, "***"), "{hidden}");
        }
        for (left, right) in [("shadow*", "passwd"), ("a\\*", "ab"), ("*", ".git"), ("?git", ".git"), ("", "a")] {
            assert!(!names_meet(left, right) && !names_meet(right, left), "{left} {right}");
        }
    }

    #[test]
    fn any_names_stand_for_none_or_many() {
        assert!(paths_meet(&path("a/**"), &path("a"), Reach::Itself));
        assert!(paths_meet(&path("**/c"), &path("a/b/c"), Reach::Itself));
        assert!(paths_meet(&path("a/**"), &path("**/z"), Reach::Itself));
        assert!(!paths_meet(&path("a/b"), &path("a"), Reach::Below));
        assert!(paths_meet(&path("a"), &path("a/b"), Reach::Below));
        assert!(!paths_meet(&path("a"), &path("a/b"), Reach::Itself));
    }

    /// Every list of at most three of these names.
    fn lists() -> Vec<Vec<&'static str>> {
        let names = ["a", "b", ".a", "*", "a*", "**"];
        let mut lists = alloc::vec![Vec::new()];
        for length in 1..=3_usize {
            let shorter: Vec<Vec<&str>> =
                lists.iter().filter(|list: &&Vec<&str>| list.len().checked_add(1) == Some(length)).cloned().collect();
            for list in shorter {
                lists.extend(names.iter().map(|name| list.iter().copied().chain([*name]).collect()));
            }
        }
        lists
    }

    #[test]
    fn short_cuts_say_what_the_whole_table_says() {
        for left in lists() {
            for right in lists() {
                for reach in [Reach::Itself, Reach::Below] {
                    let short = paths_meet(&left, &right, reach);
                    assert_eq!(short, any_names_meet(&left, &right, reach), "{left:?} {right:?} {reach:?}");
                }
            }
        }
    }

    #[test]
    fn a_pattern_of_many_wildcards_is_matched_without_trying_every_way() {
        let many = alloc::vec![ANY_NAMES.to_owned(); 200];
        let other = alloc::vec!["a".to_owned(); 200];
        assert!(paths_meet(&many, &other, Reach::Itself));
        let stars = "*a".repeat(500);
        assert!(!names_meet(&stars, &"a".repeat(400)));
    }
}
