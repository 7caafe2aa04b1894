//! The format of a journal: one JSON object a line, each bound to the line before it by a digest.
//!
//! A line is `{"seq":N,"prev":"<64 hex>",…members…,"hash":"<64 hex>"}` and a line feed. The hash covers every byte of
//! the line in front of `,"hash"`, so a reader needs no JSON parser to verify a chain.
//!
//! What a terminal would obey or not show is escaped in a line, so that a line can be printed as it is.

use crate::digest::Digest;
use crate::json::Json;
use alloc::string::String;

/// Most bytes of one line.
pub const LINE_BYTES_MAX: usize = 256 << 10;

const DOMAIN: &str = "holdpoint journal 1";
const HASH_KEY: &str = ",\"hash\":\"";
const HEADS_KEY: &str = "\"heads\":{";
/// Most heads of other streams in one line.
pub const HEADS_MAX: usize = 6;
/// Bytes of a line besides its members, its heads and its tail: number, hash of the line before, digest of what wrote the
/// file.
const OWN_START_BYTES_MAX: usize = 192;
/// Bytes of one head with the name of its stream.
const HEAD_BYTES_MAX: usize = 144;
/// Bytes in front of the members.
const START_BYTES_MAX: usize = OWN_START_BYTES_MAX + HEADS_KEY.len() + HEADS_MAX * HEAD_BYTES_MAX;
/// The hash member and what closes the line.
const TAIL_BYTES: usize = HASH_KEY.len() + 64 + 2;

/// The members of one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Their text, with what encloses it.
    members: String,
}

impl Line {
    /// A line with these members. `None` for one without members or over [`LINE_BYTES_MAX`].
    pub fn new(members: Json) -> Option<Line> {
        let has_members = matches!(&members, Json::Object(members) if !members.is_empty());
        let members = members.visible();
        let short = members.len().saturating_add(TAIL_BYTES + START_BYTES_MAX) <= LINE_BYTES_MAX;
        (has_members && short).then_some(Line { members })
    }

    /// A line whose members the caller has bounded.
    pub(crate) fn bounded(members: Json) -> Line {
        Line { members: members.visible() }
    }

    /// The line's text, without a line feed, as the next one after `head`.
    pub fn seal(&self, head: Head) -> (String, Head) {
        self.seal_with(head, &Opening::default())
    }

    /// The same with what else is to stand in front of its members.
    pub fn seal_with(&self, head: Head, opening: &Opening<'_>) -> (String, Head) {
        let seq = head.seq.saturating_add(1);
        let first = opening.text();
        let inner = self.members.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or("");
        let mut text = alloc::format!("{{\"seq\":{seq},\"prev\":\"{}\",{first}{inner}", head.hash);
        let hash = Digest::of_parts(DOMAIN, &[text.as_bytes()]);
        text.push_str(HASH_KEY);
        text.push_str(&hash.hex());
        text.push_str("\"}");
        (text, Head { seq, hash })
    }
}

/// What stands in front of a line's members besides its number and the hash of the line before. There it cannot be
/// confused with a member, whatever the members are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening<'o> {
    /// In the first line of a file: the digest of the code that began it.
    pub frozen: Option<&'o Digest>,
    /// Where other streams end, by their names. At most [`HEADS_MAX`] are written.
    pub heads: &'o [(&'o str, Head)],
}

impl Opening<'_> {
    fn text(&self) -> String {
        let mut text = self.frozen.map_or(String::new(), |frozen| alloc::format!("\"frozen\":\"{frozen}\","));
        let mut lead = HEADS_KEY;
        for (stream, Head { seq, hash }) in self.heads.iter().take(HEADS_MAX) {
            text.push_str(&alloc::format!("{lead}\"{stream}\":{{\"seq\":{seq},\"hash\":\"{hash}\"}}"));
            lead = ",";
        }
        if lead != HEADS_KEY {
            text.push_str("},");
        }
        text
    }
}

