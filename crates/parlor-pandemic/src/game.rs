//! The state of a game, and what is asked for next.

use parlor_core::{Outcome, Seat, Turn};

use crate::moves::Move;
use crate::{
    Card, Cards, Cities, City, Color, Cubes, Event, InfectionDeck, PlayerDeck, Role, Rules,
};

/// The infection rate at each place of its track.
pub const RATES: [u8; 7] = [2, 2, 2, 3, 3, 4, 4];
/// The outbreak with which the game is lost.
pub const MAX_OUTBREAKS: u8 = 8;
/// Cards that a hand may hold, cities and events together.
pub const HAND_LIMIT: u32 = 7;
/// Actions of a turn.
pub const ACTIONS: u8 = 4;
/// Research stations in the box.
pub const STATIONS: u32 = 6;
/// Infection cards that a forecast shows.
pub const FORECAST: usize = 6;

/// A game of Pandemic: everything that is on the table, and what is known of what lies face down.
///
/// Small and without heap memory, so that copying it costs a few nanoseconds. Every game ends, after at most [`Rules::most_moves`] moves.
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
    pub(crate) hands: [Cards; Rules::MOST_PLAYERS],
    /// Seats whose hand is too large.
    pub(crate) full: u8,
    pub(crate) discard: Cards,
    /// Events that a Contingency Planner played for the second time.
    pub(crate) gone: Cards,
    pub(crate) stations: Cities,
    pub(crate) roles: [Option<Role>; Rules::MOST_PLAYERS],
    pub(crate) pawns: [City; Rules::MOST_PLAYERS],
    pub(crate) stored: Option<Event>,
    pub(crate) outbreaks: u8,
    /// Epidemics drawn and begun.
    pub(crate) epidemics: u8,
    /// Bit `n` is color `n`.
    pub(crate) cured: u8,
    pub(crate) eradicated: u8,
    pub(crate) active: Seat,
    pub(crate) actions: u8,
    /// The Operations Expert has used the flight of this turn.
    pub(crate) flown: bool,
    pub(crate) quiet_night: bool,
    /// The rest of this infection step is not to stop for events.
    pub(crate) hurry: bool,
    /// Seats that declined since something else happened.
    pub(crate) declined: u8,
    pub(crate) stage: Stage,
    pub(crate) interrupt: Option<Interrupt>,
    /// Epidemics drawn and not yet begun.
    pub(crate) pending: u8,
    /// Infection cards still to be turned in this step.
    pub(crate) infections: u8,
    pub(crate) ending: Option<Ending>,
}

/// How far a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Set-up, before the chance of this number: nine infections, then roles, then hands.
    Setup(u8),
    /// The seat on turn acts.
    Actions,
    /// This many player cards are still to be drawn.
    Draw(u8),
    /// The bottom infection card is turned next.
    Epidemic,
    /// An epidemic has infected and does not intensify before everybody had a word.
    Intensify,
    /// A second epidemic waits.
    NextEpidemic,
    /// The next infection card waits; `true` when the step has begun.
    Infect(bool),
    /// An infection card is turned next.
    Infecting,
}

/// What has to be settled before the stage goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interrupt {
    /// A seat is asked whether it agrees.
    Consent {
        /// Who is asked.
        asked: Seat,
        /// Who asks.
        by: Seat,
        /// What for.
        request: Move,
    },
    /// A forecast turns cards up.
    Look {
        /// Who looks.
        seat: Seat,
        /// How many are still to be turned up.
        left: u8,
        /// Those that are.
        seen: Cities,
    },
    /// A forecast is put back.
    Order {
        /// By whom.
        seat: Seat,
        /// What is not put back yet.
        seen: Cities,
        /// What is to come first, second and so on.
        placed: [Option<City>; FORECAST],
    },
}

/// How a game came out, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// All four cures are found.
    Cured,
    /// The eighth outbreak happened.
    Outbreaks,
    /// A cube was needed and none of its color was left.
    Cubes(Color),
    /// Two cards had to be drawn and fewer were left.
    Cards,
}

/// Who has to do what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Over(Ending),
    Luck,
    /// Agree or decline.
    Consent(Seat),
    /// Put a forecast back.
    Order(Seat),
    /// Discard down to the limit.
    Limit(Seat),
    /// Act, or draw.
    Act,
    /// Intensify.
    Intensify,
    /// Go on with the second epidemic.
    NextEpidemic,
    /// Turn an infection card.
    Infect,
}

