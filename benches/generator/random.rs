//! Repeatable pseudo-random numbers: splitmix64, a counter that is mixed well.

/// The odd constant nearest to 2^64 divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// One stream of numbers.
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream with this number under this seed.
    pub fn new(seed: u64, stream: usize) -> Self {
        let mut random = Self { state: seed };
        random.state = random.next() ^ (stream as u64).wrapping_mul(STEP).rotate_left(32);
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A whole number from 0 up to but not including `limit`, which must not be 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// One of the choices, which must not be empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// A number between the two, with all of a double's digits.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }
}
