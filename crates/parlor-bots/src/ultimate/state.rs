//! The position that the searches work on: small, quick to play on, with the tables that see wins coming.

/// The nine squares of a board, or the nine boards.
pub(super) const ALL: u16 = 0x1ff;
/// The target of a player who may choose the board.
pub(super) const FREE: u8 = 9;

/// The eight lines of three, as masks.
pub(super) const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// For nine marks, the squares that would complete a line; bit 15 says that a line is there already.
static COMPLETES: [u16; 512] = completes();
const HAS_LINE: u16 = 1 << 15;

const fn completes() -> [u16; 512] {
    let mut table = [0; 512];
    let mut marks = 0;
    while marks < 512 {
        let mut line = 0;
        while line < 8 {
            let missing = LINES[line] & !(marks as u16);
            if missing == 0 {
                table[marks] |= HAS_LINE;
            } else if missing.is_power_of_two() {
                table[marks] |= missing;
            }
            line += 1;
        }
        marks += 1;
    }
    table
}

/// The squares that would complete a line of these marks, occupied or not.
#[inline]
pub(super) fn completing(marks: u16) -> u16 {
    COMPLETES[usize::from(marks & ALL)] & ALL
}

/// Whether there is a line in these marks.
#[inline]
pub(super) fn has_line(marks: u16) -> bool {
    COMPLETES[usize::from(marks & ALL)] & HAS_LINE != 0
}

/// How a game stands after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// It goes on.
    Open,
    /// The move won.
    Won,
    /// All boards are decided and nobody has a line.
    Drawn,
}

/// A square of a board in one byte: `board << 4 | square`.
pub(super) type Step = u8;

/// A standard game of ultimate tic-tac-toe that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The marks on each board, of the first and of the second seat.
    pub(super) marks: [[u16; 9]; 2],
    /// The boards that each seat has won.
    pub(super) won: [u16; 2],
    /// The boards that nobody can win any more.
    pub(super) drawn: u16,
    /// The board to play on, or [`FREE`].
    pub(super) target: u8,
    /// The seat on turn.
    pub(super) side: u8,
}

impl State {
    pub(super) const START: State = State {
        marks: [[0; 9]; 2],
        won: [0; 2],
        drawn: 0,
        target: FREE,
        side: 0,
    };

    /// The boards that are not decided.
    #[inline]
    pub(super) fn live(&self) -> u16 {
        ALL & !(self.won[0] | self.won[1] | self.drawn)
    }

    /// The boards that may be played on now.
    #[inline]
    pub(super) fn playable(&self) -> u16 {
        if self.target == FREE {
            self.live()
        } else {
            1 << self.target
        }
    }

    /// The empty squares of a board.
    #[inline]
    pub(super) fn empty(&self, board: usize) -> u16 {
        ALL & !(self.marks[0][board] | self.marks[1][board])
    }

    /// The marks of the seat on turn, and those of the other.
    #[inline]
    pub(super) fn pair(&self, board: usize) -> (u16, u16) {
        let side = usize::from(self.side);
        (self.marks[side][board], self.marks[side ^ 1][board])
    }

    /// The empty squares that can still be played, on all boards.
    pub(super) fn room(&self) -> u32 {
        bits(self.live())
            .map(|board| self.empty(board).count_ones())
            .sum()
    }

    /// Plays a legal move. When the game is over with it, the seat on turn and the target mean nothing.
    #[inline]
    pub(super) fn play(&mut self, step: Step) -> After {
        let (board, square) = split(step);
        let side = usize::from(self.side);
        self.marks[side][board] |= 1 << square;
        let mut after = After::Open;
        if has_line(self.marks[side][board]) {
            self.won[side] |= 1 << board;
            if has_line(self.won[side]) {
                after = After::Won;
            }
        } else if self.empty(board) == 0 {
            self.drawn |= 1 << board;
        }
        let live = self.live();
        if live == 0 && after == After::Open {
            after = After::Drawn;
        }
        self.target = if live & (1 << square) != 0 {
            square as u8
        } else {
            FREE
        };
        self.side ^= 1;
        after
    }

    /// The legal moves, board by board.
    #[inline]
    pub(super) fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let state = *self;
        bits(state.playable())
            .flat_map(move |board| bits(state.empty(board)).map(move |square| step(board, square)))
    }

    /// A move that wins the game at once.
    #[inline]
    pub(super) fn winning(&self) -> Option<Step> {
        let side = usize::from(self.side);
        let decisive = completing(self.won[side]) & self.playable();
        bits(decisive).find_map(|board| {
            let squares = completing(self.marks[side][board]) & self.empty(board);
            (squares != 0).then(|| step(board, squares.trailing_zeros() as usize))
        })
    }
}

/// The move on this square of this board.
#[inline]
pub(super) fn step(board: usize, square: usize) -> Step {
    (board << 4 | square) as Step
}

/// The board and the square of a move.
#[inline]
pub(super) fn split(step: Step) -> (usize, usize) {
    (usize::from(step >> 4), usize::from(step & 15))
}

/// The numbers of the bits set, the lowest first.
#[inline]
pub(super) fn bits(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lowest = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lowest
        })
    })
}
