//! The two tables of the database, as the ORM sees them.

/// A game table's row.
pub(crate) mod table {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "game_tables")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub game: String,
        pub status: String,
        pub listed: bool,
        pub version: i64,
        pub seats: String,
        pub options: String,
        pub secret: Option<Vec<u8>>,
        pub summary: Option<String>,
        pub created_at: i64,
        pub updated_at: i64,
    }

    /// The row without its secret: what lists read.
    #[derive(Clone, Debug, DerivePartialModel)]
    #[sea_orm(entity = "Entity")]
    pub struct Public {
        pub id: i64,
        pub game: String,
        pub status: String,
        pub listed: bool,
        pub version: i64,
        pub seats: String,
        pub options: String,
        pub summary: Option<String>,
        pub created_at: i64,
        pub updated_at: i64,
    }

    impl From<Model> for Public {
        fn from(m: Model) -> Self {
            let Model { id, game, status, listed, version, seats, options, secret: _, summary, created_at, updated_at } =
                m;
            Self { id, game, status, listed, version, seats, options, summary, created_at, updated_at }
        }
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// An entry of a table's log.
pub(crate) mod event {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "table_events")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub table_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub version: i64,
        pub at: i64,
        pub body: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
