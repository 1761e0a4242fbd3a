//! What may be wrong, in words and by name.

use parlor_core::Seat;

use super::{LAST_TURN, MESSAGES_KEPT, MoveName, RESIGNED};
use crate::setup::color;
use crate::{CHECKERS, Die, Start};

/// Something that a file must not say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Too many or too few checkers.
    #[error("{} has {sum} checkers on the board, the bar and off; there are {CHECKERS}", color(*seat))]
    Checkers {
        /// Whose.
        seat: Seat,
        /// How many.
        sum: u32,
    },
    /// Neither two dice nor four.
    #[error("{count} dice lie; there are two, or four after a double")]
    DiceCount {
        /// How many.
        count: usize,
    },
    /// Four dice, but no double.
    #[error("four dice lie, but they are not equal")]
    DiceUnlike,
    /// A die was used that does not lie, or more often than it lies.
    #[error("a {die} was used {used} times, but lies {lies} times")]
    DiceUsed {
        /// Which.
        die: Die,
        /// How often it was used.
        used: usize,
        /// How often it lies.
        lies: usize,
    },
    /// A number that JSON does not hold exactly everywhere.
    #[error(
        "turn {turn} is beyond {LAST_TURN}, so that not every reader can tell it from the next"
    )]
    Turn {
        /// Which.
        turn: u64,
    },
    /// A winner of a game that goes on.
    #[error("the game is being played, but {} is named as its winner", color(*winner))]
    WinnerTooEarly {
        /// Who.
        winner: Seat,
    },
    /// No winner of a game that is over.
    #[error("the game is completed, but no winner is named")]
    NoWinner,
    /// The winner is not who is off.
    #[error("{} is named as the winner, but {} has borne off all checkers", color(*winner), color(winner.next(2)))]
    WrongWinner {
        /// Who.
        winner: Seat,
    },
    /// All off, and the game goes on.
    #[error("{} has borne off all checkers, but the game is being played", color(*seat))]
    OffTooEarly {
        /// Who.
        seat: Seat,
    },
    /// The game is over, and nobody is off.
    #[error(
        "the game is completed, but nobody has borne off all {CHECKERS} checkers: white {white}, black {black}"
    )]
    NobodyOff {
        /// How many white has borne off.
        white: u8,
        /// How many black has.
        black: u8,
    },
    /// Both have all checkers off.
    #[error("both players have borne off all checkers")]
    BothOff,
    /// No last move after the first turn.
    #[error("there is no last move, but it is turn {turn}: somebody can always move at turn 1")]
    NoLastMove {
        /// Which turn.
        turn: u64,
    },
    /// A game that is over without a move.
    #[error("there is no last move, but the game is completed")]
    OverUnmoved,
    /// A last move before there was one.
    #[error("there is a last move, but at turn 1 nobody has moved")]
    MovedTooEarly,
    /// More moves than turns.
    #[error("move {sequence} cannot have been made before turn {turn}")]
    Sequence {
        /// The number of the move.
        sequence: u64,
        /// The turn.
        turn: u64,
    },
    /// Turns alternate otherwise.
    #[error("after {}'s move {sequence} it cannot be {}'s turn at turn {turn}", color(*player), color(*active))]
    Alternation {
        /// Who made the last move.
        player: Seat,
        /// Its number.
        sequence: u64,
        /// Whose turn it is said to be.
        active: Seat,
        /// The turn.
        turn: u64,
    },
    /// Who wins has moved last.
    #[error("{} has won, but the last move is not {0}'s", color(*winner))]
    WinnerNotLast {
        /// Who.
        winner: Seat,
    },
    /// The file of the last move has another number.
    #[error("the last move is number {sequence}, but its file is {file}")]
    FileSequence {
        /// The number that is said.
        sequence: u64,
        /// The file.
        file: MoveName,
    },
    /// The file of the last move has another color.
    #[error("the last move is {}'s, but its file is {file}", color(*player))]
    FilePlayer {
        /// Who is said to have moved.
        player: Seat,
        /// The file.
        file: MoveName,
    },
    /// The file of the last move has a hash of another length.
    #[error("the name of a move file has {} hexadecimal digits at its end, not {} as {file}", MoveName::HASH, file.hash.len())]
    FileHash {
        /// The file.
        file: MoveName,
    },
    /// A message whose time is none.
    #[error("the time of message {number} is no time such as 2026-01-31T12:00:00Z")]
    MessageTime {
        /// Which, from 1.
        number: usize,
    },
    /// A message before an earlier one.
    #[error("message {number} is older than one before it")]
    MessageOrder {
        /// Which, from 1.
        number: usize,
    },
    /// Too many messages.
    #[error("there are {count} messages; the last {MESSAGES_KEPT} are kept")]
    MessageCount {
        /// How many.
        count: usize,
    },
    /// A last change whose time is none.
    #[error("the time of the last change is no time such as 2026-01-31T12:00:00Z")]
    UpdatedTime,
    /// A message that is newer than the last change.
    #[error("the last change is older than message {number}, which changed the file")]
    UpdatedBefore {
        /// Which, from 1.
        number: usize,
    },
    /// A move file whose time is none.
    #[error("the time of the move is no time such as 2026-01-31T12:00:00Z")]
    Timestamp,
    /// A checker that goes otherwise than its die says.
    #[error("step {number} from {from} to {to} is no way for {} with a {die}", color(*player))]
    Way {
        /// Which step, from 1.
        number: usize,
        /// Whose.
        player: Seat,
        /// Where it begins.
        from: i8,
        /// Where it ends.
        to: i8,
        /// By which die.
        die: Die,
    },
    /// A move file whose name is none.
    #[error(
        "a move file is named such as 0012-black-a1b2c3.json: its number from 0001, its player, six hexadecimal digits"
    )]
    Name,
    /// A move file that is named for the other player.
    #[error("the move is {}'s, but the file is named for {}", color(*player), color(player.next(2)))]
    NamePlayer {
        /// Who moved.
        player: Seat,
    },
    /// A move file whose name has the hash of something else.
    #[error("the hash of the content begins with {is}, but the file is named {named}")]
    NameHash {
        /// What it is.
        is: String,
        /// What the name says.
        named: String,
    },
}

