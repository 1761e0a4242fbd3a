//! Steps in sentences, for the messages of a state.

use crate::AnyPosition;

/// Returns sentences on what a move or a chance did. Most moves speak for themselves and have none.
pub fn narrate(before: &AnyPosition, text: &str, after: &AnyPosition) -> Vec<String> {
    let kind = before.kind();
    match kind.repository() {
        Some(own) => own.narrate(before, text, after),
        None if kind.is_narrated() => before.narrate(text).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Returns the number of turns a move took: one, or more in games with decisions that move nothing,
/// such as that about a cube. So the turn is never behind the number of moves, and only level with
/// it as long as the players take turns in the plainest way.
pub fn turns(before: &AnyPosition, text: &str, after: &AnyPosition) -> u64 {
    let own = before.kind().repository();
    own.map_or(1, |own| own.turns(before, text, after))
}
