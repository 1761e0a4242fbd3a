//! Held-out decisions, on which no training learns, to measure the strength of nets.

use parlor_backgammon::{Board, Roll};
use parlor_core::random_below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::evaluator::BackgammonEvaluator;
use super::games::{BackgammonSelfPlayer, random_roll};
use crate::Prng;

/// Decisions from self-play, with the value of each play by nets that search one ply.
///
/// The measured loss is relative to those nets, so it is the more accurate the stronger they are:
/// use the built-in nets for a training from scratch.
#[derive(Clone, Debug)]
pub struct HeldOutSet {
    decisions: Vec<HeldOutDecision>,
}

#[derive(Clone, Debug)]
struct HeldOutDecision {
    board: Board,
    /// Boards after the plays, seen from the opponent, and the value of each to the player.
    plays: Vec<(Board, f32)>,
}

impl HeldOutSet {
    /// Collects `count` decisions from self-play of these nets: one in eight of those with a
    /// choice.
    pub fn new(eval: &BackgammonEvaluator, count: usize, seed: u64) -> HeldOutSet {
        let mut rng = Prng::seed_from_u64(seed);
        let mut player = BackgammonSelfPlayer::new(eval.clone(), true);
        let (mut decisions, mut results) = (Vec::with_capacity(count), Vec::new());
        let mut board = Board::START;
        while decisions.len() < count {
            let roll: Roll = random_roll(&mut rng);
            board.afterstates_into(roll.into(), &mut results);
            if results.len() > 1 && random_below(&mut rng, 8) == 0 {
                let plays = results
                    .iter()
                    .map(Board::swapped)
                    .map(|after| (after, -player.chances_one_ply(&after).equity()));
                decisions.push(HeldOutDecision {
                    board,
                    plays: plays.collect(),
                });
            }
            board = player.best(&board, roll).0;
            if board.swapped().won().is_some() {
                board = Board::START;
            }
        }
        HeldOutSet { decisions }
    }

    /// Returns the mean loss of nets per decision, in points without a cube, and the standard
    /// error.
    pub fn loss(&self, eval: &BackgammonEvaluator) -> (f64, f64) {
        let losses = self
            .decisions
            .iter()
            .map(|decision| f64::from(decision.loss(eval)));
        let (mut sum, mut squares) = (0.0, 0.0);
        losses.for_each(|loss| {
            sum += loss;
            squares += loss * loss;
        });
        let n = self.decisions.len().max(2) as f64;
        let mean = sum / n;
        (
            mean,
            ((squares / n - mean * mean).max(0.0) / (n - 1.0)).sqrt(),
        )
    }
}

impl HeldOutDecision {
    fn loss(&self, eval: &BackgammonEvaluator) -> f32 {
        let base = eval.base(&self.board.swapped());
        let judged = self
            .plays
            .iter()
            .map(|(after, worth)| (eval.chances_from(&base, after).equity(), *worth));
        let chosen = judged
            .min_by(|(a, _), (b, _)| a.total_cmp(b))
            .map_or(0.0, |(_, worth)| worth);
        let best = self
            .plays
            .iter()
            .map(|(_, worth)| *worth)
            .fold(f32::MIN, f32::max);
        best - chosen
    }
}
