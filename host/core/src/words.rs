//! Closed lists of words and sets of them. A word has one spelling, shared by the contract, the audit record and the
//! command line. Order is meaning where the list says so, and then a test pins it.

use core::fmt;
use core::marker::PhantomData;

/// A closed list of words.
pub trait Word: Copy + Eq + 'static {
    /// Every value, in the order of the contract.
    const ALL: &'static [Self];
    /// The one spelling.
    fn as_str(self) -> &'static str;
    /// The place in [`Word::ALL`].
    fn ordinal(self) -> u32;
    /// The value that is spelled so.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.as_str() == word)
    }
}

/// Declares a closed list: the enum, its order and its spellings.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* #[doc = concat!("`", $word, "`")] $variant),+ }

        impl $crate::words::Word for $name {
            const ALL: &'static [$name] = &[$($name::$variant),+];
            fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
            fn ordinal(self) -> u32 {
                self as u32
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                formatter.write_str($crate::words::Word::as_str(*self))
            }
        }
    };
}
pub(crate) use words;

/// A set over a closed list of at most 32 words. Joined by union.
pub struct WordSet<T> {
    bits: u32,
    words: PhantomData<T>,
}

impl<T: Word> WordSet<T> {
    /// The set without members.
    pub const EMPTY: WordSet<T> = WordSet { bits: 0, words: PhantomData };

    /// The set of one word of the first 32, for constants.
    pub(crate) const fn one_at(ordinal: u32) -> WordSet<T> {
        WordSet { bits: 1 << ordinal, words: PhantomData }
    }

    /// The set of these words.
    pub fn of(words: &[T]) -> WordSet<T> {
        words.iter().fold(WordSet::EMPTY, |set, word| set.with(*word))
    }

    /// This set and one more word.
    pub fn with(self, word: T) -> WordSet<T> {
        WordSet { bits: self.bits | mask(word), words: PhantomData }
    }

    /// Everything that is in either set.
    pub fn union(self, other: WordSet<T>) -> WordSet<T> {
        WordSet { bits: self.bits | other.bits, words: PhantomData }
    }

    /// Whether the word is a member.
    pub fn contains(self, word: T) -> bool {
        self.bits & mask(word) != 0
    }

    /// Whether there is no member.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The members, in the order of the list.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::ALL.iter().copied().filter(move |word| self.contains(*word))
    }
}

fn mask<T: Word>(word: T) -> u32 {
    1_u32.checked_shl(word.ordinal()).unwrap_or(0)
}

impl<T: Word> Default for WordSet<T> {
    fn default() -> WordSet<T> {
        WordSet::EMPTY
    }
}

impl<T> Clone for WordSet<T> {
    fn clone(&self) -> WordSet<T> {
        *self
    }
}

impl<T> Copy for WordSet<T> {}

impl<T> PartialEq for WordSet<T> {
    fn eq(&self, other: &WordSet<T>) -> bool {
        self.bits == other.bits
    }
}

impl<T> Eq for WordSet<T> {}

impl<T> PartialOrd for WordSet<T> {
    fn partial_cmp(&self, other: &WordSet<T>) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for WordSet<T> {
    fn cmp(&self, other: &WordSet<T>) -> core::cmp::Ordering {
        self.bits.cmp(&other.bits)
    }
}

impl<T: Word + fmt::Debug> fmt::Debug for WordSet<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}
