//! Seeing that one stone more completes a run.

use parlor_core::{Seat, Turn};
use parlor_tictactoe::mnk::{Cell, Field};

/// Right, down, down-right, down-left: row and column of one step.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Calls `found` with every empty cell where one stone more would complete a run of `seat` through its stone on `stone`.
pub(crate) fn completing_through<F: Field>(
    field: &F,
    seat: Seat,
    stone: Cell,
    mut found: impl FnMut(Cell),
) {
    let k = field.shape().k();
    for (down, right) in DIRECTIONS {
        let ahead = Ray::along(field, seat, stone, down, right);
        let behind = Ray::along(field, seat, stone, -down, -right);
        let run = 1 + ahead.run + behind.run;
        for ray in [ahead, behind] {
            if let Some(gap) = ray.gap
                && run + 1 + ray.beyond >= k
            {
                found(gap);
            }
        }
    }
}

/// What lies on one side of a stone: stones of the same seat, then perhaps an empty cell, then stones again.
struct Ray {
    run: u8,
    gap: Option<Cell>,
    beyond: u8,
}

impl Ray {
    #[inline]
    fn along<F: Field>(field: &F, seat: Seat, stone: Cell, down: i8, right: i8) -> Ray {
        let shape = field.shape();
        let step = |cell: Cell| {
            let next = Cell::new(
                cell.row.wrapping_add_signed(down),
                cell.column.wrapping_add_signed(right),
            );
            (next.row < shape.rows() && next.column < shape.columns()).then_some(next)
        };
        let own_from = |from: Cell| {
            let (mut at, mut length) = (step(from), 0);
            while let Some(cell) = at
                && field.at(cell) == Some(seat)
            {
                length += 1;
                at = step(cell);
            }
            (length, at)
        };
        let (run, end) = own_from(stone);
        let gap = end.filter(|&cell| field.at(cell).is_none());
        let beyond = gap.map_or(0, |gap| own_from(gap).0);
        Ray { run, gap, beyond }
    }
}

/// All empty cells where a stone of `seat` wins, row by row.
pub(crate) fn winning_cells<F: Field>(field: &F, seat: Seat) -> Vec<Cell> {
    let mut cells = Vec::new();
    each_cell(field, |cell| match field.at(cell) {
        Some(owner) if owner == seat => {
            completing_through(field, seat, cell, |gap| cells.push(gap))
        }
        None if field.shape().k() == 1 => cells.push(cell),
        _ => {}
    });
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Where the seat on turn has to play, if it does: where it wins, else where the next seat would win.
pub(crate) fn urgent<F: Field>(field: &F) -> Option<Urgent> {
    let Turn::Move(seat) = field.turn() else {
        return None;
    };
    let wins = winning_cells(field, seat);
    if !wins.is_empty() {
        return Some(Urgent::Win(wins));
    }
    let blocks = winning_cells(field, seat.next(field.shape().seats()));
    (!blocks.is_empty()).then_some(Urgent::Block(blocks))
}

/// Cells that cannot wait.
pub(crate) enum Urgent {
    /// A stone here wins.
    Win(Vec<Cell>),
    /// Without a stone here, the next seat wins.
    Block(Vec<Cell>),
}

/// The cells near a stone: within two rows and two columns.
pub(crate) struct Near {
    /// By row, one bit for each column; two of either are off the board on both sides.
    rows: [u32; 64],
}

impl Near {
    pub(crate) fn stones<F: Field>(field: &F) -> Near {
        let mut rows = [0; 64];
        each_cell(field, |cell| {
            if field.at(cell).is_some() {
                for row in &mut rows[usize::from(cell.row)..][..5] {
                    *row |= 0b11111 << cell.column;
                }
            }
        });
        Near { rows }
    }

    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.rows[usize::from(cell.row) + 2] >> (cell.column + 2) & 1 == 1
    }
}

/// The cell in the middle, or one next to it.
pub(crate) fn middle<F: Field>(field: &F) -> Cell {
    Cell::new(field.shape().rows() / 2, field.shape().columns() / 2)
}

pub(crate) fn each_cell<F: Field>(field: &F, mut f: impl FnMut(Cell)) {
    for row in 0..field.shape().rows() {
        for column in 0..field.shape().columns() {
            f(Cell::new(row, column));
        }
    }
}
