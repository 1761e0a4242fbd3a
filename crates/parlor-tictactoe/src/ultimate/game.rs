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
    /// The boards that take no more marks.
    closed: u16,
    /// Empty squares on closed boards.
    dead: u8,
    target: u8,
    plies: u8,
    state: State,
}

/// The marks of both seats on one board: the first's in the lower nine bits, the second's above.
type Pair = u32;

impl Game {
    /// The empty board, X to move.
    pub const fn new(rules: Rules) -> Game {
        Game {
            low: [0; 9],
            high: 0,
            won: [0; 2],
            closed: 0,
            dead: 0,
            target: ANY,
            plies: 0,
            state: State::new(rules),
        }
    }

    /// What was agreed before the first move.
    pub const fn rules(&self) -> Rules {
        self.state.rules()
    }

    /// The board the mover must play in; `None` when the choice is free and when the game is over.
    pub const fn target(&self) -> Option<u8> {
        if self.target == ANY {
            None
        } else {
            Some(self.target)
        }
    }

    /// A board as a plain value.
    ///
    /// # Panics
    /// When `board` is above 8.
    pub fn board(&self, board: u8) -> Board {
        Board::of(
            self.marks(Seat::FIRST, board),
            self.marks(Seat::SECOND, board),
        )
    }

    /// The results of the nine boards as a plain value.
    pub const fn meta(&self) -> MetaBoard {
        MetaBoard::of(self.won[0], self.won[1], self.drawn())
    }

    /// The marks of a seat on a board; empty for a seat beyond the second.
    ///
    /// # Panics
    /// When `board` is above 8.
    #[inline]
    pub fn marks(&self, seat: Seat, board: u8) -> u16 {
        if seat.number() > 1 {
            0
        } else {
            own(self.pair(board), seat.number())
        }
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
        self.closed & !(self.won[0] | self.won[1])
    }

    /// The boards that are won or tied.
    #[inline]
    pub const fn decided(&self) -> u16 {
        self.won[0] | self.won[1] | self.closed
    }

    /// The boards that take no more marks: those that are decided, or full when won boards stay open.
    #[inline]
    pub const fn closed(&self) -> u16 {
        self.closed
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
            ALL & !self.closed
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

    /// How many moves there are when the choice is free.
    #[inline]
    fn free_moves(&self) -> u32 {
        81_u32.wrapping_sub(u32::from(self.plies) + u32::from(self.dead))
    }

    /// After a mark completed a line or filled its board: whether the game is over. Rare, and therefore apart.
    #[inline(never)]
    fn settle(&mut self, board: u8, line: Option<u8>) -> bool {
        let bit = 1 << board;
        let left = tables::count(self.empty(board)) as u8;
        let was_open = self.decided() & bit == 0;
        if let Some(seat) = line.filter(|_| was_open) {
            self.won[usize::from(seat & 1)] |= bit;
        }
        if left == 0 || !self.state.open() {
            self.closed |= bit;
            self.dead = self.dead.wrapping_add(left);
        }
        if was_open {
            self.state.end(self.ending());
        }
        self.state.is_over()
    }

    /// How the results of the boards end the game, as [`State`] holds it.
    fn ending(&self) -> u8 {
        let [x, o] = self.won.map(tables::count);
        match self.won.map(has_line) {
            [true, _] => State::X_WON,
            [_, true] => State::O_WON,
            _ if self.decided() != ALL => State::PLAYING,
            _ if x > o && self.rules().count => State::X_WON,
            _ if x < o && self.rules().count => State::O_WON,
            _ => State::DRAW,
        }
    }

    /// The position that a checked description says; see [`Setup`](super::Setup).
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
        game.state.end(game.ending());
        game.target = if game.state.is_over() {
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
        match self.state.ending() {
            State::PLAYING => Turn::Move(if self.mover() == 0 {
                Seat::FIRST
            } else {
                Seat::SECOND
            }),
            State::X_WON => Turn::Over(Outcome::won(Seat::FIRST)),
            State::O_WON => Turn::Over(Outcome::won(Seat::SECOND)),
            _ => Turn::Over(Outcome::Draw),
        }
    }

    #[inline]
    fn legal_moves_into(&self, out: &mut Vec<Move>) {
        out.clear();
        if self.target != ANY {
            out.extend(
                Members::of(self.empty(self.target))
                    .iter()
                    .map(|square| Move::of(self.target, square)),
            );
            return;
        }
        for board in Members::of(self.playable()).iter() {
            out.extend(
                Members::of(self.empty(board))
                    .iter()
                    .map(|square| Move::of(board, square)),
            );
        }
    }

    fn check(&self, m: &Move) -> Result<(), Illegal> {
        if self.state.is_over() {
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
        let over = (line || empty(pair) == 0) && self.settle(board, line.then_some(mover));
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
        if self.state.is_over() {
            0
        } else {
            u64::from(self.free_moves())
        }
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Move>) -> Option<Move> {
        if self.state.is_over() {
            return None;
        }
        if self.target != ANY {
            let squares = Members::of(self.empty(self.target));
            return Some(Move::of(
                self.target,
                squares.nth(below(rng, squares.len())),
            ));
        }
        let mut n = below(rng, self.free_moves());
        for board in Members::of(self.playable()).iter() {
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
    const X_WON: u8 = 1;
    const O_WON: u8 = 2;
    const DRAW: u8 = 3;

    const fn new(rules: Rules) -> State {
        State((rules.open as u8) << 2 | (rules.count as u8) << 3)
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

    /// One of the constants.
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
