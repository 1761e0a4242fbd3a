//! Turn of a table: the one answer to who plays next and who has won, however the game ended.

use parlor_core::{Seat, Turn};
use parlor_games::{OutcomeView, TurnView};
use serde::Serialize;

use crate::{Ending, RecordStep, Table};

/// Turn of a table as JSON: `{"kind":"move","seat":0}`, `{"kind":"chance"}` or
/// `{"kind":"over","outcome":{…}}`.
///
/// A position knows only endings by the rules. A table knows the others as well, such as a
/// resignation, after which the position still has a seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TableTurn {
    /// A seat is to move, or will be once the table is full.
    Move {
        /// Number of the seat.
        seat: u8,
    },
    /// Luck is next.
    Chance,
    /// The game is over.
    Over {
        /// Outcome; `None` if the game was aborted, or if nobody was left to win it.
        outcome: Option<OutcomeView>,
    },
}

impl TableTurn {
    /// Returns the outcome, once there is one.
    pub const fn outcome(self) -> Option<OutcomeView> {
        match self {
            TableTurn::Over { outcome } => outcome,
            TableTurn::Move { .. } | TableTurn::Chance => None,
        }
    }
}

impl From<TurnView> for TableTurn {
    fn from(turn: TurnView) -> TableTurn {
        match turn {
            TurnView::Move { seat } => TableTurn::Move { seat },
            TurnView::Chance => TableTurn::Chance,
            TurnView::Over { outcome } => TableTurn::Over {
                outcome: Some(outcome),
            },
        }
    }
}

impl From<Turn> for TableTurn {
    fn from(turn: Turn) -> TableTurn {
        TurnView::from(turn).into()
    }
}

impl Table {
    /// Returns who plays next, or the outcome.
    pub fn turn(&self) -> TableTurn {
        match self.ending {
            Some(Ending { outcome, .. }) => TableTurn::Over { outcome },
            None => self.position.turn().into(),
        }
    }

    /// Returns the current player of lists and records: the seat on turn, the winner of a finished
    /// game, or the seat that moved last in a drawn one (the first if none did). `None` while a seat
    /// is open or luck is next, after an abort, and after the end of a team's game.
    pub fn current_seat(&self) -> Option<Seat> {
        match self.turn() {
            TableTurn::Move { .. } | TableTurn::Chance => self.on_turn(),
            TableTurn::Over {
                outcome: Some(OutcomeView::Won { seat, .. }),
            } => Seat::new(seat).ok(),
            TableTurn::Over {
                outcome: Some(OutcomeView::Draw),
            } => {
                let last = self.steps.iter().rev().find_map(RecordStep::mover);
                Some(last.unwrap_or(Seat::FIRST))
            }
            TableTurn::Over { .. } => None,
        }
    }
}
