//! Sorted lists and tallies of tables and accounts, for admins.

use sea_orm::sea_query::{Expr, Order};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryOrder, QuerySelect};

use crate::entity::{table, user};
use crate::read::{row_of, select, signed};
use crate::users::filtered;
use crate::{ListFilter, RowStatus, Store, StoreError, TableRow, UnknownStatus, User, UserFilter};

/// Column that a list of tables is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableSort {
    /// The id, which follows the time of creation.
    #[default]
    Id,
    /// The key of the game.
    Game,
    /// The status, and the result of those with the same.
    Status,
    /// The label of the seat on turn.
    Turn,
    /// The time of creation.
    Created,
    /// The time of the last event.
    Updated,
}

impl TableSort {
    fn columns(self) -> &'static [table::Column] {
        use table::Column;
        match self {
            Self::Id => &[],
            Self::Game => &[Column::Game],
            Self::Status => &[Column::Status, Column::Result],
            Self::Turn => &[Column::Turn],
            Self::Created => &[Column::CreatedAt],
            Self::Updated => &[Column::UpdatedAt],
        }
    }
}

/// Part of a sorted list. Rows that are equal in its column are sorted by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListSlice<S> {
    /// Column that the list is sorted by.
    pub sort: S,
    /// True for the smallest value first.
    pub ascending: bool,
    /// Number of rows before it.
    pub offset: u64,
    /// Maximum number of rows.
    pub limit: u64,
}

impl<S> ListSlice<S> {
    fn order(&self) -> Order {
        match self.ascending {
            true => Order::Asc,
            false => Order::Desc,
        }
    }
}

impl Store {
    /// Returns a part of the sorted list of tables that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn sorted_tables(
        &self,
        filter: &ListFilter,
        slice: &ListSlice<TableSort>,
    ) -> Result<Vec<TableRow>, StoreError> {
        let mut sorted = select(filter, self.reads().get_database_backend());
        for column in slice.sort.columns() {
            sorted = sorted.order_by(*column, slice.order());
        }
        let found = sorted
            .order_by(table::Column::Id, slice.order())
            .offset(signed(slice.offset) as u64)
            .limit(signed(slice.limit) as u64)
            .into_partial_model::<table::Public>()
            .all(self.reads())
            .await?;
        found.into_iter().map(row_of).collect()
    }
}
