//! Counting of results in the ratings and records of players.

use std::collections::{BTreeMap, BTreeSet};

use parlor_ratings::{Score, Standing, standings_after};
use sea_orm::sea_query::{LockType, OnConflict};
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
};

use crate::entity::{change, rating};
use crate::ratings::{game_of, row_of, standing_of};
use crate::statement::{chunks, padded_ids};
use crate::transaction::Transaction;
use crate::users::levels_of;

/// Scores of the accounts that played a game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameScores {
    /// Key under which ratings are stored: that of the game, or of its variant and pace.
    pub game: String,
    /// True if ratings may change. They change only if exactly two accounts played against each
    /// other; otherwise only wins, losses and draws are counted.
    pub rated: bool,
    /// Accounts that played, with their scores. An account named twice played against itself and is
    /// not counted.
    pub players: Vec<(i64, Score)>,
}

impl GameScores {
    /// Returns the accounts that did not play against themselves, with their scores.
    fn participants(&self) -> impl Iterator<Item = (i64, Score)> {
        let once = |user: i64| {
            self.players
                .iter()
                .filter(|(other, _)| *other == user)
                .count()
                == 1
        };
        self.players
            .iter()
            .copied()
            .filter(move |(user, _)| once(*user))
    }
}

/// A game that ends in a batch.
#[derive(Debug)]
pub(crate) struct EndedGame<'c> {
    pub table: i64,
    /// Time of the end, in milliseconds since the Unix epoch.
    pub at: i64,
    pub scores: &'c GameScores,
}

