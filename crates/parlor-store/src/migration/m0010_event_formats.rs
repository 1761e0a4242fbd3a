//! The events that each process can read. Processes of the previous release, which do not say it, read
//! none of those that came later.

use sea_orm::sea_query::ColumnDef;
use sea_orm::{ConnectionTrait, DbErr};

use super::schema::Schema;

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let format = &mut ColumnDef::new("event_format").integer().take();
    schema
        .add_column("server_nodes", "event_format", format)
        .await
}
