//! View of a game of Pandemic.

use std::collections::BTreeMap;

use parlor_core::{Notation, Position, Seat};
use parlor_pandemic::{
    Cards, Cities, City, Color, Cubes, Game, Interrupt, PandemicEnding, Role, Stage,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{narrative, options};
use crate::{OptionsError, TurnView};

/// A game as JSON, with everything that its picture shows.
///
/// Names from the JSON document of Parlor's first Pandemic board are kept: `infection` (cubes by
/// city and color, without zeros), `infection_rate` (an index on the track; `rate` is the rate
/// itself), `research_centres`, `cured`, `quiet_night`. Cities, cards, roles and events have their
/// printed names, diseases `COLOUR_BLUE` and so on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PandemicView {
    /// Constant `pandemic`.
    pub game: String,
    /// The options.
    pub options: Value,
    /// Whole position as one line of text.
    pub position: String,
    /// Phase of the turn.
    pub phase: PhaseView,
    /// Turn.
    pub turn: TurnView,
    /// Number of the seat whose turn it is, even while another seat is asked for consent.
    pub active: u8,
    /// Number of actions left this turn.
    pub actions: u8,
    /// Players in seat order.
    pub players: Vec<PlayerView>,
    /// Number of outbreaks so far.
    pub outbreaks: u8,
    /// Index on the infection-rate track, from 0.
    pub infection_rate: u8,
    /// Number of infection cards per infection step.
    pub rate: u8,
    /// Number of epidemics so far.
    pub epidemics: u8,
    /// Cubes on the board, by city and color.
    pub infection: BTreeMap<String, BTreeMap<String, u8>>,
    /// Cubes next to the board, by color.
    pub supply: BTreeMap<String, u8>,
    /// Cities with a research station.
    pub research_centres: Vec<String>,
    /// Cured diseases, including eradicated ones.
    pub cured: Vec<String>,
    /// Eradicated diseases.
    pub eradicated: Vec<String>,
    /// True if the next infection step is skipped.
    pub quiet_night: bool,
    /// The player deck.
    pub player_deck: PlayerDeckView,
    /// The player discard pile.
    pub player_discard: Vec<String>,
    /// Events removed from the game.
    pub removed_events: Vec<String>,
    /// The infection deck.
    pub infection_deck: InfectionDeckView,
    /// The infection discard pile.
    pub infection_discard: Vec<String>,
    /// Infection cards removed from the game.
    pub infection_removed: Vec<String>,
    /// Number of infection cards still to be turned over in the current step.
    pub infections_left: u8,
    /// Probability, by city, that its infection card is turned over before the next turn, by an
    /// epidemic or in the infection step, if nobody acts any more; zeros are omitted.
    pub risk: BTreeMap<String, f64>,
    /// Probability, by city, of an outbreak before the next turn, those that spread included, if
    /// nobody acts any more; zeros are omitted.
    #[serde(default)]
    pub outbreak_risk: BTreeMap<String, f64>,
    /// Outbreaks that one more cube would cause: by city and color, the chain of cities that would
    /// break out, starting with that city.
    #[serde(default)]
    pub chains: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// Open request to another player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<ConsentView>,
    /// Open forecast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<ForecastView>,
    /// Text of the last move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// Reason why the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingView>,
    /// Number of the seat from whose side the table is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_from: Option<u8>,
    /// True if the board is flipped. The map has no sides, so this has no effect.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flipped: bool,
    /// True if players or the clock have ended the game in this position.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
}

/// Phase of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseView {
    /// Setup.
    Setup,
    /// The player on turn takes actions, then draws.
    Actions,
    /// Player cards are drawn.
    Draw,
    /// The bottom infection card is turned over.
    Epidemic,
    /// The epidemic is about to intensify.
    Intensify,
    /// A second epidemic is pending.
    NextEpidemic,
    /// An infection card is due; players may play events first.
    Infect,
    /// Infection cards are turned over.
    Infecting,
    /// A player exceeds the hand limit.
    Limit,
    /// A player is asked for consent.
    Consent,
    /// The cards of a forecast are turned over.
    Look,
    /// The cards of a forecast are put back.
    Order,
    /// The game is over.
    Over,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerView {
    /// Role; `None` before roles are dealt.
    pub role: Option<String>,
    /// City of the pawn.
    pub city: String,
    /// City cards in hand.
    pub hand: Vec<String>,
    /// Event cards in hand; they count toward the hand limit.
    pub single_use: Vec<String>,
    /// Event on the Contingency Planner's role card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
}

/// Public knowledge about the player deck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerDeckView {
    /// Number of cards left.
    pub left: u8,
    /// Number of cards left in the current pile.
    pub pile: u8,
    /// True if the current pile still contains its epidemic.
    pub epidemic: bool,
    /// Probability that the next two cards contain an epidemic.
    pub epidemic_chance: f64,
    /// Number of epidemics left in the deck.
    pub epidemics: u8,
    /// Number of unseen city cards, by color.
    pub unseen: BTreeMap<String, u8>,
    /// Unseen events.
    pub unseen_events: Vec<String>,
}

