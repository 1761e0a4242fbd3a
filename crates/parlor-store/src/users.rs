//! Accounts.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use parlor_ratings::DeclaredLevel;
use sea_orm::sea_query::{Expr, ExprTrait, LockType, Query};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DbErr, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, Select, Set, SqlErr,
};

use crate::entity::{rating, user};
use crate::read::signed;
use crate::search::{contains, has_digits, storable};
use crate::statement::chunks;
use crate::transaction::{Transaction, begin, commit};
use crate::{Ban, ListPage, Store, StoreError};

/// Maximum length of an account's name, in characters.
const MAX_NAME: usize = 20;

/// Kind of account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UserKind {
    /// A person.
    #[default]
    Person,
    /// A program owned by another account.
    Bot,
}

impl UserKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Person, Self::Bot];

    /// Returns the stored word: `person` or `bot`.
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

/// Error of parsing a [`UserKind`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a kind of account: expected person or bot")]
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

/// From whom an account takes challenges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ChallengesFrom {
    /// From every member.
    #[default]
    Everybody,
    /// From members with whom the account has finished a game.
    PlayedWith,
    /// From no member.
    Nobody,
}

impl ChallengesFrom {
    /// All settings.
    pub const ALL: [Self; 3] = [Self::Everybody, Self::PlayedWith, Self::Nobody];

    /// Returns the stored word: `everybody`, `played_with` or `nobody`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Everybody => "everybody",
            Self::PlayedWith => "played_with",
            Self::Nobody => "nobody",
        }
    }

    /// Parses a stored setting. A word of a later release counts as the strictest one.
    fn from_stored(stored: Option<&str>) -> Self {
        let word = stored.unwrap_or(Self::Everybody.as_str());
        let known = Self::ALL.into_iter().find(|from| from.as_str() == word);
        known.unwrap_or(Self::Nobody)
    }
}

/// A password hash as text, made by a slow hash function such as argon2. Never shown in logs.
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
    /// Id of the account.
    pub id: i64,
    /// Name as written by its owner: 1 to 20 of `A-Z`, `a-z`, `0-9`, `_` and `-`. Unique, ignoring
    /// case.
    pub name: String,
    /// Password hash; `None` if signing in with a password is impossible.
    pub password: Option<PasswordHash>,
    /// Kind of account.
    pub kind: UserKind,
    /// Owner of a bot.
    pub owner: Option<i64>,
    /// True for admins.
    pub admin: bool,
    /// Declared level, which determines the initial rating in each game.
    pub level: DeclaredLevel,
    /// Ban of the account, if any. The store does not enforce bans; callers must check.
    pub ban: Option<Ban>,
    /// Time of creation, in milliseconds since the Unix epoch.
    pub created_at: i64,
    /// From whom the account takes challenges. The store does not enforce it; callers must check.
    pub challenges_from: ChallengesFrom,
    /// Settings of the pages, in the caller's form; `None` if none were chosen.
    pub settings: Option<String>,
}

impl User {
    /// Creates the account of a person without admin rights, level and password. `at` is the time
    /// of creation, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn new(id: i64, name: impl Into<String>, at: i64) -> Self {
        Self {
            id,
            name: name.into(),
            password: None,
            kind: UserKind::Person,
            owner: None,
            admin: false,
            level: DeclaredLevel::Undeclared,
            ban: None,
            created_at: at,
            challenges_from: ChallengesFrom::Everybody,
            settings: None,
        }
    }

    /// Returns what a valid account name looks like, whatever its case: two names with the same skeleton
    /// can be taken for each other, such as `Arnold` and `Amold`, or `Iris` and `lris` (Unicode's UTS 39).
    #[must_use]
    pub fn skeleton(name: &str) -> String {
        let seen = name.replace('m', "rn").replace(['I', '1'], "l");
        seen.replace('0', "O").to_ascii_lowercase()
    }

    /// Returns `true` for a valid account name: 1 to 20 of `A-Z`, `a-z`, `0-9`, `_` and `-`.
    #[must_use]
    pub fn is_valid_name(name: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(plain)
    }
}

