//! The processes that serve the database, the times at which none did, the people that are there at
//! each, those who wait for an opponent, the logs of accounts, and quotas. Processes of the previous release are not among them.

use sea_orm::sea_query::{ColumnDef, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create, id, long_text};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    schema.execute(&nodes(schema.backend())).await?;
    schema.execute(&outages(schema.backend())).await?;
    schema.execute(&presence(schema.backend())).await?;
    schema.execute(&queue(schema.backend())).await?;
    schema.execute(&counters(schema.backend())).await?;
    schema.execute(&log(schema.backend())).await?;
    schema.execute(&quotas(schema.backend())).await
}

fn nodes(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("server_nodes", backend);
    table
        .col(id("id", backend).not_null().primary_key())
        .col(ColumnDef::new("started_at").big_integer().not_null())
        .col(ColumnDef::new("beat_at").big_integer().not_null())
        .col(ColumnDef::new("stopped").boolean().not_null());
    table
}

fn outages(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("outages", backend);
    table
        .col(id("began_at", backend).not_null().primary_key())
        .col(ColumnDef::new("ended_at").big_integer().not_null());
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

fn queue(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("queue", backend);
    table
        .col(id("ticket", backend).not_null().primary_key())
        .col(ColumnDef::new("node").big_integer().not_null())
        .col(ColumnDef::new("terms").string_len(2000).not_null())
        .col(ColumnDef::new("player").string_len(2000).not_null())
        .col(ColumnDef::new("rating").integer().not_null())
        .col(ColumnDef::new("most").big_integer().not_null())
        .col(ColumnDef::new("since").big_integer().not_null())
        .col(ColumnDef::new("seen_at").big_integer().not_null())
        .col(ColumnDef::new("pairing").big_integer())
        .col(ColumnDef::new("paired_at").big_integer())
        .col(ColumnDef::new("seat").integer().not_null())
        .col(ColumnDef::new("accepted").boolean().not_null())
        .col(ColumnDef::new("made").boolean().not_null());
    table
}

fn counters(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("account_counters", backend);
    table
        .col(id("user_id", backend).not_null().primary_key())
        .col(ColumnDef::new("n").big_integer().not_null());
    table
}

fn log(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("account_log", backend);
    table
        .col(ColumnDef::new("user_id").big_integer().not_null())
        .col(ColumnDef::new("n").big_integer().not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(long_text("body", backend).not_null())
        .primary_key(Index::create().col("user_id").col("n"));
    table
}

fn quotas(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("quotas", backend);
    table
        .col(id("id", backend).not_null().primary_key())
        .col(ColumnDef::new("full_at").big_integer().not_null());
    table
}
