//! What is public of the core, of the store and of what plugin authors use, as a committed list.

use crate::api_lines::{impl_lines, is_public, lines, marks, text, words};
use crate::api_tree::{Import, Module, Tree};
use crate::expect::expect_file;
use crate::rust_text::tokens;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, ItemImpl};

/// The crates by name, with the folders of their sources.
const CRATES: &[(&str, &str)] =
    &[("holdpoint_core", "host/core/src"), ("holdpoint_store", "host/store/src"), ("holdpoint_guest", "guest-sdk/src")];

const MEANING: &str = "what others can reach changed. A new `pub` is an architecture change: somebody may build on it, and \
     nobody can take it back unseen. The commit says who needs it and why `pub(crate)` does not do; a line that went away \
     or reads differently breaks whoever uses it";

/// Definitions by where they stand, with the names under which the outside knows them.
type Names = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

fn api(krate: &str, tree: &Tree) -> BTreeSet<String> {
    let names = names(tree);
    let mut found = BTreeSet::new();
    for module in tree.modules.values() {
        found.extend(module_lines(krate, tree, module));
        for item in &module.items {
            match item {
                Item::Impl(item) => found.extend(implementation(krate, tree, &names, module, item)),
                Item::Use(_) | Item::Mod(_) | Item::ExternCrate(_) => {}
                item => {
                    let own = own_name(item).map(|own| [module.path.as_slice(), &[own]].concat());
                    let known = own.and_then(|own| public_name(krate, &names, &own));
                    found.extend(known.iter().flat_map(|name| lines(name, item)));
                    found.extend(macro_of(krate, module, item));
                }
            }
        }
    }
    found
}

/// What is said of a public module itself: that it is there, and what it passes on.
fn module_lines(krate: &str, tree: &Tree, module: &Module) -> Vec<String> {
    if !module.is_public {
        return Vec::new();
    }
    let children = module.items.iter().filter_map(|item| match item {
        Item::Mod(child) if is_public(&child.vis) => {
            let name = joined(krate, &[module.path.as_slice(), &[child.ident.to_string()]].concat());
            Some(format!("{name}: {}mod", marks(&child.attrs)))
        }
        _ => None,
    });
    let passed_on = module.uses.iter().filter(|import| import.is_public).map(|import| {
        let name = joined(krate, &[module.path.as_slice(), std::slice::from_ref(&import.name)].concat());
        let from = tree.resolve(&module.path, &import.path);
        let from = from.map_or_else(|| import.path.join("::"), |from| joined(krate, &from));
        format!("{name}: {}use {from}", if import.is_hidden { "#[doc(hidden)] " } else { "" })
    });
    children.chain(passed_on).collect()
}

/// Where every definition is known from outside.
fn names(tree: &Tree) -> Names {
    let mut names = Names::new();
    for module in tree.modules.values().filter(|module| module.is_public) {
        let within = |name: &str| [module.path.as_slice(), &[name.to_owned()]].concat();
        for own in module.items.iter().filter(|item| is_open(item)).filter_map(own_name) {
            names.entry(within(&own)).or_default().insert(within(&own));
        }
        let passed_on = |import: &&Import| import.is_public && import.name != "*";
        for import in module.uses.iter().filter(passed_on) {
            if let Some(from) = tree.resolve(&module.path, &import.path) {
                names.entry(from).or_default().insert(within(&import.name));
            }
        }
    }
    names
}

/// The name that a definition is listed under: where it stands, or else the first that passes it on.
fn public_name(krate: &str, names: &Names, path: &[String]) -> Option<String> {
    let known = names.get(path)?;
    let name = if known.contains(path) { path } else { known.first()? };
    Some(joined(krate, name))
}

fn joined(krate: &str, path: &[String]) -> String {
    std::iter::once(krate).chain(path.iter().map(String::as_str)).collect::<Vec<&str>>().join("::")
}

fn is_open(item: &Item) -> bool {
    match item {
        Item::Const(item) => is_public(&item.vis),
        Item::Enum(item) => is_public(&item.vis),
        Item::Fn(item) => is_public(&item.vis),
        Item::Static(item) => is_public(&item.vis),
        Item::Struct(item) => is_public(&item.vis),
        Item::Trait(item) => is_public(&item.vis),
        Item::Type(item) => is_public(&item.vis),
        // The macro makes its list public.
        Item::Macro(item) => words(item).is_some(),
        _ => false,
    }
}