/// Filter for accounts; the default matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserFilter {
    /// Only accounts with this text in their names, ignoring case, or in the decimal digits of their ids.
    pub search: Option<String>,
    /// Only accounts of this kind.
    pub kind: Option<UserKind>,
    /// Only bots of this account.
    pub owner: Option<i64>,
    /// Only admins.
    pub admins_only: bool,
    /// Only banned accounts.
    pub banned_only: bool,
}

impl Store {
    /// Stores a new account.
    ///
    /// # Errors
    /// [`StoreError::BadName`] for an invalid name, [`StoreError::NameTaken`] if another account
    /// has this name, ignoring case, [`StoreError::Exists`] if the id is taken, and the errors of
    /// every write: [`StoreError::Unavailable`], [`StoreError::InDoubt`], [`StoreError::Database`],
    /// [`StoreError::Closed`].
    pub async fn create_user(&self, user: User) -> Result<(), StoreError> {
        let folded = folded(&user.name)?;
        let inserted = user::Entity::insert(user::ActiveModel::from(user))
            .exec_without_returning(self.writes())
            .await;
        self.or_taken(inserted.map(drop), &folded).await
    }

    /// Stores the account of a new bot, with which its owner may have `most` that are not banned. They
    /// are counted while no other process can add one.
    ///
    /// # Errors
    /// [`StoreError::TooMany`] if it would be one too many, [`StoreError::NoUser`] if its owner does not
    /// exist, and those of [`Store::create_user`].
    pub async fn create_bot(&self, bot: User, most: u64) -> Result<(), StoreError> {
        let folded = folded(&bot.name)?;
        let owner = bot.owner.ok_or(StoreError::NoUser)?;
        let transaction = begin(self.writes()).await?;
        if !lock_account(&transaction, owner).await? {
            return Err(StoreError::NoUser);
        }
        let theirs = select()
            .filter(user::Column::Owner.eq(owner))
            .filter(user::Column::BannedAt.is_null());
        if theirs.count(&transaction).await? >= most {
            return Err(StoreError::TooMany { most });
        }
        let inserted = user::Entity::insert(user::ActiveModel::from(bot))
            .exec_without_returning(&transaction)
            .await;
        match inserted {
            Ok(_) => commit(transaction, None).await,
            Err(error) => {
                drop(transaction);
                self.or_taken(Err(error), &folded).await
            }
        }
    }

