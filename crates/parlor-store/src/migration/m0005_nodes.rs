//! The processes that serve the database, and the people that are there at each. Processes of the
//! previous release are not among them.

use sea_orm::sea_query::{ColumnDef, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create, id};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    schema.execute(&nodes(schema.backend())).await?;
    schema.execute(&presence(schema.backend())).await
}

fn nodes(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("server_nodes", backend);
    table
        .col(id("id", backend).not_null().primary_key())
        .col(ColumnDef::new("started_at").big_integer().not_null())
        .col(ColumnDef::new("beat_at").big_integer().not_null());
    table
}

fn presence(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("presence", backend);
    table
        .col(ColumnDef::new("person").big_integer().not_null())
        .col(ColumnDef::new("node").big_integer().not_null())
        .col(ColumnDef::new("is_there").boolean().not_null())
        .col(ColumnDef::new("seen_at").big_integer().not_null())
        .primary_key(Index::create().col("person").col("node"));
    table
}
