//! Published vectors for keys and signatures: what has to hold, and what a strict reader has to refuse.

use super::*;
use ed25519_dalek::Verifier as _;
use std::error::Error;

/// A signature with its key and message, all in hexadecimal digits.
struct Vector {
    key: &'static str,
    message: &'static str,
    signature: &'static str,
}

impl Vector {
    fn key(&self) -> Result<[u8; 32], hex::FromHexError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(self.key, &mut bytes)?;
        Ok(bytes)
    }

    fn signature(&self) -> Result<SignatureBytes, hex::FromHexError> {
        let mut bytes = [0; 64];
        hex::decode_to_slice(self.signature, &mut bytes)?;
        Ok(bytes)
    }

    /// Whether the key is accepted and the signature holds.
    fn holds(&self) -> Result<bool, Box<dyn Error>> {
        let (message, signature) = (hex::decode(self.message)?, self.signature()?);
        Ok(PublicKey::from_bytes(&self.key()?).is_ok_and(|key| key.verifies(&message, &signature)))
    }

    /// Whether RFC 8032's plain verification, which the vectors were made to split, lets it pass.
    fn holds_without_strictness(&self) -> Result<bool, Box<dyn Error>> {
        let (message, signature) = (hex::decode(self.message)?, Signature::from_bytes(&self.signature()?));
        Ok(VerifyingKey::from_bytes(&self.key()?)?.verify(&message, &signature).is_ok())
    }
}

/// RFC 8032, section 7.1, TEST 1 to 3.
const RFC_8032: [Vector; 3] = [
    Vector {
        key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        message: "",
        signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    },
    Vector {
        key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        message: "72",
        signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    },
    Vector {
        key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        message: "af82",
        signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    },
];

#[test]
fn the_signatures_of_rfc_8032_hold() -> Result<(), Box<dyn Error>> {
    for vector in RFC_8032 {
        assert!(vector.holds()?, "{}", vector.key);
    }
    Ok(())
}

#[test]
fn a_signature_of_rfc_8032_holds_for_its_own_key_and_message_only() -> Result<(), Box<dyn Error>> {
    for (i, key) in RFC_8032.iter().enumerate() {
        for (j, message) in RFC_8032.iter().enumerate() {
            for (k, signature) in RFC_8032.iter().enumerate() {
                let mixed = Vector { key: key.key, message: message.message, signature: signature.signature };
                assert_eq!(mixed.holds()?, i == j && j == k);
            }
        }
    }
    Ok(())
}

