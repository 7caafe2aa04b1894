//! Under which terms everything that is built may be used, and where it comes from.

use crate::metadata::graph;
use crate::tree::{Objections, root};
use std::fs;

/// Licences that ask for no more than a notice. `deny.toml` says the same.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Whether an SPDX expression can be met with these licences. A slash is how old manifests write `OR`.
fn is_met(expression: &str, licences: &[&str]) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader { words: &words, licences };
    let met = reader.any()?;
    match reader.words.first() {
        None => Ok(met),
        Some(word) => Err(format!("`{word}` stands where the expression should end")),
    }
}

struct Reader<'a> {
    words: &'a [&'a str],
    licences: &'a [&'a str],
}

impl Reader<'_> {
    /// `OR` binds weaker than `AND`, and `WITH` strongest.
    fn any(&mut self) -> Result<bool, String> {
        let mut met = self.all()?;
        while self.take("OR") {
            met |= self.all()?;
        }
        Ok(met)
    }

    fn all(&mut self) -> Result<bool, String> {
        let mut met = self.one()?;
        while self.take("AND") {
            met &= self.one()?;
        }
        Ok(met)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.take("(") {
            let met = self.any()?;
            return if self.take(")") { Ok(met) } else { Err("a parenthesis is not closed".into()) };
        }
        let licence = self.licence()?;
        let whole = if self.take("WITH") { format!("{licence} WITH {}", self.licence()?) } else { licence };
        Ok(self.licences.contains(&whole.as_str()))
    }

    fn licence(&mut self) -> Result<String, String> {
        let (word, rest) = self.words.split_first().ok_or("the expression ends too early")?;
        if matches!(*word, "(" | ")" | "OR" | "AND" | "WITH") {
            return Err(format!("`{word}` stands where a licence should"));
        }
        self.words = rest;
        Ok((*word).into())
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = self.words.first() == Some(&wanted);
        if found {
            self.words = self.words.get(1..).unwrap_or(&[]);
        }
        found
    }
}

#[test]
fn every_package_has_a_permissive_licence() {
    let mut objections = Objections::default();
    for package in graph().packages {
        let name = format!("{} {}", package.name, package.version);
        match package.licence.as_deref().map(|licence| (licence, is_met(licence, PERMISSIVE))) {
            Some((_, Ok(true))) => {}
            Some((licence, Ok(false))) => objections.to(&name, &format!("`{licence}` is not permissive")),
            Some((licence, Err(error))) => objections.to(&name, &format!("`{licence}`: {error}")),
            None => objections.to(&name, "names no licence"),
        }
    }
    objections.none_or("use another crate; a licence joins PERMISSIVE and deny.toml only after somebody has read it");
}

#[test]
fn every_package_comes_from_the_public_registry_or_this_repository() {
    let mut objections = Objections::default();
    for package in graph().packages {
        match package.source.as_deref() {
            Some(REGISTRY) => {}
            Some(other) => objections.to(&package.name, &format!("comes from {other}")),
            None if package.manifest.starts_with('/') => {
                objections.to(&package.name, &format!("lies outside the repository, at {}", package.manifest));
            }
            None => {}
        }
    }
    objections.none_or("a git revision or a foreign folder cannot be audited by version: use a published one");
}

#[test]
fn deny_toml_has_the_same_lists() {
    let text = fs::read_to_string(root().join("deny.toml")).unwrap();
    let (_, licences) = text.split_once("\nallow = [").expect("deny.toml has a list of licences");
    let (licences, rest) = licences.split_once(']').unwrap();
    let allowed: Vec<&str> = licences.split('"').skip(1).step_by(2).collect();
    assert_eq!(allowed, PERMISSIVE, "help: change deny.toml and PERMISSIVE together");
    for line in [
        "wildcards = \"deny\"",
        "unknown-registry = \"deny\"",
        "unknown-git = \"deny\"",
        "allow-git = []",
        "{ name = \"wasmtime\", wrappers = [\"holdpoint-runtime\"]",
    ] {
        assert!(rest.contains(line), "deny.toml: `{line}` is missing");
    }
    let registry = REGISTRY.trim_start_matches("registry+");
    assert!(rest.contains(&format!("allow-registry = [\"{registry}\"]")), "deny.toml: the registry is not {registry}");
}

#[test]
fn both_licences_are_in_the_repository() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap_or_default();
    assert!(read("LICENSE-APACHE").contains("Version 2.0, January 2004"), "LICENSE-APACHE is not the Apache licence");
    assert!(read("LICENSE-MIT").contains("The Holdpoint authors"), "LICENSE-MIT does not name the holder");
}

#[test]
fn a_licence_expression_is_met_as_spdx_says() {
    let mine = ["MIT", "Apache-2.0 WITH LLVM-exception", "Zlib"];
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT OR GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("GPL-3.0 OR MIT AND Zlib", true),
        ("MIT OR Zlib AND GPL-3.0", true),
        ("(MIT OR Zlib) AND GPL-3.0", false),
        ("(GPL-3.0 OR Zlib) AND MIT", true),
        ("Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("MIT WITH LLVM-exception", false),
        ("GPL-3.0/MIT", true),
        ("GPL-3.0 / AGPL-3.0", false),
    ] {
        assert_eq!(is_met(expression, &mine), Ok(expected), "{expression}");
    }
    for broken in ["", "MIT OR", "(MIT", "MIT)", "MIT Zlib", "WITH MIT", "AND", "MIT WITH OR"] {
        assert!(is_met(broken, &mine).is_err(), "{broken}");
    }
}
