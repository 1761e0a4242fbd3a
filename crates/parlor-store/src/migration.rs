//! Schema migrations. A released migration is never changed; new ones are added.

use std::collections::HashSet;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use sea_orm::sea_query::{ColumnDef, Expr, ExprTrait, LikeExpr, Query, Table};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};

use self::schema::Schema;

mod m0001_tables_and_events;
mod m0002_accounts_and_ratings;
mod m0003_commits;
mod m0004_browsers;
mod m0005_nodes;
mod m0006_blocks;
mod m0007_analyses;
mod m0008_settings;
mod m0009_talk;
mod m0010_event_formats;
mod m0011_talk_arguments;
mod m0012_lobby;
mod m0013_names_alike;
mod m0014_rating_order;
mod m0015_notices;
mod schema;
#[cfg(test)]
mod tests;

/// Table with the names of the migrations that were applied. It is named and built as
/// `sea-orm-migration` does it, which wrote it in earlier releases.
const APPLIED: &str = "seaql_migrations";

/// All tables but that one.
const TABLES: [&str; 28] = [
    "account_blocks",
    "account_counters",
    "account_log",
    "analyses",
    "audit",
    "game_tables",
    "house_keys",
    "notice_targets",
    "notice_wishes",
    "notices",
    "outages",
    "presence",
    "queue",
    "quotas",
    "rating_changes",
    "ratings",
    "server_nodes",
    "sessions",
    "table_commits",
    "table_events",
    "table_people",
    "table_players",
    "table_talk",
    "talk_mutes",
    "talk_reports",
    "talk_silences",
    "tokens",
    "users",
];

/// Step from one version of the schema to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Migration {
    TablesAndEvents,
    AccountsAndRatings,
    TableCommits,
    Browsers,
    Nodes,
    Blocks,
    Analyses,
    Settings,
    Talk,
    EventFormats,
    TalkArguments,
    Lobby,
    NamesAlike,
    RatingOrder,
    Notices,
}

impl Migration {
    /// All migrations, oldest first.
    const ALL: [Migration; 15] = [
        Migration::TablesAndEvents,
        Migration::AccountsAndRatings,
        Migration::TableCommits,
        Migration::Browsers,
        Migration::Nodes,
        Migration::Blocks,
        Migration::Analyses,
        Migration::Settings,
        Migration::Talk,
        Migration::EventFormats,
        Migration::TalkArguments,
        Migration::Lobby,
        Migration::NamesAlike,
        Migration::RatingOrder,
        Migration::Notices,
    ];

    /// Returns the name under which databases remember this migration.
    const fn name(self) -> &'static str {
        match self {
            Migration::TablesAndEvents => "m0001_tables_and_events",
            Migration::AccountsAndRatings => "m0002_accounts_and_ratings",
            Migration::TableCommits => "m0003_commits",
            Migration::Browsers => "m0004_browsers",
            Migration::Nodes => "m0005_nodes",
            Migration::Blocks => "m0006_blocks",
            Migration::Analyses => "m0007_analyses",
            Migration::Settings => "m0008_settings",
            Migration::Talk => "m0009_talk",
            Migration::EventFormats => "m0010_event_formats",
            Migration::TalkArguments => "m0011_talk_arguments",
            Migration::Lobby => "m0012_lobby",
            Migration::NamesAlike => "m0013_names_alike",
            Migration::RatingOrder => "m0014_rating_order",
            Migration::Notices => "m0015_notices",
        }
    }

    /// Changes the schema. An interrupted migration can be repeated.
    async fn up<C: ConnectionTrait>(self, schema: &Schema<'_, C>) -> Result<(), DbErr> {
        match self {
            Migration::TablesAndEvents => m0001_tables_and_events::up(schema).await,
            Migration::AccountsAndRatings => m0002_accounts_and_ratings::up(schema).await,
            Migration::TableCommits => m0003_commits::up(schema).await,
            Migration::Browsers => m0004_browsers::up(schema).await,
            Migration::Nodes => m0005_nodes::up(schema).await,
            Migration::Blocks => m0006_blocks::up(schema).await,
            Migration::Analyses => m0007_analyses::up(schema).await,
            Migration::Settings => m0008_settings::up(schema).await,
            Migration::Talk => m0009_talk::up(schema).await,
            Migration::EventFormats => m0010_event_formats::up(schema).await,
            Migration::TalkArguments => m0011_talk_arguments::up(schema).await,
            Migration::Lobby => m0012_lobby::up(schema).await,
            Migration::NamesAlike => m0013_names_alike::up(schema).await,
            Migration::RatingOrder => m0014_rating_order::up(schema).await,
            Migration::Notices => m0015_notices::up(schema).await,
        }
    }
}

