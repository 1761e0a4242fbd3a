//! The position.

use parlor_core::{NoChance, Outcome, Position, Seat, Turn, below};
use rand::Rng;

use super::tables::{self, Members};
use super::{ALL, Board, Illegal, LINES, MetaBoard, Move, Rules, has_line};

/// The target when every playable board may be chosen, and when the game is over.
const ANY: u8 = 9;

/// A position: 81 squares, the results of the nine boards, where the mover has to play.
///
/// Sets of squares and of boards are 9-bit masks: bit i is square or board i, row by row. Seat 0 is X and begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    /// The marks of both seats in the two words of [`Pair`], the highest two bits of each apart: nine times 18
    /// bits and everything else fit into 32 bytes, and a board is still one load and one shift away.
    low: [u16; 9],
    high: u32,
    won: [u16; 2],
    drawn: u16,
    target: u8,
    plies: u8,
    state: State,
}

/// The marks of both seats on one board: the first's in the lower nine bits, the second's above.
type Pair = u32;

impl Game {
    /// The empty board, X to move.
    pub const fn new(rules: Rules) -> Game {
        Game { low: [0; 9], high: 0, won: [0; 2], drawn: 0, target: ANY, plies: 0, state: State::new(rules) }
    }

    /// What was agreed before the first move.
    pub const fn rules(&self) -> Rules {
        self.state.rules()
    }

    /// The board the mover must play in; `None` when the choice is free and when the game is over.
    pub const fn target(&self) -> Option<u8> {
        if self.target == ANY { None } else { Some(self.target) }
    }

    /// A board as a plain value.
    ///
    /// # Panics
    /// When `board` is above 8.
    pub fn board(&self, board: u8) -> Board {
        Board::of(self.marks(Seat::FIRST, board), self.marks(Seat::SECOND, board))
    }

    /// The results of the nine boards as a plain value.
    pub const fn meta(&self) -> MetaBoard {
        MetaBoard::of(self.won[0], self.won[1], self.drawn)
    }

    /// The marks of a seat on a board; empty for a seat beyond the second.
    ///
    /// # Panics
    /// When `board` is above 8.
    #[inline]
    pub fn marks(&self, seat: Seat, board: u8) -> u16 {
        if seat.number() > 1 { 0 } else { own(self.pair(board), seat.number()) }
    }

    /// The boards that a seat has won; empty for a seat beyond the second.
    #[inline]
    pub const fn won(&self, seat: Seat) -> u16 {
        match seat.number() {
            0 => self.won[0],
            1 => self.won[1],
            _ => 0,
        }
    }

    /// The boards that are full without a line.
    #[inline]
    pub const fn drawn(&self) -> u16 {
        self.drawn
    }

    /// The boards that are won or tied.
    #[inline]
    pub const fn decided(&self) -> u16 {
        self.won[0] | self.won[1] | self.drawn
    }

    /// The empty squares of a board, whether or not anybody may play there.
    ///
    /// # Panics
    /// When `board` is above 8.
    #[inline]
    pub fn empty(&self, board: u8) -> u16 {
        empty(self.pair(board))
    }

    /// The boards that the mover may play in: the target alone, or all that are not closed. Empty when the game is over.
    #[inline]
    pub fn playable(&self) -> u16 {
        if self.state.is_over() {
            0
        } else if self.target == ANY {
            ALL & !self.closed()
        } else {
            1 << self.target
        }
    }

    /// How many moves have been played.
    #[inline]
    pub const fn plies(&self) -> u32 {
        self.plies as u32
    }

    /// The boards of all meta lines that won the game; empty when nobody won by a line.
    pub fn winning_boards(&self) -> u16 {
        let lines_of = |won: u16| LINES.iter().filter(|&&line| won & line == line).fold(0, |all, line| all | line);
        lines_of(self.won[0]) | lines_of(self.won[1])
    }

    /// The boards in which no more marks may be set.
    #[inline]
    fn closed(&self) -> u16 {
        if self.state.open() {
            (0..9).fold(0, |all, b| all | u16::from(self.empty(b) == 0) << b)
        } else {
            self.decided()
        }
    }

