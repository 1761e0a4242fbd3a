//! The position type of ultimate tic-tac-toe.

use parlor_core::{NoChance, Outcome, Position, Seat, Turn, random_below};
use rand::Rng;

use super::tables::{self, Members};
use super::{ALL, Board, Illegal, LINES, MetaBoard, Move, Rules, has_line};

/// Target of a free choice and of a finished game.
const ANY: u8 = 9;

/// A position: 81 squares, the results of the nine boards, the board to play in.
///
/// Sets of squares and of boards are 9-bit masks: bit i is square or board i, row by row. Seat 0 is
/// X and moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    /// Marks of both seats: the low 16 bits of each board's [`Pair`] here, the top two bits of all
    /// nine in `high`. Nine times 18 bits and everything else thus fit into 32 bytes, and a board
    /// is still one load and one shift away.
    low: [u16; 9],
    high: u32,
    won: [u16; 2],
    /// Boards that take no more marks.
    closed: u16,
    /// Number of empty squares on closed boards.
    dead: u8,
    target: u8,
    plies: u8,
    flags: GameFlags,
}

/// Marks of both seats on one board: the first seat's in the low nine bits, the second's above.
type Pair = u32;

impl Game {
    /// Creates an empty board with X to move.
    pub const fn new(rules: Rules) -> Game {
        Game {
            low: [0; 9],
            high: 0,
            won: [0; 2],
            closed: 0,
            dead: 0,
            target: ANY,
            plies: 0,
            flags: GameFlags::new(rules),
        }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.flags.rules()
    }

    /// Returns the board that the mover must play in; `None` if the choice is free or the game is
    /// over.
    pub const fn target(&self) -> Option<u8> {
        if self.target == ANY {
            None
        } else {
            Some(self.target)
        }
    }

    /// Returns a board as a plain value.
    ///
    /// # Panics
    /// Panics if `board` is above 8.
    pub fn board(&self, board: u8) -> Board {
        Board::from_masks(
            self.marks(Seat::FIRST, board),
            self.marks(Seat::SECOND, board),
        )
    }

    /// Returns the results of the nine boards as a plain value.
    pub const fn meta(&self) -> MetaBoard {
        MetaBoard::from_masks(self.won[0], self.won[1], self.drawn())
    }

    /// Returns a seat's marks on a board; empty for a seat beyond the second.
    ///
    /// # Panics
    /// Panics if `board` is above 8.
    #[inline]
    pub fn marks(&self, seat: Seat, board: u8) -> u16 {
        if seat.number() > 1 {
            0
        } else {
            own(self.pair(board), seat.number())
        }
    }

    /// Returns the boards won by a seat; empty for a seat beyond the second.
    #[inline]
    pub const fn won(&self, seat: Seat) -> u16 {
        match seat.number() {
            0 => self.won[0],
            1 => self.won[1],
            _ => 0,
        }
    }

    /// Returns the boards that are full without a line.
    #[inline]
    pub const fn drawn(&self) -> u16 {
        self.closed & !(self.won[0] | self.won[1])
    }

    /// Returns the boards that are won or tied.
    #[inline]
    pub const fn decided(&self) -> u16 {
        self.won[0] | self.won[1] | self.closed
    }

    /// Returns the boards that take no more marks: decided boards, or only full boards if won
    /// boards stay open.
    #[inline]
    pub const fn closed(&self) -> u16 {
        self.closed
    }

    /// Returns the empty squares of a board, playable or not.
    ///
    /// # Panics
    /// Panics if `board` is above 8.
    #[inline]
    pub fn empty(&self, board: u8) -> u16 {
        empty(self.pair(board))
    }

    /// Returns the boards that the mover may play in: the target alone, or all that are not closed.
    /// Empty if the game is over.
    #[inline]
    pub fn playable(&self) -> u16 {
        if self.flags.is_over() {
            0
        } else if self.target == ANY {
            ALL & !self.closed
        } else {
            1 << self.target
        }
    }

    /// Returns the number of moves played.
    #[inline]
    pub const fn plies(&self) -> u32 {
        self.plies as u32
    }

    /// Returns the boards of all meta-lines that won the game; empty if nobody won by a line.
    pub fn winning_boards(&self) -> u16 {
        let lines_of = |won: u16| {
            LINES
                .iter()
                .filter(|&&line| won & line == line)
                .fold(0, |all, line| all | line)
        };
        lines_of(self.won[0]) | lines_of(self.won[1])
    }

    #[inline]
    fn pair(&self, board: u8) -> Pair {
        u32::from(self.low[usize::from(board)]) | (self.high >> (2 * board) & 3) << 16
    }

    /// Adds marks to a board.
    #[inline]
    fn set_pair(&mut self, board: u8, pair: Pair) {
        self.low[usize::from(board)] = pair as u16;
        self.high |= (pair >> 16 & 3) << (2 * board);
    }

    #[inline]
    const fn mover(&self) -> u8 {
        self.plies & 1
    }

    /// Returns the number of legal moves if the choice is free.
    #[inline]
    fn free_moves(&self) -> u32 {
        81_u32.wrapping_sub(u32::from(self.plies) + u32::from(self.dead))
    }

    /// Updates the results after a mark that completed a line or filled its board, and returns true
    /// if the game is over. Not inlined because it is rare.
    #[inline(never)]
    fn close_board(&mut self, board: u8, line: Option<u8>) -> bool {
        let bit = 1 << board;
        let left = tables::count(self.empty(board)) as u8;
        let was_open = self.decided() & bit == 0;
        if let Some(seat) = line.filter(|_| was_open) {
            self.won[usize::from(seat & 1)] |= bit;
        }
        if left == 0 || !self.flags.open() {
            self.closed |= bit;
            self.dead = self.dead.wrapping_add(left);
        }
        if was_open {
            self.flags.end(self.ending());
        }
        self.flags.is_over()
    }

