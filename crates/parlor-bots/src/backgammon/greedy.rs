//! A player of one short formula, to measure others against.

use parlor_backgammon::{Board, Dice, Game, Move, Play};
use parlor_core::Position;

use crate::{Budget, Choice, Strategy};

/// Plays for pips, points and few blots, looks no further, never doubles and takes everything.
///
/// It is what a beginner does after an afternoon, and what every better player must beat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Greedy {
    /// The play that looks best at once.
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

/// What a board after one's own play looks like.
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

/// The points 1 to 24.
const BOARD: u32 = 0x01ff_fffe;
/// The points 1 to 8.
const HOME: u32 = 0x1fe;

impl Strategy<Game> for Greedy {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &mut dyn Budget) -> Option<Choice<Move>> {
        let moves = game.legal_moves();
        let chosen = match game.dice() {
            Some(dice) => {
                Greedy::best(&game.board(), dice, &mut Vec::new()).map(|(play, _)| Move::Play(play))
            }
            None => [Move::Roll, Move::Take]
                .into_iter()
                .find(|m| moves.contains(m)),
        };
        chosen.map(Choice::blind)
    }
}
