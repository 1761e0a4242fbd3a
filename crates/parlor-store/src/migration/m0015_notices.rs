//! Notices to members who have no page open: what they want to hear of, the addresses that it is sent to,
//! what waits to be sent, and keys of the house. Processes of the previous release know nothing of it.

use sea_orm::sea_query::{ColumnDef, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create, id};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let backend = schema.backend();
    for table in [
        wishes(backend),
        targets(backend),
        notices(backend),
        keys(backend),
    ] {
        schema.execute(&table).await?;
    }
    let indexes: [(&'static str, &'static str, &[&'static str]); 5] = [
        ("notice_wishes", "notice_wishes_seen", &["seen_at"]),
        ("notice_targets", "notice_targets_user", &["user_id"]),
        ("notice_targets", "notice_targets_stop", &["stop"]),
        ("notices", "notices_due", &["due_at"]),
        ("notices", "notices_at", &["at"]),
    ];
    for (table, name, columns) in indexes {
        schema.add_index(table, name, columns).await?;
    }
    Ok(())
}

fn wishes(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("notice_wishes", backend);
    table
        .col(id("user_id", backend).not_null().primary_key())
        .col(ColumnDef::new("kinds").string_len(100).not_null())
        .col(ColumnDef::new("utc_offset").integer().not_null())
        .col(ColumnDef::new("quiet_from").integer())
        .col(ColumnDef::new("quiet_to").integer())
        .col(ColumnDef::new("digest_at").integer())
        .col(ColumnDef::new("last_note").big_integer().not_null())
        .col(ColumnDef::new("seen_at").big_integer().not_null())
        .col(ColumnDef::new("revision").big_integer().not_null())
        .col(ColumnDef::new("gone").string_len(300));
    table
}

fn targets(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("notice_targets", backend);
    table
        .col(id("id", backend).not_null().primary_key())
        .col(ColumnDef::new("user_id").big_integer().not_null())
        .col(ColumnDef::new("kind").string_len(16).not_null())
        .col(ColumnDef::new("address").string_len(2000).not_null())
        .col(ColumnDef::new("push_keys").string_len(300))
        .col(ColumnDef::new("stop").string_len(64).not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("sent_at").big_integer())
        .col(ColumnDef::new("failures").integer().not_null())
        .col(ColumnDef::new("failing_since").big_integer())
        .col(ColumnDef::new("retry_at").big_integer().not_null())
        .col(ColumnDef::new("full_at").big_integer().not_null())
        .col(ColumnDef::new("node").big_integer().not_null())
        .col(ColumnDef::new("lease_until").big_integer().not_null());
    table
}

fn notices(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("notices", backend);
    table
        .col(ColumnDef::new("target_id").big_integer().not_null())
        .col(ColumnDef::new("source").string_len(80).not_null())
        .col(ColumnDef::new("user_id").big_integer().not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(ColumnDef::new("due_at").big_integer())
        .col(ColumnDef::new("kind").string_len(16).not_null())
        .col(ColumnDef::new("table_id").big_integer())
        .col(ColumnDef::new("text").string_len(1000).not_null())
        .primary_key(Index::create().col("target_id").col("source"));
    table
}

fn keys(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("house_keys", backend);
    table
        .col(
            ColumnDef::new("name")
                .string_len(64)
                .not_null()
                .primary_key(),
        )
        .col(ColumnDef::new("value").string_len(1000).not_null());
    table
}
