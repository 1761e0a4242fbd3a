//! Reasons for refusing a move.

use crate::game::HAND_LIMIT;
use crate::{Card, City, Color, EventCard, Role};

/// Reason for refusing a move, stating the rule that forbids it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("The game is over")]
    Over,
    /// A chance is due first.
    #[error("Cards are being drawn: wait until they are resolved")]
    Drawing,
    /// Another player has been asked for consent.
    #[error("Another player is asked for consent: agree or decline first")]
    AnswerFirst,
    /// No request for consent is open.
    #[error("Nobody has asked for consent")]
    NotAsked,
    /// A forecast is open.
    #[error("The forecast must be put back first: name the city that is to be turned next")]
    ForecastFirst,
    /// No forecast is open, or the card is not among its remaining ones.
    #[error("{0} is not among the cards of a forecast")]
    NotLookedAt(City),
    /// A hand is too large; holds the number of cards to discard.
    #[error("A hand holds at most {HAND_LIMIT} cards: discard {0} or play an event first")]
    LimitFirst(u32),
    /// No hand is too large.
    #[error("Cards are discarded only by a hand of more than {HAND_LIMIT}")]
    NoLimit,
    /// The move does not belong to this stage of the turn.
    #[error("This cannot be done now: {0}")]
    NotNow(&'static str),
    /// All four actions are used.
    #[error("All actions of this turn are used: draw two cards")]
    NoActions,
    /// There is no such seat.
    #[error("There is no such pawn at this table")]
    NoPawn,
    /// The pawn belongs to another player.
    #[error("Only the Dispatcher moves another player's pawn")]
    NotYourPawn,
    /// The pawn is already there.
    #[error("The pawn is already in {0}: a move must lead to another city")]
    SameCity(City),
    /// The cities are not connected.
    #[error("{from} and {to} are not connected")]
    NotConnected {
        /// City of the pawn.
        from: City,
        /// Destination.
        to: City,
    },
    /// The card is not in the hand.
    #[error("The card {0} is not in this hand")]
    NoCard(Card),
    /// The city has no research station.
    #[error("There is no research station in {0}")]
    NoStation(City),
    /// The city already has a research station.
    #[error("There already is a research station in {0}")]
    StationThere(City),
    /// All six stations are built, so one to move must be named.
    #[error("All six research stations are on the board: name the one to move")]
    NameAStation,
    /// Not all stations are built, so none is moved.
    #[error("Research stations are left beside the board: none is moved")]
    StationsLeft,
    /// There is no cube to treat.
    #[error("There is no {color} cube in {city}")]
    NoCubes {
        /// City of the pawn.
        city: City,
        /// Color of the disease.
        color: Color,
    },
    /// The two players are not in the same city, or are the same.
    #[error("Knowledge is shared only between two players in the same city")]
    NotTogether,
    /// The card is that of another city.
    #[error("Only the card of {here} can be shared there; the Researcher gives any")]
    OtherCity {
        /// City of both players.
        here: City,
    },
    /// The disease is already cured.
    #[error("The {0} disease is cured already")]
    AlreadyCured(Color),
    /// Too few or too many cards.
    #[error("A cure takes exactly {needed} cards of its color, not {given}")]
    CureCards {
        /// Number of cards needed.
        needed: u32,
        /// Number of cards given.
        given: u32,
    },
    /// The action belongs to another role.
    #[error("Only the {0} can do that")]
    OnlyRole(Role),
    /// There is no pawn to join.
    #[error("No other pawn is in {0}")]
    NobodyThere(City),
    /// The Operations Expert's flight of this turn is used.
    #[error("The Operations Expert flies from a station only once a turn")]
    Flown,
    /// No player holds the event.
    #[error("Nobody holds {0}")]
    NotHeld(EventCard),
    /// The event cannot be played at this moment.
    #[error(
        "{0} cannot be played now: between infecting and intensifying only Resilient Population can"
    )]
    EventNow(EventCard),
    /// The next infection step is already skipped.
    #[error("A quiet night is coming already")]
    AlreadyQuiet,
    /// There are no cards to look at.
    #[error("The infection deck is empty: there is nothing to look at")]
    NothingToSee,
    /// The city is not in the infection discard pile.
    #[error("{0} is not in the infection discard pile")]
    NotDiscarded(City),
    /// The event is not in the player discard pile.
    #[error("{0} is not in the player discard pile")]
    EventNotDiscarded(EventCard),
    /// The role card already holds an event.
    #[error("The Contingency Planner already keeps {0}")]
    AlreadyStored(EventCard),
    /// The player has declined, as often as the rules allow.
    #[error("The {0} has declined: do something else first")]
    Declined(Role),
}
