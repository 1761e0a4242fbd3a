//! The state of a game, and the decision due next.

use parlor_core::{Outcome, Seat, Turn};

use crate::moves::Move;
use crate::{
    Cards, Cities, City, Color, Colors, Consent, Cubes, EventCard, EventCards, InfectionDeck,
    PlayerDeck, Role, Rules, Seats,
};

/// Infection rate at each step of its track.
pub const RATES: [u8; 7] = [2, 2, 2, 3, 3, 4, 4];
/// Number of outbreaks at which the game is lost.
pub const MAX_OUTBREAKS: u8 = 8;
/// Maximum number of cards in a hand, cities and events together.
pub const HAND_LIMIT: u32 = 7;
/// Number of actions in a turn.
pub const ACTIONS: u8 = 4;
/// Number of research stations in the box.
pub const STATIONS: u32 = 6;
/// Number of infection cards shown by a forecast.
pub const FORECAST: usize = 6;

/// A game of Pandemic: everything on the table, and what is known about the face-down cards.
///
/// The value is small and has no heap data, so copying it takes a few nanoseconds. Every game ends
/// after at most [`Rules::max_moves`] moves.
///
/// ```
/// use parlor_core::{Position, Turn};
/// use parlor_pandemic::{Game, Rules};
/// let game = Game::new(Rules::new(2, 4).expect("a game of the box"));
/// assert_eq!(game.turn(), Turn::Chance, "the first infection cards are turned");
/// assert_eq!(game.chances().len(), 48);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    pub(crate) rules: Rules,
    pub(crate) cubes: Cubes,
    pub(crate) infection: InfectionDeck,
    pub(crate) deck: PlayerDeck,
    pub(crate) hands: [Cards; Rules::MAX_PLAYERS],
    /// Seats whose hand is too large.
    pub(crate) full: Seats,
    pub(crate) discard: Cards,
    /// Events that a Contingency Planner played for the second time.
    pub(crate) gone: Cards,
    pub(crate) stations: Cities,
    pub(crate) roles: [Option<Role>; Rules::MAX_PLAYERS],
    pub(crate) pawns: [City; Rules::MAX_PLAYERS],
    pub(crate) stored: Option<EventCard>,
    pub(crate) outbreaks: u8,
    /// Number of epidemics drawn and started.
    pub(crate) epidemics: u8,
    pub(crate) cured: Colors,
    pub(crate) eradicated: Colors,
    pub(crate) active: Seat,
    pub(crate) actions: u8,
    /// True if the Operations Expert's flight of this turn is used.
    pub(crate) flown: bool,
    pub(crate) quiet_night: bool,
    /// True if the rest of this infection step does not stop for events.
    pub(crate) hurry: bool,
    /// Number of times that each seat has declined since the last other move.
    pub(crate) declines: [u8; Rules::MAX_PLAYERS],
    pub(crate) stage: Stage,
    pub(crate) interrupt: Option<Interrupt>,
    /// Number of epidemics drawn and not yet started.
    pub(crate) pending: u8,
    /// Number of infection cards still to be turned in this step.
    pub(crate) infections: u8,
    pub(crate) ending: Option<PandemicEnding>,
}

/// Stage of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Setup, before the chance with this index: nine infections, then roles, then hands.
    Setup(u8),
    /// The player on turn takes actions.
    Actions,
    /// This many player cards are still to be drawn.
    Draw(u8),
    /// The bottom infection card is turned next.
    Epidemic,
    /// An epidemic has infected; before it intensifies, players may play an event.
    Intensify,
    /// A second epidemic is waiting.
    NextEpidemic,
    /// The next infection card is waiting; true if the step has begun.
    Infect(bool),
    /// An infection card is turned next.
    Infecting,
}

