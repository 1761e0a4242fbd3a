//! Backgammon at the table.

pub(crate) mod analysis;
mod clicks;
pub(crate) mod exchange;
pub mod options;
pub(crate) mod repository;
pub mod state;
pub mod svg;
pub(crate) mod terminal;
mod told;
pub mod view;

use parlor_backgammon::{BLACK, Chance, Game, Phase, WHITE};
use parlor_core::{Notation, Position, Seat};
use serde_json::Value;

use crate::tenant::Tenant;
use crate::{AnyPosition, Click, Draft, GameKind};

/// The rules in plain words.
pub const RULES: &str = "Two players race fifteen checkers each around twenty-four points, in opposite directions. At first each \
throws one die; the higher begins and plays both dice. After that each throws two at every turn.\n\nA die moves one checker as many \
points as it shows, to a point that the other side does not hold with two or more checkers. Two dice may move two checkers or one \
twice; a double is played four times. As many dice as possible must be played, and if only one of two can be, the higher.\n\nA \
single checker is a blot: whoever comes to its point hits it, and it goes to the bar. Checkers on the bar enter in the other's home \
before anything else may move.\n\nWhen all of one's checkers are home they may be borne off, each by its own number, or from the \
highest point with a higher one. Who is off first wins: a single game if the other has borne off a checker, else a gammon for twice \
as much, or a backgammon for three times if a checker is still on the bar or in the winner's home.\n\nWith the cube, whoever is to \
roll may double the stake first. The other takes, and owns the cube, or drops and loses the stake there was. A match goes to so \
many points; when somebody is one point short of it, the next game is played without the cube (the Crawford game). In a single \
game with the cube, the Jacoby rule lets gammons count only after a double, and a beaver is a double answered by another that keeps the cube.";

/// What the seats are called.
pub(crate) const COLORS: [&str; 2] = ["White", "Black"];

impl Tenant for Game {
    const KIND: GameKind = GameKind::Backgammon;

    fn of(any: &AnyPosition) -> Option<&Game> {
        let AnyPosition::Backgammon(game) = any else {
            return None;
        };
        Some(game)
    }

    fn seat_name(&self, seat: Seat) -> String {
        COLORS
            .get(seat.index())
            .copied()
            .unwrap_or_default()
            .to_owned()
    }

    fn view(&self, last: Option<&str>) -> Value {
        serde_json::to_value(view::View::of(self, last)).expect("a view is plain data")
    }

    fn clicks(&self) -> Vec<Click> {
        clicks::of(self)
    }

    fn concessions(&self) -> Vec<Click> {
        clicks::resignations(self)
    }

    fn draft(&self, steps: &str) -> Option<Draft> {
        clicks::draft(self, steps)
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
            play => self.written(play),
        }
    }

    fn question(&self) -> Option<String> {
        told::question(self)
    }

    fn news(&self) -> Option<String> {
        told::news(self)
    }

    fn chances_title(&self) -> &'static str {
        if self.phase() == Phase::Opening {
            "Opening rolls"
        } else {
            "Rolls"
        }
    }

    fn faces(&self, text: &str) -> Vec<u8> {
        // The dice of an opening roll are never alike, so one depends on the other.
        match self.parse_chance(text) {
            Ok(Chance::Roll(roll)) => vec![roll.high().pips(), roll.low().pips()],
            Ok(Chance::Opening { .. }) | Err(_) => Vec::new(),
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

    fn written(&self, text: &str) -> String {
        text.replace(',', " ")
    }

    fn leaves_mark(&self, text: &str) -> bool {
        text.contains('/')
    }

    fn terminal(&self, last: Option<&str>) -> String {
        terminal::draw(self, last)
    }
}

/// A color in lower case, as files write it.
pub(crate) fn color(seat: Seat) -> &'static str {
    if seat == WHITE { "white" } else { "black" }
}

/// The seat that plays a color.
pub(crate) fn seat_of(color: &str) -> Option<Seat> {
    match color {
        "white" => Some(WHITE),
        "black" => Some(BLACK),
        _ => None,
    }
}

/// Who made the last play: with every turn the other seat's board comes up.
pub(crate) fn last_player(game: &Game) -> Seat {
    game.on_roll().next(Position::seats(game))
}