impl Game {
    /// A game before its set-up: luck turns the first infection cards, deals roles and hands.
    pub fn new(rules: Rules) -> Game {
        Game {
            rules,
            cubes: Cubes::NONE,
            infection: InfectionDeck::new(),
            deck: PlayerDeck::new(rules),
            hands: [Cards::NONE; Rules::MOST_PLAYERS],
            full: 0,
            discard: Cards::NONE,
            gone: Cards::NONE,
            stations: Cities::one(City::ATLANTA),
            roles: [None; Rules::MOST_PLAYERS],
            pawns: [City::ATLANTA; Rules::MOST_PLAYERS],
            stored: None,
            outbreaks: 0,
            epidemics: 0,
            cured: 0,
            eradicated: 0,
            active: Seat::FIRST,
            actions: 0,
            flown: false,
            quiet_night: false,
            hurry: false,
            declined: 0,
            stage: Stage::Setup(0),
            interrupt: None,
            pending: 0,
            infections: 0,
            ending: None,
        }
    }

    /// The rules of this table.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The same position at a table where nobody is asked, or everybody is. A question that is open stays open.
    ///
    /// Bots plan with it: their own partners agree.
    #[must_use]
    pub const fn with_consent(mut self, consent: bool) -> Game {
        self.rules = self.rules.with_consent(consent);
        self
    }

    /// Cubes on the board and beside it.
    pub const fn cubes(&self) -> &Cubes {
        &self.cubes
    }

    /// The infection deck and its discards.
    pub const fn infection(&self) -> &InfectionDeck {
        &self.infection
    }

    /// The player deck.
    pub const fn deck(&self) -> &PlayerDeck {
        &self.deck
    }

