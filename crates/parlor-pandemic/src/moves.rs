//! What seats and luck can do.

use parlor_core::Seat;

use crate::{Card, City, Color, Event, Role};

/// What a seat does.
///
/// A pawn is named by its owner's seat. Everything down to [`Move::Fetch`] is an action of the seat on turn; then come the events, each
/// played by whoever holds it, and what the course of the game asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Drive or take a ferry to a connected city.
    Drive {
        /// Whose pawn; another's only for the Dispatcher, here and in the next three.
        pawn: Seat,
        /// Where to.
        to: City,
    },
    /// Direct flight: discard the card of the city that the pawn flies to.
    Fly {
        /// Whose pawn.
        pawn: Seat,
        /// Where to.
        to: City,
    },
    /// Charter flight: discard the card of the city that the pawn leaves.
    Charter {
        /// Whose pawn.
        pawn: Seat,
        /// Where to.
        to: City,
    },
    /// Shuttle flight from station to station.
    Shuttle {
        /// Whose pawn.
        pawn: Seat,
        /// Where to.
        to: City,
    },
    /// The Dispatcher brings a pawn to a city where another pawn is.
    Join {
        /// Whose pawn, the Dispatcher's own included.
        pawn: Seat,
        /// Where to.
        to: City,
    },
    /// The Operations Expert flies from a station to any city, once a turn, discarding any city card.
    Expert {
        /// Where to.
        to: City,
        /// The card.
        card: City,
    },
    /// Build a research station where the pawn is; with six on the board one of them is moved.
    Build {
        /// The station that is moved.
        from: Option<City>,
    },
    /// Treat a disease where the pawn is.
    Treat {
        /// Which.
        color: Color,
    },
    /// Share knowledge: give a city card to a player in the same city.
    Give {
        /// The card.
        card: City,
        /// Who gets it.
        to: Seat,
    },
    /// Share knowledge: take a city card from a player in the same city.
    Take {
        /// The card.
        card: City,
        /// Who gives it.
        from: Seat,
    },
    /// Discover a cure at a research station.
    Cure {
        /// Of which disease.
        color: Color,
        /// The cards for it: bit `n` is the `n`-th city of that color.
        cards: u16,
    },
    /// The Contingency Planner takes an event from the discard pile onto the role card.
    Fetch {
        /// Which.
        event: Event,
    },
    /// Event: move any pawn to any city.
    Airlift {
        /// Whose.
        pawn: Seat,
        /// Where to.
        to: City,
    },
    /// Event: a research station in any city; with six on the board one of them is moved.
    Grant {
        /// Where.
        at: City,
        /// The station that is moved.
        from: Option<City>,
    },
    /// Event: look at the top six infection cards; their order is asked for next.
    Forecast,
    /// Event: skip the next infection step.
    QuietNight,
    /// Event: remove a card of the infection discard pile from the game.
    Resilient {
        /// Which.
        city: City,
    },
    /// Discard a card beyond the hand limit.
    Discard {
        /// Which.
        card: Card,
    },
    /// Forecast: of the cards that are looked at, this one is to be turned next after those named before.
    Next {
        /// Which.
        city: City,
    },
    /// Agree to what was asked.
    Agree,
    /// Decline it.
    Decline,
    /// End the actions, also before the fourth, and draw two player cards.
    Draw,
    /// Turn the next infection card.
    Infect,
    /// Turn all remaining infection cards of this step without stopping for events.
    InfectAll,
    /// End an epidemic: shuffle the discards and put them on top.
    Intensify,
    /// Go on with the second epidemic of one draw.
    Epidemic,
}

impl Move {
    /// The event card that the move plays.
    pub const fn event(&self) -> Option<Event> {
        match self {
            Move::Airlift { .. } => Some(Event::Airlift),
            Move::Grant { .. } => Some(Event::GovernmentGrant),
            Move::Forecast => Some(Event::Forecast),
            Move::QuietNight => Some(Event::OneQuietNight),
            Move::Resilient { .. } => Some(Event::ResilientPopulation),
            _ => None,
        }
    }

    /// Whether it is one of a turn's four actions.
    pub const fn is_action(&self) -> bool {
        matches!(
            self,
            Move::Drive { .. }
                | Move::Fly { .. }
                | Move::Charter { .. }
                | Move::Shuttle { .. }
                | Move::Join { .. }
                | Move::Expert { .. }
                | Move::Build { .. }
                | Move::Treat { .. }
                | Move::Give { .. }
                | Move::Take { .. }
                | Move::Cure { .. }
                | Move::Fetch { .. }
        )
    }

    /// The pawn it moves, if it moves somebody's pawn and not only the mover's own by its nature.
    pub(crate) const fn pawn(&self) -> Option<(Seat, City)> {
        match self {
            Move::Drive { pawn, to }
            | Move::Fly { pawn, to }
            | Move::Charter { pawn, to }
            | Move::Shuttle { pawn, to }
            | Move::Join { pawn, to }
            | Move::Airlift { pawn, to } => Some((*pawn, *to)),
            _ => None,
        }
    }
}

/// What luck does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// An infection card is turned, in the set-up or in the infection step.
    Infect(City),
    /// The bottom infection card is turned by an epidemic.
    Bottom(City),
    /// A forecast shows an infection card.
    Look(City),
    /// A role is dealt.
    Role(Role),
    /// A card is dealt to a first hand.
    Deal(Card),
    /// A player card is drawn.
    Draw(Card),
    /// An epidemic is drawn.
    Epidemic,
}
