//! Which accounts are at which tables.

use std::fmt;
use std::str::FromStr;

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::{player, table};
use crate::read::{row_of, signed};
use crate::{Page, Row, Status, Store, StoreError};

/// What an account has to do with a table; the better place comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// It has a seat.
    Seated,
    /// It is asked to take one.
    Invited,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 2] = [Self::Seated, Self::Invited];

    /// The word that is stored: `seated` or `invited`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seated => "seated",
            Self::Invited => "invited",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is no [`Role`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no role: seated or invited")]
pub struct UnknownRole(pub String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == s)
            .ok_or_else(|| UnknownRole(s.to_owned()))
    }
}

/// Which of an account's tables are meant; the default means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerFilter {
    /// Only tables in one of these; empty means any.
    pub statuses: Vec<Status>,
    /// Only with one of these roles; empty means any.
    pub roles: Vec<Role>,
}

impl Store {
    /// The tables that an account sits at or is asked to, newest (highest id) first, one page of them.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn tables_of(
        &self,
        user: i64,
        filter: &PlayerFilter,
        page: &Page,
    ) -> Result<Vec<(Row, Role)>, StoreError> {
        // The table's id in both: each database finds the rows by the account and has them in order.
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

    /// The accounts at a table, by their ids; none when there is no such table.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn players(&self, table: i64) -> Result<Vec<(i64, Role)>, StoreError> {
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

fn role_of(player: &player::Model) -> Result<Role, StoreError> {
    let corrupt = |e: UnknownRole| StoreError::Corrupt {
        id: player.table_id,
        reason: e.to_string(),
    };
    player.role.parse().map_err(corrupt)
}
