//! States as games, and games as states.

use parlor_core::Seat;

use super::check::{left, widened};
use super::{LastMove, Message, Row, Stamp, State, Status};
use crate::legality;
use crate::setup::{Flaws, Setup};
use crate::{Board, CHECKERS, Dice, Die, Finished, Game, Phase, Rules, Side, Start, Win};

/// What a state says beside its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// The number of the turn, from 1.
    pub turn: u64,
    /// The dice that were rolled for it: two, or four equal ones.
    pub dice: Vec<Die>,
    /// Those that were played already.
    pub used: Vec<Die>,
    /// The last move file.
    pub last_move: Option<LastMove>,
    /// The users who play white and black.
    pub players: [String; 2],
    /// What happened, the oldest first. Only the last [`MESSAGES_KEPT`](super::MESSAGES_KEPT) are written.
    pub messages: Vec<Message>,
    /// When the file is written.
    pub updated_at: Stamp,
}

/// Why there is no state for a game, or no game for a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoState {
    /// A state always shows dice.
    #[error("the dice have not fallen, and a state shows dice")]
    NoDice,
    /// Other dice are left to play than those that were rolled without those that were used.
    #[error(
        "the dice that are left to play are not those that were rolled without those that were used"
    )]
    OtherDice,
    /// No dice are left, or such as no roll leaves.
    #[error("no dice are left to play")]
    NothingLeft,
    /// No game looks like this.
    #[error(transparent)]
    Flaws(#[from] Flaws),
}

impl State {
    /// A game as a state, with what is known beside it. Only the checkers, the turn and the dice are kept of the game: a state
    /// knows no cube and no match.
    ///
    /// # Errors
    /// When the dice are still to be rolled, or are others than `beside` says.
    pub fn of(game: &Game, beside: Beside) -> Result<State, NoState> {
        let over = match game.phase() {
            Phase::Moving(dice) => {
                let same = left(&beside.dice, &beside.used) == Some(dice);
                if same {
                    Ok(false)
                } else {
                    Err(NoState::OtherDice)
                }
            }
            Phase::Over => Ok(true),
            _ => Err(NoState::NoDice),
        }?;
        let mut messages = beside.messages;
        messages.drain(..messages.len().saturating_sub(super::MESSAGES_KEPT));
        Ok(State {
            turn: beside.turn,
            active: game.on_roll(),
            dice: widened(&beside.dice),
            used: beside.used,
            row: Row::of(&game.white_board(), game.rules().start),
            last_move: beside.last_move,
            status: if over {
                Status::Completed
            } else {
                Status::Playing
            },
            winner: game.last().filter(|_| over).map(|last| last.by),
            players: beside.players,
            messages,
            updated_at: beside.updated_at,
        })
    }

    /// The state as a single game without cube, counted from this start.
    ///
    /// # Errors
    /// When no game looks like this, or no dice are left to play.
    pub fn game(&self, start: Start) -> Result<Game, NoState> {
        let phase = match self.status {
            Status::Completed => Phase::Over,
            Status::Playing => {
                Phase::Moving(left(&self.dice, &self.used).ok_or(NoState::NothingLeft)?)
            }
        };
        let setup = self
            .row
            .setup(start, self.winner.unwrap_or(self.active), phase);
        // Who resigned is said by a message; how much was given up a state does not say.
        let by_resigning = self.status == Status::Completed && !self.row.home.contains(&CHECKERS);
        let last = self.winner.filter(|_| by_resigning).map(|by| Finished {
            by,
            points: 1,
            win: Some(Win::Single),
        });
        Ok(Setup { last, ..setup }.validate()?)
    }
}

impl Row {
    /// The single game without cube in which the checkers stand like this.
    ///
    /// # Errors
    /// When there is none.
    pub fn game(&self, start: Start, on_roll: Seat, phase: Phase) -> Result<Game, Flaws> {
        self.setup(start, on_roll, phase).validate()
    }

    fn setup(&self, start: Start, on_roll: Seat, phase: Phase) -> Setup {
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

/// Whether a seat can play nothing with these dice. The checkers are as many as there are; nobody is stuck when a game is over.
pub(super) fn is_stuck(row: &Row, start: Start, seat: Seat, dice: Dice) -> bool {
    let [white, black] = row.counts(start);
    let (Some(white), Some(black)) = (Side::from_counts(&white), Side::from_counts(&black)) else {
        return false;
    };
    let board = Board {
        mover: white,
        other: black,
    };
    let board = if seat == crate::WHITE {
        board
    } else {
        board.swapped()
    };
    board.won().is_none() && board.swapped().won().is_none() && legality::is_stuck(&board, dice)
}
