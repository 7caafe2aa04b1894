//! Prepares a text for the first parser, which loses its place behind escapes in double quotes. Nothing is ever judged
//! by the prepared text: it only has the same structure at the same offsets.

use std::borrow::Cow;

/// The text with every escaped quote, dollar, backtick and backslash replaced by two plain characters. All of them are
/// literal wherever they stand, except inside backticks, which are refused when they hold one. The first parser loses
/// its place behind them; values are always read from the text itself, and the second parser never sees this one.
pub(crate) fn masked(source: &str) -> Cow<'_, str> {
    if !source.contains('\\') {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len());
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('"' | '$' | '`' | '\\') => out.push_str(".."),
            other => {
                out.push('\\');
                out.extend(other);
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn offsets_stay() {
        for (text, expected) in [
            ("ls", "ls"),
            (r#"echo "a\"b\\" \$x"#, r#"echo "a..b.." ..x"#),
            (r"echo 'a\' \n", r"echo 'a\' \n"),
            ("a\\\nb \\\u{e9}", "a\\\nb \\\u{e9}"),
            ("a\\", "a\\"),
        ] {
            assert_eq!(masked(text), expected);
            assert_eq!(masked(text).len(), text.len());
        }
    }
}
