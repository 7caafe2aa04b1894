//! Finds credentials in a text, however they are encoded. It is conservative: what an ordinary text holds, such as
//! digests, identifiers and public keys, is none.

use crate::decode::{Completeness, Decoded, decode};
use crate::runs;
use crate::words::words;
use alloc::string::String;
use alloc::vec::Vec;

/// Most bytes of all parts together that [`find_in_parts`] looks at.
pub const PARTS_BYTES_MAX: usize = 2 << 20;
/// Over so many neighbouring parts one token may be split, besides over all of them.
const SPLIT_MAX: usize = 4;
/// Most bytes of all parts together of which neighbours are decoded as well. In more, they are read as they are.
const SPLIT_DECODED_BYTES_MAX: usize = 64 << 10;
/// Most characters of an armour line that are looked at, on each side of `BEGIN`.
const ARMOUR_MAX: usize = 64;
/// Fewest dashes on each side of an armour line.
const DASHES_MIN: usize = 2;
/// Fewest characters between two dashes of a key without a prefix of its own.
const PIECE_MIN: usize = 16;
/// The same behind a prefix that hardly any name begins with.
const SHORT_PIECE_MIN: usize = 12;
/// What stands before the id of a key in a signature: such an id is meant to be sent. AWS: "Signature Version 4".
const SIGNED_BY: &[u8] = b"credential=";
/// Fewest characters of the parts of a JSON Web Token: the header, the claims, the signature.
const WEB_TOKEN_MIN: [usize; 3] = [16, 2, 16];

words! {
    /// What a text holds. The last two are no credential that was seen but a text in which none can be excluded.
    Credential {
        OwnVault = "own-vault-secret",
        ApiKey = "api-key",
        AwsAccessKey = "aws-access-key",
        PrivateKey = "private-key",
        GithubToken = "github-token",
        GitlabToken = "gitlab-token",
        SlackToken = "slack-token",
        GoogleKey = "google-api-key",
        StripeKey = "stripe-key",
        NpmToken = "npm-token",
        JsonWebToken = "json-web-token",
        NestedTooDeep = "nested-too-deep",
        TooLargeToScan = "too-large-to-scan",
    }
}

/// The first credential of a text, in any of its forms. A text that cannot be decoded as a whole is told as such.
pub fn find(text: &str) -> Option<Credential> {
    if text.len() <= crate::decode::INPUT_BYTES_MAX
        && let Some(found) = find_as_written(text)
    {
        return Some(found);
    }
    let Decoded { forms, completeness } = decode(text);
    let in_form = |form: &String| find_as_written(form).or_else(|| find_as_written(&in_one_line(form)?));
    forms.iter().find_map(in_form).or(match completeness {
        Completeness::Complete => None,
        Completeness::TooDeep => Some(Credential::NestedTooDeep),
        Completeness::TooMuch => Some(Credential::TooLargeToScan),
    })
}

/// A text of several lines put into one, without the blanks and the marks by which a line goes on: whoever reads it puts a
/// token together that was cut at the end of a line.
fn in_one_line(text: &str) -> Option<String> {
    let goes_on = |mark: char| mark == '\\' || mark.is_whitespace();
    text.contains('\n').then(|| text.lines().map(|line| line.trim_end_matches(goes_on).trim_start()).collect())
}

/// The first credential of parts that belong together, such as the words of a command: in each part, and in what the
/// parts say when one is put behind the other, with a space and without.
pub fn find_in_parts<'a>(parts: impl Iterator<Item = &'a str>) -> Option<Credential> {
    let mut all: Vec<&str> = Vec::new();
    let mut bytes = 0_usize;
    for part in parts {
        bytes = bytes.saturating_add(part.len()).saturating_add(1);
        if bytes > PARTS_BYTES_MAX {
            return Some(Credential::TooLargeToScan);
        }
        all.push(part);
    }
    // No encoding reaches over a space but hexadecimal dumps, so that this looks into each part by itself as well.
    let spaced = find(&all.join(" "));
    if all.len() < 2 || spaced.is_some() {
        return spaced;
    }
    find(&all.concat()).or_else(|| find_split(&all, bytes))
}

/// The first credential that is split over a few neighbouring parts. What stands before it in [`find_in_parts`] without
/// spaces would make it a name that only looks like one.
fn find_split(parts: &[&str], bytes: usize) -> Option<Credential> {
    let mut neighbours = (2..=SPLIT_MAX).flat_map(|count| parts.windows(count)).map(<[&str]>::concat);
    if bytes > SPLIT_DECODED_BYTES_MAX {
        return neighbours.find_map(|text| find_as_written(&crate::decode::fold(&text)));
    }
    find(&neighbours.collect::<Vec<String>>().join(" "))
}

