//! Rows of talk as SeaORM entities.

/// Message at a table.
pub(crate) mod message {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "table_talk")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub table_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub n: i64,
        pub at: i64,
        pub room: String,
        pub person: String,
        pub user_id: Option<i64>,
        pub name: String,
        pub seat: Option<i32>,
        pub phrase: Option<String>,
        pub argument: Option<String>,
        pub text: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Report of a message, with a copy of it and of what was said before.
pub(crate) mod report {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "talk_reports")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub table_id: i64,
        pub n: i64,
        pub at: i64,
        pub reporter: String,
        pub reporter_id: Option<i64>,
        pub reporter_name: String,
        pub reason: String,
        pub note: String,
        pub person: String,
        pub user_id: Option<i64>,
        pub name: String,
        /// The message and those before it, as JSON; empty once the report is closed.
        pub context: String,
        pub closed_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Person who may not write for a time.
pub(crate) mod silence {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "talk_silences")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub person: String,
        pub user_id: Option<i64>,
        pub name: String,
        pub at: i64,
        pub until: i64,
        pub reason: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Account whose messages another one does not want to see.
pub(crate) mod mute {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "talk_mutes")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub muted_id: i64,
        pub at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "crate::entity::user::Entity",
            from = "Column::MutedId",
            to = "crate::entity::user::Column::Id"
        )]
        Muted,
    }

    impl Related<crate::entity::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Muted.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}