    /// Returns how the results of the boards end the game, as a constant of [`GameFlags`].
    fn ending(&self) -> u8 {
        let [x, o] = self.won.map(tables::count);
        match self.won.map(has_line) {
            [true, _] => GameFlags::X_WON,
            [_, true] => GameFlags::O_WON,
            _ if self.decided() != ALL => GameFlags::PLAYING,
            _ if x > o && self.rules().count => GameFlags::X_WON,
            _ if x < o && self.rules().count => GameFlags::O_WON,
            _ => GameFlags::DRAW,
        }
    }

    /// Builds the position of a validated [`Setup`](super::Setup).
    pub(super) fn assemble(
        rules: Rules,
        boards: &[Board; 9],
        owners: [u16; 2],
        target: Option<u8>,
    ) -> Game {
        let mut game = Game::new(rules);
        game.won = owners;
        for (index, board) in (0..9).zip(boards) {
            game.set_pair(index, u32::from(board.x()) | u32::from(board.o()) << 9);
            let left = tables::count(game.empty(index)) as u8;
            game.plies += 9 - left;
            if left == 0 || !rules.open && game.decided() >> index & 1 == 1 {
                game.closed |= 1 << index;
                game.dead += left;
            }
        }
        game.flags.end(game.ending());
        game.target = if game.flags.is_over() {
            ANY
        } else {
            target.unwrap_or(ANY)
        };
        game
    }
}

#[inline]
const fn own(pair: Pair, seat: u8) -> u16 {
    (pair >> (9 * (seat & 1))) as u16 & ALL
}

#[inline]
const fn empty(pair: Pair) -> u16 {
    !(pair | pair >> 9) as u16 & ALL
}

impl Position for Game {
    type Move = Move;
    type Chance = NoChance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.flags.ending() {
            GameFlags::PLAYING => Turn::Move(if self.mover() == 0 {
                Seat::FIRST
            } else {
                Seat::SECOND
            }),
            GameFlags::X_WON => Turn::Over(Outcome::won(Seat::FIRST)),
            GameFlags::O_WON => Turn::Over(Outcome::won(Seat::SECOND)),
            _ => Turn::Over(Outcome::Draw),
        }
    }

    #[inline]
    fn legal_moves_into(&self, out: &mut Vec<Move>) {
        out.clear();
        if self.target != ANY {
            out.extend(
                Members::from_mask(self.empty(self.target))
                    .iter()
                    .map(|square| Move::new_unchecked(self.target, square)),
            );
            return;
        }
        for board in Members::from_mask(self.playable()).iter() {
            out.extend(
                Members::from_mask(self.empty(board))
                    .iter()
                    .map(|square| Move::new_unchecked(board, square)),
            );
        }
    }

    fn check(&self, m: &Move) -> Result<(), Illegal> {
        if self.flags.is_over() {
            return Err(Illegal::Finished);
        }
        if self.target != ANY && m.board() != self.target {
            return Err(Illegal::WrongBoard);
        }
        if self.closed >> m.board() & 1 == 1 {
            return Err(Illegal::Completed);
        }
        if self.empty(m.board()) >> m.square() & 1 == 1 {
            Ok(())
        } else {
            Err(Illegal::Taken)
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: &Move) {
        let (board, square, mover) = (m.board(), m.square(), self.mover());
        let pair = self.pair(board) | 1 << (9 * mover + square);
        self.set_pair(board, pair);
        self.plies = self.plies.wrapping_add(1);
        let line = has_line(own(pair, mover));
        let over = (line || empty(pair) == 0) && self.close_board(board, line.then_some(mover));
        self.target = if over || self.closed >> square & 1 == 1 {
            ANY
        } else {
            square
        };
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Move>) -> u64 {
        if self.target != ANY {
            return u64::from(tables::count(self.empty(self.target)));
        }
        if self.flags.is_over() {
            0
        } else {
            u64::from(self.free_moves())
        }
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Move>) -> Option<Move> {
        if self.flags.is_over() {
            return None;
        }
        if self.target != ANY {
            let squares = Members::from_mask(self.empty(self.target));
            return Some(Move::new_unchecked(
                self.target,
                squares.nth(random_below(rng, squares.len())),
            ));
        }
        let mut n = random_below(rng, self.free_moves());
        for board in Members::from_mask(self.playable()).iter() {
            let squares = Members::from_mask(self.empty(board));
            if n < squares.len() {
                return Some(Move::new_unchecked(board, squares.nth(n)));
            }
            n -= squares.len();
        }
        None
    }
}

/// The rules and the ending of the game, packed into one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GameFlags(u8);

impl GameFlags {
    const PLAYING: u8 = 0;
    const X_WON: u8 = 1;
    const O_WON: u8 = 2;
    const DRAW: u8 = 3;

    const fn new(rules: Rules) -> GameFlags {
        GameFlags((rules.open as u8) << 2 | (rules.count as u8) << 3)
    }

    const fn rules(self) -> Rules {
        Rules {
            open: self.open(),
            count: self.0 & 8 != 0,
        }
    }

    const fn open(self) -> bool {
        self.0 & 4 != 0
    }

    /// Returns the ending, one of the constants.
    const fn ending(self) -> u8 {
        self.0 & 3
    }

    const fn is_over(self) -> bool {
        self.ending() != GameFlags::PLAYING
    }

    fn end(&mut self, ending: u8) {
        self.0 = self.0 & !3 | ending;
    }
}