/// The head of a stream that a whole line names.
pub fn named_head(line: &str, stream: &str) -> Option<Head> {
    let (_, _, rest) = read_start(line)?;
    let rest = match rest.strip_prefix("\"frozen\":\"") {
        Some(frozen) => frozen.split_once("\",")?.1,
        None => rest,
    };
    let mut rest = rest.strip_prefix(HEADS_KEY)?;
    for _ in 0..HEADS_MAX {
        let (name, seq) = rest.strip_prefix('"')?.split_once("\":{\"seq\":")?;
        let (seq, hash) = seq.split_once(",\"hash\":\"")?;
        let (hash, others) = hash.split_once("\"}")?;
        if name == stream {
            return Some(Head { seq: seq.parse().ok()?, hash: Digest::from_hex(hash)? });
        }
        rest = others.strip_prefix(',')?;
    }
    None
}

/// Where a chain ends: the number and the hash of its last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Lines so far.
    pub seq: u64,
    /// The hash of the last one.
    pub hash: Digest,
}

impl Head {
    /// The head of a chain without lines.
    pub const START: Head = Head { seq: 0, hash: Digest::ZERO };
}

/// Why a line is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It does not have the shape of a line.
    Shape,
    /// Its hash does not cover its bytes.
    Hash,
    /// It does not follow the line before it.
    Chain,
}

impl Broken {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Broken::Shape => "is not a journal line",
            Broken::Hash => "does not match its own hash",
            Broken::Chain => "does not follow the line before it",
        }
    }
}

/// Reads the head that a line leaves behind, and checks that the line is whole.
pub fn head_of(line: &str) -> Result<Head, Broken> {
    read(line).map(|(_, head)| head)
}

/// Checks that a line is whole and follows `head`; returns the head it leaves behind.
pub fn follow(head: Head, line: &str) -> Result<Head, Broken> {
    let (prev, next) = read(line)?;
    let follows = prev == head.hash && Some(next.seq) == head.seq.checked_add(1);
    if follows { Ok(next) } else { Err(Broken::Chain) }
}

fn read(line: &str) -> Result<(Digest, Head), Broken> {
    let body_bytes = line.len().checked_sub(TAIL_BYTES).ok_or(Broken::Shape)?;
    let (body, tail) = line.split_at_checked(body_bytes).ok_or(Broken::Shape)?;
    let hash = tail.strip_prefix(HASH_KEY).and_then(|tail| tail.strip_suffix("\"}")).and_then(Digest::from_hex);
    let hash = hash.ok_or(Broken::Shape)?;
    let (seq, prev, _) = read_start(body).ok_or(Broken::Shape)?;
    if Digest::of_parts(DOMAIN, &[body.as_bytes()]) == hash {
        Ok((prev, Head { seq, hash }))
    } else {
        Err(Broken::Hash)
    }
}

