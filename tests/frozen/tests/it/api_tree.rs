//! The modules of a crate as its sources have them, and what a name in one of them stands for.

use crate::tree::root;
use quote::ToTokens;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, ItemMod, UseTree, Visibility};

/// Re-exports of re-exports that are followed. More is a circle.
const STEPS_MAX: usize = 8;

/// One module that is compiled into the crate.
pub(crate) struct Module {
    /// From the root of the crate, without the crate's name.
    pub(crate) path: Vec<String>,
    /// Whether every module on the way to it is public.
    pub(crate) is_public: bool,
    /// What stands in it outside of tests.
    pub(crate) items: Vec<Item>,
    /// What its `use` lines bring in: the name here, the path as it is written, and whether it is passed on.
    pub(crate) uses: Vec<Import>,
}

/// One name of a `use` line.
#[derive(Clone)]
pub(crate) struct Import {
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    pub(crate) is_public: bool,
    pub(crate) is_hidden: bool,
}

/// Every module of a crate, by path.
pub(crate) struct Tree {
    pub(crate) modules: BTreeMap<Vec<String>, Module>,
}

impl Tree {
    /// Reads the crate whose `lib.rs` lies in this folder of the repository.
    pub(crate) fn read(folder: &str) -> Tree {
        let folder = root().join(folder);
        let mut tree = Tree { modules: BTreeMap::new() };
        tree.grow(Vec::new(), &Visibility::Public(Default::default()), items_of(&folder.join("lib.rs")), &folder);
        tree
    }

    /// Reads a crate of one text, for the tests of this guard.
    #[cfg(test)]
    pub(crate) fn of_text(text: &str) -> Tree {
        let mut tree = Tree { modules: BTreeMap::new() };
        let items = syn::parse_file(text).unwrap().items;
        tree.grow(Vec::new(), &Visibility::Public(Default::default()), items, Path::new("."));
        tree
    }

    fn grow(&mut self, path: Vec<String>, visibility: &Visibility, items: Vec<Item>, folder: &Path) {
        let above = path.split_last().and_then(|(_, above)| self.modules.get(above));
        let is_public = matches!(visibility, Visibility::Public(_)) && above.is_none_or(|above| above.is_public);
        let items: Vec<Item> = items.into_iter().filter(|item| !is_test(attributes(item))).collect();
        let children: Vec<ItemMod> = items.iter().filter_map(module).cloned().collect();
        let uses = items.iter().flat_map(imports).collect();
        self.modules.insert(path.clone(), Module { path: path.clone(), is_public, items, uses });
        for child in children {
            let name = child.ident.to_string();
            let below = folder.join(&name);
            let items = match child.content {
                Some((_, items)) => items,
                None => items_of(&file_of(folder, &name)),
            };
            self.grow([path.clone(), vec![name]].concat(), &child.vis, items, &below);
        }
    }

    /// The path under which something is defined that a module knows by this path; `None` for what is not the crate's.
    pub(crate) fn resolve(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        self.resolve_within(module, path, STEPS_MAX)
    }

    fn resolve_within(&self, module: &[String], path: &[String], steps: usize) -> Option<Vec<String>> {
        let steps = steps.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" if rest.is_empty() => Some(Vec::new()),
            "crate" => self.resolve_within(&[], rest, steps),
            "self" => self.resolve_within(module, rest, steps),
            "super" => self.resolve_within(module.split_last()?.1, rest, steps),
            name => {
                let here = [module, std::slice::from_ref(first)].concat();
                if self.modules.contains_key(&here) {
                    let deeper = self.resolve_within(&here, rest, steps);
                    // What a macro makes in a module is not seen, so the path itself has to do.
                    return if rest.is_empty() { Some(here) } else { deeper.or_else(|| Some([&here, rest].concat())) };
                }
                let own = self.modules.get(module)?;
                if own.items.iter().any(|item| defines(item, name)) {
                    return Some([&here, rest].concat());
                }
                // A name that is brought in under itself from another crate is not the crate's.
                let import = own.uses.iter().find(|import| import.name == name && import.path != path)?;
                self.resolve_within(module, &[&import.path, rest].concat(), steps)
            }
        }
    }
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("{name}.rs"));
    if file.exists() { file } else { folder.join(name).join("mod.rs") }
}

fn items_of(file: &Path) -> Vec<Item> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())).items
}

fn module(item: &Item) -> Option<&ItemMod> {
    match item {
        Item::Mod(module) => Some(module),
        _ => None,
    }
}

/// Whether it is there in tests only.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    let test = |attribute: &Attribute| attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"));
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && test(attribute))
}

/// Whether the documentation leaves it out.
pub(crate) fn is_hidden(attributes: &[Attribute]) -> bool {
    let hidden = |attribute: &Attribute| attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("hidden"));
    attributes.iter().any(|attribute| attribute.path().is_ident("doc") && hidden(attribute))
}

pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        other => panic!("the guard does not know this kind of item yet: {}", other.to_token_stream()),
    }
}

fn defines(item: &Item, name: &str) -> bool {
    match item {
        Item::Const(item) => item.ident == name,
        Item::Enum(item) => item.ident == name,
        Item::Fn(item) => item.sig.ident == name,
        Item::Static(item) => item.ident == name,
        Item::Struct(item) => item.ident == name,
        Item::Trait(item) => item.ident == name,
        Item::Type(item) => item.ident == name,
        Item::Macro(item) => crate::api_lines::words(item).is_some_and(|words| words.name == name),
        _ => false,
    }
}

fn imports(item: &Item) -> Vec<Import> {
    let Item::Use(item) = item else { return Vec::new() };
    let is_public = matches!(item.vis, Visibility::Public(_));
    let mut found = Vec::new();
    leaves(&item.tree, &mut Vec::new(), &mut found);
    let import = |(name, path)| Import { name, path, is_public, is_hidden: is_hidden(&item.attrs) };
    found.into_iter().map(import).collect()
}

fn leaves(tree: &UseTree, above: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let leaf = |above: &[String], last: String| [above, &[last]].concat();
    match tree {
        UseTree::Path(path) => {
            above.push(path.ident.to_string());
            leaves(&path.tree, above, found);
            above.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            found.push((above.last().cloned().unwrap_or_default(), above.clone()));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), leaf(above, name.ident.to_string()))),
        UseTree::Rename(rename) => found.push((rename.rename.to_string(), leaf(above, rename.ident.to_string()))),
        // A glob passes on what nobody listed; the snapshot shows it as it is written.
        UseTree::Glob(_) => found.push(("*".into(), leaf(above, "*".into()))),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, above, found)),
    }
}
