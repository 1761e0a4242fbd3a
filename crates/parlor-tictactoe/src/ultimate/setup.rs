//! Unvalidated setups, and their validation into positions.

use parlor_core::Seat;

use super::{ALL, Board, Game, LINES, Rules, has_line};

/// An unvalidated description of a position.
///
/// ```
/// use parlor_tictactoe::ultimate::{Board, Rules, Setup};
/// let mut setup = Setup::new(Rules::default(), [Board::new(); 9]);
/// setup.boards[4].set(0, "X")?;
/// assert!(setup.validate().is_err(), "a mark in the corner sends the next player to board 0");
/// setup.target = Some(0);
/// assert_eq!(setup.validate().map(|game| game.plies()), Ok(1));
/// # Ok::<(), parlor_tictactoe::ultimate::InvalidInput>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Rules of the game.
    pub rules: Rules,
    /// The nine boards, row by row.
    pub boards: [Board; 9],
    /// Winner of each board; `None` derives them from the lines, which suffices unless won boards
    /// stay open and both players have a line in one.
    pub owners: Option<[Option<Seat>; 9]>,
    /// Board in which the mover must play; `None` for a free choice and in a finished game.
    pub target: Option<u8>,
    /// Side to move; `None` derives it from the marks on the boards. In a finished game, the side
    /// whose turn it would be.
    pub mover: Option<Seat>,
}

impl Setup {
    /// Creates a setup of these boards with a free choice and the side to move given by the marks.
    pub const fn new(rules: Rules, boards: [Board; 9]) -> Setup {
        Setup {
            rules,
            boards,
            owners: None,
            target: None,
            mover: None,
        }
    }

    /// Returns the position, unless it is found to be unreachable.
    ///
    /// The checks look at the marks and at the possible last moves. They do not search for a whole
    /// game: some positions that pass are still unreachable.
    ///
    /// # Errors
    /// Returns all reasons against it.
    pub fn validate(&self) -> Result<Game, UltimateSetupError> {
        let mut faults = Vec::new();
        let last = self.last_mover(&mut faults);
        let owners = self.owners(&mut faults);
        self.check_winner(owners, last, &mut faults);
        self.check_target(owners, last, &mut faults);
        if faults.is_empty() && last.is_some_and(|last| !self.has_last_move(owners, last)) {
            faults.push(UltimateFault::NoLastMove);
        }
        if faults.is_empty() {
            Ok(Game::assemble(
                self.rules,
                &self.boards,
                owners,
                self.target,
            ))
        } else {
            Err(UltimateSetupError(faults))
        }
    }

    /// Returns the player who moved last, by the number of marks; `None` if there are none.
    fn last_mover(&self, faults: &mut Vec<UltimateFault>) -> Option<Seat> {
        let count = |set: fn(&Board) -> u16| {
            self.boards
                .iter()
                .map(|board| set(board).count_ones())
                .sum::<u32>()
        };
        let (x, o) = (count(Board::x), count(Board::o));
        if x != o && x != o + 1 {
            faults.push(UltimateFault::Marks { x, o });
        }
        let next = if x > o { Seat::SECOND } else { Seat::FIRST };
        if self.mover.is_some_and(|mover| mover != next) {
            faults.push(UltimateFault::Mover {
                expected: symbol(next),
            });
        }
        (x + o > 0).then(|| next.next(2))
    }

    /// Returns the sets of boards that X and O have won.
    fn owners(&self, faults: &mut Vec<UltimateFault>) -> [u16; 2] {
        let mut owners = [0; 2];
        for (index, board) in (0..9).zip(&self.boards) {
            let lines = [has_line(board.x()), has_line(board.o())];
            let told = self.owners.map(|told| told[usize::from(index)]);
            let owner = match (lines, told) {
                ([true, true], _) if !self.rules.open => {
                    faults.push(UltimateFault::BothWon { board: index });
                    continue;
                }
                ([true, true], None | Some(None)) => {
                    faults.push(UltimateFault::OwnerMissing { board: index });
                    continue;
                }
                ([true, true], Some(told)) => told,
                ([true, false], _) => Some(Seat::FIRST),
                ([false, true], _) => Some(Seat::SECOND),
                ([false, false], _) => None,
            };
            if told.is_some_and(|told| told != owner) {
                faults.push(UltimateFault::Owner { board: index });
            }
            if let Some(seat) = owner {
                owners[seat.index()] |= 1 << index;
                if !self.rules.open && common_squares(board.marks_of(seat)) == 0 {
                    faults.push(UltimateFault::LinesApart { board: index });
                }
            }
        }
        owners
    }

    /// Checks the lines of boards.
    fn check_winner(&self, owners: [u16; 2], last: Option<Seat>, faults: &mut Vec<UltimateFault>) {
        let winner = match owners.map(has_line) {
            [true, true] => return faults.push(UltimateFault::TwoWinners),
            [true, false] => Seat::FIRST,
            [false, true] => Seat::SECOND,
            [false, false] => return,
        };
        if last != Some(winner) {
            faults.push(UltimateFault::WinnerNotLast {
                winner: symbol(winner),
            });
        }
        if common_squares(owners[winner.index()]) == 0 {
            faults.push(UltimateFault::BoardsApart {
                winner: symbol(winner),
            });
        }
    }