/// A decision that must be made before the stage continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interrupt {
    /// A seat is asked for consent.
    Consent {
        /// Seat that is asked.
        asked: Seat,
        /// Seat that asks.
        by: Seat,
        /// Move that needs consent.
        request: Move,
    },
    /// A forecast is turning up cards.
    Look {
        /// Seat that plays the forecast.
        seat: Seat,
        /// Number of cards still to be turned up.
        left: u8,
        /// Cards turned up so far.
        seen: Cities,
    },
    /// The cards of a forecast are being put back.
    Order {
        /// Seat that plays the forecast.
        seat: Seat,
        /// Cards not yet put back.
        seen: Cities,
        /// Chosen order: the card to be turned first, second and so on.
        placed: [Option<City>; FORECAST],
    },
}

/// Result of a game and its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PandemicEnding {
    /// All four diseases are cured.
    Cured,
    /// The eighth outbreak happened.
    Outbreaks,
    /// A cube was needed and none of its color was left.
    Cubes(Color),
    /// Two cards had to be drawn and fewer were left.
    Cards,
}

/// Decision due next, with the seat that makes it unless that is the seat on turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PendingDecision {
    Over(PandemicEnding),
    Luck,
    /// Agree or decline.
    Consent(Seat),
    /// Put a forecast back.
    Order(Seat),
    /// Discard down to the hand limit.
    Limit(Seat),
    /// Act, or draw.
    Act,
    /// Intensify.
    Intensify,
    /// Continue with the second epidemic.
    NextEpidemic,
    /// Turn an infection card.
    Infect,
}

