//! A second, deliberately slow implementation of ultimate tic-tac-toe: squares in arrays, every
//! line checked. It shares only the move type with the bitboards.

use parlor_core::{Outcome, Position, Seat, Turn};
use parlor_tictactoe::ultimate::{Game, Move, Rules};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    Open,
    Tied,
    Won(usize),
}

#[derive(Clone)]
pub struct Naive {
    rules: Rules,
    squares: [[Option<usize>; 9]; 9],
    pub results: [Result; 9],
    plies: usize,
    pub target: Option<usize>,
    pub ending: Option<Outcome>,
}

/// Returns true if `own` holds for all three places of some row, column or diagonal.
fn three_in_a_row(own: impl Fn(usize) -> bool) -> bool {
    let row = |r: usize| (0..3).all(|c| own(3 * r + c));
    let column = |c: usize| (0..3).all(|r| own(3 * r + c));
    let diagonals = (0..3).all(|i| own(4 * i)) || (0..3).all(|i| own(2 + 2 * i));
    (0..3).any(row) || (0..3).any(column) || diagonals
}

impl Naive {
    pub fn new(rules: Rules) -> Naive {
        Naive {
            rules,
            squares: [[None; 9]; 9],
            results: [Result::Open; 9],
            plies: 0,
            target: None,
            ending: None,
        }
    }

    /// Copies a game through its public accessors.
    pub fn from_game(game: &Game) -> Naive {
        let mut naive = Naive::new(game.rules());
        for (b, board) in naive.squares.iter_mut().enumerate() {
            *board = game
                .board(b as u8)
                .to_list()
                .map(|mark| ["X", "O"].iter().position(|&known| known == mark));
        }
        naive.results = game.meta().to_list().map(|result| match result {
            "X" => Result::Won(0),
            "O" => Result::Won(1),
            "T" => Result::Tied,
            _ => Result::Open,
        });
        naive.plies = game.plies() as usize;
        naive.target = game.target().map(usize::from);
        naive.ending = game.turn().outcome();
        naive
    }

    fn full(&self, board: usize) -> bool {
        self.squares[board].iter().all(Option::is_some)
    }

    fn takes_marks(&self, board: usize) -> bool {
        if self.rules.open {
            !self.full(board)
        } else {
            self.results[board] == Result::Open
        }
    }

    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for board in 0..9 {
            let chosen = self.target.is_none_or(|target| target == board);
            for square in 0..9 {
                if self.ending.is_none()
                    && chosen
                    && self.takes_marks(board)
                    && self.squares[board][square].is_none()
                {
                    moves.push(Move::new(board as u8, square as u8).expect("both are below nine"));
                }
            }
        }
        moves
    }

    pub fn play(&mut self, m: Move) {
        let (board, square) = (usize::from(m.board()), usize::from(m.square()));
        let mover = self.plies % 2;
        self.squares[board][square] = Some(mover);
        self.plies += 1;
        if self.results[board] == Result::Open {
            if three_in_a_row(|at| self.squares[board][at] == Some(mover)) {
                self.results[board] = Result::Won(mover);
            } else if self.full(board) {
                self.results[board] = Result::Tied;
            }
        }
        self.ending = self.outcome(mover);
        self.target = (self.ending.is_none() && self.takes_marks(square)).then_some(square);
    }

    fn outcome(&self, mover: usize) -> Option<Outcome> {
        let won = |seat: usize| Outcome::won([Seat::FIRST, Seat::SECOND][seat]);
        if three_in_a_row(|at| self.results[at] == Result::Won(mover)) {
            return Some(won(mover));
        }
        if self.results.contains(&Result::Open) {
            return None;
        }
        let boards = |seat| {
            self.results
                .iter()
                .filter(|&&result| result == Result::Won(seat))
                .count()
        };
        match boards(0).cmp(&boards(1)) {
            std::cmp::Ordering::Greater if self.rules.count => Some(won(0)),
            std::cmp::Ordering::Less if self.rules.count => Some(won(1)),
            _ => Some(Outcome::Draw),
        }
    }

    pub fn turn(&self) -> Turn {
        let seat = [Seat::FIRST, Seat::SECOND][self.plies % 2];
        self.ending.map_or(Turn::Move(seat), Turn::Over)
    }

    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth <= 1 {
            return if depth == 0 { 1 } else { moves.len() as u64 };
        }
        let below = |m: Move| {
            let mut child = self.clone();
            child.play(m);
            child.perft(depth - 1)
        };
        moves.into_iter().map(below).sum()
    }
}
