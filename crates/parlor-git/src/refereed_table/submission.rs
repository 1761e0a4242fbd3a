//! Submission of a move by a player: everything that has to be right about it.

use parlor_core::Seat;
use parlor_games::repository::{MoveFile, MoveName, digest};
use parlor_table::Refusal;

use super::{BOT, RefereedTable};
use crate::files::to_timestamp;
use crate::folder::join_messages;

/// Reason why a submitted move was rejected, as a sentence about its file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveRejection {
    /// The game is over, or the move is illegal.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The contents of the file are invalid, for the reasons given.
    #[error("{0}")]
    InvalidFile(String),
    /// The name of the file is not that of a move.
    #[error("this is no move's name")]
    InvalidName,
    /// The seat belongs to a bot.
    #[error("{seat} is a bot, which the referee moves")]
    BotSeat {
        /// Name of the seat.
        seat: String,
    },
    /// The seat belongs to another player.
    #[error("{seat} is {player}, but the commit comes from {from}")]
    WrongPlayer {
        /// Name of the seat.
        seat: String,
        /// Player of the seat.
        player: String,
        /// Description of the commit's author.
        from: String,
    },
    /// The number of the move is not the next one.
    #[error("the next move has number {next:04}, not {number:04}")]
    WrongNumber {
        /// Number of the next move.
        next: u32,
        /// Number in the file's name.
        number: u32,
    },
    /// The table has as many moves as names allow.
    #[error("a table has at most {} moves", MoveName::MOST)]
    TooManyMoves,
    /// The move was made for another state.
    #[error("it was made for another state ({expected}, not {current})")]
    StaleState {
        /// Hash of the state that the move was made for.
        expected: String,
        /// Hash of the current state.
        current: String,
    },
}

/// Move submitted by a player.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// Name of the move file.
    pub name: &'a str,
    /// Contents of the move file.
    pub bytes: &'a [u8],
    /// Players that the commit may have come from.
    pub by: &'a [String],
    /// Description of the commit's author, for messages.
    pub from: &'a str,
    /// Hashes of earlier states that are accepted in addition to that of the current one.
    pub seen: &'a [String],
    /// Time, in seconds since the Unix epoch.
    pub at: i64,
}

impl RefereedTable {
    /// Plays a submitted move, followed by moves of bots.
    ///
    /// # Errors
    /// [`MoveRejection`] if the move cannot be accepted. Nothing has changed then.
    pub fn submit(&mut self, submission: Submission<'_>) -> Result<(), MoveRejection> {
        if self.table.ending().is_some() {
            return Err(Refusal::Over.into());
        }
        let (named, file) = self.read_move(submission.name, submission.bytes)?;
        self.check_player(&named, file.seat, &submission)?;
        self.check_number(named.sequence)?;
        self.check_state(&file.expected_state, submission.seen)?;
        let at = submission.at.max(self.documents.updated + 1);
        let before = self.table.steps().len();
        self.play(
            &named,
            submission.name,
            submission.bytes,
            &file,
            to_timestamp(at),
        )?;
        self.documents.updated = at;
        self.note_move(before, &file);
        self.play_bots(at);
        Ok(())
    }

    fn read_move(&self, name: &str, bytes: &[u8]) -> Result<(MoveName, MoveFile), MoveRejection> {
        let file = MoveFile::read(name, bytes, self.table.position())
            .map_err(|findings| MoveRejection::InvalidFile(join_messages(&findings)))?;
        let named = MoveName::parse(name).ok_or(MoveRejection::InvalidName)?;
        Ok((named, file))
    }

    /// Checks that the commit may have come from the player of the seat.
    fn check_player(
        &self,
        named: &MoveName,
        seat: Seat,
        submission: &Submission<'_>,
    ) -> Result<(), MoveRejection> {
        let player = self.player(seat);
        if player.starts_with(BOT) {
            return Err(MoveRejection::BotSeat {
                seat: named.player.clone(),
            });
        }
        if submission.by.iter().any(|name| name == player) {
            return Ok(());
        }
        Err(MoveRejection::WrongPlayer {
            seat: named.player.clone(),
            player: player.to_owned(),
            from: submission.from.to_owned(),
        })
    }

    /// Checks that a move's number is the next one.
    fn check_number(&self, number: u32) -> Result<(), MoveRejection> {
        let next = self.next_sequence();
        if number != next {
            return Err(MoveRejection::WrongNumber { next, number });
        }
        if number > MoveName::MOST {
            return Err(MoveRejection::TooManyMoves);
        }
        Ok(())
    }

    /// Checks that a move was made for the current state, or for another that is accepted.
    fn check_state(&self, expected: &str, accepted: &[String]) -> Result<(), MoveRejection> {
        let current = digest(&self.state());
        if expected == current || accepted.iter().any(|hash| hash == expected) {
            return Ok(());
        }
        Err(MoveRejection::StaleState {
            expected: expected.to_owned(),
            current,
        })
    }
}
