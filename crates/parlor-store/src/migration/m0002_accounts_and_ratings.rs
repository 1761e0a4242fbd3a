//! Accounts, sessions, tokens, ratings, the audit log, and new columns of tables.

use sea_orm::sea_query::{
    ColumnDef, Expr, ExprTrait, ForeignKey, ForeignKeyAction, ForeignKeyCreateStatement, Index,
    Query, TableCreateStatement,
};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};

use super::schema::{Schema, create, id, long_text};
use crate::options::hash_of_text;

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let backend = schema.backend();
    tables(schema).await?;
    hash_options(schema).await?;
    let new_tables = [
        players(backend),
        users(backend),
        sessions(backend),
        tokens(backend),
        ratings(backend),
        changes(backend),
        audit(backend),
    ];
    for table in new_tables {
        schema.execute(&table).await?;
    }
    indexes(schema).await
}

async fn tables<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let columns = [
        ("due_at", ColumnDef::new("due_at").big_integer().take()),
        ("turn", ColumnDef::new("turn").string_len(64).take()),
        ("result", ColumnDef::new("result").string_len(64).take()),
        (
            "rated",
            ColumnDef::new("rated")
                .boolean()
                .not_null()
                .default(false)
                .take(),
        ),
        (
            "options_hash",
            ColumnDef::new("options_hash")
                .string_len(32)
                .not_null()
                .default("")
                .take(),
        ),
    ];
    for (name, mut column) in columns {
        schema.add_column("game_tables", name, &mut column).await?;
    }
    Ok(())
}

/// Fills the new column of existing tables. There are few distinct options.
async fn hash_options<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let (db, backend) = (schema.connection(), schema.backend());
    let different = "SELECT DISTINCT options FROM game_tables WHERE options_hash = ''";
    for row in db
        .query_all_raw(Statement::from_string(backend, different))
        .await?
    {
        let options: String = row.try_get_by_index(0)?;
        let update = Query::update()
            .table("game_tables")
            .value("options_hash", hash_of_text(&options))
            .and_where(Expr::col("options").eq(options))
            .to_owned();
        db.execute(&update).await?;
    }
    Ok(())
}

fn players(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("table_players", backend);
    table
        .col(id("table_id", backend).not_null())
        .col(id("user_id", backend).not_null())
        .col(ColumnDef::new("role").string_len(16).not_null())
        .primary_key(Index::create().col("table_id").col("user_id"))
        .foreign_key(&mut owned_by(
            "table_players_table",
            "table_players",
            "table_id",
            "game_tables",
        ));
    table
}

fn users(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("users", backend);
    table
        .col(id("id", backend).primary_key())
        .col(ColumnDef::new("name").string_len(20).not_null())
        .col(
            ColumnDef::new("folded")
                .string_len(20)
                .not_null()
                .unique_key(),
        )
        .col(long_text("password", backend))
        .col(ColumnDef::new("kind").string_len(16).not_null())
        .col(id("owner", backend))
        .col(ColumnDef::new("admin").boolean().not_null())
        .col(ColumnDef::new("level").string_len(16))
        .col(ColumnDef::new("banned_at").big_integer())
        .col(long_text("ban_reason", backend))
        .col(ColumnDef::new("created_at").big_integer().not_null());
    table
}

fn sessions(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("sessions", backend);
    table
        .col(
            ColumnDef::new("hash")
                .string_len(64)
                .not_null()
                .primary_key(),
        )
        .col(id("user_id", backend).not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("expires_at").big_integer().not_null())
        .foreign_key(&mut owned_by(
            "sessions_user",
            "sessions",
            "user_id",
            "users",
        ));
    table
}

