//! Ratings and their history.
//!
//! Ratings are kept by keys: the name of a game, such as `mnk`, or with a variant or a pace after it, as in
//! `mnk:15x15x5@blitz`. Those of a variant or pace begin with the account's ratings in the game itself.

use std::collections::{BTreeSet, HashMap, HashSet};

use parlor_ratings::{Glicko, Score, Standing};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::{change, rating, table, user};
use crate::read::signed;
use crate::statement::{chunks, padded_ids};
use crate::users::levels_of;
use crate::{Store, StoreError, User, UserKind};

/// Rating and record of an account under one key.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// Id of the account.
    pub user_id: i64,
    /// Key of the ratings.
    pub game: String,
    /// Ratings, and numbers of games played, rated or not.
    pub standing: Standing,
    /// Time at which its last game ended, in milliseconds since the Unix epoch.
    pub updated_at: i64,
}

/// Entry of a leaderboard.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedAccount {
    /// Name of the account.
    pub name: String,
    /// Kind of account.
    pub kind: UserKind,
    /// Id of the account that a bot belongs to.
    pub owner: Option<i64>,
    /// Rating of the account.
    pub rating: Rating,
}

/// Change of one account's rating by one game.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingChange {
    /// Id of the table, which may have been deleted since.
    pub table_id: i64,
    /// Id of the account.
    pub user_id: i64,
    /// Id of the opponent, in games of two.
    pub opponent: Option<i64>,
    /// Key of the game.
    pub game: String,
    /// Time at which the game ended, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Score of the account in the game.
    pub score: Score,
    /// True if the game changed ratings.
    pub rated: bool,
    /// Elo rating before the game.
    pub elo_before: i32,
    /// Elo rating after the game.
    pub elo_after: i32,
    /// Glicko-2 rating before the game.
    pub glicko_before: f64,
    /// Glicko-2 rating after the game.
    pub glicko_after: f64,
    /// Glicko-2 deviation after the game.
    pub deviation_after: f64,
}

