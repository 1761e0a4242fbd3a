//! Chance that follows from a seed.

use std::sync::{Arc, Mutex, PoisonError};

/// A source of chance; clones share its state.
#[derive(Clone, Debug)]
pub(super) struct Chance(Arc<Mutex<u64>>);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(Arc::new(Mutex::new(seed ^ 0x5eed)))
    }

    /// Returns a source of its own, so that what one part does leaves the others' chance alone.
    pub(super) fn fork(&self) -> Chance {
        Chance(Arc::new(Mutex::new(self.next())))
    }

    /// Returns the next 64 bits of SplitMix64 (Steele, Lea and Flood, 2014).
    pub(super) fn next(&self) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`.
    pub(super) fn below(&self, n: u64) -> u64 {
        self.next() % n
    }

    /// Fills a buffer with random bytes.
    pub(super) fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }
}
