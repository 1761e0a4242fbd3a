//! Tables for the lobby.

use std::cmp::Reverse;
use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};

use crate::entity::{person, table};
use crate::statement::chunks;
use crate::{RowStatus, Store, StoreError};

/// Maximum number of seats that some hundred people are told to have.
const MAX_ATTENDED: u64 = 2_000;

/// Maximum number of tables of which those that changed last are told.
const MAX_ACTIVE: u64 = 1_000;

/// Filter for the tables that the lobby shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LobbyFilter {
    /// Only tables with this status.
    pub status: RowStatus,
    /// Only tables of this game.
    pub game: Option<String>,
}

impl LobbyFilter {
    fn condition(&self) -> Condition {
        let game = self.game.as_ref();
        Condition::all()
            .add(table::Column::Status.eq(self.status.as_str()))
            .add(table::Column::InLobby.eq(true))
            .add(table::Column::Listed.eq(true))
            .add_option(game.map(|game| table::Column::Game.eq(game)))
    }
}

/// A table at which a person is seated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttendedTable {
    /// Number of the person.
    pub person: i64,
    /// Id of the table.
    pub table: i64,
    /// Time of the table's last event, in milliseconds since the Unix epoch.
    pub updated_at: i64,
}

impl Store {
    /// Returns the tables in the lobby at which these people are seated, each with each of them. Of very many
    /// tables, the newest are returned.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn attended_tables(
        &self,
        filter: &LobbyFilter,
        people: &[i64],
    ) -> Result<Vec<AttendedTable>, StoreError> {
        let mut attended = Vec::new();
        for people in chunks(people.to_vec(), |_| 0) {
            let seats = person::Entity::find()
                .filter(person::Column::Person.is_in(people))
                .order_by_desc(person::Column::TableId)
                .limit(MAX_ATTENDED)
                .all(self.reads())
                .await?;
            let tables = seats.iter().map(|seat| seat.table_id).collect();
            let times = self.times_of(filter, tables).await?;
            attended.extend(seats.into_iter().filter_map(|seat| {
                Some(AttendedTable {
                    person: seat.person,
                    table: seat.table_id,
                    updated_at: *times.get(&seat.table_id)?,
                })
            }));
        }
        Ok(attended)
    }

    /// Returns the times of the last events of those of these tables that match the filter. A join would
    /// let databases begin with all open tables, of which strangers may have made thousands.
    async fn times_of(
        &self,
        filter: &LobbyFilter,
        mut tables: Vec<i64>,
    ) -> Result<HashMap<i64, i64>, StoreError> {
        tables.sort_unstable();
        tables.dedup();
        let mut times = HashMap::new();
        for tables in chunks(tables, |_| 0) {
            let found = table::Entity::find()
                .select_only()
                .column(table::Column::Id)
                .column(table::Column::UpdatedAt)
                .filter(table::Column::Id.is_in(tables))
                .filter(filter.condition())
                .into_tuple::<(i64, i64)>()
                .all(self.reads())
                .await?;
            times.extend(found);
        }
        Ok(times)
    }

    /// Returns the ids of the newest tables in the lobby, up to 1,000, those that changed last first. Tables
    /// for which no timer runs are left out if nothing has happened there since `awake_since`, in
    /// milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn active_tables(
        &self,
        filter: &LobbyFilter,
        awake_since: i64,
    ) -> Result<Vec<i64>, StoreError> {
        let is_awake = Condition::any()
            .add(table::Column::DueAt.is_not_null())
            .add(table::Column::UpdatedAt.gte(awake_since));
        // An index by the time of the last event would change with each move.
        let mut found = table::Entity::find()
            .select_only()
            .column(table::Column::Id)
            .column(table::Column::UpdatedAt)
            .filter(filter.condition())
            .filter(is_awake)
            .order_by_desc(table::Column::Id)
            .limit(MAX_ACTIVE)
            .into_tuple::<(i64, i64)>()
            .all(self.reads())
            .await?;
        found.sort_by_key(|&(id, updated_at)| Reverse((updated_at, id)));
        Ok(found.into_iter().map(|(id, _)| id).collect())
    }

    /// Returns the number of open tables that a client has created; see
    /// [`NewStoredTable::made_from`](crate::NewStoredTable::made_from).
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn open_tables_from(&self, client: i64) -> Result<u64, StoreError> {
        let open = table::Entity::find()
            .filter(table::Column::MadeFrom.eq(client))
            .filter(table::Column::Status.eq(RowStatus::Open.as_str()));
        Ok(open.count(self.reads()).await?)
    }
}
