//! Flaws of setups.

use std::fmt;

use parlor_core::Seat;

use crate::game::STATIONS;
use crate::{Card, City, Color, Cubes, EventCard, Illegal, Role, Rules};

/// Reason why a setup is not a possible game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// There are more cubes of a color than exist.
    #[error("{cubes} {color} cubes are on the board; there are {each}", each = Cubes::PER_COLOR)]
    Cubes {
        /// Color of the cubes.
        color: Color,
        /// Number of cubes.
        cubes: u32,
    },
    /// A city has too many cubes of a color.
    #[error("{city} has {cubes} cubes of one color; at the fourth it has an outbreak instead")]
    CubesInCity {
        /// City of the cubes.
        city: City,
        /// Number of cubes.
        cubes: u8,
    },
    /// There are cubes of a cured disease in the Medic's city.
    #[error("the Medic is in {city}, so no {color} cube is there: the disease is cured")]
    MedicAmongCubes {
        /// City of the Medic.
        city: City,
        /// Color of the cubes.
        color: Color,
    },
    /// An infection card is in two places.
    #[error("the infection card {0} is in two places")]
    InfectionTwice(City),
    /// An infection card is missing.
    #[error("the infection card {0} is missing")]
    InfectionMissing(City),
    /// A layer of the infection deck is empty.
    #[error("a layer of the infection deck has no card")]
    EmptyLayer,
    /// More infection cards are removed than possible.
    #[error(
        "{0} infection cards are removed from the game, more than Resilient Population was played"
    )]
    Removed(u32),
    /// A player card is in two places.
    #[error("the card {0} is in two places")]
    CardTwice(Card),
    /// An event is not part of this game.
    #[error("{0} is not among the events of this game")]
    NotPlayedWith(EventCard),
    /// A city is among the removed events.
    #[error("only events are removed from the game, not the card {0}")]
    CityRemoved(City),
    /// An event is stored without a Contingency Planner.
    #[error("{0} is stored, but nobody is the Contingency Planner")]
    NoPlanner(EventCard),
    /// A player has declined more often than any rules allow.
    #[error("seat {0} has declined {1} times in a row; three is the most")]
    Declines(Seat, u8),
    /// The remaining cards cannot form a player deck.
    #[error(
        "{unseen} unseen cards and {epidemics} epidemics cannot form a player deck of this game"
    )]
    Deck {
        /// Number of cities and events placed nowhere.
        unseen: u32,
        /// Number of epidemics not yet drawn.
        epidemics: u8,
    },
    /// More epidemics were drawn than the game has.
    #[error("{drawn} epidemics were drawn; the game has {all}")]
    Epidemics {
        /// Number of epidemics drawn, started or not.
        drawn: u32,
        /// Number of epidemics in the game.
        all: u8,
    },
    /// A hand is too large for this moment.
    #[error("seat {seat} holds {cards} cards, more than a hand can have at this moment")]
    Hand {
        /// Seat that holds it.
        seat: Seat,
        /// Number of cards.
        cards: u32,
    },
    /// Something belongs to a seat that does not exist.
    #[error("there is no seat {0} at a table of {1}")]
    NoSeat(u8, u8),
    /// Two players have the same role.
    #[error("two players are the {0}")]
    RoleTwice(Role),
    /// A seat has no role.
    #[error("seat {0} has no role")]
    NoRole(Seat),
    /// A seat cannot have this role under the rules.
    #[error("seat {0} cannot be the {1} by the rules of this table")]
    WrongRole(Seat, Role),
    /// There are no research stations, or too many.
    #[error("{0} research stations are on the board; there are 1 to {STATIONS}")]
    Stations(u32),
    /// The Operations Expert's flight is used, but the Operations Expert is not on turn.
    #[error("the flight of this turn is used, but the Operations Expert is not on turn")]
    Flown,
    /// Events are ignored outside the infection step.
    #[error("events can be ignored only during the infection step")]
    Hurry,
    /// A count does not fit the stage of the turn.
    #[error("at this stage of the turn, {0}")]
    Stage(&'static str),
    /// The setup did not proceed by the rules.
    #[error("during the set-up, {0}")]
    SetUp(&'static str),
    /// A request or forecast cannot be open.
    #[error("{0}")]
    Interrupt(&'static str),
    /// The requested move is not legal.
    #[error("the move asked for is not possible: {0}")]
    Request(Illegal),
    /// The result contradicts the board.
    #[error("{0}")]
    PandemicEnding(&'static str),
}

/// All flaws of a [`Setup`](crate::Setup), at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaws(pub Vec<Flaw>);

impl fmt::Display for Flaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flaws: Vec<String> = self.0.iter().map(Flaw::to_string).collect();
        f.write_str(&flaws.join("; "))
    }
}

impl std::error::Error for Flaws {}

impl Flaw {
    /// Returns the flaw for a seat number that is too high for these rules.
    pub(super) fn no_seat(seat: usize, rules: Rules) -> Flaw {
        Flaw::NoSeat(seat as u8, rules.players())
    }
}
