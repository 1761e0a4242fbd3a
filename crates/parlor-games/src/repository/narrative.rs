//! Descriptions of steps for the notes of a state.

use crate::AnyPosition;

/// Returns sentences that describe the effects of a move or chance; empty for most moves, which
/// need no description.
pub fn narrate(before: &AnyPosition, text: &str, after: &AnyPosition) -> Vec<String> {
    let kind = before.kind();
    match kind.repository() {
        Some(own) => own.narrate(before, text, after),
        None if kind.is_narrated() => before.narrate(text).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Returns the number of turns a move took: one, or more in games with decisions that move nothing,
/// such as those about a cube. The turn is therefore never behind the number of moves, and equal to
/// it only while every turn has exactly one move.
pub fn turns(before: &AnyPosition, text: &str, after: &AnyPosition) -> u64 {
    let own = before.kind().repository();
    own.map_or(1, |own| own.turns(before, text, after))
}
