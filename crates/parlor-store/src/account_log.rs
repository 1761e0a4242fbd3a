//! The numbered log of each account: what must reach its owner, in order, whatever is cut.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Set,
};
use serde_json::Value;

use crate::entity::{counter, note};
use crate::statement::{chunks, padded_ids};
use crate::transaction::Transaction;
use crate::{Store, StoreError};

/// Number of the latest notes of an account that are kept, at least.
pub const KEPT_NOTES: u64 = 2_000;
/// Number of notes after which older ones are deleted.
const PRUNE_EVERY: i64 = 200;

/// A note in an account's log.
#[derive(Debug, Clone, PartialEq)]
pub struct AccountNote {
    /// Number of the note: one more than that of the note before.
    pub n: u64,
    /// Time of what happened, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Description of what happened, as the application writes it.
    pub body: Value,
}

/// A note to be written.
#[derive(Debug)]
pub(crate) struct NewNote {
    pub user: i64,
    pub at: i64,
    pub body: String,
}

/// Writes notes. Their numbers follow the order in which transactions are committed, because the
/// accounts' counters are locked until then.
pub(crate) async fn write_notes(
    transaction: &Transaction,
    notes: Vec<&NewNote>,
) -> Result<(), DbErr> {
    // In the order of accounts, so that two processes never deadlock.
    let mut by_user: BTreeMap<i64, Vec<&NewNote>> = BTreeMap::new();
    for note in notes {
        by_user.entry(note.user).or_default().push(note);
    }
    if by_user.is_empty() {
        return Ok(());
    }
    let ends = count(transaction, &by_user).await?;
    let mut rows = Vec::new();
    for (user, notes) in &by_user {
        let end = ends.get(user).copied().unwrap_or_default();
        let first = end - notes.len() as i64 + 1;
        rows.extend((first..).zip(notes).map(|(n, new)| note::ActiveModel {
            user_id: Set(*user),
            n: Set(n),
            at: Set(new.at),
            body: Set(new.body.clone()),
        }));
        if end % PRUNE_EVERY < notes.len() as i64 {
            note::Entity::delete_many()
                .filter(note::Column::UserId.eq(*user))
                .filter(note::Column::N.lte(end - KEPT_NOTES as i64))
                .exec(transaction)
                .await?;
        }
    }
    for rows in chunks(rows, |_| 0) {
        note::Entity::insert_many(rows)
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// Locks the logs of these accounts until the transaction ends.
pub(crate) async fn lock_logs(
    transaction: &Transaction,
    users: BTreeSet<i64>,
) -> Result<(), DbErr> {
    let nothing = users.into_iter().map(|user| (user, Vec::new())).collect();
    count(transaction, &nothing).await?;
    Ok(())
}

/// Counts the notes of these accounts and returns the number of the last one of each.
async fn count(
    transaction: &Transaction,
    notes: &BTreeMap<i64, Vec<&NewNote>>,
) -> Result<BTreeMap<i64, i64>, DbErr> {
    use counter::Column::{N, UserId};
    let more = match transaction.get_database_backend() {
        DbBackend::MySql => "VALUES(n)",
        _ => "excluded.n",
    };
    let sum = Expr::col((counter::Entity, N)).add(Expr::cust(more));
    let add = OnConflict::column(UserId).value(N, sum).to_owned();
    let counts: Vec<_> = notes
        .iter()
        .map(|(user, notes)| (*user, notes.len()))
        .collect();
    for counts in chunks(counts, |_| 0) {
        let mut insert = Query::insert();
        insert.into_table(counter::Entity).columns([UserId, N]);
        for (user, count) in counts {
            insert.values_panic([Expr::from(user), (count as i64).into()]);
        }
        transaction.execute(insert.on_conflict(add.clone())).await?;
    }
    let users = padded_ids(notes.keys().copied().collect());
    let ends = counter::Entity::find().filter(UserId.is_in(users));
    let ends = ends.all(transaction).await?;
    Ok(ends.into_iter().map(|row| (row.user_id, row.n)).collect())
}

impl Store {
    /// Returns at most `limit` notes of an account after the one numbered `after`, in order. At
    /// least the latest [`KEPT_NOTES`] exist.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn account_log(
        &self,
        user: i64,
        after: u64,
        limit: u64,
    ) -> Result<Vec<AccountNote>, StoreError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let found = note::Entity::find()
            .filter(note::Column::UserId.eq(user))
            .filter(note::Column::N.gt(after))
            .order_by_asc(note::Column::N)
            .limit(limit)
            .all(self.reads())
            .await?;
        let note = |row: note::Model| {
            let body = serde_json::from_str(&row.body).map_err(|e| StoreError::Corrupt {
                id: row.user_id,
                reason: format!("note {}: {e}", row.n),
            })?;
            Ok(AccountNote {
                n: row.n.unsigned_abs(),
                at: row.at,
                body,
            })
        };
        found.into_iter().map(note).collect()
    }

    /// Returns the number of the last note of each of these accounts that has any.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn last_notes(&self, users: &[i64]) -> Result<Vec<(i64, u64)>, StoreError> {
        let mut ends = Vec::new();
        for users in users.chunks(1_000) {
            let found = counter::Entity::find()
                .filter(counter::Column::UserId.is_in(padded_ids(users.to_vec())))
                .all(self.reads())
                .await?;
            ends.extend(
                found
                    .into_iter()
                    .map(|row| (row.user_id, row.n.unsigned_abs())),
            );
        }
        Ok(ends)
    }
}
