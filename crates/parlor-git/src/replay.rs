//! A record played again, step by step.

use parlor_core::Seat;
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{Record, Step};

use crate::folder::Broken;
use crate::paths::RECORD;

/// A step of a record between the positions before and after it.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// Its number, from 1.
    pub n: usize,
    /// The step.
    pub step: &'a Step,
    /// Who moved; nobody where luck decided.
    pub seat: Option<Seat>,
    /// The text of the move or chance.
    pub text: &'a str,
    /// The position before it.
    pub before: &'a AnyPosition,
    /// The position after it.
    pub after: &'a AnyPosition,
    /// The text of the last move that shows in a picture.
    pub mark: Option<&'a str>,
}

/// The position that a record begins with.
///
/// # Errors
/// When its game or options are unknown.
pub fn start(record: &Record) -> Result<AnyPosition, Broken> {
    let kind = GameKind::from_name(&record.game).map_err(|error| Broken::new(RECORD, error))?;
    kind.start(&record.options)
        .map_err(|error| Broken::new(RECORD, error))
}

/// Plays a record and shows each step; gives the last position, and the text of the last move that shows in a picture.
///
/// # Errors
/// The first step that cannot be played, or what `each` finds.
pub fn replay(
    record: &Record,
    mut each: impl FnMut(Played<'_>) -> Result<(), Broken>,
) -> Result<(AnyPosition, Option<&str>), Broken> {
    let mut position = start(record)?;
    let mut mark = None;
    for (step, n) in record.log.iter().zip(1..) {
        let wrong =
            |reason: &dyn std::fmt::Display| Broken::new(RECORD, format!("step {n}: {reason}"));
        let before = position.clone();
        let (seat, text) = match step {
            Step::Chance { chance, .. } => {
                position.resolve(chance).map_err(|error| wrong(&error))?;
                (None, chance)
            }
            Step::Move { seat, text, .. } => {
                let seat = Seat::new(*seat).map_err(|error| wrong(&error))?;
                position.play(text, seat).map_err(|error| wrong(&error))?;
                if position.leaves_mark(text) {
                    mark = Some(text.as_str());
                }
                (Some(seat), text)
            }
        };
        each(Played {
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
