//! Unvalidated setups, and their validation into games.

mod check;
mod flaw;
mod moment;

use parlor_core::Seat;

use crate::{
    Cards, Cities, City, Color, Cubes, EventCard, Game, HAND_LIMIT, InfectionDeck, Interrupt,
    PandemicEnding, PlayerDeck, Role, Rules, Stage,
};

pub use flaw::{Flaw, Flaws};

/// An unvalidated description of a position.
///
/// City and event cards placed nowhere form the player deck; its division into piles follows from
/// their number and from the epidemics drawn so far. A cured disease without cubes is eradicated.
///
/// ```
/// use parlor_pandemic::{City, Flaw, Game, Rules};
/// let mut setup = Game::new(Rules::new(2, 4).expect("a game of the box")).setup();
/// setup.cubes[City::ATLANTA.index()] = [4, 0, 0, 0];
/// let flaws = setup.validate().expect_err("a city holds three cubes of a color");
/// assert!(flaws.0.contains(&Flaw::CubesInCity { city: City::ATLANTA, cubes: 4 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Rules of the game.
    pub rules: Rules,
    /// Cubes in each city, by color.
    pub cubes: [[u8; 4]; City::COUNT],
    /// Layers of the infection deck from the bottom up; see [`InfectionDeck`].
    pub layers: Vec<Cities>,
    /// Infection discard pile.
    pub infected: Cities,
    /// Infection cards removed from the game.
    pub removed: Cities,
    /// Hands, without the Contingency Planner's stored event; those of seats that do not exist are
    /// empty.
    pub hands: [Cards; Rules::MAX_PLAYERS],
    /// Player discard pile, without epidemics.
    pub discard: Cards,
    /// Events removed from the game.
    pub gone: Cards,
    /// Event on the Contingency Planner's role card.
    pub stored: Option<EventCard>,
    /// Cities with a research station.
    pub stations: Cities,
    /// Roles; `None` before they are dealt.
    pub roles: [Option<Role>; Rules::MAX_PLAYERS],
    /// Cities of the pawns.
    pub pawns: [City; Rules::MAX_PLAYERS],
    /// Number of outbreaks so far.
    pub outbreaks: u8,
    /// Number of epidemics drawn and started.
    pub epidemics: u8,
    /// Cured diseases, by color.
    pub cured: [bool; 4],
    /// Seat on turn.
    pub active: Seat,
    /// Actions left in this turn.
    pub actions: u8,
    /// True if the Operations Expert's flight of this turn is used.
    pub flown: bool,
    /// True if the next infection step is skipped.
    pub quiet_night: bool,
    /// True if the rest of this infection step does not stop for events.
    pub hurry: bool,
    /// Number of times that each seat has declined since the last other move.
    pub declines: [u8; Rules::MAX_PLAYERS],
    /// Stage of the turn.
    pub stage: Stage,
    /// Decision that must be made first.
    pub interrupt: Option<Interrupt>,
    /// Number of epidemics drawn and not yet started.
    pub pending: u8,
    /// Number of infection cards still to be turned in this step.
    pub infections: u8,
    /// Result, if the game is over.
    pub ending: Option<PandemicEnding>,
}

impl Game {
    /// Describes this game as a setup.
    pub fn setup(&self) -> Setup {
        let mut layers: Vec<Cities> = self.infection.layers().collect();
        layers.reverse();
        let mut cubes = [[0; 4]; City::COUNT];
        for city in City::all() {
            cubes[city.index()] = Color::ALL.map(|color| self.cubes.count(city, color));
        }
        Setup {
            rules: self.rules,
            cubes,
            layers,
            infected: self.infection.discard,
            removed: self.infection.removed,
            hands: self.hands,
            discard: self.discard,
            gone: self.gone,
            stored: self.stored,
            stations: self.stations,
            roles: self.roles,
            pawns: self.pawns,
            outbreaks: self.outbreaks,
            epidemics: self.epidemics,
            cured: Color::ALL.map(|color| self.is_cured(color)),
            active: self.active,
            actions: self.actions,
            flown: self.flown,
            quiet_night: self.quiet_night,
            hurry: self.hurry,
            declines: self.declines,
            stage: self.stage,
            interrupt: self.interrupt,
            pending: self.pending,
            infections: self.infections,
            ending: self.ending,
        }
    }
}

