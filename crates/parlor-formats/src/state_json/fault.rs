//! Reasons for refusing a file, and remarks on it.

use parlor_backgammon::{CHECKERS, Die, StartLayout, color_name};
use parlor_core::Seat;

use super::{LAST_TURN, MESSAGES_KEPT, MoveFileName, RESIGNED};

/// Reason for refusing a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateFault {
    /// A side has too many or too few checkers.
    #[error(
        "{} has {sum} checkers on the board, the bar and off; there are {CHECKERS}",
        color_name(*seat)
    )]
    Checkers {
        /// Side with the wrong number.
        seat: Seat,
        /// Number of its checkers.
        sum: u32,
    },
    /// The number of dice is neither two nor four.
    #[error("there are {count} dice; there must be two, or four after a double")]
    DiceCount {
        /// Number of dice.
        count: usize,
    },
    /// There are four dice, but not of a double.
    #[error("there are four dice, but they are not equal")]
    DiceUnlike,
    /// A die was used that was not rolled, or more often than it was rolled.
    #[error("a {die} was used {used} times, but was rolled {rolled} times")]
    DiceUsed {
        /// Face of the die.
        die: Die,
        /// Number of times it was used.
        used: usize,
        /// Number of times it was rolled.
        rolled: usize,
    },
    /// The turn number is too large for JSON readers to represent exactly.
    #[error(
        "turn {turn} is beyond {LAST_TURN}, the largest number that every JSON reader \
         represents exactly"
    )]
    Turn {
        /// Number of the turn.
        turn: u64,
    },
    /// A game in progress has a winner.
    #[error("the game is being played, but {} is named as its winner", color_name(*winner))]
    WinnerTooEarly {
        /// The winner named.
        winner: Seat,
    },
    /// A completed game has no winner.
    #[error("the game is completed, but no winner is named")]
    NoWinner,
    /// The winner is not the side that has borne off all checkers.
    #[error(
        "{} is named as the winner, but {} has borne off all checkers",
        color_name(*winner), color_name(winner.next(2))
    )]
    WrongWinner {
        /// The winner named.
        winner: Seat,
    },
    /// A side has borne off all checkers, but the game is in progress.
    #[error("{} has borne off all checkers, but the game is being played", color_name(*seat))]
    OffTooEarly {
        /// The side.
        seat: Seat,
    },
    /// The game is completed, but neither side has borne off all checkers.
    #[error(
        "the game is completed, but neither player has borne off all {CHECKERS} checkers: white \
         {white}, black {black}"
    )]
    NobodyOff {
        /// Number of white's checkers off.
        white: u8,
        /// Number of black's checkers off.
        black: u8,
    },
    /// Both sides have borne off all checkers.
    #[error("both players have borne off all checkers")]
    BothOff,
    /// A turn after the first has no last move.
    #[error("there is no last move, but it is turn {turn}: a move is always possible at turn 1")]
    NoLastMove {
        /// Number of the turn.
        turn: u64,
    },
    /// A completed game has no last move.
    #[error("there is no last move, but the game is completed")]
    OverUnmoved,
    /// The first turn has a last move before any dice were used.
    #[error("there is a last move, but at turn 1 no move has been made")]
    MovedTooEarly,
    /// The last move's number exceeds the number of turns.
    #[error("move {sequence} cannot have been made before turn {turn}")]
    Sequence {
        /// Number of the move.
        sequence: u64,
        /// Number of the turn.
        turn: u64,
    },
    /// The active player contradicts the alternation of turns.
    #[error(
        "after {}'s move {sequence} it cannot be {}'s turn at turn {turn}",
        color_name(*player), color_name(*active)
    )]
    Alternation {
        /// Side that made the last move.
        player: Seat,
        /// Number of the last move.
        sequence: u64,
        /// Active player named.
        active: Seat,
        /// Number of the turn.
        turn: u64,
    },
    /// The winner did not make the last move.
    #[error("{} has won, but the last move is not {0}'s", color_name(*winner))]
    WinnerNotLast {
        /// The winner.
        winner: Seat,
    },
    /// The last move's number differs from that in its file name.
    #[error("the last move is number {sequence}, but its file is {file}")]
    FileSequence {
        /// Number of the last move.
        sequence: u64,
        /// Name of the file.
        file: MoveFileName,
    },
    /// The last move's player differs from that in its file name.
    #[error("the last move is {}'s, but its file is {file}", color_name(*player))]
    FilePlayer {
        /// Player of the last move.
        player: Seat,
        /// Name of the file.
        file: MoveFileName,
    },
    /// The hash in the last move's file name has the wrong length.
    #[error(
        "the name of a move file has {} hexadecimal digits at its end, not {} as {file}",
        MoveFileName::HASH, file.hash.len()
    )]
    FileHash {
        /// Name of the file.
        file: MoveFileName,
    },
    /// The time of a message is invalid.
    #[error("the time of message {number} is not a time such as 2026-01-31T12:00:00Z")]
    MessageTime {
        /// Number of the message, from 1.
        number: usize,
    },
    /// A message is older than one before it.
    #[error("message {number} is older than one before it")]
    MessageOrder {
        /// Number of the message, from 1.
        number: usize,
    },
    /// There are too many messages.
    #[error("there are {count} messages; the last {MESSAGES_KEPT} are kept")]
    MessageCount {
        /// Number of messages.
        count: usize,
    },
    /// The time of the last change is invalid.
    #[error("the time of the last change is not a time such as 2026-01-31T12:00:00Z")]
    UpdatedTime,
    /// A message is newer than the last change.
    #[error("the last change is older than message {number}, which changed the file")]
    UpdatedBefore {
        /// Number of the message, from 1.
        number: usize,
    },
    /// The time of a move file is invalid.
    #[error("the time of the move is not a time such as 2026-01-31T12:00:00Z")]
    Timestamp,
    /// A step does not match its die.
    #[error(
        "step {number} from {from} to {to} is not possible for {} with a {die}",
        color_name(*player)
    )]
    Way {
        /// Number of the step, from 1.
        number: usize,
        /// Player who moves.
        player: Seat,
        /// Starting place.
        from: i8,
        /// Destination.
        to: i8,
        /// The die.
        die: Die,
    },
    /// The name of a move file is invalid.
    #[error(
        "a move file is named like 0012-black-a1b2c3.json: its number from 0001, its player, \
         six hexadecimal digits"
    )]
    Name,
    /// The name of a move file is for the other player.
    #[error(
        "the move is {}'s, but the file is named for {}",
        color_name(*player), color_name(player.next(2))
    )]
    NamePlayer {
        /// Player who moved.
        player: Seat,
    },
    /// The hash in the name of a move file is not that of its contents.
    #[error("the hash of the content begins with {is}, but the file is named {named}")]
    NameHash {
        /// Hash of the contents.
        is: String,
        /// Hash in the name.
        named: String,
    },
}