    /// Whether a board takes no more marks.
    #[inline]
    fn is_closed(&self, board: u8) -> bool {
        if self.state.open() { self.empty(board) == 0 } else { self.decided() >> board & 1 == 1 }
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

    /// After a board was decided: whether that ends the game.
    fn settle(&mut self) {
        let line = [0, 1].into_iter().find(|&seat| has_line(self.won[seat]));
        let boards = self.won.map(tables::count);
        if let Some(seat) = line {
            self.state.end(1 + seat as u8);
        } else if self.decided() == ALL {
            let counted = self.state.rules().count && boards[0] != boards[1];
            self.state.end(if counted { 1 + u8::from(boards[1] > boards[0]) } else { State::DRAW });
        }
    }

    /// The position that a checked description says; see [`Setup`](super::Setup).
    pub(super) fn assemble(rules: Rules, boards: &[Board; 9], owners: [u16; 2], target: Option<u8>) -> Game {
        let mut game = Game::new(rules);
        for (index, board) in (0..9).zip(boards) {
            game.set_pair(index, u32::from(board.x()) | u32::from(board.o()) << 9);
            game.plies += (board.x() | board.o()).count_ones() as u8;
            game.drawn |= u16::from(board.is_full()) << index;
        }
        game.won = owners;
        game.drawn &= !(owners[0] | owners[1]);
        game.settle();
        game.target = if game.state.is_over() { ANY } else { target.unwrap_or(ANY) };
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
        match self.state.ending() {
            State::PLAYING => Turn::Move(if self.mover() == 0 { Seat::FIRST } else { Seat::SECOND }),
            1 => Turn::Over(Outcome::won(Seat::FIRST)),
            2 => Turn::Over(Outcome::won(Seat::SECOND)),
            _ => Turn::Over(Outcome::Draw),
        }
    }

    #[inline]
    fn legal_moves_into(&self, out: &mut Vec<Move>) {
        out.clear();
        for board in Members::of(self.playable()).iter() {
            out.extend(Members::of(self.empty(board)).iter().map(|square| Move::of(board, square)));
        }
    }

    fn check(&self, m: &Move) -> Result<(), Illegal> {
        if self.state.is_over() {
            return Err(Illegal::Finished);
        }
        if self.target != ANY && m.board() != self.target {
            return Err(Illegal::WrongBoard);
        }
        if self.is_closed(m.board()) {
            return Err(Illegal::Completed);
        }
        if self.empty(m.board()) >> m.square() & 1 == 1 { Ok(()) } else { Err(Illegal::Taken) }
    }

    #[inline]
    fn play_unchecked(&mut self, m: &Move) {
        let (board, square, mover) = (m.board(), m.square(), self.mover());
        let pair = self.pair(board) | 1 << (9 * mover + square);
        self.set_pair(board, pair);
        self.plies = self.plies.wrapping_add(1);
        let bit = 1 << board;
        let (line, full) = (has_line(own(pair, mover)), empty(pair) == 0);
        if (line || full) && self.decided() & bit == 0 {
            if line {
                self.won[usize::from(mover)] |= bit;
            } else {
                self.drawn |= bit;
            }
            self.settle();
        }
        self.target = if self.state.is_over() || self.is_closed(square) { ANY } else { square };
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<Move>) -> u64 {
        let count = |board| u64::from(tables::count(self.empty(board)));
        Members::of(self.playable()).iter().map(count).sum()
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Move>) -> Option<Move> {
        if self.state.is_over() {
            return None;
        }
        if self.target != ANY {
            let squares = Members::of(self.empty(self.target));
            return Some(Move::of(self.target, squares.nth(below(rng, squares.len()))));
        }
        let boards = Members::of(self.playable());
        let mut n = below(rng, boards.iter().map(|board| tables::count(self.empty(board))).sum());
        for board in boards.iter() {
            let squares = Members::of(self.empty(board));
            if n < squares.len() {
                return Some(Move::of(board, squares.nth(n)));
            }
            n -= squares.len();
        }
        None
    }
}

/// The rules and how the game came out, in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State(u8);

impl State {
    const PLAYING: u8 = 0;
    const DRAW: u8 = 3;

    const fn new(rules: Rules) -> State {
        State((rules.open as u8) << 2 | (rules.count as u8) << 3)
    }

    const fn rules(self) -> Rules {
        Rules { open: self.open(), count: self.0 & 8 != 0 }
    }

    const fn open(self) -> bool {
        self.0 & 4 != 0
    }

    /// 0 while nobody has won, 1 or 2 for the winner's place, 3 for a draw.
    const fn ending(self) -> u8 {
        self.0 & 3
    }

    const fn is_over(self) -> bool {
        self.ending() != State::PLAYING
    }

    fn end(&mut self, ending: u8) {
        self.0 = self.0 & !3 | ending;
    }
}
