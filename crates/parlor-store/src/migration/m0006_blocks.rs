//! Members whom accounts have blocked, and those from whom they take challenges. Processes of the
//! previous release know neither, and may go on creating accounts.

use sea_orm::sea_query::{ColumnDef, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let from = &mut ColumnDef::new("challenges_from").string_len(16).take();
    schema.add_column("users", "challenges_from", from).await?;
    schema.execute(&blocks(schema.backend())).await
}

fn blocks(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("account_blocks", backend);
    table
        .col(ColumnDef::new("user_id").big_integer().not_null())
        .col(ColumnDef::new("blocked_id").big_integer().not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .primary_key(Index::create().col("user_id").col("blocked_id"));
    table
}
