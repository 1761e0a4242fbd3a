//! Moves out of turn and requests between seats.

use parlor_core::Seat;

use crate::TextPosition;

/// Team play in games where several seats act at a time.
pub trait TeamPlay: TextPosition {
    /// Returns the seats that can move although another seat is on turn.
    fn out_of_turn(&self) -> Vec<Seat> {
        Vec::new()
    }

    /// Returns the seat in whose turn the seat to move decides, which may be another one: one that is
    /// asked for consent, or has to discard. `None` while no seat is to move.
    fn turn_of(&self) -> Option<Seat> {
        self.turn().seat()
    }

    /// Returns how much the seats that can move out of turn may want to do so before the seat on turn
    /// goes on; `None` if nobody needs to be asked now.
    fn moment(&self) -> Option<Moment> {
        None
    }

    /// Returns the open request that the seat on turn has to answer, if any.
    fn consent(&self) -> Option<Consent> {
        None
    }

    /// True if the seat on turn is asked something that does not belong to its own plans: for consent,
    /// or for cards to discard.
    fn awaits_answer(&self) -> bool {
        self.consent().is_some()
    }
}

/// Urgency of moves out of turn before the seat on turn goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// Such a move is possible.
    Possible,
    /// The next step cannot be undone: now or never.
    Crucial,
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
