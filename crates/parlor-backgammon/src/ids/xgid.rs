//! XGIDs, the position IDs of eXtreme Gammon.
//!
//! Ten fields: checkers, cube as a power of two, its owner, turn, dice, white's and black's points,
//! the Crawford flag or the rules of money play (1 Jacoby, 2 beavers), match length, cube limit.
//! White is the player at the bottom: 1; black is -1.

use parlor_core::Seat;

use super::match_id::crawford;
use super::{IdError, IdWriteError, roll_faces, validate_phase};
use crate::notation::{checkers, read_checkers};
use crate::{BLACK, Crawford, Cube, Die, Game, Phase, Roll, Rules, Setup, WHITE};

/// Usual prefix of an XGID.
pub(super) const PREFIX: &str = "XGID=";

/// Returns the XGID of a game, with its prefix.
///
/// # Errors
/// Returns an error if an XGID cannot express the position.
pub fn xgid(game: &Game) -> Result<String, IdWriteError> {
    let faces = roll_faces(game)?;
    if game.resigning().is_some() {
        return Err(IdWriteError::Resignation);
    }
    let setup = Setup::from_game(game);
    let rules = setup.rules;
    let dice = match setup.phase {
        Phase::Doubled => "D".to_owned(),
        Phase::Beavered => "B".to_owned(),
        _ => format!("{}{}", faces[0], faces[1]),
    };
    let flags = match rules.is_match() {
        true => u8::from(setup.crawford == Crawford::Now),
        false => u8::from(rules.jacoby) + 2 * u8::from(rules.beavers),
    };
    let limit = if rules.cube { Cube::MAX_TURNS } else { 0 };
    Ok(format!(
        "{PREFIX}{}:{}:{}:{}:{dice}:{}:{}:{flags}:{}:{limit}",
        checkers(&setup.counts),
        setup.cube.turned(),
        setup.cube.owner().map_or(0, sign),
        sign(setup.on_roll),
        setup.score[0],
        setup.score[1],
        rules.length,
    ))
}

/// Reads an XGID, with or without its prefix. A cube limit of 0 means no cube; other limits are
/// ignored.
///
/// # Errors
/// [`IdError`] if the text is not a valid XGID.
pub fn game_from_xgid(text: &str) -> Result<Game, IdError> {
    let text = text.trim();
    let fields: Vec<&str> = text
        .strip_prefix(PREFIX)
        .unwrap_or(text)
        .split(':')
        .collect();
    let [
        board,
        turned,
        owner,
        turn,
        dice,
        white,
        black,
        flags,
        length,
        limit,
    ] = fields[..]
    else {
        return Err(IdError::Fields {
            count: fields.len(),
        });
    };
    let length = number("match length", length, 0, Rules::MAX_LENGTH, "0 to 64")?;
    let flags = if length > 0 {
        number("Crawford game", flags, 0, 1, "0 or 1")?
    } else {
        number("rules of money play", flags, 0, 3, "0 to 3")?
    };
    let cube = number("limit of the cube", limit, 0, 15, "0 to 15")? > 0;
    let (jacoby, beavers) = (flags & 1 != 0, flags & 2 != 0);
    let mut setup = Setup::new(
        Rules {
            length,
            cube,
            jacoby,
            beavers,
            ..Rules::GAME
        }
        .normalized(),
    );
    setup.counts = counts(board)?;
    setup.on_roll = seat("turn", turn)?.ok_or_else(|| field("turn", turn, "1 or -1"))?;
    let turned = number(
        "cube",
        turned,
        0,
        Cube::MAX_TURNS,
        "0 to 10, as a power of two",
    )?;
    setup.cube =
        Cube::new(turned, seat("owner of the cube", owner)?).expect("the number was checked");
    // Money sessions count points too, but they do not affect the game.
    let score = [white, black].map(|score| number("score", score, 0, 127, "a number below 128"));
    setup.score = if length > 0 {
        [score[0].clone()?, score[1].clone()?]
    } else {
        [0; 2]
    };
    setup.crawford = if length > 0 {
        crawford(&setup, flags == 1)
    } else {
        Crawford::Before
    };
    setup.phase = phase(dice)?;
    validate_phase(setup)
}

fn sign(seat: Seat) -> i8 {
    if seat == WHITE { 1 } else { -1 }
}

fn seat(name: &'static str, text: &str) -> Result<Option<Seat>, IdError> {
    match text {
        "1" => Ok(Some(WHITE)),
        "-1" => Ok(Some(BLACK)),
        "0" => Ok(None),
        _ => Err(field(name, text, "1, -1 or 0")),
    }
}

fn field(name: &'static str, text: &str, expected: &'static str) -> IdError {
    IdError::Field {
        name,
        text: text.chars().take(20).collect(),
        expected,
    }
}

fn number(
    name: &'static str,
    text: &str,
    from: u8,
    to: u8,
    expected: &'static str,
) -> Result<u8, IdError> {
    text.parse()
        .ok()
        .filter(|n| (from..=to).contains(n))
        .ok_or_else(|| field(name, text, expected))
}

fn phase(dice: &str) -> Result<Phase, IdError> {
    match dice {
        "00" => Ok(Phase::Rolling),
        "D" => Ok(Phase::Doubled),
        "B" => Ok(Phase::Beavered),
        _ => {
            let faces: Option<Vec<Die>> = dice
                .bytes()
                .map(|b| Die::new(b.wrapping_sub(b'0')))
                .collect();
            match faces.as_deref() {
                Some([one, other]) => Ok(Phase::Moving(Roll::new(*one, *other).into())),
                _ => Err(field(
                    "roll",
                    dice,
                    "two dice such as 31, 00, D (doubled) or B (beavered)",
                )),
            }
        }
    }
}

fn counts(text: &str) -> Result<[[u8; 26]; 2], IdError> {
    let what = "the board of an XGID";
    let found = text.chars().count();
    if found != 26 {
        return Err(IdError::Length {
            what,
            right: 26,
            found,
        });
    }
    let expected = |at| match at {
        0 => "- and a-o (the upper player's bar)",
        25 => "- and A-O (the lower player's bar)",
        _ => "-, A-O and a-o",
    };
    let wrong = text
        .chars()
        .enumerate()
        .find(|(at, character)| match character {
            '-' => false,
            'A'..='O' => *at == 0,
            'a'..='o' => *at == 25,
            _ => true,
        });
    match wrong {
        Some((at, character)) => Err(IdError::Character {
            what,
            at: at + 1,
            character,
            expected: expected(at),
        }),
        None => Ok(read_checkers(text).expect("the characters were checked")),
    }
}
