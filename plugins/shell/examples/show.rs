//! temp
#![allow(clippy::print_stdout, clippy::unwrap_used, unused, missing_docs)]
#[path = "../src/testing.rs"]
mod testing;
use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    for case in s.split("\n%%\n") {
        let case = case.trim_end_matches("\n%%\n");
        let r = if let Some(p) = case.strip_prefix("P ") {
            testing::program(&p.split('\u{b7}').collect::<Vec<_>>())
        } else {
            testing::bash(case)
        };
        println!(
            "=== {case}\n{}",
            testing::show(&holdpoint_plugin_shell::classify(&r))
        );
    }
}
