//! A small seeded source of numbers, the same on every machine. Must never be used for secrets.

/// SplitMix64: every seed is as good as any other.
#[derive(Clone, Debug)]
pub struct Seeded(u64);

impl Seeded {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Seeded {
        Seeded(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The next number below a bound, which must not be zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.number() % bound.max(1)
    }
}