impl Setup {
    /// Returns the game, if the setup is valid. As in play, it advances until a decision is due: an
    /// infection step that no event can interrupt begins, and a skipped one ends.
    ///
    /// # Errors
    /// Returns every [`Flaw`] found; some are checked only if there are no simpler ones.
    pub fn validate(&self) -> Result<Game, Flaws> {
        let mut flaws = Vec::new();
        self.check_pieces(&mut flaws);
        self.check_cards(&mut flaws);
        self.check_people(&mut flaws);
        let deck = self.deck();
        if deck.is_none() {
            flaws.push(Flaw::Deck {
                unseen: self.unseen().len(),
                epidemics: self.epidemics_left(),
            });
        }
        if !matches!(self.stage, Stage::Setup(_)) {
            self.check_moment(&mut flaws);
        }
        let Some(deck) = deck.filter(|_| flaws.is_empty()) else {
            return Err(Flaws(flaws));
        };
        let mut game = self.build(deck);
        if matches!(self.stage, Stage::Setup(_)) {
            check::check_set_up(&game, &mut flaws);
        } else {
            moment::check_game(&mut game, &mut flaws);
        }
        if !flaws.is_empty() {
            return Err(Flaws(flaws));
        }
        game.advance_to_decision();
        Ok(game)
    }

    /// Returns the cities and events that are placed nowhere.
    fn unseen(&self) -> Cards {
        let placed = self
            .hands
            .iter()
            .fold(self.discard.or(self.gone), |all, hand| all.or(*hand));
        let placed = self.stored.map_or(placed, |event| placed.with(event));
        Cards::CITIES.or(self.rules.events()).minus(placed)
    }

    /// Returns the number of epidemics still in the deck.
    fn epidemics_left(&self) -> u8 {
        self.rules
            .epidemics()
            .saturating_sub(self.epidemics.saturating_add(self.pending))
    }

    /// Returns the player deck, if these cards and epidemics can form one.
    fn deck(&self) -> Option<PlayerDeck> {
        let all = self.rules.players() as u32 * self.rules.first_hand();
        let dealt: u32 = self.hands.iter().map(|hand| hand.len()).sum();
        let to_deal = if matches!(self.stage, Stage::Setup(_)) {
            all.checked_sub(dealt)?
        } else {
            0
        };
        PlayerDeck::from_unseen(self.rules, self.unseen(), to_deal, self.epidemics_left())
    }

    /// Builds the game of a setup whose pieces, cards and players have no flaws.
    fn build(&self, deck: PlayerDeck) -> Game {
        let mut cubes = Cubes::NONE;
        for city in City::all() {
            for color in Color::ALL {
                cubes.put(city, color, self.cubes[city.index()][color.index()]);
            }
        }
        let mut infection = InfectionDeck::empty();
        self.layers.iter().for_each(|layer| infection.push(*layer));
        (infection.discard, infection.removed) = (self.infected, self.removed);
        let cured = Color::ALL
            .into_iter()
            .filter(|color| self.cured[color.index()]);
        let gone = cured.clone().filter(|color| cubes.on_board(*color) == 0);
        Game {
            cubes,
            infection,
            deck,
            hands: self.hands,
            full: self
                .rules
                .seats()
                .filter(|seat| self.hands[seat.index()].len() > HAND_LIMIT)
                .collect(),
            discard: self.discard,
            gone: self.gone,
            stations: self.stations,
            roles: self.roles,
            pawns: self.pawns,
            stored: self.stored,
            outbreaks: self.outbreaks,
            epidemics: self.epidemics,
            cured: cured.collect(),
            eradicated: gone.collect(),
            active: self.active,
            actions: self.actions,
            flown: self.flown,
            quiet_night: self.quiet_night,
            hurry: self.hurry,
            declines: self.declines,
            stage: self.stage,
            interrupt: self.interrupt,
            pending: self.pending,
            infections: self.infections,
            ending: self.ending,
            ..Game::new(self.rules)
        }
    }
}
