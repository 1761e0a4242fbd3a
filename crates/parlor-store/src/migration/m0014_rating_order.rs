//! Index of ratings for leaderboards by Glicko-2 rating. The one by Elo stays for processes of the previous
//! release.

use sea_orm::{ConnectionTrait, DbErr};

use super::schema::Schema;

pub(super) async fn up<C: ConnectionTrait>(schema: &Schema<'_, C>) -> Result<(), DbErr> {
    schema
        .add_index("ratings", "ratings_glicko", &["game", "glicko"])
        .await
}
