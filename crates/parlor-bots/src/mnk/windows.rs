//! Board of the alpha-beta search: all windows of k cells in a line, counted incrementally.

use parlor_core::Turn;
use parlor_tictactoe::mnk::{BoardShape, Cell, MnkPosition};

/// Right, down, down-right, down-left: row and column of one step.
const DIRECTIONS: [(i16, i16); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Board of two seats with running counts. Cells are numbered row by row; seats are 0 and 1.
pub(super) struct Windows {
    shape: BoardShape,
    pub(super) k: usize,
    /// Cells of all windows: those of window w start at `w * k`.
    cells: Vec<u16>,
    /// Windows through cell c: `through[first[c]..first[c + 1]]`.
    through: Vec<u16>,
    first: Vec<u32>,
    /// Number of stones of each seat in each window.
    stones: Vec<[u8; 2]>,
    /// Exclusive or of the empty cells of each window: with one cell left, its number.
    rest: Vec<u16>,
    /// Number of windows with n stones of a seat and none of the other: `live[seat][n]`.
    live: [Vec<u32>; 2],
    /// Number of windows that each seat can still fill.
    pub(super) open: [u32; 2],
    /// For each seat and cell, the total value of its live windows there.
    weight: [Vec<i32>; 2],
    /// For each seat, the total value of its live windows.
    pub(super) sum: [i32; 2],
    /// Value of a live window by its number of stones.
    worth: Vec<i32>,
    owner: Vec<Option<u8>>,
    keys: [Vec<u64>; 2],
    pub(super) key: u64,
    pub(super) left: u16,
    pub(super) mover: usize,
}

impl Windows {
    /// Creates an empty board.
    pub(super) fn new(shape: BoardShape) -> Windows {
        let (k, count) = (usize::from(shape.k()), usize::from(shape.cells()));
        let cells = all_windows(shape);
        let windows = cells.len() / k;
        let (through, first) = by_cell(&cells, k, count);
        let rest = cells
            .chunks(k)
            .map(|window| window.iter().fold(0, |rest, cell| rest ^ cell))
            .collect();
        let mut live = vec![0; k + 1];
        live[0] = windows as u32;
        let worth: Vec<i32> = (0..=k)
            .map(|n| 6_i32.pow((n as u32 + 6).saturating_sub(k.max(6) as u32)))
            .collect();
        let mut weight = vec![0; count];
        for &cell in &cells {
            weight[usize::from(cell)] += worth[0];
        }
        let mut random = SplitMix(0x9E37_79B9_7F4A_7C15);
        Windows {
            shape,
            k,
            cells,
            through,
            first,
            stones: vec![[0; 2]; windows],
            rest,
            live: [live.clone(), live],
            open: [windows as u32; 2],
            weight: [weight.clone(), weight],
            sum: [worth[0] * windows as i32; 2],
            worth,
            owner: vec![None; count],
            keys: std::array::from_fn(|_| (0..count).map(|_| random.next()).collect()),
            key: 0,
            left: shape.cells(),
            mover: 0,
        }
    }

    /// Creates a board with the stones of a position that is not over.
    pub(super) fn from_position<F: MnkPosition>(field: &F) -> Windows {
        let mut windows = Windows::new(field.shape());
        for number in 0..usize::from(field.shape().cells()) {
            if let Some(seat) = field.at(windows.cell(number as u16)) {
                windows.mover = seat.index();
                windows.place(number as u16);
            }
        }
        if let Turn::Move(seat) = field.turn() {
            windows.mover = seat.index();
        }
        windows
    }

    pub(super) fn cell(&self, number: u16) -> Cell {
        Cell::from_index(usize::from(number), self.shape.columns())
    }

    pub(super) fn is_empty(&self, cell: u16) -> bool {
        self.owner[usize::from(cell)].is_none()
    }

    pub(super) fn count(&self) -> u16 {
        self.shape.cells()
    }

    /// Returns the number of live windows of a seat with `n` stones.
    #[inline]
    pub(super) fn live(&self, seat: usize, n: usize) -> u32 {
        self.live[seat][n]
    }

    /// Returns the importance of a cell; 0 if no run through it is possible for either seat.
    #[inline]
    pub(super) fn matters(&self, cell: u16, seat: usize) -> i32 {
        let (own, other) = (
            self.weight[seat][usize::from(cell)],
            self.weight[1 - seat][usize::from(cell)],
        );
        2 * own + other
    }

    /// Places a stone of the seat to move on an empty cell.
    pub(super) fn place(&mut self, cell: u16) {
        let (seat, other) = (self.mover, 1 - self.mover);
        for at in self.windows_through(cell) {
            let w = usize::from(self.through[at]);
            let [own, others] = [self.stones[w][seat], self.stones[w][other]].map(usize::from);
            if others == 0 {
                self.live[seat][own] -= 1;
                self.live[seat][own + 1] += 1;
                self.add_worth(seat, w, self.worth[own + 1] - self.worth[own]);
            }
            if own == 0 {
                self.live[other][others] -= 1;
                self.open[other] -= 1;
                self.add_worth(other, w, -self.worth[others]);
            }
            self.stones[w][seat] += 1;
            self.rest[w] ^= cell;
        }
        self.owner[usize::from(cell)] = Some(seat as u8);
        self.turn_over(cell, seat);
        self.left -= 1;
        self.mover = other;
    }

    /// Removes the stone that the other seat placed last, on `cell`.
    pub(super) fn unplace(&mut self, cell: u16) {
        let (seat, other) = (1 - self.mover, self.mover);
        for at in self.windows_through(cell) {
            let w = usize::from(self.through[at]);
            self.stones[w][seat] -= 1;
            self.rest[w] ^= cell;
            let [own, others] = [self.stones[w][seat], self.stones[w][other]].map(usize::from);
            if others == 0 {
                self.live[seat][own + 1] -= 1;
                self.live[seat][own] += 1;
                self.add_worth(seat, w, self.worth[own] - self.worth[own + 1]);
            }
            if own == 0 {
                self.live[other][others] += 1;
                self.open[other] += 1;
                self.add_worth(other, w, self.worth[others]);
            }
        }
        self.owner[usize::from(cell)] = None;
        self.turn_over(cell, seat);
        self.left += 1;
        self.mover = seat;
    }

    fn windows_through(&self, cell: u16) -> std::ops::Range<usize> {
        self.first[usize::from(cell)] as usize..self.first[usize::from(cell) + 1] as usize
    }

    #[inline]
    fn add_worth(&mut self, seat: usize, w: usize, worth: i32) {
        self.sum[seat] += worth;
        for &cell in &self.cells[w * self.k..(w + 1) * self.k] {
            self.weight[seat][usize::from(cell)] += worth;
        }
    }

    fn turn_over(&mut self, cell: u16, seat: usize) {
        self.key ^= self.keys[seat][usize::from(cell)];
    }

    /// Returns a cell that completes a run of a seat, and another one if there is one.
    pub(super) fn completing(&self, seat: usize) -> Option<(u16, Option<u16>)> {
        if self.live[seat][self.k - 1] == 0 {
            return None;
        }
        let mut cells = self.live_windows(seat, self.k - 1).map(|w| self.rest[w]);
        let one = cells.next()?;
        // With k = 1 no window has a stone, so all of them complete a run.
        Some((one, cells.find(|&cell| cell != one)))
    }

    /// Iterates over the live windows of a seat with `n` stones.
    pub(super) fn live_windows(&self, seat: usize, n: usize) -> impl Iterator<Item = usize> {
        let wanted = if seat == 0 {
            [n as u8, 0]
        } else {
            [0, n as u8]
        };
        self.stones
            .iter()
            .enumerate()
            .filter(move |(_, stones)| **stones == wanted)
            .map(|(w, _)| w)
    }

    /// Iterates over the empty cells of a window.
    pub(super) fn gaps(&self, w: usize) -> impl Iterator<Item = u16> {
        self.cells[w * self.k..(w + 1) * self.k]
            .iter()
            .copied()
            .filter(|&cell| self.is_empty(cell))
    }
}

fn all_windows(shape: BoardShape) -> Vec<u16> {
    let (rows, columns, k) = (
        i16::from(shape.rows()),
        i16::from(shape.columns()),
        i16::from(shape.k()),
    );
    // A run of one stone is the same in all directions.
    let directions = if k == 1 {
        &DIRECTIONS[..1]
    } else {
        &DIRECTIONS[..]
    };
    let mut cells = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            for (down, right) in directions {
                let (last_row, last_column) = (row + down * (k - 1), column + right * (k - 1));
                if last_row < rows && (0..columns).contains(&last_column) {
                    cells.extend(
                        (0..k).map(|i| ((row + down * i) * columns + column + right * i) as u16),
                    );
                }
            }
        }
    }
    cells
}

fn by_cell(cells: &[u16], k: usize, count: usize) -> (Vec<u16>, Vec<u32>) {
    let mut through = vec![Vec::new(); count];
    for (w, window) in cells.chunks(k).enumerate() {
        for &cell in window {
            through[usize::from(cell)].push(w as u16);
        }
    }
    let mut first = vec![0];
    for windows in &through {
        first.push(first[first.len() - 1] + windows.len() as u32);
    }
    (through.concat(), first)
}

/// Fixed pseudorandom numbers for the keys of the transposition table.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
