//! Accounts.

use std::fmt;
use std::str::FromStr;

use parlor_ratings::Start;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, Set, SqlErr,
};

use crate::entity::user;
use crate::read::signed;
use crate::search::{contains, storable};
use crate::{Ban, Page, Store, StoreError};

/// The longest name of an account, in characters.
const MAX_NAME: usize = 20;

/// Who is behind an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UserKind {
    /// Somebody.
    #[default]
    Person,
    /// A program, which belongs to somebody.
    Bot,
}

impl UserKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Person, Self::Bot];

    /// The word that is stored: `person` or `bot`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Bot => "bot",
        }
    }
}

impl fmt::Display for UserKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is no [`UserKind`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no kind of account: person or bot")]
pub struct UnknownUserKind(pub String);

impl FromStr for UserKind {
    type Err = UnknownUserKind;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == s)
            .ok_or_else(|| UnknownUserKind(s.to_owned()))
    }
}

/// A password as it is stored: what a slow hash such as argon2 made of it, as text. Shows nothing of itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(..)")
    }
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The id.
    pub id: i64,
    /// The name, as its owner writes it: 1 to 20 of `A-Z`, `a-z`, `0-9`, `_` and `-`. Unique without regard to case.
    pub name: String,
    /// The password; `None` when nobody can sign in with one.
    pub password: Option<PasswordHash>,
    /// Who is behind it.
    pub kind: UserKind,
    /// The account that a bot belongs to.
    pub owner: Option<i64>,
    /// Whether it may do what admins may.
    pub admin: bool,
    /// The level that was declared; it decides the first rating in each game.
    pub level: Start,
    /// Whether it is shut out. The store does not shut it out of anything: who asks must look.
    pub ban: Option<Ban>,
    /// When it was created, in milliseconds since 1970.
    pub created_at: i64,
}

impl User {
    /// An account of a person who is no admin and declares no level, without a password, created at `at` (milliseconds
    /// since 1970).
    #[must_use]
    pub fn new(id: i64, name: impl Into<String>, at: i64) -> Self {
        Self {
            id,
            name: name.into(),
            password: None,
            kind: UserKind::Person,
            owner: None,
            admin: false,
            level: Start::Undeclared,
            ban: None,
            created_at: at,
        }
    }

    /// Whether an account may be called this: 1 to 20 of `A-Z`, `a-z`, `0-9`, `_` and `-`.
    #[must_use]
    pub fn valid_name(name: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(plain)
    }
}

/// Which accounts are meant; the default means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserFilter {
    /// Only accounts with this text in their names, whatever the case, or with exactly this id.
    pub search: Option<String>,
    /// Only this kind.
    pub kind: Option<UserKind>,
    /// Only the bots of this account.
    pub owner: Option<i64>,
    /// Only admins.
    pub admins_only: bool,
    /// Only those who are shut out.
    pub banned_only: bool,
}

impl Store {
    /// Writes a new account.
    ///
    /// # Errors
    /// [`StoreError::BadName`] for a name that cannot be, [`StoreError::NameTaken`] when somebody is called so already,
    /// in whatever case, [`StoreError::Exists`] when the id is taken; what every write can meet:
    /// [`StoreError::Unavailable`], [`StoreError::InDoubt`], [`StoreError::Database`], [`StoreError::Closed`].
    pub async fn create_user(&self, user: User) -> Result<(), StoreError> {
        if !User::valid_name(&user.name) {
            return Err(StoreError::BadName);
        }
        let folded = user.name.to_ascii_lowercase();
        match user::Entity::insert(user::ActiveModel::from(user))
            .exec_without_returning(self.writes())
            .await
        {
            Ok(_) => Ok(()),
            Err(e) if matches!(e.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
                let taken = select()
                    .filter(user::Column::Folded.eq(folded))
                    .count(self.writes())
                    .await?;
                Err(if taken > 0 {
                    StoreError::NameTaken
                } else {
                    StoreError::Exists
                })
            }
            Err(e) => Err(e.into()),
        }
    }

