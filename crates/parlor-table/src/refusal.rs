//! Reasons to refuse a command.

use parlor_games::{OptionsError, PlayError};

use crate::{BadLag, BadTimeControl};

/// Reason why a command was refused. The table is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The options are not valid for the game.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The number of players differs from the number of seats.
    #[error("this game needs {seats} players, not {players}")]
    WrongSeats {
        /// Number of seats under these options.
        seats: u8,
        /// Number of players given.
        players: usize,
    },
    /// The game has no bot with this spec.
    #[error("{0}")]
    UnknownBot(String),
    /// The name is empty, too long or contains control or invisible characters.
    #[error("a name has 1 to {limit} characters that can be seen: no control or invisible characters, and no stacks of accents", limit = crate::Player::NAME_LIMIT)]
    BadName,
    /// The text for luck is too long.
    #[error("a text for luck has at most {limit} characters", limit = crate::luck::TEXT_LIMIT)]
    BadLuckText,
    /// The first chance has been drawn, and texts for luck count only before that.
    #[error("luck has already been drawn: texts count only before the first draw")]
    LuckDrawn,
    /// The game has no luck.
    #[error("this game has no luck")]
    NoLuck,
    /// The seat is already taken.
    #[error("that seat is taken")]
    SeatTaken,
    /// The game has no such seat.
    #[error("this table has no such seat: its seats are 0 to {0}")]
    NoSuchSeat(u8),
    /// No seat is open.
    #[error("all seats are taken")]
    Full,
    /// The table is private, and the caller has no invite.
    #[error("this table is private: you need its invite link to join")]
    InviteNeeded,
    /// The caller has no seat at this table.
    #[error("you have no seat at this table")]
    NotSeated,
    /// The game has not started, because a seat is still open.
    #[error("the game has not started: a seat is still open")]
    NotStarted,
    /// The game has started, and the command is allowed only before that.
    #[error("the game has already started")]
    Started,
    /// The game is over.
    #[error("Game is already finished")]
    Over,
    /// The game is not over yet.
    #[error("the game is not over yet")]
    NotOver,
    /// Every seat has moved, so the game can no longer be aborted.
    #[error("too late to abort: every seat has moved; you can resign")]
    TooLateToAbort,
    /// Another seat is on turn.
    #[error("Not your turn")]
    NotYourTurn,
    /// Other seats are asked whether they move first.
    #[error("others are asked first: wait until they have played or passed, {seconds} seconds at most", seconds = crate::verbs::ask::ANSWER_MS / 1_000)]
    OthersAsked,
    /// The caller is not asked for a move out of turn.
    #[error("you are not asked for anything: there is nothing to pass")]
    NotAsked,
    /// The move is illegal or its text is malformed; the game gives the reason.
    #[error(transparent)]
    Illegal(PlayError),
    /// The caller's version of the table is out of date.
    #[error(
        "the table has changed since you looked at it (it is now at version {current}): look again, then move"
    )]
    Stale {
        /// Current version.
        current: u64,
    },
    /// The move id has already been used for another move.
    #[error("this move id was already used: a new move needs a new id")]
    IdReused,
    /// The move id is empty, too long or contains other characters than allowed.
    #[error("a move id has 1 to 64 characters of a-z, A-Z, 0-9, '-' and '_'")]
    BadMoveId,
    /// The round trip that was measured for a move is no number of milliseconds, or too long.
    #[error(transparent)]
    Lag(#[from] BadLag),
    /// The seat on turn has run out of time and lost the game.
    #[error("Time control exceeded - game forfeited")]
    TimeExceeded,
    /// The time control is not valid.
    #[error(transparent)]
    TimeControl(#[from] BadTimeControl),
    /// The table has no clocks.
    #[error("this table has no clocks")]
    NoClock,
    /// The amount of time to give is out of range.
    #[error("you can give 1 to {max} seconds at a time")]
    BadTimeGift {
        /// Maximum, in seconds.
        max: u32,
    },
    /// The opponents' clocks cannot hold more time.
    #[error("a clock cannot be given more than three times its initial time")]
    ClockFull,
    /// There is no offer to answer.
    #[error("there is no offer to answer")]
    NothingOffered,
    /// The log is as long as it may get.
    #[error("this table has had {limit} events, the most there can be: resign or abort the game", limit = crate::table::MAX_EVENTS)]
    LogFull,
    /// The log is so long that only moves make it longer.
    #[error("this table has had {limit} events: only moves are possible now, and to resign or to abort the game", limit = crate::table::MAX_EVENTS_WITH_OTHERS)]
    LogLong,
    /// The same offer has been made since the seat's last move.
    #[error("you have already offered this: make a move before you offer it again")]
    OfferedAlready,
    /// A bot plays at this table, and bots do not agree to draws.
    #[error("bots do not agree to draws")]
    BotsPlayOn,
    /// The game cannot end in a draw.
    #[error("this game cannot end in a draw")]
    NoDraws,
    /// Moves cannot be taken back in this game.
    #[error("moves cannot be taken back in competitive games with luck or more than two players")]
    NoTakebacks,
    /// Luck has decided something since the move.
    #[error("too late to undo: luck has been drawn since")]
    LuckHasDecided,
    /// Another seat has moved since the move.
    #[error("too late to undo: another player has moved since")]
    OthersHaveMoved,
    /// The seat has no move to take back.
    #[error("you have no move to take back")]
    NothingToTakeBack,
    /// No player has been away for long enough.
    #[error(
        "nothing to claim: it is your turn, or the other player is here or has not been away long enough"
    )]
    NothingToClaim,
    /// No bot plays in the seat for a person who left a team.
    #[error("no computer plays in this seat for somebody who left")]
    NoStandIn,
    /// The caller has not left a seat, or has taken it back.
    #[error("you have not left this game: there is no seat to take back")]
    NotGone,
    /// Seats cannot be taken back in this game.
    #[error("a seat can be taken back only in cooperative games")]
    NoReturn,
    /// The caller had no time left on the clock.
    #[error("you had no time left when you left: the computer plays on for you")]
    NoTimeToReturn,
    /// A rated game needs two members.
    #[error("rated games are for members: sign in, or play an unrated game")]
    MembersOnly,
    /// Cooperative games are not rated.
    #[error("cooperative games cannot be rated: play an unrated game")]
    TeamsAreNotRated,
    /// Both seats of a rated game would have the same player.
    #[error("a rated game needs two different players")]
    SamePlayerTwice,
    /// A rated game would be played against one's own program.
    #[error("a rated game cannot be played against your own bot: play an unrated game")]
    OwnBot,
    /// Luck by hand is not possible with clocks, with ratings, or in games without luck.
    #[error("luck can be entered by hand only in unrated games with luck and without clocks")]
    LuckByHandNotAllowed,
    /// The server draws the luck of this table.
    #[error("luck is drawn automatically at this table: it cannot be entered by hand")]
    DrawnByServer,
    /// The position does not wait for luck.
    #[error("it is a player's turn, not luck's")]
    NoChanceDue,
    /// Luck has to decide, but the driver does not have the secret.
    #[error("the secret of this table is missing, so luck cannot be drawn")]
    NoSecret,
}

