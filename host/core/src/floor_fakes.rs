//! Made-up answers in the place of rules of the floor, by which a test sees what the runner asks, in which order, and where
//! it stops. This exists in the core's own test build and in no other.

use crate::floor::Invariant;
use crate::verdict::{About, Reason, Rule};
use alloc::vec::Vec;
use core::cell::RefCell;

/// What a rule is made to say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Holds,
    Violated,
}

std::thread_local! {
    static ANSWERS: RefCell<Vec<(Invariant, Answer)>> = const { RefCell::new(Vec::new()) };
    static ASKED: RefCell<Vec<Invariant>> = const { RefCell::new(Vec::new()) };
}

/// The made-up answers of one test. The rules are themselves again once it is dropped.
pub(crate) struct Fakes;

impl Fakes {
    /// Puts these answers in the place of these rules.
    pub(crate) fn new(answers: &[(Invariant, Answer)]) -> Fakes {
        ANSWERS.set(answers.to_vec());
        Fakes
    }

    /// The rules with a made-up answer that were asked since the last time, in the order in which they were.
    pub(crate) fn asked(&self) -> Vec<Invariant> {
        ASKED.take()
    }
}

impl Drop for Fakes {
    fn drop(&mut self) {
        ANSWERS.take();
        ASKED.take();
    }
}

/// What a rule is made to say, where a test made something up for it.
pub(super) fn answer(invariant: Invariant) -> Option<Vec<Reason>> {
    let made_up = ANSWERS.with_borrow(|answers| answers.iter().find(|(fake, _)| *fake == invariant).copied());
    let (_, answer) = made_up?;
    ASKED.with_borrow_mut(|asked| asked.push(invariant));
    Some(match answer {
        Answer::Holds => Vec::new(),
        Answer::Violated => {
            let (rule, decision) = (Rule::Floor(invariant), invariant.decision());
            alloc::vec![Reason::new(rule, decision, About::Call, "made up".into())]
        }
    })
}
