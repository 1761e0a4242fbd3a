//! Suggestions of teammates: moves of the one on turn, and places to look at.
//!
//! They are phrases with an argument, so that guests can send them and nobody needs to moderate them.

use parlor_table::{Table, TableStatus};

use super::plans::Plan;
use crate::error::Error;

/// Maximum length of a phrase with its argument in the store.
const MAX_STORED: usize = 64;
const SUGGEST: &str = "suggest";
const POINT: &str = "point";
const PLAN: &str = "plan";

/// A phrase with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Suggestion {
    /// A move of the seat on turn.
    Move(String),
    /// An element of the board's picture.
    Place(String),
}

/// A phrase with an argument, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// A move, or a place.
    Suggestion(Suggestion),
    /// Several moves.
    Plan(Plan),
}

/// A suggestion in words, with the phrase that is stored.
pub(super) struct Worded {
    pub(super) phrase: String,
    pub(super) text: String,
}

impl Suggestion {
    /// Checks a suggestion against what is possible at the table, and puts it in words.
    pub(super) fn word(&self, table: &Table) -> Result<Worded, Error> {
        ensure_team(table)?;
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
}

/// Checks that a team plays at a table.
///
/// # Errors
/// If its game is not won together, or not being played.
pub(super) fn ensure_team(table: &Table) -> Result<(), Error> {
    if !table.kind().is_cooperative() {
        let detail = "moves and places are suggested in games that are won together only";
        return Err(Error::unprocessable(detail));
    }
    if table.status() != TableStatus::Playing {
        return Err(Error::unprocessable("the game is not being played"));
    }
    Ok(())
}

impl Argument {
    /// Splits what is stored as a phrase: its id, and the argument if it has one.
    pub(super) fn stored(phrase: String) -> (String, Option<Argument>) {
        let Some((id, text)) = phrase.split_once(':') else {
            return (phrase, None);
        };
        let argument = match id {
            SUGGEST => Argument::Suggestion(Suggestion::Move(text.to_owned())),
            POINT => Argument::Suggestion(Suggestion::Place(text.to_owned())),
            PLAN => match Plan::stored(text) {
                Some(plan) => Argument::Plan(plan),
                None => return (id.to_owned(), None),
            },
            _ => return (phrase, None),
        };
        (id.to_owned(), Some(argument))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_phrase_is_split_into_its_id_and_argument() {
        let split = |phrase: &str| Argument::stored(phrase.to_owned());
        let drive = Argument::Suggestion(Suggestion::Move("drive:Medic:Paris".to_owned()));
        assert_eq!(
            split("suggest:drive:Medic:Paris"),
            ("suggest".to_owned(), Some(drive))
        );
        let paris = Argument::Suggestion(Suggestion::Place("city-Paris".to_owned()));
        assert_eq!(split("point:city-Paris"), ("point".to_owned(), Some(paris)));
        assert_eq!(split("well-played"), ("well-played".to_owned(), None));
        let plan = Argument::Plan(Plan {
            since: 27,
            moves: ["drive:Paris", "treat:blue"].map(str::to_owned).into(),
        });
        assert_eq!(
            split("plan:27 drive:Paris treat:blue"),
            ("plan".to_owned(), Some(plan))
        );
        assert_eq!(split("plan"), ("plan".to_owned(), None));
    }
}
