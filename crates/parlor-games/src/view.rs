//! JSON types shared by the views of all games.

use parlor_core::{Outcome, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// [`Turn`] as JSON: `{"kind":"move","seat":0}`, `{"kind":"chance"}` or
/// `{"kind":"over","outcome":{…}}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnView {
    /// A seat is to move.
    Move {
        /// Number of the seat.
        seat: u8,
    },
    /// Luck is next.
    Chance,
    /// The game is over.
    Over {
        /// Outcome.
        outcome: OutcomeView,
    },
}

impl From<Turn> for TurnView {
    fn from(turn: Turn) -> TurnView {
        match turn {
            Turn::Move(seat) => TurnView::Move {
                seat: seat.number(),
            },
            Turn::Chance => TurnView::Chance,
            Turn::Over(outcome) => TurnView::Over {
                outcome: outcome.into(),
            },
        }
    }
}

/// [`Outcome`] as JSON: `{"kind":"won","seat":0,"points":1}`, `{"kind":"draw"}`,
/// `{"kind":"team_won"}`, `{"kind":"team_lost"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OutcomeView {
    /// One seat won.
    Won {
        /// Number of the winner's seat.
        seat: u8,
        /// Points won.
        points: u16,
    },
    /// The game is drawn.
    Draw,
    /// All seats won together.
    TeamWon,
    /// All seats lost together.
    TeamLost,
}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> OutcomeView {
        match outcome {
            Outcome::Won { by, points } => OutcomeView::Won {
                seat: by.number(),
                points,
            },
            Outcome::Draw => OutcomeView::Draw,
            Outcome::TeamWon => OutcomeView::TeamWon,
            Outcome::TeamLost => OutcomeView::TeamLost,
        }
    }
}