fn own_name(item: &Item) -> Option<String> {
    match item {
        Item::Const(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Fn(item) => Some(item.sig.ident.to_string()),
        Item::Static(item) => Some(item.ident.to_string()),
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Trait(item) => Some(item.ident.to_string()),
        Item::Type(item) => Some(item.ident.to_string()),
        Item::Macro(item) => words(item).map(|words| words.name.to_string()),
        _ => None,
    }
}

/// A macro that is exported, which stands at the root wherever it is written, or one whose result is public and not seen.
fn macro_of(krate: &str, module: &Module, item: &Item) -> Vec<String> {
    let Item::Macro(own) = item else { return Vec::new() };
    let exported = own.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
    match &own.ident {
        Some(name) if exported => lines(&format!("{krate}::{name}!"), item),
        None if module.is_public && words(own).is_none() => {
            lines(&format!("{}::{}!", joined(krate, &module.path), text(&own.mac.path)), item)
        }
        _ => Vec::new(),
    }
}

/// An implementation counts if everything of ours that its head names is known from outside.
fn implementation(krate: &str, tree: &Tree, names: &Names, module: &Module, item: &ItemImpl) -> Vec<String> {
    let head = |piece: &dyn Fn() -> String| -> Vec<Vec<String>> {
        let own = tokens(&piece()).into_iter().filter_map(|token| tree.resolve(&module.path, &[token.text]));
        own.filter(|path| !tree.modules.contains_key(path)).collect()
    };
    let implemented = || item.trait_.as_ref().map(|(path, _)| path.to_token_stream().to_string()).unwrap_or_default();
    let to = || item.self_ty.to_token_stream().to_string();
    let ours = [head(&to), head(&implemented)].concat();
    let known: Option<Vec<String>> = ours.iter().map(|path| public_name(krate, names, path)).collect();
    known.and_then(|known| known.first().map(|name| impl_lines(name, item))).unwrap_or_default()
}

#[test]
fn what_is_public_is_what_the_list_says() {
    let all: BTreeSet<String> = CRATES.iter().flat_map(|(krate, folder)| api(krate, &Tree::read(folder))).collect();
    let all: Vec<String> = all.into_iter().collect();
    assert!(all.len() > 500, "only {} lines: the guard looks at the wrong place", all.len());
    let head = "# Everything that others can reach. Written by tests/frozen; read every changed line.\n";
    expect_file("public-api.txt", &format!("{head}{}\n", all.join("\n")), MEANING);
}

/// The lines of a crate of one text.
fn lines_of(source: &str) -> Vec<String> {
    api("k", &Tree::of_text(source)).into_iter().collect()
}

#[test]
fn what_nobody_outside_can_reach_is_not_listed() {
    let source = "mod m { pub struct A; pub fn f() {} impl A { pub fn g() {} } impl Clone for A {} }
        pub(crate) fn h() {} fn i() {} struct B { pub b: u8 } impl B { pub fn j() {} } impl From<B> for u8 {}
        #[cfg(test)] pub mod tests { pub fn k() {} } #[cfg(test)] pub fn l() {} use m::A; pub(crate) use m::f;";
    assert_eq!(lines_of(source), Vec::<String>::new());
}

#[test]
fn every_kind_of_item_has_its_line() {
    let source = "pub mod m { pub const C: u8 = 1; pub type T<X> = Vec<X>; pub trait R: Copy { const K: u8; fn f(&self); fn g() {} } }
        #[derive(Clone)] pub struct S { pub a: u8, b: u8 } pub struct P(pub u8, u8);
        impl S { pub fn n(mut self, x: &mut [u8],) -> Option<Self> where u8: Copy, { None } fn o() {} pub const D: S = S; }
        impl m::R for S {} pub enum E { A, B(u8), C { x: u8 } } words! { /// Doc.
        W { One = \"one\", /// Doc.
        Two = \"two\" } }";
    let expected = [
        "k::E: enum",
        "k::E::A at 0",
        "k::E::B(u8) at 1",
        "k::E::C { x: u8 } at 2",
        "k::P.0: u8",
        "k::P: struct, and private fields",
        "k::S.a: u8",
        "k::S: #[derive(Clone)] struct, and private fields",
        "k::S: impl m::R for S",
        "k::S::D: const S",
        "k::S::n: fn n(self, x: &mut [u8]) -> Option<Self> where u8: Copy",
        "k::W: words",
        "k::W::One = \"one\" at 0",
        "k::W::Two = \"two\" at 1",
        "k::m: mod",
        "k::m::C: const u8",
        "k::m::R: trait: Copy",
        "k::m::R::K: const u8",
        "k::m::R::f: fn f(&self)",
        "k::m::R::g: fn g(), provided",
        "k::m::T: type<X> = Vec<X>",
    ];
    assert_eq!(lines_of(source), expected);
}

#[test]
fn what_is_passed_on_is_listed_where_it_can_be_reached() {
    let source = "mod a { pub struct S { pub x: u8 } impl S { pub fn f() {} } pub struct T; } mod b { pub use crate::a::S; }
        pub mod c { pub use super::b::S as U; pub fn g() {} } pub use c::g; pub use std::fmt;
        #[doc(hidden)] pub use a::T; #[doc(hidden)] pub mod d {} #[macro_export] macro_rules! m { ($x:ident) => { 1 }; }";
    let expected = [
        "k::T: #[doc(hidden)] use k::a::T",
        "k::T: struct",
        "k::c: mod",
        "k::c::U.x: u8",
        "k::c::U: struct",
        "k::c::U: use k::a::S",
        "k::c::U::f: fn f()",
        "k::c::g: fn g()",
        "k::d: #[doc(hidden)] mod",
        "k::fmt: use std::fmt",
        "k::g: use k::c::g",
        "k::m!: #[macro_export] macro ($x: ident)",
    ];
    assert_eq!(lines_of(source), expected);
}
