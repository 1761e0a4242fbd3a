//! Notices to members who have no page open: what they want to hear of, and where it is sent.
//!
//! Times are those of the caller, in milliseconds since the Unix epoch.

mod delivery;
mod entity;
mod sources;

use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, Set};

use self::entity::{house_key, notice, target, wish};
use crate::entity::counter;
use crate::search::storable;
use crate::statement::padded_ids;
use crate::transaction::{Transaction, begin, commit};
use crate::users::lock_account;
use crate::{Store, StoreError};

pub use self::delivery::{Delivery, DueNotice, TargetClaim};
pub use self::sources::{HeardMessage, NewNotice};

/// News that a member wants to hear of, and times for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeWishes {
    /// Kinds of news, in the application's words, separated by spaces; at most 100 characters.
    pub kinds: String,
    /// Minutes that the member's clock is ahead of UTC.
    pub utc_offset: i32,
    /// Beginning and end of the quiet hours, in minutes after midnight of the member's clock.
    pub quiet: Option<[i32; 2]>,
    /// Time of the day at which everything is sent together, in minutes after midnight of the member's
    /// clock; `None` sends at once.
    pub digest_at: Option<i32>,
}

/// A member with wishes, and how far the member's news were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeReader {
    /// Account of the member.
    pub user: i64,
    /// News that the member wants to hear of.
    pub wishes: NoticeWishes,
    /// Number of the last note of the account's log that was read.
    pub last_note: u64,
    /// Time up to which the member's tables and their talk were read.
    pub seen_at: i64,
    /// Address that was removed because it did not take notices any more, in words.
    pub gone: Option<String>,
    revision: i64,
}

/// Address to which a member's notices are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeTarget {
    /// Number of the address, chosen by the application.
    pub id: i64,
    /// Account of the member.
    pub user: i64,
    /// Kind of address, in the application's word; at most 16 characters.
    pub kind: String,
    /// Address; at most 2,000 characters.
    pub address: String,
    /// Keys of a browser that takes encrypted messages; at most 300 characters.
    pub push_keys: Option<String>,
    /// Secret by which whoever gets a notice can stop more of them; at most 64 characters.
    pub stop: String,
    /// Time at which it was added.
    pub created_at: i64,
    /// Time at which something was last sent.
    pub sent_at: Option<i64>,
    /// Number of failures since then.
    pub failures: i32,
    /// Time of the first of them.
    pub failing_since: Option<i64>,
    /// Time at which all of its quota has come back.
    pub full_at: i64,
}

impl NoticeTarget {
    /// Creates an address of a member to which nothing was sent yet.
    #[must_use]
    pub fn new(id: i64, user: i64, kind: &str, address: String, created_at: i64) -> Self {
        Self {
            id,
            user,
            kind: kind.to_owned(),
            address,
            push_keys: None,
            stop: String::new(),
            created_at,
            sent_at: None,
            failures: 0,
            failing_since: None,
            full_at: 0,
        }
    }
}

impl Store {
    /// Stores what a member wants to hear of. News are read from now on, if they were not before. Returns
    /// `false` if there is no such account.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn set_notice_wishes(
        &self,
        user: i64,
        wishes: &NoticeWishes,
        now: i64,
    ) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        if !lock_account(&transaction, user).await? {
            return Ok(false);
        }
        begin_reading(&transaction, user, wishes, now).await?;
        let changed = wish::ActiveModel {
            gone: Set(None),
            ..columns(wishes)
        };
        wish::Entity::update_many()
            .set(changed)
            .filter(wish::Column::UserId.eq(user))
            .exec(&transaction)
            .await?;
        commit(transaction, None).await?;
        Ok(true)
    }

    /// Adds an address of a member, or gives the same address its new keys, and returns its number. Returns
    /// `None`, and adds nothing, if the member has `most` addresses or does not exist. `usual` is what a
    /// member wants to hear of who has no wishes yet.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn add_notice_target(
        &self,
        new: NoticeTarget,
        usual: &NoticeWishes,
        most: u64,
    ) -> Result<Option<i64>, StoreError> {
        let transaction = begin(self.writes()).await?;
        if !lock_account(&transaction, new.user).await? {
            return Ok(None);
        }
        begin_reading(&transaction, new.user, usual, new.created_at).await?;
        let own = || target::Entity::find().filter(target::Column::UserId.eq(new.user));
        let known = own().all(&transaction).await?;
        let known = known.iter().find(|row| row.address == new.address);
        let id = match known {
            Some(known) => {
                let keys = target::ActiveModel {
                    push_keys: Set(new.push_keys),
                    failures: Set(0),
                    failing_since: Set(None),
                    retry_at: Set(0),
                    ..Default::default()
                };
                target::Entity::update_many()
                    .set(keys)
                    .filter(target::Column::Id.eq(known.id))
                    .exec(&transaction)
                    .await?;
                known.id
            }
            None if own().count(&transaction).await? >= most => return Ok(None),
            None => {
                let id = new.id;
                target::Entity::insert(row(new))
                    .exec_without_returning(&transaction)
                    .await?;
                id
            }
        };
        commit(transaction, None).await?;
        Ok(Some(id))
    }

    /// Returns a member's wishes; `None` if the member has none.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn notice_reader(&self, user: i64) -> Result<Option<NoticeReader>, StoreError> {
        let found = wish::Entity::find_by_id(user).one(self.reads()).await?;
        Ok(found.map(NoticeReader::from))
    }

    /// Returns the addresses of these members, oldest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn notice_targets(&self, users: &[i64]) -> Result<Vec<NoticeTarget>, StoreError> {
        let found = target::Entity::find()
            .filter(target::Column::UserId.is_in(padded_ids(users.to_vec())))
            .order_by_asc(target::Column::CreatedAt)
            .order_by_asc(target::Column::Id)
            .all(self.reads())
            .await?;
        Ok(found.into_iter().map(NoticeTarget::from).collect())
    }

    /// Removes an address of a member, with what waits for it. Returns `false` if there was none.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn remove_notice_target(&self, user: i64, id: i64) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let is_removed = remove_target(&transaction, user, id).await?;
        commit(transaction, None).await?;
        Ok(is_removed)
    }

    /// Returns the address with this secret.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn notice_target_to_stop(
        &self,
        stop: &str,
    ) -> Result<Option<NoticeTarget>, StoreError> {
        let found = target::Entity::find()
            .filter(target::Column::Stop.eq(storable(stop)))
            .one(self.reads())
            .await?;
        Ok(found.map(NoticeTarget::from))
    }

    /// Forgets a member's wishes, addresses and all that waits to be sent.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn end_notices(&self, user: i64) -> Result<(), StoreError> {
        let transaction = begin(self.writes()).await?;
        forget_notices_of(&transaction, user).await?;
        commit(transaction, None).await
    }

    /// Returns the key of the house with this name. If there is none, `new` becomes it.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn house_key(&self, name: &str, new: &str) -> Result<String, StoreError> {
        let row = house_key::ActiveModel {
            name: Set(name.to_owned()),
            value: Set(new.to_owned()),
        };
        let known = OnConflict::column(house_key::Column::Name)
            .do_nothing_on([house_key::Column::Name])
            .to_owned();
        house_key::Entity::insert(row)
            .on_conflict(known)
            .exec_without_returning(self.writes())
            .await?;
        let found = house_key::Entity::find_by_id(name.to_owned());
        let found = found.one(self.writes()).await?;
        Ok(found.ok_or(StoreError::NotFound)?.value)
    }
}

