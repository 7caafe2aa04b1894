//! Commands of each program, in both directions: what is dangerous is seen, what is common and safe has no doubt.
use super::{check, finding, is_harmless, render};

#[test]
fn x() {
    for line in include_str!("/tmp/probe.txt").lines().filter(|l| !l.is_empty()) {
        let words: Vec<&str> = line.split('\u{1f}').collect();
        println!("{:?} => {}", words, render(&finding(&words)));
    }
    let _ = (check, is_harmless);
}
