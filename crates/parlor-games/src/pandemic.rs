//! Pandemic as a table game.
//!
//! Not affiliated with the game's publisher. All text and pictures are original.

mod analysis;
mod clicks;
mod console;
mod difficulty;
mod log;
mod narrative;
pub mod options;
pub mod svg;
mod team;
mod terminal;
pub mod view;

use std::sync::Arc;

use parlor_bots::{Crew, Spec, Strategy, Unsuitable};
use parlor_core::{Notation, Seat};
use parlor_pandemic::{City, Color, Game as PandemicGame};
use serde_json::Value;

use self::narrative::{label, question};
use self::svg::ids;
use self::view::PandemicView;
use crate::analysis::AnalysisEngine;
use crate::bots::{Bots, title};
use crate::console::{Screen, Unread};
use crate::exchange::Exchange;
use crate::game::{About, BoardStyle, Difficulty, Game, GamePosition, Preset};
use crate::{
    ActionKind, Click, Consent, Console, GameKind, Input, Moment, OptionsError, TeamPlay, Wording,
};

/// Rules of the game in plain text.
const RULES: &str = "\
Four diseases spread over the world. All players are one team: together they find the four cures and win, or they \
lose together.\
\n\nThe board shows 48 cities in four colors, twelve of each, and the connections between them. Cubes in a city show \
how many people there are ill: never more than three of one color. Each player has a pawn, which begins in Atlanta, \
a role that bends one of the rules below, and a hand of cards that everybody may see. A city card can be used to \
travel and to build, but above all cards of one color are what a cure is made of. Before the first turn nine cities \
are infected, three of them with three cubes, three with two and three with one. Whoever holds the card of the most \
populous city goes first.\
\n\nIn your turn you do up to four actions, then you draw two cards, then the diseases spread.\
\n\nActions. Drive or take a ferry to a connected city. Fly to the city of a card that you discard. Charter a \
flight to any city by discarding the card of the city you are in. Shuttle from one research station to another. \
Build a research station where you are by discarding that city's card; there are six stations, and when all are \
built one is moved. Treat a disease: take one cube from the city you are in, or all cubes of the color once its \
cure is found. Share knowledge: with a player in the same city, give or take the card of that city. Discover a \
cure: at any research station, discard five cards of one color. The same action may be done again and again.\
\n\nRoles. The Contingency Planner takes an event from the discards, keeps it beside the hand and plays it once \
more. The Dispatcher moves other pawns as if they were their own, and any pawn to a city where another pawn is. \
The Medic takes all cubes of a color at once, and those of cured diseases without an action; where the Medic \
stands, cured diseases do not come back. The Operations Expert builds without a card, and once a turn flies from a \
station to any city by discarding any city card. Around the Quarantine Specialist, in that city and all that are \
connected to it, no cubes are placed and nothing breaks out. The Researcher may give any city card, not only that \
of the city. The Scientist needs only four cards for a cure.\
\n\nCards. The two cards come into your hand. Whoever holds more than seven discards down to seven, or plays \
events. Events need no action and are played by whoever holds them, in anybody's turn, but not while a card is \
being resolved. Airlift moves any pawn to any city. Forecast shows the top six infection cards and puts them back \
in the order you like. Government Grant builds a station anywhere. One Quiet Night skips the next infection step. \
Resilient Population removes a discarded infection card from the game.\
\n\nEpidemics. Hidden among the player cards are epidemics, spread evenly: four for beginners, five usually, six \
for experts. An epidemic first raises the infection rate, then puts three cubes into the city of the bottom \
infection card, and finally shuffles all discarded infection cards and lays them back on top. So the cities that \
were hit before are hit again.\
\n\nInfections. As many infection cards are turned as the rate says, two at first and four at the end. Each puts a \
cube of its color into its city. A city that has three of them already has an outbreak instead: every connected \
city gets one, and a city that has three breaks out in turn, though none twice because of the same card. A disease \
that is cured still spreads; only once none of its cubes is on the board is it eradicated, and its infection cards \
do nothing any more.\
\n\nThe end. The team wins at once when the fourth cure is found. It loses at the eighth outbreak, when a cube has \
to be placed and none of its color is left of the 24, or when two player cards have to be drawn and fewer are left: \
there are about 25 turns.\
\n\nThe table may be set up so that a player is asked before another moves their pawn, gives them a card or takes \
one from them.\
\n\nThis program implements the rules of a published board game. It is not affiliated with the publisher, and uses \
none of its art or text.";

/// Pandemic, a cooperative game against the board.
pub struct Pandemic;

/// Handle to Pandemic.
pub const KIND: GameKind = GameKind::new::<Pandemic>();

/// Phrases of a team at the table.
const PHRASES: &[(&str, &str)] = &[
    ("need-a-card", "I need a card for a cure."),
    ("meet-me", "Meet me at my city?"),
    ("treat-first", "Let's treat first."),
    ("cure-first", "Let's cure first."),
    ("outbreak-ahead", "Watch out, an outbreak is near."),
    ("your-plan", "What is your plan?"),
];

impl Game for Pandemic {
    type Position = PandemicGame;
    type View = PandemicView;

    const ABOUT: About = About {
        name: "pandemic",
        title: "Pandemic",
        summary: "Two to four players against four diseases: find the cures before the world is overrun.",
        rules: RULES,
        has_luck: true,
        can_be_drawn: false,
        is_cooperative: true,
        is_narrated: true,
        phrases: PHRASES,
        ..About::SKILL
    };
    const STYLE: &'static str = include_str!("pandemic/style.css");
    const BOARD_STYLES: [BoardStyle; 2] = [
        BoardStyle {
            name: "ocean",
            title: "Ocean",
        },
        BoardStyle {
            name: "atlas",
            title: "Atlas",
        },
    ];