impl Refusal {
    /// Returns a stable error code for programs, such as `not_your_turn`.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::Options(_) => "bad_options",
            Refusal::WrongSeats { .. } => "wrong_seats",
            Refusal::UnknownBot(_) => "unknown_bot",
            Refusal::BadName => "bad_name",
            Refusal::BadLuckText => "bad_luck_text",
            Refusal::LuckDrawn => "luck_drawn",
            Refusal::NoLuck => "no_luck",
            Refusal::SeatTaken => "seat_taken",
            Refusal::NoSuchSeat(_) => "no_such_seat",
            Refusal::Full => "full",
            Refusal::InviteNeeded => "invite_needed",
            Refusal::NotSeated => "not_seated",
            Refusal::NotStarted => "not_started",
            Refusal::Started => "started",
            Refusal::Over => "over",
            Refusal::NotOver => "not_over",
            Refusal::TooLateToAbort => "too_late_to_abort",
            Refusal::NotYourTurn => "not_your_turn",
            Refusal::OthersAsked => "others_asked",
            Refusal::NotAsked => "not_asked",
            Refusal::Illegal(_) => "illegal_move",
            Refusal::Stale { .. } => "stale_version",
            Refusal::IdReused => "move_id_reused",
            Refusal::BadMoveId => "bad_move_id",
            Refusal::Lag(_) => "bad_lag",
            Refusal::TimeExceeded => "time_exceeded",
            Refusal::TimeControl(_) => "bad_time_control",
            Refusal::NoClock => "no_clock",
            Refusal::BadTimeGift { .. } => "bad_gift",
            Refusal::ClockFull => "clock_full",
            Refusal::NothingOffered => "nothing_offered",
            Refusal::LogFull => "log_full",
            Refusal::LogLong => "log_long",
            Refusal::OfferedAlready => "offered_already",
            Refusal::BotsPlayOn => "bots_play_on",
            Refusal::NoDraws => "no_draws",
            Refusal::NoTakebacks => "no_takebacks",
            Refusal::LuckHasDecided => "luck_has_decided",
            Refusal::OthersHaveMoved => "others_have_moved",
            Refusal::NothingToTakeBack => "nothing_to_take_back",
            Refusal::NothingToClaim => "nothing_to_claim",
            Refusal::NoStandIn => "no_stand_in",
            Refusal::NotGone => "not_gone",
            Refusal::NoReturn => "no_return",
            Refusal::NoTimeToReturn => "no_time_to_return",
            Refusal::MembersOnly => "members_only",
            Refusal::TeamsAreNotRated => "teams_are_not_rated",
            Refusal::SamePlayerTwice => "against_oneself",
            Refusal::OwnBot => "against_own_bot",
            Refusal::LuckByHandNotAllowed => "not_by_hand",
            Refusal::DrawnByServer => "drawn_by_house",
            Refusal::NoChanceDue => "not_lucks_turn",
            Refusal::NoSecret => "no_secret",
        }
    }
}

impl From<PlayError> for Refusal {
    fn from(error: PlayError) -> Refusal {
        match error {
            PlayError::NotYourTurn => Refusal::NotYourTurn,
            error => Refusal::Illegal(error),
        }
    }
}
