//! Playouts for the variations that have no net.

use parlor_core::playout::Scratch;
use parlor_core::{Outcome, Position, Seat, Turn, below};
use parlor_tictactoe::ultimate::{Game, Move};

use super::state::{bits, completing};
use crate::{Policy, Prng};

/// Playouts in which everybody wins the game or a board when they can and mostly keeps the other from it, and a tree in which a
/// move that wins at once leaves no others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keen;

impl Policy<Game> for Keen {
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
            let m = match pressing(game, seat, rng) {
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

/// The boards that may be played on and are not won yet.
fn contested(game: &Game) -> u16 {
    game.playable() & !game.decided()
}

/// The empty squares of a board where a seat makes a line.
#[inline]
pub(super) fn lines(game: &Game, seat: Seat, board: usize) -> u16 {
    completing(game.marks(seat, board as u8)) & game.empty(board as u8)
}

/// The first square of a set, as a move.
pub(super) fn first(board: usize, squares: u16) -> Option<Move> {
    Move::new(board as u8, squares.trailing_zeros() as u8).ok()
}

/// A move that makes a line of boards.
pub(super) fn winning(game: &Game, seat: Seat) -> Option<Move> {
    let deciding = completing(game.won(seat)) & contested(game);
    bits(deciding).find_map(|board| first(board, lines(game, seat, board)))
}

/// A move that wins the game or a board, or three times in four one that stops the other's line.
fn pressing(game: &Game, seat: Seat, rng: &mut Prng) -> Option<Move> {
    if let Some(win) = winning(game, seat) {
        return Some(win);
    }
    let boards = contested(game);
    let of = |seat: Seat| bits(boards).find_map(|board| first(board, lines(game, seat, board)));
    of(seat).or_else(|| {
        if below(rng, 4) != 0 {
            of(seat.next(2))
        } else {
            None
        }
    })
}
