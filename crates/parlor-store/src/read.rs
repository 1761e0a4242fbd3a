//! Queries for tables: rows, events, lists.

use std::ops::RangeInclusive;

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Select,
};
use serde_json::Value;

use crate::connections::Connections;
use crate::entity::{event, player, table, user};
use crate::search::{contains, has_digits, has_name};
use crate::{
    ListFilter, ListPage, PlayerRole, RowStatus, StoreError, StoredEvent, StoredTable, TableRow,
    TableSearch, options,
};

pub(crate) async fn load(db: &Connections, id: i64) -> Result<Option<StoredTable>, StoreError> {
    let Some(model) = table::Entity::find_by_id(id).one(db).await? else {
        return Ok(None);
    };
    let secret = model.secret.clone();
    let row = row_of(model.into())?;
    // Events are only ever appended: those up to the row's version were written with it.
    let events = event::Entity::find()
        .filter(event::Column::TableId.eq(id))
        .filter(event::Column::Version.lte(row.version as i64))
        .order_by_asc(event::Column::Version)
        .all(db)
        .await?;
    if events.len() as u64 == row.version {
        let events = events.into_iter().map(event_of).collect::<Result<_, _>>()?;
        return Ok(Some(StoredTable {
            row,
            secret,
            events,
        }));
    }
    if table::Entity::find_by_id(id).one(db).await?.is_none() {
        return Ok(None); // Deleted between the two queries.
    }
    Err(StoreError::Corrupt {
        id,
        reason: format!("{} events at version {}", events.len(), row.version),
    })
}

pub(crate) async fn row(db: &Connections, id: i64) -> Result<Option<TableRow>, StoreError> {
    let found = table::Entity::find_by_id(id)
        .into_partial_model::<table::Public>()
        .one(db)
        .await?;
    found.map(row_of).transpose()
}

pub(crate) async fn events(
    db: &Connections,
    id: i64,
    after: u64,
    limit: u64,
) -> Result<Vec<StoredEvent>, StoreError> {
    let found = event::Entity::find()
        .filter(event::Column::TableId.eq(id))
        .filter(event::Column::Version.gt(signed(after)))
        .order_by_asc(event::Column::Version)
        .limit(signed(limit) as u64)
        .all(db)
        .await?;
    if found.is_empty() && table::Entity::find_by_id(id).count(db).await? == 0 {
        return Err(StoreError::NotFound);
    }
    found.into_iter().map(event_of).collect()
}

pub(crate) async fn list(
    db: &Connections,
    filter: &ListFilter,
    page: &ListPage,
) -> Result<Vec<TableRow>, StoreError> {
    let mut select = select(filter, db.get_database_backend())
        .order_by_desc(table::Column::Id)
        .limit(signed(page.limit) as u64);
    if let Some(before) = page.before {
        select = select.filter(table::Column::Id.lt(before));
    }
    select
        .into_partial_model::<table::Public>()
        .all(db)
        .await?
        .into_iter()
        .map(row_of)
        .collect()
}

pub(crate) async fn count(db: &Connections, filter: &ListFilter) -> Result<u64, StoreError> {
    let backend = db.get_database_backend();
    Ok(select(filter, backend).count(db).await?)
}

pub(crate) async fn due(db: &Connections, now: i64, limit: u64) -> Result<Vec<i64>, StoreError> {
    let select = table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(
            table::Column::Status.is_in([RowStatus::Open.as_str(), RowStatus::Playing.as_str()]),
        )
        .filter(table::Column::DueAt.lte(now))
        .order_by_asc(table::Column::DueAt)
        .limit(signed(limit) as u64);
    Ok(select.into_tuple().all(db).await?)
}

/// Returns the query for the tables that match the filter.
pub(crate) fn select(filter: &ListFilter, backend: DbBackend) -> Select<table::Entity> {
    let mut select = table::Entity::find();
    if let Some(game) = &filter.game {
        select = select.filter(table::Column::Game.eq(game));
    }
    if !filter.statuses.is_empty() {
        select = select.filter(
            table::Column::Status.is_in(filter.statuses.iter().map(|status| status.as_str())),
        );
    }
    if filter.listed_only {
        select = select.filter(table::Column::Listed.eq(true));
    }
    if let Some(turn) = &filter.turn {
        select = select.filter(table::Column::Turn.eq(turn));
    }
    if let Some(result) = &filter.result {
        select = select.filter(table::Column::Result.eq(result));
    }
    if let Some(from) = filter.created_from {
        select = select.filter(table::Column::CreatedAt.gte(from));
    }
    if let Some(before) = filter.created_before {
        select = select.filter(table::Column::CreatedAt.lt(before));
    }
    if let Some(options) = &filter.options {
        select = select.filter(table::Column::OptionsHash.eq(options::hash(options)));
    }
    if !filter.ids.is_empty() {
        select = select.filter(in_ranges(&filter.ids));
    }
    if let Some(search) = &filter.search {
        select = select.filter(found_by(search, backend));
    }
    select
}

fn in_ranges(ranges: &[RangeInclusive<i64>]) -> Condition {
    ranges
        .iter()
        .map(|range| table::Column::Id.between(*range.start(), *range.end()))
        .fold(Condition::any(), Condition::add)
}

/// Returns the condition that a search finds a table.
fn found_by(search: &TableSearch, backend: DbBackend) -> Condition {
    let text = &search.text;
    let named = user::Entity::find()
        .select_only()
        .column(user::Column::Id)
        .filter(contains(user::Column::Folded, text))
        .into_query();
    let seated = player::Entity::find()
        .select_only()
        .column(player::Column::TableId)
        .filter(player::Column::Role.eq(PlayerRole::Seated.as_str()))
        .filter(player::Column::UserId.in_subquery(named))
        .into_query();
    let mut found = Condition::any()
        .add(table::Column::Id.in_subquery(seated))
        .add(has_name(table::Column::Seats, text));
    if let Some(digits) = has_digits(table::Column::Id, text, backend) {
        found = found.add(digits);
    }
    if !search.ids.is_empty() {
        found = found.add(in_ranges(&search.ids));
    }
    found
}

/// Converts to the signed integers of databases, saturating.
pub(crate) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

pub(crate) fn row_of(row: table::Public) -> Result<TableRow, StoreError> {
    let corrupt = |reason: String| StoreError::Corrupt { id: row.id, reason };
    let json = |name: &str, text: &str| -> Result<Value, StoreError> {
        serde_json::from_str(text).map_err(|e| corrupt(format!("{name} is not valid JSON: {e}")))
    };
    Ok(TableRow {
        id: row.id,
        status: row
            .status
            .parse()
            .map_err(|e: crate::UnknownStatus| corrupt(e.to_string()))?,
        listed: row.listed,
        version: row.version as u64,
        seats: json("seats", &row.seats)?,
        options: json("options", &row.options)?,
        summary: row
            .summary
            .as_deref()
            .map(|text| json("summary", text))
            .transpose()?,
        created_at: row.created_at,
        updated_at: row.updated_at,
        due_at: row.due_at,
        turn: row.turn,
        result: row.result,
        rated: row.rated,
        game: row.game,
    })
}

fn event_of(event: event::Model) -> Result<StoredEvent, StoreError> {
    let body = serde_json::from_str(&event.body).map_err(|e| StoreError::Corrupt {
        id: event.table_id,
        reason: format!("event {} is not valid JSON: {e}", event.version),
    })?;
    Ok(StoredEvent {
        version: event.version as u64,
        at: event.at,
        body,
    })
}
