//! Backgammon as a table game.

mod analysis;
mod clicks;
mod console;
mod exchange;
pub mod options;
mod questions;
mod repository;
pub mod state;
pub mod svg;
mod terminal;
pub mod view;

use std::sync::Arc;

use parlor_backgammon::{BLACK, Chance, Game as BackgammonGame, Phase, WHITE};
use parlor_bots::{Crew, Spec, Strategy, Unsuitable};
use parlor_core::{Notation, Position, Seat};
use serde_json::Value;

use self::view::BackgammonView;
use crate::analysis::AnalysisEngine;
use crate::bots::Bots;
use crate::console::{Screen, Unread};
use crate::exchange::Exchange;
use crate::files::FileFormat;
use crate::game::{About, Game, GameClock, GamePosition, Preset, Variant};
use crate::repository::RepositoryFormat;
use crate::{Click, Console, Draft, GameKind, Input, OptionsError, TeamPlay, Wording};

/// Rules of the game in plain text.
const RULES: &str = "Two players race fifteen checkers each around twenty-four points, in opposite directions. At first each \
throws one die; the higher roll goes first and plays both dice. After that each throws two at every turn.\n\nA die moves one checker as many \
points as it shows, to a point that the other side does not hold with two or more checkers. Two dice may move two checkers or one \
twice; a double is played four times. As many dice as possible must be played, and if only one of two can be, the higher.\n\nA \
single checker is a blot: an opponent who lands on it hits it, and it goes to the bar. Checkers on the bar enter in the other's home \
before anything else may move.\n\nWhen all of one's checkers are home they may be borne off, each by its own number, or from the \
highest point with a higher one. The first to bear off all checkers wins: a single game if the other has borne off a checker, else a gammon for twice \
as much, or a backgammon for three times if a checker is still on the bar or in the winner's home.\n\nWith the cube, whoever is to \
roll may double the stake first. The other takes, and owns the cube, or drops and loses the current stake. A match is played to \
a set number of points; when somebody is one point short of it, the next game is played without the cube (the Crawford game). In a single \
game with the cube, the Jacoby rule lets gammons count only after a double, and a beaver is a double answered by another that keeps the cube.";

/// Names of the seats.
pub(crate) const COLORS: [&str; 2] = ["White", "Black"];

/// Backgammon: single games and matches.
pub struct Backgammon;

/// Handle to backgammon.
pub const KIND: GameKind = GameKind::new::<Backgammon>();

impl Game for Backgammon {
    type Position = BackgammonGame;
    type View = BackgammonView;

    const ABOUT: About = About {
        name: "backgammon",
        title: "Backgammon",
        summary: "A race around the board with dice, blots to hit and a doubling cube: one game, or a match.",
        rules: RULES,
        has_luck: true,
        can_be_drawn: false,
        chances_recur: true,
        has_fixed_seats: true,
        phrases: &[("nice-roll", "Nice roll!"), ("lucky-me", "I was lucky.")],
        ..About::SKILL
    };
    const STYLE: &'static str = include_str!("backgammon/style.css");

    fn options_schema() -> Value {
        options::schema()
    }

    fn presets() -> Vec<Preset> {
        options::presets()
    }

    fn variant(options: &Value) -> Variant {
        options::variant(options)
    }

    fn clocks(options: &Value) -> Vec<GameClock> {
        options::clocks(options)
    }

    fn usual_clock(options: &Value) -> Option<GameClock> {
        options::clocks(options).into_iter().next()
    }

    fn start(options: &Value) -> Result<BackgammonGame, OptionsError> {
        options::start(options)
    }

    fn options(game: &BackgammonGame) -> Value {
        options::to_json(game.rules())
    }

    fn view(game: &BackgammonGame, last: Option<&str>) -> BackgammonView {
        BackgammonView::new(game, last)
    }

    fn read_view(json: &Value) -> Result<BackgammonView, OptionsError> {
        BackgammonView::from_json(json)
    }

    fn picture(view: &BackgammonView) -> String {
        svg::draw(view)
    }

    fn position_from_json(json: &Value) -> Result<BackgammonGame, OptionsError> {
        state::position(json)
    }

