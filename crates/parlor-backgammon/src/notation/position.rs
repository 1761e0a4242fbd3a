//! Positions in one line of text: rules, checkers, cube, phase, score.
//!
//! `match3+cube -b----E-C---eE---c-e----B- 2w b:31 1-0` is a match to 3 with the cube; the checkers
//! as in an XGID, white in capitals (black's bar, white's points 1 to 24, white's bar); white owns
//! the cube at 2; black is to play 31; white leads by a point.

use parlor_core::{NotationError, Seat};

use crate::board::Win;
use crate::game::{Crawford, Cube, Game, GameResult, Phase};
use crate::setup::Setup;
use crate::{BLACK, CHECKERS, Dice, Die, Rules, StartLayout, WHITE};

pub(super) fn write(game: &Game) -> String {
    let setup = Setup::from_game(game);
    let mut text = format!(
        "{} {} {} {} {}",
        rules(setup.rules),
        checkers(&setup.counts),
        cube(setup.cube),
        phase(&setup),
        score(&setup)
    );
    if let Some(last) = setup.last {
        text.push(' ');
        text.push_str(&finished(last));
    }
    text
}

pub(super) fn read(text: &str) -> Result<Game, NotationError> {
    let bad = |what: &str| NotationError::new(text, format!("a position of backgammon: {what}"));
    let words: Vec<&str> = text.split_whitespace().collect();
    let (five, last) = match words[..] {
        [a, b, c, d, e] => ([a, b, c, d, e], None),
        [a, b, c, d, e, last] => ([a, b, c, d, e], Some(last)),
        _ => {
            return Err(bad(
                "rules, checkers, cube, turn and score are needed, such as \"game \
                 -b----E-C---eE---c-e----B- 1 open 0-0\"",
            ));
        }
    };
    let [rules, checkers, cube, phase, score] = five;
    let (phase, resigning, refused) = read_resigning(phase)
        .ok_or_else(|| bad("what is resigned is !1, !2, !3 or, refused, !"))?;
    let (on_roll, phase) =
        read_phase(phase).ok_or_else(|| bad("its turn is no open, over, w:roll or b:31"))?;
    let (score, crawford) =
        read_score(score).ok_or_else(|| bad("its score is none such as 1-0"))?;
    let setup = Setup {
        rules: read_rules(rules).ok_or_else(|| bad("its rules are none such as match3+cube"))?,
        counts: read_checkers(checkers)
            .ok_or_else(|| bad("its checkers are not 26 characters of -, A-O and a-o"))?,
        on_roll,
        phase,
        cube: read_cube(cube).ok_or_else(|| bad("its cube is none such as 1 or 2w"))?,
        score,
        crawford,
        last: match last {
            Some(word) => Some(
                read_finished(word).ok_or_else(|| bad("its last result is none such as w2g"))?,
            ),
            None => None,
        },
        resigning,
        refused,
    };
    setup.validate().map_err(|flaws| bad(&flaws.to_string()))
}

fn rules(rules: Rules) -> String {
    let mut text = if rules.is_match() {
        format!("match{}", rules.length)
    } else {
        "game".to_owned()
    };
    let flags = [
        (rules.cube, "+cube"),
        (!rules.crawford, "+nocrawford"),
        (rules.jacoby, "+jacoby"),
        (rules.beavers, "+beavers"),
    ];
    flags
        .iter()
        .filter(|(on, _)| *on)
        .for_each(|(_, flag)| text.push_str(flag));
    if rules.start != StartLayout::Standard {
        text.push('+');
        text.push_str(rules.start.name());
    }
    text
}

fn read_rules(text: &str) -> Option<Rules> {
    let mut words = text.split('+');
    let length = match words.next()? {
        "game" => 0,
        word => word
            .strip_prefix("match")?
            .parse()
            .ok()
            .filter(|length| *length > 0)?,
    };
    let mut rules = Rules {
        length,
        ..Rules::GAME
    };
    for word in words {
        match word {
            "cube" => rules.cube = true,
            "nocrawford" => rules.crawford = false,
            "jacoby" => rules.jacoby = true,
            "beavers" => rules.beavers = true,
            start => rules.start = StartLayout::from_name(start)?,
        }
    }
    Some(rules)
}

/// Writes the checkers in the form of an XGID, with white at the bottom.
pub(crate) fn checkers(counts: &[[u8; 26]; 2]) -> String {
    let character = |place: usize| {
        let (white, black) = (counts[0][place], counts[1][25 - place]);
        match (place, white, black) {
            (0, _, 0) | (25, 0, _) => '-',
            (0, _, black) => char::from(b'a' - 1 + black),
            (25, white, _) => char::from(b'A' - 1 + white),
            (_, 0, 0) => '-',
            (_, 0, black) => char::from(b'a' - 1 + black),
            (_, white, _) => char::from(b'A' - 1 + white),
        }
    };
    (0..26).map(character).collect()
}