/// Applies the migrations that the database lacks, at most `limit` of them. Returns the last one, if there
/// was any and the database is not new. `location` names the database in the log.
async fn apply_pending<C: ConnectionTrait>(
    db: &C,
    limit: usize,
    location: &str,
) -> Result<Option<Migration>, DbErr> {
    let applied = applied(db).await?;
    let schema = Schema::new(db);
    let is_applied = |migration: &Migration| applied.contains(migration.name());
    let all = Migration::ALL.into_iter();
    let pending: Vec<Migration> = all.filter(|one| !is_applied(one)).take(limit).collect();
    let from = Migration::ALL.into_iter().rfind(is_applied);
    let update = from.zip(pending.last().copied());
    if let Some((from, to)) = update {
        tracing::info!(
            database = location,
            from = from.name(),
            to = to.name(),
            "updating the schema of the database: do not end the program now"
        );
    }
    for migration in pending {
        tracing::debug!(migration = migration.name(), "updating the schema");
        migration.up(&schema).await?;
        remember(db, migration).await?;
    }
    Ok(update.map(|(_, to)| to))
}

/// Returns `true` if the database has all migrations and no other. Asks without locking anything.
pub(crate) async fn is_current(db: &impl ConnectionTrait) -> Result<bool, DbErr> {
    if !tables(db).await?.iter().any(|name| name == APPLIED) {
        return Ok(false);
    }
    let names = Query::select().column("version").from(APPLIED).take();
    let found = db.query_all(&names).await?;
    let found: Result<HashSet<String>, DbErr> =
        found.iter().map(|row| row.try_get_by_index(0)).collect();
    Ok(found? == Migration::ALL.map(|known| known.name().to_owned()).into())
}

/// Returns the tables that show that the database belongs to another program. A server's database
/// may be shared, so only those count there that Parlor would take for its own.
pub(crate) async fn foreign_tables(db: &impl ConnectionTrait) -> Result<Vec<String>, DbErr> {
    let mut found = tables(db).await?;
    if found.iter().any(|name| name == APPLIED) {
        return Ok(Vec::new());
    }
    if db.get_database_backend() != DbBackend::Sqlite {
        found.retain(|name| TABLES.contains(&name.as_str()));
    }
    Ok(found)
}

/// Refuses a database that is none of Parlor's, or of a later release; changes nothing.
pub(crate) async fn refuse_unknown(db: &impl ConnectionTrait) -> Result<(), DbErr> {
    let found = tables(db).await?;
    let is_there = |name: &&str| found.iter().any(|found| found == name);
    if ![APPLIED, "game_tables", "table_events"]
        .iter()
        .all(is_there)
    {
        return Err(DbErr::Custom("it is no database of Parlor".to_owned()));
    }
    read_applied(db).await.map(|_| ())
}

/// Returns the names of all tables, sorted.
async fn tables(db: &impl ConnectionTrait) -> Result<Vec<String>, DbErr> {
    let mut query = Query::select();
    let schema = match db.get_database_backend() {
        DbBackend::Sqlite => {
            query
                .column("name")
                .from("sqlite_master")
                .and_where(Expr::col("type").eq("table"))
                .and_where(Expr::col("name").not_like(LikeExpr::new("sqlite\\_%").escape('\\')));
            None
        }
        DbBackend::MySql => Some("DATABASE()"),
        _ => Some("CURRENT_SCHEMA()"),
    };
    if let Some(schema) = schema {
        query
            .column("table_name")
            .from(("information_schema", "tables"))
            .and_where(Expr::col("table_schema").eq(Expr::cust(schema)));
    }
    let found = db.query_all(&query).await?;
    let names: Result<Vec<String>, DbErr> =
        found.iter().map(|row| row.try_get_by_index(0)).collect();
    let mut names = names?;
    names.sort_unstable();
    Ok(names)
}

