//! Playout policy for the rules that have no net.

use parlor_core::playout::Scratch;
use parlor_core::{Outcome, Position, Seat, Turn, random_below};
use parlor_tictactoe::ultimate::{Game, Move};

use super::state::{bits, completing};
use crate::{Policy, Prng};

/// Playout policy in which each player wins the game or a board if possible and usually blocks the
/// opponent; in the tree, a move that wins at once leaves no others.
#[derive(Clone, Copy, Debug, Default)]
pub struct UltimatePlayouts;

impl Policy<Game> for UltimatePlayouts {
    fn playout(
        &mut self,
        game: &mut Game,
        rng: &mut Prng,
        scratch: &mut Scratch<Game>,
    ) -> Option<Outcome> {
        loop {
            let seat = match game.turn() {
                Turn::Over(outcome) => return Some(outcome),
                Turn::Chance => return None,
                Turn::Move(seat) => seat,
            };
            let m = match forcing_move(game, seat, rng) {
                Some(m) => m,
                None => game.random_move(rng, &mut scratch.moves)?,
            };
            game.play_unchecked(&m);
        }
    }

    fn narrow(&mut self, game: &Game, moves: &mut Vec<Move>) {
        if let Some(win) = game.turn().seat().and_then(|seat| winning(game, seat)) {
            *moves = vec![win];
        }
    }
}

/// Returns the boards that may be played on and are undecided.
fn contested(game: &Game) -> u16 {
    game.playable() & !game.decided()
}

/// Returns the empty squares of a board that complete a line for a seat.
#[inline]
pub(super) fn lines(game: &Game, seat: Seat, board: usize) -> u16 {
    completing(game.marks(seat, board as u8)) & game.empty(board as u8)
}

/// Returns the lowest square of a set, as a move.
pub(super) fn first(board: usize, squares: u16) -> Option<Move> {
    Move::new(board as u8, squares.trailing_zeros() as u8).ok()
}

/// Returns a move that completes a line of boards.
pub(super) fn winning(game: &Game, seat: Seat) -> Option<Move> {
    let deciding = completing(game.won(seat)) & contested(game);
    bits(deciding).find_map(|board| first(board, lines(game, seat, board)))
}

/// Returns a move that wins the game or a board, or three times in four one that blocks the
/// opponent's line.
fn forcing_move(game: &Game, seat: Seat, rng: &mut Prng) -> Option<Move> {
    if let Some(win) = winning(game, seat) {
        return Some(win);
    }
    let boards = contested(game);
    let line_for =
        |seat: Seat| bits(boards).find_map(|board| first(board, lines(game, seat, board)));
    line_for(seat).or_else(|| {
        if random_below(rng, 4) != 0 {
            line_for(seat.next(2))
        } else {
            None
        }
    })
}
