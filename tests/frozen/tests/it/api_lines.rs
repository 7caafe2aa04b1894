//! What is public of one item, one line each, in the words of the source and with one way of spacing them.

use crate::api_tree::{is_hidden, is_test};
use crate::rust_text::tokens;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Fields, FnArg, Generics, Ident, ImplItem, Item, ItemImpl, ItemMacro, LitStr, Pat, Signature, Token,
    TraitItem, Variant, Visibility,
};

/// Attributes that change what a user of an item may do or is told.
const MARKS: &[&str] = &["derive", "must_use", "non_exhaustive", "deprecated", "cfg", "macro_export"];

/// A closed list as the core's macro `words!` declares it.
pub(crate) struct Words {
    pub(crate) name: Ident,
    list: Vec<(Ident, String)>,
}

impl Parse for Words {
    fn parse(input: ParseStream<'_>) -> syn::Result<Words> {
        Attribute::parse_outer(input)?;
        let name = input.parse()?;
        let inner;
        syn::braced!(inner in input);
        let word = |input: ParseStream<'_>| {
            Attribute::parse_outer(input)?;
            let variant: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            Ok((variant, input.parse::<LitStr>()?.value()))
        };
        let list = Punctuated::<_, Token![,]>::parse_terminated_with(&inner, word)?;
        Ok(Words { name, list: list.into_iter().collect() })
    }
}

/// The closed list that a macro declares, if it declares one.
pub(crate) fn words(item: &ItemMacro) -> Option<Words> {
    let read = || item.mac.parse_body().unwrap_or_else(|error| panic!("a list of `words!` cannot be read: {error}"));
    item.mac.path.is_ident("words").then(read)
}

/// What is public of an item that is called by this name. `None` for items that have lines of their own elsewhere.
pub(crate) fn lines(name: &str, item: &Item) -> Vec<String> {
    match item {
        Item::Const(item) => vec![format!("{name}: {}const {}", marks(&item.attrs), text(&item.ty))],
        Item::Static(item) => vec![format!("{name}: {}static {}", marks(&item.attrs), text(&item.ty))],
        Item::Type(item) => {
            let head = format!("{}type{}", marks(&item.attrs), generics(&item.generics));
            vec![format!("{name}: {head} = {}", text(&item.ty))]
        }
        Item::Fn(item) => vec![format!("{name}: {}{}", marks(&item.attrs), signature(&item.sig))],
        Item::Struct(item) => {
            let hides = item.fields.iter().any(|field| !is_public(&field.vis));
            let rest = if hides { ", and private fields" } else { "" };
            let head = format!("{name}: {}struct{}{rest}", marks(&item.attrs), generics(&item.generics));
            [vec![head], public_fields(name, &item.fields)].concat()
        }
        Item::Enum(item) => {
            let head = format!("{name}: {}enum{}", marks(&item.attrs), generics(&item.generics));
            let variants = item.variants.iter().enumerate();
            // The place is part of the line because a derived order and every set over a list are made of it.
            let line = |(place, variant)| format!("{name}::{} at {place}", variant_text(variant));
            std::iter::once(head).chain(variants.map(line)).collect()
        }
        Item::Trait(item) => {
            let above = if item.supertraits.is_empty() { String::new() } else { text(&item.supertraits) };
            let head = format!("{name}: {}trait{}: {above}", marks(&item.attrs), generics(&item.generics));
            let head = head.trim_end_matches(": ").to_owned();
            std::iter::once(head).chain(item.items.iter().map(|item| trait_line(name, item))).collect()
        }
        Item::Macro(item) => macro_lines(name, item),
        other => panic!("the guard does not know this kind of item yet: {}", other.to_token_stream()),
    }
}

fn macro_lines(name: &str, item: &ItemMacro) -> Vec<String> {
    if let Some(words) = words(item) {
        let variants = words.list.into_iter().enumerate();
        let word = |(place, (variant, word))| format!("{name}::{variant} = {word:?} at {place}");
        return std::iter::once(format!("{name}: words")).chain(variants.map(word)).collect();
    }
    if item.ident.is_none() {
        // What it makes is not seen, so the whole of it is the line.
        return vec![format!("{name}: {}", text(&item.mac))];
    }
    let rules = rules.parse2(item.mac.tokens.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    rules.iter().map(|rule| format!("{name}: {}macro {rule}", marks(&item.attrs))).collect()
}

/// The patterns of a macro, without what they become.
fn rules(input: ParseStream<'_>) -> syn::Result<Vec<String>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        found.push(one_group(input)?);
        input.parse::<Token![=>]>()?;
        one_group(input)?;
        input.parse::<Option<Token![;]>>()?;
    }
    Ok(found)
}

fn one_group(input: ParseStream<'_>) -> syn::Result<String> {
    input.step(|cursor| {
        let (group, rest) = cursor.token_tree().ok_or_else(|| cursor.error("a rule of a macro ends early"))?;
        Ok((text(&group), rest))
    })
}