    fn bots() -> &'static dyn Bots<BackgammonGame> {
        &BackgammonBots
    }

    fn analysis() -> Option<&'static dyn AnalysisEngine> {
        Some(&analysis::Judges)
    }

    fn formats() -> &'static [&'static dyn Exchange] {
        &[&exchange::Mat, &exchange::Sgf]
    }

    fn files() -> &'static [&'static dyn FileFormat] {
        &[&state::StateFormat, &state::MoveFormat]
    }

    fn repository() -> Option<&'static dyn RepositoryFormat> {
        Some(&repository::Published)
    }
}

impl GamePosition for BackgammonGame {
    type Game = Backgammon;
}

impl Wording for BackgammonGame {
    fn seat_name(&self, seat: Seat) -> String {
        COLORS
            .get(seat.index())
            .copied()
            .unwrap_or_default()
            .to_owned()
    }

    fn label(&self, text: &str) -> String {
        match text {
            "pass" => "no legal move".to_owned(),
            "roll" => "rolls".to_owned(),
            "double" => "doubles".to_owned(),
            "take" => "takes".to_owned(),
            "drop" => "drops".to_owned(),
            "beaver" => "beavers".to_owned(),
            "accept" => "accepts".to_owned(),
            "refuse" => "refuses".to_owned(),
            "resign:1" => "resigns a single game".to_owned(),
            "resign:2" => "resigns a gammon".to_owned(),
            "resign:3" => "resigns a backgammon".to_owned(),
            play => self.notation(play),
        }
    }

    fn chance_label(&self, text: &str) -> String {
        match self.parse_chance(text) {
            Ok(Chance::Opening { white, black }) => {
                format!(
                    "White rolls {white}, Black {black}: {} begins",
                    COLORS[usize::from(black > white)]
                )
            }
            Ok(Chance::Roll(roll)) => format!("{}-{}", roll.high(), roll.low()),
            Err(_) => text.to_owned(),
        }
    }

    fn notation(&self, text: &str) -> String {
        text.replace(',', " ")
    }

    fn question(&self) -> Option<String> {
        questions::question(self)
    }

    fn news(&self) -> Option<String> {
        questions::news(self)
    }

    fn chances_title(&self) -> &'static str {
        if self.phase() == Phase::Opening {
            "Opening rolls"
        } else {
            "Rolls"
        }
    }

    fn faces(&self, text: &str) -> Vec<u8> {
        // The two dice of an opening roll are never equal, so they are not independent.
        match self.parse_chance(text) {
            Ok(Chance::Roll(roll)) => vec![roll.high().pips(), roll.low().pips()],
            Ok(Chance::Opening { .. }) | Err(_) => Vec::new(),
        }
    }
}

impl Input for BackgammonGame {
    fn clicks(&self) -> Vec<Click> {
        clicks::first_parts(self)
    }

    fn concessions(&self) -> Vec<Click> {
        clicks::resignations(self)
    }

    fn draft(&self, steps: &str) -> Option<Draft> {
        clicks::draft(self, steps)
    }

    fn leaves_mark(&self, text: &str) -> bool {
        text.contains('/')
    }
}

impl TeamPlay for BackgammonGame {}

impl Console for BackgammonGame {
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

/// Factory of backgammon's bots.
struct BackgammonBots;

impl Bots<BackgammonGame> for BackgammonBots {
    fn offers(&self, game: &BackgammonGame) -> Vec<Spec> {
        parlor_bots::backgammon::offers(&game.rules())
    }

    fn check(&self, spec: Spec, game: &BackgammonGame) -> Result<(), Unsuitable> {
        parlor_bots::backgammon::suits(spec, &game.rules())
    }

    fn build(
        &self,
        spec: Spec,
        game: &BackgammonGame,
        seed: u64,
        _: Arc<dyn Crew>,
    ) -> Result<Box<dyn Strategy<BackgammonGame>>, Unsuitable> {
        parlor_bots::backgammon::build(spec, &game.rules(), seed)
    }

    fn self_play(&self, games: u64, seed: u64) -> Option<u64> {
        Some(parlor_bots::backgammon::self_play(games, seed))
    }
}

/// Returns the seat that plays a color.
pub(crate) fn seat_of(color: &str) -> Option<Seat> {
    match color {
        "white" => Some(WHITE),
        "black" => Some(BLACK),
        _ => None,
    }
}

/// Returns the seat that made the last play: the opponent of the seat on roll.
pub(crate) fn last_player(game: &BackgammonGame) -> Seat {
    game.on_roll().next(Position::seats(game))
}
