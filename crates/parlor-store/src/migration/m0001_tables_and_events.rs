//! Game tables and their events.

use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

use super::schema::{add_index, create, id, long_text};

#[derive(DeriveMigrationName)]
pub(super) struct TablesAndEvents;

#[allow(
    elided_lifetimes_in_paths,
    reason = "the trait is declared this way, and async_trait compares literally"
)]
#[async_trait::async_trait]
impl MigrationTrait for TablesAndEvents {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        manager.create_table(tables(backend)).await?;
        manager.create_table(events(backend)).await?;
        add_index(
            manager,
            "game_tables",
            "game_tables_status_id",
            &["status", "id"],
        )
        .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_table(Table::drop().table("table_events").if_exists().to_owned())
            .await?;
        manager
            .drop_table(Table::drop().table("game_tables").if_exists().to_owned())
            .await
    }
}

fn tables(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("game_tables", backend);
    table
        .col(id("id", backend).primary_key())
        .col(ColumnDef::new("game").string_len(64).not_null())
        .col(ColumnDef::new("status").string_len(16).not_null())
        .col(ColumnDef::new("listed").boolean().not_null())
        .col(ColumnDef::new("version").big_integer().not_null())
        .col(long_text("seats", backend).not_null())
        .col(long_text("options", backend).not_null())
        .col(ColumnDef::new("secret").blob())
        .col(long_text("summary", backend))
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("updated_at").big_integer().not_null());
    table
}

fn events(backend: DbBackend) -> TableCreateStatement {
    let mut owner = ForeignKey::create();
    owner
        .name("table_events_table")
        .from("table_events", "table_id")
        .to("game_tables", "id");
    let mut table = create("table_events", backend);
    table
        .col(id("table_id", backend).not_null())
        .col(ColumnDef::new("version").big_integer().not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(long_text("body", backend).not_null())
        .primary_key(Index::create().col("table_id").col("version"))
        .foreign_key(owner.on_delete(ForeignKeyAction::Cascade));
    table
}
