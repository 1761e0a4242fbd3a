//! Public record of a classic game: the nine cells, the current player, the status.
//!
//! It presents a [`Board`] under the names and texts that clients of the record expect; the rules
//! are the board's.
//!
//! ```
//! use parlor_formats::classic::{Game, Square, Status};
//!
//! let mut game = Game::new(7, 0);
//! let answer = game.make_move(Square::try_from(4)?, 1_000)?;
//! assert_eq!((answer.success, answer.message), (true, "Move successful"));
//! assert_eq!(game.current_player(), 'O');
//! assert_eq!(game.status(), Status::InProgress);
//! assert_eq!(game.to_string(), "Game 7 - In Progress");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use parlor_core::{Outcome, Position, Seat, Turn};
use parlor_tictactoe::mnk::{Board, Cell, Illegal, Rules};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use time::OffsetDateTime;
use time::macros::format_description;

/// One of the nine cells, numbered 0 to 8 row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the number of the square, 0 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the square as a cell of the board.
    pub const fn cell(self) -> Cell {
        Cell::new(self.0 / 3, self.0 % 3)
    }
}

impl TryFrom<i64> for Square {
    type Error = Illegal;

    /// # Errors
    /// [`Illegal::OffBoard`] outside 0 to 8.
    fn try_from(position: i64) -> Result<Square, Illegal> {
        match u8::try_from(position) {
            Ok(number @ 0..=8) => Ok(Square(number)),
            _ => Err(Illegal::OffBoard { last: 8 }),
        }
    }
}

impl From<Square> for Cell {
    fn from(square: Square) -> Cell {
        square.cell()
    }
}

/// Status of a game, derived from the board or from an ending that the board does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The game goes on.
    InProgress,
    /// The first seat has a line.
    XWins,
    /// The second seat has a line.
    OWins,
    /// The board is full and nobody has a line.
    Draw,
}

impl Status {
    /// All statuses, in the order in which forms list them.
    pub const ALL: [Status; 4] = [
        Status::InProgress,
        Status::XWins,
        Status::OWins,
        Status::Draw,
    ];

    /// Returns the value used in JSON.
    pub const fn value(self) -> &'static str {
        match self {
            Status::InProgress => "in_progress",
            Status::XWins => "x_wins",
            Status::OWins => "o_wins",
            Status::Draw => "draw",
        }
    }

    /// Returns the text shown to people.
    pub const fn label(self) -> &'static str {
        match self {
            Status::InProgress => "In Progress",
            Status::XWins => "X Wins",
            Status::OWins => "O Wins",
            Status::Draw => "Draw",
        }
    }
}

impl From<Turn> for Status {
    fn from(turn: Turn) -> Status {
        match turn.outcome().map(|outcome| outcome.winner()) {
            None => Status::InProgress,
            Some(None) => Status::Draw,
            Some(Some(Seat::FIRST)) => Status::XWins,
            Some(Some(_)) => Status::OWins,
        }
    }
}

/// Response to an accepted move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MoveResponse {
    /// Always true.
    pub success: bool,
    /// `Move successful`.
    pub message: &'static str,
}

/// The response to every accepted move.
pub const MOVE_RESPONSE: MoveResponse = MoveResponse {
    success: true,
    message: "Move successful",
};

/// Record of one game.
///
/// Serialized, it has the fields `id`, `board` (nine elements: null, "X" or "O"), `current_player`,
/// `status`, `created_at` and `updated_at`. Times are milliseconds since the Unix epoch in the
/// accessors and RFC 3339 text with `Z` when serialized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    id: i64,
    board: Board,
    created_at: i64,
    updated_at: i64,
    /// Outcome of a game that ended otherwise than by the rules.
    declared: Option<Outcome>,
}

impl Game {
    /// Creates a new game at time `now`, in milliseconds since the Unix epoch.
    pub fn new(id: i64, now: i64) -> Game {
        Game {
            id,
            board: Board::new(Rules::classic()),
            created_at: now,
            updated_at: now,
            declared: None,
        }
    }

    /// Creates the record of a game that is stored elsewhere; times in milliseconds since the Unix
    /// epoch.
    ///
    /// # Errors
    /// [`NotClassic`] if the board does not use the classic rules.
    pub fn from_board(
        id: i64,
        board: Board,
        created_at: i64,
        updated_at: i64,
    ) -> Result<Game, NotClassic> {
        if *board.rules() != Rules::classic() {
            return Err(NotClassic);
        }
        Ok(Game {
            id,
            board,
            created_at,
            updated_at,
            declared: None,
        })
    }

    /// Ends the game otherwise than by the rules, such as by a resignation or on time. A game that the
    /// rules have ended keeps its outcome.
    ///
    /// ```
    /// use parlor_core::{Outcome, Seat};
    /// use parlor_formats::classic::{Game, Status};
    ///
    /// let resigned = Game::new(7, 0).ended(Outcome::won(Seat::SECOND));
    /// assert_eq!((resigned.status(), resigned.current_player()), (Status::OWins, 'O'));
    /// ```
    #[must_use]
    pub fn ended(self, outcome: Outcome) -> Game {
        Game {
            declared: Some(outcome),
            ..self
        }
    }

    /// Returns the ID of the game.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Returns the underlying position.
    pub fn position(&self) -> &Board {
        &self.board
    }

    /// Returns the creation time, in milliseconds since the Unix epoch.
    pub fn created_at(&self) -> i64 {
        self.created_at
    }

