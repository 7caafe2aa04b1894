//! Folding: what a reader takes for ASCII becomes ASCII, and what a reader does not see is taken away.

use crate::fold_table::{BLOCKS, NOTHING};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The text with look-alike letters as ASCII and without characters that are not seen: zero-width characters, soft
/// hyphens, direction marks, variation selectors, combining marks and control characters.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|character| !is_unseen(*character)).map(twin).collect())
}

/// What the characters of a text say that are not seen at all: tags, which are a copy of ASCII, and variation selectors,
/// of which there is one for each byte. A model reads both, a person neither.
pub(crate) fn unseen_bytes(text: &str) -> [Vec<u8>; 2] {
    let spelled = |byte_of: fn(char) -> Option<u8>| -> Vec<u8> {
        // Line breaks stay, so that what is unseen in one line does not run into the next.
        let bytes = || text.chars().filter_map(|letter| if letter == '\n' { Some(b'\n') } else { byte_of(letter) });
        if bytes().all(|byte| byte == b'\n') { Vec::new() } else { bytes().collect() }
    };
    [spelled(tag), spelled(selector)]
}

fn tag(character: char) -> Option<u8> {
    let code = u32::from(character).checked_sub(0xE_0000)?;
    u8::try_from(code).ok().filter(u8::is_ascii)
}

fn selector(character: char) -> Option<u8> {
    let byte = match character {
        '\u{FE00}'..='\u{FE0F}' => u32::from(character).checked_sub(0xFE00)?,
        '\u{E0100}'..='\u{E01EF}' => u32::from(character).checked_sub(0xE_0100 - 16)?,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

fn is_plain(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='~')
}

/// The default-ignorable characters of Unicode, combining marks that stand on Latin letters, and control characters.
fn is_unseen(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        | '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

fn twin(character: char) -> char {
    if character.is_ascii() { character } else { ascii_twin(character).map_or(character, char::from) }
}

fn ascii_twin(character: char) -> Option<u8> {
    let code = u32::from(character);
    let index = BLOCKS.partition_point(|(_, last, _)| *last < code);
    let (first, _, letters) = BLOCKS.get(index)?;
    let offset = usize::try_from(code.checked_sub(*first)?).ok()?.checked_rem(letters.len())?;
    letters.as_bytes().get(offset).copied().filter(|letter| *letter != NOTHING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    #[test]
    fn letters_that_look_like_ascii_become_ascii() {
        let twins = [
            ("\u{455}k-\u{430}nt", "sk-ant"),
            ("\u{391}\u{39A}\u{399}\u{391}", "AKIA"),
            ("\u{ff53}\u{ff4b}\u{ff0d}\u{ff11}", "sk-1"),
            ("\u{1d5cc}\u{1d5c4}\u{1d7f7}\u{1d552}", "sk1a"),
            ("s\u{301}k\u{336}", "sk"),
            ("\u{ec}gn\u{f3}re \u{24d0}\u{24db}\u{24db}", "ignore all"),
            ("a\u{a0}b\u{3000}c\u{2028}d", "a b c\nd"),
            ("\u{2014}\u{2011}\u{2212}", "---"),
            ("\u{1d6c2}\u{1d6a8}", "aA"),
        ];
        for (twin, ascii) in twins {
            assert_eq!(fold(twin), ascii);
        }
    }

    #[test]
    fn what_is_not_seen_is_taken_away() {
        for unseen in [
            "\u{200b}",
            "\u{200d}",
            "\u{ad}",
            "\u{202e}",
            "\u{2066}",
            "\u{feff}",
            "\u{fe0f}",
            "\u{e0041}",
            "\0",
            "\u{1b}",
        ] {
            assert_eq!(fold(&alloc::format!("s{unseen}k{unseen}")), "sk", "{unseen:?}");
        }
    }

    #[test]
    fn ascii_and_letters_without_a_twin_stay() {
        let ascii: String = ('\u{20}'..='\u{7e}').chain(['\n', '\t', '\r']).collect();
        assert!(matches!(fold(&ascii), Cow::Borrowed(same) if same == ascii));
        assert_eq!(fold("\u{436}\u{65e5}\u{672c}\u{1f600}"), "\u{436}\u{65e5}\u{672c}\u{1f600}");
    }

    #[test]
    fn folding_twice_says_nothing_new() {
        let every: String = (0..=0x10_ffff_u32).filter_map(char::from_u32).collect();
        let once = fold(&every).to_string();
        assert_eq!(fold(&once), once);
    }

    #[test]
    fn blocks_are_in_order_and_hold_ascii_only() {
        let ends = BLOCKS.iter().flat_map(|(first, last, _)| [*first, *last]);
        assert!(ends.clone().zip(ends.skip(1)).all(|(left, right)| left <= right));
        for (first, last, letters) in BLOCKS {
            assert!(
                letters.is_ascii() && (*last as usize - *first as usize + 1).is_multiple_of(letters.len()),
                "{first:x}"
            );
        }
    }

    #[test]
    fn tags_and_selectors_spell_bytes() {
        let tags: String = "hi".bytes().filter_map(|byte| char::from_u32(0xe0000 + u32::from(byte))).collect();
        assert_eq!(unseen_bytes(&tags), [b"hi".to_vec(), b"".to_vec()]);
        assert_eq!(unseen_bytes(&alloc::format!("a{tags}\nb{tags}")), [b"hi\nhi".to_vec(), b"".to_vec()]);
        assert_eq!(unseen_bytes("\u{e9}\n"), [b"".to_vec(), b"".to_vec()]);
        let selector = |byte: u8| char::from_u32(0xe0100 - 16 + u32::from(byte)).unwrap();
        assert_eq!(unseen_bytes(&"hi".bytes().map(selector).collect::<String>()), [b"".to_vec(), b"hi".to_vec()]);
    }
}
