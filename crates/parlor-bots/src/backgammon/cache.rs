//! Bounded cache of searched boards.

use std::hash::{Hash, Hasher};

use parlor_backgammon::Board;

use super::chances::Chances;
use super::stakes::ChanceWeights;

/// Key of a search: a board before the roll of its mover, the depth, and the weights of the mover
/// and the opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CacheKey {
    pub(super) board: Board,
    pub(super) plies: u32,
    pub(super) weights: [ChanceWeights; 2],
}

/// Number of slots: a quarter of a megabyte. A decision about a play at 2 plies adds slightly more
/// than a hundred entries, so the last dozen or so decisions are still there when a position comes
/// again, as when a game is analyzed step by step. Within one decision it saves one search in a
/// hundred.
///
/// Only searched boards are kept. Of the positions that the net evaluates in a decision at 2 plies,
/// 23 in 100 were evaluated before in the same decision (9 at 1 ply) and next to none in earlier
/// ones: caching them all would save a twentieth of the time at best, when each takes two thirds of
/// a microsecond.
const ROOM: usize = 1 << 11;

/// Direct-mapped cache: each entry has one slot, given by its board and depth, and a new entry
/// replaces the old one.
///
/// Whole keys are compared, so a result is never returned for another key.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchCache {
    /// Empty until the first entry.
    slots: Vec<Option<(CacheKey, Chances)>>,
}

impl SearchCache {
    pub(super) fn get(&self, question: &CacheKey) -> Option<Chances> {
        let (asked, chances) = self.slots.get(place(question))?.as_ref()?;
        (asked == question).then_some(*chances)
    }

    pub(super) fn put(&mut self, question: CacheKey, chances: Chances) {
        if self.slots.is_empty() {
            self.slots = vec![None; ROOM];
        }
        self.slots[place(&question)] = Some((question, chances));
    }

    /// Returns the size of the cache in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(self.slots.as_slice())
    }

    pub(super) fn clear(&mut self) {
        self.slots = Vec::new();
    }
}

/// Returns the slot of a key. The weights are left out of the hash: they seldom change.
fn place(question: &CacheKey) -> usize {
    let mut mix = MixHasher(u64::from(question.plies));
    question.board.hash(&mut mix);
    mix.finish() as usize & (ROOM - 1)
}

/// Fast hash, the same on every machine and in every run.
struct MixHasher(u64);

impl Hasher for MixHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, word: u64) {
        // An odd number without pattern: 2^64 divided by the golden ratio.
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        // The high bits depend on all input.
        self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use parlor_backgammon::Roll;

    use super::super::stakes::{EndingValues, Stakes};
    use super::*;

    fn questions() -> Vec<CacheKey> {
        let weights = EndingValues::new(Stakes::Money, 1, true).weights();
        let mut results = Vec::new();
        let mut questions = Vec::new();
        for roll in Roll::all() {
            Board::START.afterstates_into(roll.into(), &mut results);
            let boards = results.iter().map(|board| CacheKey {
                board: *board,
                plies: 1,
                weights: [weights; 2],
            });
            questions.extend(boards);
        }
        questions
    }

    fn answer(n: usize) -> Chances {
        Chances {
            win: n as f32,
            ..Chances::default()
        }
    }

    #[test]
    fn a_result_is_returned_for_its_own_key_only() {
        let mut cache = SearchCache::default();
        let question = questions()[0];
        assert_eq!(cache.get(&question), None);
        cache.put(question, answer(1));
        assert_eq!(cache.get(&question), Some(answer(1)));
        assert_eq!(
            cache.get(&CacheKey {
                plies: 2,
                ..question
            }),
            None
        );
        assert_eq!(
            cache.get(&CacheKey {
                board: question.board.swapped(),
                ..question
            }),
            None
        );
        let gammons_do_not_count = EndingValues::new(Stakes::Money, 1, false).weights();
        assert_eq!(
            cache.get(&CacheKey {
                weights: [gammons_do_not_count; 2],
                ..question
            }),
            None
        );
        cache.clear();
        assert_eq!(cache.get(&question), None);
    }

    #[test]
    fn boards_are_spread_over_the_slots() {
        let mut questions = questions();
        questions.sort_by_key(|question| question.board);
        questions.dedup();
        let mut places: Vec<usize> = questions.iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        assert!(
            places.len() > questions.len() * 8 / 10,
            "{} of {}",
            places.len(),
            questions.len()
        );
    }
}
