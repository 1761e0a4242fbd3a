//! What was found out about boards, for as long as there is room.

use std::hash::{Hash, Hasher};

use parlor_backgammon::Board;

use super::chances::Chances;
use super::stakes::Weights;

/// What was looked at: a board before the roll of its mover, how many plies ahead, and what counted for the mover and for the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Question {
    pub(super) board: Board,
    pub(super) plies: u32,
    pub(super) weights: [Weights; 2],
}

/// How many answers there is room for: a quarter of a megabyte. A decision about a play at 2 plies adds a bit more than a hundred, so
/// the last dozen or so are there when a position comes again, as when a game is analysed step by step. Within one decision it saves a
/// look in a hundred.
///
/// Only what was looked ahead is kept. Of the positions that the net judges in a decision at 2 plies 23 in 100 were judged
/// before in the same decision (9 at 1 ply) and next to none in earlier ones: to remember them all would save a twentieth of the time
/// at best, when each takes two thirds of a microsecond.
const ROOM: usize = 1 << 11;

/// Questions and their answers, each in the one place that its board and plies lead to; a new one takes the place of an old one.
///
/// The whole question is kept, so an answer is never taken for that to another.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    /// None until there is a first answer.
    slots: Vec<Option<(Question, Chances)>>,
}

impl Cache {
    pub(super) fn get(&self, question: &Question) -> Option<Chances> {
        let (asked, chances) = self.slots.get(place(question))?.as_ref()?;
        (asked == question).then_some(*chances)
    }

    pub(super) fn put(&mut self, question: Question, chances: Chances) {
        if self.slots.is_empty() {
            self.slots = vec![None; ROOM];
        }
        self.slots[place(&question)] = Some((question, chances));
    }

    pub(super) fn clear(&mut self) {
        self.slots = Vec::new();
    }
}

/// Where a question has its place. What counts is left out: it seldom changes.
fn place(question: &Question) -> usize {
    let mut mix = Mix(u64::from(question.plies));
    question.board.hash(&mut mix);
    mix.finish() as usize & (ROOM - 1)
}

/// A quick hash, the same on every machine and in every run.
struct Mix(u64);

impl Hasher for Mix {
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
        // The high bits depend on everything.
        self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use parlor_backgammon::Roll;

    use super::super::stakes::{Ends, Stakes};
    use super::*;

    fn questions() -> Vec<Question> {
        let weights = Ends::at(Stakes::Money, 1, true).weights();
        let mut results = Vec::new();
        let mut questions = Vec::new();
        for roll in Roll::all() {
            Board::START.afterstates_into(roll.into(), &mut results);
            let boards = results.iter().map(|board| Question {
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
    fn an_answer_is_found_again_for_its_question_only() {
        let mut cache = Cache::default();
        let question = questions()[0];
        assert_eq!(cache.get(&question), None);
        cache.put(question, answer(1));
        assert_eq!(cache.get(&question), Some(answer(1)));
        assert_eq!(
            cache.get(&Question {
                plies: 2,
                ..question
            }),
            None
        );
        assert_eq!(
            cache.get(&Question {
                board: question.board.swapped(),
                ..question
            }),
            None
        );
        let gammons_do_not_count = Ends::at(Stakes::Money, 1, false).weights();
        assert_eq!(
            cache.get(&Question {
                weights: [gammons_do_not_count; 2],
                ..question
            }),
            None
        );
        cache.clear();
        assert_eq!(cache.get(&question), None);
    }

    #[test]
    fn boards_are_spread_over_the_room() {
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
