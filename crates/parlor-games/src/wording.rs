//! Words for people: names of seats, labels of moves and chances, questions and narratives.

use parlor_core::Seat;

use crate::TextPosition;

/// Words for people and screen readers.
pub trait Wording: TextPosition {
    /// Returns the name of a seat in this game: "X", "White". The default is "Player 1".
    fn seat_name(&self, seat: Seat) -> String {
        format!("Player {}", seat.number() + 1)
    }

    /// Returns a move in words, as in [`Click::label`](crate::Click::label); the text itself if it
    /// can mean no move.
    fn label(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Returns a chance in words.
    fn chance_label(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Returns a move in the field's usual notation, which unlike its canonical text may have
    /// blanks: `13/7 8/7`.
    fn notation(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Returns everything that a move, or a chance where luck decides, brings about here: for
    /// "infection card Paris", "outbreak in Paris: blue cubes in London and Milan; 3 outbreaks so
    /// far". The position is the one before it. `None` in games where
    /// [`label`](Wording::label) and [`chance_label`](Wording::chance_label) say it all.
    fn narrate(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }

    /// Returns the question to the seat on turn, where the buttons alone would not say it: "White
    /// doubles to 2: take or drop?"
    fn question(&self) -> Option<String> {
        None
    }

    /// Returns news in full sentences that no move says by itself, such as the end of a game within
    /// a match.
    fn news(&self) -> Option<String> {
        None
    }

    /// Returns the heading of the list of chances: "Rolls". It may differ between positions of a
    /// game.
    fn chances_title(&self) -> &'static str {
        "Draws"
    }

    /// Returns the faces that dice show in a chance, where they are thrown independently of each
    /// other; empty without such dice.
    fn faces(&self, text: &str) -> Vec<u8> {
        let _ = text;
        Vec::new()
    }
}
