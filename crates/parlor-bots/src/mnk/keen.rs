//! What the tree search should know about m,n,k games.

use parlor_core::playout::Scratch;
use parlor_core::{Outcome, Seat, Turn};
use parlor_tictactoe::mnk::{Cell, Field, MAX_SEATS};

use super::threats::{Near, Urgent, completing_through, each_cell, middle, urgent};
use crate::{Policy, Prng};

/// Playouts that complete a run when they can and block one when they must, and a tree of moves that matter.
///
/// In the tree a move that wins at once, or stops the next seat from it, leaves no others. On boards of more than
/// [`Keen::WIDE`] cells, only cells within two steps of a stone are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keen;

impl Keen {
    /// Boards of more cells than this are looked at only near the stones.
    pub const WIDE: u16 = 36;
}

/// For each seat, the last seen cell where it wins.
type Threats = [Option<Cell>; MAX_SEATS as usize];

impl<F: Field> Policy<F> for Keen {
    fn playout(
        &mut self,
        field: &mut F,
        rng: &mut Prng,
        scratch: &mut Scratch<F>,
    ) -> Option<Outcome> {
        let mut threats = Threats::default();
        each_cell(field, |cell| see(field, cell, &mut threats));
        loop {
            let seat = match field.turn() {
                Turn::Over(outcome) => return Some(outcome),
                Turn::Chance => return None,
                Turn::Move(seat) => seat,
            };
            let m = match pressing(field, seat, &threats) {
                Some(cell) => cell,
                None => field.random_move(rng, &mut scratch.moves)?,
            };
            field.play_unchecked(&m);
            see(field, m, &mut threats);
        }
    }

    fn narrow(&mut self, field: &F, moves: &mut Vec<Cell>) {
        match urgent(field) {
            Some(Urgent::Win(cells) | Urgent::Block(cells)) => *moves = cells,
            None if field.shape().cells() <= Self::WIDE => {}
            None if field.stones() == 0 => *moves = vec![middle(field)],
            None => {
                let near = Near::stones(field);
                moves.retain(|&cell| near.contains(cell));
            }
        }
    }
}

/// Notes what the stone on a cell threatens.
#[inline]
fn see<F: Field>(field: &F, cell: Cell, threats: &mut Threats) {
    if let Some(seat) = field.at(cell) {
        completing_through(field, seat, cell, |gap| threats[seat.index()] = Some(gap));
    }
}

/// The own winning cell, else the one of the seat that moves soonest.
#[inline]
fn pressing<F: Field>(field: &F, seat: Seat, threats: &Threats) -> Option<Cell> {
    let seats = field.shape().seats();
    let mut next = seat;
    for _ in 0..seats {
        if let Some(cell) = threats[next.index()]
            && field.at(cell).is_none()
        {
            return Some(cell);
        }
        next = next.next(seats);
    }
    None
}
