//! Terminal screen of backgammon.

use parlor_backgammon::{Game, Phase};
use parlor_core::Notation;

use super::terminal;
use crate::console::{Accent, Screen, Spot, Unread};
use crate::{Click, Input, LegalMove, TextPosition, Wording};

/// Number and width of the columns in the list of plays.
const COLUMNS: u16 = 3;
const WIDTH: u16 = 26;

pub(super) fn prompt(game: &Game, name: &str) -> String {
    if game.resigning().is_some() {
        return format!("{name}, enter accept or refuse:");
    }
    match game.phase() {
        Phase::Moving(dice) => {
            let faces: Vec<String> = dice.faces().iter().map(|die| die.to_string()).collect();
            format!(
                "{name}, enter your play of {} (such as 13/7 8/7, bar/24, 6/off):",
                faces.join(" ")
            )
        }
        Phase::Cube => format!("{name}, enter roll or double:"),
        Phase::Doubled if game.rules().beavers => format!("{name}, enter take, drop or beaver:"),
        _ => format!("{name}, enter take or drop:"),
    }
}

pub(super) fn answer(game: &Game, line: &str) -> Result<String, Unread> {
    match game.parse_move(line.trim()) {
        Ok(m) => Ok(game.move_text(&m)),
        Err(error) => Err(Unread(format!("Invalid input: {error}."))),
    }
}

/// Returns all legal moves, each as one spot of the screen.
pub(super) fn choices(game: &Game) -> Vec<Click> {
    let said = game.clicks().into_iter().filter(|click| !click.partial);
    let label = |text: &str| {
        said.clone()
            .find(|click| click.text == text)
            .map_or_else(|| game.label(text), |click| click.label)
    };
    let choice = |legal: LegalMove| {
        Click::whole(
            legal.text.clone(),
            vec![format!("choice-{}", legal.text)],
            label(&legal.text),
        )
    };
    TextPosition::legal(game).into_iter().map(choice).collect()
}

/// Returns the board and, below it, the moves to choose from.
pub(super) fn screen(game: &Game, last: Option<&str>) -> Screen {
    let mut lines: Vec<String> = terminal::draw(game, last)
        .lines()
        .map(str::to_owned)
        .collect();
    lines.push(String::new());
    let below = lines.len() as u16;
    let choices = choices(game);
    let rows = choices.len().div_ceil(usize::from(COLUMNS));
    lines.extend(std::iter::repeat_n(String::new(), rows));
    let spots = choices.into_iter().zip(0u16..).map(|(choice, n)| Spot {
        id: choice.path[0].clone(),
        x: n % COLUMNS * WIDTH,
        y: below + n / COLUMNS,
        text: choice.label,
        seat: None,
        tint: None,
        accent: Accent::None,
    });
    Screen {
        lines,
        spots: spots.collect(),
    }
}
