//! How accounts stand, and what their games did to that.

use parlor_ratings::{Glicko, Score, Standing};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::{change, rating, user};
use crate::read::signed;
use crate::{Store, StoreError, User, UserKind};

/// How an account stands in a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The account.
    pub user_id: i64,
    /// The game's key.
    pub game: String,
    /// Its ratings, and its games so far, rated or not.
    pub standing: Standing,
    /// When its last game ended, in milliseconds since 1970.
    pub updated_at: i64,
}

/// A place on a leaderboard.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// What the account is called.
    pub name: String,
    /// Who is behind it.
    pub kind: UserKind,
    /// How it stands.
    pub rating: Rating,
}

/// What one game did to the standing of one account.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingChange {
    /// The table the game was played at. It may have been deleted since.
    pub table_id: i64,
    /// The account.
    pub user_id: i64,
    /// The other account, in games of two.
    pub opponent: Option<i64>,
    /// The game's key.
    pub game: String,
    /// When the game ended, in milliseconds since 1970.
    pub at: i64,
    /// What the account got out of it.
    pub score: Score,
    /// Whether the ratings were touched.
    pub rated: bool,
    /// The Elo before the game.
    pub elo_before: i32,
    /// The Elo after it.
    pub elo_after: i32,
    /// The Glicko-2 rating before the game.
    pub glicko_before: f64,
    /// The Glicko-2 rating after it.
    pub glicko_after: f64,
    /// The Glicko-2 deviation after it.
    pub deviation_after: f64,
}

impl Store {
    /// How an account stands in a game; `None` before its first game.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn rating(&self, user: i64, game: &str) -> Result<Option<Rating>, StoreError> {
        let found = rating::Entity::find_by_id((game.to_owned(), user))
            .one(self.reads())
            .await?;
        Ok(found.map(Rating::from))
    }

    /// How an account stands in each game it has played, by the games' keys.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn ratings_of(&self, user: i64) -> Result<Vec<Rating>, StoreError> {
        let select = rating::Entity::find().filter(rating::Column::UserId.eq(user));
        let found = select
            .order_by_asc(rating::Column::Game)
            .all(self.reads())
            .await?;
        Ok(found.into_iter().map(Rating::from).collect())
    }

    /// The best in a game by their Elo, and by their names without case among equals: at most `limit` after the place
    /// of this Elo and name. Who is banned, or has not played a rated game yet, has no place.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn leaderboard(
        &self,
        game: &str,
        limit: u64,
        after: Option<(i32, &str)>,
    ) -> Result<Vec<Ranked>, StoreError> {
        let mut select = rating::Entity::find()
            .find_both_related(user::Entity)
            .filter(rating::Column::Game.eq(game))
            .filter(rating::Column::Deviation.lt(Glicko::default().deviation))
            .filter(user::Column::BannedAt.is_null())
            .order_by_desc(rating::Column::Elo)
            .order_by_asc(user::Column::Folded)
            .limit(signed(limit) as u64);
        if let Some((elo, name)) = after {
            let equal = Condition::all()
                .add(rating::Column::Elo.eq(elo))
                .add(user::Column::Folded.gt(name.to_ascii_lowercase()));
            // Said twice over, so that the database begins reading at the right place.
            select = select.filter(rating::Column::Elo.lte(elo));
            select = select.filter(Condition::any().add(rating::Column::Elo.lt(elo)).add(equal));
        }
        let ranked = |(rating, user): (rating::Model, user::Model)| {
            let User { name, kind, .. } = user.try_into()?;
            Ok(Ranked {
                name,
                kind,
                rating: rating.into(),
            })
        };
        select
            .all(self.reads())
            .await?
            .into_iter()
            .map(ranked)
            .collect()
    }

    /// What the last rated games of an account in a game did to its rating: at most `limit`, the oldest first.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn rating_history(
        &self,
        user: i64,
        game: &str,
        limit: u64,
    ) -> Result<Vec<RatingChange>, StoreError> {
        let select = change::Entity::find()
            .filter(change::Column::UserId.eq(user))
            .filter(change::Column::Game.eq(game))
            .filter(change::Column::Rated.eq(true))
            .order_by_desc(change::Column::At)
            .order_by_desc(change::Column::TableId)
            .limit(signed(limit) as u64);
        select
            .all(self.reads())
            .await?
            .into_iter()
            .rev()
            .map(RatingChange::try_from)
            .collect()
    }

    /// What the game at a table did to those who played it, by account; nothing before its end.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn changes_of_table(&self, table: i64) -> Result<Vec<RatingChange>, StoreError> {
        let select = change::Entity::find().filter(change::Column::TableId.eq(table));
        let found = select
            .order_by_asc(change::Column::UserId)
            .all(self.reads())
            .await?;
        found.into_iter().map(RatingChange::try_from).collect()
    }
}

/// The standing that a row holds.
pub(crate) fn standing_of(row: &rating::Model) -> Standing {
    Standing {
        elo: row.elo,
        glicko: Glicko {
            rating: row.glicko,
            deviation: row.deviation,
            volatility: row.volatility,
        },
        wins: row.wins.unsigned_abs(),
        losses: row.losses.unsigned_abs(),
        draws: row.draws.unsigned_abs(),
    }
}

/// The row that holds a standing.
pub(crate) fn row_of(
    game: &str,
    user_id: i64,
    standing: &Standing,
    updated_at: i64,
) -> rating::Model {
    let count = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    rating::Model {
        game: game.to_owned(),
        user_id,
        elo: standing.elo,
        glicko: standing.glicko.rating,
        deviation: standing.glicko.deviation,
        volatility: standing.glicko.volatility,
        wins: count(standing.wins),
        losses: count(standing.losses),
        draws: count(standing.draws),
        updated_at,
    }
}

impl From<rating::Model> for Rating {
    fn from(row: rating::Model) -> Self {
        let standing = standing_of(&row);
        Self {
            user_id: row.user_id,
            game: row.game,
            standing,
            updated_at: row.updated_at,
        }
    }
}

impl TryFrom<change::Model> for RatingChange {
    type Error = StoreError;

    fn try_from(row: change::Model) -> Result<Self, StoreError> {
        let score = row.score.parse();
        let corrupt = |e: parlor_ratings::UnknownScore| StoreError::Corrupt {
            id: row.table_id,
            reason: e.to_string(),
        };
        Ok(Self {
            table_id: row.table_id,
            user_id: row.user_id,
            opponent: row.opponent,
            score: score.map_err(corrupt)?,
            game: row.game,
            at: row.at,
            rated: row.rated,
            elo_before: row.elo_before,
            elo_after: row.elo_after,
            glicko_before: row.glicko_before,
            glicko_after: row.glicko_after,
            deviation_after: row.deviation_after,
        })
    }
}
