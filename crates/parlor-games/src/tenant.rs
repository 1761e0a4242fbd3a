//! What a game brings when it moves in, beside its rules and notation.

use parlor_core::{Notation, Seat};
use serde::Serialize;
use serde_json::Value;

use crate::{AnyPosition, Consent, GameKind};

/// The house's side of a game: how it is shown and clicked.
pub(crate) trait Tenant: Notation {
    /// The game's place in the catalogue.
    const KIND: GameKind;

    /// The position inside, if it is one of this game.
    fn of(any: &AnyPosition) -> Option<&Self>;

    /// What a seat is called.
    fn seat_name(&self, seat: Seat) -> String;

    /// The JSON view; see [`DynPosition::view`](crate::DynPosition::view).
    fn view(&self, last: Option<&str>) -> Value;

    /// The click paths of all legal moves.
    fn clicks(&self) -> Vec<Click>;

    /// Moves that are never listed; see [`DynPosition::concessions`](crate::DynPosition::concessions).
    fn concessions(&self) -> Vec<Click> {
        Vec::new()
    }

    /// A move that was begun; see [`DynPosition::draft`](crate::DynPosition::draft).
    fn draft(&self, steps: &str) -> Option<Draft> {
        let _ = steps;
        None
    }

    /// Whose move a text is; see [`DynPosition::seat_of`](crate::DynPosition::seat_of).
    fn seat_of(&self, text: &str) -> Option<Seat> {
        match self.parse_move(text) {
            Ok(m) => self.mover(&m),
            // Parts of moves belong to whoever is on turn.
            Err(_) => self.turn().seat().filter(|_| self.draft(text).is_some()),
        }
    }

    /// Who could move out of turn; see [`DynPosition::out_of_turn`](crate::DynPosition::out_of_turn). For games that have such moves.
    fn out_of_turn(&self) -> Vec<Seat> {
        Vec::new()
    }

    /// What the seat on turn is asked to agree to; see [`DynPosition::consent`](crate::DynPosition::consent).
    fn consent(&self) -> Option<Consent> {
        None
    }

    /// A chance in words; see [`DynPosition::chance_label`](crate::DynPosition::chance_label).
    fn chance_label(&self, text: &str) -> String {
        text.to_owned()
    }

    /// What a move or a chance does here; see [`DynPosition::told`](crate::DynPosition::told).
    fn told(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }

    /// A move as it is written in this game; see [`DynPosition::written`](crate::DynPosition::written).
    fn written(&self, text: &str) -> String {
        text.to_owned()
    }

    /// Whether a move shows in the picture; see [`DynPosition::leaves_mark`](crate::DynPosition::leaves_mark).
    fn leaves_mark(&self, text: &str) -> bool {
        let _ = text;
        true
    }

    /// What is asked of whoever is next; see [`DynPosition::question`](crate::DynPosition::question).
    fn question(&self) -> Option<String> {
        None
    }

    /// What has just come about; see [`DynPosition::news`](crate::DynPosition::news).
    fn news(&self) -> Option<String> {
        None
    }

    /// What the chances here are called together; see [`DynPosition::chances_title`](crate::DynPosition::chances_title).
    fn chances_title(&self) -> &'static str {
        "Draws"
    }

    /// The faces of dice in a chance; see [`DynPosition::faces`](crate::DynPosition::faces).
    fn faces(&self, text: &str) -> Vec<u8> {
        let _ = text;
        Vec::new()
    }

    /// A move in words; see [`DynPosition::label`](crate::DynPosition::label).
    fn label(&self, text: &str) -> String;

    /// The board for a terminal; see [`DynPosition::terminal`](crate::DynPosition::terminal).
    fn terminal(&self, last: Option<&str>) -> String;
}

/// How a move, or a part of one, is made with a pointer or keys on the board's picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Click {
    /// The move's canonical text; of a part, what [`DynPosition::draft`](crate::DynPosition::draft) takes.
    #[serde(rename = "move")]
    pub text: String,
    /// Ids of the picture's elements, to be clicked in this order. Without any, the move is said by a button of its own.
    pub path: Vec<String>,
    /// The move in words, for a screen reader.
    pub label: String,
    /// Whether it is only a part of a move: what follows is asked for as a draft.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl Click {
    /// The way to a whole move.
    pub(crate) fn whole(text: String, path: Vec<String>, label: String) -> Click {
        Click {
            text,
            path,
            label,
            partial: false,
        }
    }
}

/// A move that was begun and is not played yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Draft {
    /// What was done so far, in the words of [`Click::text`].
    pub steps: String,
    /// The table as it would look; for [`GameKind::svg`].
    pub view: Value,
    /// How it can go on.
    pub clicks: Vec<Click>,
    /// The move's canonical text once it is a whole one.
    pub whole: Option<String>,
    /// The steps without the last one; nothing when none was done.
    pub back: Option<String>,
}
