//! Git commits that players pushed to their tables.

use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

use super::schema::{create, id};

#[derive(DeriveMigrationName)]
pub(super) struct TableCommits;

#[allow(
    elided_lifetimes_in_paths,
    reason = "the trait is declared this way, and async_trait compares literally"
)]
#[async_trait::async_trait]
impl MigrationTrait for TableCommits {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(commits(manager.get_database_backend()))
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_table(Table::drop().table("table_commits").if_exists().to_owned())
            .await
    }
}

fn commits(backend: DbBackend) -> TableCreateStatement {
    let mut owner = ForeignKey::create();
    owner
        .name("table_commits_table")
        .from("table_commits", "table_id")
        .to("game_tables", "id");
    let mut table = create("table_commits", backend);
    table
        .col(id("table_id", backend).not_null())
        .col(ColumnDef::new("id").string_len(64).not_null())
        .col(ColumnDef::new("version").big_integer().not_null())
        .col(ColumnDef::new("body").blob().not_null())
        .col(ColumnDef::new("name").string_len(64).not_null())
        .col(ColumnDef::new("file").blob().not_null())
        .primary_key(Index::create().col("table_id").col("id"))
        .foreign_key(owner.on_delete(ForeignKeyAction::Cascade));
    table
}
