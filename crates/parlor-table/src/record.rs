//! A game as it is kept and passed on.

use parlor_core::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Ending, Table, Timestamp};

/// A whole game, complete enough to be played again and verified by anyone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Always [`Record::FORMAT`].
    pub format: String,
    /// The table's id.
    pub table: String,
    /// The game's name.
    pub game: String,
    /// The game's options.
    pub options: Value,
    /// Who sat where.
    pub players: Vec<RecordedPlayer>,
    /// The luck of the table; nothing in games without luck.
    pub luck: Option<RecordedLuck>,
    /// Everything that was played and drawn, in order.
    pub log: Vec<Step>,
    /// How it ended; nothing while it is going on.
    pub ending: Option<Ending>,
    /// The last position, as text.
    pub position: String,
}

/// A player in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPlayer {
    /// The seat's number.
    pub seat: u8,
    /// `open`, `human` or `bot`.
    pub kind: String,
    /// The name.
    pub name: Option<String>,
}

/// The luck of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedLuck {
    /// SHA-256 of the secret, published at the table's creation; nothing where luck was typed in by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// Whether the players brought their own luck and typed in what it did, so that nobody can verify it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// The seats' texts.
    pub texts: Vec<String>,
    /// The secret in hexadecimal; nothing while the game is going on.
    pub secret: Option<String>,
}

/// One step of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Step {
    /// A move.
    Move {
        /// Who moved.
        seat: u8,
        /// The move's text.
        #[serde(rename = "move")]
        text: String,
        /// When.
        at: Timestamp,
    },
    /// A draw of luck.
    Chance {
        /// Number of the draw, from 0.
        n: u32,
        /// What came up.
        chance: String,
        /// When.
        at: Timestamp,
    },
}

impl Step {
    /// Whose move it is; nothing for draws of luck.
    pub(crate) fn mover(&self) -> Option<Seat> {
        match self {
            Step::Move { seat, .. } => Seat::new(*seat).ok(),
            Step::Chance { .. } => None,
        }
    }
}

impl Record {
    /// The name of the format.
    pub const FORMAT: &str = "parlor-record/1";
}

impl Table {
    /// The game so far as a record. Moves that were taken back are not in it.
    pub fn record(&self) -> Record {
        let players = self.seat_views().into_iter();
        Record {
            format: Record::FORMAT.to_owned(),
            table: self.id.to_string(),
            game: self.kind.name().to_owned(),
            options: self.options.clone(),
            players: players
                .map(|seat| RecordedPlayer { seat: seat.seat, kind: seat.kind.to_owned(), name: seat.name })
                .collect(),
            luck: self.luck.as_ref().map(|luck| RecordedLuck {
                commitment: luck.commitment.clone(),
                by_hand: luck.commitment.is_none(),
                texts: luck.texts.clone(),
                secret: luck.secret.as_ref().filter(|_| luck.revealed).map(crate::Secret::to_hex),
            }),
            log: self.steps.clone(),
            ending: self.ending,
            position: self.position.text(),
        }
    }
}
