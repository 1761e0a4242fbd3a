//! Settings of accounts. Processes of the previous release, which do not know them, may go on creating
//! accounts.

use sea_orm::sea_query::ColumnDef;
use sea_orm::{ConnectionTrait, DbErr};

use super::schema::Schema;

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let settings = &mut ColumnDef::new("settings").text().take();
    schema.add_column("users", "settings", settings).await
}
