//! The schema of a database, and the building blocks of its tables.

use sea_orm::sea_query::{
    ColumnDef, Condition, Expr, ExprTrait, Func, Index, Query, SelectStatement, Table,
    TableCreateStatement,
};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, StatementBuilder};

/// Schema of a database, as migrations change it.
pub(super) struct Schema<'c, C> {
    connection: &'c C,
}

impl<'c, C: ConnectionTrait> Schema<'c, C> {
    /// Returns the schema of the connected database.
    pub(super) fn new(connection: &'c C) -> Schema<'c, C> {
        Schema { connection }
    }

    /// Returns the connection.
    pub(super) fn connection(&self) -> &'c C {
        self.connection
    }

    /// Returns the kind of database.
    pub(super) fn backend(&self) -> DbBackend {
        self.connection.get_database_backend()
    }

    /// Executes one statement.
    pub(super) async fn execute(&self, statement: &impl StatementBuilder) -> Result<(), DbErr> {
        self.connection.execute(statement).await.map(|_| ())
    }

    /// Adds an index unless it exists. MySQL has no CREATE INDEX IF NOT EXISTS, and an interrupted
    /// migration must be repeatable there.
    pub(super) async fn add_index(
        &self,
        table: &'static str,
        name: &'static str,
        columns: &[&'static str],
    ) -> Result<(), DbErr> {
        if self.has_index(table, name).await? {
            return Ok(());
        }
        let mut index = Index::create();
        index.name(name).table(table);
        for column in columns {
            index.col(*column);
        }
        self.execute(&index).await
    }

    /// Adds a column unless it exists.
    pub(super) async fn add_column(
        &self,
        table: &'static str,
        name: &'static str,
        column: &mut ColumnDef,
    ) -> Result<(), DbErr> {
        if self.has_column(table, name).await? {
            return Ok(());
        }
        self.execute(Table::alter().table(table).add_column(column))
            .await
    }

    async fn has_index(&self, table: &str, name: &str) -> Result<bool, DbErr> {
        let mut query = Query::select();
        match self.backend() {
            DbBackend::MySql => query
                .from(("information_schema", "statistics"))
                .and_where(Expr::col("table_schema").eq(Expr::cust("DATABASE()")))
                .and_where(Expr::col("table_name").eq(table))
                .and_where(Expr::col("index_name").eq(name)),
            DbBackend::Postgres => query
                .from("pg_indexes")
                .and_where(Expr::col("schemaname").eq(Expr::cust("CURRENT_SCHEMA()")))
                .and_where(Expr::col("tablename").eq(table))
                .and_where(Expr::col("indexname").eq(name)),
            _ => query.from("sqlite_master").cond_where(
                Condition::all()
                    .add(Expr::col("type").eq("index"))
                    .add(Expr::col("tbl_name").eq(table))
                    .add(Expr::col("name").eq(name)),
            ),
        };
        self.any(&mut query).await
    }

    async fn has_column(&self, table: &str, name: &str) -> Result<bool, DbErr> {
        let mut query = Query::select();
        let schema = match self.backend() {
            DbBackend::MySql => "DATABASE()",
            DbBackend::Postgres => "CURRENT_SCHEMA()",
            _ => {
                let columns = Func::cust("pragma_table_info").arg(table);
                query
                    .from_function(columns, "columns")
                    .and_where(Expr::col("name").eq(name));
                return self.any(&mut query).await;
            }
        };
        query
            .from(("information_schema", "columns"))
            .and_where(Expr::col("table_schema").eq(Expr::cust(schema)))
            .and_where(Expr::col("table_name").eq(table))
            .and_where(Expr::col("column_name").eq(name));
        self.any(&mut query).await
    }

    /// Returns true if the query finds a row.
    async fn any(&self, query: &mut SelectStatement) -> Result<bool, DbErr> {
        let found = self.connection.query_one(query.expr(Expr::val(1))).await?;
        Ok(found.is_some())
    }
}

/// Creates a table unless it exists, because a migration may have been interrupted.
pub(super) fn create(name: &'static str, backend: DbBackend) -> TableCreateStatement {
    let mut table = Table::create();
    table.table(name).if_not_exists();
    if backend == DbBackend::MySql {
        // Independent of the server's default: all of Unicode, and case-sensitive.
        table
            .engine("InnoDB")
            .character_set("utf8mb4")
            .collate("utf8mb4_bin");
    }
    table
}

/// Column type of an integer primary key. SQLite stores rows under their id, without a second
/// index, only if the type is called INTEGER.
pub(super) fn id(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    if backend == DbBackend::Sqlite {
        column.integer()
    } else {
        column.big_integer()
    };
    column
}

/// Text of practically unlimited length; MySQL's plain `text` ends at 64 kB.
pub(super) fn long_text(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    if backend == DbBackend::MySql {
        column.custom("longtext")
    } else {
        column.text()
    };
    column
}