/// Returns the names of the migrations that the database has.
///
/// # Errors
/// A message if one of them is unknown, because the database is of a later release.
async fn applied<C: ConnectionTrait>(db: &C) -> Result<HashSet<String>, DbErr> {
    let mut table = Table::create();
    table
        .table(APPLIED)
        .if_not_exists()
        .col(ColumnDef::new("version").string().not_null().primary_key())
        .col(ColumnDef::new("applied_at").big_integer().not_null());
    db.execute(&table).await?;
    read_applied(db).await
}

/// Returns the names of the migrations that were applied.
async fn read_applied(db: &impl ConnectionTrait) -> Result<HashSet<String>, DbErr> {
    let names = Query::select().column("version").from(APPLIED).take();
    let mut applied = HashSet::new();
    for row in db.query_all(&names).await? {
        let name: String = row.try_get_by_index(0)?;
        if !Migration::ALL.iter().any(|known| known.name() == name) {
            return Err(DbErr::Custom(format!(
                "the database has the migration '{name}' of a later release"
            )));
        }
        applied.insert(name);
    }
    Ok(applied)
}

/// Remembers that a migration was applied.
async fn remember<C: ConnectionTrait>(db: &C, migration: Migration) -> Result<(), DbErr> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since_1970.map_or(0, |time| time.as_secs());
    let insert = Query::insert()
        .into_table(APPLIED)
        .columns(["version", "applied_at"])
        .values_panic([migration.name().into(), seconds.cast_signed().into()])
        .take();
    db.execute(&insert).await.map(|_| ())
}

/// Lock number that no other program is likely to use in the same database.
const LOCK: u64 = 0x7061_726c_6f72;

/// Updates the schema, one process at a time. `db` must be a pool of one connection, because locks
/// belong to a connection. `location` names the database in the log.
pub(crate) async fn migrate(db: &DatabaseConnection, location: &str) -> Result<(), DbErr> {
    let began = Instant::now();
    if let Some(last) = migrate_alone(db, location).await? {
        let seconds = began.elapsed().as_secs_f64();
        tracing::info!(
            database = location,
            schema = last.name(),
            seconds,
            "the schema of the database is updated"
        );
    }
    Ok(())
}

/// Updates the schema while no other process does. Returns the last migration that it needed.
async fn migrate_alone(
    db: &DatabaseConnection,
    location: &str,
) -> Result<Option<Migration>, DbErr> {
    match db.get_database_backend() {
        DbBackend::MySql => {
            // MySQL commits implicitly around every schema change, so a transaction would protect
            // nothing.
            let name = format!("CONCAT('parlor ', MD5(DATABASE()), ' {LOCK}')");
            db.execute_unprepared(&format!("DO GET_LOCK({name}, 60)"))
                .await?;
            let migrated = apply_pending(db, usize::MAX, location).await;
            db.execute_unprepared(&format!("DO RELEASE_LOCK({name})"))
                .await?;
            migrated
        }
        DbBackend::Postgres => {
            let transaction = db.begin().await?;
            transaction
                .execute_unprepared(&format!("SELECT pg_advisory_xact_lock({LOCK})"))
                .await?;
            let migrated = apply_pending(&transaction, usize::MAX, location).await?;
            transaction.commit().await?;
            Ok(migrated)
        }
        _ => {
            let mode = Some(SqliteTransactionMode::Immediate);
            let options = TransactionOptions {
                sqlite_transaction_mode: mode,
                ..TransactionOptions::default()
            };
            let transaction = db.begin_with_options(options).await?;
            let migrated = apply_pending(&transaction, usize::MAX, location).await?;
            transaction.commit().await?;
            Ok(migrated)
        }
    }
}