    /// An account; `None` when there is none with this id.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn user(&self, id: i64) -> Result<Option<User>, StoreError> {
        let found = user::Entity::find_by_id(id).one(self.reads()).await?;
        found.map(User::try_from).transpose()
    }

    /// The account with this name, whatever the case; `None` when nobody is called so.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn user_by_name(&self, name: &str) -> Result<Option<User>, StoreError> {
        if !User::valid_name(name) {
            return Ok(None);
        }
        let found = select()
            .filter(user::Column::Folded.eq(name.to_ascii_lowercase()))
            .one(self.reads())
            .await?;
        found.map(User::try_from).transpose()
    }

    /// The accounts that the filter lets through, newest (highest id) first, one page of them.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn users(&self, filter: &UserFilter, page: &Page) -> Result<Vec<User>, StoreError> {
        let mut select = filtered(filter)
            .order_by_desc(user::Column::Id)
            .limit(signed(page.limit) as u64);
        if let Some(before) = page.before {
            select = select.filter(user::Column::Id.lt(before));
        }
        select
            .all(self.reads())
            .await?
            .into_iter()
            .map(User::try_from)
            .collect()
    }

    /// How many accounts the filter lets through.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn count_users(&self, filter: &UserFilter) -> Result<u64, StoreError> {
        Ok(filtered(filter).count(self.reads()).await?)
    }

    /// Changes a password, or takes it away. Says whether there is such an account. Sessions stay as they are.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
    pub async fn set_password(
        &self,
        id: i64,
        password: Option<PasswordHash>,
    ) -> Result<bool, StoreError> {
        let changed = user::ActiveModel {
            password: Set(password.map(|hash| hash.0)),
            ..Default::default()
        };
        update(self.writes(), id, changed).await
    }

    /// Changes the level that an account declares: the first rating in games it has not finished one of. Says whether
    /// there is such an account.
    ///
    /// # Errors
    /// As every write, see [`Store::create_user`].
    pub async fn set_level(&self, id: i64, level: Start) -> Result<bool, StoreError> {
        update(
            self.writes(),
            id,
            user::ActiveModel {
                level: Set(stored_level(level)),
                ..Default::default()
            },
        )
        .await
    }
}

fn select() -> Select<user::Entity> {
    user::Entity::find()
}

fn filtered(filter: &UserFilter) -> Select<user::Entity> {
    let mut select = select();
    if let Some(text) = &filter.search {
        let mut found = Condition::any().add(contains(user::Column::Folded, text));
        if let Ok(id) = text.parse::<i64>() {
            found = found.add(user::Column::Id.eq(id));
        }
        select = select.filter(found);
    }
    if let Some(kind) = filter.kind {
        select = select.filter(user::Column::Kind.eq(kind.as_str()));
    }
    if let Some(owner) = filter.owner {
        select = select.filter(user::Column::Owner.eq(owner));
    }
    if filter.admins_only {
        select = select.filter(user::Column::Admin.eq(true));
    }
    if filter.banned_only {
        select = select.filter(user::Column::BannedAt.is_not_null());
    }
    select
}

/// Changes what is set, and says whether there was such an account.
pub(crate) async fn update(
    db: &impl ConnectionTrait,
    id: i64,
    changed: user::ActiveModel,
) -> Result<bool, StoreError> {
    let update = user::Entity::update_many()
        .set(changed)
        .filter(user::Column::Id.eq(id));
    Ok(update.exec(db).await?.rows_affected > 0)
}

fn stored_level(level: Start) -> Option<String> {
    (level != Start::Undeclared).then(|| level.as_str().to_owned())
}

/// The level that is stored; a word from elsewhere counts as none.
pub(crate) fn level_of(stored: Option<&str>) -> Start {
    stored
        .and_then(|word| word.parse().ok())
        .unwrap_or_default()
}

impl From<User> for user::ActiveModel {
    fn from(user: User) -> Self {
        let (banned_at, ban_reason) = user.ban.map(|ban| (ban.at, storable(&ban.reason))).unzip();
        Self {
            id: Set(user.id),
            folded: Set(user.name.to_ascii_lowercase()),
            name: Set(user.name),
            password: Set(user.password.map(|hash| hash.0)),
            kind: Set(user.kind.as_str().to_owned()),
            owner: Set(user.owner),
            admin: Set(user.admin),
            level: Set(stored_level(user.level)),
            banned_at: Set(banned_at),
            ban_reason: Set(ban_reason),
            created_at: Set(user.created_at),
        }
    }
}

impl TryFrom<user::Model> for User {
    type Error = StoreError;

    fn try_from(row: user::Model) -> Result<Self, StoreError> {
        let kind = row.kind.parse();
        Ok(Self {
            id: row.id,
            name: row.name,
            password: row.password.map(PasswordHash),
            kind: kind.map_err(|e: UnknownUserKind| StoreError::Corrupt {
                id: row.id,
                reason: e.to_string(),
            })?,
            owner: row.owner,
            admin: row.admin,
            level: level_of(row.level.as_deref()),
            ban: row.banned_at.map(|at| Ban {
                at,
                reason: row.ban_reason.unwrap_or_default(),
            }),
            created_at: row.created_at,
        })
    }
}