impl Fault {
    /// The rule's stable name for programs.
    pub const fn rule(&self) -> &'static str {
        match self {
            Fault::Checkers { .. } => "checkers",
            Fault::DiceCount { .. } | Fault::DiceUnlike => "dice",
            Fault::DiceUsed { .. } => "dice-used",
            Fault::Turn { .. } => "turn",
            Fault::WinnerTooEarly { .. } | Fault::NoWinner => "status",
            Fault::WrongWinner { .. } => "winner",
            Fault::OffTooEarly { .. } | Fault::NobodyOff { .. } | Fault::BothOff => "home",
            Fault::NoLastMove { .. }
            | Fault::OverUnmoved
            | Fault::MovedTooEarly
            | Fault::Sequence { .. }
            | Fault::Alternation { .. }
            | Fault::WinnerNotLast { .. } => "last-move",
            Fault::FileSequence { .. } | Fault::FilePlayer { .. } | Fault::FileHash { .. } => {
                "last-move-file"
            }
            Fault::MessageTime { .. } => "messages-time",
            Fault::MessageOrder { .. } => "messages-order",
            Fault::MessageCount { .. } => "messages-count",
            Fault::UpdatedTime | Fault::UpdatedBefore { .. } => "updated-at",
            Fault::Timestamp => "timestamp",
            Fault::Way { .. } => "moves",
            Fault::Name => "name",
            Fault::NamePlayer { .. } => "name-player",
            Fault::NameHash { .. } => "name-hash",
        }
    }
}

/// Something to know about a file that is no reason to refuse it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Remark {
    /// A double of which only two dice are written.
    #[error("two equal dice are read as the four of a double")]
    Widened,
    /// All dice are used.
    #[error("all dice are used, so the turn is over")]
    AllUsed,
    /// The active player cannot move.
    #[error("{} cannot move with these dice, so the turn should have been passed", color(*seat))]
    NoMove {
        /// Who.
        seat: Seat,
    },
    /// The first turn does not show the start.
    #[error("no play leads here: at turn 1 the checkers do not stand as in the {} start{}", start.name(), like_words(*like))]
    OtherStart {
        /// The start that was expected.
        start: Start,
        /// One that it is.
        like: Option<Start>,
    },
    /// The first roll is a double.
    #[error("no play leads here: the opening roll is never a double")]
    OpeningDouble,
    /// More dice are needed than there were.
    #[error("no play leads here: {} has played at most {most} dice before turn {turn}, and would need at least {least}", color(*seat))]
    TooFar {
        /// Who.
        seat: Seat,
        /// Before which turn.
        turn: u64,
        /// The most dice there can have been.
        most: u64,
        /// The fewest that are needed.
        least: u64,
    },
    /// The game was given up.
    #[error(
        "the game is completed before anybody has borne off all checkers: a message says that a player {RESIGNED}"
    )]
    Resigned,
    /// One user plays both colors.
    #[error("one user plays both colors")]
    SameUser,
}

impl Remark {
    /// The remark's stable name for programs.
    pub const fn rule(&self) -> &'static str {
        match self {
            Remark::Widened => "dice",
            Remark::AllUsed => "dice-used",
            Remark::NoMove { .. } => "no-move",
            Remark::OtherStart { .. } | Remark::OpeningDouble | Remark::TooFar { .. } => {
                "unreachable"
            }
            Remark::Resigned => "home",
            Remark::SameUser => "players",
        }
    }
}

fn like_words(start: Option<Start>) -> String {
    start.map_or_else(String::new, |start| {
        format!(", but as in the {} one", start.name())
    })
}
