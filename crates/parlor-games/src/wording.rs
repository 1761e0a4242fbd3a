//! Text for people: seat names, labels of moves and chances, questions and narratives.

use parlor_core::{Outcome, Seat};

use crate::TextPosition;

/// Text for people and screen readers.
pub trait Wording: TextPosition {
    /// Returns the name of a seat in this game: "X", "White". The default is "Player 1".
    fn seat_name(&self, seat: Seat) -> String {
        format!("Player {}", seat.number() + 1)
    }

    /// Returns a move in words, as in [`Click::label`](crate::Click::label); the text itself if it
    /// is not a move.
    fn label(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Returns a chance in words.
    fn chance_label(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Returns a move in the usual notation of the game's players, which unlike the canonical text
    /// may contain spaces: `13/7 8/7`.
    fn notation(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Returns all effects of a move, or of a chance if luck is next, in the position before it.
    /// For "infection card Paris": "outbreak in Paris: blue cubes in London and Milan; 3 outbreaks
    /// so far". `None` in games where [`label`](Wording::label) and
    /// [`chance_label`](Wording::chance_label) say everything.
    fn narrate(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }

    /// Returns the question to the seat on turn if the buttons alone are not clear enough: "White
    /// doubles to 2: take or drop?"
    fn question(&self) -> Option<String> {
        None
    }

    /// Returns the same question in words to the seat on turn, which it may address as "you".
    fn question_to(&self, seat: Seat) -> Option<String> {
        let _ = seat;
        self.question()
    }

    /// Returns news that does not follow from a single move, in full sentences, such as the end of
    /// a game within a match, or what made a move the last one: "Three in a row."
    fn news(&self) -> Option<String> {
        None
    }

    /// Returns the heading of the list of chances: "Rolls". It may differ between positions of a
    /// game.
    fn chances_title(&self) -> &'static str {
        "Draws"
    }

    /// Returns the faces of the dice in a chance if they are rolled independently; empty without
    /// such dice.
    fn faces(&self, text: &str) -> Vec<u8> {
        let _ = text;
        Vec::new()
    }
}

/// Tells how a game in which a row wins ended.
pub(crate) fn row_news(outcome: Outcome, length: u8) -> String {
    const NUMBERS: [&str; 8] = [
        "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
    ];
    if outcome.winner().is_none() {
        return "The board is full.".to_owned();
    }
    let word = usize::from(length)
        .checked_sub(3)
        .and_then(|n| NUMBERS.get(n));
    word.map_or_else(
        || format!("{length} in a row."),
        |word| format!("{word} in a row."),
    )
}
