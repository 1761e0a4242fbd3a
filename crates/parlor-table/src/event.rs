//! Events of a table and the entries of its log.

use parlor_core::Seat;
use parlor_games::{OutcomeView, TurnView};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    AskWhen, Claim, MoveId, MoveLag, Player, SeatKey, Secret, TableId, TimeControl, Timestamp,
};

/// Event with its version and time, as kept in the table's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Number of the event, from 1. The last event's number is the table's version.
    pub version: u64,
    /// Time of the event, in milliseconds since the Unix epoch.
    pub at: Timestamp,
    /// The event.
    #[serde(flatten)]
    pub event: TableEvent,
    /// Turn and clocks after the event, if it may have changed them. Events from before this was kept
    /// have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Situation>,
}

/// Turn and clocks at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Situation {
    /// Seat on turn, luck, or the outcome under the rules.
    pub turn: TurnView,
    /// Clocks; omitted in an untimed game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockReading>,
}

/// Clocks at the time of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReading {
    /// Time left by seat, in milliseconds.
    pub left_ms: Vec<i64>,
    /// Seat whose clock runs from this event on; omitted if none runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<u8>,
    /// Time for which that clock stands still from this event on, in milliseconds; omitted without a
    /// delay.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub delay_ms: i64,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(ms: &i64) -> bool {
    *ms == 0
}

/// Newest format of events: one more with each release that writes events which the one before cannot
/// read. They may be written once no process of that release reads the table.
///
/// Format 1 has [`TableEvent::Asking`], [`TableEvent::Asked`], [`TableEvent::Passed`] and
/// [`TableEvent::RematchDeclined`]; format 2 has new options of a game (see [`parlor_games::GameKind::since`]);
/// format 3 has [`TableEvent::StandInChosen`] and [`TableEvent::Returned`]; format 4 has clocks with a
/// delay and takebacks that take increments back; format 5 has clocks that allow for the delay of the network.
pub const EVENT_FORMAT: u16 = 5;

