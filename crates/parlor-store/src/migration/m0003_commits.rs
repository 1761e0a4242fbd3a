//! Git commits that players pushed to their tables.

use sea_orm::sea_query::{ColumnDef, ForeignKey, ForeignKeyAction, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create, id};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    schema.execute(&commits(schema.backend())).await
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
