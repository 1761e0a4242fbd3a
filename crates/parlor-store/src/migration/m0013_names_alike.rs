//! Names of accounts as they look, so that a new one cannot be taken for another. Accounts that
//! processes of the previous release create meanwhile have none, and are not compared.

use sea_orm::sea_query::ColumnDef;
use sea_orm::{ConnectionTrait, DbErr};

use super::schema::Schema;

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    let skeleton = &mut ColumnDef::new("skeleton").string_len(40).take();
    schema.add_column("users", "skeleton", skeleton).await?;
    // As `User::skeleton` does it.
    let fill = "UPDATE users SET skeleton = \
        LOWER(REPLACE(REPLACE(REPLACE(REPLACE(name, 'm', 'rn'), 'I', 'l'), '1', 'l'), '0', 'O')) \
        WHERE skeleton IS NULL";
    schema.connection().execute_unprepared(fill).await?;
    schema
        .add_index("users", "users_skeleton", &["skeleton"])
        .await
}
