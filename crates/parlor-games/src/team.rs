//! Moves out of turn and requests between seats.

use parlor_core::Seat;

use crate::TextPosition;

/// Team play in games where several seats act at a time.
pub trait TeamPlay: TextPosition {
    /// Returns the seats that can move although another seat is on turn.
    fn out_of_turn(&self) -> Vec<Seat> {
        Vec::new()
    }

    /// Returns the open request that the seat on turn has to answer, if any.
    fn consent(&self) -> Option<Consent> {
        None
    }
}

/// Request of one seat to another; the seat that is asked is on turn until it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Seat that asks.
    pub by: Seat,
    /// Seat that is asked.
    pub seat: Seat,
    /// Canonical text of the move that accepts.
    pub agree: String,
}
