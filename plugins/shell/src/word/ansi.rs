//! Decodes the inside of `$'...'`. It must refuse what has no text form, such as bytes that are not UTF-8.

/// The value of the inside of `$'...'`; `None` where the shell would produce something that is not text.
pub(crate) fn decode(raw: &str) -> Option<String> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw.chars();
    while let Some(character) = rest.next() {
        if character == '\\' {
            escape(&mut rest, &mut out)?;
        } else {
            push(&mut out, character);
        }
    }
    // A NUL ends the string inside the shell, so what follows is not what it seems.
    if out.last() == Some(&0) {
        out.pop();
    }
    if out.contains(&0) { None } else { String::from_utf8(out).ok() }
}

fn push(out: &mut Vec<u8>, character: char) {
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

fn escape(rest: &mut std::str::Chars<'_>, out: &mut Vec<u8>) -> Option<()> {
    let simple = match rest.next()? {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        '\'' => b'\'',
        '"' => b'"',
        '?' => b'?',
        'x' => u8::try_from(digits(rest, 16, 2)?).ok()?,
        'u' => return unicode(rest, 4, out),
        'U' => return unicode(rest, 8, out),
        // A control character from a letter; anything else has readings that differ between versions.
        'c' => match rest.next()? {
            letter if letter.is_ascii_alphabetic() => u8::try_from(letter).ok()? & 0x1f,
            _ => return None,
        },
        digit @ '0'..='7' => octal(digit, rest)?,
        other => {
            out.push(b'\\');
            push(out, other);
            return Some(());
        }
    };
    out.push(simple);
    Some(())
}

fn octal(first: char, rest: &mut std::str::Chars<'_>) -> Option<u8> {
    let mut value = first.to_digit(8)?;
    for _ in 0..2 {
        let Some(digit) = rest.clone().next().and_then(|next| next.to_digit(8)) else {
            break;
        };
        value = value * 8 + digit;
        rest.next();
    }
    u8::try_from(value & 0xff).ok()
}

fn digits(rest: &mut std::str::Chars<'_>, radix: u32, count_max: u32) -> Option<u32> {
    let mut value = None;
    for _ in 0..count_max {
        let Some(digit) = rest.clone().next().and_then(|next| next.to_digit(radix)) else {
            break;
        };
        value = Some(value.unwrap_or(0u32).wrapping_mul(radix).wrapping_add(digit));
        rest.next();
    }
    value
}

fn unicode(rest: &mut std::str::Chars<'_>, count_max: u32, out: &mut Vec<u8>) -> Option<()> {
    push(out, char::from_u32(digits(rest, 16, count_max)?)?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn escapes_are_decoded_as_the_shell_does() {
        for (raw, value) in [
            (r"\x72\x6d", "rm"),
            (r"\162\155", "rm"),
            (r"a\tb\n", "a\tb\n"),
            (r"\u00e9\U1F600", "\u{e9}\u{1f600}"),
            (r"\'\\\q", r"'\\q"),
            (r"\xc3\xa9", "\u{e9}"),
            (r"\cA", "\u{1}"),
            (r"\0", ""),
        ] {
            assert_eq!(decode(raw).as_deref(), Some(value), "{raw}");
        }
    }

    #[test]
    fn what_is_not_text_is_refused() {
        for raw in [r"a\0b", r"\xff", r"\x", r"\uZ", r"\", r"\c@", r"\uD800"] {
            assert_eq!(decode(raw), None, "{raw}");
        }
    }
}
