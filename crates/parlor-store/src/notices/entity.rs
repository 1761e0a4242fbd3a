//! Rows of notices as SeaORM entities.

/// Wishes of a member, and how far the member's news were read.
pub(crate) mod wish {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "notice_wishes")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: i64,
        pub kinds: String,
        pub utc_offset: i32,
        pub quiet_from: Option<i32>,
        pub quiet_to: Option<i32>,
        pub digest_at: Option<i32>,
        /// Number of the last note of the account's log that was read.
        pub last_note: i64,
        /// Time up to which the member's tables and their talk were read.
        pub seen_at: i64,
        /// Number that grows with each change of what was read.
        pub revision: i64,
        pub gone: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Address to which notices are sent.
pub(crate) mod target {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "notice_targets")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub user_id: i64,
        pub kind: String,
        pub address: String,
        pub push_keys: Option<String>,
        pub stop: String,
        pub created_at: i64,
        pub sent_at: Option<i64>,
        pub failures: i32,
        pub failing_since: Option<i64>,
        pub retry_at: i64,
        pub full_at: i64,
        /// Process that sends to it, or did last.
        pub node: i64,
        /// Time until which others leave it to that process.
        pub lease_until: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Notice that waits to be sent to an address, or was sent lately.
pub(crate) mod notice {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "notices")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub target_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub source: String,
        pub user_id: i64,
        pub at: i64,
        /// Time from which on it may be sent; `None` once it was.
        pub due_at: Option<i64>,
        pub kind: String,
        pub table_id: Option<i64>,
        pub text: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Key that all processes of a house share.
pub(crate) mod house_key {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "house_keys")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub name: String,
        pub value: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
