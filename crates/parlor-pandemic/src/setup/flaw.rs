//! What can be wrong with a described situation.

use std::fmt;

use parlor_core::Seat;

use crate::game::STATIONS;
use crate::{Card, City, Color, Cubes, Event, Illegal, Role, Rules};

/// Something that no game can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// More cubes of a color than there are.
    #[error("{cubes} {color} cubes are on the board; there are {each}", each = Cubes::EACH)]
    Cubes {
        /// Which.
        color: Color,
        /// How many.
        cubes: u32,
    },
    /// More cubes of a color than a city holds.
    #[error("{city} has {cubes} cubes of one color; at the fourth it has an outbreak instead")]
    CubesInCity {
        /// Where.
        city: City,
        /// How many.
        cubes: u8,
    },
    /// Cured cubes where the Medic is.
    #[error("the Medic is in {city}, so no {color} cube is there: the disease is cured")]
    MedicAmongCubes {
        /// Where.
        city: City,
        /// Which.
        color: Color,
    },
    /// An infection card in two places.
    #[error("the infection card {0} is in two places")]
    InfectionTwice(City),
    /// An infection card nowhere.
    #[error("the infection card {0} is missing")]
    InfectionMissing(City),
    /// A layer without cards.
    #[error("a layer of the infection deck has no card")]
    EmptyLayer,
    /// More infection cards removed than can be.
    #[error(
        "{0} infection cards are removed from the game, more than Resilient Population was played"
    )]
    Removed(u32),
    /// A player card in two places.
    #[error("the card {0} is in two places")]
    CardTwice(Card),
    /// An event that the table does not play with.
    #[error("{0} is not among the events of this game")]
    NotPlayedWith(Event),
    /// A city among the removed events.
    #[error("only events are removed from the game, not the card {0}")]
    CityRemoved(City),
    /// An event on a role card that nobody has.
    #[error("{0} is stored, but nobody is the Contingency Planner")]
    NoPlanner(Event),
    /// Cards left for a deck that do not make one.
    #[error(
        "{unseen} unseen cards and {epidemics} epidemics are no player deck of this game at any time"
    )]
    Deck {
        /// Cities and events that are placed nowhere.
        unseen: u32,
        /// Epidemics that have not come.
        epidemics: u8,
    },
    /// More epidemics than the game has.
    #[error("{drawn} epidemics were drawn; the game has {all}")]
    Epidemics {
        /// Drawn, begun or not.
        drawn: u32,
        /// In the game.
        all: u8,
    },
    /// A hand that is too large for the moment.
    #[error("seat {seat} holds {cards} cards, more than a hand can have at this moment")]
    Hand {
        /// Whose.
        seat: Seat,
        /// How many.
        cards: u32,
    },
    /// Something of a seat that the table does not have.
    #[error("there is no seat {0} at a table of {1}")]
    NoSeat(u8, u8),
    /// A role twice.
    #[error("two players are the {0}")]
    RoleTwice(Role),
    /// A seat without role.
    #[error("seat {0} has no role")]
    NoRole(Seat),
    /// A role that the seat cannot be dealt.
    #[error("seat {0} cannot be the {1} by the rules of this table")]
    WrongRole(Seat, Role),
    /// No station, or too many.
    #[error("{0} research stations are on the board; there are 1 to {STATIONS}")]
    Stations(u32),
    /// A flight of nobody.
    #[error("the flight of this turn is used, but the Operations Expert is not on turn")]
    Flown,
    /// No stop for events, and no infection step.
    #[error("infection cards are turned without a stop only while they are turned")]
    Hurry,
    /// A count that the stage of the turn does not have.
    #[error("at this stage of the turn, {0}")]
    Stage(&'static str),
    /// Set-up that went another way.
    #[error("during the set-up, {0}")]
    SetUp(&'static str),
    /// A question or a forecast that cannot be open.
    #[error("{0}")]
    Interrupt(&'static str),
    /// A question about a move that is not legal.
    #[error("what is asked for is not possible: {0}")]
    Request(Illegal),
    /// An end that the board does not show, or no end where it shows one.
    #[error("{0}")]
    Ending(&'static str),
}

/// Everything that speaks against a [`Setup`](crate::Setup), at least one thing.
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
    /// A seat's number that is too high for these rules.
    pub(super) fn no_seat(seat: usize, rules: Rules) -> Flaw {
        Flaw::NoSeat(seat as u8, rules.players())
    }
}