    /// Checks the target.
    fn check_target(&self, owners: [u16; 2], last: Option<Seat>, faults: &mut Vec<UltimateFault>) {
        let Some(target) = self.target else { return };
        if target > 8 {
            faults.push(UltimateFault::TargetRange);
        } else if last.is_none() {
            faults.push(UltimateFault::TargetAtStart);
        } else if is_over(&self.boards, owners) {
            faults.push(UltimateFault::TargetAtEnd);
        } else if self.is_closed(&self.boards, owners, target) {
            faults.push(UltimateFault::TargetClosed { board: target });
        }
    }

    fn is_closed(&self, boards: &[Board; 9], owners: [u16; 2], board: u8) -> bool {
        let won = (owners[0] | owners[1]) >> board & 1 == 1;
        boards[usize::from(board)].is_full() || won && !self.rules.open
    }

    /// Returns true if some mark can have been the last: without it its board is open and the game
    /// not over, and it sends the mover to the target.
    fn has_last_move(&self, owners: [u16; 2], last: Seat) -> bool {
        let over = is_over(&self.boards, owners);
        let leads = |square: u8| match self.target {
            Some(target) => square == target,
            None => over || self.is_closed(&self.boards, owners, square),
        };
        let marks = (0..9).flat_map(|board: u8| (0..9).map(move |square: u8| (board, square)));
        marks
            .filter(|&(board, square)| {
                self.boards[usize::from(board)].marks_of(last) >> square & 1 == 1 && leads(square)
            })
            .any(|(board, square)| self.can_be_last(owners, last, board, square))
    }

    fn can_be_last(&self, owners: [u16; 2], last: Seat, board: u8, square: u8) -> bool {
        let mut before = self.boards;
        before[usize::from(board)].clear(square);
        let left = before[usize::from(board)];
        let mut owned = owners;
        if !has_line(left.marks_of(last)) && owners[last.index()] >> board & 1 == 1 {
            if has_line(left.marks_of(last.next(2))) {
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

/// Returns the squares common to all lines in a set; all nine if it has none.
fn common_squares(set: u16) -> u16 {
    LINES
        .iter()
        .filter(|&&line| set & line == line)
        .fold(ALL, |all, line| all & line)
}

const fn symbol(seat: Seat) -> char {
    if seat.number() == 0 { 'X' } else { 'O' }
}

/// Reason why a setup is not a reachable position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UltimateFault {
    /// The numbers of marks contradict turn order.
    #[error("X has {x} marks and O has {o}, but X begins and they take turns")]
    Marks {
        /// Number of X's marks.
        x: u32,
        /// Number of O's marks.
        o: u32,
    },
    /// It is the other player's turn.
    #[error("by the number of marks it is the turn of {expected}")]
    Mover {
        /// Player whose turn it is.
        expected: char,
    },
    /// Both players have a line in a board that closes with the first.
    #[error("X and O both have a line in board {board}")]
    BothWon {
        /// Board, 0 to 8.
        board: u8,
    },
    /// Both players have a line in an open board, and its owner is not given.
    #[error("X and O both have a line in board {board}, so its owner must be given")]
    OwnerMissing {
        /// Board, 0 to 8.
        board: u8,
    },
    /// The given owner has no line.
    #[error("the lines in board {board} do not belong to its owner")]
    Owner {
        /// Board, 0 to 8.
        board: u8,
    },
    /// The lines of a closed board have no square in common.
    #[error("the lines in board {board} share no square that could have been the last")]
    LinesApart {
        /// Board, 0 to 8.
        board: u8,
    },
    /// Both players have three boards in a row.
    #[error("X and O both have three boards in a row")]
    TwoWinners,
    /// Play continued after the end.
    #[error("{winner} has three boards in a row but did not move last")]
    WinnerNotLast {
        /// Symbol of the winner.
        winner: char,
    },
    /// The winning lines have no board in common.
    #[error("the winning lines of {winner} share no board that could have been the last")]
    BoardsApart {
        /// Symbol of the winner.
        winner: char,
    },
    /// The target is not a board.
    #[error("Board index must be between 0 and 8")]
    TargetRange,
    /// There is a target before the first move.
    #[error("no move has been made, so there is no target")]
    TargetAtStart,
    /// There is a target after the last move.
    #[error("the game is over, so there is no target")]
    TargetAtEnd,
    /// The target takes no more marks.
    #[error("board {board} is completed, so it cannot be the target")]
    TargetClosed {
        /// Board, 0 to 8.
        board: u8,
    },
    /// No mark can have been the last.
    #[error("no last move leads to this position and target")]
    NoLastMove,
}

/// All reasons why a setup is not a reachable position, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(UltimateFault::to_string).collect::<Vec<_>>().join("; "))]
pub struct UltimateSetupError(pub Vec<UltimateFault>);
