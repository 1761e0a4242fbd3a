//! Reference implementation with lists of discs, which checks every line slot by slot.

use parlor_connect_four::{Board, Rules, Slot};
use parlor_core::{Outcome, Seat, Turn};

#[derive(Clone, Debug)]
pub struct Naive {
    pub rules: Rules,
    /// Owners of the discs of each column from the bottom, 0 or 1.
    pub columns: Vec<Vec<u8>>,
}

impl Naive {
    pub fn new(rules: Rules) -> Naive {
        Naive {
            rules,
            columns: vec![Vec::new(); usize::from(rules.columns())],
        }
    }

    /// Converts a board.
    pub fn from_board(board: &Board) -> Naive {
        let mut naive = Naive::new(board.rules());
        for column in 0..board.rules().columns() {
            for row in 0..board.height(column) {
                let disc = board
                    .at(Slot::new(column, row))
                    .expect("a disc below the height");
                naive.columns[usize::from(column)].push(disc.number());
            }
        }
        naive
    }

    pub fn discs(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    pub fn at(&self, column: i32, row: i32) -> Option<u8> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    /// Returns the columns that are not full, counted from 0.
    pub fn open(&self) -> Vec<u8> {
        let open =
            |column: &u8| self.columns[usize::from(*column)].len() < usize::from(self.rules.rows());
        (0..self.rules.columns()).filter(open).collect()
    }

    pub fn drop_disc(&mut self, column: u8) {
        let disc = (self.discs() % 2) as u8;
        self.columns[usize::from(column)].push(disc);
    }

    /// Returns all slots of lines of `k` or more discs of one owner, sorted.
    pub fn lines(&self) -> Vec<(i32, i32)> {
        let (columns, rows) = (
            i32::from(self.rules.columns()),
            i32::from(self.rules.rows()),
        );
        let mut slots = Vec::new();
        for (column, row) in (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r))) {
            let Some(owner) = self.at(column, row) else {
                continue;
            };
            for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let line: Vec<_> = (0..i32::from(self.rules.k()))
                    .map(|i| (column + i * right, row + i * up))
                    .collect();
                if line.iter().all(|&(c, r)| self.at(c, r) == Some(owner)) {
                    slots.extend(line);
                }
            }
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    pub fn turn(&self) -> Turn {
        let seat = |n: u8| Seat::new(n).expect("a seat of the game");
        match self.lines().first() {
            Some(&(column, row)) => {
                let owner = self.at(column, row).expect("a disc of a line");
                Turn::Over(Outcome::won(seat(owner)))
            }
            None if self.open().is_empty() => Turn::Over(Outcome::Draw),
            None => Turn::Move(seat((self.discs() % 2) as u8)),
        }
    }

    /// Counts the leaves of the game tree, checking every line in every position.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.turn().is_over() {
            return 0;
        }
        let children = self.open().into_iter().map(|column| {
            let mut child = self.clone();
            child.drop_disc(column);
            child.perft(depth - 1)
        });
        children.sum()
    }
}
