//! From a described situation to a position, with all reasons against it.

use parlor_core::{Position, Seat};

use super::{Board, Cell, Rules, lines};

/// A description of a situation that nobody has checked yet.
///
/// ```
/// use parlor_tictactoe::mnk::{Rules, Setup};
/// let cells = "XX..O....".chars().map(|c| (c != '.').then_some(c)).collect();
/// let board = Setup::from_cells(Rules::classic(), cells).validate()?;
/// assert_eq!(board.stones(), 3);
/// # Ok::<(), parlor_tictactoe::mnk::SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    rules: Rules,
    cells: Vec<Option<char>>,
}

impl Setup {
    /// The symbol on every cell, row by row; `None` for an empty one.
    pub fn from_cells(rules: Rules, cells: Vec<Option<char>>) -> Setup {
        Setup { rules, cells }
    }

    /// The position, if the situation can come up in a game by these rules.
    ///
    /// # Errors
    /// All reasons against it: a wrong number of cells, unknown symbols, stones that do not fit seats taking
    /// turns, a winner who did not move last, runs that no single last stone can have completed.
    pub fn validate(&self) -> Result<Board, SetupError> {
        let seats = self.seats_on_cells()?;
        let mut faults = Vec::new();
        let counts: Vec<usize> = Seat::all(self.rules.seats())
            .map(|seat| count(&seats, seat))
            .collect();
        let total: usize = counts.iter().sum();
        let by_turns = |seat: usize| (total + counts.len() - 1 - seat) / counts.len();
        for (seat, &stones) in counts.iter().enumerate() {
            if stones != by_turns(seat) {
                let symbol = self.rules.symbols()[seat];
                faults.push(Fault::Stones {
                    symbol,
                    stones,
                    expected: by_turns(seat),
                    total,
                });
            }
        }
        let last = self.last_stone(&seats, total, &mut faults);
        if faults.is_empty() {
            Ok(self.replay(&seats, last))
        } else {
            Err(SetupError(faults))
        }
    }

    fn seats_on_cells(&self) -> Result<Vec<Option<Seat>>, SetupError> {
        let expected = usize::from(self.rules.shape().cells());
        if self.cells.len() != expected {
            return Err(SetupError(vec![Fault::Cells {
                cells: self.cells.len(),
                expected,
            }]));
        }
        let mut faults = Vec::new();
        let mut seats = Vec::with_capacity(expected);
        for (index, cell) in self.cells.iter().enumerate() {
            let seat = cell.and_then(|symbol| self.seat_of(symbol));
            if let (Some(symbol), None) = (*cell, seat) {
                faults.push(Fault::Symbol {
                    symbol,
                    at: Cell::from_index(index, self.rules.columns()),
                });
            }
            seats.push(seat);
        }
        if faults.is_empty() {
            Ok(seats)
        } else {
            Err(SetupError(faults))
        }
    }

    fn seat_of(&self, symbol: char) -> Option<Seat> {
        let at = self
            .rules
            .symbols()
            .iter()
            .position(|&known| known == symbol)?;
        Seat::all(self.rules.seats()).nth(at)
    }

    /// The stone that ended the game, if it is over by a run; whatever speaks against the runs goes into `faults`.
    fn last_stone(
        &self,
        seats: &[Option<Seat>],
        total: usize,
        faults: &mut Vec<Fault>,
    ) -> Option<Cell> {
        let runs = |seat, without| self.runs(seats, seat, without);
        let winners: Vec<Seat> = Seat::all(self.rules.seats())
            .filter(|&seat| !runs(seat, None).is_empty())
            .collect();
        let symbol = |seat: Seat| self.rules.symbols()[seat.index()];
        let winner = match winners[..] {
            [] => return None,
            [winner] => winner,
            [one, other, ..] => {
                faults.push(Fault::TwoWinners {
                    one: symbol(one),
                    other: symbol(other),
                });
                return None;
            }
        };
        let mover = (total + usize::from(self.rules.seats()) - 1) % usize::from(self.rules.seats());
        if winner.index() != mover {
            let last = self.rules.symbols()[mover];
            faults.push(Fault::WinnerNotLast {
                winner: symbol(winner),
                last,
            });
        }
        let last = runs(winner, None)
            .into_iter()
            .find(|&cell| runs(winner, Some(cell)).is_empty());
        if last.is_none() {
            faults.push(Fault::RunsApart {
                winner: symbol(winner),
            });
        }
        last
    }

    fn runs(&self, seats: &[Option<Seat>], seat: Seat, without: Option<Cell>) -> Vec<Cell> {
        let own = |cell: Cell| {
            seats[cell.index(self.rules.columns())] == Some(seat) && Some(cell) != without
        };
        lines::cells_in_runs(self.rules.shape(), own)
    }

    /// Plays the stones in turn, `last` at the end: no earlier stone can then end the game.
    fn replay(&self, seats: &[Option<Seat>], last: Option<Cell>) -> Board {
        let mut board = Board::new(self.rules);
        let cells: Vec<Cell> = board
            .cells()
            .filter(|&cell| Some(cell) != last)
            .chain(last)
            .collect();
        let mut stones: Vec<_> = Seat::all(self.rules.seats())
            .map(|seat| {
                cells
                    .iter()
                    .filter(move |cell| seats[cell.index(self.rules.columns())] == Some(seat))
            })
            .collect();
        let total = seats.iter().flatten().count();
        for ply in 0..total {
            let seat = ply % stones.len();
            let cell = stones[seat]
                .next()
                .expect("the counts fit seats taking turns");
            board.play_unchecked(cell);
        }
        board
    }
}

fn count(seats: &[Option<Seat>], seat: Seat) -> usize {
    seats.iter().filter(|&&owner| owner == Some(seat)).count()
}

/// One reason why a situation cannot come up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The list of cells is too short or too long.
    #[error("{cells} cells are given where the board has {expected}")]
    Cells {
        /// How many are given.
        cells: usize,
        /// How many the board has.
        expected: usize,
    },
    /// A symbol that belongs to no seat.
    #[error("{symbol:?} at {at} is the symbol of no seat")]
    Symbol {
        /// The symbol.
        symbol: char,
        /// Where it lies.
        at: Cell,
    },
    /// A seat has more or fewer stones than its turns.
    #[error("{symbol} has {stones} stones where taking turns gives {expected} of {total}")]
    Stones {
        /// The seat's symbol.
        symbol: char,
        /// How many stones it has.
        stones: usize,
        /// How many it should have among that many in all.
        expected: usize,
        /// How many stones there are in all.
        total: usize,
    },
    /// Two seats have a winning run; the first should have ended the game.
    #[error("{one} and {other} both have a winning run")]
    TwoWinners {
        /// The symbol of one winner.
        one: char,
        /// The symbol of another.
        other: char,
    },
    /// Play went on after a win.
    #[error("{winner} has a winning run, but {last} moved last")]
    WinnerNotLast {
        /// The winner's symbol.
        winner: char,
        /// The symbol of the seat that moved last.
        last: char,
    },
    /// The winner has several runs and no stone belongs to all of them.
    #[error("the winning runs of {winner} have no stone in common that can have been the last")]
    RunsApart {
        /// The winner's symbol.
        winner: char,
    },
}

/// All reasons why a situation cannot come up, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(Fault::to_string).collect::<Vec<_>>().join("; "))]
pub struct SetupError(pub Vec<Fault>);