impl Store {
    /// Returns an account's rating in a game; `None` before its first game.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn rating(&self, user: i64, game: &str) -> Result<Option<Rating>, StoreError> {
        let found = rating::Entity::find_by_id((game.to_owned(), user))
            .one(self.reads())
            .await?;
        Ok(found.map(Rating::from))
    }

    /// Returns an account's standing under a key, or the one with which it begins there; `None` if there
    /// is no such account.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn standing(&self, user: i64, key: &str) -> Result<Option<Standing>, StoreError> {
        let wanted = [(user, key.to_owned())];
        Ok(self.standings(&wanted).await?.into_values().next())
    }

    /// Returns the standings of accounts under keys, or those with which they begin there, in as many
    /// queries as that of one takes. Accounts that do not exist are missing.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn standings(
        &self,
        wanted: &[(i64, String)],
    ) -> Result<HashMap<(i64, String), Standing>, StoreError> {
        let known = self.ratings_under(wanted).await?;
        let mut standings = HashMap::new();
        let mut newcomers = Vec::new();
        for (user, key) in wanted {
            let place = (*user, key.clone());
            let in_game = || known.get(&(*user, game_of(key)?.to_owned()));
            let begun = known.get(&place).copied();
            match begun.or_else(|| in_game().map(Standing::elsewhere)) {
                Some(standing) => {
                    standings.insert(place, standing);
                }
                None => newcomers.push(place),
            }
        }
        let users = newcomers.iter().map(|(user, _)| *user).collect();
        let levels = levels_of(self.reads(), users).await?;
        standings.extend(newcomers.into_iter().filter_map(|place| {
            let level = levels.get(&place.0)?;
            Some((place, Standing::new(*level)))
        }));
        Ok(standings)
    }

    /// Returns the stored standings of accounts under these keys, and in the games to which the keys belong.
    async fn ratings_under(
        &self,
        wanted: &[(i64, String)],
    ) -> Result<HashMap<(i64, String), Standing>, StoreError> {
        let keys = wanted
            .iter()
            .flat_map(|(_, key)| [Some(&**key), game_of(key)]);
        let keys = padded_ids(keys.flatten().map(str::to_owned).collect());
        let users: BTreeSet<i64> = wanted.iter().map(|(user, _)| *user).collect();
        let mut known = HashMap::new();
        for users in chunks(users.into_iter().collect(), |_| 0) {
            let found = rating::Entity::find()
                .filter(rating::Column::UserId.is_in(users))
                .filter(rating::Column::Game.is_in(keys.clone()))
                .all(self.reads())
                .await?;
            let standing = |row: rating::Model| {
                let standing = standing_of(&row);
                ((row.user_id, row.game), standing)
            };
            known.extend(found.into_iter().map(standing));
        }
        Ok(known)
    }

    /// Returns an account's ratings in all games it has played, ordered by game key.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn ratings_of(&self, user: i64) -> Result<Vec<Rating>, StoreError> {
        let select = rating::Entity::find().filter(rating::Column::UserId.eq(user));
        let found = select
            .order_by_asc(rating::Column::Game)
            .all(self.reads())
            .await?;
        Ok(found.into_iter().map(Rating::from).collect())
    }

    /// Returns the ratings of accounts in all games they have played, ordered by account and game key.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn ratings_of_all(&self, users: &[i64]) -> Result<Vec<Rating>, StoreError> {
        let found = rating::Entity::find()
            .filter(rating::Column::UserId.is_in(padded_ids(users.to_vec())))
            .order_by_asc(rating::Column::UserId)
            .order_by_asc(rating::Column::Game)
            .all(self.reads())
            .await?;
        Ok(found.into_iter().map(Rating::from).collect())
    }

    /// Returns the leaderboard of a game, ordered by Glicko-2 rating and then by case-folded name: at most
    /// `limit` entries after the given rating and name. Banned accounts, and those without a rated
    /// game, are left out.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn leaderboard(
        &self,
        game: &str,
        limit: u64,
        after: Option<(f64, &str)>,
    ) -> Result<Vec<RankedAccount>, StoreError> {
        let mut select = rating::Entity::find()
            .find_both_related(user::Entity)
            .filter(rating::Column::Game.eq(game))
            .filter(rating::Column::Deviation.lt(Glicko::default().deviation()))
            .filter(user::Column::BannedAt.is_null())
            .order_by_desc(rating::Column::Glicko)
            .order_by_asc(user::Column::Folded)
            .limit(signed(limit) as u64);
        if let Some((value, name)) = after {
            let equal = Condition::all()
                .add(rating::Column::Glicko.eq(value))
                .add(user::Column::Folded.gt(name.to_ascii_lowercase()));
            // Redundant condition that lets the database start reading at the right index entry.
            select = select.filter(rating::Column::Glicko.lte(value));
            let lower = rating::Column::Glicko.lt(value);
            select = select.filter(Condition::any().add(lower).add(equal));
        }
        let ranked = |(rating, user): (rating::Model, user::Model)| {
            let User {
                name, kind, owner, ..
            } = user.try_into()?;
            Ok(RankedAccount {
                name,
                kind,
                owner,
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

    /// Returns the rating changes of an account's most recent rated games: at most `limit`, oldest
    /// first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
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

    /// Returns those of these tables that are publicly listed.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn listed_among(&self, tables: &[i64]) -> Result<HashSet<i64>, StoreError> {
        let mut listed = HashSet::new();
        for ids in chunks(tables.to_vec(), |_| 0) {
            let found = table::Entity::find()
                .select_only()
                .column(table::Column::Id)
                .filter(table::Column::Id.is_in(ids))
                .filter(table::Column::Listed.eq(true))
                .into_tuple::<i64>()
                .all(self.reads())
                .await?;
            listed.extend(found);
        }
        Ok(listed)
    }

    /// Returns the rating changes made by the game at a table, ordered by account; empty before its
    /// end.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn changes_of_table(&self, table: i64) -> Result<Vec<RatingChange>, StoreError> {
        self.changes_of_tables(&[table]).await
    }

    /// Returns the rating changes made by the games at these tables; those of one table are ordered by
    /// account.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn changes_of_tables(&self, tables: &[i64]) -> Result<Vec<RatingChange>, StoreError> {
        let mut changes = Vec::new();
        for tables in chunks(tables.to_vec(), |_| 0) {
            let found = change::Entity::find()
                .filter(change::Column::TableId.is_in(tables))
                .order_by_asc(change::Column::TableId)
                .order_by_asc(change::Column::UserId)
                .all(self.reads())
                .await?;
            changes.extend(found);
        }
        changes.into_iter().map(RatingChange::try_from).collect()
    }
}

/// Returns the key of the game to which the key of a variant or pace belongs; `None` for that of a game.
pub(crate) fn game_of(key: &str) -> Option<&str> {
    let (game, _) = key.split_once([':', '@'])?;
    Some(game)
}

/// Returns the standing stored in a row. Numbers out of range, which Parlor has not written, become the
/// nearest valid ones, so that a bad row does not keep the results of others from being counted.
pub(crate) fn standing_of(row: &rating::Model) -> Standing {
    Standing {
        elo: row.elo,
        glicko: Glicko::nearest(row.glicko, row.deviation, row.volatility),
        wins: row.wins.unsigned_abs(),
        losses: row.losses.unsigned_abs(),
        draws: row.draws.unsigned_abs(),
    }
}

/// Returns the row that stores a standing.
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
        glicko: standing.glicko.rating(),
        deviation: standing.glicko.deviation(),
        volatility: standing.glicko.volatility(),
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
