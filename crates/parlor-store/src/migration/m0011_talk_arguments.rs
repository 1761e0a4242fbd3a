//! Arguments of phrases that are longer than their column. Processes of the previous release, which do
//! not know them, read the phrase alone.

use sea_orm::sea_query::ColumnDef;
use sea_orm::{ConnectionTrait, DbErr};

use super::schema::Schema;

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let argument = &mut ColumnDef::new("argument").text().take();
    schema.add_column("table_talk", "argument", argument).await
}
