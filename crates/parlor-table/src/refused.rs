//! Why a command was refused.

use parlor_games::{OptionsError, PlayError};

use crate::BadTimeControl;

/// Why a command was refused. Nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The options do not make a game.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The number of players is not the number of seats.
    #[error("this game has {seats} seats: name somebody for each, not {players}")]
    WrongSeats {
        /// Seats of the game under these options.
        seats: u8,
        /// Players given.
        players: usize,
    },
    /// No bot of this game is called so.
    #[error("{0}")]
    UnknownBot(String),
    /// A name that cannot be shown.
    #[error("a name has 1 to {limit} characters and no control characters", limit = crate::Player::NAME_LIMIT)]
    BadName,
    /// A text for luck that is too long.
    #[error("a text for luck has at most {limit} characters", limit = crate::luck::TEXT_LIMIT)]
    BadLuckText,
    /// Texts for luck count only before the first draw.
    #[error("luck has been drawn already: texts count only before the first draw")]
    LuckDrawn,
    /// The game has no luck.
    #[error("this game has no luck")]
    NoLuck,
    /// The seat has somebody in it.
    #[error("that seat is taken")]
    SeatTaken,
    /// The game has no such seat.
    #[error("this table has no such seat: its seats are 0 to {0}")]
    NoSuchSeat(u8),
    /// No seat is open.
    #[error("all seats are taken")]
    Full,
    /// The table is closed to strangers.
    #[error("this table is private: it can only be joined by its link")]
    InviteNeeded,
    /// The caller holds no seat here.
    #[error("you have no seat at this table")]
    NotSeated,
    /// Seats are still open.
    #[error("the game has not started: a seat is still open")]
    NotStarted,
    /// The game is under way or over, and the command is for before.
    #[error("the game has already started")]
    Started,
    /// The game is over.
    #[error("Game is already finished")]
    Over,
    /// The game is not over yet.
    #[error("the game is still going on")]
    NotOver,
    /// Too late to abort.
    #[error("too late to abort: every seat has moved; you can resign")]
    TooLateToAbort,
    /// Another seat is on turn.
    #[error("Not your turn")]
    NotYourTurn,
    /// The rules forbid it, or the text is no move; the reason is the game's own.
    #[error(transparent)]
    Illegal(PlayError),
    /// The caller saw an older table.
    #[error("the table has moved on to version {current}; look again and decide anew")]
    Stale {
        /// The version now.
        current: u64,
    },
    /// A move id was used for another move.
    #[error("this move id was used for another move: a new move needs a new id")]
    IdReused,
    /// An id of a move that is too long or empty.
    #[error("a move id has 1 to 64 characters of a-z, A-Z, 0-9, '-' and '_'")]
    BadMoveId,
    /// The seat on turn has no time left; the game is lost.
    #[error("Time control exceeded - game forfeited")]
    TimeExceeded,
    /// Clocks do not make sense.
    #[error(transparent)]
    TimeControl(#[from] BadTimeControl),
    /// The table has no clocks.
    #[error("this table has no clocks")]
    NoClock,
    /// A gift of time that is too small or too large.
    #[error("between 1 and {most} seconds can be given at once")]
    BadGift {
        /// The most, in seconds.
        most: u32,
    },
    /// There is no offer to answer.
    #[error("nobody offers that at the moment")]
    NothingOffered,
    /// The same offer was made since the last move.
    #[error("you offered that already: play a move before you offer it again")]
    OfferedAlready,
    /// A bot plays at this table.
    #[error("the computer plays on: it does not agree to draws")]
    BotsPlayOn,
    /// The game knows no draws.
    #[error("this game cannot end in a draw")]
    NoDraws,
    /// This game's moves stand.
    #[error(
        "moves cannot be taken back in games against each other with luck or with more than two seats"
    )]
    NoTakebacks,
    /// Luck has decided since.
    #[error("what was played stands: luck has decided something since")]
    LuckSince,
    /// Another seat has moved since.
    #[error("what you played stands: another seat has moved since")]
    OthersSince,
    /// The seat has not moved.
    #[error("you have played no move that could be taken back")]
    NothingToTakeBack,
    /// Nobody has left.
    #[error(
        "there is nothing to claim: the other side is on its turn and here, or has not been away for long enough"
    )]
    NothingToClaim,
    /// A rated game is between two members.
    #[error("a rated game is played by two members of the house: sign in, or play for fun")]
    MembersOnly,
    /// All win or lose together.
    #[error("a team wins or loses together: there is nothing to rate, so play for fun")]
    TeamsAreNotRated,
    /// The same member twice at a rated table.
    #[error("a rated game needs two different players")]
    AgainstOneself,
    /// Luck by hand where it cannot be.
    #[error("luck by hand suits only games with luck that have no clocks and are not rated")]
    NotByHand,
    /// The house draws.
    #[error("luck is drawn by the house at this table: nobody types it in")]
    DrawnByHouse,
    /// It is not luck's turn.
    #[error("luck has nothing to decide now")]
    NotLucksTurn,
    /// Luck is to decide and the driver does not hold the secret.
    #[error("luck is to decide, but the secret of this table is not here")]
    NoSecret,
}

impl Refused {
    /// A stable name for programs, such as `not_your_turn`.
    pub const fn code(&self) -> &'static str {
        match self {
            Refused::Options(_) => "bad_options",
            Refused::WrongSeats { .. } => "wrong_seats",
            Refused::UnknownBot(_) => "unknown_bot",
            Refused::BadName => "bad_name",
            Refused::BadLuckText => "bad_luck_text",
            Refused::LuckDrawn => "luck_drawn",
            Refused::NoLuck => "no_luck",
            Refused::SeatTaken => "seat_taken",
            Refused::NoSuchSeat(_) => "no_such_seat",
            Refused::Full => "full",
            Refused::InviteNeeded => "invite_needed",
            Refused::NotSeated => "not_seated",
            Refused::NotStarted => "not_started",
            Refused::Started => "started",
            Refused::Over => "over",
            Refused::NotOver => "not_over",
            Refused::TooLateToAbort => "too_late_to_abort",
            Refused::NotYourTurn => "not_your_turn",
            Refused::Illegal(_) => "illegal_move",
            Refused::Stale { .. } => "stale_version",
            Refused::IdReused => "move_id_reused",
            Refused::BadMoveId => "bad_move_id",
            Refused::TimeExceeded => "time_exceeded",
            Refused::TimeControl(_) => "bad_time_control",
            Refused::NoClock => "no_clock",
            Refused::BadGift { .. } => "bad_gift",
            Refused::NothingOffered => "nothing_offered",
            Refused::OfferedAlready => "offered_already",
            Refused::BotsPlayOn => "bots_play_on",
            Refused::NoDraws => "no_draws",
            Refused::NoTakebacks => "no_takebacks",
            Refused::LuckSince => "luck_has_decided",
            Refused::OthersSince => "others_have_moved",
            Refused::NothingToTakeBack => "nothing_to_take_back",
            Refused::NothingToClaim => "nothing_to_claim",
            Refused::MembersOnly => "members_only",
            Refused::TeamsAreNotRated => "teams_are_not_rated",
            Refused::AgainstOneself => "against_oneself",
            Refused::NotByHand => "not_by_hand",
            Refused::DrawnByHouse => "drawn_by_house",
            Refused::NotLucksTurn => "not_lucks_turn",
            Refused::NoSecret => "no_secret",
        }
    }
}

impl From<PlayError> for Refused {
    fn from(error: PlayError) -> Refused {
        match error {
            PlayError::NotYourTurn => Refused::NotYourTurn,
            error => Refused::Illegal(error),
        }
    }
}
