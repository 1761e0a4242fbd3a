//! Ratings of the members at a table: now, or before and after its game.

use maud::{Markup, html};
use parlor_store::{RatingChange, Standing, StoreError};
use parlor_table::{TableId, UserId};

use super::player::change as change_of;
use crate::AppState;

/// A member's rating in the table's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeatRating {
    /// Elo rating; the one before the table's game if that has been counted.
    elo: i32,
    /// Elo rating after the table's game, once counted.
    after: Option<i32>,
    /// True if the rating is provisional.
    provisional: bool,
}

/// Loads the ratings of the players in these seats: `None` for players without an account, and for
/// everyone if the store fails.
pub(super) async fn load(
    state: &AppState,
    game: &str,
    table: TableId,
    seats: &[Option<UserId>],
) -> Vec<Option<SeatRating>> {
    match read(state, game, table, seats).await {
        Ok(rated) => rated,
        Err(error) => {
            tracing::warn!(%error, %table, "the players' ratings could not be read");
            vec![None; seats.len()]
        }
    }
}

async fn read(
    state: &AppState,
    game: &str,
    table: TableId,
    seats: &[Option<UserId>],
) -> Result<Vec<Option<SeatRating>>, StoreError> {
    let mut rated = vec![None; seats.len()];
    if seats.iter().all(Option::is_none) {
        return Ok(rated);
    }
    let changes = state
        .store()
        .changes_of_table(signed(table.number()))
        .await?;
    for (place, user) in rated.iter_mut().zip(seats) {
        let Some(user) = user.map(|user| signed(user.number())) else {
            continue;
        };
        let Some(standing) = standing(state, game, user).await? else {
            continue;
        };
        let change = changes
            .iter()
            .find(|change| change.user_id == user && change.rated);
        *place = Some(SeatRating::new(&standing, change));
    }
    Ok(rated)
}

/// Returns an account's standing, which starts from its declared level.
async fn standing(state: &AppState, game: &str, user: i64) -> Result<Option<Standing>, StoreError> {
    if let Some(rating) = state.store().rating(user, game).await? {
        return Ok(Some(rating.standing));
    }
    Ok(state
        .store()
        .user(user)
        .await?
        .map(|user| Standing::new(user.level)))
}

fn signed(id: u64) -> i64 {
    i64::try_from(id).expect("ids are below 2^53")
}

impl SeatRating {
    fn new(now: &Standing, change: Option<&RatingChange>) -> SeatRating {
        let provisional = now.glicko.is_provisional();
        match change {
            Some(change) => SeatRating {
                elo: change.elo_before,
                after: Some(change.elo_after),
                provisional,
            },
            None => SeatRating {
                elo: now.elo,
                after: None,
                provisional,
            },
        }
    }

    /// True if the table's game has been counted.
    pub(super) fn is_changed(&self) -> bool {
        self.after.is_some()
    }

    /// Formats the rating in a few letters: "1016", "1016?" if provisional, "1016 (+16)" after the
    /// game.
    fn text(self) -> String {
        let guess = if self.provisional { "?" } else { "" };
        match self.after {
            None => format!("{}{guess}", self.elo),
            Some(after) => format!("{after}{guess} ({})", change_of(after - self.elo)),
        }
    }
}

/// Renders the rating before and after the game.
pub(super) fn change(rated: &SeatRating) -> Markup {
    html! { span.rating { @if rated.is_changed() { (rated.elo) " → " } (rated.text()) } }
}

/// Renders the rating next to a name.
pub(super) fn beside(rated: Option<&SeatRating>) -> Markup {
    let Some(rated) = rated else { return html! {} };
    let meaning = if rated.provisional {
        "Provisional rating"
    } else {
        "Rating"
    };
    html! { span.rating title=(meaning) { span.hidden { "rated " } (rated.text()) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_shows_what_the_game_changed_and_whether_it_is_provisional() {
        let said = |elo, after, provisional| {
            SeatRating {
                elo,
                after,
                provisional,
            }
            .text()
        };
        assert_eq!(said(1_000, None, true), "1000?");
        assert_eq!(said(1_000, Some(1_016), false), "1016 (+16)");
        assert_eq!(said(1_000, Some(984), true), "984? (−16)");
        assert_eq!(said(1_000, Some(1_000), false), "1000 (±0)");
    }
}
