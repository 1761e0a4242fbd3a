//! What is told of a step in sentences.

use crate::{AnyPosition, backgammon};

/// What a move, or a chance, did: sentences for the messages of a state. Most moves speak for themselves.
pub fn told(before: &AnyPosition, text: &str, after: &AnyPosition) -> Vec<String> {
    match (before, after) {
        (AnyPosition::Backgammon(before), AnyPosition::Backgammon(after)) => {
            backgammon::repository::told(before, text, after)
        }
        _ if before.kind().is_told() => before.told(text).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// How many turns a move took: one, but decisions that move nothing, such as that about a cube, take one more, and so does the
/// beginning of another game of a match. So the turn is never behind the number of moves, and only level with it as long as the
/// players take turns in the plainest way.
pub fn turns(before: &AnyPosition, text: &str, after: &AnyPosition) -> u64 {
    match (before, after) {
        (AnyPosition::Backgammon(before), AnyPosition::Backgammon(after)) => {
            backgammon::repository::turns(before, text, after)
        }
        _ => 1,
    }
}
