//! The contract as wasmtime sees it. Generated; nothing outside `convert` and `classify` uses it.

wasmtime::component::bindgen!({
    path: "../../wit/0.1.0",
    world: "vocabulary",
});

pub(crate) use exports::holdpoint::vocabulary::types as wit;
