//! Building blocks of migrations.

use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

/// Creates a table unless it exists, because a migration may have been interrupted.
pub(super) fn create(name: &'static str, backend: DbBackend) -> TableCreateStatement {
    let mut table = Table::create();
    table.table(name).if_not_exists();
    if backend == DbBackend::MySql {
        // Independent of the server's default: all of Unicode, and case-sensitive.
        table
            .engine("InnoDB")
            .character_set("utf8mb4")
            .collate("utf8mb4_bin");
    }
    table
}

/// Column type of an integer primary key. SQLite stores rows under their id, without a second
/// index, only if the type is called INTEGER.
pub(super) fn id(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    if backend == DbBackend::Sqlite {
        column.integer()
    } else {
        column.big_integer()
    };
    column
}

/// Text of practically unlimited length; MySQL's plain `text` ends at 64 kB.
pub(super) fn long_text(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    if backend == DbBackend::MySql {
        column.custom("longtext")
    } else {
        column.text()
    };
    column
}

/// Adds an index unless it exists. MySQL has no CREATE INDEX IF NOT EXISTS, and an interrupted
/// migration must be repeatable there.
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

/// Adds a column unless it exists.
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
