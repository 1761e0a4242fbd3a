//! Moves and chances.

use parlor_core::Seat;

use crate::{Card, City, Color, ColorCities, EventCard, Role};

/// A move: an action of the seat on turn, an event played by its holder, or a step that the course
/// of the game requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// One of a turn's four actions.
    Action(Action),
    /// An event card, played by its holder.
    Event(EventPlay),
    /// Anything else: a draw, a discard, an answer.
    Step(TurnStep),
}

/// One of a turn's four actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Move a pawn to another city.
    Travel {
        /// Owner of the pawn; only the Dispatcher moves another's.
        pawn: Seat,
        /// Way of getting there.
        way: Way,
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
    /// Discover the cure of a disease at a research station.
    Cure {
        /// Cards discarded, all of the color of the disease.
        cards: ColorCities,
    },
    /// The Contingency Planner puts an event from the discard pile on the role card.
    Fetch {
        /// Event taken.
        event: EventCard,
    },
}

/// A way to move a pawn for an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Drive or take a ferry to a connected city.
    Drive,
    /// Direct flight: discard the card of the destination.
    Fly,
    /// Charter flight: discard the card of the city that the pawn leaves.
    Charter,
    /// Shuttle flight between two research stations.
    Shuttle,
    /// The Dispatcher moves a pawn, possibly the own one, to a city that contains another pawn.
    Join,
}

/// An event card being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventPlay {
    /// Move any pawn to any city.
    Airlift {
        /// Owner of the pawn.
        pawn: Seat,
        /// Destination.
        to: City,
    },
    /// Build a research station in any city; if all six are on the board, one of them is moved.
    Grant {
        /// City of the new station.
        at: City,
        /// Station that is moved.
        from: Option<City>,
    },
    /// Look at the top six infection cards and then choose their order.
    Forecast,
    /// Skip the next infection step.
    QuietNight,
    /// Remove a card of the infection discard pile from the game.
    Resilient {
        /// Card removed.
        city: City,
    },
}

/// A step that the course of the game requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnStep {
    /// Discard a card beyond the hand limit.
    Discard {
        /// Card discarded.
        card: Card,
    },
    /// Choose the card of a forecast to be turned after those already chosen.
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
            Move::Event(event) => Some(event.card()),
            Move::Action(_) | Move::Step(_) => None,
        }
    }

    /// Returns the seat whose pawn the move moves, or with which it shares a card.
    pub(crate) const fn concerns(&self) -> Option<Seat> {
        match *self {
            Move::Action(Action::Travel { pawn: seat, .. })
            | Move::Action(Action::Give { to: seat, .. } | Action::Take { from: seat, .. })
            | Move::Event(EventPlay::Airlift { pawn: seat, .. }) => Some(seat),
            Move::Action(
                Action::Expert { .. }
                | Action::Build { .. }
                | Action::Treat { .. }
                | Action::Cure { .. }
                | Action::Fetch { .. },
            )
            | Move::Event(
                EventPlay::Grant { .. }
                | EventPlay::Forecast
                | EventPlay::QuietNight
                | EventPlay::Resilient { .. },
            )
            | Move::Step(_) => None,
        }
    }
}

impl From<Action> for Move {
    fn from(action: Action) -> Move {
        Move::Action(action)
    }
}

impl From<EventPlay> for Move {
    fn from(event: EventPlay) -> Move {
        Move::Event(event)
    }
}

impl From<TurnStep> for Move {
    fn from(step: TurnStep) -> Move {
        Move::Step(step)
    }
}

impl Way {
    /// Returns true if the way costs no card.
    pub const fn is_free(self) -> bool {
        match self {
            Way::Drive | Way::Shuttle | Way::Join => true,
            Way::Fly | Way::Charter => false,
        }
    }
}

impl EventPlay {
    /// Returns the card.
    pub const fn card(self) -> EventCard {
        match self {
            EventPlay::Airlift { .. } => EventCard::Airlift,
            EventPlay::Grant { .. } => EventCard::GovernmentGrant,
            EventPlay::Forecast => EventCard::Forecast,
            EventPlay::QuietNight => EventCard::OneQuietNight,
            EventPlay::Resilient { .. } => EventCard::ResilientPopulation,
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
