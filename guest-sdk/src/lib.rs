//! What a vocabulary author uses: the types of the contract, builders for findings and readers for requests.
//!
//! A plugin is a plain function `fn classify(&Request) -> Finding`, so it compiles natively and its unit tests run
//! without wasm. [`export_vocabulary!`] turns that function into a component on `wasm32`. This crate must never reach
//! for a clock, a file, randomness or any other import: the host refuses a component that has one.
//!
//! ```
//! use holdpoint_guest::{Action, Effect, Finding, Operation, Reason, Request, Segment, Span, Verb};
//!
//! fn classify(request: &Request) -> Finding {
//!     let Action::Program(invocation) = &request.action else {
//!         return Finding::doubtful(Reason::UnknownProgram, Span::WHOLE);
//!     };
//!     match invocation.argv.as_slice() {
//!         [_, path] if path.is_exact() => Finding::default().with_operation(
//!             Operation::new(Verb::Get, "show", Effect::None, Span::part(1, &path.text))
//!                 .on(Segment::file(&path.text)),
//!         ),
//!         _ => Finding::doubtful(Reason::UnknownOption, Span::WHOLE),
//!     }
//! }
//! holdpoint_guest::export_vocabulary!(classify);
//! # fn main() {}
//! ```

mod arena;
mod build;

pub use arena::JsonValue;
pub use bindings::exports::holdpoint::vocabulary::types::{
    Access, Action, Binding, Delegate, Doubt, Effect, Escapes, Fact, FactKind, FactQuery, Finding, Input, Invocation,
    JsonKind, JsonNode, JsonTree, Obligation, ObligationKind, Operation, Reason, Request, Scope, Segment, Slice,
    SourceText, Span, TargetKind, ToolCall, Traits, Verb, Word, WordKind, WorkingDir,
};
#[doc(hidden)]
pub use static_alloc;

#[doc(hidden)]
pub mod bindings {
    wit_bindgen::generate!({
        world: "vocabulary",
        path: "../wit/0.1.0",
        pub_export_macro: true,
        export_macro_name: "export_component",
        default_bindings_module: "holdpoint_guest::bindings",
        additional_derives: [PartialEq, Eq],
    });
}

/// Bytes of the region that one classification may allocate from. An instance lives for one call, so nothing is freed.
pub const REGION_BYTES: usize = 4 << 20;

/// Exports `fn classify(&Request) -> Finding` as the component's classifier. Does nothing on native targets.
///
/// It also installs an allocator over one fixed region: linear memory then never grows, and a fresh instance needs no
/// set-up. A classification that needs more than [`REGION_BYTES`] traps, which the host counts as unknown.
#[macro_export]
macro_rules! export_vocabulary {
    ($classify:ident) => {
        #[cfg(target_arch = "wasm32")]
        mod holdpoint_component {
            #[global_allocator]
            static REGION: $crate::static_alloc::Bump<[u8; $crate::REGION_BYTES]> =
                $crate::static_alloc::Bump::uninit();

            struct Vocabulary;

            impl $crate::bindings::exports::holdpoint::vocabulary::classifier::Guest for Vocabulary {
                fn classify(request: $crate::Request) -> $crate::Finding {
                    let classify: fn(&$crate::Request) -> $crate::Finding = super::$classify;
                    classify(&request)
                }
            }

            $crate::bindings::export_component!(Vocabulary with_types_in $crate::bindings);
        }
    };
}
