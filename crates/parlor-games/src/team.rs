//! Seats that move out of turn and ask each other.

use parlor_core::Seat;

use crate::TextPosition;

/// Play of several seats at a time, in games that have it.
pub trait TeamPlay: TextPosition {
    /// Returns the seats that can move though another is on turn.
    fn out_of_turn(&self) -> Vec<Seat> {
        Vec::new()
    }

    /// Returns the request that the seat on turn has to answer, if another seat asked for
    /// something.
    fn consent(&self) -> Option<Consent> {
        None
    }
}

/// Request of one seat to another, which is on turn for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Seat that asks.
    pub by: Seat,
    /// Seat that is asked.
    pub seat: Seat,
    /// Canonical text of the move that agrees.
    pub agree: String,
}
