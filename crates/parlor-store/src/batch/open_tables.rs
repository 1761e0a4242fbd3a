//! Limits to the open tables that somebody keeps with one invited account.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::sea_query::Query;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter};

use super::{TableChange, TableCreation, WriteResult};
use crate::account_log::lock_logs;
use crate::entity::{player, table};
use crate::transaction::Transaction;
use crate::{PlayerRole, RowStatus, StoreError};

/// Numbers of open tables, by the invited and the seated account.
///
/// They are counted while the logs of the invited accounts are locked, so that changes made at once,
/// by any process, cannot pass a limit together.
#[derive(Debug, Default)]
pub(super) struct OpenTables(BTreeMap<(i64, i64), u64>);

impl OpenTables {
    /// Counts the open tables that limit these changes.
    pub async fn count(
        transaction: &Transaction,
        changes: &[&TableChange],
    ) -> Result<OpenTables, DbErr> {
        let limited = changes.iter().filter_map(|change| match change {
            TableChange::Create(creation) if creation.most_open.is_some() => Some(creation),
            _ => None,
        });
        let pairs: BTreeSet<(i64, i64)> = limited.flat_map(|creation| pairs(creation)).collect();
        if pairs.is_empty() {
            return Ok(OpenTables::default());
        }
        let invited = pairs.iter().map(|(invited, _)| *invited).collect();
        lock_logs(transaction, invited).await?;
        let mut counts = BTreeMap::new();
        for (invited, seated) in pairs {
            use player::Column::{Role, TableId, UserId};
            let theirs = Query::select()
                .column(TableId)
                .from(player::Entity)
                .and_where(UserId.eq(seated))
                .and_where(Role.eq(PlayerRole::Seated.as_str()))
                .to_owned();
            let open = player::Entity::find()
                .inner_join(table::Entity)
                .filter(UserId.eq(invited))
                .filter(Role.eq(PlayerRole::Invited.as_str()))
                .filter(table::Column::Status.eq(RowStatus::Open.as_str()))
                .filter(TableId.in_subquery(theirs));
            counts.insert((invited, seated), open.count(transaction).await?);
        }
        Ok(OpenTables(counts))
    }

    /// Counts a table that is created.
    ///
    /// # Errors
    /// [`StoreError::TooManyOpen`] if it would be one too many; then it is not counted.
    pub fn add(&mut self, creation: &TableCreation) -> WriteResult {
        let Some(most) = creation.most_open else {
            return Ok(());
        };
        let count = |pair: &(i64, i64)| self.0.get(pair).copied().unwrap_or_default();
        if pairs(creation).any(|pair| count(&pair) >= most) {
            return Err(StoreError::TooManyOpen { most });
        }
        for pair in pairs(creation) {
            *self.0.entry(pair).or_default() += 1;
        }
        Ok(())
    }
}

/// Returns each invited account of a new table with each seated one.
fn pairs(creation: &TableCreation) -> impl Iterator<Item = (i64, i64)> {
    let in_role = |role: PlayerRole| {
        let players = creation.players.iter();
        players.filter(move |player| player.role == role.as_str())
    };
    in_role(PlayerRole::Invited).flat_map(move |invited| {
        in_role(PlayerRole::Seated).map(|seated| (invited.user_id, seated.user_id))
    })
}
