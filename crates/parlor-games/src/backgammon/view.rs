//! View of a game of backgammon.

use parlor_backgammon::{
    BAR, BLACK, Board, Crawford, Game, OFF, Phase, StartLayout, WHITE, Win, color_name,
};
use parlor_core::{Position, Seat};
use parlor_formats::state_json::{BoardRow, place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{last_player, options, svg};
use crate::{OptionsError, TurnView};

/// A game as JSON, with everything that its picture shows.
///
/// The board is the row of `state.json`: 24 counts, positive for white and negative for black.
/// Index 0 is white's corner unless the start is `printed-up`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgammonView {
    /// Constant `backgammon`.
    pub game: String,
    /// The options.
    pub options: Value,
    /// Checkers on the 24 points.
    pub board: [i8; 24],
    /// Checkers on the bar.
    pub bar: Both<u8>,
    /// Checkers borne off.
    pub home: Both<u8>,
    /// Pip counts.
    pub pips: Both<u16>,
    /// Phase of the turn.
    pub phase: PhaseView,
    /// Turn.
    pub turn: TurnView,
    /// Side on turn, `white` or `black`; `None` before an opening roll and after the end.
    #[serde(rename = "activePlayer")]
    pub active_player: Option<String>,
    /// Dice of the roll: two, or four for a double.
    pub dice: Vec<u8>,
    /// Dice already played.
    #[serde(rename = "diceUsed")]
    pub dice_used: Vec<u8>,
    /// Loss that the player on turn offers to accept: `single`, `gammon` or `backgammon`; `None`
    /// without an offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigning: Option<String>,
    /// The cube; `None` if the game has none.
    pub cube: Option<CubeView>,
    /// Match score; `None` in a single game.
    pub score: Option<Both<u8>>,
    /// True if this is the Crawford game.
    pub crawford: bool,
    /// Steps of the last play.
    pub last: Vec<StepView>,
    /// Result of the last game.
    pub result: Option<ResultView>,
    /// Number of the seat from whose side the board is shown; `None` for white's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_from: Option<u8>,
    /// Number of the seat whose numbers the points have; `None` for those of the side from which the
    /// board is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<u8>,
    /// True if the board is mirrored horizontally.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flipped: bool,
}

/// Pair of values, one for each color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Both<T> {
    /// White's value.
    pub white: T,
    /// Black's value.
    pub black: T,
}

impl<T: Copy> Both<T> {
    /// Returns a seat's value.
    pub fn get(&self, seat: Seat) -> T {
        if seat == WHITE {
            self.white
        } else {
            self.black
        }
    }
}

/// [`Phase`] as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseView {
    /// The opening roll.
    Opening,
    /// Roll or double.
    Cube,
    /// Take or drop.
    Doubled,
    /// Take or drop a beaver.
    Beavered,
    /// Dice are being rolled.
    Rolling,
    /// Play the dice.
    Moving,
    /// The game or match is over.
    Over,
}

/// The cube.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CubeView {
    /// Stake of the game.
    pub value: u16,
    /// Owner; `None` while the cube is in the middle.
    pub owner: Option<String>,
    /// Stake if the offered cube is taken.
    pub offered: Option<u16>,
    /// Side that offers the cube.
    pub by: Option<String>,
}

/// Step of the last play. Places are 0 to 23 as in the row, -1 for the bar, 24 for borne off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepView {
    /// Side, `white` or `black`.
    pub player: String,
    /// Place it moved from.
    pub from: i8,
    /// Place it moved to.
    pub to: i8,
    /// True if it hit a blot.
    pub hit: bool,
}

/// Result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResultView {
    /// Winner, `white` or `black`.
    pub winner: String,
    /// Points won.
    pub points: u16,
    /// Kind of result: `single`, `gammon`, `backgammon`, or `dropped` if a double was declined.
    pub how: String,
}

impl BackgammonView {
    /// Returns the view of a game. `last` is the text of the last play.
    pub fn new(game: &Game, last: Option<&str>) -> BackgammonView {
        let mut view = BackgammonView::on_board(game, &game.white_board());
        // On a board at its start, the last play belongs to the previous game.
        let fresh = game.white_board() == game.rules().start.board();
        view.last = last
            .filter(|_| !fresh)
            .map(|text| last_play(game, &view, text))
            .unwrap_or_default();
        view
    }

    /// Returns the view of a game with other checker positions, as in the middle of a play.
    pub(super) fn on_board(game: &Game, white: &Board) -> BackgammonView {
        let rules = game.rules();
        let (mine, theirs) = (white.mover(), white.other());
        let over = game.phase() == Phase::Over;
        BackgammonView {
            game: "backgammon".to_owned(),
            options: options::to_json(rules),
            board: BoardRow::from_board(white, rules.start).board,
            bar: Both {
                white: mine.bar(),
                black: theirs.bar(),
            },
            home: Both {
                white: mine.off(),
                black: theirs.off(),
            },
            pips: Both {
                white: mine.pips(),
                black: theirs.pips(),
            },
            phase: phase(game.phase()),
            turn: game.turn().into(),
            active_player: (!over && game.phase() != Phase::Opening)
                .then(|| color_name(game.on_roll()).to_owned()),
            dice: game
                .dice()
                .map(|dice| dice.faces().iter().map(|die| die.pips()).collect())
                .unwrap_or_default(),
            dice_used: Vec::new(),
            resigning: game.resigning().map(|win| kind(win).to_owned()),
            cube: rules.cube.then(|| cube(game)),
            score: rules.is_match().then(|| Both {
                white: game.score()[0],
                black: game.score()[1],
            }),
            crawford: game.crawford() == Crawford::Now,
            last: Vec::new(),
            result: game.last_result().map(|last| ResultView {
                winner: color_name(last.by).to_owned(),
                points: last.points,
                how: last.win.map_or("dropped", kind).to_owned(),
            }),
            seen_from: None,
            counted_by: None,
            flipped: false,
        }
    }

