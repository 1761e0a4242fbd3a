//! Why a move is refused.

use crate::game::HAND_LIMIT;
use crate::{Card, City, Color, Event, Role};

/// Why a move is refused, with the rule that forbids it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The game is won or lost.
    #[error("The game is over")]
    Over,
    /// Luck decides first.
    #[error("Cards are being drawn: wait until they are resolved")]
    Drawing,
    /// A player is asked.
    #[error("Another player is asked for consent: agree or decline first")]
    AnswerFirst,
    /// Nobody is asked.
    #[error("Nobody has asked for consent")]
    NotAsked,
    /// A forecast is open.
    #[error("The forecast must be put back first: name the city that is to be turned next")]
    ForecastFirst,
    /// No forecast is open, or this card is not among those that are left of it.
    #[error("{0} is not among the cards of a forecast")]
    NotLookedAt(City),
    /// A hand is too large.
    #[error("A hand holds at most {HAND_LIMIT} cards: discard {0} or play an event first")]
    LimitFirst(u32),
    /// No hand is too large.
    #[error("Cards are discarded only by a hand of more than {HAND_LIMIT}")]
    NoLimit,
    /// The stage of the turn is another.
    #[error("This is not the moment for it: {0}")]
    NotNow(&'static str),
    /// Four actions were done.
    #[error("All actions of this turn are used: draw two cards")]
    NoActions,
    /// No such seat.
    #[error("There is no such pawn at this table")]
    NoPawn,
    /// Another's pawn.
    #[error("Only the Dispatcher moves another player's pawn")]
    NotYourPawn,
    /// The pawn is there.
    #[error("The pawn is already in {0}: a move must lead to another city")]
    SameCity(City),
    /// No connection.
    #[error("{from} and {to} are not connected")]
    NotConnected {
        /// Where the pawn is.
        from: City,
        /// Where it should go.
        to: City,
    },
    /// Not in hand.
    #[error("The card {0} is not in this hand")]
    NoCard(Card),
    /// No research station.
    #[error("There is no research station in {0}")]
    NoStation(City),
    /// There is one.
    #[error("There already is a research station in {0}")]
    StationThere(City),
    /// All six are built.
    #[error("All six research stations are on the board: say which of them is moved")]
    NameAStation,
    /// Not all are built.
    #[error("Research stations are left beside the board: none is moved")]
    StationsLeft,
    /// Nothing to treat.
    #[error("There is no {color} cube in {city}")]
    NoCubes {
        /// Where.
        city: City,
        /// Which.
        color: Color,
    },
    /// Sharing over a distance, or with oneself.
    #[error("Knowledge is shared only between two players in the same city")]
    NotTogether,
    /// Another city's card.
    #[error("Only the card of {here} can be shared there; the Researcher gives any")]
    OtherCity {
        /// Where both are.
        here: City,
    },
    /// Cured before.
    #[error("The {0} disease is cured already")]
    AlreadyCured(Color),
    /// Too few or too many cards.
    #[error("A cure takes exactly {needed} cards of its color, not {given}")]
    CureCards {
        /// How many it takes.
        needed: u32,
        /// How many there are.
        given: u32,
    },
    /// Another role's action.
    #[error("Only the {0} can do that")]
    OnlyRole(Role),
    /// No pawn to join.
    #[error("No other pawn is in {0}")]
    NobodyThere(City),
    /// Second flight of a turn.
    #[error("The Operations Expert flies from a station only once a turn")]
    Flown,
    /// Nobody holds it.
    #[error("Nobody holds {0}")]
    NotHeld(Event),
    /// An event at a wrong moment.
    #[error(
        "{0} cannot be played now: between infecting and intensifying only Resilient Population can"
    )]
    EventNow(Event),
    /// A second one.
    #[error("A quiet night is coming already")]
    AlreadyQuiet,
    /// No cards.
    #[error("The infection deck is empty: there is nothing to look at")]
    NothingToSee,
    /// Not discarded.
    #[error("{0} is not in the infection discard pile")]
    NotDiscarded(City),
    /// The event was not discarded.
    #[error("{0} is not in the player discard pile")]
    EventNotDiscarded(Event),
    /// The role card is full.
    #[error("The Contingency Planner already keeps {0}")]
    AlreadyStored(Event),
    /// A no was said.
    #[error("The {0} has declined: do something else first")]
    Declined(Role),
}
