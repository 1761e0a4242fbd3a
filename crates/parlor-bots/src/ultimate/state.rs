//! Compact position for the searches, with tables to detect wins.

/// All nine squares of a board, or all nine boards.
pub(super) const ALL: u16 = 0x1ff;
/// Target of a player who may choose the board.
pub(super) const FREE: u8 = 9;

/// The eight lines of three, as bit masks.
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

/// For each set of nine marks, the squares that would complete a line; bit 15 is set if there is a
/// line already.
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

/// Returns the squares that would complete a line of these marks, occupied or not.
#[inline]
pub(super) fn completing(marks: u16) -> u16 {
    COMPLETES[usize::from(marks & ALL)] & ALL
}

/// Returns true if these marks contain a line.
#[inline]
pub(super) fn has_line(marks: u16) -> bool {
    COMPLETES[usize::from(marks & ALL)] & HAS_LINE != 0
}

/// Status of a game after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameStatus {
    /// The game goes on.
    Open,
    /// The move won the game.
    Won,
    /// All boards are decided and neither side has a line.
    Drawn,
}

/// Move in one byte: `board << 4 | square`.
pub(super) type MoveCode = u8;

/// Standard game of ultimate tic-tac-toe that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct UltimateState {
    /// Marks of the first and of the second seat on each board.
    pub(super) marks: [[u16; 9]; 2],
    /// Boards won by each seat.
    pub(super) won: [u16; 2],
    /// Boards that neither seat can win any more.
    pub(super) drawn: u16,
    /// Board to play on, or [`FREE`].
    pub(super) target: u8,
    /// Seat on turn.
    pub(super) side: u8,
}

impl UltimateState {
    pub(super) const START: UltimateState = UltimateState {
        marks: [[0; 9]; 2],
        won: [0; 2],
        drawn: 0,
        target: FREE,
        side: 0,
    };

    /// Returns the undecided boards.
    #[inline]
    pub(super) fn live(&self) -> u16 {
        ALL & !(self.won[0] | self.won[1] | self.drawn)
    }

    /// Returns the boards that may be played on now.
    #[inline]
    pub(super) fn playable(&self) -> u16 {
        if self.target == FREE {
            self.live()
        } else {
            1 << self.target
        }
    }

    /// Returns the empty squares of a board.
    #[inline]
    pub(super) fn empty(&self, board: usize) -> u16 {
        ALL & !(self.marks[0][board] | self.marks[1][board])
    }

    /// Returns the marks of the seat on turn and of the opponent.
    #[inline]
    pub(super) fn pair(&self, board: usize) -> (u16, u16) {
        let side = usize::from(self.side);
        (self.marks[side][board], self.marks[side ^ 1][board])
    }

    /// Returns the number of empty squares on undecided boards.
    pub(super) fn room(&self) -> u32 {
        bits(self.live())
            .map(|board| self.empty(board).count_ones())
            .sum()
    }

    /// Plays a legal move. If it ends the game, the seat on turn and the target are meaningless.
    #[inline]
    pub(super) fn play(&mut self, step: MoveCode) -> GameStatus {
        let (board, square) = split(step);
        let side = usize::from(self.side);
        self.marks[side][board] |= 1 << square;
        let mut after = GameStatus::Open;
        if has_line(self.marks[side][board]) {
            self.won[side] |= 1 << board;
            if has_line(self.won[side]) {
                after = GameStatus::Won;
            }
        } else if self.empty(board) == 0 {
            self.drawn |= 1 << board;
        }
        let live = self.live();
        if live == 0 && after == GameStatus::Open {
            after = GameStatus::Drawn;
        }
        self.target = if live & (1 << square) != 0 {
            square as u8
        } else {
            FREE
        };
        self.side ^= 1;
        after
    }

    /// Iterates over the legal moves, board by board.
    #[inline]
    pub(super) fn steps(&self) -> impl Iterator<Item = MoveCode> + use<> {
        let state = *self;
        bits(state.playable())
            .flat_map(move |board| bits(state.empty(board)).map(move |square| step(board, square)))
    }

    /// Returns a move that wins the game at once.
    #[inline]
    pub(super) fn winning(&self) -> Option<MoveCode> {
        let side = usize::from(self.side);
        let decisive = completing(self.won[side]) & self.playable();
        bits(decisive).find_map(|board| {
            let squares = completing(self.marks[side][board]) & self.empty(board);
            (squares != 0).then(|| step(board, squares.trailing_zeros() as usize))
        })
    }
}

/// Returns the move on this square of this board.
#[inline]
pub(super) fn step(board: usize, square: usize) -> MoveCode {
    (board << 4 | square) as MoveCode
}

/// Returns the board and the square of a move.
#[inline]
pub(super) fn split(step: MoveCode) -> (usize, usize) {
    (usize::from(step >> 4), usize::from(step & 15))
}

/// Iterates over the indices of the set bits, lowest first.
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
