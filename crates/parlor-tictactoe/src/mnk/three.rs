//! The classic 3x3 game in eight bytes, with lookup tables.

use parlor_core::{NoChance, Outcome, Position, Seat, Turn, random_below};
use rand::Rng;

use super::{BoardShape, Cell, Illegal, MnkPosition, Rules};

/// The eight lines as sets of cells: bit i is cell i, row by row.
pub const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// Set of all nine cells.
pub const FULL: u16 = 0o777;

/// Internal set of all nine cells. A row takes four bits, so a cell's bit number is its row and
/// column side by side and no arithmetic is needed between picking a cell and marking it.
const BOARD: u16 = 0x777;
const SETS: usize = BOARD as usize + 1;

/// True for sets that contain a line.
static WINS: [bool; SETS] = wins();
/// Bit numbers of each set in order, four bits each.
static MEMBERS: [u64; SETS] = members();

const fn spread(set: u16) -> u16 {
    set & 7 | (set & 0o70) << 1 | (set & 0o700) << 2
}

const fn packed(set: u16) -> u16 {
    set & 7 | (set & 0x70) >> 1 | (set & 0x700) >> 2
}

const fn wins() -> [bool; SETS] {
    let mut table = [false; SETS];
    let mut set = 0;
    while set < SETS {
        let mut line = 0;
        while line < 8 {
            let line_bits = spread(LINES[line]);
            if set as u16 & line_bits == line_bits {
                table[set] = true;
            }
            line += 1;
        }
        set += 1;
    }
    table
}

const fn members() -> [u64; SETS] {
    let mut table = [0; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut bit, mut shift) = (0, 0);
        while bit < 12 && shift < 64 {
            if set >> bit & 1 == 1 {
                table[set] |= bit << shift;
                shift += 4;
            }
            bit += 1;
        }
        set += 1;
    }
    table
}

/// Returns true if a set of cells (bit i is cell i) contains one of the [`LINES`].
#[inline]
pub fn has_line(set: u16) -> bool {
    WINS[usize::from(spread(set) & BOARD)]
}

/// A position in the classic game.
///
/// ```
/// use parlor_core::{Position, perft};
/// use parlor_tictactoe::mnk::Three;
/// assert_eq!(perft(&Three::new(), 9), 127_872);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Three {
    /// Stones of the seat to move and of the other seat; after a win the winner's come second.
    own: u16,
    other: u16,
    empty: u16,
    left: u8,
    won: bool,
}

impl Three {
    /// Creates an empty board.
    pub const fn new() -> Three {
        Three {
            own: 0,
            other: 0,
            empty: BOARD,
            left: 9,
            won: false,
        }
    }

    /// Returns a seat's stones as a set: bit i is cell i. Empty for seats beyond the second.
    pub const fn stones_of(&self, seat: Seat) -> u16 {
        match (seat.number(), self.left & 1) {
            (0, 1) | (1, 0) => packed(self.own),
            (0, 0) | (1, 1) => packed(self.other),
            _ => 0,
        }
    }

    /// Returns the empty cells as a set.
    #[inline]
    pub const fn empty(&self) -> u16 {
        packed(self.empty)
    }

    const fn mover(&self) -> Seat {
        if self.left & 1 == 1 {
            Seat::FIRST
        } else {
            Seat::SECOND
        }
    }
}

impl Default for Three {
    fn default() -> Self {
        Three::new()
    }
}

impl MnkPosition for Three {
    fn shape(&self) -> BoardShape {
        Rules::classic().shape()
    }

    fn at(&self, cell: Cell) -> Option<Seat> {
        if cell.row > 2 || cell.column > 2 {
            return None;
        }
        Seat::all(2).find(|&seat| self.stones_of(seat) >> cell.index(3) & 1 == 1)
    }

    fn stones(&self) -> u16 {
        9 - u16::from(self.left)
    }
}

impl Position for Three {
    type Move = Cell;
    type Chance = NoChance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match (self.won, self.left) {
            (true, _) => Turn::Over(Outcome::won(self.mover().next(2))),
            (false, 0) => Turn::Over(Outcome::Draw),
            (false, _) => Turn::Move(self.mover()),
        }
    }

    fn legal_moves_into(&self, out: &mut Vec<Cell>) {
        out.clear();
        if !self.won {
            let empty = MEMBERS[usize::from(self.empty & BOARD)];
            out.extend((0..u32::from(self.left)).map(|n| nth(empty, n)));
        }
    }

    fn check(&self, cell: &Cell) -> Result<(), Illegal> {
        if self.won || self.left == 0 {
            return Err(Illegal::Finished);
        }
        if cell.row > 2 || cell.column > 2 {
            return Err(Illegal::OffBoard { last: 8 });
        }
        if self.empty() >> cell.index(3) & 1 == 1 {
            Ok(())
        } else {
            Err(Illegal::Occupied)
        }
    }

    #[inline]
    fn play_unchecked(&mut self, cell: &Cell) {
        let bit = 1 << ((cell.row << 2 | cell.column & 3) & 15);
        let stones = self.own | bit;
        self.empty &= !bit;
        self.own = self.other;
        self.other = stones;
        self.left = self.left.saturating_sub(1);
        self.won = WINS[usize::from(stones & BOARD)];
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    fn count_moves(&self, _: &mut Vec<Cell>) -> u64 {
        if self.won { 0 } else { u64::from(self.left) }
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Cell>) -> Option<Cell> {
        if self.won || self.left == 0 {
            return None;
        }
        Some(nth(
            MEMBERS[usize::from(self.empty & BOARD)],
            random_below(rng, u32::from(self.left)),
        ))
    }
}

#[inline]
fn nth(members: u64, n: u32) -> Cell {
    let code = members >> ((n * 4) & 63);
    Cell {
        row: (code >> 2 & 3) as u8,
        column: (code & 3) as u8,
    }
}