    /// Parses a view created by this module.
    ///
    /// # Errors
    /// If it is not one, or has too many checkers.
    pub fn from_json(json: &Value) -> Result<BackgammonView, OptionsError> {
        let view = BackgammonView::deserialize(json)
            .map_err(|error| OptionsError::one("", error.to_string()))?;
        let most = view.board.iter().map(|count| count.unsigned_abs()).chain([
            view.bar.white,
            view.bar.black,
            view.home.white,
            view.home.black,
        ]);
        let places = view.last.iter().flat_map(|step| [step.from, step.to]);
        let dice = view
            .dice
            .iter()
            .chain(&view.dice_used)
            .all(|die| (1..=6).contains(die))
            && view.dice.len() <= 4;
        if most.max() > Some(15)
            || !dice
            || places.into_iter().any(|place| !(-1..=24).contains(&place))
        {
            return Err(OptionsError::one(
                "",
                "a board has at most 15 checkers in a place, dice of 1 to 6, and places from -1 to 24",
            ));
        }
        Ok(view)
    }

    /// Returns the start layout, which determines the numbering of the row.
    pub fn start(&self) -> StartLayout {
        self.options[options::START]
            .as_str()
            .and_then(StartLayout::from_name)
            .unwrap_or_default()
    }
}

fn kind(win: Win) -> &'static str {
    match win {
        Win::Single => "single",
        Win::Gammon => "gammon",
        Win::Backgammon => "backgammon",
    }
}

fn phase(phase: Phase) -> PhaseView {
    match phase {
        Phase::Opening => PhaseView::Opening,
        Phase::Cube => PhaseView::Cube,
        Phase::Doubled => PhaseView::Doubled,
        Phase::Beavered => PhaseView::Beavered,
        Phase::Rolling => PhaseView::Rolling,
        Phase::Moving(_) => PhaseView::Moving,
        Phase::Over => PhaseView::Over,
    }
}

fn cube(game: &Game) -> CubeView {
    let cube = game.cube();
    let (offered, by) = match game.phase() {
        Phase::Doubled => (Some(2 * cube.value()), Some(game.on_roll())),
        Phase::Beavered => (Some(4 * cube.value()), Some(last_player(game))),
        _ => (None, None),
    };
    CubeView {
        value: cube.value(),
        owner: cube.owner().map(|seat| color_name(seat).to_owned()),
        offered,
        by: by.map(|seat| color_name(seat).to_owned()),
    }
}

/// Returns the steps of the last play. Its text does not state the side, and after a pass the usual
/// guess is wrong, so the first side whose steps lead to this board is used.
fn last_play(game: &Game, view: &BackgammonView, text: &str) -> Vec<StepView> {
    let likely = last_player_or_winner(game);
    let plays = [likely, likely.next(2)].map(|seat| steps_of(game, seat, text));
    plays
        .into_iter()
        .find(|steps| svg::leads_here(view, steps))
        .unwrap_or_default()
}

/// Returns the likely side of the last play. After the end this is the winner, unless a double was
/// dropped.
fn last_player_or_winner(game: &Game) -> Seat {
    match (game.phase(), game.last_result()) {
        (Phase::Over, Some(last)) if last.win.is_some() => last.by,
        (Phase::Over, Some(last)) => {
            if last.by == WHITE {
                BLACK
            } else {
                WHITE
            }
        }
        _ => last_player(game),
    }
}

/// Returns the steps of a play in notation; a star marks a hit.
pub(super) fn steps_of(game: &Game, seat: Seat, text: &str) -> Vec<StepView> {
    let start = game.rules().start;
    let point = |word: &str| match word {
        "bar" => Some(BAR),
        "off" => Some(OFF),
        word => word.parse().ok().filter(|point| (1..=24).contains(point)),
    };
    let mut steps = Vec::new();
    for part in text.split(',') {
        let (way, times) = part.split_once('(').unwrap_or((part, "1"));
        let times = times.trim_end_matches(')').parse().unwrap_or(1).min(4);
        let words: Vec<&str> = way.split('/').collect();
        for n in 0..times {
            for pair in words.windows(2) {
                let (Some(from), Some(to)) = (
                    point(pair[0].trim_end_matches('*')),
                    point(pair[1].trim_end_matches('*')),
                ) else {
                    continue;
                };
                let hit = n == 0 && pair[1].ends_with('*');
                let (from, to) = (place(start, seat, from), place(start, seat, to));
                steps.push(StepView {
                    player: color_name(seat).to_owned(),
                    from,
                    to,
                    hit,
                });
            }
        }
    }
    steps
}
