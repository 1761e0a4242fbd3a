//! Database tables as SeaORM entities.

/// Row of a game table.
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
        pub due_at: Option<i64>,
        pub turn: Option<String>,
        pub result: Option<String>,
        pub rated: bool,
        pub options_hash: String,
        pub made_from: Option<i64>,
        pub in_lobby: bool,
    }

    /// Row without its secret, for lists.
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
        pub due_at: Option<i64>,
        pub turn: Option<String>,
        pub result: Option<String>,
        pub rated: bool,
    }

    impl From<Model> for Public {
        fn from(m: Model) -> Self {
            Self {
                id: m.id,
                game: m.game,
                status: m.status,
                listed: m.listed,
                version: m.version,
                seats: m.seats,
                options: m.options,
                summary: m.summary,
                created_at: m.created_at,
                updated_at: m.updated_at,
                due_at: m.due_at,
                turn: m.turn,
                result: m.result,
                rated: m.rated,
            }
        }
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Event of a table's log.
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

/// Person at a table, with an account or without.
pub(crate) mod person {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "table_people")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub table_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub person: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::table::Entity",
            from = "Column::TableId",
            to = "super::table::Column::Id"
        )]
        Table,
    }

    impl Related<super::table::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Table.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Account at a table.
pub(crate) mod player {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "table_players")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub table_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: i64,
        pub role: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::table::Entity",
            from = "Column::TableId",
            to = "super::table::Column::Id"
        )]
        Table,
    }

    impl Related<super::table::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Table.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Account.
pub(crate) mod user {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "users")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub name: String,
        pub folded: String,
        pub password: Option<String>,
        pub kind: String,
        pub owner: Option<i64>,
        pub admin: bool,
        pub level: Option<String>,
        pub banned_at: Option<i64>,
        pub ban_reason: Option<String>,
        pub created_at: i64,
        pub challenges_from: Option<String>,
        pub settings: Option<String>,
        pub skeleton: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Signed-in session.
pub(crate) mod session {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "sessions")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub hash: String,
        pub user_id: i64,
        pub created_at: i64,
        pub expires_at: i64,
        pub browser: Option<String>,
        pub last_used_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::user::Entity",
            from = "Column::UserId",
            to = "super::user::Column::Id"
        )]
        User,
    }

    impl Related<super::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::User.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// API token.
pub(crate) mod token {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "tokens")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub hash: String,
        pub user_id: i64,
        pub name: String,
        pub scopes: String,
        pub created_at: i64,
        pub expires_at: Option<i64>,
        pub revoked_at: Option<i64>,
        pub last_used_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::user::Entity",
            from = "Column::UserId",
            to = "super::user::Column::Id"
        )]
        User,
    }

    impl Related<super::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::User.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Rating and record of an account in one game.
pub(crate) mod rating {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "ratings")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub game: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: i64,
        pub elo: i32,
        pub glicko: f64,
        pub deviation: f64,
        pub volatility: f64,
        pub wins: i32,
        pub losses: i32,
        pub draws: i32,
        pub updated_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::user::Entity",
            from = "Column::UserId",
            to = "super::user::Column::Id"
        )]
        User,
    }

    impl Related<super::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::User.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Change of one account's rating by one game.
pub(crate) mod change {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "rating_changes")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub table_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: i64,
        pub game: String,
        pub at: i64,
        pub score: String,
        pub rated: bool,
        pub elo_before: i32,
        pub elo_after: i32,
        pub glicko_before: f64,
        pub glicko_after: f64,
        pub deviation_after: f64,
        pub opponent: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Git commit pushed to a table.
pub(crate) mod commit {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "table_commits")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub table_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub version: i64,
        pub body: Vec<u8>,
        pub name: String,
        pub file: Vec<u8>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Line of the audit log.
pub(crate) mod audit {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub at: i64,
        pub admin_id: Option<i64>,
        pub admin_name: String,
        pub action: String,
        pub target: String,
        pub detail: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Process that serves the database.
pub(crate) mod node {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "server_nodes")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub started_at: i64,
        pub beat_at: i64,
        pub stopped: bool,
        pub event_format: Option<i32>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Presence of a person, as far as a process knows.
pub(crate) mod presence {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "presence")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub person: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub node: i64,
        pub is_there: bool,
        pub seen_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Somebody who waits for an opponent.
pub(crate) mod queue {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "queue")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub ticket: i64,
        pub node: i64,
        pub terms: String,
        pub player: String,
        pub rating: i32,
        pub most: i64,
        pub since: i64,
        pub seen_at: i64,
        pub pairing: Option<i64>,
        pub paired_at: Option<i64>,
        pub seat: i32,
        pub accepted: bool,
        pub made: bool,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Time at which no process served the database.
pub(crate) mod outage {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "outages")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub began_at: i64,
        pub ended_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Number of the last note of an account.
pub(crate) mod counter {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "account_counters")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: i64,
        pub n: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Note in an account's log.
pub(crate) mod note {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "account_log")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub n: i64,
        pub at: i64,
        pub body: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Quota of which something is spent.
pub(crate) mod quota {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "quotas")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        /// Time at which all of it has come back, in milliseconds since the Unix epoch.
        pub full_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Analysis of a finished game, under way or done.
pub(crate) mod analysis {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "analyses")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub table_id: i64,
        /// Number of steps of the game that are analyzed.
        #[sea_orm(primary_key, auto_increment = false)]
        pub steps: i64,
        /// Process that works on it, or did.
        pub node: i64,
        /// Time until which others leave it to that process, or at which it was finished, in
        /// milliseconds since the Unix epoch.
        pub lease_until: i64,
        /// Number of steps done.
        pub done: i64,
        /// Result; `None` until it is finished.
        pub result: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Account that another one has blocked.
pub(crate) mod block {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "account_blocks")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub user_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub blocked_id: i64,
        pub at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(
            belongs_to = "super::user::Entity",
            from = "Column::BlockedId",
            to = "super::user::Column::Id"
        )]
        Blocked,
    }

    impl Related<super::user::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Blocked.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}