    /// Tells which unique value was taken if an account was not inserted.
    async fn or_taken(&self, inserted: Result<(), DbErr>, folded: &str) -> Result<(), StoreError> {
        let is_taken =
            |e: &DbErr| matches!(e.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)));
        match inserted {
            Err(error) if is_taken(&error) => {
                let named = select().filter(user::Column::Folded.eq(folded));
                Err(match named.count(self.writes()).await? {
                    0 => StoreError::Exists,
                    _ => StoreError::NameTaken,
                })
            }
            inserted => Ok(inserted?),
        }
    }

    /// Returns an account; `None` if there is none with this id.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn user(&self, id: i64) -> Result<Option<User>, StoreError> {
        let found = user::Entity::find_by_id(id).one(self.reads()).await?;
        found.map(User::try_from).transpose()
    }

    /// Returns the names of accounts by their ids; those that do not exist are missing.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn names_of(&self, ids: &[i64]) -> Result<HashMap<i64, String>, StoreError> {
        let mut names = HashMap::new();
        for ids in chunks(ids.to_vec(), |_| 0) {
            let found = user::Entity::find()
                .select_only()
                .column(user::Column::Id)
                .column(user::Column::Name)
                .filter(user::Column::Id.is_in(ids))
                .into_tuple::<(i64, String)>()
                .all(self.reads())
                .await?;
            names.extend(found);
        }
        Ok(names)
    }

    /// Returns the ids of accounts by their names in lower case; names without an account are missing.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn ids_of(&self, names: &[String]) -> Result<HashMap<String, i64>, StoreError> {
        let folded = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        let mut ids = HashMap::new();
        for names in chunks(folded, String::len) {
            let found = user::Entity::find()
                .select_only()
                .column(user::Column::Folded)
                .column(user::Column::Id)
                .filter(user::Column::Folded.is_in(names))
                .into_tuple::<(String, i64)>()
                .all(self.reads())
                .await?;
            ids.extend(found);
        }
        Ok(ids)
    }

    /// Returns the account with this name, ignoring case.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn user_by_name(&self, name: &str) -> Result<Option<User>, StoreError> {
        if !User::is_valid_name(name) {
            return Ok(None);
        }
        let found = select()
            .filter(user::Column::Folded.eq(name.to_ascii_lowercase()))
            .one(self.reads())
            .await?;
        found.map(User::try_from).transpose()
    }

    /// Returns the name of an account that a new one with this name could be taken for; `None` if there
    /// is none.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn name_like(&self, name: &str) -> Result<Option<String>, StoreError> {
        let found = user::Entity::find()
            .select_only()
            .column(user::Column::Name)
            .filter(user::Column::Skeleton.eq(User::skeleton(name)))
            .into_tuple()
            .one(self.reads())
            .await?;
        Ok(found)
    }

    /// Returns one page of the accounts that match the filter, newest (highest id) first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn users(
        &self,
        filter: &UserFilter,
        page: &ListPage,
    ) -> Result<Vec<User>, StoreError> {
        let mut select = filtered(filter, self.reads().get_database_backend())
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

    /// Returns the bots that have finished a game and are not banned, ordered by name regardless of case:
    /// at most `limit` after a name.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn bots_with_games(
        &self,
        after: Option<&str>,
        limit: u64,
    ) -> Result<Vec<User>, StoreError> {
        let played = Query::select()
            .expr(Expr::val(1))
            .from(rating::Entity)
            .and_where(
                Expr::col((rating::Entity, rating::Column::UserId))
                    .equals((user::Entity, user::Column::Id)),
            )
            .to_owned();
        let mut select = select()
            .filter(user::Column::Kind.eq(UserKind::Bot.as_str()))
            .filter(user::Column::BannedAt.is_null())
            .filter(Expr::exists(played))
            .order_by_asc(user::Column::Folded)
            .limit(signed(limit) as u64);
        if let Some(after) = after {
            select = select.filter(user::Column::Folded.gt(after.to_ascii_lowercase()));
        }
        let found = select.all(self.reads()).await?;
        found.into_iter().map(User::try_from).collect()
    }

    /// Returns the number of accounts that match the filter.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn count_users(&self, filter: &UserFilter) -> Result<u64, StoreError> {
        let backend = self.reads().get_database_backend();
        Ok(filtered(filter, backend).count(self.reads()).await?)
    }

    /// Changes a password unless somebody else has changed it: returns `false` if it is not `before`.
    /// Sessions are kept.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn replace_password(
        &self,
        id: i64,
        before: &PasswordHash,
        password: PasswordHash,
    ) -> Result<bool, StoreError> {
        let changed = user::Entity::update_many()
            .col_expr(user::Column::Password, Expr::value(password.0))
            .filter(user::Column::Id.eq(id))
            .filter(user::Column::Password.eq(&*before.0))
            .exec(self.writes())
            .await?;
        Ok(changed.rows_affected > 0)
    }

    /// Changes an account's declared level, which determines its initial rating in games it has not
    /// finished yet. Returns `false` if there is no such account.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn set_level(&self, id: i64, level: DeclaredLevel) -> Result<bool, StoreError> {
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

    /// Changes from whom an account takes challenges. Returns `false` if there is no such account.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn set_challenges_from(
        &self,
        id: i64,
        from: ChallengesFrom,
    ) -> Result<bool, StoreError> {
        let changed = user::ActiveModel {
            challenges_from: Set(Some(from.as_str().to_owned())),
            ..Default::default()
        };
        update(self.writes(), id, changed).await
    }

    /// Stores the settings of an account. Returns `false` if there is no such account.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn set_settings(&self, id: i64, settings: &str) -> Result<bool, StoreError> {
        let changed = user::ActiveModel {
            settings: Set(Some(storable(settings))),
            ..Default::default()
        };
        update(self.writes(), id, changed).await
    }
}

