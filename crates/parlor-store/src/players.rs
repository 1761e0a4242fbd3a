//! Accounts at tables.

use std::fmt;
use std::str::FromStr;

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::{player, table};
use crate::read::{row_of, signed};
use crate::{ListPage, RowStatus, Store, StoreError, TableRow};

/// Role of an account at a table; the better role comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlayerRole {
    /// The account has a seat.
    Seated,
    /// The account is invited to take a seat.
    Invited,
}

impl PlayerRole {
    /// All roles.
    pub const ALL: [Self; 2] = [Self::Seated, Self::Invited];

    /// Returns the stored word: `seated` or `invited`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seated => "seated",
            Self::Invited => "invited",
        }
    }
}

impl fmt::Display for PlayerRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Error of parsing a [`PlayerRole`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a role: expected seated or invited")]
pub struct UnknownRole(pub String);

impl FromStr for PlayerRole {
    type Err = UnknownRole;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == s)
            .ok_or_else(|| UnknownRole(s.to_owned()))
    }
}

/// Filter for an account's tables; the default matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerFilter {
    /// Only tables with one of these statuses; empty matches any.
    pub statuses: Vec<RowStatus>,
    /// Only tables where the account has one of these roles; empty matches any.
    pub roles: Vec<PlayerRole>,
}

impl Store {
    /// Returns one page of the tables where an account is seated or invited, newest (highest id)
    /// first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn tables_of(
        &self,
        user: i64,
        filter: &PlayerFilter,
        page: &ListPage,
    ) -> Result<Vec<(TableRow, PlayerRole)>, StoreError> {
        // Filtering and ordering by the player row's table id lets every database read the rows
        // from the account's index in order.
        let mut select = player::Entity::find()
            .find_both_related(table::Entity)
            .filter(player::Column::UserId.eq(user))
            .order_by_desc(player::Column::TableId)
            .limit(signed(page.limit) as u64);
        if !filter.statuses.is_empty() {
            select = select.filter(
                table::Column::Status.is_in(filter.statuses.iter().map(|status| status.as_str())),
            );
        }
        if !filter.roles.is_empty() {
            select = select
                .filter(player::Column::Role.is_in(filter.roles.iter().map(|role| role.as_str())));
        }
        if let Some(before) = page.before {
            select = select.filter(player::Column::TableId.lt(before));
        }
        let found = select.all(self.reads()).await?;
        found
            .into_iter()
            .map(|(player, table)| Ok((row_of(table.into())?, role_of(&player)?)))
            .collect()
    }

    /// Returns the accounts at a table, ordered by id; empty if there is no such table.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn players(&self, table: i64) -> Result<Vec<(i64, PlayerRole)>, StoreError> {
        let select = player::Entity::find().filter(player::Column::TableId.eq(table));
        let found = select
            .order_by_asc(player::Column::UserId)
            .all(self.reads())
            .await?;
        found
            .iter()
            .map(|player| Ok((player.user_id, role_of(player)?)))
            .collect()
    }
}

fn role_of(player: &player::Model) -> Result<PlayerRole, StoreError> {
    let corrupt = |e: UnknownRole| StoreError::Corrupt {
        id: player.table_id,
        reason: e.to_string(),
    };
    player.role.parse().map_err(corrupt)
}
