//! Lookup tables over the 512 sets of nine squares.

/// The eight lines as sets: bit i is square i, row by row.
pub const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// Set of all nine squares, or all nine boards.
pub const ALL: u16 = 0o777;

const SETS: usize = 512;

/// True for sets that contain a line.
static WINS: [bool; SETS] = wins();
/// Squares of each set in order, four bits each from the low end, with their number in the top four
/// bits.
static MEMBERS: [u64; SETS] = members();

const fn wins() -> [bool; SETS] {
    let mut table = [false; SETS];
    let mut set = 0;
    while set < SETS {
        let mut line = 0;
        while line < 8 {
            if set as u16 & LINES[line] == LINES[line] {
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
        let (mut bit, mut count) = (0, 0);
        while bit < 9 {
            if set >> bit & 1 == 1 {
                table[set] |= bit << (4 * count);
                count += 1;
            }
            bit += 1;
        }
        table[set] |= count << 60;
        set += 1;
    }
    table
}

/// Returns true if a set of squares contains one of the [`LINES`]; bits above the ninth are
/// ignored.
#[inline]
pub fn has_line(set: u16) -> bool {
    WINS[usize::from(set & ALL)]
}

/// Returns the number of squares in a set.
#[inline]
pub fn count(set: u16) -> u32 {
    (MEMBERS[usize::from(set & ALL)] >> 60) as u32
}

/// Squares of a set, indexed for random picks.
#[derive(Clone, Copy)]
pub struct Members(u64);

impl Members {
    #[inline]
    pub fn from_mask(set: u16) -> Members {
        Members(MEMBERS[usize::from(set & ALL)])
    }

    /// Returns the number of squares.
    #[inline]
    pub fn len(self) -> u32 {
        (self.0 >> 60) as u32
    }

    /// Returns the `n`-th square, counted from 0. If there are fewer, the result is meaningless but
    /// below 16.
    #[inline]
    pub fn nth(self, n: u32) -> u8 {
        (self.0 >> ((n * 4) & 63) & 15) as u8
    }

    /// Returns all squares, from the lowest.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..self.len()).map(move |n| self.nth(n))
    }
}