fn tokens(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("tokens", backend);
    table
        .col(id("id", backend).primary_key())
        .col(
            ColumnDef::new("hash")
                .string_len(64)
                .not_null()
                .unique_key(),
        )
        .col(id("user_id", backend).not_null())
        .col(long_text("name", backend).not_null())
        .col(long_text("scopes", backend).not_null())
        .col(ColumnDef::new("created_at").big_integer().not_null())
        .col(ColumnDef::new("expires_at").big_integer())
        .col(ColumnDef::new("revoked_at").big_integer())
        .col(ColumnDef::new("last_used_at").big_integer())
        .foreign_key(&mut owned_by("tokens_user", "tokens", "user_id", "users"));
    table
}

/// The game comes first in the key because writers lock the rows of one game at a time, in key
/// order.
fn ratings(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("ratings", backend);
    table
        .col(ColumnDef::new("game").string_len(64).not_null())
        .col(id("user_id", backend).not_null())
        .col(ColumnDef::new("elo").integer().not_null());
    for name in ["glicko", "deviation", "volatility"] {
        table.col(ColumnDef::new(name).double().not_null());
    }
    for name in ["wins", "losses", "draws"] {
        table.col(ColumnDef::new(name).integer().not_null());
    }
    table
        .col(ColumnDef::new("updated_at").big_integer().not_null())
        .primary_key(Index::create().col("game").col("user_id"));
    table
}

/// No foreign key: rating changes remain when an admin deletes the table.
fn changes(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("rating_changes", backend);
    table
        .col(id("table_id", backend).not_null())
        .col(id("user_id", backend).not_null())
        .col(ColumnDef::new("game").string_len(64).not_null())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(ColumnDef::new("score").string_len(16).not_null())
        .col(ColumnDef::new("rated").boolean().not_null())
        .col(ColumnDef::new("elo_before").integer().not_null())
        .col(ColumnDef::new("elo_after").integer().not_null());
    for name in ["glicko_before", "glicko_after", "deviation_after"] {
        table.col(ColumnDef::new(name).double().not_null());
    }
    table
        .col(id("opponent", backend))
        .primary_key(Index::create().col("table_id").col("user_id"));
    table
}

fn audit(backend: DbBackend) -> TableCreateStatement {
    let mut table = create("audit", backend);
    table
        .col(id("id", backend).not_null().auto_increment().primary_key())
        .col(ColumnDef::new("at").big_integer().not_null())
        .col(id("admin_id", backend));
    for name in ["admin_name", "action", "target", "detail"] {
        table.col(long_text(name, backend).not_null());
    }
    table
}

/// Timers use the first index, the classic list the second. Neither changes with each move of a
/// game without a clock, so they cost such games nothing.
async fn indexes<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    schema
        .add_index("game_tables", "game_tables_due", &["status", "due_at"])
        .await?;
    schema
        .add_index(
            "game_tables",
            "game_tables_options",
            &["options_hash", "id"],
        )
        .await?;
    schema
        .add_index("game_tables", "game_tables_game", &["game", "id"])
        .await?;
    schema
        .add_index(
            "table_players",
            "table_players_user",
            &["user_id", "table_id"],
        )
        .await?;
    schema
        .add_index("sessions", "sessions_user", &["user_id"])
        .await?;
    schema
        .add_index("sessions", "sessions_expiry", &["expires_at"])
        .await?;
    schema
        .add_index("tokens", "tokens_user", &["user_id"])
        .await?;
    schema
        .add_index("ratings", "ratings_best", &["game", "elo"])
        .await?;
    schema
        .add_index("ratings", "ratings_user", &["user_id"])
        .await?;
    schema
        .add_index(
            "rating_changes",
            "rating_changes_user",
            &["user_id", "game", "at"],
        )
        .await
}

/// Foreign key to the parent table, with cascading deletes.
fn owned_by(
    name: &'static str,
    table: &'static str,
    column: &'static str,
    owner: &'static str,
) -> ForeignKeyCreateStatement {
    let mut key = ForeignKey::create();
    key.name(name)
        .from(table, column)
        .to(owner, "id")
        .on_delete(ForeignKeyAction::Cascade);
    key
}