/// The first credential of a text as it is.
fn find_as_written(text: &str) -> Option<Credential> {
    TOKENS
        .iter()
        .find(|token| token.is_in(text))
        .map(|token| token.kind)
        .or_else(|| holds_private_key(text).then_some(Credential::PrivateKey))
        .or_else(|| holds_web_token(text).then_some(Credential::JsonWebToken))
}

/// What may stand before a token.
#[derive(Clone, Copy)]
enum Before {
    /// Anything: the prefix is long enough to mean nothing else.
    Anything,
    /// No letter and no digit.
    Boundary,
}

/// How the characters behind the prefix tell a key from a name.
#[derive(Clone, Copy)]
enum Behind {
    /// Upper-case letters and digits only, and as many as are asked for exactly.
    UpperExactly,
    /// Capitals, small letters and digits: two of the three.
    Mixed,
    /// The same within one piece between dashes, of at least so many characters, because names are made of words.
    MixedPiece(usize),
}

/// A token that has a prefix.
struct Token {
    kind: Credential,
    prefix: &'static str,
    before: Before,
    /// Characters of the token besides ASCII letters and digits.
    also: &'static [u8],
    least: usize,
    behind: Behind,
}

const fn token(kind: Credential, prefix: &'static str, also: &'static [u8], least: usize) -> Token {
    Token { kind, prefix, before: Before::Anything, also, least, behind: Behind::Mixed }
}

const fn bounded(kind: Credential, prefix: &'static str, also: &'static [u8], least: usize) -> Token {
    Token { before: Before::Boundary, ..token(kind, prefix, also, least) }
}

/// Prefixes and lengths are those that each vendor documents, or a little less where a vendor says that they may change.
const TOKENS: &[Token] = &[
    // Our own.
    token(Credential::OwnVault, "holdpoint_secret_", b"-_", 16),
    token(Credential::OwnVault, "memagen_secret_", b"-_", 16),
    // Anthropic: docs.anthropic.com, "API keys". OpenAI: platform.openai.com, "API keys"; others follow its `sk-`.
    Token { behind: Behind::MixedPiece(SHORT_PIECE_MIN), ..token(Credential::ApiKey, "sk-ant-", b"-_", 20) },
    Token { behind: Behind::MixedPiece(SHORT_PIECE_MIN), ..token(Credential::ApiKey, "sk-proj-", b"-_", 20) },
    Token { behind: Behind::MixedPiece(PIECE_MIN), ..bounded(Credential::ApiKey, "sk-", b"-_", 20) },
    // AWS: "IAM identifiers", unique ID prefixes; AKIA is a long-term and ASIA a temporary access key id.
    Token { behind: Behind::UpperExactly, ..bounded(Credential::AwsAccessKey, "AKIA", b"", 16) },
    Token { behind: Behind::UpperExactly, ..bounded(Credential::AwsAccessKey, "ASIA", b"", 16) },
    // GitHub: "About authentication to GitHub", token formats.
    bounded(Credential::GithubToken, "ghp_", b"", 36),
    bounded(Credential::GithubToken, "gho_", b"", 36),
    bounded(Credential::GithubToken, "ghu_", b"", 36),
    bounded(Credential::GithubToken, "ghs_", b"", 36),
    bounded(Credential::GithubToken, "ghr_", b"", 36),
    token(Credential::GithubToken, "github_pat_", b"_", 36),
    // GitLab: "GitLab token overview", token prefixes.
    token(Credential::GitlabToken, "glpat-", b"-_", 20),
    // Slack: "Token types", with the refresh tokens of "Token rotation".
    token(Credential::SlackToken, "xoxa-", b"-", 20),
    token(Credential::SlackToken, "xoxb-", b"-", 20),
    token(Credential::SlackToken, "xoxe-", b"-", 20),
    token(Credential::SlackToken, "xoxp-", b"-", 20),
    token(Credential::SlackToken, "xoxr-", b"-", 20),
    token(Credential::SlackToken, "xoxs-", b"-", 20),
    // Google Cloud: "Manage API keys".
    bounded(Credential::GoogleKey, "AIza", b"-_", 35),
    // Stripe: "API keys", live secret and restricted keys.
    token(Credential::StripeKey, "sk_live_", b"", 16),
    token(Credential::StripeKey, "rk_live_", b"", 16),
    // npm: "About access tokens", and the announcement of the token format in the GitHub blog.
    bounded(Credential::NpmToken, "npm_", b"", 36),
];

