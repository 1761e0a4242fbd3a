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

/// Column that a list of accounts is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UserSort {
    /// The id, which follows the time of creation.
    #[default]
    Id,
    /// The name, ignoring case.
    Name,
    /// The kind of account, and admin rights of those of the same.
    Kind,
    /// The time of creation.
    Created,
}

impl UserSort {
    fn columns(self) -> &'static [user::Column] {
        use user::Column;
        match self {
            Self::Id => &[],
            Self::Name => &[Column::Folded],
            Self::Kind => &[Column::Kind, Column::Admin],
            Self::Created => &[Column::CreatedAt],
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
    /// Returns the direction of the order.
    pub(crate) fn order(&self) -> Order {
        match self.ascending {
            true => Order::Asc,
            false => Order::Desc,
        }
    }

    /// Limits a query that is sorted by a column to the slice.
    pub(crate) fn cut<Q: QueryOrder + QuerySelect>(&self, sorted: Q, id: impl ColumnTrait) -> Q {
        sorted
            .order_by(id, self.order())
            .offset(signed(self.offset) as u64)
            .limit(signed(self.limit) as u64)
    }
}

/// Number of tables that are equal in what lists are filtered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableTally {
    /// Key of the game.
    pub game: String,
    /// Status.
    pub status: RowStatus,
    /// Result; `None` before the end.
    pub result: Option<String>,
    /// Label of the seat on turn.
    pub turn: Option<String>,
    /// Index of the first given time at or after which they were created; the number of times for older ones.
    pub age: usize,
    /// Number of tables.
    pub count: u64,
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
        let found = slice
            .cut(sorted, table::Column::Id)
            .into_partial_model::<table::Public>()
            .all(self.reads())
            .await?;
        found.into_iter().map(row_of).collect()
    }

    /// Counts the tables that match the filter by game, status, result, seat on turn, and by the times
    /// since which they were created, in milliseconds since the Unix epoch, latest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn tally_tables(
        &self,
        filter: &ListFilter,
        since: &[i64],
    ) -> Result<Vec<TableTally>, StoreError> {
        use table::Column::{Game, Id, Result as Outcome, Status, Turn};
        let age = age(since);
        let found = select(filter, self.reads().get_database_backend())
            .select_only()
            .columns([Game, Status, Outcome, Turn])
            .expr_as(age.clone(), "age")
            .column_as(Id.count(), "tables")
            .group_by(Game)
            .group_by(Status)
            .group_by(Outcome)
            .group_by(Turn)
            .group_by(age)
            .into_tuple::<TallyRow>()
            .all(self.reads())
            .await?;
        found
            .into_iter()
            .map(|row| tally(row, since.len()))
            .collect()
    }

    /// Returns a part of the sorted list of accounts that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn sorted_users(
        &self,
        filter: &UserFilter,
        slice: &ListSlice<UserSort>,
    ) -> Result<Vec<User>, StoreError> {
        let mut sorted = filtered(filter, self.reads().get_database_backend());
        for column in slice.sort.columns() {
            sorted = sorted.order_by(*column, slice.order());
        }
        let sorted = slice.cut(sorted, user::Column::Id);
        let found = sorted.all(self.reads()).await?;
        found.into_iter().map(User::try_from).collect()
    }
}

/// Game, status, result, seat on turn, age and number of tables.
type TallyRow = (String, String, Option<String>, Option<String>, i32, i64);

/// Reads one row of a tally by `times` times.
fn tally(row: TallyRow, times: usize) -> Result<TableTally, StoreError> {
    let (game, status, result, turn, age, count) = row;
    let unknown = |error: UnknownStatus| StoreError::Corrupt {
        id: 0,
        reason: error.to_string(),
    };
    Ok(TableTally {
        game,
        status: status.parse().map_err(unknown)?,
        result,
        turn,
        age: usize::try_from(age).unwrap_or(times),
        count: count.unsigned_abs(),
    })
}

/// Expression for the index of the first time at or after which a table was created. The numbers are part
/// of its text: PostgreSQL takes two expressions with parameters for different ones.
fn age(since: &[i64]) -> Expr {
    let mut cases = String::from("CASE WHEN created_at IS NULL THEN -1");
    for (index, time) in since.iter().enumerate() {
        cases.push_str(&format!(" WHEN created_at >= {time} THEN {index}"));
    }
    Expr::cust(format!("{cases} ELSE {} END", since.len()))
}
