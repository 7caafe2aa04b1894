//! Encodings on top of each other, and each bound with an input just over it.

use super::*;
use alloc::format;
use proptest::prelude::*;

fn says(text: &str, what: &str) -> bool {
    decode(text).forms.iter().any(|form| form.contains(what))
}

fn to_percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn to_base64(text: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let bits = (0..3).fold(0_usize, |bits, index| bits << 8 | usize::from(*bytes.get(index).unwrap_or(&0)));
        let letters = (0..=bytes.len())
            .map(move |index| char::from(ALPHABET[bits >> 18_usize.saturating_sub(index.saturating_mul(6)) & 63]));
        letters.collect::<String>()
    };
    text.as_bytes().chunks(3).map(group).collect()
}

const PLAIN: &str = "what is hidden in here, 12";

#[test]
fn a_plain_text_has_one_form() {
    for text in ["", "plain", "a plain sentence. Two of them!"] {
        assert_eq!(decode(text), Decoded { forms: [text.to_owned()].into(), completeness: Completeness::Complete });
    }
}

#[test]
fn several_encodings_are_undone_in_any_order() {
    let base64_in_percent_in_base64 = to_base64(&to_percent(&to_base64(PLAIN)));
    let percent_twice = to_percent(&to_percent(PLAIN));
    let looks = to_base64(PLAIN).replace('d', "\u{217e}");
    for text in [base64_in_percent_in_base64, percent_twice, looks, to_base64(&to_base64(PLAIN))] {
        assert!(says(&format!("see {text}, please"), PLAIN), "{text}");
        assert_eq!(decode(&text).completeness, Completeness::Complete, "{text}");
    }
    assert!(says(r"wh%61t \u0069s &#104;idden in here, 12", PLAIN));
}

#[test]
fn the_text_itself_stays_next_to_what_a_reader_sees() {
    let decoded = decode("a\u{200b}b");
    assert_eq!(decoded.forms, ["a\u{200b}b", "ab"]);
}

#[test]
fn letters_of_other_scripts_keep_nothing_from_being_decoded() {
    assert!(says(&format!("\u{65e5}\u{672c}\u{8a9e} {}", to_percent(PLAIN)), PLAIN));
    assert!(says(&format!("\u{1f600}{}", to_base64(&to_percent(PLAIN))), PLAIN));
}

#[test]
fn letters_that_nobody_sees_are_a_form() {
    let tags: String = PLAIN.bytes().filter_map(|byte| char::from_u32(0xe0000 + u32::from(byte))).collect();
    assert!(says(&format!("harmless{tags}"), PLAIN));
    let tags: String = to_base64(PLAIN).bytes().filter_map(|byte| char::from_u32(0xe0000 + u32::from(byte))).collect();
    assert!(says(&format!("harmless{tags}"), PLAIN));
}

#[test]
fn one_encoding_more_than_the_bound_is_told() {
    let mut text = PLAIN.to_owned();
    for depth in 1..=DEPTH_MAX + 1 {
        text = if depth % 2 == 0 { to_percent(&text) } else { to_base64(&text) };
        let expected = if depth > DEPTH_MAX { Completeness::TooDeep } else { Completeness::Complete };
        assert_eq!(decode(&text).completeness, expected, "{depth}");
        assert_eq!(says(&text, PLAIN), depth <= DEPTH_MAX, "{depth}");
    }
}

#[test]
fn a_text_just_over_the_bound_is_told_and_not_decoded() {
    let longest = " ".repeat(INPUT_BYTES_MAX);
    assert_eq!(decode(&longest).completeness, Completeness::Complete);
    let decoded = decode(&format!("{longest} "));
    assert_eq!(decoded.completeness, Completeness::TooMuch);
    assert!(decoded.forms.is_empty());
}

#[test]
fn forms_just_over_their_bounds_are_told() {
    let mut search = Search { forms: Vec::new(), bytes: 0, frontier: Vec::new(), full: None };
    (0..FORMS_MAX).for_each(|index| search.add(format!("{index}")));
    assert!(search.full.is_none());
    search.add("one more".into());
    assert!(search.full.is_some() && search.forms.len() == FORMS_MAX);

    let mut search = Search { forms: Vec::new(), bytes: 0, frontier: Vec::new(), full: None };
    search.add(" ".repeat(FORMS_BYTES_MAX));
    assert!(search.full.is_none());
    search.add("1".into());
    assert!(search.full.is_some());
    // Each level of a text full of escapes is as long as the one before, and a mebibyte of them is too much at last.
    let escapes = r"\\\\\\\\%2525&amp;amp;".repeat((4 << 20) / 24);
    assert_eq!(decode(&escapes).completeness, Completeness::TooMuch);
}

#[test]
fn hostile_texts_stay_within_the_bounds() {
    for piece in
        ["A", "%25", "%2525", "----BEGIN ", "\\\\", "&amp;", "QUFB", "41", "\u{455}", "\u{e0041}", "eyJ.", "\n"]
    {
        let text = piece.repeat((1 << 20) / piece.len());
        let forms = decode(&text).forms;
        assert!(forms.len() <= FORMS_MAX, "{piece}");
        assert!(forms.iter().map(String::len).sum::<usize>() <= FORMS_BYTES_MAX, "{piece}");
    }
}

proptest! {
    #[test]
    fn any_text_is_its_own_first_form(text in any::<String>()) {
        let decoded = decode(&text);
        prop_assert_eq!(decoded.forms.first(), Some(&text));
    }

    #[test]
    fn texts_of_escapes_are_decoded_within_the_bounds(text in "[%&#;x0-9A-Za-f\\\\u{}+/=\n\u{200b}]{0,200}") {
        let decoded = decode(&text);
        prop_assert!(decoded.forms.len() <= FORMS_MAX);
        let unique: std::collections::BTreeSet<&String> = decoded.forms.iter().collect();
        prop_assert_eq!(unique.len(), decoded.forms.len());
    }
}
