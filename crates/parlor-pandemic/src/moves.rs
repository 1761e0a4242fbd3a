//! Moves and chances.

use parlor_core::Seat;

use crate::{Card, City, Color, EventCard, Role};

/// A move.
///
/// A pawn is identified by its owner's seat. All variants up to [`Move::Fetch`] are actions of the
/// seat on turn. The events follow, each played by its holder, then the moves that the course of
/// the game requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Drive or take a ferry to a connected city.
    Drive {
        /// Owner of the pawn; only the Dispatcher moves another's, here and in the next three
        /// moves.
        pawn: Seat,
        /// Destination.
        to: City,
    },
    /// Direct flight: discard the card of the destination.
    Fly {
        /// Owner of the pawn.
        pawn: Seat,
        /// Destination.
        to: City,
    },
    /// Charter flight: discard the card of the city that the pawn leaves.
    Charter {
        /// Owner of the pawn.
        pawn: Seat,
        /// Destination.
        to: City,
    },
    /// Shuttle flight between two research stations.
    Shuttle {
        /// Owner of the pawn.
        pawn: Seat,
        /// Destination.
        to: City,
    },
    /// The Dispatcher moves a pawn to a city that contains another pawn.
    Join {
        /// Owner of the pawn, possibly the Dispatcher.
        pawn: Seat,
        /// Destination.
        to: City,
    },
    /// The Operations Expert flies from a station to any city, once per turn, discarding any city
    /// card.
    Expert {
        /// Destination.
        to: City,
        /// Discarded card.
        card: City,
    },
    /// Build a research station in the pawn's city; if all six are on the board, one of them is
    /// moved.
    Build {
        /// Station that is moved.
        from: Option<City>,
    },
    /// Treat a disease in the pawn's city.
    Treat {
        /// Color of the disease.
        color: Color,
    },
    /// Share knowledge: give a city card to a player in the same city.
    Give {
        /// Card given.
        card: City,
        /// Receiving player.
        to: Seat,
    },
    /// Share knowledge: take a city card from a player in the same city.
    Take {
        /// Card taken.
        card: City,
        /// Giving player.
        from: Seat,
    },
    /// Discover a cure at a research station.
    Cure {
        /// Color of the disease.
        color: Color,
        /// Cards discarded: bit `n` is the `n`-th city of that color.
        cards: u16,
    },
    /// The Contingency Planner puts an event from the discard pile on the role card.
    Fetch {
        /// Event taken.
        event: EventCard,
    },
    /// Event: move any pawn to any city.
    Airlift {
        /// Owner of the pawn.
        pawn: Seat,
        /// Destination.
        to: City,
    },
    /// Event: build a research station in any city; if all six are on the board, one of them is
    /// moved.
    Grant {
        /// City of the new station.
        at: City,
        /// Station that is moved.
        from: Option<City>,
    },
    /// Event: look at the top six infection cards and then choose their order.
    Forecast,
    /// Event: skip the next infection step.
    QuietNight,
    /// Event: remove a card of the infection discard pile from the game.
    Resilient {
        /// Card removed.
        city: City,
    },
    /// Discard a card beyond the hand limit.
    Discard {
        /// Card discarded.
        card: Card,
    },
    /// Forecast: choose the card to be turned after those already chosen.
    Next {
        /// Card chosen.
        city: City,
    },
    /// Agree to the requested move.
    Agree,
    /// Decline the requested move.
    Decline,
    /// End the actions, even before the fourth, and draw two player cards.
    Draw,
    /// Turn the next infection card.
    Infect,
    /// Turn all remaining infection cards of this step without stopping for events.
    InfectAll,
    /// End an epidemic: shuffle the infection discards and put them on top of the deck.
    Intensify,
    /// Continue with the second epidemic of one draw.
    Epidemic,
}

impl Move {
    /// Returns the event card that the move plays.
    pub const fn event(&self) -> Option<EventCard> {
        match self {
            Move::Airlift { .. } => Some(EventCard::Airlift),
            Move::Grant { .. } => Some(EventCard::GovernmentGrant),
            Move::Forecast => Some(EventCard::Forecast),
            Move::QuietNight => Some(EventCard::OneQuietNight),
            Move::Resilient { .. } => Some(EventCard::ResilientPopulation),
            _ => None,
        }
    }

    /// Returns true if the move is one of a turn's four actions.
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

    /// Returns the pawn and its destination for moves that name a pawn.
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

/// A chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// An infection card is turned, during the setup or in the infection step.
    Infect(City),
    /// The bottom infection card is turned by an epidemic.
    Bottom(City),
    /// A forecast shows an infection card.
    Look(City),
    /// A role is dealt.
    Role(Role),
    /// A card is dealt to an initial hand.
    Deal(Card),
    /// A player card is drawn.
    Draw(Card),
    /// An epidemic is drawn.
    Epidemic,
}
