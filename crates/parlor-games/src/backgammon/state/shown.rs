//! Reading games from views, with cube, score and phase, which `state.json` does not contain.

use parlor_backgammon::{
    Crawford, Cube, Dice, Die, Game, GameResult, Phase, Rules, Setup, WHITE, Win,
};
use parlor_formats::state_json::BoardRow;
use serde_json::Value;

use crate::OptionsError;
use crate::backgammon::view::{BackgammonView, PhaseView, ResultView};
use crate::backgammon::{options, seat_of};

/// Returns true if the JSON is a view rather than a state.
pub(super) fn is_view(json: &Value) -> bool {
    json.get("phase").is_some_and(Value::is_string)
        && json.get("options").is_some_and(Value::is_object)
}

/// Reads the game from a view. A view does not show that an offer to resign was refused this turn.
pub(super) fn game(json: &Value) -> Result<Game, OptionsError> {
    let view = BackgammonView::from_json(json)?;
    let rules = options::start(&view.options)?.rules();
    let row = BoardRow {
        board: view.board,
        bar: [view.bar.white, view.bar.black],
        home: [view.home.white, view.home.black],
    };
    let last = view.result.as_ref().and_then(finished);
    // No seat is on turn before an opening roll or after the end.
    let on_roll = view
        .active_player
        .as_deref()
        .and_then(seat_of)
        .or(last.map(|last| last.by));
    let score = view
        .score
        .map_or([0, 0], |score| [score.white, score.black]);
    let setup = Setup {
        counts: row.counts(rules.start),
        on_roll: on_roll
            .filter(|_| view.phase != PhaseView::Opening)
            .unwrap_or(WHITE),
        phase: phase(&view)?,
        cube: cube(&view)?,
        score,
        crawford: crawford(rules, score, view.crawford),
        last,
        resigning: view.resigning.as_deref().map(win).transpose()?,
        ..Setup::new(rules)
    };
    setup
        .validate()
        .map_err(|flaws| OptionsError::one("", flaws.to_string()))
}

fn phase(view: &BackgammonView) -> Result<Phase, OptionsError> {
    Ok(match view.phase {
        PhaseView::Opening => Phase::Opening,
        PhaseView::Cube => Phase::Cube,
        PhaseView::Doubled => Phase::Doubled,
        PhaseView::Beavered => Phase::Beavered,
        PhaseView::Rolling => Phase::Rolling,
        PhaseView::Over => Phase::Over,
        PhaseView::Moving => {
            let faces: Vec<Die> = view.dice.iter().filter_map(|die| Die::new(*die)).collect();
            let dice = Dice::from_faces(&faces)
                .ok_or_else(|| OptionsError::one("dice", "no roll leaves these dice"));
            Phase::Moving(dice?)
        }
    })
}

fn cube(view: &BackgammonView) -> Result<Cube, OptionsError> {
    let Some(cube) = &view.cube else {
        return Ok(Cube::default());
    };
    let turned = cube
        .value
        .is_power_of_two()
        .then(|| cube.value.trailing_zeros() as u8);
    let owner = cube.owner.as_deref().and_then(seat_of);
    let found = turned.and_then(|turned| Cube::new(turned, owner));
    found.ok_or_else(|| OptionsError::one("cube", "a cube shows a power of two up to 1024"))
}

/// Returns the state of the Crawford rule: once a seat is one point away from winning, the Crawford
/// game is being played or is over.
fn crawford(rules: Rules, score: [u8; 2], now: bool) -> Crawford {
    let rule = rules.crawford && rules.cube && rules.length > 1;
    match score.iter().any(|score| score + 1 == rules.length) {
        _ if now => Crawford::Now,
        true if rule => Crawford::After,
        _ => Crawford::Before,
    }
}

fn finished(result: &ResultView) -> Option<GameResult> {
    let win = if result.how == "dropped" {
        None
    } else {
        Some(win(&result.how).ok()?)
    };
    Some(GameResult {
        by: seat_of(&result.winner)?,
        points: result.points,
        win,
    })
}

fn win(name: &str) -> Result<Win, OptionsError> {
    match name {
        "single" => Ok(Win::Single),
        "gammon" => Ok(Win::Gammon),
        "backgammon" => Ok(Win::Backgammon),
        _ => Err(OptionsError::one(
            "resigning",
            "what is given up is single, gammon or backgammon",
        )),
    }
}
