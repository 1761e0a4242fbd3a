//! What the steps of the schema are written with.

use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

/// A table that may be there already, from a step that broke half-way.
pub(super) fn create(name: &'static str, backend: DbBackend) -> TableCreateStatement {
    let mut table = Table::create();
    table.table(name).if_not_exists();
    if backend == DbBackend::MySql {
        // Whatever the server's default is: all of Unicode, and `a` is not `A`.
        table
            .engine("InnoDB")
            .character_set("utf8mb4")
            .collate("utf8mb4_bin");
    }
    table
}

/// SQLite stores a row under its id, without a second index, only when the type is called INTEGER.
pub(super) fn id(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    if backend == DbBackend::Sqlite {
        column.integer()
    } else {
        column.big_integer()
    };
    column
}

/// Text without a limit that matters; MySQL's plain `text` ends at 64 kB.
pub(super) fn long_text(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    if backend == DbBackend::MySql {
        column.custom("longtext")
    } else {
        column.text()
    };
    column
}

/// Adds an index unless it is there. MySQL knows no CREATE INDEX IF NOT EXISTS, and a step that broke half-way must be
/// repeatable there.
pub(super) async fn add_index(
    manager: &SchemaManager<'_>,
    table: &'static str,
    name: &'static str,
    columns: &[&'static str],
) -> Result<(), DbErr> {
    if manager.has_index(table, name).await? {
        return Ok(());
    }
    let mut index = Index::create();
    index.name(name).table(table);
    for column in columns {
        index.col(*column);
    }
    manager.create_index(index).await
}

/// Adds a column unless it is there.
pub(super) async fn add_column(
    manager: &SchemaManager<'_>,
    table: &'static str,
    name: &'static str,
    column: &mut ColumnDef,
) -> Result<(), DbErr> {
    if manager.has_column(table, name).await? {
        return Ok(());
    }
    manager
        .alter_table(Table::alter().table(table).add_column(column).to_owned())
        .await
}