    fn options_schema() -> Value {
        options::schema()
    }

    fn presets() -> Vec<Preset> {
        options::presets()
    }

    fn since(options: &Value) -> u16 {
        options::since(options)
    }

    fn difficulty(options: &Value) -> Option<Difficulty> {
        let game = options::start(options).ok()?;
        Some(difficulty::describe(game.rules()))
    }

    fn start(options: &Value) -> Result<PandemicGame, OptionsError> {
        options::start(options)
    }

    fn options(game: &PandemicGame) -> Value {
        options::to_json(game.rules())
    }

    fn view(game: &PandemicGame, last: Option<&str>) -> PandemicView {
        PandemicView::new(game, last)
    }

    fn read_view(json: &Value) -> Result<PandemicView, OptionsError> {
        PandemicView::from_json(json)
    }

    fn picture(view: &PandemicView) -> String {
        svg::draw(view)
    }

    fn page(view: &PandemicView) -> String {
        svg::page::draw(view)
    }

    /// Cities whose cubes or stations have changed, and cards that players did not hold.
    fn changes(before: &PandemicGame, now: &PandemicGame) -> Vec<String> {
        let cubes = |game: &PandemicGame, city| Color::ALL.map(|c| game.cubes().count(city, c));
        let has_changed = |city: &City| {
            cubes(before, *city) != cubes(now, *city)
                || before.stations().has(*city) != now.stations().has(*city)
        };
        let cities = City::all().filter(has_changed).map(ids::city);
        let seats = now.rules().seats();
        let drawn = seats.flat_map(|seat| now.hand(seat).minus(before.hand(seat)).iter());
        cities.chain(drawn.map(ids::card)).collect()
    }

    fn position_from_json(json: &Value) -> Result<PandemicGame, OptionsError> {
        view::read(json)
    }

    fn bots() -> &'static dyn Bots<PandemicGame> {
        &PandemicBots
    }

    fn analysis() -> Option<&'static dyn AnalysisEngine> {
        Some(&analysis::Analysts)
    }

    fn formats() -> &'static [&'static dyn Exchange] {
        &[&log::GameLog]
    }
}

impl GamePosition for PandemicGame {
    type Game = Pandemic;
}

impl Wording for PandemicGame {
    fn seat_name(&self, seat: Seat) -> String {
        narrative::seat(self, seat)
    }

    fn label(&self, text: &str) -> String {
        label(self, text)
    }

    fn chance_label(&self, text: &str) -> String {
        narrative::chance(self, text)
    }

    fn narrate(&self, text: &str) -> Option<String> {
        Some(narrative::narrate(self, text))
    }

    fn question(&self) -> Option<String> {
        question(self)
    }

    fn question_to(&self, seat: Seat) -> Option<String> {
        narrative::question_to(self, seat)
    }

    fn news(&self) -> Option<String> {
        narrative::news(self)
    }

    fn chances_title(&self) -> &'static str {
        narrative::chances_title(self)
    }
}

impl Input for PandemicGame {
    fn clicks(&self) -> Vec<Click> {
        clicks::all(self)
    }

    fn action_kinds(&self) -> Vec<ActionKind> {
        clicks::kinds::all(self)
    }

    fn landmarks(&self) -> Vec<(String, &'static str)> {
        City::all()
            .map(|city| (ids::city(city), city.name()))
            .collect()
    }

    fn way(&self, text: &str) -> Vec<String> {
        let parsed = Notation::parse_move(self, text);
        parsed.map_or_else(|_| Vec::new(), |m| analysis::trail::way(self, &m))
    }
}

impl TeamPlay for PandemicGame {
    fn out_of_turn(&self) -> Vec<Seat> {
        team::out_of_turn(self)
    }

    fn turn_of(&self) -> Option<Seat> {
        team::turn_of(self)
    }

    fn moment(&self) -> Option<Moment> {
        team::moment(self)
    }

    fn consent(&self) -> Option<Consent> {
        team::consent(self)
    }

    fn awaits_answer(&self) -> bool {
        team::awaits_answer(self)
    }
}

impl Console for PandemicGame {
    fn prompt(&self, name: &str) -> String {
        console::prompt(self, name)
    }

    fn answer(&self, line: &str) -> Result<String, Unread> {
        console::answer(self, line)
    }

    fn terminal(&self, last: Option<&str>) -> String {
        terminal::draw(self, last)
    }

    fn screen(&self, last: Option<&str>) -> Screen {
        console::screen(self, last)
    }

    fn choices(&self) -> Vec<Click> {
        console::choices(self)
    }
}

/// Factory of the bots for Pandemic.
struct PandemicBots;

impl Bots<PandemicGame> for PandemicBots {
    fn offers(&self, game: &PandemicGame) -> Vec<Spec> {
        parlor_bots::pandemic::offers(&game.rules())
    }

    fn check(&self, spec: Spec, game: &PandemicGame) -> Result<(), Unsuitable> {
        parlor_bots::pandemic::suits(spec, &game.rules())
    }

    fn title(&self, spec: Spec) -> &'static str {
        match spec {
            Spec::Level(level) => parlor_bots::pandemic::level_title(level),
            _ => title(spec),
        }
    }

    fn build(
        &self,
        spec: Spec,
        game: &PandemicGame,
        seed: u64,
        crew: Arc<dyn Crew>,
    ) -> Result<Box<dyn Strategy<PandemicGame>>, Unsuitable> {
        parlor_bots::pandemic::build_with_crew(spec, &game.rules(), seed, crew)
    }
}
