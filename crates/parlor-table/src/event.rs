//! What happened at a table.

use parlor_core::Seat;
use parlor_games::OutcomeView;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Claim, Key, MoveId, Player, Secret, TableId, TimeControl, Timestamp};

/// An event with its place in the table's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Number of the event, from 1; the last one's is the table's version.
    pub version: u64,
    /// When it was accepted.
    pub at: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened. The JSON form is what the store keeps; [`Entry::public`] is what others may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The table was set up.
    Created {
        /// The table's name.
        table: TableId,
        /// The game's name.
        game: String,
        /// The game's complete options.
        options: Value,
        /// Who sits where.
        seats: Vec<Player>,
        /// Whether the lobby shows it and anybody may join.
        listed: bool,
        /// What the link of a private table proves.
        invite: Option<Key>,
        /// The SHA-256 of the secret that luck will be drawn from, in hexadecimal; none in games without luck.
        commitment: Option<String>,
        /// Whether the players bring their own luck and type in what it did.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        luck_by_hand: bool,
        /// The table this one is the rematch of.
        previous: Option<TableId>,
        /// How much time the seats have; nothing means as much as they like.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<TimeControl>,
        /// Whether the game counts for the players' ratings.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rated: bool,
    },
    /// Somebody took a seat.
    Joined {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// Who.
        player: Player,
    },
    /// A seat was given up before the start.
    Left {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat mixed a text into the table's luck.
    LuckText {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// The text.
        text: String,
    },
    /// All seats are taken and the game began.
    Started,
    /// A seat says that it is there.
    Ready {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A move was played.
    Moved {
        /// By which seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// The move's canonical text.
        #[serde(rename = "move")]
        text: String,
        /// The client's id of the move.
        id: Option<MoveId>,
    },
    /// Luck decided.
    Chance {
        /// The how-manieth draw of this table, from 0.
        n: u32,
        /// What came up.
        chance: String,
    },
    /// A seat offers a draw, or agrees to one.
    DrawOffered {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat declines the draw that others offer.
    DrawDeclined {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat asks for its last move back.
    TakebackOffered {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat insists on what was played.
    TakebackDeclined {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// The last moves were taken back.
    TakenBack {
        /// How many.
        moves: u32,
    },
    /// A seat gave another more time.
    TimeGiven {
        /// Who gave.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// To whom.
        #[serde(with = "seat_number")]
        to: Seat,
        /// How much, in milliseconds.
        ms: i64,
    },
    /// A seat claims the game that the other side has left, or a bot for the seat of a partner who has left, who resigns by that.
    Claimed {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// What.
        claim: Claim,
    },
    /// A seat has no time left. In a game of three or more, and in a team, the game goes on with a bot in its place.
    Flagged {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// The bot that plays on, if the game goes on.
        replaced_by: Option<String>,
    },
    /// A seat gave up. In a game of three or more, and in a team, the game goes on with a bot in its place.
    Resigned {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// The bot that plays on, if the game goes on.
        replaced_by: Option<String>,
    },
    /// A seat asks for, or agrees to, another game.
    RematchOffered {
        /// Which one.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// All agreed; the next game is at another table.
    RematchAgreed {
        /// Where.
        next: TableId,
    },
    /// The game is over.
    Ended {
        /// How.
        ending: Ending,
    },
    /// The secret behind the luck of this table, shown now that the game is over.
    Revealed {
        /// The secret.
        secret: Secret,
    },
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Why it is over.
    pub how: How,
    /// Who won; nothing when the game was called off.
    pub outcome: Option<OutcomeView>,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// The rules say so.
    Rules,
    /// A seat gave up.
    Resignation,
    /// All agreed on a draw.
    Agreement,
    /// A seat had no time left.
    Time,
    /// A seat claimed the game that the other side had left.
    Claim,
    /// The game was called off.
    Abort,
}

impl Entry {
    /// The entry as JSON for everybody: without the keys of persons and links.
    pub fn public(&self) -> Value {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        strip_keys(&mut json);
        json
    }
}

fn strip_keys(json: &mut Value) {
    match json {
        Value::Object(object) => {
            object.remove("key");
            object.remove("invite");
            object
                .iter_mut()
                .filter(|(field, _)| *field == "seats" || *field == "player")
                .for_each(|(_, v)| strip_keys(v));
        }
        Value::Array(items) => items.iter_mut().for_each(strip_keys),
        _ => {}
    }
}

/// Seats are numbers in JSON.
mod seat_number {
    use parlor_core::Seat;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(seat.number())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Seat, D::Error> {
        Seat::new(u8::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
