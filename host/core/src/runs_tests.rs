//! Where runs begin and end, and what is kept of bytes that are not text.

use super::*;
use alloc::format;
use alloc::string::ToString;

const SECRET: &str = "a secret that is long enough";
const CODED: &str = "YSBzZWNyZXQgdGhhdCBpcyBsb25nIGVub3VnaA";

fn says(texts: &[String], what: &str) -> bool {
    texts.iter().any(|text| text.contains(what))
}

#[test]
fn base64_is_found_wherever_it_starts_and_with_or_without_padding() {
    for before in ["", "x", "xy", "xyz", "wxyz", "key=", "/path/", "data:text/plain;base64,", "\u{e9} "] {
        for behind in ["", "==", " and more", "\n"] {
            assert!(
                says(&base64(&format!("{before}{CODED}{behind}")), "secret that is long enoug"),
                "{before} {behind}"
            );
        }
    }
}

#[test]
fn both_alphabets_are_read() {
    assert!(says(&base64("c2s_Pz8_Pj4-fn5-c2stLS0t"), "sk????>>>~~~sk----"));
    assert!(says(&base64("c2s/Pz8/Pj4+fn5+c2stLS0t"), "sk????>>>~~~sk----"));
}

#[test]
fn base64_is_joined_over_line_breaks_but_not_over_blanks() {
    for width in [4, 5, 7, 10, 20] {
        let lines: Vec<&str> = CODED.as_bytes().chunks(width).map(|line| core::str::from_utf8(line).unwrap()).collect();
        assert!(says(&base64(&lines.join("\n")), SECRET), "{width}");
        assert!(says(&base64(&lines.join("\r\n  ")), SECRET), "{width}");
        if width < 16 {
            assert!(base64(&lines.join(" ")).is_empty());
        }
    }
    assert!(says(&base64(&format!("see\n{CODED}\n{CODED}")), SECRET));
}

#[test]
fn a_run_just_under_its_bound_is_left_alone() {
    let text = "c2VjcmV0IHdvcmRz";
    assert_eq!(text.len(), BASE64_RUN_MIN);
    assert!(says(&base64(text), "secret words"));
    assert!(base64(text.get(1..).unwrap()).is_empty());
    let digits = "73656372657420776f72647320686579";
    assert_eq!(digits.len(), HEX_RUN_MIN);
    assert!(says(&hex(digits), "secret words hey"));
    assert!(hex(digits.get(1..).unwrap()).is_empty());
}

#[test]
fn hexadecimal_digits_are_found_in_either_case_and_in_dumps() {
    let pairs: Vec<String> = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    for between in ["", " ", ":", ", ", "\n"] {
        assert!(says(&hex(&format!("0x{}", pairs.join(between))), SECRET), "{between:?}");
        assert!(says(&hex(&pairs.join(between).to_uppercase()), SECRET), "{between:?}");
    }
    assert!(says(&hex(&format!("a{}", pairs.concat())), SECRET));
}

#[test]
fn digests_and_ordinary_words_say_nothing() {
    let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    assert!(hex(digest).is_empty());
    assert!(hex("da39a3ee5e6b4b0d3255bfef95601890afd80709").is_empty());
}

#[test]
fn of_bytes_that_are_no_text_what_stands_in_a_row_is_kept() {
    let mut bytes: Vec<u8> = (0x80..=0xff).collect();
    bytes.extend(b"12345678");
    bytes.extend(0x80..=0xff);
    bytes.extend(b"1234567");
    bytes.extend(0x80..=0xff);
    assert_eq!(readable(&bytes), Some("12345678".to_string()));
    let latin = b"un caf\xe9 et un secret".to_vec();
    assert_eq!(readable(&latin), Some("un caf\u{fffd} et un secret".to_string()));
    let wide: Vec<u8> = SECRET.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(readable(&wide).as_deref(), Some(SECRET));
    let looks = SECRET.replace('e', "\u{435}\u{200b}");
    let wide: Vec<u8> = looks.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(readable(&wide), Some(looks));
    assert_eq!(readable(&[0, 0, 0]), None);
}

#[test]
fn a_word_above_or_below_a_run_in_lines_does_not_spoil_it() {
    let (left, right) = CODED.split_at(20);
    let exact = |text: &str| base64(text).iter().any(|form| form.split(BETWEEN_PIECES).any(|line| line == SECRET));
    for text in [format!("see\n{left}\n{right}"), format!("{left}\n{right}\nsee"), format!("see\n{left}\n{right}\nit")]
    {
        assert!(exact(&text), "{text}");
    }
    let filler = |count: usize| format!("see\n{CODED}\n{}", "Y".repeat(count - CODED.len() - 3));
    let starts =
        |text: &str| base64(text).iter().any(|form| form.lines().filter(|line| line.starts_with(SECRET)).count() > 1);
    assert!(starts(&filler(EDGED_RUN_MAX)));
    assert!(!starts(&filler(EDGED_RUN_MAX + 1)));
}
