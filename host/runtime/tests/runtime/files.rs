//! Files that are not the component they should be.

use crate::guest::manifest;
use crate::guest::{contract_text, good};
use crate::host::{Bytes, Host, LIMITS, action_of, ask, nothing};
use holdpoint_core::digest::Digest;
use holdpoint_core::ports::{Classifier, Failure};
use holdpoint_runtime::{
    Compiler, Limits, Manifest, ManifestError, ProofError, Sandbox, Vocabularies, Vocabulary, prove,
};

fn refused(component: &[u8], note: &str) {
    let (answer, degraded) = ask(component.to_vec());
    assert_eq!(answer, Err(Failure::Unavailable));
    assert!(matches!(degraded.as_slice(), [one] if one.contains(note)), "{degraded:?}");
}

#[test]
fn a_file_of_another_kind_is_refused() {
    let module = wat::parse_str("(module)").unwrap();
    refused(&module, "proof: a core module, not a component");
    refused(b"(component)", "the file does not start like one");
    refused(contract_text().as_bytes(), "the file does not start like one");
    refused(b"", "the file does not start like one");
    refused(b"\x7fELF\x02\x01\x01", "the file does not start like one");
    refused(&wat::parse_str("(component)").unwrap(), "it holds 0 core modules, not one");
}

#[test]
fn compiled_code_in_place_of_a_component_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let made = crate::host::vocabularies(folder.path(), LIMITS, Compiler::Here, &[good()]);
    made.load_all().unwrap();
    let entry = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    refused(&std::fs::read(entry).unwrap(), "the file does not start like one");
}

#[test]
fn a_component_that_is_cut_off_anywhere_is_refused() {
    let whole = good();
    assert!(prove(&whole, &Limits::DEFAULT).is_ok());
    // The header in full, then places that fall on every part of a section sooner or later.
    let lengths = (0..64).chain((64..whole.len()).step_by(5));
    for cut in lengths.map(|length| &whole[..length]) {
        // A component may end after any of its sections; then it lacks what comes behind, down to the manifest.
        if prove(cut, &Limits::DEFAULT).is_ok() {
            assert_eq!(Manifest::of_component(cut), Err(ManifestError::Count(0)));
        }
    }
    let cuts: Vec<Vec<u8>> = (0..whole.len()).step_by(101).map(|length| whole[..length].to_vec()).collect();
    let host = Host::new(&cuts);
    for guest in 0..cuts.len() {
        assert_eq!(host.ask(guest, &action_of("ls")), Err(Failure::Unavailable));
    }
    assert_eq!(host.vocabularies.degraded().len(), cuts.len());
}

#[test]
fn a_component_with_any_byte_changed_is_proved_or_refused() {
    let whole = good();
    let mut proved = Vec::new();
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= [0x01, 0x80, 0xff][place % 3];
        // Reading the manifest may fail, and nothing else.
        let _ = Manifest::of_component(&changed);
        if prove(&changed, &Limits::DEFAULT).is_ok() {
            proved.push(changed);
        }
    }
    assert!(!proved.is_empty());
    // What is still proved may answer anything. The host lives on, which it shows by asking the good guest.
    let sample: Vec<Vec<u8>> = proved.into_iter().step_by(41).collect();
    let host = Host::new(&sample);
    for guest in 0..sample.len() {
        let _ = host.ask(guest, &action_of("ls"));
    }
}

#[test]
fn bytes_behind_a_component_are_refused() {
    let mut component = good();
    component.extend(b"\x00");
    assert!(matches!(prove(&component, &Limits::DEFAULT), Err(ProofError::Invalid(_))));
    let mut twice = good();
    twice.extend(good());
    assert!(matches!(prove(&twice, &Limits::DEFAULT), Err(ProofError::Invalid(_))));
}

#[test]
fn a_component_over_its_size_is_refused_before_it_is_read() {
    let component = good();
    let limits = |component_bytes_max| Limits { component_bytes_max, ..Limits::DEFAULT };
    assert!(prove(&component, &limits(component.len())).is_ok());
    let over = ProofError::OverBound { what: "size in bytes", found: component.len(), most: component.len() - 1 };
    assert_eq!(prove(&component, &limits(component.len() - 1)), Err(over));
}

#[test]
fn another_file_than_the_installed_one_is_refused() {
    let vocabularies = |digest: Digest, bytes: Result<Vec<u8>, String>| {
        let vocabulary =
            Vocabulary { manifest: manifest(u64::MAX), digest, refused: None, source: Box::new(Bytes(bytes)) };
        Vocabularies::new(Sandbox::new(LIMITS).unwrap(), None, Compiler::Here, vec![vocabulary])
    };
    let other = vocabularies(Digest::of_file(b"another"), Ok(good()));
    assert_eq!(other.load_all(), Err(Failure::Unavailable));
    assert_eq!(other.degraded(), ["vocabulary test: component: the file has another digest than the one installed"]);
    let gone = vocabularies(Digest::of_file(b"another"), Err("the signature does not hold".into()));
    assert_eq!(gone.classify(0, &action_of("ls"), &[]), Err(Failure::Unavailable));
    assert_eq!(gone.degraded(), ["vocabulary test: component: the signature does not hold"]);
    let right = vocabularies(Digest::of_file(&good()), Ok(good()));
    assert_eq!(right.load_all(), Ok(()));
    assert_eq!(right.classify(0, &action_of("ls"), &[]), Ok(nothing()));
    assert_eq!(right.manifests().map(|(manifest, _)| manifest.name.as_str()).collect::<Vec<_>>(), ["test"]);
}

#[test]
fn a_failure_to_load_is_found_once_and_stays() {
    let vocabulary = Vocabulary {
        manifest: manifest(u64::MAX),
        digest: Digest::of_file(b"x"),
        refused: None,
        source: Box::new(Bytes(Ok(b"x".to_vec()))),
    };
    let vocabularies = Vocabularies::new(Sandbox::new(LIMITS).unwrap(), None, Compiler::Here, vec![vocabulary]);
    for _ in 0..3 {
        assert_eq!(vocabularies.classify(0, &action_of("ls"), &[]), Err(Failure::Unavailable));
    }
    assert_eq!(vocabularies.degraded().len(), 1);
}

#[test]
fn what_is_refused_is_not_asked_though_its_code_is_there() {
    let component = good();
    let vocabulary = Vocabulary {
        manifest: manifest(u64::MAX),
        digest: Digest::of_file(&component),
        refused: Some("the release was revoked".to_owned()),
        source: Box::new(Bytes(Ok(component))),
    };
    let vocabularies = Vocabularies::new(Sandbox::new(LIMITS).unwrap(), None, Compiler::Here, vec![vocabulary]);
    assert_eq!(vocabularies.classify(0, &action_of("ls"), &[]), Err(Failure::Unavailable));
    assert_eq!(vocabularies.degraded(), ["vocabulary test: refused: the release was revoked"]);
}
