//! Ratings of the members at a table in a few letters: now, or before and after its game.

use maud::{Markup, html};

use super::player::change as change_of;
use crate::ratings::PlayerRating;

/// Returns the number that is shown for a rating: "1500", or "1500?" if it is provisional.
pub(super) fn number(rated: &PlayerRating) -> String {
    let guess = if rated.provisional { "?" } else { "" };
    format!("{}{guess}", rounded(rated.rating))
}

/// Formats a rating in a few letters: "1662? (+162)" after the game.
fn text(rated: &PlayerRating) -> String {
    match before(rated) {
        None => number(rated),
        Some(before) => format!(
            "{} ({})",
            number(rated),
            change_of(rounded(rated.rating) - before)
        ),
    }
}

/// Returns the rating before the game, once it has been counted.
fn before(rated: &PlayerRating) -> Option<i32> {
    Some(rounded(rated.rating - rated.change?))
}

/// Rounds a rating for display.
pub(super) fn rounded(rating: f64) -> i32 {
    rating.round() as i32
}

/// Renders the rating before and after the game.
pub(super) fn change(rated: &PlayerRating) -> Markup {
    html! { span.rating { @if let Some(before) = before(rated) { (before) " → " } (text(rated)) } }
}

/// Renders the rating next to a name.
pub(super) fn beside(rated: Option<&PlayerRating>) -> Markup {
    let Some(rated) = rated else { return html! {} };
    let (meaning, words) = if rated.provisional {
        ("Provisional rating", "provisional rating ")
    } else {
        ("Rating", "rated ")
    };
    html! { span.rating title=(meaning) { span.hidden { (words) } (text(rated)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_shows_what_the_game_changed_and_whether_it_is_provisional() {
        let said = |rating, change, provisional| {
            text(&PlayerRating {
                rating,
                deviation: 100.0,
                provisional,
                elo: 1_000,
                change,
            })
        };
        assert_eq!(said(1_500.4, None, true), "1500?");
        assert_eq!(said(1_516.0, Some(16.0), false), "1516 (+16)");
        assert_eq!(said(1_484.0, Some(-16.0), true), "1484? (−16)");
        assert_eq!(said(1_500.4, Some(0.2), false), "1500 (±0)");
    }
}
