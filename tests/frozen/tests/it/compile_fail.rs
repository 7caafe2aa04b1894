//! What must not compile: a permission that is forged, copied, used twice or taken for more than it is.

use crate::tree::{Objections, root};
use std::fs;

/// Types of the core that hide their fields and grant nothing, each with its reason. Every other one has a case.
const GRANT_NOTHING: &[(&str, &str)] = &[
    ("AbsPath", "a place, and whoever names one is not let through for it"),
    ("Declared", "what a vocabulary may say; saying it only makes a judgement stricter"),
    ("DeclaredKey", "a short text, which anybody may make of any text"),
    ("Number", "a number that JSON can hold"),
    ("ResourcePattern", "names of resources, which pin or weigh them only where an operator wrote them"),
    ("WordSet", "a set of words, which anybody may make of any words"),
];

#[test]
fn permission_can_neither_be_forged_nor_repeated() {
    // TRYBUILD=overwrite rewrites the messages. Only the compiler's wording may change; a case that compiles is a hole.
    trybuild::TestCases::new().compile_fail("compile-fail/*.rs");
}

#[test]
fn every_type_of_the_core_that_hides_its_fields_has_a_case_or_grants_nothing() {
    let folder = root().join("tests/frozen");
    let messages = fs::read_dir(folder.join("compile-fail")).unwrap().map(|entry| entry.unwrap().path());
    let messages: Vec<String> = messages
        .filter(|path| path.extension().is_some_and(|extension| extension == "stderr"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let public = fs::read_to_string(folder.join("public-api.txt")).unwrap();
    let hiding = public.lines().filter(|line| line.starts_with("holdpoint_core::") && line.ends_with("private fields"));
    let names: Vec<&str> = hiding.filter_map(|line| line.split(": ").next()?.rsplit("::").next()).collect();
    assert!(names.contains(&"Committed"), "{names:?}");
    let mut objections = Objections::default();
    for name in &names {
        // The compiler names the type with its module or without, and shows the line of one whose fields have no names.
        let tried = |line: &str| {
            let named = [format!("`{name}`"), format!("::{name}`")].iter().any(|word| line.contains(word));
            (named && line.starts_with("error") && line.contains("private"))
                || line.contains(&format!("struct {name}("))
        };
        let is_tried = |message: &String| message.lines().any(tried);
        let listed = GRANT_NOTHING.iter().any(|(own, _)| own == name);
        match (messages.iter().any(is_tried), listed) {
            (false, false) => objections.to(name, "hides its fields, and no case tries to make one of them"),
            (true, true) => objections.to(name, "has a case, so it need not be listed"),
            _ => {}
        }
    }
    for (name, _) in GRANT_NOTHING.iter().filter(|(name, _)| !names.contains(name)) {
        objections.to(name, "is listed and hides nothing");
    }
    objections.none_or("add a file to tests/frozen/compile-fail, or list the type in compile_fail.rs with its reason");
}
