//! Game tables and their events.

use sea_orm::sea_query::{ColumnDef, ForeignKey, ForeignKeyAction, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create, id, long_text};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let backend = schema.backend();
    schema.execute(&tables(backend)).await?;
    schema.execute(&events(backend)).await?;
    let columns = ["status", "id"];
    schema
        .add_index("game_tables", "game_tables_status_id", &columns)
        .await
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