/// Returns the form of a valid name by which accounts are unique.
fn folded(name: &str) -> Result<String, StoreError> {
    if !User::is_valid_name(name) {
        return Err(StoreError::BadName);
    }
    Ok(name.to_ascii_lowercase())
}

/// Locks the row of an account until the transaction ends, so that two requests cannot both take the
/// last place of something that it may have only so many of. Returns `false` if there is no such account.
pub(crate) async fn lock_account(transaction: &Transaction, id: i64) -> Result<bool, DbErr> {
    let found = user::Entity::find_by_id(id).lock(LockType::Update);
    Ok(found.one(transaction).await?.is_some())
}

fn select() -> Select<user::Entity> {
    user::Entity::find()
}

/// Returns the query for the accounts that match the filter.
pub(crate) fn filtered(filter: &UserFilter, backend: DbBackend) -> Select<user::Entity> {
    let mut select = select();
    if let Some(text) = &filter.search {
        let mut found = Condition::any().add(contains(user::Column::Folded, text));
        if let Some(digits) = has_digits(user::Column::Id, text, backend) {
            found = found.add(digits);
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

/// Updates the columns that are set. Returns `false` if there is no such account.
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

/// Returns the declared levels of accounts by their ids; those that do not exist are missing.
pub(crate) async fn levels_of(
    db: &impl ConnectionTrait,
    ids: Vec<i64>,
) -> Result<HashMap<i64, DeclaredLevel>, DbErr> {
    let mut levels = HashMap::new();
    for ids in chunks(ids, |_| 0) {
        let found = user::Entity::find()
            .select_only()
            .columns([user::Column::Id, user::Column::Level])
            .filter(user::Column::Id.is_in(ids))
            .into_tuple::<(i64, Option<String>)>()
            .all(db)
            .await?;
        let level = |(id, level): (i64, Option<String>)| (id, parse_level(level.as_deref()));
        levels.extend(found.into_iter().map(level));
    }
    Ok(levels)
}

fn stored_level(level: DeclaredLevel) -> Option<String> {
    (level != DeclaredLevel::Undeclared).then(|| level.as_str().to_owned())
}

/// Parses a stored level; an unknown word counts as undeclared.
fn parse_level(stored: Option<&str>) -> DeclaredLevel {
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
            skeleton: Set(Some(User::skeleton(&user.name))),
            name: Set(user.name),
            password: Set(user.password.map(|hash| hash.0)),
            kind: Set(user.kind.as_str().to_owned()),
            owner: Set(user.owner),
            admin: Set(user.admin),
            level: Set(stored_level(user.level)),
            banned_at: Set(banned_at),
            ban_reason: Set(ban_reason),
            created_at: Set(user.created_at),
            challenges_from: Set(Some(user.challenges_from.as_str().to_owned())),
            settings: Set(user.settings),
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
            level: parse_level(row.level.as_deref()),
            ban: row.banned_at.map(|at| Ban {
                at,
                reason: row.ban_reason.unwrap_or_default(),
            }),
            created_at: row.created_at,
            challenges_from: ChallengesFrom::from_stored(row.challenges_from.as_deref()),
            settings: row.settings,
        })
    }
}
