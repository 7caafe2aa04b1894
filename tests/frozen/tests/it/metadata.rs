//! What cargo says about the workspace.

use crate::tree::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// When a dependency is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Normal,
    Build,
    Dev,
}

/// A dependency as a manifest declares it.
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) features: Vec<String>,
}

/// A package.
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: Option<String>,
    /// `None` for a package that lies in a folder.
    pub(crate) source: Option<String>,
    /// Of the manifest, relative to the root if it lies there.
    pub(crate) manifest: String,
    pub(crate) dependencies: Vec<Dependency>,
}

/// Packages and what each of them needs, by id.
pub(crate) struct Graph {
    pub(crate) packages: Vec<Package>,
    edges: BTreeMap<String, Vec<(String, Vec<Kind>)>>,
}

/// The members of the workspace, as their manifests declare them.
pub(crate) fn members() -> Vec<Package> {
    packages(&cargo_metadata(&["--no-deps"]))
}

/// Everything that is built on any platform with any feature.
pub(crate) fn graph() -> Graph {
    let all = cargo_metadata(&["--all-features"]);
    let nodes = all["resolve"]["nodes"].as_array().unwrap();
    let edges = nodes.iter().map(|node| {
        let needs = node["deps"].as_array().unwrap().iter().map(|need| {
            let kinds = need["dep_kinds"].as_array().unwrap().iter().map(|kind| kind_of(&kind["kind"]));
            (text(&need["pkg"]), kinds.collect())
        });
        (text(&node["id"]), needs.collect())
    });
    Graph { packages: packages(&all), edges: edges.collect() }
}

impl Graph {
    /// The packages that a member needs: for itself in these ways, and they in turn to be built.
    pub(crate) fn closure(&self, member: &str, own: &[Kind]) -> BTreeSet<&str> {
        let start = self.packages.iter().find(|package| package.name == member && package.source.is_none());
        let start = start.unwrap_or_else(|| panic!("{member} is not a member of the workspace"));
        let mut seen = BTreeSet::new();
        let mut open = self.needs(&start.id, own);
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.needs(id, &[Kind::Normal, Kind::Build]));
            }
        }
        let inside = |package: &&Package| seen.contains(package.id.as_str());
        self.packages.iter().filter(inside).map(|package| package.name.as_str()).collect()
    }

    fn needs(&self, id: &str, kinds: &[Kind]) -> Vec<&str> {
        let needs = self.edges[id].iter();
        let wanted = needs.filter(|(_, ways)| ways.iter().any(|way| kinds.contains(way)));
        wanted.map(|(need, _)| need.as_str()).collect()
    }
}

fn packages(metadata: &Value) -> Vec<Package> {
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

fn package(value: &Value) -> Package {
    let root = format!("{}/", root().display());
    let manifest = text(&value["manifest_path"]);
    let dependencies = value["dependencies"].as_array().unwrap().iter().map(|dependency| Dependency {
        name: text(&dependency["name"]),
        kind: kind_of(&dependency["kind"]),
        features: dependency["features"].as_array().unwrap().iter().map(text).collect(),
    });
    Package {
        id: text(&value["id"]),
        name: text(&value["name"]),
        version: text(&value["version"]),
        licence: value["license"].as_str().map(Into::into),
        source: value["source"].as_str().map(Into::into),
        manifest: manifest.strip_prefix(&root).unwrap_or(&manifest).into(),
        dependencies: dependencies.collect(),
    }
}

fn kind_of(kind: &Value) -> Kind {
    match kind.as_str() {
        None => Kind::Normal,
        Some("build") => Kind::Build,
        Some("dev") => Kind::Dev,
        Some(other) => panic!("cargo knows a kind of dependency that this guard does not: {other}"),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().into()
}

/// Asks without the network first. Crates of other platforms may not be on this machine yet; then they are fetched.
fn cargo_metadata(flags: &[&str]) -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let ask = |more: &[&str]| {
        Command::new(&cargo)
            .args(["metadata", "--format-version", "1"])
            .args(flags)
            .args(more)
            .current_dir(root())
            .output()
            .unwrap()
    };
    let mut answer = ask(&["--offline"]);
    if !answer.status.success() {
        answer = ask(&[]);
    }
    assert!(answer.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&answer.stderr));
    serde_json::from_slice(&answer.stdout).unwrap()
}
