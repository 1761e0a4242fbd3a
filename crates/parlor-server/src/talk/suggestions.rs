//! Suggestions of teammates: moves of the one on turn, and places to look at.
//!
//! They are phrases with an argument, so that guests can send them and nobody needs to moderate them.

use parlor_table::{Table, TableStatus};

use crate::error::Error;

/// Maximum length of a phrase with its argument in the store.
const MAX_STORED: usize = 64;
const SUGGEST: &str = "suggest";
const POINT: &str = "point";

/// A phrase with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Suggestion {
    /// A move of the seat on turn.
    Move(String),
    /// An element of the board's picture.
    Place(String),
}

/// A suggestion in words, with the phrase that is stored.
pub(super) struct Worded {
    pub(super) phrase: String,
    pub(super) text: String,
}

impl Suggestion {
    /// Checks a suggestion against what is possible at the table, and puts it in words.
    pub(super) fn word(&self, table: &Table) -> Result<Worded, Error> {
        if !table.kind().is_cooperative() {
            let detail = "moves and places are suggested in games that are won together only";
            return Err(Error::unprocessable(detail));
        }
        if table.status() != TableStatus::Playing {
            return Err(Error::unprocessable("the game is not being played"));
        }
        let position = table.position();
        let (name, argument, text) = match self {
            Suggestion::Move(wanted) => {
                let clicks = position.clicks();
                let click = clicks
                    .iter()
                    .find(|click| !click.partial && click.text == *wanted);
                let click = click.ok_or_else(|| {
                    let detail =
                        format!("{wanted:?} is no move that the player on turn can make now");
                    Error::unprocessable(detail).with("field", "suggest")
                })?;
                (SUGGEST, wanted, format!("How about: {}?", click.label))
            }
            Suggestion::Place(id) => {
                let landmarks = position.landmarks();
                let place = landmarks.iter().find(|(place, _)| place == id);
                let (_, name) = place.ok_or_else(|| {
                    let detail = format!("{id:?} is no place on the board to point at");
                    Error::unprocessable(detail).with("field", "point_at")
                })?;
                (POINT, id, format!("Look at {name}!"))
            }
        };
        let phrase = format!("{name}:{argument}");
        if phrase.len() > MAX_STORED {
            return Err(Error::unprocessable(
                "this move is too long to be suggested",
            ));
        }
        Ok(Worded { phrase, text })
    }

    /// Splits what is stored as a phrase: its id, and the suggestion if it is one.
    pub(super) fn stored(phrase: String) -> (String, Option<Suggestion>) {
        match phrase.split_once(':') {
            Some((SUGGEST, text)) => (SUGGEST.to_owned(), Some(Suggestion::Move(text.to_owned()))),
            Some((POINT, id)) => (POINT.to_owned(), Some(Suggestion::Place(id.to_owned()))),
            _ => (phrase, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_phrase_is_split_into_its_id_and_argument() {
        let split = |phrase: &str| Suggestion::stored(phrase.to_owned());
        let drive = Suggestion::Move("drive:Medic:Paris".to_owned());
        assert_eq!(
            split("suggest:drive:Medic:Paris"),
            ("suggest".to_owned(), Some(drive))
        );
        let paris = Suggestion::Place("city-Paris".to_owned());
        assert_eq!(split("point:city-Paris"), ("point".to_owned(), Some(paris)));
        assert_eq!(split("well-played"), ("well-played".to_owned(), None));
    }
}