/// Counts the results in order, as if each were written alone.
pub(crate) async fn count_results(
    transaction: &Transaction,
    ended: &[EndedGame<'_>],
) -> Result<(), DbErr> {
    if ended.is_empty() {
        return Ok(());
    }
    let mut counted = counted_tables(transaction, ended).await?;
    let mut games: BTreeMap<&str, Vec<&EndedGame<'_>>> = BTreeMap::new();
    for end in ended.iter().filter(|end| counted.insert(end.table)) {
        games.entry(&end.scores.game).or_default().push(end);
    }
    // Rows are locked by game and then by account, in the same order in every process.
    for (game, ended) in games {
        let users = ended
            .iter()
            .flat_map(|end| end.scores.participants())
            .map(|(user, _)| user)
            .collect();
        let mut standings = lock(transaction, game, &users).await?;
        let changes: Vec<_> = ended
            .iter()
            .flat_map(|end| count_result(end, &mut standings))
            .collect();
        write(transaction, standings, changes).await?;
    }
    Ok(())
}

/// Returns the tables whose result was counted already. A table's version prevents counting a
/// second end; this prevents counting the end of a table that was deleted and created again.
async fn counted_tables(
    transaction: &Transaction,
    ended: &[EndedGame<'_>],
) -> Result<BTreeSet<i64>, DbErr> {
    let tables = padded_ids(ended.iter().map(|end| end.table).collect());
    let found = change::Entity::find().filter(change::Column::TableId.is_in(tables));
    let found = found
        .select_only()
        .column(change::Column::TableId)
        .into_tuple()
        .all(transaction)
        .await?;
    Ok(found.into_iter().collect())
}

/// Reads the ratings of these accounts and locks them until the transaction ends. Accounts that
/// play for the first time get a row first, so that there is something to lock.
async fn lock(
    transaction: &Transaction,
    game: &str,
    users: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, rating::Model>, DbErr> {
    let of_users = |users: Vec<i64>| {
        let theirs = rating::Column::UserId.is_in(padded_ids(users));
        rating::Entity::find()
            .filter(rating::Column::Game.eq(game))
            .filter(theirs)
    };
    let known = of_users(users.iter().copied().collect())
        .select_only()
        .column(rating::Column::UserId);
    let known: Vec<i64> = known.into_tuple().all(transaction).await?;
    let known = BTreeSet::from_iter(known);
    let new: Vec<i64> = users.difference(&known).copied().collect();
    if !new.is_empty() {
        insert_first_ratings(transaction, game, new).await?;
    }
    let select = of_users(users.iter().copied().collect()).order_by_asc(rating::Column::UserId);
    let rows = select.lock(LockType::Update).all(transaction).await?;
    Ok(rows.into_iter().map(|row| (row.user_id, row)).collect())
}

/// Inserts the initial ratings of these accounts in a game, unless another process does so
/// concurrently.
async fn insert_first_ratings(
    transaction: &Transaction,
    game: &str,
    users: Vec<i64>,
) -> Result<(), DbErr> {
    use rating::Column::{Game, UserId};
    let levels = levels_of(transaction, users.clone()).await?;
    let known = standings_in_game(transaction, game, &users).await?;
    let first = |id: i64| {
        let level = levels.get(&id).copied().unwrap_or_default();
        let standing = known
            .get(&id)
            .map_or_else(|| Standing::new(level), Standing::elsewhere);
        row_of(game, id, &standing, 0)
    };
    for users in chunks(users, |_| 0) {
        let rows = users.into_iter().map(|id| first(id).into_active_model());
        // MySQL needs an explicit alternative to doing nothing.
        let unless_there = OnConflict::columns([Game, UserId])
            .do_nothing_on([Game, UserId])
            .to_owned();
        rating::Entity::insert_many(rows)
            .on_conflict(unless_there)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// Returns the standings of these accounts in the game to which the key of a variant or pace belongs.
async fn standings_in_game(
    transaction: &Transaction,
    key: &str,
    users: &[i64],
) -> Result<BTreeMap<i64, Standing>, DbErr> {
    let Some(game) = game_of(key) else {
        return Ok(BTreeMap::new());
    };
    let rows = rating::Entity::find()
        .filter(rating::Column::Game.eq(game))
        .filter(rating::Column::UserId.is_in(padded_ids(users.to_vec())))
        .all(transaction)
        .await?;
    let standing = |row: rating::Model| (row.user_id, standing_of(&row));
    Ok(rows.into_iter().map(standing).collect())
}

/// Counts one result in the standings and returns the changes.
fn count_result(
    ended: &EndedGame<'_>,
    standings: &mut BTreeMap<i64, rating::Model>,
) -> Vec<change::Model> {
    let GameScores { game, rated, .. } = ended.scores;
    let standing = |(user, score)| {
        let row = standings.get(&user).expect("every participant has a row");
        (user, score, standing_of(row))
    };
    let before: Vec<_> = ended.scores.participants().map(standing).collect();
    let (rated, after) = match before[..] {
        [(_, first, a), (_, second, b)] if *rated && second == first.reversed() => {
            (true, standings_after([a, b], first, true).to_vec())
        }
        _ => (
            false,
            before
                .iter()
                .map(|(_, score, standing)| standing.after_unrated(*score))
                .collect(),
        ),
    };
    let mut changes = Vec::with_capacity(before.len());
    for (&(user_id, score, before), after) in before.iter().zip(&after) {
        standings.insert(user_id, row_of(game, user_id, after, ended.at));
        changes.push(change::Model {
            table_id: ended.table,
            user_id,
            game: game.clone(),
            at: ended.at,
            score: score.as_str().to_owned(),
            rated,
            elo_before: before.elo,
            elo_after: after.elo,
            glicko_before: before.glicko.rating(),
            glicko_after: after.glicko.rating(),
            deviation_after: after.glicko.deviation(),
            opponent: None,
        });
    }
    if let [first, second] = &mut changes[..] {
        (first.opponent, second.opponent) = (Some(second.user_id), Some(first.user_id));
    }
    changes
}

async fn write(
    transaction: &Transaction,
    standings: BTreeMap<i64, rating::Model>,
    changes: Vec<change::Model>,
) -> Result<(), DbErr> {
    use rating::Column::{
        Deviation, Draws, Elo, Game, Glicko, Losses, UpdatedAt, UserId, Volatility, Wins,
    };
    let replace = OnConflict::columns([Game, UserId])
        .update_columns([
            Elo, Glicko, Deviation, Volatility, Wins, Losses, Draws, UpdatedAt,
        ])
        .to_owned();
    for rows in chunks(standings.into_values().collect(), |_| 0) {
        let rows = rows.into_iter().map(IntoActiveModel::into_active_model);
        rating::Entity::insert_many(rows)
            .on_conflict(replace.clone())
            .exec_without_returning(transaction)
            .await?;
    }
    for rows in chunks(changes, |_| 0) {
        let rows = rows.into_iter().map(IntoActiveModel::into_active_model);
        change::Entity::insert_many(rows)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}
