//! Step-by-step replay of a record.

use parlor_core::Seat;
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{Record, RecordStep};

use crate::folder::FileError;
use crate::paths::RECORD;

/// Step of a record with the positions before and after it.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedStep<'a> {
    /// Number of the step, from 1.
    pub n: usize,
    /// The step.
    pub step: &'a RecordStep,
    /// Seat that moved; `None` for a chance.
    pub seat: Option<Seat>,
    /// Text of the move or chance.
    pub text: &'a str,
    /// Position before the step.
    pub before: &'a AnyPosition,
    /// Position after the step.
    pub after: &'a AnyPosition,
    /// Text of the last move that leaves a mark on the board.
    pub mark: Option<&'a str>,
}

/// Returns the initial position of a record.
///
/// # Errors
/// [`FileError`] if the game or its options are unknown.
pub fn start(record: &Record) -> Result<AnyPosition, FileError> {
    let kind = GameKind::from_name(&record.game).map_err(|error| FileError::new(RECORD, error))?;
    kind.start(&record.options)
        .map_err(|error| FileError::new(RECORD, error))
}

/// Replays a record, calling `each` for every step. Returns the final position and the text of the
/// last move that leaves a mark on the board.
///
/// # Errors
/// [`FileError`] for the first step that cannot be played, or the error of `each`.
pub fn replay(
    record: &Record,
    mut each: impl FnMut(ReplayedStep<'_>) -> Result<(), FileError>,
) -> Result<(AnyPosition, Option<&str>), FileError> {
    let mut position = start(record)?;
    let mut mark = None;
    for (step, n) in record.log.iter().zip(1..) {
        let wrong =
            |reason: &dyn std::fmt::Display| FileError::new(RECORD, format!("step {n}: {reason}"));
        let before = position.clone();
        let (seat, text) = match step {
            RecordStep::Chance { chance, .. } => {
                position.resolve(chance).map_err(|error| wrong(&error))?;
                (None, chance)
            }
            RecordStep::Move { seat, text, .. } => {
                let seat = Seat::new(*seat).map_err(|error| wrong(&error))?;
                position.play(text, seat).map_err(|error| wrong(&error))?;
                if position.leaves_mark(text) {
                    mark = Some(text.as_str());
                }
                (Some(seat), text)
            }
        };
        each(ReplayedStep {
            n,
            step,
            seat,
            text,
            before: &before,
            after: &position,
            mark,
        })?;
    }
    Ok((position, mark))
}
