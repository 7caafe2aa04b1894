//! Guests written as text, and what makes a vocabulary of them.

use crate::abi::{BASE, Image, image};
use crate::host::nothing;
use holdpoint_core::finding::Finding;
use holdpoint_runtime::{Manifest, Routes, SECTION};
use std::borrow::Cow;
use std::path::Path;
use wasm_encoder::{ComponentSection, CustomSection};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::{PackageId, Resolve};

/// The parts of a core module that keeps the contract; each test says only what it changes.
pub(crate) struct Guest<'a> {
    /// Pages of memory, as in the text format.
    pub(crate) memory: &'a str,
    /// Body of `cabi_realloc`.
    pub(crate) realloc: &'a str,
    /// Body of `classify`; `$request` is the address of the request.
    pub(crate) classify: &'a str,
    /// More fields of the module.
    pub(crate) fields: &'a str,
    /// What lies in memory from [`BASE`] on.
    pub(crate) data: &'a [u8],
}

/// Takes the next free bytes and never gives any back.
const BUMP: &str = "
    (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
    (global.set $next (i32.add (local.get $at) (local.get $bytes)))
    (local.get $at)";

impl Default for Guest<'_> {
    fn default() -> Self {
        Guest { memory: "32", realloc: BUMP, classify: "unreachable", fields: "", data: &[] }
    }
}

impl Guest<'_> {
    /// The module.
    pub(crate) fn module(&self) -> Vec<u8> {
        let data: String = self.data.iter().map(|byte| format!("\\{byte:02x}")).collect();
        let text = format!(
            "(module
                (memory (export \"memory\") {memory})
                (global $next (mut i32) (i32.const 0x80000))
                (func (export \"cabi_realloc\") (param $old i32) (param $old_bytes i32) (param $align i32)
                    (param $bytes i32) (result i32) {realloc})
                (func $classify (export \"holdpoint:vocabulary/classifier@0.1.0#classify\") (param $request i32)
                    (result i32) {classify})
                (data (i32.const {BASE}) \"{data}\")
                {fields})",
            memory = self.memory,
            realloc = self.realloc,
            classify = self.classify,
            fields = self.fields,
        );
        wat::parse_str(text).unwrap()
    }

    /// The module as a component of the contract, with a manifest.
    pub(crate) fn build(&self) -> Vec<u8> {
        let (resolve, package) = contract();
        with_manifest(component(self.module(), &resolve, package, None))
    }
}

/// A guest whose `classify` is this text.
pub(crate) fn guest(classify: &str) -> Vec<u8> {
    Guest { classify, ..Guest::default() }.build()
}

/// A guest that answers this whatever it is asked.
pub(crate) fn answering(finding: &Finding) -> Vec<u8> {
    let Image { bytes, root } = image(finding);
    Guest { classify: &format!("(i32.const {root})"), data: &bytes, ..Guest::default() }.build()
}

/// A guest that answers that nothing would be done.
pub(crate) fn good() -> Vec<u8> {
    answering(&nothing())
}

/// The contract as it stands in the repository.
pub(crate) fn contract() -> (Resolve, PackageId) {
    let mut resolve = Resolve::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/0.1.0");
    let (package, _) = resolve.push_dir(&folder).unwrap();
    (resolve, package)
}

/// The text of the contract's types and its one function, for contracts that differ from it.
pub(crate) fn contract_text() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/0.1.0");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    format!("package holdpoint:vocabulary@0.1.0;\n{}\n{}", text("types.wit"), text("classifier.wit"))
}

/// A component of a world from this text.
pub(crate) fn of_world(module: Vec<u8>, text: &str) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let package = resolve.push_str("other.wit", text).unwrap();
    with_manifest(component(module, &resolve, package, None))
}

fn component(mut module: Vec<u8>, resolve: &Resolve, package: PackageId, world: Option<&str>) -> Vec<u8> {
    let world = resolve.select_world(&[package], world).unwrap();
    embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8, false).unwrap();
    ComponentEncoder::default().module(&module).unwrap().encode().unwrap()
}

/// The component with a manifest behind it.
pub(crate) fn with_manifest(mut component: Vec<u8>) -> Vec<u8> {
    let json = manifest(u64::MAX).to_json();
    let section = CustomSection { name: Cow::Borrowed(SECTION), data: Cow::Borrowed(json.as_bytes()) };
    section.append_to_component(&mut component);
    component
}

/// A manifest that asks for this much fuel.
pub(crate) fn manifest(fuel: u64) -> Manifest {
    let text = format!(
        r#"{{"name":"test","version":"1.0.0","release":1,"summary":"A guest of the tests.",
            "contract":"{}","actions":["nothing none"],"routes":{{}},"limits":{{"fuel":{fuel}}}}}"#,
        holdpoint_signing::CONTRACT
    );
    let manifest = Manifest::of_json(text.as_bytes()).unwrap();
    assert_eq!(manifest.routes, Routes::default());
    manifest
}
