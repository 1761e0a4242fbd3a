//! Talk at tables: messages, reports of messages, people who may not write, and members whose
//! messages others do not want to see. Processes of the previous release know nothing of it.

use sea_orm::sea_query::{ColumnDef, ForeignKey, ForeignKeyAction, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create, id, long_text};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let backend = schema.backend();
    for table in [
        messages(backend),
        reports(backend),
        silences(backend),
        mutes(backend),
    ] {
        schema.execute(&table).await?;
    }
    schema
        .add_index("table_talk", "table_talk_at", &["at"])
        .await?;
    schema
        .add_index("table_talk", "table_talk_user", &["user_id"])
        .await?;
    schema
        .add_index("talk_reports", "talk_reports_closed", &["closed_at"])
        .await
}

/// Columns with the author of a message.
fn author(table: &mut TableCreateStatement) {
    table
        .col(ColumnDef::new("person").string_len(64).not_null())
        .col(ColumnDef::new("user_id").big_integer())
        .col(ColumnDef::new("name").string_len(100).not_null());
}

fn messages(backend: DbBackend) -> TableCreateStatement {
    let mut owner = ForeignKey::create();
    owner
        .name("table_talk_table")
        .from("table_talk", "table_id")
        .to("game_tables", "id");
    let mut table = create("table_talk", backend);
    table
        .col(id("table_id", backend).not_null())
        .col(ColumnDef::new("n").big_integer().not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(ColumnDef::new("room").string_len(16).not_null());
    author(&mut table);
    table
        .col(ColumnDef::new("seat").integer())
        .col(ColumnDef::new("phrase").string_len(64))
        .col(ColumnDef::new("text").string_len(1000).not_null())
        .primary_key(Index::create().col("table_id").col("n"))
        .foreign_key(owner.on_delete(ForeignKeyAction::Cascade));
    table
}

/// Reports keep copies, so they do not belong to a table that may be deleted.
fn reports(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("talk_reports", backend);
    table
        .col(id("id", backend).not_null().auto_increment().primary_key())
        .col(ColumnDef::new("table_id").big_integer().not_null())
        .col(ColumnDef::new("n").big_integer().not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(ColumnDef::new("reporter").string_len(64).not_null())
        .col(ColumnDef::new("reporter_id").big_integer())
        .col(ColumnDef::new("reporter_name").string_len(100).not_null())
        .col(ColumnDef::new("reason").string_len(16).not_null())
        .col(ColumnDef::new("note").string_len(1000).not_null());
    author(&mut table);
    let once = Index::create()
        .name("talk_reports_once")
        .unique()
        .col("table_id")
        .col("n")
        .col("reporter")
        .take();
    table
        .col(long_text("context", backend).not_null())
        .col(ColumnDef::new("closed_at").big_integer())
        .index(&mut once.clone());
    table
}

fn silences(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("talk_silences", backend);
    table
        .col(
            ColumnDef::new("person")
                .string_len(64)
                .not_null()
                .primary_key(),
        )
        .col(ColumnDef::new("user_id").big_integer())
        .col(ColumnDef::new("name").string_len(100).not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(ColumnDef::new("until").big_integer().not_null())
        .col(ColumnDef::new("reason").string_len(1000).not_null());
    table
}

fn mutes(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("talk_mutes", backend);
    table
        .col(ColumnDef::new("user_id").big_integer().not_null())
        .col(ColumnDef::new("muted_id").big_integer().not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .primary_key(Index::create().col("user_id").col("muted_id"));
    table
}
