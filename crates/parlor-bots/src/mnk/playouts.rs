//! Playout policy for m,n,k games.

use parlor_core::playout::Scratch;
use parlor_core::{Outcome, Seat, Turn};
use parlor_tictactoe::mnk::{Cell, MAX_SEATS, MnkPosition};

use super::threats::{
    NearbyCells, UrgentCells, center_cell, completing_through, each_cell, urgent_cells,
};
use crate::{Policy, Prng};

/// Playout policy that completes a run if possible and blocks one if necessary, with a tree of only
/// the moves that matter.
///
/// In the tree, a move that wins at once or stops the next seat from winning leaves no others. On
/// boards of more than [`MnkPlayouts::WIDE`] cells, only cells within two steps of a stone are
/// searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct MnkPlayouts;

impl MnkPlayouts {
    /// Number of cells above which only cells near the stones are searched.
    pub const WIDE: u16 = 36;
}

/// For each seat, the last cell found where it wins.
type Threats = [Option<Cell>; MAX_SEATS as usize];

impl<F: MnkPosition> Policy<F> for MnkPlayouts {
    fn playout(
        &mut self,
        field: &mut F,
        rng: &mut Prng,
        scratch: &mut Scratch<F>,
    ) -> Option<Outcome> {
        let mut threats = Threats::default();
        each_cell(field, |cell| record_threats(field, cell, &mut threats));
        loop {
            let seat = match field.turn() {
                Turn::Over(outcome) => return Some(outcome),
                Turn::Chance => return None,
                Turn::Move(seat) => seat,
            };
            let m = match forcing_cell(field, seat, &threats) {
                Some(cell) => cell,
                None => field.random_move(rng, &mut scratch.moves)?,
            };
            field.play_unchecked(&m);
            record_threats(field, m, &mut threats);
        }
    }

    fn narrow(&mut self, field: &F, moves: &mut Vec<Cell>) {
        match urgent_cells(field) {
            Some(UrgentCells::Win(cells) | UrgentCells::Block(cells)) => *moves = cells,
            None if field.shape().cells() <= Self::WIDE => {}
            None if field.stones() == 0 => *moves = vec![center_cell(field)],
            None => {
                let near = NearbyCells::around_stones(field);
                moves.retain(|&cell| near.contains(cell));
            }
        }
    }
}

/// Records the threats through the stone on a cell.
#[inline]
fn record_threats<F: MnkPosition>(field: &F, cell: Cell, threats: &mut Threats) {
    if let Some(seat) = field.at(cell) {
        completing_through(field, seat, cell, |gap| threats[seat.index()] = Some(gap));
    }
}

/// Returns the seat's own winning cell, or else that of the seat that moves soonest.
#[inline]
fn forcing_cell<F: MnkPosition>(field: &F, seat: Seat, threats: &Threats) -> Option<Cell> {
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
