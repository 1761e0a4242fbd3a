//! Detection of threats: cells where one more stone completes a run.

use parlor_core::{Seat, Turn};
use parlor_tictactoe::mnk::{Cell, MnkPosition};

/// Right, down, down-right, down-left: row and column of one step.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Calls `found` with every empty cell where one more stone completes a run of `seat` through its
/// stone on `stone`.
pub(crate) fn completing_through<F: MnkPosition>(
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

/// Cells on one side of a stone: stones of the same seat, then possibly an empty cell, then stones
/// again.
struct Ray {
    run: u8,
    gap: Option<Cell>,
    beyond: u8,
}

impl Ray {
    #[inline]
    fn along<F: MnkPosition>(field: &F, seat: Seat, stone: Cell, down: i8, right: i8) -> Ray {
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

/// Returns all empty cells where a stone of `seat` wins, row by row.
pub(crate) fn winning_cells<F: MnkPosition>(field: &F, seat: Seat) -> Vec<Cell> {
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

/// Returns the cells where the seat on turn wins, or else those where the next seat would win.
pub(crate) fn urgent_cells<F: MnkPosition>(field: &F) -> Option<UrgentCells> {
    let Turn::Move(seat) = field.turn() else {
        return None;
    };
    let wins = winning_cells(field, seat);
    if !wins.is_empty() {
        return Some(UrgentCells::Win(wins));
    }
    let blocks = winning_cells(field, seat.next(field.shape().seats()));
    (!blocks.is_empty()).then_some(UrgentCells::Block(blocks))
}

/// Cells that must be played on.
pub(crate) enum UrgentCells {
    /// Cells where a stone wins.
    Win(Vec<Cell>),
    /// Cells where the next seat wins if they stay empty.
    Block(Vec<Cell>),
}

/// Cells near a stone: within two rows and two columns.
pub(crate) struct NearbyCells {
    /// Bit rows with a margin of two rows and columns off the board on each side.
    rows: [u32; 64],
}

impl NearbyCells {
    pub(crate) fn around_stones<F: MnkPosition>(field: &F) -> NearbyCells {
        let mut rows = [0; 64];
        each_cell(field, |cell| {
            if field.at(cell).is_some() {
                for row in &mut rows[usize::from(cell.row)..][..5] {
                    *row |= 0b11111 << cell.column;
                }
            }
        });
        NearbyCells { rows }
    }

    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.rows[usize::from(cell.row) + 2] >> (cell.column + 2) & 1 == 1
    }
}

/// Returns the middle cell, or one next to it.
pub(crate) fn center_cell<F: MnkPosition>(field: &F) -> Cell {
    Cell::new(field.shape().rows() / 2, field.shape().columns() / 2)
}

pub(crate) fn each_cell<F: MnkPosition>(field: &F, mut f: impl FnMut(Cell)) {
    for row in 0..field.shape().rows() {
        for column in 0..field.shape().columns() {
            f(Cell::new(row, column));
        }
    }
}
