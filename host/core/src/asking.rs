//! Asking: how strong a question is, and which channel can answer one so strong. A question that no channel can answer is
//! a denial.

use crate::verdict::Decision;
use crate::words::words;

words! {
    /// What whoever answers has to do. Ordered: the greatest is the strongest.
    Strength {
        /// One key, with no as the default.
        Keypress = "keypress",
        /// The name of the resource, typed.
        TypeName = "type-name",
        /// The operator's password.
        Password = "password",
    }
}

words! {
    /// A way to reach somebody who can answer, outside the call. What a host or a client shows of its own accord may be
    /// answered by a program, so it is never worth more than a key.
    Channel {
        /// Nobody.
        Nobody = "nobody",
        /// The prompt of the agent host.
        HostPrompt = "host-prompt",
        /// A question of the protocol to the client's user.
        Elicitation = "elicitation",
        /// A terminal of the operator.
        Terminal = "terminal",
        /// The operator's console.
        Console = "console",
    }
}

impl Channel {
    /// The strongest question that can be answered over it.
    pub fn greatest(self) -> Option<Strength> {
        match self {
            Channel::Nobody => None,
            Channel::HostPrompt | Channel::Elicitation => Some(Strength::Keypress),
            Channel::Terminal | Channel::Console => Some(Strength::Password),
        }
    }

    /// Whether a question of this strength can be answered over it.
    pub fn answers(self, strength: Strength) -> bool {
        self.greatest().is_some_and(|greatest| greatest >= strength)
    }
}

words! {
    /// What a rung says: a decision, and for a question how strong it is. Ordered: the greatest is the strictest.
    Answer { Allow = "allow", Ask = "ask", TypeName = "type-name", Password = "password", Deny = "deny" }
}

impl Answer {
    /// The decision.
    pub fn decision(self) -> Decision {
        match self {
            Answer::Allow => Decision::Allow,
            Answer::Ask | Answer::TypeName | Answer::Password => Decision::Ask,
            Answer::Deny => Decision::Deny,
        }
    }

    /// How strong the question is; of something that asks nothing, the least.
    pub fn strength(self) -> Strength {
        match self {
            Answer::Allow | Answer::Ask | Answer::Deny => Strength::Keypress,
            Answer::TypeName => Strength::TypeName,
            Answer::Password => Strength::Password,
        }
    }

    /// The plainest answer with this decision.
    pub fn plain(decision: Decision) -> Answer {
        match decision {
            Decision::Allow => Answer::Allow,
            Decision::Ask => Answer::Ask,
            Decision::Deny => Answer::Deny,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Word;

    #[test]
    fn what_a_host_shows_is_worth_a_key_and_no_more() {
        for channel in [Channel::HostPrompt, Channel::Elicitation] {
            assert!(channel.answers(Strength::Keypress));
            assert!(!channel.answers(Strength::TypeName) && !channel.answers(Strength::Password));
        }
        for strength in Strength::ALL {
            assert!(!Channel::Nobody.answers(*strength));
            assert!(Channel::Terminal.answers(*strength) && Channel::Console.answers(*strength));
        }
    }

    #[test]
    fn answers_are_ordered_by_decision_and_then_by_strength() {
        let keys: alloc::vec::Vec<_> = Answer::ALL.iter().map(|one| (one.decision(), one.strength())).collect();
        assert!(Answer::ALL.is_sorted());
        // A denial asks nothing, so only its decision counts.
        assert!(keys.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert!(Answer::Ask < Answer::TypeName && Answer::TypeName < Answer::Password);
        for decision in Decision::ALL {
            assert_eq!(Answer::plain(*decision).decision(), *decision);
        }
    }
}
