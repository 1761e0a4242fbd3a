//! Decisions that no training learns from, to see how strong nets are.

use parlor_backgammon::{Board, Roll};
use parlor_core::below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::eval::Eval;
use super::games::{Player, any_roll};
use crate::Prng;

/// Decisions of games, with what each play is worth in the judgment of some nets that look one roll ahead.
///
/// It tells how far other nets are from those, so it is the more honest the stronger they are: best the house's own nets, for a
/// training that begins from nothing.
#[derive(Clone, Debug)]
pub struct HeldBack {
    decisions: Vec<Decision>,
}

#[derive(Clone, Debug)]
struct Decision {
    board: Board,
    /// The boards after the plays, seen from the other player, and what each is worth to who plays.
    plays: Vec<(Board, f32)>,
}

impl HeldBack {
    /// So many decisions of games of these nets against themselves, one in eight of those in which there is a choice.
    pub fn new(eval: &Eval, count: usize, seed: u64) -> HeldBack {
        let mut rng = Prng::seed_from_u64(seed);
        let mut player = Player::new(eval.clone(), true);
        let (mut decisions, mut results) = (Vec::with_capacity(count), Vec::new());
        let mut board = Board::START;
        while decisions.len() < count {
            let roll: Roll = any_roll(&mut rng);
            board.afterstates_into(roll.into(), &mut results);
            if results.len() > 1 && below(&mut rng, 8) == 0 {
                let plays = results
                    .iter()
                    .map(Board::swapped)
                    .map(|after| (after, -player.ahead(&after).equity()));
                decisions.push(Decision {
                    board,
                    plays: plays.collect(),
                });
            }
            board = player.best(&board, roll).0;
            if board.swapped().won().is_some() {
                board = Board::START;
            }
        }
        HeldBack { decisions }
    }

    /// What nets lose per decision, in points without a cube, and the standard error.
    pub fn loss(&self, eval: &Eval) -> (f64, f64) {
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

impl Decision {
    fn loss(&self, eval: &Eval) -> f32 {
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
