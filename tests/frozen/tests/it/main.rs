//! Guards of the frozen core, in seconds and without wasmtime.