/// The vectors of "Taming the many EdDSAs" (novifinancial/ed25519-speccheck, `cases.json` at d2b2ba58), whole
/// and in order. Each passes one kind of verification and fails another; a strict reader refuses all of them.
///
/// | index | what is odd |
/// |---|---|
/// | 0, 1 | key and nonce point of small order |
/// | 2, 3 | key of small order |
/// | 4, 5 | key of mixed order, nonce point of small order |
/// | 6, 7, 8 | key of mixed order |
/// | 9, 10 | scalar not reduced: `S > L` |
/// | 11, 12 | nonce point not canonical |
/// | 13, 14 | key not canonical |
#[rustfmt::skip]
const SPECCHECK: [Vector; 15] = [
    Vector { key: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", message: "2a66241a42a9ee12994d8068dcf1bb7dfc6637b45450acd43711f637fa5080fc", signature: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000" },
    Vector { key: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", message: "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6", signature: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a0000000000000000000000000000000000000000000000000000000000000000" },
    Vector { key: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", message: "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41", signature: "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04" },
    Vector { key: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", message: "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79", signature: "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04" },
    Vector { key: "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43", message: "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41", signature: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa182ef1a5b928da07fec769cc8a12db6bcf70dab3f3227fa315e9d5e3e01a3405" },
    Vector { key: "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43", message: "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab", signature: "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e" },
    Vector { key: "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d", message: "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79", signature: "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009" },
    Vector { key: "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d", message: "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c", signature: "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09" },
    Vector { key: "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d", message: "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c", signature: "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405" },
    Vector { key: "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623", message: "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40", signature: "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514" },
    Vector { key: "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623", message: "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40", signature: "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa19427e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22" },
    Vector { key: "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43", message: "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41", signature: "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f" },
    Vector { key: "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43", message: "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41", signature: "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908" },
    Vector { key: "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", message: "e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b", signature: "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04" },
    Vector { key: "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", message: "39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f", signature: "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dca5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04" },
];

/// The key of these two vectors is sound, so it is the signature that has to be refused.
const SPECCHECK_WITH_SOUND_KEY: [usize; 2] = [9, 10];

#[test]
fn every_odd_signature_of_speccheck_is_refused() -> Result<(), Box<dyn Error>> {
    for (index, vector) in SPECCHECK.iter().enumerate() {
        assert!(!vector.holds()?, "vector {index}");
        let sound = PublicKey::from_bytes(&vector.key()?).is_ok();
        assert_eq!(sound, SPECCHECK_WITH_SOUND_KEY.contains(&index), "vector {index}");
    }
    Ok(())
}

#[test]
fn a_key_of_small_or_mixed_order_is_refused_although_plain_verification_lets_it_sign() -> Result<(), Box<dyn Error>> {
    let passes_plainly: Vec<usize> = SPECCHECK
        .iter()
        .enumerate()
        .filter_map(|(index, vector)| vector.holds_without_strictness().is_ok_and(|holds| holds).then_some(index))
        .collect();
    assert_eq!(passes_plainly, [1, 3, 5, 6, 14]);
    Ok(())
}

/// TEST 1 with the group order added to the scalar: the same signature in a second spelling.
const SCALAR_NOT_REDUCED: &str = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901554c8c7872aa064e049dbb3013fbf29380d25bf5f0595bbe24655141438e7a101b";

/// Made with the secret of TEST 1 for the empty message by taking zero for the nonce, so the nonce point is
/// the identity.
const NONCE_POINT_IS_IDENTITY: &str = "0100000000000000000000000000000000000000000000000000000000000000756cf9b1d6f0d7a979b9d2af3dc2bc1294ec7cb6daa20eaff534c024fc57920f";

#[test]
fn a_second_spelling_of_a_good_signature_is_refused() -> Result<(), Box<dyn Error>> {
    let [test_1, ..] = RFC_8032;
    assert!(!Vector { signature: SCALAR_NOT_REDUCED, ..test_1 }.holds()?);
    Ok(())
}

#[test]
fn a_signature_with_a_nonce_point_of_small_order_is_refused() -> Result<(), Box<dyn Error>> {
    let [test_1, ..] = RFC_8032;
    let vector = Vector { signature: NONCE_POINT_IS_IDENTITY, ..test_1 };
    assert!(vector.holds_without_strictness()?);
    assert!(!vector.holds()?);
    Ok(())
}

/// Every encoding of a y coordinate at or over the field prime `2^255 - 19`, with either sign of x.
#[test]
fn no_key_has_a_second_encoding() {
    for low in 0xed..=0xff {
        for high in [0x7f, 0xff] {
            let mut bytes = [0xff; 32];
            let [first, .., last] = &mut bytes;
            (*first, *last) = (low, high);
            assert!(PublicKey::from_bytes(&bytes).is_err(), "{low:x} {high:x}");
        }
    }
}

#[test]
fn a_key_has_one_text() -> Result<(), Box<dyn Error>> {
    let [test_1, ..] = RFC_8032;
    let text = "holdpoint-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    let key: PublicKey = text.parse()?;
    assert_eq!(key, PublicKey::from_bytes(&test_1.key()?)?);
    assert_eq!(key.to_string(), text);
    assert_eq!(key.id().to_string(), "21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9");
    for bad in [
        "",
        "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
        "holdpoint-ed25519:",
        "holdpoint-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        "holdpoint-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURp=",
        "holdpoint-ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
        "holdpoint-ed25519: 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
        "holdpoint-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n",
        "holdpoint-ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURoA",
        "holdpoint-ed25519-secret:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
        "HOLDPOINT-ED25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    ] {
        assert!(bad.parse::<PublicKey>().is_err(), "{bad:?}");
    }
    Ok(())
}
