//! Unvalidated setups, and their validation into positions.

use parlor_core::{Position, Seat};

use super::{Board, Cell, Rules, lines};

/// An unvalidated description of a position.
///
/// ```
/// use parlor_tictactoe::mnk::{Rules, Setup};
/// let cells = "XX..O....".chars().map(|c| (c != '.').then_some(c)).collect();
/// let board = Setup::from_cells(Rules::classic(), cells).validate()?;
/// assert_eq!(board.stones(), 3);
/// # Ok::<(), parlor_tictactoe::mnk::MnkSetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    rules: Rules,
    cells: Vec<Option<char>>,
}

impl Setup {
    /// Creates a setup from the symbol on every cell, row by row; `None` for an empty cell.
    pub fn from_cells(rules: Rules, cells: Vec<Option<char>>) -> Setup {
        Setup { rules, cells }
    }

    /// Returns the position, if it is reachable under the rules.
    ///
    /// # Errors
    /// Returns all reasons against it: a wrong number of cells, unknown symbols, numbers of stones
    /// that contradict turn order, a winner who did not move last, runs that no single last stone
    /// can have completed.
    pub fn validate(&self) -> Result<Board, MnkSetupError> {
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
                faults.push(MnkFault::Stones {
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
            Err(MnkSetupError(faults))
        }
    }

    fn seats_on_cells(&self) -> Result<Vec<Option<Seat>>, MnkSetupError> {
        let expected = usize::from(self.rules.shape().cells());
        if self.cells.len() != expected {
            return Err(MnkSetupError(vec![MnkFault::Cells {
                cells: self.cells.len(),
                expected,
            }]));
        }
        let mut faults = Vec::new();
        let mut seats = Vec::with_capacity(expected);
        for (index, cell) in self.cells.iter().enumerate() {
            let seat = cell.and_then(|symbol| self.seat_of(symbol));
            if let (Some(symbol), None) = (*cell, seat) {
                faults.push(MnkFault::Symbol {
                    symbol,
                    at: Cell::from_index(index, self.rules.columns()),
                });
            }
            seats.push(seat);
        }
        if faults.is_empty() {
            Ok(seats)
        } else {
            Err(MnkSetupError(faults))
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

    /// Returns the stone that ended the game, if a run did; problems with the runs are added to
    /// `faults`.
    fn last_stone(
        &self,
        seats: &[Option<Seat>],
        total: usize,
        faults: &mut Vec<MnkFault>,
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
                faults.push(MnkFault::TwoWinners {
                    one: symbol(one),
                    other: symbol(other),
                });
                return None;
            }
        };
        let mover = (total + usize::from(self.rules.seats()) - 1) % usize::from(self.rules.seats());
        if winner.index() != mover {
            let last = self.rules.symbols()[mover];
            faults.push(MnkFault::WinnerNotLast {
                winner: symbol(winner),
                last,
            });
        }
        let last = runs(winner, None)
            .into_iter()
            .find(|&cell| runs(winner, Some(cell)).is_empty());
        if last.is_none() {
            faults.push(MnkFault::RunsApart {
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

    /// Plays the stones in turn, `last` at the end, so that no earlier stone can end the game.
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

/// Reason why a setup is not a reachable position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MnkFault {
    /// The list of cells is too short or too long.
    #[error("{cells} cells were given, but the board has {expected}")]
    Cells {
        /// Number of cells given.
        cells: usize,
        /// Number of cells of the board.
        expected: usize,
    },
    /// A symbol belongs to no seat.
    #[error("{symbol:?} at {at} does not belong to any seat")]
    Symbol {
        /// Unknown symbol.
        symbol: char,
        /// Cell that holds it.
        at: Cell,
    },
    /// A seat has too many or too few stones.
    #[error("{symbol} has {stones} stones instead of {expected} out of {total}")]
    Stones {
        /// Symbol of the seat.
        symbol: char,
        /// Number of its stones.
        stones: usize,
        /// Number of stones it should have.
        expected: usize,
        /// Number of stones on the board.
        total: usize,
    },
    /// Two seats have a winning run, though the first one should have ended the game.
    #[error("{one} and {other} both have a winning run")]
    TwoWinners {
        /// Symbol of one winner.
        one: char,
        /// Symbol of the other.
        other: char,
    },
    /// Play continued after a win.
    #[error("{winner} has a winning run, but {last} moved last")]
    WinnerNotLast {
        /// Symbol of the winner.
        winner: char,
        /// Symbol of the seat that moved last.
        last: char,
    },
    /// The winner's runs have no stone in common.
    #[error("the winning runs of {winner} share no stone that could have been the last")]
    RunsApart {
        /// Symbol of the winner.
        winner: char,
    },
}

/// All reasons why a setup is not a reachable position, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(MnkFault::to_string).collect::<Vec<_>>().join("; "))]
pub struct MnkSetupError(pub Vec<MnkFault>);
