//! Cell-by-cell search for runs on any board, for code that is not performance-critical.

use super::{BoardShape, Cell};

/// Steps to the right, down, down-right and down-left.
const DIRECTIONS: [(i16, i16); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Returns all cells in straight runs of at least k cells that satisfy `own`, row by row.
pub fn cells_in_runs(shape: BoardShape, own: impl Fn(Cell) -> bool) -> Vec<Cell> {
    let on = |row: i16, column: i16| {
        let inside = (0..i16::from(shape.rows())).contains(&row)
            && (0..i16::from(shape.columns())).contains(&column);
        inside && own(Cell::new(row as u8, column as u8))
    };
    let mut found = Vec::new();
    for index in 0..usize::from(shape.cells()) {
        let cell = Cell::from_index(index, shape.columns());
        let (row, column) = (i16::from(cell.row), i16::from(cell.column));
        for (down, right) in DIRECTIONS {
            if !on(row, column) || on(row - down, column - right) {
                continue;
            }
            let length = (1..)
                .find(|i| !on(row + i * down, column + i * right))
                .expect("a board ends somewhere");
            if length >= i16::from(shape.k()) {
                found.extend(
                    (0..length)
                        .map(|i| Cell::new((row + i * down) as u8, (column + i * right) as u8)),
                );
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
