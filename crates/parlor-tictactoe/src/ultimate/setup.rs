//! From a described situation to a position, with the reasons against it.

use parlor_core::Seat;

use super::{ALL, Board, Game, LINES, Rules, has_line};

/// A description of a situation that nobody has checked yet.
///
/// ```
/// use parlor_tictactoe::ultimate::{Board, Rules, Setup};
/// let mut setup = Setup::new(Rules::default(), [Board::new(); 9]);
/// setup.boards[4].set(0, "X")?;
/// assert!(setup.validate().is_err(), "a mark in the corner sends the next player to board 0");
/// setup.target = Some(0);
/// assert_eq!(setup.validate().map(|game| game.plies()), Ok(1));
/// # Ok::<(), parlor_tictactoe::ultimate::BadInput>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The rules.
    pub rules: Rules,
    /// The nine boards, row by row.
    pub boards: [Board; 9],
    /// Who has won each board; `None` for "whoever has a line", which is enough unless won boards stay open and
    /// both have one.
    pub owners: Option<[Option<Seat>; 9]>,
    /// The board in which the mover must play; `None` for a free choice and when the game is over.
    pub target: Option<u8>,
    /// Whose turn it is; `None` for "as the marks say". A game that is over would go on with this seat.
    pub mover: Option<Seat>,
}

impl Setup {
    /// These boards, with a free choice for whoever is on turn by the number of marks.
    pub const fn new(rules: Rules, boards: [Board; 9]) -> Setup {
        Setup {
            rules,
            boards,
            owners: None,
            target: None,
            mover: None,
        }
    }

    /// The position, if nothing in it speaks against its having come up in a game by these rules.
    ///
    /// The checks look at the marks and at what the last move can have been. They do not search for a whole game:
    /// there are positions that pass and can still not be reached.
    ///
    /// # Errors
    /// All reasons against it.
    pub fn validate(&self) -> Result<Game, SetupError> {
        let mut faults = Vec::new();
        let last = self.last_mover(&mut faults);
        let owners = self.owners(&mut faults);
        self.winner(owners, last, &mut faults);
        self.goal(owners, last, &mut faults);
        if faults.is_empty() && last.is_some_and(|last| !self.has_last_move(owners, last)) {
            faults.push(Fault::NoLastMove);
        }
        if faults.is_empty() {
            Ok(Game::assemble(
                self.rules,
                &self.boards,
                owners,
                self.target,
            ))
        } else {
            Err(SetupError(faults))
        }
    }

    /// Who moved last by the number of marks; `None` when there are none.
    fn last_mover(&self, faults: &mut Vec<Fault>) -> Option<Seat> {
        let count = |set: fn(&Board) -> u16| {
            self.boards
                .iter()
                .map(|board| set(board).count_ones())
                .sum::<u32>()
        };
        let (x, o) = (count(Board::x), count(Board::o));
        if x != o && x != o + 1 {
            faults.push(Fault::Marks { x, o });
        }
        let next = if x > o { Seat::SECOND } else { Seat::FIRST };
        if self.mover.is_some_and(|mover| mover != next) {
            faults.push(Fault::Mover {
                expected: symbol(next),
            });
        }
        (x + o > 0).then(|| next.next(2))
    }

    /// The sets of boards that X and O have won.
    fn owners(&self, faults: &mut Vec<Fault>) -> [u16; 2] {
        let mut owners = [0; 2];
        for (index, board) in (0..9).zip(&self.boards) {
            let lines = [has_line(board.x()), has_line(board.o())];
            let told = self.owners.map(|told| told[usize::from(index)]);
            let owner = match (lines, told) {
                ([true, true], _) if !self.rules.open => {
                    faults.push(Fault::BothWon { board: index });
                    continue;
                }
                ([true, true], None | Some(None)) => {
                    faults.push(Fault::WhoWasFirst { board: index });
                    continue;
                }
                ([true, true], Some(told)) => told,
                ([true, false], _) => Some(Seat::FIRST),
                ([false, true], _) => Some(Seat::SECOND),
                ([false, false], _) => None,
            };
            if told.is_some_and(|told| told != owner) {
                faults.push(Fault::Owner { board: index });
            }
            if let Some(seat) = owner {
                owners[seat.index()] |= 1 << index;
                if !self.rules.open && common(board.of_seat(seat)) == 0 {
                    faults.push(Fault::LinesApart { board: index });
                }
            }
        }
        owners
    }

    /// What speaks against the lines of boards.
    fn winner(&self, owners: [u16; 2], last: Option<Seat>, faults: &mut Vec<Fault>) {
        let winner = match owners.map(has_line) {
            [true, true] => return faults.push(Fault::TwoWinners),
            [true, false] => Seat::FIRST,
            [false, true] => Seat::SECOND,
            [false, false] => return,
        };
        if last != Some(winner) {
            faults.push(Fault::WinnerNotLast {
                winner: symbol(winner),
            });
        }
        if common(owners[winner.index()]) == 0 {
            faults.push(Fault::BoardsApart {
                winner: symbol(winner),
            });
        }
    }

