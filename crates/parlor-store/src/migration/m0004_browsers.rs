//! The browsers of sessions, and when they were last used. Processes of the previous release, which
//! know neither, may go on writing sessions.

use sea_orm::sea_query::ColumnDef;
use sea_orm::{ConnectionTrait, DbErr};

use super::schema::Schema;

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let browser = &mut ColumnDef::new("browser").string_len(64).take();
    schema.add_column("sessions", "browser", browser).await?;
    let used = &mut ColumnDef::new("last_used_at").big_integer().take();
    schema.add_column("sessions", "last_used_at", used).await
}
