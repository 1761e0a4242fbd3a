//! Results: what games that end in a batch do to the standings of those who played.

use std::collections::{BTreeMap, BTreeSet};

use parlor_ratings::{Score, Standing, settle};
use sea_orm::sea_query::{LockType, OnConflict};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect,
};

use crate::entity::{change, rating, user};
use crate::ratings::{row_of, standing_of};
use crate::statement::{padded, portions};
use crate::users::level_of;

/// The result of a game, for the accounts that played it.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// The game's key, under which standings are kept.
    pub game: String,
    /// Whether the ratings change. They do only when exactly two accounts played, one against the other; otherwise wins,
    /// losses and draws are counted and nothing else.
    pub rated: bool,
    /// The accounts that played and what each got out of it. An account that is named twice has played against itself,
    /// which counts for nothing.
    pub players: Vec<(i64, Score)>,
}

impl Settlement {
    /// Those who played against somebody else.
    fn played(&self) -> impl Iterator<Item = (i64, Score)> {
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
pub(crate) struct Ended<'c> {
    pub table: i64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    pub settlement: &'c Settlement,
}

/// Counts the results, in their order, as if each had come alone.
pub(crate) async fn settle_all(
    transaction: &DatabaseTransaction,
    ended: &[Ended<'_>],
) -> Result<(), DbErr> {
    if ended.is_empty() {
        return Ok(());
    }
    let mut settled = settled(transaction, ended).await?;
    let mut games: BTreeMap<&str, Vec<&Ended<'_>>> = BTreeMap::new();
    for end in ended.iter().filter(|end| settled.insert(end.table)) {
        games.entry(&end.settlement.game).or_default().push(end);
    }
    // The rows are locked game by game and account by account, by every process in the same order.
    for (game, ended) in games {
        let users = ended
            .iter()
            .flat_map(|end| end.settlement.played())
            .map(|(user, _)| user)
            .collect();
        let mut standings = lock(transaction, game, &users).await?;
        let changes: Vec<_> = ended
            .iter()
            .flat_map(|end| count(end, &mut standings))
            .collect();
        write(transaction, standings, changes).await?;
    }
    Ok(())
}

/// The tables that have had their result counted. The version of a table protects it from a second end; this protects
/// it from whoever deletes a table and makes it again.
async fn settled(
    transaction: &DatabaseTransaction,
    ended: &[Ended<'_>],
) -> Result<BTreeSet<i64>, DbErr> {
    let tables = padded(ended.iter().map(|end| end.table).collect());
    let found = change::Entity::find().filter(change::Column::TableId.is_in(tables));
    let found = found
        .select_only()
        .column(change::Column::TableId)
        .into_tuple()
        .all(transaction)
        .await?;
    Ok(found.into_iter().collect())
}

/// Reads the standings of these accounts and holds them until the transaction ends. Those who play for the first time
/// get a row first, so that there is something to hold.
async fn lock(
    transaction: &DatabaseTransaction,
    game: &str,
    users: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, rating::Model>, DbErr> {
    let of_users = |users: Vec<i64>| {
        let theirs = rating::Column::UserId.is_in(padded(users));
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
        begin(transaction, game, new).await?;
    }
    let select = of_users(users.iter().copied().collect()).order_by_asc(rating::Column::UserId);
    let rows = select.lock(LockType::Update).all(transaction).await?;
    Ok(rows.into_iter().map(|row| (row.user_id, row)).collect())
}

/// Gives these accounts their first standing in a game, unless somebody else does so at the same moment.
async fn begin(
    transaction: &DatabaseTransaction,
    game: &str,
    users: Vec<i64>,
) -> Result<(), DbErr> {
    use rating::Column::{Game, UserId};
    let levels = user::Entity::find().filter(user::Column::Id.is_in(padded(users.clone())));
    let levels = levels
        .select_only()
        .columns([user::Column::Id, user::Column::Level])
        .into_tuple();
    let levels: BTreeMap<i64, Option<String>> =
        levels.all(transaction).await?.into_iter().collect();
    let first = |id: i64| {
        let level = levels.get(&id).and_then(Option::as_deref);
        row_of(game, id, &Standing::start(level_of(level)), 0)
    };
    for users in portions(users, |_| 0) {
        let rows = users.into_iter().map(|id| first(id).into_active_model());
        // MySQL must be told what to do instead of nothing.
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

/// Counts one result in the standings, and says what it changed.
fn count(ended: &Ended<'_>, standings: &mut BTreeMap<i64, rating::Model>) -> Vec<change::Model> {
    let Settlement { game, rated, .. } = ended.settlement;
    let standing = |(user, score)| {
        let row = standings
            .get(&user)
            .expect("every account that played has a standing by now");
        (user, score, standing_of(row))
    };
    let before: Vec<_> = ended.settlement.played().map(standing).collect();
    let (rated, after) = match before[..] {
        [(_, first, a), (_, second, b)] if *rated && second == first.reversed() => {
            (true, settle([a, b], first, true).to_vec())
        }
        _ => (
            false,
            before
                .iter()
                .map(|(_, score, standing)| standing.counted(*score))
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
            glicko_before: before.glicko.rating,
            glicko_after: after.glicko.rating,
            deviation_after: after.glicko.deviation,
            opponent: None,
        });
    }
    if let [first, second] = &mut changes[..] {
        (first.opponent, second.opponent) = (Some(second.user_id), Some(first.user_id));
    }
    changes
}

async fn write(
    transaction: &DatabaseTransaction,
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
    for rows in portions(standings.into_values().collect(), |_| 0) {
        let rows = rows.into_iter().map(IntoActiveModel::into_active_model);
        rating::Entity::insert_many(rows)
            .on_conflict(replace.clone())
            .exec_without_returning(transaction)
            .await?;
    }
    for rows in portions(changes, |_| 0) {
        let rows = rows.into_iter().map(IntoActiveModel::into_active_model);
        change::Entity::insert_many(rows)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}