impl StateFault {
    /// Returns the rule's stable name for programs.
    pub const fn rule(&self) -> &'static str {
        match self {
            StateFault::Checkers { .. } => "checkers",
            StateFault::DiceCount { .. } | StateFault::DiceUnlike => "dice",
            StateFault::DiceUsed { .. } => "dice-used",
            StateFault::Turn { .. } => "turn",
            StateFault::WinnerTooEarly { .. } | StateFault::NoWinner => "status",
            StateFault::WrongWinner { .. } => "winner",
            StateFault::OffTooEarly { .. } | StateFault::NobodyOff { .. } | StateFault::BothOff => {
                "home"
            }
            StateFault::NoLastMove { .. }
            | StateFault::OverUnmoved
            | StateFault::MovedTooEarly
            | StateFault::Sequence { .. }
            | StateFault::Alternation { .. }
            | StateFault::WinnerNotLast { .. } => "last-move",
            StateFault::FileSequence { .. }
            | StateFault::FilePlayer { .. }
            | StateFault::FileHash { .. } => "last-move-file",
            StateFault::MessageTime { .. } => "messages-time",
            StateFault::MessageOrder { .. } => "messages-order",
            StateFault::MessageCount { .. } => "messages-count",
            StateFault::UpdatedTime | StateFault::UpdatedBefore { .. } => "updated-at",
            StateFault::Timestamp => "timestamp",
            StateFault::Way { .. } => "moves",
            StateFault::Name => "name",
            StateFault::NamePlayer { .. } => "name-player",
            StateFault::NameHash { .. } => "name-hash",
        }
    }
}

/// A remark on a file that is no reason to refuse it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Remark {
    /// A double is written as only two dice.
    #[error("two equal dice are read as the four of a double")]
    DoubleExpanded,
    /// All dice are used.
    #[error("all dice are used, so the turn is over")]
    AllUsed,
    /// The active player cannot move.
    #[error("{} cannot move with these dice, so the turn should have been passed", color_name(*seat))]
    NoMove {
        /// The active player.
        seat: Seat,
    },
    /// The first turn does not have the expected starting position.
    #[error(
        "no play leads here: at turn 1 the checkers are not in the {} starting position{}",
        start.name(), like_words(*like)
    )]
    OtherStart {
        /// Layout that was expected.
        start: StartLayout,
        /// Layout that matches, if any.
        like: Option<StartLayout>,
    },
    /// The first roll is a double.
    #[error("no play leads here: the opening roll is never a double")]
    OpeningDouble,
    /// A side would have needed more dice than it had.
    #[error(
        "no play leads here: {} has played at most {most} dice before turn {turn}, and would need \
         at least {least}",
        color_name(*seat)
    )]
    TooFar {
        /// The side.
        seat: Seat,
        /// Number of the turn.
        turn: u64,
        /// Largest number of dice it can have played.
        most: u64,
        /// Smallest number of dice it needed.
        least: u64,
    },
    /// A player resigned.
    #[error(
        "the game is completed before either player has borne off all checkers: a message says \
         that a player {RESIGNED}"
    )]
    Resigned,
    /// The same user plays both colors.
    #[error("one user plays both colors")]
    SameUser,
}

impl Remark {
    /// Returns the remark's stable name for programs.
    pub const fn rule(&self) -> &'static str {
        match self {
            Remark::DoubleExpanded => "dice",
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

fn like_words(start: Option<StartLayout>) -> String {
    start.map_or_else(String::new, |start| {
        format!(", but in the {} one", start.name())
    })
}