    /// Returns the time of the last move, in milliseconds since the Unix epoch.
    pub fn updated_at(&self) -> i64 {
        self.updated_at
    }

    /// Returns the nine cells row by row: `None`, X or O.
    pub fn board(&self) -> [Option<char>; 9] {
        std::array::from_fn(|index| self.board.symbol_at(Cell::from_index(index, 3)))
    }

    /// Returns the symbol of the seat to move; after a win that of the winner, after a draw that of
    /// the last mover (X if nobody moved).
    pub fn current_player(&self) -> char {
        let stones = self.board.stones();
        let last_mover = if stones > 0 && stones.is_multiple_of(2) {
            Seat::SECOND
        } else {
            Seat::FIRST
        };
        let seat = match self.turn() {
            Turn::Move(seat) => seat,
            Turn::Over(outcome) => outcome.winner().unwrap_or(last_mover),
            Turn::Chance => last_mover,
        };
        self.board.rules().symbols()[seat.index()]
    }

    /// Returns the status.
    pub fn status(&self) -> Status {
        self.turn().into()
    }

    fn turn(&self) -> Turn {
        match (self.board.turn(), self.declared) {
            (Turn::Over(outcome), _) | (_, Some(outcome)) => Turn::Over(outcome),
            (turn, None) => turn,
        }
    }

    /// Returns the symbol that has a line, if any.
    pub fn check_winner(&self) -> Option<char> {
        match self.status() {
            Status::XWins => Some('X'),
            Status::OWins => Some('O'),
            Status::InProgress | Status::Draw => None,
        }
    }

    /// Returns true if the board is full and nobody has a line.
    pub fn is_draw(&self) -> bool {
        self.status() == Status::Draw
    }

    /// Puts the current player's symbol on a square at time `now`, in milliseconds since the Unix
    /// epoch.
    ///
    /// # Errors
    /// `Game is already finished`, else `Position already occupied`; the game is then unchanged.
    /// See [`Game::make_move_at`] for a position that may be out of range.
    pub fn make_move(&mut self, square: Square, now: i64) -> Result<MoveResponse, Illegal> {
        if self.status() != Status::InProgress {
            return Err(Illegal::Finished);
        }
        self.board.try_play(&square.cell())?;
        self.updated_at = now;
        Ok(MOVE_RESPONSE)
    }

    /// Like [`Game::make_move`], but accepts any number as the position.
    ///
    /// # Errors
    /// The first that applies: `Game is already finished`, `Position must be between 0 and 8`,
    /// `Position already occupied`.
    pub fn make_move_at(&mut self, position: i64, now: i64) -> Result<MoveResponse, Illegal> {
        if self.status() != Status::InProgress {
            return Err(Illegal::Finished);
        }
        self.make_move(Square::try_from(position)?, now)
    }

    /// Returns the board for display: rows `a | b | c` with a space for an empty cell, separated by
    /// lines of nine dashes.
    ///
    /// ```
    /// use parlor_formats::classic::Game;
    /// let mut game = Game::new(1, 0);
    /// game.make_move_at(1, 0)?;
    /// assert_eq!(game.board_display(), "  | X |  \n---------\n  |   |  \n---------\n  |   |  ");
    /// # Ok::<(), parlor_tictactoe::mnk::Illegal>(())
    /// ```
    pub fn board_display(&self) -> String {
        let shown = self.board().map(|cell| cell.unwrap_or(' '));
        let rows: Vec<String> = shown
            .chunks(3)
            .map(|row| format!("{} | {} | {}", row[0], row[1], row[2]))
            .collect();
        rows.join("\n---------\n")
    }
}

/// Formats the game as `Game {id} - {label}`.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game {} - {}", self.id, self.status().label())
    }
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Game", 6)?;
        record.serialize_field("id", &self.id)?;
        record.serialize_field("board", &self.board())?;
        record.serialize_field("current_player", &self.current_player())?;
        record.serialize_field("status", &self.status())?;
        record.serialize_field("created_at", &utc(self.created_at))?;
        record.serialize_field("updated_at", &utc(self.updated_at))?;
        record.end()
    }
}

/// Formats milliseconds since the Unix epoch as RFC 3339 text in UTC, such as
/// `2026-01-02T03:04:05.678Z`. Times outside the years 0 to 9999 are clamped.
///
/// ```
/// use parlor_formats::classic::utc;
/// assert_eq!(utc(1_767_323_045_678), "2026-01-02T03:04:05.678Z");
/// assert_eq!(utc(i64::MAX), "9999-12-31T23:59:59.999Z");
/// assert_eq!(utc(i64::MIN), "0000-01-01T00:00:00.000Z");
/// ```
pub fn utc(milliseconds: i64) -> String {
    let form =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    let shown = milliseconds.clamp(-YEAR_0_TO_1970, YEAR_9999_FROM_1970);
    let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(shown) * 1_000_000);
    moment
        .ok()
        .and_then(|moment| moment.format(form).ok())
        .expect("the years 0 to 9999 can be written")
}

/// Milliseconds from the beginning of year 0 to 1970.
const YEAR_0_TO_1970: i64 = 719_528 * 86_400_000;
/// Milliseconds from 1970 to the end of year 9999.
const YEAR_9999_FROM_1970: i64 = 2_932_897 * 86_400_000 - 1;

/// Error for a board that is not 3x3 with three in a row, X and O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record is of classic games only: 3x3, three in a row, X and O")]
pub struct NotClassic;