/// What is public of an implementation: its methods, or that a trait is implemented.
pub(crate) fn impl_lines(name: &str, item: &ItemImpl) -> Vec<String> {
    let parameters = generics(&item.generics);
    if let Some((implemented, _)) = &item.trait_ {
        let types = item.items.iter().filter_map(|item| match item {
            ImplItem::Type(item) => Some(format!("{} = {}", item.ident, text(&item.ty))),
            _ => None,
        });
        let types: Vec<String> = types.collect();
        let with = if types.is_empty() { String::new() } else { format!(" with {}", types.join(", ")) };
        let to = text(&item.self_ty);
        return vec![format!("{name}: {}impl{parameters} {} for {to}{with}", marks(&item.attrs), text(implemented))];
    }
    let line = |item: &ImplItem| match item {
        ImplItem::Fn(item) if is_public(&item.vis) && !is_test(&item.attrs) => {
            Some(format!("{name}::{}: {}{}", item.sig.ident, marks(&item.attrs), signature(&item.sig)))
        }
        ImplItem::Const(item) if is_public(&item.vis) && !is_test(&item.attrs) => {
            Some(format!("{name}::{}: {}const {}", item.ident, marks(&item.attrs), text(&item.ty)))
        }
        _ => None,
    };
    // Two implementations may differ in what they hold for.
    let of =
        if parameters.is_empty() { String::new() } else { format!(" in impl{parameters} {}", text(&item.self_ty)) };
    item.items.iter().filter_map(line).map(|line| line + &of).collect()
}

fn trait_line(name: &str, item: &TraitItem) -> String {
    match item {
        TraitItem::Fn(item) => {
            let provided = if item.default.is_some() { ", provided" } else { "" };
            format!("{name}::{}: {}{}{provided}", item.sig.ident, marks(&item.attrs), signature(&item.sig))
        }
        TraitItem::Const(item) => {
            let provided = if item.default.is_some() { ", provided" } else { "" };
            format!("{name}::{}: {}const {}{provided}", item.ident, marks(&item.attrs), text(&item.ty))
        }
        TraitItem::Type(item) => format!("{name}::{}: {}", item.ident, text(item)),
        other => panic!("the guard does not know this part of a trait yet: {}", other.to_token_stream()),
    }
}

fn public_fields(name: &str, fields: &Fields) -> Vec<String> {
    let public = fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis));
    let line = |(place, field): (usize, &syn::Field)| {
        let own = field.ident.as_ref().map_or_else(|| place.to_string(), Ident::to_string);
        format!("{name}.{own}: {}{}", marks(&field.attrs), text(&field.ty))
    };
    public.map(line).collect()
}

fn variant_text(variant: &Variant) -> String {
    let field = |field: &syn::Field| {
        let name = field.ident.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        name + &text(&field.ty)
    };
    let fields: Vec<String> = variant.fields.iter().map(field).collect();
    let fields = match &variant.fields {
        Fields::Unit => String::new(),
        Fields::Named(_) => format!(" {{ {} }}", fields.join(", ")),
        Fields::Unnamed(_) => format!("({})", fields.join(", ")),
    };
    let value = variant.discriminant.as_ref().map(|(_, value)| format!(" = {}", text(value))).unwrap_or_default();
    format!("{}{fields}{value}{}", variant.ident, if is_hidden(&variant.attrs) { " #[doc(hidden)]" } else { "" })
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The attributes that count, each with a space behind.
pub(crate) fn marks(attributes: &[Attribute]) -> String {
    let counts = |attribute: &&Attribute| {
        MARKS.iter().any(|mark| attribute.path().is_ident(mark)) || is_hidden(std::slice::from_ref(*attribute))
    };
    attributes.iter().filter(counts).map(|attribute| text(attribute) + " ").collect()
}

/// Type parameters with their bounds.
fn generics(generics: &Generics) -> String {
    let mut own = generics.clone();
    own.params.pop_punct();
    let condition = own.where_clause.take().map(|clause| format!(" {}", text(&clause).trim_end_matches(',')));
    text(&own) + &condition.unwrap_or_default()
}

/// A signature, without the comma that a broken line leaves at its end and without what only its body sees.
fn signature(signature: &Signature) -> String {
    let mut own = signature.clone();
    own.inputs.pop_punct();
    for input in &mut own.inputs {
        match input {
            FnArg::Receiver(receiver) => receiver.mutability = None,
            FnArg::Typed(typed) => {
                if let Pat::Ident(name) = &mut *typed.pat {
                    name.mutability = None;
                }
            }
        }
    }
    own.generics.params.pop_punct();
    text(&own).trim_end_matches(',').to_owned()
}

/// The words of a piece of source with one way of spacing them.
pub(crate) fn text(piece: &impl ToTokens) -> String {
    let source = piece.to_token_stream().to_string();
    let mut spaced = String::new();
    let mut before = String::new();
    for token in joined(&source) {
        if !before.is_empty() && has_gap(&before, &token) {
            spaced.push(' ');
        }
        spaced.push_str(&token);
        before = token;
    }
    spaced
}

/// The tokens of a text, with signs of two characters as one.
fn joined(source: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for token in tokens(source) {
        match (found.last_mut(), token.text.as_str()) {
            (Some(last), ">") if last == "-" || last == "=" => last.push('>'),
            (Some(last), ":") if last == ":" => last.push(':'),
            _ => found.push(token.text),
        }
    }
    found
}

fn has_gap(before: &str, after: &str) -> bool {
    let is_word = |token: &str| token.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '_' | '\''));
    let is_closed = matches!(before, ")" | "]" | ">");
    match (before, after) {
        ("(" | "[" | "<" | "&" | "::" | "#" | "!" | "?" | "." | "$", _) => false,
        (_, "," | ";" | ":" | "::" | ")" | "]" | ">" | "?" | "." | "!") => false,
        ("mut" | "dyn" | "impl" | "for" | "in" | "as", _) => true,
        (lifetime, "(" | "[") if lifetime.starts_with('\'') => true,
        (_, "(" | "[" | "<") => !(is_closed || is_word(before)),
        _ => true,
    }
}