/// Change to a table. The JSON form is what the store keeps; [`LogEntry::public`] is the form that
/// may be shown to others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TableEvent {
    /// The table was created.
    Created {
        /// Id of the table.
        table: TableId,
        /// Name of the game.
        game: String,
        /// Complete options of the game.
        options: Value,
        /// Players by seat.
        seats: Vec<Player>,
        /// True if the lobby lists the table and anyone may join.
        listed: bool,
        /// True if only its players, and those with a link from them, may see the table. Unlisted
        /// tables from before this was known can be seen by all who know their id.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        private: bool,
        /// Key in the invite link of a private table.
        invite: Option<SeatKey>,
        /// SHA-256 of the secret that all chances are drawn from, in hexadecimal; `None` in games
        /// without luck.
        commitment: Option<String>,
        /// True if the players bring their own luck and enter its results by hand.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        luck_by_hand: bool,
        /// Table that this one is a rematch of.
        previous: Option<TableId>,
        /// Half points that the players won in the earlier games of the series of rematches, by
        /// seat; empty in its first game.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        series: Vec<u32>,
        /// Time control; `None` for an untimed game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<TimeControl>,
        /// True if the game counts for the players' ratings.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rated: bool,
        /// True if people cannot write to each other at the table.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        without_talk: bool,
        /// True if nobody is advised at the table, in games of a team.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        without_advice: bool,
        /// True if a takeback takes back the increments for the moves, too. It does not at tables of
        /// opponents from before this was known.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        increments_return: bool,
        /// True if the clocks allow for the delay of the network. They do not at tables from before this was
        /// known.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lag_allowance: bool,
    },
    /// A player took a seat.
    Joined {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// The player.
        player: Player,
    },
    /// A seat was given up before the start.
    Left {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat mixed a text into the table's luck.
    LuckText {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// The text.
        text: String,
    },
    /// All seats are taken and the game has begun.
    Started,
    /// A seat is ready to play.
    Ready {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A move was played.
    Moved {
        /// Seat that moved.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// The move's canonical text.
        #[serde(rename = "move")]
        text: String,
        /// The client's id of the move.
        id: Option<MoveId>,
        /// Delay of the network, and what was allowed for it; `None` if none was measured, and at tables
        /// without an allowance.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lag: Option<MoveLag>,
    },
    /// Luck decided something.
    Chance {
        /// Index of this draw, from 0.
        n: u32,
        /// Text of the chance that came up.
        chance: String,
    },
    /// A seat offered a draw or agreed to one.
    DrawOffered {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat declined the draw that others had offered.
    DrawDeclined {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat asked to take back its last move.
    TakebackOffered {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat declined a request to take back a move.
    TakebackDeclined {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// The last moves were taken back.
    TakenBack {
        /// Number of moves and chances removed.
        moves: u32,
    },
    /// A seat gave another more time.
    TimeGiven {
        /// Seat that gave the time.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// Seat that received it.
        #[serde(with = "seat_number")]
        to: Seat,
        /// Time given, in milliseconds.
        ms: i64,
    },
    /// Nobody could play for a while, so that the running clock stood still.
    Paused {
        /// Time from which.
        from: Timestamp,
        /// Time until which.
        until: Timestamp,
    },
    /// A seat chose when it is asked for moves out of turn.
    Asking {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// Occasions on which it is asked.
        when: AskWhen,
    },
    /// Seats that can move out of turn are asked, and the seat on turn waits for them.
    Asked {
        /// Numbers of the seats.
        seats: Vec<u8>,
        /// Time at which those that have not answered have passed.
        until: Timestamp,
    },
    /// A seat that was asked does not move out of turn now.
    Passed {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// True if it need not be asked again in this turn.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rest_of_turn: bool,
        /// True if it gave no answer in time.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unanswered: bool,
    },
    /// A seat claimed a game that the opponent had left, or a bot for the seat of a partner who had
    /// left. In the latter case the partner resigns.
    Claimed {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// The claim.
        claim: Claim,
    },
    /// A seat ran out of time. With three or more players, and in a team, the game goes on with a
    /// bot in its place.
    Flagged {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// Spec of the bot that takes over, if the game goes on.
        replaced_by: Option<String>,
        /// Name of the person for whom that bot plays. Events from before this was kept have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A seat resigned. With three or more players, and in a team, the game goes on with a bot in
    /// its place.
    Resigned {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// Spec of the bot that takes over, if the game goes on.
        replaced_by: Option<String>,
        /// Name of the person for whom that bot plays. Events from before this was kept have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Those who remain in a team chose the bot that plays for somebody who left.
    StandInChosen {
        /// Seat of the bot.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// Seat that chose.
        #[serde(with = "seat_number")]
        by: Seat,
        /// Spec of the bot.
        spec: String,
    },
    /// A person who had left took the seat back from the bot.
    Returned {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
        /// Name of the person.
        name: String,
    },
    /// A seat asked for a rematch or agreed to one.
    RematchOffered {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// A seat declined the rematch that others had asked for.
    RematchDeclined {
        /// The seat.
        #[serde(with = "seat_number")]
        seat: Seat,
    },
    /// All players agreed to a rematch, which takes place at another table.
    RematchAgreed {
        /// Id of the table of the rematch.
        next: TableId,
    },
    /// The game is over.
    Ended {
        /// Outcome and reason.
        ending: Ending,
    },
    /// The secret behind this table's luck was published, because the game is over.
    Revealed {
        /// The secret.
        secret: Secret,
    },
}

/// Outcome of a game and the reason it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Reason the game ended.
    pub how: EndReason,
    /// Outcome; `None` if the game was aborted.
    pub outcome: Option<OutcomeView>,
}

/// Reason a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The rules ended it.
    Rules,
    /// A seat resigned.
    Resignation,
    /// All players agreed to a draw.
    Agreement,
    /// A seat ran out of time.
    Time,
    /// A seat claimed a game that its opponent had left.
    Claim,
    /// The game was aborted.
    Abort,
}

impl TableEvent {
    /// Returns the event of a move that was made for a player, such as the only one there was.
    pub(crate) fn forced(seat: Seat, text: String) -> TableEvent {
        TableEvent::Moved {
            seat,
            text,
            id: None,
            lag: None,
        }
    }

    /// Returns true if the event may change whose turn it is, or a clock.
    pub(crate) fn changes_situation(&self) -> bool {
        match self {
            Self::Started
            | Self::Ready { .. }
            | Self::Moved { .. }
            | Self::Chance { .. }
            | Self::TakenBack { .. }
            | Self::TimeGiven { .. }
            | Self::Paused { .. }
            | Self::Asked { .. }
            | Self::Passed { .. }
            | Self::Returned { .. } => true,
            Self::Flagged { replaced_by, .. } | Self::Resigned { replaced_by, .. } => {
                replaced_by.is_some()
            }
            _ => false,
        }
    }
}

impl LogEntry {
    /// Returns the entry as JSON that may be shown to anyone, without seat keys and invites.
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

/// Serialization of a seat as its number.
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
