//! Ready-made phrases, which need no moderation.

use parlor_games::GameKind;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Error;

/// A ready-made phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Phrase {
    /// Id of the phrase.
    pub(crate) id: &'static str,
    /// Text of the phrase.
    pub(crate) text: &'static str,
}

const fn phrase(id: &'static str, text: &'static str) -> Phrase {
    Phrase { id, text }
}

/// Phrases of every game, in the order in which they are offered.
const GENERAL: [Phrase; 11] = [
    phrase("hello", "Hello!"),
    phrase("good-luck", "Good luck!"),
    phrase("have-fun", "Have fun!"),
    phrase("nice-move", "Nice move!"),
    phrase("well-played", "Well played!"),
    phrase("thanks", "Thank you!"),
    phrase("no-thanks", "No, thanks."),
    phrase("oops", "Oops …"),
    phrase("one-moment", "One moment, please."),
    phrase("must-go", "Sorry, I must go."),
    phrase("again", "Another game?"),
];

/// Returns the phrases at tables of a game: those of every game, then its own.
pub(crate) fn phrases(kind: GameKind) -> impl Iterator<Item = Phrase> {
    let own = kind.phrases().iter();
    let own = own.map(|(id, text)| phrase(id, text));
    GENERAL.into_iter().chain(own)
}

/// Returns the phrase with this id at tables of a game.
pub(super) fn find(kind: GameKind, id: &str) -> Result<Phrase, Error> {
    phrases(kind).find(|phrase| phrase.id == id).ok_or_else(|| {
        Error::unprocessable(format!("there is no phrase {id:?}")).with("field", "phrase")
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_of_phrases_are_plain_and_unique_at_every_table() {
        for kind in GameKind::all() {
            let mut ids = BTreeSet::new();
            for phrase in phrases(*kind) {
                let is_plain = |c: char| c.is_ascii_lowercase() || c == '-';
                assert!(phrase.id.chars().all(is_plain), "{}", phrase.id);
                assert!(ids.insert(phrase.id), "{} occurs twice", phrase.id);
                assert!(super::super::text::checked(phrase.text).is_ok());
            }
        }
    }
}
