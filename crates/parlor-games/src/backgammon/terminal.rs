//! The board in plain text, seen from white.
//!
//! White is `O`, black is `X`. Points have white's numbers; black's are 25 minus these.

use parlor_backgammon::{Cube, Game, Phase, WHITE};

use super::COLORS;

/// Lines of checkers on each half.
const HIGH: u8 = 5;

pub(crate) fn draw(game: &Game, last: Option<&str>) -> String {
    let board = game.white_board();
    let (white, black) = (board.mover(), board.other());
    let cell = |point: u8, level: u8| {
        let (own, other) = (white.count(point), black.count(25 - point));
        let (count, sign) = if own > 0 { (own, "O") } else { (other, "X") };
        stack(count, level, sign)
    };
    let bar = |count: u8, sign: &str, level: u8| stack(count, level, sign);
    let line = |points: [u8; 12], level: u8, middle: String| {
        let half = |points: &[u8]| {
            points
                .iter()
                .map(|point| cell(*point, level))
                .collect::<String>()
        };
        format!("|{}|{middle}|{}|\n", half(&points[..6]), half(&points[6..]))
    };
    let numbers = |points: [u8; 12]| {
        let half = |points: &[u8]| {
            points
                .iter()
                .map(|point| format!("{point:>3}"))
                .collect::<String>()
        };
        format!(" {}     {}\n", half(&points[..6]), half(&points[6..]))
    };
    let top: [u8; 12] = std::array::from_fn(|n| 13 + n as u8);
    let bottom: [u8; 12] = std::array::from_fn(|n| 12 - n as u8);
    let edge = format!("+{0}+---+{0}+\n", "-".repeat(18));
    let mut text = format!("{}{edge}", numbers(top));
    (0..HIGH).for_each(|level| text.push_str(&line(top, level, bar(black.bar(), "X", level))));
    text.push_str(&format!("|{0}|BAR|{0}|\n", " ".repeat(18)));
    (0..HIGH)
        .rev()
        .for_each(|level| text.push_str(&line(bottom, level, bar(white.bar(), "O", level))));
    text.push_str(&format!("{edge}{}", numbers(bottom)));
    text.push_str(&standing(game, last));
    text
}

/// Returns three characters of a stack; the fifth level shows the count if the stack is higher.
fn stack(count: u8, level: u8, sign: &str) -> String {
    match () {
        () if count > HIGH && level == HIGH - 1 => format!("{count:>3}"),
        () if level < count => format!("  {sign}"),
        () => "   ".to_owned(),
    }
}

/// Returns the line next to the board: cube, score and the player on turn.
fn standing(game: &Game, last: Option<&str>) -> String {
    let board = game.white_board();
    let mut text = format!(
        "O White: {} pips, {} off   X Black: {} pips, {} off\n",
        board.mover().pips(),
        board.mover().off(),
        board.other().pips(),
        board.other().off()
    );
    if game.rules().is_match() {
        let [white, black] = game.score();
        text.push_str(&format!(
            "Match to {}: {white}-{black}\n",
            game.rules().length
        ));
    }
    if game.rules().cube {
        text.push_str(&format!(
            "Cube: {}{}\n",
            game.cube().value(),
            owner(game.cube())
        ));
    }
    if let Some(last) = last {
        text.push_str(&format!("Last play: {}\n", last.replace(',', " ")));
    }
    let who = COLORS[game.on_roll().index()];
    let other = COLORS[game.on_roll().next(2).index()];
    let next = match game.phase() {
        Phase::Opening => "The opening roll comes next.".to_owned(),
        Phase::Cube => format!("{who} rolls or doubles."),
        Phase::Doubled => format!("{who} doubles; {other} takes or drops."),
        Phase::Beavered => format!("{other} beavers; {who} takes or drops."),
        Phase::Rolling => format!("{who} rolls."),
        Phase::Moving(dice) => {
            let faces: Vec<String> = dice.faces().iter().map(|die| die.to_string()).collect();
            format!(
                "{who} plays {} (in {}'s own numbers).",
                faces.join(" "),
                who.to_lowercase()
            )
        }
        Phase::Over => "The game is over.".to_owned(),
    };
    text + &next + "\n"
}

fn owner(cube: Cube) -> String {
    match cube.owner() {
        Some(seat) if seat == WHITE => ", White's".to_owned(),
        Some(_) => ", Black's".to_owned(),
        None => ", in the middle".to_owned(),
    }
}
