//! Columns of the lobby: the people at tables, who created them, and whether it shows them.
//! Processes of the previous release write tables without it, which the list of open tables leaves out.
//! No index of tables changes with a move. The one of accounts is for the directory of bots.

use sea_orm::sea_query::{ColumnDef, ForeignKey, ForeignKeyAction, Index, TableCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr};

use super::schema::{Schema, create, id};

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let columns = [
        (
            "made_from",
            ColumnDef::new("made_from").big_integer().take(),
        ),
        (
            "in_lobby",
            ColumnDef::new("in_lobby")
                .boolean()
                .not_null()
                .default(true)
                .take(),
        ),
    ];
    for (name, mut column) in columns {
        schema.add_column("game_tables", name, &mut column).await?;
    }
    schema.execute(&people(schema.backend())).await?;
    let indexes: [(&'static str, &'static str, &[&'static str]); 4] = [
        (
            "game_tables",
            "game_tables_lobby",
            &["status", "in_lobby", "id"],
        ),
        ("game_tables", "game_tables_made_from", &["made_from"]),
        (
            "table_people",
            "table_people_person",
            &["person", "table_id"],
        ),
        ("users", "users_kind", &["kind", "folded"]),
    ];
    for (table, name, columns) in indexes {
        schema.add_index(table, name, columns).await?;
    }
    Ok(())
}

fn people(backend: DbBackend) -> TableCreateStatement {
    let mut owner = ForeignKey::create();
    owner
        .name("table_people_table")
        .from("table_people", "table_id")
        .to("game_tables", "id");
    let mut table = create("table_people", backend);
    table
        .col(id("table_id", backend).not_null())
        .col(ColumnDef::new("person").big_integer().not_null())
        .primary_key(Index::create().col("table_id").col("person"))
        .foreign_key(owner.on_delete(ForeignKeyAction::Cascade));
    table
}
