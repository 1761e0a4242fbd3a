//! Check that columns of discs can have been filled by two seats in turns.
//!
//! The search runs backward: it alternately removes discs until the board is empty. Only the
//! heights of the columns matter, so no combination of heights is tried twice.

use std::collections::BTreeSet;

use parlor_core::Seat;

/// Number of combinations of heights after which the search gives up.
const LIMIT: usize = 20_000;

/// Returns true if the seats can have filled the columns in turns, with the last disc on top of one
/// of the columns `last` and belonging to `mover`. Also returns true if the search gives up.
pub fn exists(columns: &[Vec<Seat>], mover: Seat, last: &[usize]) -> bool {
    let heights: Vec<usize> = columns.iter().map(Vec::len).collect();
    if heights.iter().all(|&height| height == 0) {
        return true;
    }
    let mut search = Unstacking {
        columns,
        heights,
        dead: BTreeSet::new(),
    };
    last.iter().any(|&column| search.take(column, mover))
}

struct Unstacking<'a> {
    columns: &'a [Vec<Seat>],
    heights: Vec<usize>,
    /// Combinations of heights from which the board cannot be emptied, four bits for each column.
    dead: BTreeSet<u64>,
}

impl Unstacking<'_> {
    /// Returns true if all columns can be emptied in turns, starting with the top disc of `column`,
    /// which belongs to `seat`.
    fn take(&mut self, column: usize, seat: Seat) -> bool {
        self.heights[column] -= 1;
        let done = self.rest(seat.next(2));
        self.heights[column] += 1;
        done
    }

    /// Returns true if all columns can be emptied in turns, starting with `seat`.
    fn rest(&mut self, seat: Seat) -> bool {
        if self.heights.iter().all(|&height| height == 0) || self.dead.len() >= LIMIT {
            return true;
        }
        let key = self
            .heights
            .iter()
            .fold(0, |key, &height| key << 4 | height as u64);
        if self.dead.contains(&key) {
            return false;
        }
        let owner = |below: usize, column: usize| {
            let height = self.heights[column].checked_sub(below)?;
            self.columns[column].get(height).copied()
        };
        let mut tops: Vec<usize> = (0..self.columns.len())
            .filter(|&column| owner(1, column) == Some(seat))
            .collect();
        // First discs that cover one of the other seat, then the highest column.
        tops.sort_by_key(|&column| {
            let uncovers = owner(2, column).is_some_and(|below| below != seat);
            (!uncovers, usize::MAX - self.heights[column])
        });
        if tops.into_iter().any(|column| self.take(column, seat)) {
            return true;
        }
        self.dead.insert(key);
        false
    }
}