impl Game {
    /// Creates a game before its setup: chances turn the first infection cards and deal roles and
    /// hands.
    pub fn new(rules: Rules) -> Game {
        Game {
            rules,
            cubes: Cubes::NONE,
            infection: InfectionDeck::new(),
            deck: PlayerDeck::new(rules),
            hands: [Cards::NONE; Rules::MAX_PLAYERS],
            full: Seats::NONE,
            discard: Cards::NONE,
            gone: Cards::NONE,
            stations: Cities::one(City::ATLANTA),
            roles: [None; Rules::MAX_PLAYERS],
            pawns: [City::ATLANTA; Rules::MAX_PLAYERS],
            stored: None,
            outbreaks: 0,
            epidemics: 0,
            cured: Colors::NONE,
            eradicated: Colors::NONE,
            active: Seat::FIRST,
            actions: 0,
            flown: false,
            quiet_night: false,
            hurry: false,
            declines: [0; Rules::MAX_PLAYERS],
            stage: Stage::Setup(0),
            interrupt: None,
            pending: 0,
            infections: 0,
            ending: None,
        }
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the same position with other rules of consent. An open request remains open.
    ///
    /// Bots use it for planning, because their partners agree anyway.
    #[must_use]
    pub const fn with_consent(mut self, consent: Consent) -> Game {
        self.rules = self.rules.with_consent(consent);
        self
    }

    /// Returns the cubes on the board and in the supply.
    pub const fn cubes(&self) -> &Cubes {
        &self.cubes
    }

    /// Returns the infection deck and its discard pile.
    pub const fn infection(&self) -> &InfectionDeck {
        &self.infection
    }

    /// Returns the player deck.
    pub const fn deck(&self) -> &PlayerDeck {
        &self.deck
    }

    /// Returns a seat's hand, without the Contingency Planner's stored event.
    pub const fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat.index()]
    }

    /// Returns the player discard pile, without epidemics.
    pub const fn discard(&self) -> Cards {
        self.discard
    }

    /// Returns the events removed from the game.
    pub const fn removed_events(&self) -> Cards {
        self.gone
    }

    /// Returns the event on the Contingency Planner's role card.
    pub const fn stored(&self) -> Option<EventCard> {
        self.stored
    }

    /// Returns the cities with a research station.
    pub const fn stations(&self) -> Cities {
        self.stations
    }

    /// Returns a seat's role; `None` before it is dealt.
    pub const fn role(&self, seat: Seat) -> Option<Role> {
        self.roles[seat.index()]
    }

    /// Returns the seat with a role.
    pub fn seat_of(&self, role: Role) -> Option<Seat> {
        self.rules
            .seats()
            .find(|seat| self.roles[seat.index()] == Some(role))
    }

    /// Returns the city of a seat's pawn.
    pub const fn pawn(&self, seat: Seat) -> City {
        self.pawns[seat.index()]
    }

    /// Returns the cities that contain pawns.
    pub fn occupied(&self) -> Cities {
        self.rules.seats().map(|seat| self.pawn(seat)).collect()
    }

    /// Returns the number of outbreaks so far, 0 to 8.
    pub const fn outbreaks(&self) -> u8 {
        self.outbreaks
    }

    /// Returns the number of epidemics so far. It is also the step on the infection-rate track, at
    /// most 6.
    pub const fn epidemics(&self) -> u8 {
        self.epidemics
    }

    /// Returns the step on the infection-rate track, from 0.
    pub const fn rate_index(&self) -> u8 {
        let last = RATES.len() as u8 - 1;
        if self.epidemics < last {
            self.epidemics
        } else {
            last
        }
    }

    /// Returns the number of infection cards in each infection step: 2, 3 or 4.
    pub const fn rate(&self) -> u8 {
        RATES[self.rate_index() as usize]
    }

    /// Returns true if a disease is cured.
    pub const fn is_cured(&self, color: Color) -> bool {
        self.cured.has(color)
    }

    /// Returns true if a disease is cured and gone from the board.
    pub const fn is_eradicated(&self, color: Color) -> bool {
        self.eradicated.has(color)
    }

    /// Returns the number of cured diseases.
    pub const fn cures(&self) -> u8 {
        self.cured.len() as u8
    }

    /// Returns the seat whose turn it is, even while another seat is asked for consent.
    pub const fn active(&self) -> Seat {
        self.active
    }

    /// Returns the number of actions left in this turn.
    pub const fn actions(&self) -> u8 {
        self.actions
    }

    /// Returns true if the Operations Expert's flight of this turn is used.
    pub const fn flown(&self) -> bool {
        self.flown
    }

    /// Returns true if the next infection step is skipped.
    pub const fn quiet_night(&self) -> bool {
        self.quiet_night
    }

    /// Returns the stage of the turn.
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Returns the decision that must be made first, if any.
    pub const fn interrupt(&self) -> Option<Interrupt> {
        self.interrupt
    }

    /// Returns the number of infection cards left in the current infection step.
    pub const fn infections_left(&self) -> u8 {
        self.infections
    }

    /// Returns the result, if the game is over.
    pub const fn ending(&self) -> Option<PandemicEnding> {
        self.ending
    }

    /// Returns true if the setup is complete.
    pub const fn is_set_up(&self) -> bool {
        !matches!(self.stage, Stage::Setup(_))
    }

    /// Returns the number of cards of one color that a seat needs for a cure.
    pub fn cards_for_cure(&self, seat: Seat) -> u32 {
        if self.role(seat) == Some(Role::Scientist) {
            4
        } else {
            5
        }
    }

    /// Returns the seat that holds an event, in hand or stored.
    pub fn holder(&self, event: EventCard) -> Option<Seat> {
        if self.stored == Some(event) {
            return self.seat_of(Role::ContingencyPlanner);
        }
        self.rules.seats().find(|seat| self.hand(*seat).has(event))
    }

    /// Returns all events held by players, in hand or stored.
    fn held_events(&self) -> EventCards {
        let held = self
            .hands
            .iter()
            .fold(Cards::NONE, |all, hand| all.or(*hand));
        self.stored
            .map_or(held.events(), |event| held.events().with(event))
    }

    /// Returns true if any player holds an event.
    pub(crate) fn has_events(&self) -> bool {
        !self.held_events().is_empty()
    }

    /// Returns the cities in which a color is not placed and has no outbreak: those around the
    /// Quarantine Specialist and, once the disease is cured, that of the Medic.
    pub fn protected(&self, color: Color) -> Cities {
        let mut safe = Cities::NONE;
        for (role, pawn) in self.roles.iter().zip(self.pawns) {
            match role {
                Some(Role::QuarantineSpecialist) => safe = safe.or(pawn.neighbors()).with(pawn),
                Some(Role::Medic) if self.is_cured(color) => safe = safe.with(pawn),
                _ => {}
            }
        }
        safe
    }

    /// Returns true if a seat holds more cards than allowed.
    pub fn is_over_limit(&self, seat: Seat) -> bool {
        self.hand(seat).len() > HAND_LIMIT
    }

    pub(crate) fn pending_decision(&self) -> PendingDecision {
        if let Some(ending) = self.ending {
            return PendingDecision::Over(ending);
        }
        match self.interrupt {
            Some(Interrupt::Consent { asked, .. }) => return PendingDecision::Consent(asked),
            Some(Interrupt::Look { .. }) => return PendingDecision::Luck,
            Some(Interrupt::Order { seat, .. }) => return PendingDecision::Order(seat),
            None => {}
        }
        match self.stage {
            Stage::Setup(_) | Stage::Draw(_) | Stage::Epidemic | Stage::Infecting => {
                PendingDecision::Luck
            }
            Stage::Intensify => PendingDecision::Intensify,
            Stage::NextEpidemic => PendingDecision::NextEpidemic,
            Stage::Actions | Stage::Infect(_) if !self.full.is_empty() => {
                PendingDecision::Limit(self.full_seat())
            }
            Stage::Actions => PendingDecision::Act,
            Stage::Infect(_) => PendingDecision::Infect,
        }
    }

    /// Returns the first seat whose hand is too large.
    fn full_seat(&self) -> Seat {
        self.full.iter().next().unwrap_or(Seat::FIRST)
    }

    /// Replaces a seat's hand.
    pub(crate) fn set_hand(&mut self, seat: Seat, hand: Cards) {
        self.hands[seat.index()] = hand;
        self.full = if hand.len() > HAND_LIMIT {
            self.full.with(seat)
        } else {
            self.full.without(seat)
        };
    }

    pub(crate) fn next_turn(&self) -> Turn {
        match self.pending_decision() {
            PendingDecision::Over(PandemicEnding::Cured) => Turn::Over(Outcome::TeamWon),
            PendingDecision::Over(_) => Turn::Over(Outcome::TeamLost),
            PendingDecision::Luck => Turn::Chance,
            PendingDecision::Consent(seat)
            | PendingDecision::Order(seat)
            | PendingDecision::Limit(seat) => Turn::Move(seat),
            PendingDecision::Act
            | PendingDecision::Intensify
            | PendingDecision::NextEpidemic
            | PendingDecision::Infect => Turn::Move(self.active),
        }
    }

    /// Returns the seat that makes a move.
    pub(crate) fn seat_moving(&self, m: &Move) -> Option<Seat> {
        let turn = self.next_turn().seat();
        match m.event() {
            Some(event) if turn.is_some() => self.holder(event).or(turn),
            _ => turn,
        }
    }

    /// Returns the seat whose pawn or card a move of another seat concerns, if any.
    pub fn owner_concerned(&self, m: &Move) -> Option<Seat> {
        self.owner(m, self.seat_moving(m)?)
    }

    /// Returns true if this seat has declined since the last other move.
    pub const fn has_declined(&self, seat: Seat) -> bool {
        self.declines[seat.index()] > 0
    }

    /// Returns the seat whose consent a move by this seat needs, if any.
    pub(crate) fn owner(&self, m: &Move, by: Seat) -> Option<Seat> {
        let owner = m.concerns()?;
        (owner != by).then_some(owner)
    }

    /// Returns true if this seat can be asked for consent, or need not be.
    pub(crate) const fn can_ask(&self, seat: Seat) -> bool {
        let consent = self.rules.consent();
        !consent.is_asked() || self.declines[seat.index()] < consent.declines()
    }

    /// Returns the held events that can have an effect here, regardless of their details.
    pub(crate) fn playable(&self) -> EventCards {
        let useless = [
            (EventCard::Forecast, self.infection.is_empty()),
            (EventCard::OneQuietNight, self.quiet_night),
            (
                EventCard::ResilientPopulation,
                self.infection.discard.is_empty(),
            ),
        ];
        let useless = useless.into_iter().filter(|(_, useless)| *useless);
        useless.fold(self.held_events(), |events, (event, _)| {
            events.without(event)
        })
    }
}