    /// What speaks against the target.
    fn goal(&self, owners: [u16; 2], last: Option<Seat>, faults: &mut Vec<Fault>) {
        let Some(target) = self.target else { return };
        if target > 8 {
            faults.push(Fault::TargetRange);
        } else if last.is_none() {
            faults.push(Fault::TargetAtStart);
        } else if is_over(&self.boards, owners) {
            faults.push(Fault::TargetAtEnd);
        } else if self.is_closed(&self.boards, owners, target) {
            faults.push(Fault::TargetClosed { board: target });
        }
    }

    fn is_closed(&self, boards: &[Board; 9], owners: [u16; 2], board: u8) -> bool {
        let won = (owners[0] | owners[1]) >> board & 1 == 1;
        boards[usize::from(board)].is_full() || won && !self.rules.open
    }

    /// Whether some mark can have been the last: taken back, its board is open and the game is not over; and it
    /// sends the mover where the target says.
    fn has_last_move(&self, owners: [u16; 2], last: Seat) -> bool {
        let over = is_over(&self.boards, owners);
        let leads = |square: u8| match self.target {
            Some(target) => square == target,
            None => over || self.is_closed(&self.boards, owners, square),
        };
        let marks = (0..9).flat_map(|board: u8| (0..9).map(move |square: u8| (board, square)));
        marks
            .filter(|&(board, square)| {
                self.boards[usize::from(board)].of_seat(last) >> square & 1 == 1 && leads(square)
            })
            .any(|(board, square)| self.can_be_last(owners, last, board, square))
    }

    fn can_be_last(&self, owners: [u16; 2], last: Seat, board: u8, square: u8) -> bool {
        let mut before = self.boards;
        before[usize::from(board)].clear(square);
        let left = before[usize::from(board)];
        let mut owned = owners;
        if !has_line(left.of_seat(last)) && owners[last.index()] >> board & 1 == 1 {
            if has_line(left.of_seat(last.next(2))) {
                return false;
            }
            owned[last.index()] &= !(1 << board);
        }
        !is_over(&before, owned) && !self.is_closed(&before, owned, board)
    }
}

fn is_over(boards: &[Board; 9], owners: [u16; 2]) -> bool {
    let full = (0..9).zip(boards).fold(0, |all, (index, board)| {
        all | u16::from(board.is_full()) << index
    });
    owners.into_iter().any(has_line) || owners[0] | owners[1] | full == ALL
}

/// What all lines in a set have in common; everything when it has none.
fn common(set: u16) -> u16 {
    LINES
        .iter()
        .filter(|&&line| set & line == line)
        .fold(ALL, |all, line| all & line)
}

const fn symbol(seat: Seat) -> char {
    if seat.number() == 0 { 'X' } else { 'O' }
}

/// One reason why a situation cannot come up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The numbers of marks do not fit players taking turns.
    #[error("X has {x} marks and O has {o}, but X begins and they take turns")]
    Marks {
        /// Marks of X.
        x: u32,
        /// Marks of O.
        o: u32,
    },
    /// It is the other's turn.
    #[error("by the number of marks it is the turn of {expected}")]
    Mover {
        /// Whose turn it is.
        expected: char,
    },
    /// Both have a line in a board that closes with the first.
    #[error("X and O both have a line in board {board}")]
    BothWon {
        /// The board, 0 to 8.
        board: u8,
    },
    /// Both have a line in an open board, and nobody says who was first.
    #[error("X and O both have a line in board {board}, and it is not said who was first")]
    WhoWasFirst {
        /// The board, 0 to 8.
        board: u8,
    },
    /// The owner told is not the one with a line.
    #[error("the lines in board {board} do not belong to its owner")]
    Owner {
        /// The board, 0 to 8.
        board: u8,
    },
    /// The lines of a closed board have no square in common.
    #[error("the lines in board {board} have no square in common that can have been the last")]
    LinesApart {
        /// The board, 0 to 8.
        board: u8,
    },
    /// Both have three boards in a row.
    #[error("X and O both have three boards in a row")]
    TwoWinners,
    /// Play went on after the end.
    #[error("{winner} has three boards in a row but did not move last")]
    WinnerNotLast {
        /// The winner's symbol.
        winner: char,
    },
    /// The lines of boards have no board in common.
    #[error("the lines of boards of {winner} have no board in common that can have been the last")]
    BoardsApart {
        /// The winner's symbol.
        winner: char,
    },
    /// The target is no board.
    #[error("Board index must be between 0 and 8")]
    TargetRange,
    /// There is a target before the first move.
    #[error("nobody has moved, so the choice is free")]
    TargetAtStart,
    /// There is a target after the last move.
    #[error("the game is over, so nobody is sent anywhere")]
    TargetAtEnd,
    /// The target takes no more marks.
    #[error("board {board} is completed, so nobody is sent there")]
    TargetClosed {
        /// The board, 0 to 8.
        board: u8,
    },
    /// No mark can have been set last.
    #[error("no mark can have been the last and have left the mover this choice")]
    NoLastMove,
}

/// All reasons why a situation cannot come up, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(Fault::to_string).collect::<Vec<_>>().join("; "))]
pub struct SetupError(pub Vec<Fault>);
