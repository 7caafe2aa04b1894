//! Every kind in every encoding, and what is no credential.

use super::*;
use crate::words::Word;
use alloc::borrow::ToOwned;
use alloc::format;
use proptest::prelude::*;

const ALNUM: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STANDARD: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Letters of a seed, in the manner of a linear congruential generator.
fn letters(seed: &mut u64, alphabet: &[u8], count: usize) -> String {
    let mut letter = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(alphabet[usize::try_from(*seed >> 33).unwrap().checked_rem(alphabet.len()).unwrap()])
    };
    (0..count).map(|_| letter()).collect()
}

fn base64(bytes: &[u8], alphabet: &[u8]) -> String {
    let group = |bytes: &[u8]| {
        let bits = (0..3).fold(0_usize, |bits, index| bits << 8 | usize::from(*bytes.get(index).unwrap_or(&0)));
        (0..=bytes.len())
            .map(|index| char::from(alphabet[bits >> 18_usize.saturating_sub(index.saturating_mul(6)) & 63]))
            .collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

/// One of each kind. Prefixes are put together here, so that no scanner takes this file for a leak.
fn samples(seed: &mut u64) -> Vec<(Credential, String)> {
    let mut with = |kind, prefix: &[&str], alphabet: &[u8], count| {
        (kind, format!("{}{}", prefix.concat(), letters(seed, alphabet, count)))
    };
    let mut samples = alloc::vec![
        with(Credential::OwnVault, &["holdpoint_", "secret_"], ALNUM, 22),
        with(Credential::OwnVault, &["memagen_", "secret_"], URL_SAFE, 43),
        with(Credential::ApiKey, &["s", "k-"], ALNUM, 20),
        with(Credential::ApiKey, &["s", "k-ant-api03-"], URL_SAFE, 95),
        with(Credential::ApiKey, &["s", "k-proj-"], URL_SAFE, 120),
        with(Credential::AwsAccessKey, &["AK", "IA"], UPPER, 16),
        with(Credential::AwsAccessKey, &["AS", "IA"], UPPER, 16),
        with(Credential::GithubToken, &["github_", "pat_"], ALNUM, 82),
        with(Credential::GitlabToken, &["gl", "pat-"], URL_SAFE, 20),
        with(Credential::GoogleKey, &["AI", "za"], URL_SAFE, 35),
        with(Credential::StripeKey, &["sk_", "live_"], ALNUM, 24),
        with(Credential::StripeKey, &["rk_", "live_"], ALNUM, 24),
        with(Credential::NpmToken, &["np", "m_"], ALNUM, 36),
    ];
    for prefix in ["ghp", "gho", "ghu", "ghs", "ghr"] {
        samples.push(with(Credential::GithubToken, &[prefix, "_"], ALNUM, 36));
    }
    for letter in ["a", "b", "e", "p", "r", "s"] {
        samples.push(with(Credential::SlackToken, &["xo", "x", letter, "-123456789012-"], ALNUM, 24));
    }
    for label in ["", "OPENSSH ", "ENCRYPTED ", "EC ", "RSA ", "DSA "] {
        samples.push((Credential::PrivateKey, format!("-----BEGIN {label}PRIVATE KEY-----")));
    }
    samples.push((Credential::PrivateKey, "-----BEGIN PGP PRIVATE KEY BLOCK-----".to_owned()));
    for header in ["{\"alg\":\"HS256\"}", "{ \"typ\": \"JWT\",\n \"alg\": \"RS256\" }"] {
        let header = base64(header.as_bytes(), URL_SAFE);
        let claims = base64(b"{\"sub\":\"1234567890\"}", URL_SAFE);
        samples.push((Credential::JsonWebToken, format!("{header}.{claims}.{}", letters(seed, URL_SAFE, 43))));
    }
    samples
}

fn each(text: &str, write: impl Fn(u8) -> String) -> String {
    text.bytes().map(write).collect()
}

fn homoglyph(text: &str) -> String {
    let twins =
        [('a', '\u{430}'), ('s', '\u{455}'), ('p', '\u{440}'), ('A', '\u{391}'), ('I', '\u{406}'), ('e', '\u{435}')];
    let mut twins = twins.into_iter().filter(|(letter, _)| text.contains(*letter));
    twins.next_back().map_or_else(|| text.to_owned(), |(letter, twin)| text.replacen(letter, &String::from(twin), 1))
}

type Encode = fn(&str) -> String;

const ENCODINGS: &[(&str, Encode)] = &[
    ("plain", |text| text.to_owned()),
    ("percent", |text| each(text, |byte| format!("%{byte:02x}"))),
    ("base64", |text| base64(text.as_bytes(), STANDARD)),
    ("base64url", |text| base64(text.as_bytes(), URL_SAFE)),
    ("base64 of UTF-16", |text| base64(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(), STANDARD)),
    ("base64 in lines", |text| {
        let code = base64(text.as_bytes(), STANDARD);
        let lines: Vec<&str> = code.as_bytes().chunks(19).map(|line| core::str::from_utf8(line).unwrap()).collect();
        lines.join("\n")
    }),
    ("hexadecimal", |text| each(text, |byte| format!("{byte:02x}"))),
    ("hexadecimal dump", |text| each(text, |byte| format!("{byte:02x} "))),
    ("backslash x", |text| each(text, |byte| format!("\\x{byte:02x}"))),
    ("backslash u", |text| text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect()),
    ("octal", |text| each(text, |byte| format!("\\{byte:03o}"))),
    ("entities", |text| text.chars().map(|letter| format!("&#{};", u32::from(letter))).collect()),
    ("entities in hexadecimal", |text| text.chars().map(|letter| format!("&#x{:x};", u32::from(letter))).collect()),
    ("zero width", |text| text.chars().flat_map(|letter| [letter, '\u{200b}']).collect()),
    ("combining", |text| text.chars().flat_map(|letter| [letter, '\u{301}']).collect()),
    ("tags", |text| {
        let tag = |letter: char| if letter.is_ascii() { 0xe0000 + u32::from(letter) } else { u32::from(letter) };
        text.chars().filter_map(|letter| char::from_u32(tag(letter))).collect()
    }),
    ("homoglyph", homoglyph),
    ("mathematical", |text| {
        let twin = |letter: char| match letter {
            'A'..='Z' => char::from_u32(0x1d400 + u32::from(letter) - 65).unwrap(),
            'a'..='z' => char::from_u32(0x1d41a + u32::from(letter) - 97).unwrap(),
            '0'..='9' => char::from_u32(0x1d7ce + u32::from(letter) - 48).unwrap(),
            other => other,
        };
        text.chars().map(twin).collect()
    }),
];

#[test]
fn every_kind_is_found_in_every_encoding_and_in_two_on_top_of_each_other() {
    let mut seed = 7;
    for (kind, secret) in samples(&mut seed) {
        for (inner_name, inner) in ENCODINGS {
            for (outer_name, outer) in ENCODINGS {
                let coded = inner(&secret);
                if *outer_name == "tags" && !coded.is_ascii() {
                    continue;
                }
                let text = format!("{} ({})", letters(&mut seed, b"abc def", 9), outer(&coded));
                assert_eq!(find(&text), Some(kind), "{inner_name} in {outer_name}: {secret}");
            }
        }
    }
}

#[test]
fn every_kind_is_sampled() {
    let samples = samples(&mut 1);
    for kind in Credential::ALL {
        let about_the_text = matches!(kind, Credential::NestedTooDeep | Credential::TooLargeToScan);
        assert!(about_the_text || samples.iter().any(|(sampled, _)| sampled == kind), "{kind}");
    }
}

#[test]
fn a_secret_within_a_binary_file_is_found() {
    let mut bytes: Vec<u8> = (0..200_u8).map(|byte| byte.wrapping_mul(167) | 0x80).collect();
    bytes.extend(samples(&mut 3)[5].1.as_bytes());
    bytes.extend((0..200_u8).map(|byte| byte.wrapping_mul(91) | 0x80));
    assert_eq!(find(&base64(&bytes, STANDARD)), Some(Credential::AwsAccessKey));
    let latin: Vec<u8> = [b"\xe9\xe8 ".as_slice(), samples(&mut 3)[5].1.as_bytes(), b"\xff\xe9"].concat();
    assert_eq!(find(&base64(&latin, STANDARD)), Some(Credential::AwsAccessKey));
}

#[test]
fn armour_is_found_with_blanks_and_dashes_missing_and_public_armour_is_not() {
    for text in [
        "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----",
        "--BEGIN PRIVATE KEY--",
        "-----BEGIN\nRSA PRIVATE\tKEY -----",
        "- - - - -BEGINRSAPRIVATEKEY- - -",
        "\u{2014}\u{2014}BEGIN PRIVATE KEY\u{2014}\u{2014}",
    ] {
        assert_eq!(find(text), Some(Credential::PrivateKey), "{text}");
    }
    for text in ["BEGIN PRIVATE KEY", "-----BEGIN PUBLIC KEY-----", "-----END PRIVATE KEY-----", "-BEGIN PRIVATE KEY-"]
    {
        assert_eq!(find(text), None, "{text}");
    }
}

#[test]
fn a_token_one_character_too_short_is_none() {
    for (prefix, count) in [("sk-", 19), ("AKIA", 15), ("ghp_", 35), ("glpat-", 19), ("AIza", 34), ("npm_", 35)] {
        let key = "A1B2C3D4E5F6G7H8J9K0L1M2N3P4Q5R6S7T8";
        let text = format!("{prefix}{}", &key.get(..count).unwrap());
        assert_eq!(find(&text), None, "{text}");
        let text = format!("{prefix}{}", &key.get(..=count).unwrap());
        assert!(find(&text).is_some(), "{text}");
    }
}

/// What ordinary work is full of.
const HARMLESS: &[&str] = &[
    "",
    "Please fix the failing test in the parser and open a pull request.",
    "git show da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "id 123e4567-e89b-12d3-a456-426614174000 and 550E8400-E29B-41D4-A716-446655440000",
    "pip install sk-learn scikit-learn",
    "sk-learn-contrib-documentation-index-of-everything",
    "sk-learn-v1-tutorial-for-beginners-2024",
    "task-list-of-something-that-is-long-enough-to-matter",
    "risk-a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8",
    "disk-550e8400e29b41d4a716446655440000 is mounted",
    "sk-SK is Slovak, and sk-SK-LukasNeural is a voice",
    "export OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "set ANTHROPIC_API_KEY to sk-ant-api03-your-key-goes-here",
    "an access key id starts with AKIA or ASIA",
    "AKIASHORT and AKIAlowercaseisnotakey1 and XAKIAABCDEFGHIJKLMNOP",
    "ASIA-PACIFIC-REGION-SALES-2024",
    "ghp_ is the prefix of GitHub tokens, ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx a placeholder",
    "github_pat_ and glpat- and xoxb- and AIza and npm_ are prefixes",
    "npm_config_registry=https://registry.npmjs.org npm_package_version=1.0.0",
    "glpat-your-token-goes-here-please",
    "xoxb-your-bot-token-goes-here-please",
    "sk_live_your_key_here and sk_test_51Habcdefghijklmnopqrstuv",
    "holdpoint_secret_store and holdpoint_secret_rotation_interval_seconds",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2\n-----END CERTIFICATE-----",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----",
    "-----BEGIN CERTIFICATE REQUEST-----",
    "if line.contains(\"PRIVATE KEY\") { return Err(Leak) }",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGl2ZXJ5b3JkaW5hcnlwdWJsaWNrZXk user@host",
    "VGhpcyBpcyBhbiBvcmRpbmFyeSBzZW50ZW5jZSBpbiBiYXNlNjQu",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "Authorization: Bearer ${TOKEN}",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "com.example.application.module.ClassNameWithManyParts.methodNameThatIsLong",
    "eyJ is how many tokens start; eyJhbGciOiJIUzI1NiJ9 alone is a header",
    "eyJmb28iOiJiYXIiLCJiYXoiOjF9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ",
    "fn main() { let mask = 0xdead_beef_u32; println!(\"{}\\n\", mask); }",
    "C:\\Users\\name\\AppData\\Local\\Temp\\new\\file.txt",
    "https://example.com/search?q=a%20b%2Fc&lang=sk-SK#section-2",
    "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "\u{417}\u{434}\u{440}\u{430}\u{432}\u{441}\u{442}\u{432}\u{443}\u{439}\u{442}\u{435}, \u{44d}\u{442}\u{43e} \u{442}\u{435}\u{43a}\u{441}\u{442}",
    "cargo build --release --target x86_64-unknown-linux-gnu -- -D warnings",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "feature/JIRA-1234-add-task-sk-to-the-list-of-known-languages",
];

#[test]
fn what_ordinary_work_is_full_of_is_no_credential() {
    for text in HARMLESS {
        assert_eq!(find(text), None, "{text}");
        assert_eq!(find(&base64(text.as_bytes(), STANDARD)), None, "{text}");
    }
    assert_eq!(find_in_parts(HARMLESS.iter().copied()), None);
}

#[test]
fn a_token_cut_at_the_ends_of_lines_is_found_and_lines_that_only_follow_each_other_are_none() {
    let token = "sk-proj-abcdefghijklmnop0123456789";
    for at in 1..token.len() {
        let (start, end) = token.split_at(at);
        for cut in ["\n", "\r\n", " \n\t", "\\\n", "\n\n"] {
            assert_eq!(find(&format!("key = {start}{cut}{end}\nmore")), Some(Credential::ApiKey), "{start}{cut}{end}");
        }
    }
    for text in ["prefix: sk-\nThe rest is secret.\n", "AKIA\nis what the ids of keys begin with\n", "- ghp_\n- gho_\n"]
    {
        assert_eq!(find(text), None, "{text}");
    }
}

#[test]
fn a_token_split_over_parts_is_found() {
    let mut seed = 11;
    for (kind, secret) in samples(&mut seed) {
        let (left, right) = secret.split_at(secret.len() / 3);
        let (middle, right) = right.split_at(right.len() / 2);
        let found = |parts: &[&str]| find_in_parts(parts.iter().copied());
        assert_eq!(found(&["echo", &secret, "-n"]), Some(kind), "{secret}");
        assert_eq!(found(&["echo", left, middle, right, "-n"]), Some(kind), "{secret}");
        let coded = base64(secret.as_bytes(), STANDARD);
        let (left, right) = coded.split_at(coded.len() / 2);
        assert_eq!(found(&["echo", left, right]), Some(kind), "{secret}");
    }
    assert_eq!(find_in_parts(core::iter::empty()), None);
}

#[test]
fn neighbours_of_parts_just_over_the_bound_are_read_as_they_are() {
    let secret = format!("s{}", "k-A1b2C3d4E5f6G7h8J9k0");
    let coded = base64(secret.as_bytes(), STANDARD);
    for (length, decoded) in [(SPLIT_DECODED_BYTES_MAX, true), (SPLIT_DECODED_BYTES_MAX + 1, false)] {
        for (text, found) in [(&secret, true), (&coded, decoded)] {
            let (left, right) = text.split_at(text.len() / 2);
            let long = ".".repeat(length - text.len() - "echo".len() - 4);
            let parts = [long.as_str(), "echo", left, right];
            assert_eq!(find_in_parts(parts.into_iter()), found.then_some(Credential::ApiKey), "{length} {text}");
        }
    }
}

#[test]
fn parts_just_over_the_bound_and_texts_that_nest_too_deep_are_told() {
    let longest = " ".repeat(PARTS_BYTES_MAX - 1);
    assert_eq!(find_in_parts([longest.as_str()].into_iter()), None);
    assert_eq!(find_in_parts([longest.as_str(), ""].into_iter()), Some(Credential::TooLargeToScan));
    let larger = " ".repeat(crate::decode::INPUT_BYTES_MAX + 1);
    assert_eq!(find(&larger), Some(Credential::TooLargeToScan));
    let mut nested = "an ordinary sentence without a secret".to_owned();
    for _ in 0..=crate::decode::DEPTH_MAX {
        nested = base64(nested.as_bytes(), STANDARD);
    }
    assert_eq!(find(&nested), Some(Credential::NestedTooDeep));
}

#[test]
fn hostile_texts_take_no_longer_than_their_length() {
    for piece in ["sk-", "AKIA", "----BEGIN ", "eyJhbGciOiJIUzI1NiJ9.", "ghp_", "A", "."] {
        let text = piece.repeat((1 << 20) / piece.len());
        assert!(find_as_written(&text).is_none_or(|kind| kind == Credential::JsonWebToken), "{piece}");
    }
}

proptest! {
    #[test]
    fn random_secrets_are_found_in_random_surroundings(
        mut seed in any::<u64>(), sample in any::<proptest::sample::Index>(), outer in 0..ENCODINGS.len(),
        inner in 0..ENCODINGS.len(), before in "[ -~\u{e9}\n]{0,30}[.(=:]", behind in "[.);][ -~\u{e9}\n]{0,30}",
    ) {
        let samples = samples(&mut seed);
        let (_, secret) = sample.get(&samples);
        let coded = (ENCODINGS[inner].1)(secret);
        prop_assume!(ENCODINGS[outer].0 != "tags" || coded.is_ascii());
        let text = format!("{before}{}{behind}", (ENCODINGS[outer].1)(&coded));
        prop_assert!(find(&text).is_some_and(|kind| kind < Credential::NestedTooDeep), "{}", text);
    }

    #[test]
    fn no_text_makes_it_fail(text in any::<String>(), parts in proptest::collection::vec("[\\PC\n\\\\%&]{0,40}", 0..6)) {
        let _ = find(&text);
        let _ = find_in_parts(parts.iter().map(String::as_str));
    }
}

#[test]
fn names_that_only_begin_like_a_key_and_ids_in_a_signature_are_none() {
    let id = ["ASIA", "Z7QXTP4WKD2NVB6M"].concat();
    for text in [
        alloc::format!("https://b.s3.amazonaws.com/k?X-Amz-Credential={id}%2F20261130%2Fus-east-1%2Fs3%2Faws4_request"),
        alloc::format!("Authorization: AWS4-HMAC-SHA256 Credential={id}/20261130/us-east-1/s3/aws4_request"),
        String::from("https://x.test/sk-hynix-DDR5-5600C46dimm16G.pdf"),
        String::from("i18n/sk-translations-2024Q1release.json"),
    ] {
        assert_eq!(find(&text), None, "{text}");
    }
    assert_eq!(find(&alloc::format!("key={id}")), Some(Credential::AwsAccessKey));
}
