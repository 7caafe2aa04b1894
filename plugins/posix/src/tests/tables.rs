//! The tables and vocabulary.toml agree.