/// Public knowledge about the infection deck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InfectionDeckView {
    /// Number of cards left.
    pub left: u8,
    /// Layers from the top; within a layer every order is equally likely.
    pub layers: Vec<Vec<String>>,
}

/// Request for consent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsentView {
    /// Number of the seat that is asked.
    pub asked: u8,
    /// Number of the seat that asks.
    pub by: u8,
    /// Text of the requested move.
    pub request: String,
    /// Requested move in words.
    pub label: String,
}

/// Open forecast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForecastView {
    /// Number of the seat that looks at the cards.
    pub seat: u8,
    /// Cards not put back yet.
    pub seen: Vec<String>,
    /// Cards put back so far, the next to be drawn first.
    pub placed: Vec<String>,
}

/// Reason why a game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EndingView {
    /// All four cures were discovered.
    Cured,
    /// The eighth outbreak occurred.
    Outbreaks,
    /// The supply of cubes ran out.
    Cubes {
        /// Color of the missing cube.
        colour: String,
    },
    /// The player deck ran out.
    Cards,
}

impl PandemicView {
    /// Returns the view of a game. `last` is the text of the last move.
    pub fn new(game: &Game, last: Option<&str>) -> PandemicView {
        let colors = |which: &dyn Fn(Color) -> bool| {
            Color::ALL
                .into_iter()
                .filter(|color| which(*color))
                .map(|color| colour(color).to_owned())
                .collect()
        };
        let danger = game.danger();
        PandemicView {
            game: "pandemic".to_owned(),
            options: options::to_json(game.rules()),
            position: Notation::text(game),
            phase: phase(game),
            turn: game.turn().into(),
            active: game.active().number(),
            actions: game.actions(),
            players: game
                .rules()
                .seats()
                .map(|seat| player(game, seat))
                .collect(),
            outbreaks: game.outbreaks(),
            infection_rate: game.rate_index(),
            rate: game.rate(),
            epidemics: game.epidemics(),
            infection: infection(game),
            supply: Color::ALL
                .map(|color| (colour(color).to_owned(), game.cubes().supply(color)))
                .into(),
            research_centres: names(game.stations()),
            cured: colors(&|color| game.is_cured(color)),
            eradicated: colors(&|color| game.is_eradicated(color)),
            quiet_night: game.quiet_night(),
            player_deck: player_deck(game),
            player_discard: cards(game.discard()),
            removed_events: cards(game.removed_events()),
            infection_deck: InfectionDeckView {
                left: game.infection().len(),
                layers: game.infection().layers().map(names).collect(),
            },
            infection_discard: names(game.infection().discard()),
            infection_removed: names(game.infection().removed()),
            infections_left: game.infections_left(),
            risk: chances(|city| danger.infection(city)),
            outbreak_risk: chances(|city| danger.outbreak(city)),
            chains: chains(game),
            consent: consent(game),
            forecast: forecast(game),
            last: last.map(str::to_owned),
            ending: game.ending().map(ending),
            seen_from: None,
            flipped: false,
            ended: false,
        }
    }

    /// Returns the view of an ended game: without what was still to be done or answered.
    pub(crate) fn closed(mut self) -> PandemicView {
        self.phase = PhaseView::Over;
        self.consent = None;
        self.forecast = None;
        self
    }

    /// Parses a view.
    ///
    /// # Errors
    /// If it is not a view of this game.
    pub fn from_json(json: &Value) -> Result<PandemicView, OptionsError> {
        let view: PandemicView = serde_json::from_value(json.clone()).map_err(|error| {
            OptionsError::one("", format!("this is no view of Pandemic: {error}"))
        })?;
        let cities = view
            .players
            .iter()
            .map(|player| &player.city)
            .chain(view.infection.keys());
        match cities
            .chain(&view.research_centres)
            .find(|name| City::from_name(name).is_none())
        {
            Some(odd) => Err(OptionsError::one(
                "",
                format!("{odd:?} is no city of Pandemic"),
            )),
            None => Ok(view),
        }
    }
}

/// Reads a position from its view, or from `{"position": "…"}` alone.
pub(crate) fn read(json: &Value) -> Result<Game, OptionsError> {
    let text = json.get("position").and_then(Value::as_str);
    let text = text.ok_or_else(|| {
        OptionsError::one(
            "position",
            "expected the line of text that describes the game",
        )
    })?;
    Game::from_text(text).map_err(|reason| OptionsError::one("position", reason.to_string()))
}

/// Returns a color's name in the view, such as `COLOUR_BLUE`.
pub(crate) fn colour(color: Color) -> &'static str {
    match color {
        Color::Blue => "COLOUR_BLUE",
        Color::Yellow => "COLOUR_YELLOW",
        Color::Black => "COLOUR_BLACK",
        Color::Red => "COLOUR_RED",
    }
}

fn names(cities: Cities) -> Vec<String> {
    cities
        .into_iter()
        .map(|city| city.name().to_owned())
        .collect()
}

fn cards(cards: Cards) -> Vec<String> {
    cards.iter().map(|card| card.name().to_owned()).collect()
}