    /// A hand, without what the Contingency Planner has stored.
    pub const fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat.index()]
    }

    /// The player discard pile, without epidemics.
    pub const fn discard(&self) -> Cards {
        self.discard
    }

    /// Events removed from the game.
    pub const fn removed_events(&self) -> Cards {
        self.gone
    }

    /// The event on the Contingency Planner's role card.
    pub const fn stored(&self) -> Option<Event> {
        self.stored
    }

    /// Cities with a research station.
    pub const fn stations(&self) -> Cities {
        self.stations
    }

    /// A seat's role; nothing before it is dealt.
    pub const fn role(&self, seat: Seat) -> Option<Role> {
        self.roles[seat.index()]
    }

    /// The seat with a role.
    pub fn seat_of(&self, role: Role) -> Option<Seat> {
        self.rules
            .seats()
            .find(|seat| self.roles[seat.index()] == Some(role))
    }

    /// Where a seat's pawn is.
    pub const fn pawn(&self, seat: Seat) -> City {
        self.pawns[seat.index()]
    }

    /// The cities where pawns are.
    pub fn occupied(&self) -> Cities {
        self.rules.seats().map(|seat| self.pawn(seat)).collect()
    }

    /// Outbreaks so far, 0 to 8.
    pub const fn outbreaks(&self) -> u8 {
        self.outbreaks
    }

    /// Epidemics so far. The place on the infection-rate track is the same number, at most 6.
    pub const fn epidemics(&self) -> u8 {
        self.epidemics
    }

    /// The place on the infection-rate track, from 0.
    pub const fn rate_index(&self) -> u8 {
        let last = RATES.len() as u8 - 1;
        if self.epidemics < last {
            self.epidemics
        } else {
            last
        }
    }

    /// Infection cards in each infection step: 2, 3 or 4.
    pub const fn rate(&self) -> u8 {
        RATES[self.rate_index() as usize]
    }

    /// Whether a cure is found.
    pub const fn is_cured(&self, color: Color) -> bool {
        self.cured >> color.index() & 1 == 1
    }

    /// Whether a disease is cured and gone from the board.
    pub const fn is_eradicated(&self, color: Color) -> bool {
        self.eradicated >> color.index() & 1 == 1
    }

    /// How many cures are found.
    pub const fn cures(&self) -> u8 {
        self.cured.count_ones() as u8
    }

    /// Whose turn it is, whoever may be asked something in it.
    pub const fn active(&self) -> Seat {
        self.active
    }

    /// Actions left in this turn.
    pub const fn actions(&self) -> u8 {
        self.actions
    }

    /// Whether the Operations Expert's flight of this turn is used.
    pub const fn flown(&self) -> bool {
        self.flown
    }

    /// Whether the next infection step is skipped.
    pub const fn quiet_night(&self) -> bool {
        self.quiet_night
    }

    /// How far the turn is.
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// What has to be settled first.
    pub const fn interrupt(&self) -> Option<Interrupt> {
        self.interrupt
    }

    /// Infection cards left in the running infection step.
    pub const fn infections_left(&self) -> u8 {
        self.infections
    }

    /// How the game came out.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Whether the set-up is done.
    pub const fn is_set_up(&self) -> bool {
        !matches!(self.stage, Stage::Setup(_))
    }

    /// How many cards of its color a seat needs for a cure.
    pub fn cards_for_cure(&self, seat: Seat) -> u32 {
        if self.role(seat) == Some(Role::Scientist) {
            4
        } else {
            5
        }
    }

    /// The seat that holds an event, in hand or stored.
    pub fn holder(&self, event: Event) -> Option<Seat> {
        if self.stored == Some(event) {
            return self.seat_of(Role::ContingencyPlanner);
        }
        self.rules.seats().find(|seat| self.hand(*seat).has(event))
    }

    /// Events that somebody holds, in hand or stored.
    fn held_events(&self) -> Cards {
        let held = self.hands.iter().fold(0, |all, hand| all | hand.0) & Cards::EVENTS.0;
        Cards(held | self.stored.map_or(0, |event| Card::Event(event).bit()))
    }

    /// Whether anybody holds an event.
    pub(crate) fn has_events(&self) -> bool {
        !self.held_events().is_empty()
    }

    /// Cities where a color is not placed and does not break out: around the Quarantine Specialist, and with the Medic once cured.
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

    /// Whether a seat holds more cards than it may.
    pub fn is_over_limit(&self, seat: Seat) -> bool {
        self.hand(seat).len() > HAND_LIMIT
    }

    pub(crate) fn asked(&self) -> Asked {
        if let Some(ending) = self.ending {
            return Asked::Over(ending);
        }
        match self.interrupt {
            Some(Interrupt::Consent { asked, .. }) => return Asked::Consent(asked),
            Some(Interrupt::Look { .. }) => return Asked::Luck,
            Some(Interrupt::Order { seat, .. }) => return Asked::Order(seat),
            None => {}
        }
        match self.stage {
            Stage::Setup(_) | Stage::Draw(_) | Stage::Epidemic | Stage::Infecting => Asked::Luck,
            Stage::Intensify => Asked::Intensify,
            Stage::NextEpidemic => Asked::NextEpidemic,
            Stage::Actions | Stage::Infect(_) if self.full != 0 => Asked::Limit(self.full_seat()),
            Stage::Actions => Asked::Act,
            Stage::Infect(_) => Asked::Infect,
        }
    }

    /// The first seat whose hand is too large.
    fn full_seat(&self) -> Seat {
        self.rules
            .seats()
            .nth(self.full.trailing_zeros() as usize)
            .unwrap_or(Seat::FIRST)
    }

    /// Gives a seat another hand.
    pub(crate) fn set_hand(&mut self, seat: Seat, hand: Cards) {
        self.hands[seat.index()] = hand;
        self.full =
            self.full & !(1 << seat.index()) | u8::from(hand.len() > HAND_LIMIT) << seat.index();
    }

    pub(crate) fn turn_now(&self) -> Turn {
        match self.asked() {
            Asked::Over(Ending::Cured) => Turn::Over(Outcome::TeamWon),
            Asked::Over(_) => Turn::Over(Outcome::TeamLost),
            Asked::Luck => Turn::Chance,
            Asked::Consent(seat) | Asked::Order(seat) | Asked::Limit(seat) => Turn::Move(seat),
            Asked::Act | Asked::Intensify | Asked::NextEpidemic | Asked::Infect => {
                Turn::Move(self.active)
            }
        }
    }

    /// The seat whose move it would be.
    pub(crate) fn mover_of(&self, m: &Move) -> Option<Seat> {
        let turn = self.turn_now().seat();
        match m.event() {
            Some(event) if turn.is_some() => self.holder(event).or(turn),
            _ => turn,
        }
    }

    /// Who has to agree before a move of this seat is carried out.
    pub(crate) fn owner(&self, m: &Move, by: Seat) -> Option<Seat> {
        let owner = match m {
            Move::Give { to, .. } => *to,
            Move::Take { from, .. } => *from,
            _ => m.pawn()?.0,
        };
        (owner != by).then_some(owner)
    }

    pub(crate) fn has_declined(&self, seat: Seat) -> bool {
        self.declined >> seat.index() & 1 == 1
    }

    /// Events that somebody holds and that can do something here, apart from their details.
    pub(crate) fn playable(&self) -> Cards {
        let useless = [
            (Event::Forecast, self.infection.is_empty()),
            (Event::OneQuietNight, self.quiet_night),
            (
                Event::ResilientPopulation,
                self.infection.discard.is_empty(),
            ),
        ];
        let useless = useless.into_iter().filter(|(_, useless)| *useless);
        useless.fold(self.held_events(), |events, (event, _)| {
            events.without(event)
        })
    }
}
