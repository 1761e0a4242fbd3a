//! Baseline player with a one-line evaluation.

use parlor_backgammon::{Board, Dice, Game, Move, Play};
use parlor_core::Position;

use crate::{Budget, Choice, Strategy};

/// Plays for pips, points and few blots. It does not look ahead, never doubles and takes every
/// double.
///
/// It plays about as well as a beginner, and every serious player must beat it.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreedyBackgammon;

impl GreedyBackgammon {
    /// Returns the play with the best immediate score.
    pub fn best(
        board: &Board,
        dice: Dice,
        results: &mut Vec<(Play, Board)>,
    ) -> Option<(Play, Board)> {
        board.results_into(dice, results);
        results
            .iter()
            .copied()
            .max_by(|(_, a), (_, b)| score(a).total_cmp(&score(b)))
    }
}

/// Scores the board after the player's own play.
fn score(board: &Board) -> f32 {
    let (mine, theirs) = (board.mover(), board.other());
    let blots = if board.is_race() {
        0
    } else {
        (mine.occupied() & !mine.made() & BOARD).count_ones()
    };
    let points = (mine.made() & HOME).count_ones();
    let race = f32::from(theirs.pips()) - f32::from(mine.pips());
    race * 0.15 + points as f32 * 1.2 - blots as f32
}

/// Bits of the points 1 to 24.
const BOARD: u32 = 0x01ff_fffe;
/// Bits of the points 1 to 8.
const HOME: u32 = 0x1fe;

impl Strategy<Game> for GreedyBackgammon {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &mut dyn Budget) -> Option<Choice<Move>> {
        let moves = game.legal_moves();
        let chosen = match game.dice() {
            Some(dice) => GreedyBackgammon::best(&game.board(), dice, &mut Vec::new())
                .map(|(play, _)| Move::Play(play)),
            None => [Move::Roll, Move::Take]
                .into_iter()
                .find(|m| moves.contains(m)),
        };
        chosen.map(Choice::new)
    }
}