/// Reads the output of [`checkers`]. Checkers not on the board are off.
pub(crate) fn read_checkers(text: &str) -> Option<[[u8; 26]; 2]> {
    let mut counts = [[0u8; 26]; 2];
    if text.len() != 26 {
        return None;
    }
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'-' => {}
            b'A'..=b'O' if place > 0 => counts[0][place] = byte - b'A' + 1,
            b'a'..=b'o' if place < 25 => counts[1][25 - place] = byte - b'a' + 1,
            _ => return None,
        }
    }
    for side in &mut counts {
        let on: u32 = side.iter().map(|n| u32::from(*n)).sum();
        side[0] = u32::from(CHECKERS).saturating_sub(on) as u8;
    }
    Some(counts)
}

fn letter(seat: Seat) -> char {
    if seat == WHITE { 'w' } else { 'b' }
}

fn seat(letter: &str) -> Option<Seat> {
    match letter {
        "w" => Some(WHITE),
        "b" => Some(BLACK),
        _ => None,
    }
}

fn cube(cube: Cube) -> String {
    match cube.owner() {
        Some(owner) => format!("{}{}", cube.value(), letter(owner)),
        None => cube.value().to_string(),
    }
}

fn read_cube(text: &str) -> Option<Cube> {
    let digits = text.trim_end_matches(['w', 'b']);
    let value: u16 = digits
        .parse()
        .ok()
        .filter(|value: &u16| value.is_power_of_two())?;
    let owner = match &text[digits.len()..] {
        "" => None,
        letter => Some(seat(letter)?),
    };
    Cube::new(value.trailing_zeros() as u8, owner)
}

fn phase(setup: &Setup) -> String {
    let word = match setup.phase {
        Phase::Opening => return "open".to_owned(),
        Phase::Over => return format!("over:{}", letter(setup.on_roll)),
        Phase::Cube => "cube".to_owned(),
        Phase::Doubled => "doubled".to_owned(),
        Phase::Beavered => "beavered".to_owned(),
        Phase::Rolling => "roll".to_owned(),
        Phase::Moving(dice) => dice.faces().iter().map(Die::to_string).collect(),
    };
    let resigning = match setup.resigning {
        Some(win) => format!("!{}", win.factor()),
        None if setup.refused => "!".to_owned(),
        None => String::new(),
    };
    format!("{}:{word}{resigning}", letter(setup.on_roll))
}

/// Splits the phase from a resignation: returns the phase, the loss offered, and whether it was
/// refused.
fn read_resigning(text: &str) -> Option<(&str, Option<Win>, bool)> {
    let Some((phase, offer)) = text.split_once('!') else {
        return Some((text, None, false));
    };
    match offer {
        "" => Some((phase, None, true)),
        "1" => Some((phase, Some(Win::Single), false)),
        "2" => Some((phase, Some(Win::Gammon), false)),
        "3" => Some((phase, Some(Win::Backgammon), false)),
        _ => None,
    }
}

fn read_phase(text: &str) -> Option<(Seat, Phase)> {
    if text == "open" {
        return Some((WHITE, Phase::Opening));
    }
    let (who, what) = text.split_once(':')?;
    if who == "over" {
        return Some((seat(what)?, Phase::Over));
    }
    let phase = match what {
        "cube" => Phase::Cube,
        "doubled" => Phase::Doubled,
        "beavered" => Phase::Beavered,
        "roll" => Phase::Rolling,
        faces => {
            let faces: Option<Vec<Die>> = faces
                .bytes()
                .map(|b| Die::new(b.wrapping_sub(b'0')))
                .collect();
            Phase::Moving(Dice::from_faces(&faces?)?)
        }
    };
    Some((seat(who)?, phase))
}

fn score(setup: &Setup) -> String {
    let crawford = match setup.crawford {
        Crawford::Before => "",
        Crawford::Now => "/crawford",
        Crawford::After => "/after",
    };
    format!("{}-{}{crawford}", setup.score[0], setup.score[1])
}

fn read_score(text: &str) -> Option<([u8; 2], Crawford)> {
    let (points, crawford) = match text.split_once('/') {
        Some((points, "crawford")) => (points, Crawford::Now),
        Some((points, "after")) => (points, Crawford::After),
        Some(_) => return None,
        None => (text, Crawford::Before),
    };
    let (white, black) = points.split_once('-')?;
    Some(([white.parse().ok()?, black.parse().ok()?], crawford))
}

fn finished(last: GameResult) -> String {
    let how = match last.win {
        None => "d",
        Some(Win::Single) => "s",
        Some(Win::Gammon) => "g",
        Some(Win::Backgammon) => "b",
    };
    format!("{}{}{how}", letter(last.by), last.points)
}

fn read_finished(text: &str) -> Option<GameResult> {
    let win = match text.chars().last()? {
        'd' => None,
        's' => Some(Win::Single),
        'g' => Some(Win::Gammon),
        'b' => Some(Win::Backgammon),
        _ => return None,
    };
    let points = text
        .get(1..text.len() - 1)?
        .parse()
        .ok()
        .filter(|points| (1..=3 * 1024).contains(points))?;
    Some(GameResult {
        by: seat(text.get(..1)?)?,
        points,
        win,
    })
}
