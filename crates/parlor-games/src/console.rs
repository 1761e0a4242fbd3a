//! Play in a terminal: prompts, answers, and screens with spots for a cursor.
//!
//! Like a picture, a [`Screen`] is drawn by the game and shown by a program that knows no rules. Its
//! spots carry the ids of the picture's elements, so that [`Input::clicks`] serves both.

use parlor_core::Seat;

use crate::{AnyPosition, Click, Input, OutcomeView, Wording};

/// Reply of a terminal when the rules forbid a move.
pub const INVALID_MOVE: &str = "Invalid move. Try again.";

/// Board in characters, with the spots a cursor can go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// The fixed part: lines, numbers, labels.
    pub lines: Vec<String>,
    /// The spots, in reading order.
    pub spots: Vec<Spot>,
}

/// Place on a [`Screen`] that a cursor can go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Id that the paths of clicks use.
    pub id: String,
    /// Column of its first character, from 0.
    pub x: u16,
    /// Line, from 0.
    pub y: u16,
    /// Characters shown there.
    pub text: String,
    /// Number of the seat it belongs to, for its color.
    pub seat: Option<u8>,
    /// Color that the game gives it.
    pub tint: Option<Tint>,
    /// Emphasis.
    pub accent: Accent,
}

/// The color of a [`Spot`], where colors are the game's and not the seats'. They only help: what is
/// to be known stands in letters, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Gray, in place of black.
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

/// Answer that is not a move of the game; the text says what to enter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unread(pub String);

/// Play in a terminal, line by line or with a cursor on a screen.
pub trait Console: Input + Wording {
    /// Returns the prompt for a player called `name`. The default lists the legal moves.
    fn prompt(&self, name: &str) -> String {
        let moves: Vec<String> = self.legal().into_iter().map(|legal| legal.text).collect();
        format!("{name}, enter your move ({}):", moves.join(", "))
    }

    /// Reads the answer to the prompt: a move's text, which need not be legal. The default takes
    /// the game's own notation.
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

    /// Returns the board with the spots that a cursor can go to. `last` is the text of the last
    /// move, if there was one. The default has the moves as a row of words below the board.
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

    /// Returns the moves to choose on a [`Screen`], each with the path to its spots. By default
    /// these are the clicks; moves that are a button of their own get a spot of their own.
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
    /// Returns the name of a seat without a named person: "Player X".
    pub fn player_name(&self, seat: Seat) -> String {
        let name = self.seat_name(seat);
        if name.starts_with("Player ") {
            name
        } else {
            format!("Player {name}")
        }
    }

    /// Returns the last line of a game: the winner. `names` are the players' names in the order of
    /// seats.
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