fn phase(game: &Game) -> PhaseView {
    if game.ending().is_some() {
        return PhaseView::Over;
    }
    match game.interrupt() {
        Some(Interrupt::Consent { .. }) => return PhaseView::Consent,
        Some(Interrupt::Look { .. }) => return PhaseView::Look,
        Some(Interrupt::Order { .. }) => return PhaseView::Order,
        None => {}
    }
    let full = game.rules().seats().any(|seat| game.is_over_limit(seat));
    match game.stage() {
        Stage::Setup(_) => PhaseView::Setup,
        Stage::Actions | Stage::Infect(_) if full => PhaseView::Limit,
        Stage::Actions => PhaseView::Actions,
        Stage::Draw(_) => PhaseView::Draw,
        Stage::Epidemic => PhaseView::Epidemic,
        Stage::Intensify => PhaseView::Intensify,
        Stage::NextEpidemic => PhaseView::NextEpidemic,
        Stage::Infect(_) => PhaseView::Infect,
        Stage::Infecting => PhaseView::Infecting,
    }
}

fn player(game: &Game, seat: Seat) -> PlayerView {
    let hand = game.hand(seat);
    PlayerView {
        role: game.role(seat).map(|role| role.name().to_owned()),
        city: game.pawn(seat).name().to_owned(),
        hand: names(hand.cities()),
        single_use: hand
            .events()
            .iter()
            .map(|event| event.name().to_owned())
            .collect(),
        stored: game
            .stored()
            .filter(|_| game.role(seat) == Some(Role::ContingencyPlanner))
            .map(|event| event.name().to_owned()),
    }
}

fn infection(game: &Game) -> BTreeMap<String, BTreeMap<String, u8>> {
    let cubes = |city: City| -> BTreeMap<String, u8> {
        let counts = Color::ALL
            .into_iter()
            .map(|color| (colour(color).to_owned(), game.cubes().count(city, color)));
        counts.filter(|(_, count)| *count > 0).collect()
    };
    game.cubes()
        .all_infected()
        .into_iter()
        .map(|city| (city.name().to_owned(), cubes(city)))
        .collect()
}

fn player_deck(game: &Game) -> PlayerDeckView {
    let deck = game.deck();
    let (_, pile, epidemic) = deck.pile();
    let unseen = |color: Color| deck.unseen().cities().and(color.cities()).len() as u8;
    PlayerDeckView {
        left: deck.len(),
        pile,
        epidemic,
        epidemic_chance: narrative::epidemic_chance(game),
        epidemics: game
            .rules()
            .epidemics()
            .saturating_sub(narrative::epidemics_drawn(game)),
        unseen: Color::ALL
            .map(|color| (colour(color).to_owned(), unseen(color)))
            .into(),
        unseen_events: deck
            .unseen()
            .events()
            .iter()
            .map(|event| event.name().to_owned())
            .collect(),
    }
}

/// Returns the chances by city that are not zero.
fn chances(chance: impl Fn(City) -> f64) -> BTreeMap<String, f64> {
    City::all()
        .map(|city| (city.name().to_owned(), chance(city)))
        .filter(|(_, chance)| *chance > 0.0)
        .collect()
}

/// Returns the chains of outbreaks that one more cube would cause, for cities full of a color and
/// not protected from it.
fn chains(game: &Game) -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
    let mut chains: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for color in Color::ALL {
        for city in game
            .cubes()
            .with_exactly(color, Cubes::MAX_PER_CITY)
            .minus(game.protected(color))
        {
            let chain = narrative::chain(game, city, color)
                .into_iter()
                .map(|city| city.name().to_owned())
                .collect();
            chains
                .entry(city.name().to_owned())
                .or_default()
                .insert(colour(color).to_owned(), chain);
        }
    }
    chains
}

fn consent(game: &Game) -> Option<ConsentView> {
    let Some(Interrupt::Consent { asked, by, request }) = game.interrupt() else {
        return None;
    };
    let request = game.move_text(&request);
    Some(ConsentView {
        asked: asked.number(),
        by: by.number(),
        label: narrative::label(game, &request),
        request,
    })
}

fn forecast(game: &Game) -> Option<ForecastView> {
    match game.interrupt()? {
        Interrupt::Look { seat, seen, .. } => Some(ForecastView {
            seat: seat.number(),
            seen: names(seen),
            placed: Vec::new(),
        }),
        Interrupt::Order { seat, seen, placed } => Some(ForecastView {
            seat: seat.number(),
            seen: names(seen),
            placed: placed
                .iter()
                .flatten()
                .map(|city| city.name().to_owned())
                .collect(),
        }),
        Interrupt::Consent { .. } => None,
    }
}

fn ending(ending: PandemicEnding) -> EndingView {
    match ending {
        PandemicEnding::Cured => EndingView::Cured,
        PandemicEnding::Outbreaks => EndingView::Outbreaks,
        PandemicEnding::Cubes(color) => EndingView::Cubes {
            colour: colour(color).to_owned(),
        },
        PandemicEnding::Cards => EndingView::Cards,
    }
}
