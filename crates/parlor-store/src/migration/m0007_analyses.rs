//! Analyses of finished games, which processes leave to each other while one works. Processes of the
//! previous release keep their own to themselves.

use sea_orm::sea_query::{ColumnDef, ForeignKey, ForeignKeyAction, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create, id, long_text};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    schema.execute(&analyses(schema.backend())).await?;
    schema
        .add_index("analyses", "analyses_lease", &["lease_until"])
        .await
}

fn analyses(backend: DbBackend) -> TableCreateStatement {
    let mut owner = ForeignKey::create();
    owner
        .name("analyses_table")
        .from("analyses", "table_id")
        .to("game_tables", "id");
    let mut table = create("analyses", backend);
    table
        .col(id("table_id", backend).not_null())
        .col(ColumnDef::new("steps").big_integer().not_null())
        .col(ColumnDef::new("node").big_integer().not_null())
        .col(ColumnDef::new("lease_until").big_integer().not_null())
        .col(ColumnDef::new("done").big_integer().not_null())
        .col(long_text("result", backend))
        .primary_key(Index::create().col("table_id").col("steps"))
        .foreign_key(owner.on_delete(ForeignKeyAction::Cascade));
    table
}