impl Token {
    fn is_in(&self, text: &str) -> bool {
        text.match_indices(self.prefix).any(|(start, _)| self.is_at(text.as_bytes(), start))
    }

    fn is_at(&self, text: &[u8], start: usize) -> bool {
        let before = start.checked_sub(1).and_then(|place| text.get(place));
        let free = match self.before {
            Before::Anything => true,
            Before::Boundary => !before.is_some_and(u8::is_ascii_alphanumeric),
        };
        let ahead = start.checked_sub(SIGNED_BY.len()).and_then(|from| text.get(from..start));
        let signs =
            self.kind == Credential::AwsAccessKey && ahead.is_some_and(|ahead| ahead.eq_ignore_ascii_case(SIGNED_BY));
        let key = text.get(start.saturating_add(self.prefix.len())..).unwrap_or(&[]);
        free && !signs
            && match self.behind {
                Behind::UpperExactly => {
                    let upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
                    key.get(..self.least).is_some_and(|key| key.iter().all(upper))
                        && !key.get(self.least).is_some_and(u8::is_ascii_alphanumeric)
                }
                Behind::Mixed => self.key(key, self.least).is_some_and(is_mixed),
                Behind::MixedPiece(piece_min) => {
                    // A key may begin with words, such as `api03-`, before the part that is random.
                    let longer = self.least.saturating_mul(3);
                    let key = self.key(key, longer).filter(|key| key.len() >= self.least);
                    let pieces = key.unwrap_or(&[]).split(|byte| self.also.contains(byte));
                    pieces.filter(|piece| piece.len() >= piece_min).any(is_mixed)
                }
            }
    }

    /// The characters of a key at the start, at least [`Token::least`] and at most so many.
    fn key<'a>(&self, text: &'a [u8], most: usize) -> Option<&'a [u8]> {
        let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || self.also.contains(byte);
        let count = text.iter().take(most).take_while(belongs).count();
        text.get(..count).filter(|key| key.len() >= self.least)
    }
}

fn is_mixed(key: &[u8]) -> bool {
    let classes = [u8::is_ascii_uppercase, u8::is_ascii_lowercase, u8::is_ascii_digit];
    classes.into_iter().filter(|class| key.iter().any(class)).count() >= 2
}

/// Whether there is the first line of an armoured private key: RFC 7468 and RFC 1421, OpenSSH, and RFC 9580 for OpenPGP.
/// Blanks, line breaks and missing dashes make it no less a key.
fn holds_private_key(text: &str) -> bool {
    text.match_indices("BEGIN").any(|(start, begin)| {
        let before = text.as_bytes().get(..start).unwrap_or(&[]);
        let behind = text.as_bytes().get(start.saturating_add(begin.len())..).unwrap_or(&[]);
        let mut rest = behind.iter().copied().take(ARMOUR_MAX).filter(|byte| !byte.is_ascii_whitespace()).peekable();
        let mut label = String::new();
        while let Some(byte) = rest.next_if(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) {
            label.push(char::from(byte));
        }
        let label = label.strip_suffix("BLOCK").unwrap_or(&label);
        label.ends_with("PRIVATEKEY")
            && dashes(before.iter().rev().copied().take(ARMOUR_MAX)) >= DASHES_MIN
            && dashes(rest) >= DASHES_MIN
    })
}

fn dashes(bytes: impl Iterator<Item = u8>) -> usize {
    bytes.filter(|byte| !byte.is_ascii_whitespace()).take_while(|byte| *byte == b'-').take(DASHES_MIN).count()
}

/// Whether there is a JSON Web Token: RFC 7519 and RFC 7515, compact serialization.
fn holds_web_token(text: &str) -> bool {
    let is_code = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '=');
    let mut parts = text.split(|character: char| character != '.' && !is_code(character));
    parts.any(|run| {
        let parts: Vec<&str> = run.split('.').collect();
        parts.windows(WEB_TOKEN_MIN.len()).any(|parts| {
            let long = parts.iter().zip(WEB_TOKEN_MIN).all(|(part, least)| part.len() >= least);
            long && parts.first().is_some_and(|header| is_web_token_header(header))
        })
    })
}

fn is_web_token_header(part: &str) -> bool {
    runs::base64(part).iter().any(|text| {
        let text = text.trim_end_matches(runs::BETWEEN_PIECES).trim_end();
        let object = text.find('{').and_then(|start| text.get(start..)).filter(|object| object.ends_with('}'));
        object.is_some_and(|object| object.contains("\"alg\""))
    })
}

#[cfg(test)]
#[path = "credential_tests.rs"]
mod tests;
