//! Commands to a table and their issuers.

use parlor_core::Seat;
use serde::{Deserialize, Serialize};

use crate::{Lag, Refusal, SeatKey, TableId, Timestamp, UserId};

/// Issuer of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Issuer {
    /// A person identified by a seat key, who may hold several seats.
    Key(SeatKey),
    /// A signed-in member, who may also hold several seats.
    Member(UserId),
    /// The bot in this seat; the driver moves for it.
    Bot(Seat),
    /// The driver itself, reporting a timeout.
    Driver,
}

impl Issuer {
    /// Key that owns this person's seats; `None` for bots and the driver.
    pub fn key(&self) -> Option<SeatKey> {
        match self {
            Issuer::Key(key) => Some(*key),
            Issuer::Member(user) => Some(SeatKey::from_member(*user)),
            Issuer::Bot(_) | Issuer::Driver => None,
        }
    }
}

/// Claim that a player can make when the opponent, or a team partner, has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A bot to take over the seat, in cooperative games.
    StandIn,
}

/// Occasions on which a player is asked for a move out of turn, such as an event card in Pandemic,
/// before the seat on turn goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskWhen {
    /// Never. The player may still move whenever the rules allow it.
    #[default]
    Never,
    /// Before what cannot be undone.
    Crucial,
    /// Every time a move is possible.
    Always,
}

/// Request to change a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Takes a seat.
    Join {
        /// Seat to take; `None` takes the first open one.
        seat: Option<Seat>,
        /// Display name.
        name: String,
        /// Name of the member to whom the program belongs that takes the seat; `None` for people.
        owner: Option<String>,
        /// Key from the invite link of a private table.
        invite: Option<SeatKey>,
        /// Text to mix into this table's luck.
        luck_text: Option<String>,
    },
    /// Gives up a seat before the game starts.
    Leave,
    /// Plays a move.
    Move {
        /// The move's text.
        text: String,
        /// Client's id for the move. A retry with the same id is not played twice.
        id: Option<MoveId>,
        /// Table version the mover has seen. The move is refused if the table has changed since,
        /// unless the only new events are ready messages, gifts of time or declined offers.
        version: Option<u64>,
        /// Round trip that the mover's program measured, for which clocks allow.
        lag: Lag,
    },
    /// Enters a chance by hand, at a table where the players bring their own luck.
    Luck {
        /// Text of the chance that came up.
        chance: String,
        /// Table version the caller has seen, checked as in [`Command::Move`].
        version: Option<u64>,
    },
    /// Declares the player ready, which starts the clock if the player moves first.
    Ready,
    /// Offers a draw, or agrees to one.
    OfferDraw,
    /// Accepts a draw that another seat has offered.
    AcceptDraw,
    /// Declines a draw that another seat has offered.
    DeclineDraw,
    /// Asks to take back the caller's last move. In cooperative games it is taken back at once,
    /// unless luck has decided something or another seat has moved since.
    OfferTakeback,
    /// Accepts the opponent's request to take back a move.
    AcceptTakeback,
    /// Declines the opponent's request to take back a move.
    DeclineTakeback,
    /// Gives the opponents more time.
    GiveTime {
        /// Number of seconds; `None` means 15. In a correspondence game it is always one day.
        seconds: Option<u32>,
    },
    /// Claims a game that the opponent, or a partner, has left while on turn.
    Claim(Claim),
    /// Resigns the game. In a team, and in a larger game, a bot plays on while another person is left.
    Resign,
    /// Chooses the bot that plays for somebody who left the team.
    ChooseStandIn {
        /// Seat of the bot.
        seat: Seat,
        /// Spec of the bot, such as `level:4`.
        spec: String,
    },
    /// Takes the seats back that the caller left, in a team. The bots there play no longer.
    Return,
    /// Aborts the game, which is possible until every seat has moved.
    Abort,
    /// Asks for a rematch, or agrees to one. The new table gets the id given by the last player to
    /// agree.
    Rematch {
        /// Id of the next table, used if this command completes the agreement.
        next: TableId,
    },
    /// Declines the rematch that others asked for. They can ask again.
    DeclineRematch,
    /// Records that nobody could play for a while, so that the running clock stood still. Only the
    /// driver issues it.
    Pause {
        /// Time from which.
        from: Timestamp,
        /// Time until which.
        until: Timestamp,
    },
    /// Chooses when the caller is asked for moves out of turn, in all the caller's seats.
    ChooseAsking {
        /// When.
        when: AskWhen,
    },
    /// Asks seats that can move out of turn, so that the seat on turn waits for them. Only the driver
    /// issues it, for those of [`Table::to_ask`](crate::Table::to_ask) that are there.
    Ask {
        /// The seats.
        seats: Vec<Seat>,
    },
    /// Declines to move out of turn now, when the caller was asked.
    Pass {
        /// True if the caller need not be asked again in this turn.
        rest_of_turn: bool,
    },
    /// Handles a timeout. Only the driver issues it; see [`Table::due_at`](crate::Table::due_at).
    Tick,
    /// Mixes a text of the player's own into the table's luck.
    LuckText {
        /// The text.
        text: String,
    },
}

impl Command {
    /// Returns a command that takes the first open seat.
    pub fn join(name: impl Into<String>) -> Command {
        Command::Join {
            seat: None,
            name: name.into(),
            owner: None,
            invite: None,
            luck_text: None,
        }
    }

    /// Format of events since which players are asked for moves out of turn.
    pub const ASKING_SINCE: u16 = 1;

    /// Format of events since which those who left a team can return.
    pub const RETURN_SINCE: u16 = 3;

    /// Returns the format of the events that the command writes; 0 if they have always been there.
    pub const fn event_format(&self) -> u16 {
        match self {
            Command::ChooseStandIn { .. } | Command::Return => Self::RETURN_SINCE,
            Command::Ask { .. } | Command::ChooseAsking { .. } | Command::DeclineRematch => {
                Self::ASKING_SINCE
            }
            _ => 0,
        }
    }

    /// Returns true for commands without which a game cannot go on.
    pub(crate) const fn goes_on(&self) -> bool {
        matches!(
            self,
            Command::Move { .. } | Command::Luck { .. } | Command::Pass { .. }
        )
    }

    /// Returns true for commands that end a game, or that come after its end.
    pub(crate) const fn concludes(&self) -> bool {
        matches!(
            self,
            Command::AcceptDraw
                | Command::Claim(_)
                | Command::Resign
                | Command::Abort
                | Command::Rematch { .. }
                | Command::DeclineRematch
        )
    }

    /// Returns a command that plays a move without an id, version or delay.
    pub fn play(text: impl Into<String>) -> Command {
        Command::Move {
            text: text.into(),
            id: None,
            version: None,
            lag: Lag::ZERO,
        }
    }
}

/// Client-chosen id of one move, which makes retries safe.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MoveId(String);

impl MoveId {
    /// Creates an id of 1 to 64 characters from `a-z`, `A-Z`, `0-9`, `-` and `_`.
    ///
    /// # Errors
    /// [`Refusal::BadMoveId`] for any other text.
    pub fn new(text: &str) -> Result<MoveId, Refusal> {
        let is_allowed = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
        if (1..=64).contains(&text.len()) && text.bytes().all(is_allowed) {
            Ok(MoveId(text.to_owned()))
        } else {
            Err(Refusal::BadMoveId)
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
