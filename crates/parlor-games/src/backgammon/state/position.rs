//! Reading a bare position from JSON.

use parlor_backgammon::{CHECKERS, Game, Phase, StartLayout};
use parlor_core::Seat;
use parlor_formats::state_json::{BoardRow, PartialState};
use serde_json::Value;

use super::reader::{Fields, Reader};
use super::{ACTIVE, BAR, BOARD, DICE, HOME, STATUS, USED, board, both, color, dice, shown};
use crate::backgammon::options::START;
use crate::{OptionsError, Problem};

/// Reads a position: `board`, `bar`, `home`, and unless the game is over `dice` and `activePlayer`;
/// `diceUsed` if part of the roll was played, and `start` if it is not the usual one. A complete
/// `state.json` is accepted too; its other fields are ignored and the result is a single game
/// without cube. A view is read as the game that it shows.
pub(crate) fn position(json: &Value) -> Result<Game, OptionsError> {
    if shown::is_view(json) {
        return shown::game(json);
    }
    let mut reader = Reader::default();
    let found = reader
        .any_object("", json)
        .and_then(|fields| find(&mut reader, &fields));
    let mut problems: Vec<Problem> = reader
        .faults()
        .into_iter()
        .map(|(field, message)| Problem { field, message })
        .collect();
    let Some(Found {
        sketch,
        start,
        over,
    }) = found.filter(|_| problems.is_empty())
    else {
        return Err(OptionsError { problems });
    };
    problems.extend(sketch.check(start).faults.iter().map(|fault| Problem {
        field: String::new(),
        message: fault.to_string(),
    }));
    if !problems.is_empty() {
        return Err(OptionsError { problems });
    }
    let row = sketch.row().expect("sound fields were found");
    let (seat, phase) = match over {
        Some(winner) => (winner, Phase::Over),
        None => (
            sketch.active.expect("a sound field was found"),
            Phase::Moving(left(&sketch)?),
        ),
    };
    row.to_game(start, seat, phase)
        .map_err(|flaws| OptionsError::one("", flaws.to_string()))
}

fn left(sketch: &PartialState) -> Result<parlor_backgammon::Dice, OptionsError> {
    sketch
        .dice_left()
        .ok_or_else(|| OptionsError::one(USED, "all dice are used, so nothing is left to play"))
}

/// Parts of a position read from JSON.
struct Found {
    sketch: PartialState,
    start: StartLayout,
    /// Winner of a finished game.
    over: Option<Seat>,
}

fn find(reader: &mut Reader, fields: &Fields<'_>) -> Option<Found> {
    for name in [BOARD, BAR, HOME] {
        if fields.get(name).is_none() {
            reader.fault(name, "is missing");
        }
    }
    let row = (
        board(reader, fields),
        both(reader, fields, BAR),
        both(reader, fields, HOME),
    );
    let start = start(reader, fields);
    let over = row.2.and_then(winner).filter(|_| !says_playing(fields));
    let mut sketch = PartialState {
        board: row.0,
        bar: row.1,
        home: row.2,
        ..PartialState::default()
    };
    if over.is_none() {
        moving(reader, fields, &mut sketch);
    }
    sketch.row().map(|_: BoardRow| Found {
        sketch,
        start,
        over,
    })
}

/// Reads the side on turn and its dice.
fn moving(reader: &mut Reader, fields: &Fields<'_>, sketch: &mut PartialState) {
    let has = |name| fields.get(name).is_some_and(|(_, value)| !value.is_null());
    if !has(DICE)
        || fields
            .get(DICE)
            .is_some_and(|(_, dice)| dice.as_array().is_some_and(Vec::is_empty))
    {
        reader.fault(DICE, "is missing: what can be played depends on the roll");
    } else {
        sketch.dice = dice(reader, fields, DICE, 2);
    }
    if has(ACTIVE) {
        sketch.active = color(reader, fields, ACTIVE);
    } else {
        reader.fault(ACTIVE, "is missing: white or black is to play");
    }
    sketch.used = if has(USED) {
        dice(reader, fields, USED, 0)
    } else {
        Some(Vec::new())
    };
}

/// Returns the side that has borne off all checkers. If both have, the rules reject the position
/// later.
fn winner(home: [u8; 2]) -> Option<Seat> {
    Seat::all(2).find(|seat| home[seat.index()] >= CHECKERS)
}

fn says_playing(fields: &Fields<'_>) -> bool {
    fields
        .get(STATUS)
        .is_some_and(|(_, status)| status == "playing")
}

/// Reads the start layout.
fn start(reader: &mut Reader, fields: &Fields<'_>) -> StartLayout {
    let Some((at, value)) = fields.get(START).filter(|(_, start)| !start.is_null()) else {
        return StartLayout::Standard;
    };
    let names = StartLayout::ALL.map(StartLayout::name);
    reader
        .word(&at, value, &names)
        .map_or(StartLayout::Standard, |chosen| StartLayout::ALL[chosen])
}
