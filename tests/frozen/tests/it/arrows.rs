//! Who may know whom, as DESIGN.md section 2 and `host/ARCHITECTURE.md` say it.

use crate::metadata::{Kind, Package, graph, members};
use crate::tree::Objections;
use std::collections::BTreeSet;

/// `(a, [b, ..])`: a uses each b, and none of our other crates. A crate that does not exist yet is passed over.
const ARROWS: &[(&str, &[&str])] = &[
    (
        "holdpoint-cli",
        &[
            "holdpoint-gateway",
            "holdpoint",
            "holdpoint-runtime",
            "holdpoint-adapters",
            "holdpoint-store",
            "holdpoint-signing",
            "holdpoint-policy",
            "holdpoint-core",
        ],
    ),
    ("holdpoint-gateway", &["holdpoint", "holdpoint-core"]),
    ("holdpoint", &["holdpoint-policy", "holdpoint-core"]),
    ("holdpoint-policy", &["holdpoint-core"]),
    ("holdpoint-runtime", &["holdpoint-signing", "holdpoint-core"]),
    ("holdpoint-adapters", &["holdpoint-core"]),
    ("holdpoint-store", &["holdpoint-core"]),
    ("holdpoint-core", &[]),
    ("holdpoint-signing", &[]),
    ("holdpoint-guest", &[]),
];
/// Every package with this prefix uses [`GUEST`] and nothing else of ours.
const PLUGIN: &str = "holdpoint-plugin-";
const GUEST: &str = "holdpoint-guest";
/// A package with this prefix may use anything, and nobody may use it.
const TESTS: &str = "holdpoint-tests-";

/// Every foreign crate that the core is made of, on any platform.
const CORE_CLOSURE: &[&str] = &[
    "block-buffer",
    "cfg-if",
    "cpufeatures",
    "crypto-common",
    "digest",
    "hybrid-array",
    "libc",
    "ryu-js",
    "sha2",
    "typenum",
];

const ARCHITECTURE: &str = "an arrow is an architecture change: take the dependency out, or change DESIGN.md section 2, \
     host/ARCHITECTURE.md and tests/frozen/tests/it/arrows.rs in a commit of their own";

fn allowed(member: &str) -> Option<BTreeSet<&'static str>> {
    if member.starts_with(PLUGIN) {
        return Some(BTreeSet::from([GUEST]));
    }
    let arrows = ARROWS.iter().find(|(from, _)| *from == member);
    arrows.map(|(_, to)| to.iter().copied().collect())
}

fn is_ours(name: &str) -> bool {
    name == "holdpoint" || name.starts_with("holdpoint-")
}

fn is_engine(name: &str) -> bool {
    name.starts_with("wasmtime") || name.starts_with("cranelift")
}

fn used<'a>(member: &'a Package, kinds: &[Kind]) -> BTreeSet<&'a str> {
    let ours = |name: &&str| is_ours(name) && *name != member.name;
    let wanted = member.dependencies.iter().filter(|dependency| kinds.contains(&dependency.kind));
    wanted.map(|dependency| dependency.name.as_str()).filter(ours).collect()
}

fn arrows(members: &[Package], objections: &mut Objections) {
    let exists: BTreeSet<&str> = members.iter().map(|member| member.name.as_str()).collect();
    for member in members.iter().filter(|member| !member.name.starts_with(TESTS)) {
        let Some(allowed) = allowed(&member.name) else {
            objections.to(&member.manifest, &format!("`{}` stands in no list of arrows", member.name));
            continue;
        };
        let allowed: BTreeSet<&str> = allowed.into_iter().filter(|name| exists.contains(name)).collect();
        for name in used(member, &[Kind::Normal, Kind::Build, Kind::Dev]).difference(&allowed) {
            objections.to(&member.manifest, &format!("`{}` may not use `{name}`", member.name));
        }
        for name in allowed.difference(&used(member, &[Kind::Normal])) {
            objections.to(&member.manifest, &format!("`{}` no longer uses `{name}`", member.name));
        }
    }
}

#[test]
fn the_arrows_between_crates_are_exactly_those_of_the_design() {
    let mut objections = Objections::default();
    arrows(&members(), &mut objections);
    objections.none_or(ARCHITECTURE);
}

#[test]
fn only_the_runtime_uses_wasmtime() {
    let mut objections = Objections::default();
    for member in members().iter().filter(|member| member.name != "holdpoint-runtime") {
        for dependency in member.dependencies.iter().filter(|dependency| is_engine(&dependency.name)) {
            objections.to(&member.manifest, &format!("`{}` uses `{}`", member.name, dependency.name));
        }
    }
    objections.none_or("reach the engine through holdpoint-runtime");
}

#[test]
fn neither_the_core_nor_its_tests_build_wasmtime() {
    let graph = graph();
    let mut objections = Objections::default();
    let every = [Kind::Normal, Kind::Build, Kind::Dev];
    for member in ["holdpoint-core", "holdpoint-tests-frozen", "holdpoint-store", "holdpoint-signing"] {
        for name in graph.closure(member, &every).into_iter().filter(|name| is_engine(name)) {
            objections.to(member, &format!("building it or its tests builds `{name}`"));
        }
    }
    objections.none_or("`cargo tree -p PACKAGE -i wasmtime` shows the way it comes in");
}

#[test]
fn the_core_is_made_of_exactly_the_listed_foreign_crates() {
    let graph = graph();
    let found = graph.closure("holdpoint-core", &[Kind::Normal, Kind::Build]);
    let listed: BTreeSet<&str> = CORE_CLOSURE.iter().copied().collect();
    let mut objections = Objections::default();
    for name in found.difference(&listed) {
        objections.to("host/core/Cargo.toml", &format!("the core is made of `{name}` too, which is not listed"));
    }
    for name in listed.difference(&found) {
        objections.to("host/core/Cargo.toml", &format!("the core no longer needs `{name}`, which is listed"));
    }
    objections.none_or("read what came in, then change CORE_CLOSURE in tests/frozen/tests/it/arrows.rs");
}

#[test]
fn only_the_command_line_can_sign() {
    let mut objections = Objections::default();
    for member in members().iter().filter(|member| member.name != "holdpoint-cli") {
        let signing = |kind: Kind| kind != Kind::Dev && !member.name.starts_with(TESTS);
        let enabled = member.dependencies.iter().filter(|dependency| {
            dependency.name == "holdpoint-signing"
                && signing(dependency.kind)
                && dependency.features.iter().any(|feature| feature == "sign")
        });
        for _ in enabled {
            objections.to(&member.manifest, &format!("`{}` enables `sign` of holdpoint-signing", member.name));
        }
    }
    objections.none_or("a host that decides only verifies; keys and signatures are made by the command line");
}

#[test]
fn an_arrow_that_is_not_in_the_list_is_seen() {
    let mut members = members();
    for member in &mut members {
        let dependency =
            crate::metadata::Dependency { name: "holdpoint-cli".into(), kind: Kind::Dev, features: Vec::new() };
        member.dependencies.push(dependency);
    }
    let mut objections = Objections::default();
    arrows(&members, &mut objections);
    let testers = members.iter().filter(|member| member.name.starts_with(TESTS)).count();
    // The command line itself is the only other member that does not object to being used by itself.
    assert_eq!(objections.count(), members.len() - testers - 1);
}
