//! Each escape as the language that has it reads it.

use super::*;

fn all(undo: fn(&str) -> Option<String>, cases: &[(&str, &str)]) {
    for (escaped, plain) in cases {
        assert_eq!(undo(escaped).as_deref(), Some(*plain), "{escaped}");
    }
}

#[test]
fn percent_is_undone_once_and_what_is_no_escape_stays() {
    all(percent, &[("%73k%2D1", "sk-1"), ("%2573", "%73"), ("100% %zz %41", "100% %zz A"), ("%c3%A9", "\u{e9}")]);
    assert_eq!(percent("100% sure, 5%"), None);
}

#[test]
fn backslashes_are_undone_as_bash_and_json_write_them() {
    let cases = [
        (r"\x73\x6b-\x31", "sk-1"),
        (r"\163\153-", "sk-"),
        (r"\u0073\u006B", "sk"),
        (r"\u{73}\u{00006b}", "sk"),
        (r"\U00000073", "s"),
        (r"\u73!", "s!"),
        (r"\ud835\uddd4", "\u{1d5d4}"),
        (r"\ud835x", "\u{fffd}x"),
        (r"a\nb\tc\rd", "a\nb\tc\rd"),
        (r"\s\-\\", r"s-\"),
        (r"\uzz\xzz\u{110000}", "uzzxzzu{110000}"),
        ("a\\\nb\\\r\nc", "abc"),
        (r"\xc3\xa9", "\u{e9}"),
        (r"\n\", "\n\\"),
    ];
    all(backslash, &cases);
    assert_eq!(backslash("none"), None);
    assert_eq!(backslash("\\"), None);
}

#[test]
fn entities_are_undone_with_and_without_a_semicolon() {
    let cases = [
        ("&#115;&#x6b;&#X2D;", "sk-"),
        ("&#115&#0000107", "sk"),
        ("&lt;a&gt;&quot;&amp;amp;", "<a>\"&amp;"),
        ("sk&hyphen;a&lowbar;b", "sk-a_b"),
        ("&#99999999999;", "\u{fffd}"),
    ];
    all(html, &cases);
    assert_eq!(html("a && b & c &unknown; &#; &#x;"), None);
}
