//! Validation of descriptions of positions, which reports everything that is wrong.

mod order;

use parlor_core::Seat;

use crate::{Bits192, Board, Rules, Slot, Stacks};

/// Unchecked description of the discs on a board.
///
/// ```
/// use parlor_connect_four::Setup;
/// let setup = Setup::from_text("4x4x4 ..../..../Y.../RR..")?;
/// assert_eq!(setup.validate()?.plies(), 3);
///
/// let floating = Setup::from_text("4x4x4 ..../..../Y.../.R..")?;
/// let faults = floating.validate().map_err(|faults| faults.to_string());
/// assert_eq!(faults, Err("the disc at column 1, row 2 has nothing below it".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    rules: Rules,
    /// Owners of the discs, row by row from the top.
    slots: Vec<Option<Seat>>,
}

impl Setup {
    /// Creates a setup from the owner of the disc in every slot, row by row from the top; `None`
    /// means an empty slot.
    pub fn new(rules: Rules, slots: Vec<Option<Seat>>) -> Setup {
        Setup { rules, slots }
    }

    /// Returns the position if it is reachable under these rules.
    ///
    /// Discs that no order of turns can bring into their columns are rejected. If the search for an
    /// order takes too long, a setup without any other fault is accepted; the tests have found no
    /// game in which that happens.
    ///
    /// # Errors
    /// All faults: a wrong number of slots, discs of unknown seats, floating discs, impossible
    /// numbers of discs, a winner who did not move last, lines that no single last disc can have
    /// completed. If there are none of these: columns that cannot have been filled in turns.
    pub fn validate(&self) -> Result<Board, InvalidSetup> {
        let expected = usize::from(self.rules.slots());
        if self.slots.len() != expected {
            let slots = self.slots.len();
            return Err(InvalidSetup(vec![SetupFault::Slots { slots, expected }]));
        }
        let mut faults = self.misplaced();
        let [first, second] = [Seat::FIRST, Seat::SECOND].map(|seat| self.count(seat));
        if first != second && first != second + 1 {
            faults.push(SetupFault::Counts { first, second });
        }
        let mover = if first > second {
            Seat::FIRST
        } else {
            Seat::SECOND
        };
        let last = self.last_columns(mover, &mut faults);
        if faults.is_empty() && !order::exists(&self.columns(), mover, &last) {
            faults.push(SetupFault::Order);
        }
        if faults.is_empty() {
            Ok(Board::with_discs(self.rules, |slot| self.at(slot)))
        } else {
            Err(InvalidSetup(faults))
        }
    }

    /// Returns the disc in a slot of the board.
    fn at(&self, slot: Slot) -> Option<Seat> {
        let from_top = usize::from(self.rules.rows() - 1 - slot.row);
        self.slots[from_top * usize::from(self.rules.columns()) + usize::from(slot.column)]
    }

    fn count(&self, seat: Seat) -> usize {
        self.slots
            .iter()
            .flatten()
            .filter(|&&disc| disc == seat)
            .count()
    }

    /// Returns the discs of every column from the bottom, without gaps.
    fn columns(&self) -> Vec<Vec<Seat>> {
        let discs =
            |column| (0..self.rules.rows()).filter_map(move |row| self.at(Slot::new(column, row)));
        (0..self.rules.columns())
            .map(|column| discs(column).collect())
            .collect()
    }

    /// Returns the faults of single discs: unknown seats and floating discs.
    fn misplaced(&self) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        for slot in Board::new(self.rules).slots() {
            let Some(seat) = self.at(slot) else { continue };
            if seat > Seat::SECOND {
                faults.push(SetupFault::UnknownSeat { seat, slot });
            }
            let below = slot
                .row
                .checked_sub(1)
                .map(|row| Slot::new(slot.column, row));
            if below.is_some_and(|below| self.at(below).is_none()) {
                faults.push(SetupFault::Floating(slot));
            }
        }
        faults
    }

    /// Returns the columns whose top disc can have been the last one dropped; adds faults of the
    /// lines to `faults`.
    fn last_columns(&self, mover: Seat, faults: &mut Vec<SetupFault>) -> Vec<usize> {
        let tops: Vec<Slot> = (0..self.rules.columns())
            .filter_map(|column| {
                let rows = (0..self.rules.rows()).rev();
                rows.map(|row| Slot::new(column, row))
                    .find(|&slot| self.at(slot).is_some())
            })
            .filter(|&slot| self.at(slot) == Some(mover))
            .collect();
        let wins = [Seat::FIRST, Seat::SECOND].map(|seat| self.has_line(seat, None));
        let winner = match wins {
            [true, true] => {
                faults.push(SetupFault::TwoWinners);
                return Vec::new();
            }
            [true, false] => Seat::FIRST,
            [false, true] => Seat::SECOND,
            [false, false] => return tops.iter().map(|slot| usize::from(slot.column)).collect(),
        };
        if winner != mover {
            faults.push(SetupFault::WinnerNotLast(winner));
            return Vec::new();
        }
        let ends = |slot: &&Slot| !self.has_line(winner, Some(**slot));
        let last: Vec<usize> = tops
            .iter()
            .filter(ends)
            .map(|slot| usize::from(slot.column))
            .collect();
        if last.is_empty() {
            faults.push(SetupFault::LinesApart(winner));
        }
        last
    }

    /// Returns true if a seat has a line, ignoring the disc `without`.
    fn has_line(&self, seat: Seat, without: Option<Slot>) -> bool {
        let own = |slot| {
            self.at(slot)
                .filter(|&disc| disc == seat && Some(slot) != without)
        };
        let stacks = Stacks::<Bits192>::new(self.rules).expect("a board of 12x12 fits 192 bits");
        stacks.has_line(stacks.collect(own))
    }
}

/// Reason why a setup is not reachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupFault {
    /// The list of slots is too short or too long.
    #[error("{slots} slots are given where the board has {expected}")]
    Slots {
        /// Number of slots given.
        slots: usize,
        /// Number of slots of the board.
        expected: usize,
    },
    /// A disc belongs to a seat that does not exist.
    #[error("the disc at {slot} belongs to seat {seat}, but only two seats play")]
    UnknownSeat {
        /// Unknown seat.
        seat: Seat,
        /// Slot of the disc.
        slot: Slot,
    },
    /// A disc is above an empty slot.
    #[error("the disc at {0} has nothing below it")]
    Floating(Slot),
    /// The numbers of discs cannot result from alternating turns.
    #[error(
        "{first} red and {second} yellow discs do not come from taking turns: red has as many as yellow, or one more"
    )]
    Counts {
        /// Number of discs of the first seat.
        first: usize,
        /// Number of discs of the second seat.
        second: usize,
    },
    /// Both seats have a line, although the first line ends the game.
    #[error("red and yellow both have a line")]
    TwoWinners,
    /// Play continued after a win.
    #[error("{} has a line, but {} moved last", color(*.0), color(.0.next(2)))]
    WinnerNotLast(Seat),
    /// The winner's lines have no common disc that can have been the last.
    #[error("no single last disc can have completed all lines of {}", color(*.0))]
    LinesApart(Seat),
    /// No order of turns fills the columns like this.
    #[error("the columns cannot have been filled by taking turns")]
    Order,
}

/// Returns the color of a seat's discs.
fn color(seat: Seat) -> &'static str {
    if seat == Seat::FIRST { "red" } else { "yellow" }
}

/// Error for an invalid setup, with all faults; never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(SetupFault::to_string).collect::<Vec<_>>().join("; "))]
pub struct InvalidSetup(pub Vec<SetupFault>);
