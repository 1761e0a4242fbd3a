//! Texts and places for a terminal: what a person is asked, how an answer is read, where the cursor can go.
//!
//! Like a picture, a [`Screen`] says what is where, and what is to be pointed at for each move; whoever shows it knows no
//! rules. Its spots carry the same ids as the elements of the picture, so that [`DynPosition::clicks`] serves both.
//!
//! [`DynPosition::clicks`]: crate::DynPosition::clicks

mod backgammon;
mod mnk;
mod pandemic;
mod ultimate;

use parlor_core::Seat;

use crate::{AnyPosition, Click, OutcomeView};

/// What a terminal says when the rules forbid a move.
pub const INVALID_MOVE: &str = "Invalid move. Try again.";

/// A board in characters, with the places a cursor can go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// What does not change: lines, numbers, labels.
    pub lines: Vec<String>,
    /// The places, in reading order.
    pub spots: Vec<Spot>,
}

/// A place on a [`Screen`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The id that the paths of clicks use.
    pub id: String,
    /// Column of its first character, from 0.
    pub x: u16,
    /// Line, from 0.
    pub y: u16,
    /// What stands there.
    pub text: String,
    /// The number of the seat it belongs to, for its color.
    pub seat: Option<u8>,
    /// A color that the game gives it.
    pub tint: Option<Tint>,
    /// Whether it is to be seen at once.
    pub accent: Accent,
}

/// The color of a [`Spot`], where colors are the game's and not the seats'. They only help: what is to be known stands in letters, too.
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

/// What is special about a [`Spot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Accent {
    /// Nothing.
    #[default]
    None,
    /// The last move was made here.
    Last,
    /// It is part of what won the game.
    Won,
    /// It can be reached in one step.
    Near,
}

/// An answer that is no move of the game; the text says what to enter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unread(pub String);

impl AnyPosition {
    /// What a person called `name` is asked for.
    pub fn prompt(&self, name: &str) -> String {
        match self {
            AnyPosition::Mnk(board) => mnk::prompt(board, name),
            AnyPosition::Ultimate(game) => ultimate::prompt(game, name),
            AnyPosition::Backgammon(game) => backgammon::prompt(game, name),
            AnyPosition::Pandemic(game) => pandemic::prompt(game, name),
            #[cfg(feature = "testing")]
            AnyPosition::Pig(_) => self.plain_prompt(name),
        }
    }

    /// Reads what a person answered to the prompt: a move's text, which need not be legal.
    ///
    /// # Errors
    /// [`Unread`] when it cannot be a move.
    pub fn answer(&self, line: &str) -> Result<String, Unread> {
        match self {
            AnyPosition::Mnk(board) => mnk::answer(board, line),
            AnyPosition::Ultimate(game) => ultimate::answer(game, line),
            AnyPosition::Backgammon(game) => backgammon::answer(game, line),
            AnyPosition::Pandemic(game) => pandemic::answer(game, line),
            #[cfg(feature = "testing")]
            AnyPosition::Pig(_) => self
                .canonical(line.trim())
                .map_err(|error| Unread(format!("Invalid input: {error}."))),
        }
    }

    /// The board with the places a cursor can go to. `last` is the text of the last move, if there was one.
    pub fn screen(&self, last: Option<&str>) -> Screen {
        match self {
            AnyPosition::Mnk(board) => mnk::screen(board, last),
            AnyPosition::Ultimate(game) => ultimate::screen(game, last),
            AnyPosition::Backgammon(game) => backgammon::screen(game, last),
            AnyPosition::Pandemic(game) => pandemic::screen(game, last),
            #[cfg(feature = "testing")]
            AnyPosition::Pig(_) => self.plain_screen(),
        }
    }

    /// The moves to be chosen on a [`Screen`], each with the path to its spots.
    pub fn choices(&self) -> Vec<Click> {
        match self {
            AnyPosition::Backgammon(game) => backgammon::choices(game),
            AnyPosition::Pandemic(game) => pandemic::choices(game),
            _ => self.clicks(),
        }
    }

    /// What a seat is called where no person gave a name: "Player X".
    pub fn player_name(&self, seat: Seat) -> String {
        let name = self.seat_name(seat);
        if name.starts_with("Player ") {
            name
        } else {
            format!("Player {name}")
        }
    }

    /// The last line of a game: who won. `names` are the players' names in the order of seats.
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

    #[cfg(feature = "testing")]
    fn plain_prompt(&self, name: &str) -> String {
        let moves: Vec<String> = self.legal().into_iter().map(|legal| legal.text).collect();
        format!("{name}, enter your move ({}):", moves.join(", "))
    }

    /// The terminal's board with the moves as a row of words below it.
    #[cfg(feature = "testing")]
    fn plain_screen(&self) -> Screen {
        let mut lines: Vec<String> = self.terminal(None).lines().map(str::to_owned).collect();
        lines.push(String::new());
        let (mut spots, mut x) = (Vec::new(), 0);
        for click in self.clicks() {
            let Some(id) = click.path.last().cloned() else {
                continue;
            };
            let width = click.label.chars().count() as u16;
            spots.push(Spot {
                id,
                x,
                y: lines.len() as u16,
                text: click.label,
                seat: None,
                tint: None,
                accent: Accent::None,
            });
            x += width + 2;
        }
        lines.push(String::new());
        Screen { lines, spots }
    }
}