/// Forgets all notices of an account that is closed.
pub(crate) async fn forget_notices_of(transaction: &Transaction, user: i64) -> Result<(), DbErr> {
    notice::Entity::delete_many()
        .filter(notice::Column::UserId.eq(user))
        .exec(transaction)
        .await?;
    target::Entity::delete_many()
        .filter(target::Column::UserId.eq(user))
        .exec(transaction)
        .await?;
    wish::Entity::delete_many()
        .filter(wish::Column::UserId.eq(user))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Removes an address of a member, with what waits for it. Returns `false` if there was none.
async fn remove_target(transaction: &Transaction, user: i64, id: i64) -> Result<bool, DbErr> {
    let deleted = target::Entity::delete_many()
        .filter(target::Column::Id.eq(id))
        .filter(target::Column::UserId.eq(user))
        .exec(transaction)
        .await?;
    if deleted.rows_affected == 0 {
        return Ok(false);
    }
    notice::Entity::delete_many()
        .filter(notice::Column::TargetId.eq(id))
        .exec(transaction)
        .await?;
    Ok(true)
}

/// Gives a member wishes who has none: what happened before is not told.
async fn begin_reading(
    transaction: &Transaction,
    user: i64,
    wishes: &NoticeWishes,
    now: i64,
) -> Result<(), DbErr> {
    let known = wish::Entity::find_by_id(user).one(transaction).await?;
    if known.is_some() {
        return Ok(());
    }
    let end = counter::Entity::find_by_id(user).one(transaction).await?;
    let row = wish::ActiveModel {
        user_id: Set(user),
        last_note: Set(end.map_or(0, |end| end.n)),
        seen_at: Set(now),
        revision: Set(0),
        gone: Set(None),
        ..columns(wishes)
    };
    wish::Entity::insert(row)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// Returns the columns of wishes.
fn columns(wishes: &NoticeWishes) -> wish::ActiveModel {
    wish::ActiveModel {
        kinds: Set(storable(&wishes.kinds)),
        utc_offset: Set(wishes.utc_offset),
        quiet_from: Set(wishes.quiet.map(|[from, _]| from)),
        quiet_to: Set(wishes.quiet.map(|[_, to]| to)),
        digest_at: Set(wishes.digest_at),
        ..Default::default()
    }
}

/// Returns the row of a new address.
fn row(new: NoticeTarget) -> target::ActiveModel {
    target::ActiveModel {
        id: Set(new.id),
        user_id: Set(new.user),
        kind: Set(new.kind),
        address: Set(storable(&new.address)),
        push_keys: Set(new.push_keys),
        stop: Set(new.stop),
        created_at: Set(new.created_at),
        sent_at: Set(None),
        failures: Set(0),
        failing_since: Set(None),
        retry_at: Set(0),
        full_at: Set(0),
        node: Set(0),
        lease_until: Set(0),
    }
}

impl From<wish::Model> for NoticeReader {
    fn from(row: wish::Model) -> Self {
        let quiet = row.quiet_from.zip(row.quiet_to);
        Self {
            user: row.user_id,
            wishes: NoticeWishes {
                kinds: row.kinds,
                utc_offset: row.utc_offset,
                quiet: quiet.map(|(from, to)| [from, to]),
                digest_at: row.digest_at,
            },
            last_note: row.last_note.unsigned_abs(),
            seen_at: row.seen_at,
            gone: row.gone,
            revision: row.revision,
        }
    }
}

impl From<target::Model> for NoticeTarget {
    fn from(row: target::Model) -> Self {
        Self {
            id: row.id,
            user: row.user_id,
            kind: row.kind,
            address: row.address,
            push_keys: row.push_keys,
            stop: row.stop,
            created_at: row.created_at,
            sent_at: row.sent_at,
            failures: row.failures,
            failing_since: row.failing_since,
            full_at: row.full_at,
        }
    }
}