fn read_start(body: &str) -> Option<(u64, Digest, &str)> {
    let (seq, rest) = body.strip_prefix("{\"seq\":")?.split_once(',')?;
    let (prev, rest) = rest.strip_prefix("\"prev\":\"")?.split_once("\",")?;
    Some((seq.parse().ok()?, Digest::from_hex(prev)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    fn line(text: &str) -> Line {
        Line::new(Json::object([("note", Json::text(text))])).unwrap()
    }

    #[test]
    fn a_chain_of_lines_follows_from_the_start() {
        let (first, head) = line("one").seal(Head::START);
        let (second, last) = line("two").seal(head);
        assert_eq!(follow(Head::START, &first), Ok(head));
        assert_eq!(follow(head, &second), Ok(last));
        assert_eq!(follow(Head::START, &second), Err(Broken::Chain));
        assert_eq!(head_of(&second), Ok(last));
    }

    #[test]
    fn the_first_line_of_a_file_names_the_code_that_began_it_and_is_a_line_like_any_other() {
        let digest = Digest::of_file(b"code");
        let (text, head) = line("one").seal_with(Head::START, &Opening { frozen: Some(&digest), heads: &[] });
        assert!(text.contains(&alloc::format!("\"frozen\":\"{digest}\",\"note\":\"one\"")), "{text}");
        assert_eq!(follow(Head::START, &text), Ok(head));
    }

    #[test]
    fn a_line_names_the_heads_of_other_streams_and_its_members_cannot_pass_for_them() {
        let digest = Digest::of_file(b"code");
        let (three, most) = (Head { seq: 3, hash: digest }, Head { seq: u64::MAX, hash: digest });
        for frozen in [None, Some(&digest)] {
            let opening = Opening { frozen, heads: &[("transitions", three), ("uses", most)] };
            let (text, head) = line("one").seal_with(Head::START, &opening);
            assert_eq!(follow(Head::START, &text), Ok(head));
            assert_eq!(named_head(&text, "transitions"), Some(three), "{text}");
            assert_eq!(named_head(&text, "uses"), Some(most), "{text}");
            assert_eq!(named_head(&text, "content"), None);
        }
        let made_up = Json::object([("transitions", Json::object([("seq", Json::count(9))]))]);
        let (text, _) = Line::new(Json::object([("heads", made_up)])).unwrap().seal(Head::START);
        assert_eq!(named_head(&text, "transitions"), None);
        let (text, _) = line("\",\"heads\":{\"uses\":{\"seq\":1").seal(Head::START);
        assert_eq!(named_head(&text, "uses"), None);
    }

    #[test]
    fn a_line_shows_what_a_terminal_would_obey_or_hide() {
        let hostile =
            ["\u{1b}", "\u{7f}", "\u{80}", "\u{9b}31m", "\u{9f}", "\u{ad}", "\u{61c}", "\u{200b}", "\u{200f}"];
        let hostile = hostile.into_iter().chain(["\u{2028}", "\u{202e}", "\u{2066}", "\u{feff}", "\u{e0041}"]);
        for text in hostile {
            let members = Json::Object(alloc::vec![(text.into(), Json::text(text))]);
            let (line, head) = Line::new(members).unwrap().seal(Head::START);
            assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line}");
            assert_eq!(follow(Head::START, &line), Ok(head));
        }
        let shown = "\u{e9} \u{a0} \u{20ac} \u{5d0} \u{1f600} \\u009b";
        assert!(line(shown).seal(Head::START).0.contains(&shown.replace('\\', "\\\\")));
        let tag = line("\u{e0041}").seal(Head::START).0;
        assert!(tag.contains("\"\\udb40\\udc41\""), "{tag}");
    }

    #[test]
    fn of_one_head_too_many_the_last_is_left_out() {
        let heads: Vec<(&str, Head)> = ["a", "b", "c", "d", "e", "f", "g"].map(|name| (name, Head::START)).into();
        let (text, _) = line("one").seal_with(Head::START, &Opening { frozen: None, heads: &heads });
        assert_eq!(heads.len(), HEADS_MAX + 1);
        assert_eq!(named_head(&text, "f"), Some(Head::START));
        assert_eq!(named_head(&text, "g"), None);
        assert!(text.contains("},\"note\""), "{text}");
    }

    #[test]
    fn a_change_of_any_byte_is_seen() {
        let (text, _) = line("one \u{e9}").seal(Head::START);
        for index in 0..text.len() {
            let mut bytes: Vec<u8> = text.bytes().collect();
            bytes[index] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(follow(Head::START, &changed).is_err(), "{index}");
            }
        }
        assert_eq!(follow(Head::START, text.strip_prefix('{').unwrap()), Err(Broken::Shape));
        assert_eq!(follow(Head::START, &(text.clone() + "x")), Err(Broken::Shape));
        assert_eq!(follow(Head::START, ""), Err(Broken::Shape));
    }

    #[test]
    fn a_line_just_over_its_bound_cannot_be_made() {
        let fits = LINE_BYTES_MAX - TAIL_BYTES - START_BYTES_MAX - "{\"note\":\"\"}".len();
        let long = |bytes: usize| Line::new(Json::object([("note", Json::Text("x".repeat(bytes).to_string()))]));
        let last = Head { seq: u64::MAX, hash: Digest::ZERO };
        let heads = [("transitions", last); HEADS_MAX];
        let opening = Opening { frozen: Some(&Digest::ZERO), heads: &heads };
        let whole = |line: Line| line.seal_with(last, &opening).0.len() <= LINE_BYTES_MAX;
        assert!(long(fits).is_some_and(whole));
        assert!(long(fits + 1).is_none());
        assert!(Line::new(Json::Object(Vec::new())).is_none());
    }
}
