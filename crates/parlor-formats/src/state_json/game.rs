//! Conversion between state documents and games.

use parlor_backgammon::{
    Board, CHECKERS, Dice, Die, Game, GameFlaws, GameResult, Phase, Rules, Setup, Side,
    StartLayout, WHITE, Win,
};
use parlor_core::Seat;

use super::check::{dice_left, expand_double};
use super::{BoardRow, FileTimestamp, LastMoveEntry, Message, StateDocument, Status};

/// Contents of a state document that are not part of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateExtras {
    /// Number of the turn, from 1.
    pub turn: u64,
    /// Dice rolled for it: two, or four equal ones.
    pub dice: Vec<Die>,
    /// Dice already played.
    pub used: Vec<Die>,
    /// Last move file played.
    pub last_move: Option<LastMoveEntry>,
    /// Names of the users who play white and black.
    pub players: [String; 2],
    /// Messages, oldest first. Only the last [`MESSAGES_KEPT`](super::MESSAGES_KEPT) are written.
    pub messages: Vec<Message>,
    /// Time at which the file is written.
    pub updated_at: FileTimestamp,
}

/// Error of converting between a state document and a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateConversionError {
    /// The dice have not been rolled, but a state always has dice.
    #[error("the dice have not been rolled, but a state needs dice")]
    NoDice,
    /// The dice left to play are not those rolled without those used.
    #[error(
        "the dice that are left to play are not those that were rolled without those that were used"
    )]
    OtherDice,
    /// No dice are left, or a combination that no roll can leave.
    #[error("no dice are left to play")]
    NothingLeft,
    /// The state describes an invalid position.
    #[error(transparent)]
    Flaws(#[from] GameFlaws),
}

impl StateDocument {
    /// Creates the document of a game. Only the checkers, the turn and the dice of the game are
    /// kept: the format has no cube and no match.
    ///
    /// # Errors
    /// Returns an error if the dice have not been rolled, or differ from those in `extras`.
    pub fn from_game(
        game: &Game,
        extras: StateExtras,
    ) -> Result<StateDocument, StateConversionError> {
        let over = match game.phase() {
            Phase::Moving(dice) => {
                let same = dice_left(&extras.dice, &extras.used) == Some(dice);
                if same {
                    Ok(false)
                } else {
                    Err(StateConversionError::OtherDice)
                }
            }
            Phase::Over => Ok(true),
            _ => Err(StateConversionError::NoDice),
        }?;
        let mut messages = extras.messages;
        messages.drain(..messages.len().saturating_sub(super::MESSAGES_KEPT));
        Ok(StateDocument {
            turn: extras.turn,
            active: game.on_roll(),
            dice: expand_double(&extras.dice),
            used: extras.used,
            row: BoardRow::from_board(&game.white_board(), game.rules().start),
            last_move: extras.last_move,
            status: if over {
                Status::Completed
            } else {
                Status::Playing
            },
            winner: game.last_result().filter(|_| over).map(|last| last.by),
            players: extras.players,
            messages,
            updated_at: extras.updated_at,
        })
    }

    /// Returns the document as a single game without the cube.
    ///
    /// # Errors
    /// Returns an error if the position is invalid, or if no dice are left to play.
    pub fn to_game(&self, start: StartLayout) -> Result<Game, StateConversionError> {
        let phase = match self.status {
            Status::Completed => Phase::Over,
            Status::Playing => Phase::Moving(
                dice_left(&self.dice, &self.used).ok_or(StateConversionError::NothingLeft)?,
            ),
        };
        let setup = self
            .row
            .setup(start, self.winner.unwrap_or(self.active), phase);
        // A message says that a player resigned; the size of the loss is not recorded.
        let by_resigning = self.status == Status::Completed && !self.row.home.contains(&CHECKERS);
        let last = self.winner.filter(|_| by_resigning).map(|by| GameResult {
            by,
            points: 1,
            win: Some(Win::Single),
        });
        Ok(Setup { last, ..setup }.validate()?)
    }
}

impl BoardRow {
    /// Returns the single game without the cube that has these checkers.
    ///
    /// # Errors
    /// Returns every flaw if the position is invalid.
    pub fn to_game(
        &self,
        start: StartLayout,
        on_roll: Seat,
        phase: Phase,
    ) -> Result<Game, GameFlaws> {
        self.setup(start, on_roll, phase).validate()
    }

    fn setup(&self, start: StartLayout, on_roll: Seat, phase: Phase) -> Setup {
        let rules = Rules {
            start,
            ..Rules::GAME
        };
        Setup {
            counts: self.counts(start),
            on_roll,
            phase,
            ..Setup::new(rules)
        }
    }
}

/// Returns `true` if a seat can play nothing with these dice. Always `false` when the game is over
/// or the checkers do not add up.
pub(super) fn is_stuck(row: &BoardRow, start: StartLayout, seat: Seat, dice: Dice) -> bool {
    let [white, black] = row.counts(start);
    let (Some(white), Some(black)) = (Side::from_counts(&white), Side::from_counts(&black)) else {
        return false;
    };
    let Some(board) = Board::new(white, black) else {
        return false;
    };
    let board = if seat == WHITE {
        board
    } else {
        board.swapped()
    };
    board.won().is_none() && board.swapped().won().is_none() && board.is_stuck(dice)
}
