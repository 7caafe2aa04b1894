//! The format of a journal: one JSON object a line, each bound to the line before it by a digest.
//!
//! A line is `{"seq":N,"prev":"<64 hex>",…members…,"hash":"<64 hex>"}` and a line feed. The hash covers every byte of
//! the line in front of `,"hash"`, so a reader needs no JSON parser to verify a chain.

use crate::digest::Digest;
use crate::json::Json;
use alloc::string::String;

/// Most bytes of one line.
pub const LINE_BYTES_MAX: usize = 256 << 10;

const DOMAIN: &str = "holdpoint journal 1";
const HASH_KEY: &str = ",\"hash\":\"";
/// Bytes of a line besides its members and its tail: number, hash of the line before, digest of what wrote the file.
const START_BYTES_MAX: usize = 192;
/// The hash member and what closes the line.
const TAIL_BYTES: usize = HASH_KEY.len() + 64 + 2;

/// The members of one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    members: Json,
}

impl Line {
    /// A line with these members. `None` for one without members or over [`LINE_BYTES_MAX`].
    pub fn new(members: Json) -> Option<Line> {
        let has_members = matches!(&members, Json::Object(members) if !members.is_empty());
        let short = members.canonical().len().saturating_add(TAIL_BYTES + START_BYTES_MAX) <= LINE_BYTES_MAX;
        (has_members && short).then_some(Line { members })
    }

    /// A line whose members the caller has bounded.
    pub(crate) fn bounded(members: Json) -> Line {
        Line { members }
    }

    /// The line's text, without a line feed, as the next one after `head`.
    pub fn seal(&self, head: Head) -> (String, Head) {
        self.sealed(head, "")
    }

    /// The same for the first line of a file, which also names the digest of the code that began it.
    pub fn seal_first(&self, head: Head, frozen: &Digest) -> (String, Head) {
        self.sealed(head, &alloc::format!("\"frozen\":\"{frozen}\","))
    }

    fn sealed(&self, head: Head, first: &str) -> (String, Head) {
        let seq = head.seq.saturating_add(1);
        let members = self.members.canonical();
        let inner = members.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or("");
        let mut text = alloc::format!("{{\"seq\":{seq},\"prev\":\"{}\",{first}{inner}", head.hash);
        let hash = Digest::of_parts(DOMAIN, &[text.as_bytes()]);
        text.push_str(HASH_KEY);
        text.push_str(&hash.hex());
        text.push_str("\"}");
        (text, Head { seq, hash })
    }
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
    let (seq, prev) = read_start(body).ok_or(Broken::Shape)?;
    if Digest::of_parts(DOMAIN, &[body.as_bytes()]) == hash {
        Ok((prev, Head { seq, hash }))
    } else {
        Err(Broken::Hash)
    }
}

fn read_start(body: &str) -> Option<(u64, Digest)> {
    let (seq, rest) = body.strip_prefix("{\"seq\":")?.split_once(',')?;
    let (prev, _) = rest.strip_prefix("\"prev\":\"")?.split_once("\",")?;
    Some((seq.parse().ok()?, Digest::from_hex(prev)?))
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
        let (text, head) = line("one").seal_first(Head::START, &digest);
        assert!(text.contains(&alloc::format!("\"frozen\":\"{digest}\",\"note\":\"one\"")), "{text}");
        assert_eq!(follow(Head::START, &text), Ok(head));
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
        let whole = |line: Line| line.seal_first(last, &Digest::ZERO).0.len() <= LINE_BYTES_MAX;
        assert!(long(fits).is_some_and(whole));
        assert!(long(fits + 1).is_none());
        assert!(Line::new(Json::Object(Vec::new())).is_none());
    }
}
