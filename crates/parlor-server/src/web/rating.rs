//! What the members at a table are rated: now, or before and after the game that was played at it.

use maud::{Markup, html};
use parlor_store::{RatingChange, Standing, StoreError};
use parlor_table::{TableId, UserId};

use crate::AppState;

/// How a member stands in the table's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rated {
    /// The rating, before the table's game when that has been counted.
    elo: i32,
    /// The rating after the table's game.
    after: Option<i32>,
    /// Whether it is still a guess.
    provisional: bool,
}

/// How the people in these seats stand; nothing for who has no account, and for all when the store does not answer.
pub(super) async fn of(
    state: &AppState,
    game: &str,
    table: TableId,
    seats: &[Option<UserId>],
) -> Vec<Option<Rated>> {
    match look(state, game, table, seats).await {
        Ok(rated) => rated,
        Err(error) => {
            tracing::warn!(%error, %table, "the players' ratings could not be read");
            vec![None; seats.len()]
        }
    }
}

async fn look(
    state: &AppState,
    game: &str,
    table: TableId,
    seats: &[Option<UserId>],
) -> Result<Vec<Option<Rated>>, StoreError> {
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
        *place = Some(Rated::new(&standing, change));
    }
    Ok(rated)
}

/// How an account stands, at first by the level that it declares.
async fn standing(state: &AppState, game: &str, user: i64) -> Result<Option<Standing>, StoreError> {
    if let Some(rating) = state.store().rating(user, game).await? {
        return Ok(Some(rating.standing));
    }
    Ok(state
        .store()
        .user(user)
        .await?
        .map(|user| Standing::start(user.level)))
}

fn signed(id: u64) -> i64 {
    i64::try_from(id).expect("ids are below 2^53")
}

impl Rated {
    fn new(now: &Standing, change: Option<&RatingChange>) -> Rated {
        let provisional = now.glicko.provisional();
        match change {
            Some(change) => Rated {
                elo: change.elo_before,
                after: Some(change.elo_after),
                provisional,
            },
            None => Rated {
                elo: now.elo,
                after: None,
                provisional,
            },
        }
    }

    /// Whether the table's game has been counted.
    pub(super) fn is_changed(&self) -> bool {
        self.after.is_some()
    }

    /// "1016", "1016?" while it is a guess, "1000 → 1016 (+16)" after the game.
    fn text(self) -> String {
        let guess = if self.provisional { "?" } else { "" };
        match self.after {
            None => format!("{}{guess}", self.elo),
            Some(after) => format!("{} → {after}{guess} ({:+})", self.elo, after - self.elo),
        }
    }
}

/// The rating beside a name.
pub(super) fn beside(rated: Option<&Rated>) -> Markup {
    let Some(rated) = rated else { return html! {} };
    let meaning = if rated.provisional {
        "Rating, still a guess"
    } else {
        "Rating"
    };
    html! { span.rating title=(meaning) { span.hidden { "rated " } (rated.text()) } " · " }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_tells_what_the_game_changed_and_whether_it_is_a_guess() {
        let said = |elo, after, provisional| {
            Rated {
                elo,
                after,
                provisional,
            }
            .text()
        };
        assert_eq!(said(1_000, None, true), "1000?");
        assert_eq!(said(1_000, Some(1_016), false), "1000 → 1016 (+16)");
        assert_eq!(said(1_000, Some(984), true), "1000 → 984? (-16)");
        assert_eq!(said(1_000, Some(1_000), false), "1000 → 1000 (+0)");
    }
}
