//! What somebody may have meant by a word that is not known.

/// Most changes of a letter by which a word is taken for another.
const CHANGES_MAX: usize = 3;
/// Longest word that is looked at, in characters.
const CHARACTERS_MAX: usize = 64;

/// `did you mean …?` where a known word is near, and all known words.
pub(crate) fn help(word: &str, known: &[&str]) -> String {
    let all = format!("known: {}", known.join(", "));
    match nearest(word, known) {
        Some(meant) => format!("did you mean `{meant}`? {all}"),
        None => all,
    }
}

fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length > CHARACTERS_MAX {
        return None;
    }
    // A short word is near to everything, so it may differ in less.
    let most = CHANGES_MAX.min(length.div_ceil(3));
    let with_distance = known.iter().map(|known| (distance(&word, known), *known));
    with_distance.filter(|(distance, _)| *distance <= most).min().map(|(_, known)| known)
}

/// How many letters have to be put in, taken out, replaced or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut previous = None;
    for letter in left.chars() {
        let mut next = vec![row.first().copied().unwrap_or(0).saturating_add(1)];
        for (index, other) in right.iter().enumerate() {
            let at = |cells: &[usize], index: usize| cells.get(index).copied().unwrap_or(usize::MAX);
            let replaced = at(&row, index).saturating_add(usize::from(letter != *other));
            let one_less = at(&row, index.saturating_add(1)).min(at(&next, index)).saturating_add(1);
            let before = index.checked_sub(1);
            let is_swap = previous == Some(*other) && before.and_then(|before| right.get(before)) == Some(&letter);
            let swapped = before.filter(|_| is_swap).map_or(usize::MAX, |before| at(&above, before).saturating_add(1));
            next.push(replaced.min(one_less).min(swapped));
        }
        above = std::mem::replace(&mut row, next);
        previous = Some(letter);
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_are_put_in_taken_out_replaced_or_swapped_are_counted() {
        for (left, right, changes) in [
            ("level", "level", 0),
            ("levle", "level", 1),
            ("observ", "observe", 1),
            ("", "ask", 3),
            ("gaurdded", "guarded", 2),
        ] {
            assert_eq!(distance(left, right), changes, "{left} {right}");
        }
    }

    #[test]
    fn a_word_that_is_near_is_proposed_and_another_is_not() {
        let known = ["level", "principals"];
        assert_eq!(help("Levle", &known), "did you mean `level`? known: level, principals");
        assert_eq!(help("xyz", &known), "known: level, principals");
        assert_eq!(help(&"level".repeat(20), &known), "known: level, principals");
    }
}
