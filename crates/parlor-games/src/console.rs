//! Terminal play: prompts, answers, and screens with spots for a cursor.
//!
//! Like a picture, a [`Screen`] is drawn by the game and shown by a program that knows no rules.
//! Its spots have the ids of the picture's elements, so that [`Input::clicks`] works for both.

use parlor_core::Seat;

use crate::{AnyPosition, Click, Input, OutcomeView, Wording};

/// Reply of a terminal when the rules forbid a move.
pub const INVALID_MOVE: &str = "Invalid move. Try again.";

/// Text board with the spots that a cursor can move to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Fixed part: lines, numbers, labels.
    pub lines: Vec<String>,
    /// Spots in reading order.
    pub spots: Vec<Spot>,
}

/// Place on a [`Screen`] that a cursor can move to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Id used in the paths of clicks.
    pub id: String,
    /// Column of its first character, from 0.
    pub x: u16,
    /// Line, from 0.
    pub y: u16,
    /// Characters shown there.
    pub text: String,
    /// Number of the seat that owns the spot and gives it its color.
    pub seat: Option<u8>,
    /// Color chosen by the game.
    pub tint: Option<Tint>,
    /// Emphasis.
    pub accent: Accent,
}

/// Color of a [`Spot`] if the game and not the seat determines it. Colors are only a help: the
/// letters carry all information.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Gray, used instead of black.
    Gray,
    /// Red.
    Red,
}

/// Emphasis of a [`Spot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Accent {
    /// No emphasis.
    #[default]
    None,
    /// Place of the last move.
    Last,
    /// Part of the line that won the game.
    Won,
    /// Reachable in one step.
    Near,
}

/// Answer that is not a move of the game, with a message that says what to enter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unread(pub String);

/// Terminal play, line by line or with a cursor on a screen.
pub trait Console: Input + Wording {
    /// Returns the prompt for the player called `name`. The default lists the legal moves.
    fn prompt(&self, name: &str) -> String {
        let moves: Vec<String> = self.legal().into_iter().map(|legal| legal.text).collect();
        format!("{name}, enter your move ({}):", moves.join(", "))
    }

    /// Parses the answer to the prompt into a move's text, which need not be legal. The default
    /// accepts the game's own notation.
    ///
    /// # Errors
    /// [`Unread`] if it cannot be a move.
    fn answer(&self, line: &str) -> Result<String, Unread> {
        self.canonical(line.trim())
            .map_err(|error| Unread(format!("Invalid input: {error}.")))
    }

    /// Returns the board without colors, lines ended by newlines. `last` is the text of the last
    /// move, if there was one. The default is the position's text.
    fn terminal(&self, last: Option<&str>) -> String {
        let _ = last;
        self.text() + "\n"
    }

    /// Returns the board with the spots that a cursor can move to. `last` is the text of the last
    /// move, if there was one. The default lists the moves in a row below the board.
    fn screen(&self, last: Option<&str>) -> Screen {
        let mut lines: Vec<String> = self.terminal(last).lines().map(str::to_owned).collect();
        lines.push(String::new());
        let y = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let (mut spots, mut x) = (Vec::new(), 0);
        for choice in self.choices() {
            let Some(id) = choice.path.last().cloned() else {
                continue;
            };
            let width = u16::try_from(choice.label.chars().count()).unwrap_or(u16::MAX);
            spots.push(Spot::plain(id, x, y, choice.label));
            x = x.saturating_add(width).saturating_add(2);
        }
        lines.push(String::new());
        Screen { lines, spots }
    }

    /// Returns the moves to choose on a [`Screen`], each with the path to its spots. The default is
    /// the clicks, with an extra spot for every move that is a separate button.
    fn choices(&self) -> Vec<Click> {
        let mut clicks = self.clicks();
        for click in clicks.iter_mut().filter(|click| click.path.is_empty()) {
            click.path.push(format!("choice-{}", click.text));
        }
        clicks
    }
}

impl Spot {
    /// Creates a spot without color or accent.
    pub fn plain(id: String, x: u16, y: u16, text: String) -> Spot {
        Spot {
            id,
            x,
            y,
            text,
            seat: None,
            tint: None,
            accent: Accent::None,
        }
    }
}

impl AnyPosition {
    /// Returns the name of a seat for use without a player's name, such as "Player X".
    pub fn player_name(&self, seat: Seat) -> String {
        let name = self.seat_name(seat);
        if name.starts_with("Player ") {
            name
        } else {
            format!("Player {name}")
        }
    }

    /// Returns the closing line of a game, which names the winner. `names` are the players' names
    /// in seat order.
    pub fn result(&self, outcome: OutcomeView, names: &[String]) -> String {
        match outcome {
            OutcomeView::Won { seat, .. } => {
                let label = Seat::new(seat)
                    .map(|seat| self.player_name(seat))
                    .unwrap_or_default();
                let name = names
                    .get(usize::from(seat))
                    .map(String::as_str)
                    .unwrap_or_default();
                format!("{label} {name} wins!")
            }
            OutcomeView::Draw => "It's a draw!".to_owned(),
            OutcomeView::TeamWon => "The team wins!".to_owned(),
            OutcomeView::TeamLost => "The team loses.".to_owned(),
        }
    }
}
