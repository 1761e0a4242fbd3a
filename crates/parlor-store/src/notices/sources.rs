//! News of members who want notices, from where they are stored to the addresses that they go to.

use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, Order, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Set,
};

use super::entity::{notice, target, wish};
use super::{NoticeReader, NoticeTarget};
use crate::entity::player;
use crate::search::storable;
use crate::statement::padded_ids;
use crate::talk::message;
use crate::transaction::{begin, commit};
use crate::{PlayerRole, Store, StoreError, TalkRoom};

/// Maximum number of messages that are read at once.
const MAX_MESSAGES: u64 = 500;

/// A notice to be sent to each address of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNotice {
    /// Name of what happened, the same whoever reads it: at most 80 characters.
    pub source: String,
    /// Time of what happened.
    pub at: i64,
    /// Time from which on it may be sent.
    pub due_at: i64,
    /// Kind of news, in the application's word; at most 16 characters.
    pub kind: String,
    /// Table that it is about.
    pub table: Option<i64>,
    /// Text; at most 1,000 characters.
    pub text: String,
}

/// A message that somebody else has written at a table of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardMessage {
    /// Account of the member who may read it.
    pub reader: i64,
    /// Table.
    pub table: i64,
    /// Number of the message.
    pub n: i64,
    /// Time of the message.
    pub at: i64,
    /// Account of the author, if that is a member.
    pub author: Option<i64>,
    /// Name of the author.
    pub name: String,
}

impl Store {
    /// Returns those of these accounts that have wishes.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn notice_readers(&self, users: &[i64]) -> Result<Vec<NoticeReader>, StoreError> {
        let found = wish::Entity::find()
            .filter(wish::Column::UserId.is_in(padded_ids(users.to_vec())))
            .all(self.reads())
            .await?;
        Ok(found.into_iter().map(NoticeReader::from).collect())
    }

    /// Returns at most `limit` members with wishes whose news were not read since `before`, those who wait
    /// the longest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn unseen_notice_readers(
        &self,
        before: i64,
        limit: u64,
    ) -> Result<Vec<NoticeReader>, StoreError> {
        let found = wish::Entity::find()
            .filter(wish::Column::SeenAt.lt(before))
            .order_by_asc(wish::Column::SeenAt)
            .limit(limit)
            .all(self.reads())
            .await?;
        Ok(found.into_iter().map(NoticeReader::from).collect())
    }

    /// Returns the messages since a time in the players' rooms of the tables where these members have a seat,
    /// but their own: at most 500, oldest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn talk_heard_by(
        &self,
        users: &[i64],
        since: i64,
    ) -> Result<Vec<HeardMessage>, StoreError> {
        use message::Column::{At, N, Name, Room, TableId, UserId};
        let author = Expr::col((message::Entity, UserId));
        let reader = Expr::col((player::Entity, player::Column::UserId));
        let mut query = Query::select();
        query
            .expr_as(reader.clone(), "reader")
            .columns([TableId, N, At, Name].map(|column| (message::Entity, column)))
            .expr_as(author.clone(), "author")
            .from(message::Entity)
            .inner_join(
                player::Entity,
                Expr::col((player::Entity, player::Column::TableId))
                    .equals((message::Entity, TableId)),
            )
            .and_where(Expr::col((message::Entity, At)).gte(since))
            .and_where(Expr::col((message::Entity, Room)).eq(TalkRoom::Players.as_str()))
            .and_where(reader.clone().is_in(padded_ids(users.to_vec())))
            .and_where(
                Expr::col((player::Entity, player::Column::Role)).eq(PlayerRole::Seated.as_str()),
            )
            .and_where(author.clone().is_null().or(author.ne(reader)))
            .order_by((message::Entity, At), Order::Asc)
            .limit(MAX_MESSAGES);
        let found = self.reads().query_all(&query).await?;
        let heard = found.iter().map(|row| -> Result<HeardMessage, StoreError> {
            Ok(HeardMessage {
                reader: row.try_get_by_index(0)?,
                table: row.try_get_by_index(1)?,
                n: row.try_get_by_index(2)?,
                at: row.try_get_by_index(3)?,
                name: row.try_get_by_index(4)?,
                author: row.try_get_by_index(5)?,
            })
        });
        heard.collect()
    }

    /// Says that the news of these members were read up to a time, and that there were none.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn saw_no_news(&self, users: &[i64], seen_at: i64) -> Result<(), StoreError> {
        wish::Entity::update_many()
            .col_expr(wish::Column::SeenAt, Expr::value(seen_at))
            .filter(wish::Column::UserId.is_in(padded_ids(users.to_vec())))
            .filter(wish::Column::SeenAt.lt(seen_at))
            .exec(self.writes())
            .await?;
        Ok(())
    }

    /// Stores what a member is to be told, once for each of these addresses, and that the member's news were
    /// read up to the note `last_note` and the time `seen_at`. What waits already or was sent lately is not
    /// stored again; nor is anything for an address for which `most` notices wait. Returns `false`, and
    /// stores nothing, if another process has read the news meanwhile.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn add_notices(
        &self,
        reader: &NoticeReader,
        last_note: u64,
        seen_at: i64,
        targets: &[&NoticeTarget],
        notices: &[NewNotice],
        most: u64,
    ) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let updated = wish::Entity::update_many()
            .col_expr(wish::Column::LastNote, Expr::value(last_note.cast_signed()))
            .col_expr(wish::Column::SeenAt, Expr::value(seen_at))
            .col_expr(wish::Column::Revision, Expr::value(reader.revision + 1))
            .filter(wish::Column::UserId.eq(reader.user))
            .filter(wish::Column::Revision.eq(reader.revision))
            .exec(&transaction)
            .await?;
        if updated.rows_affected == 0 {
            return Ok(false);
        }
        let known = OnConflict::columns([notice::Column::TargetId, notice::Column::Source])
            .do_nothing_on([notice::Column::TargetId, notice::Column::Source])
            .to_owned();
        for target in targets {
            let waiting = notice::Entity::find()
                .filter(notice::Column::TargetId.eq(target.id))
                .filter(notice::Column::DueAt.is_not_null())
                .count(&transaction)
                .await?;
            // An address that was removed meanwhile gets nothing.
            let is_there = target::Entity::find_by_id(target.id).one(&transaction);
            if is_there.await?.is_none() {
                continue;
            }
            let room = usize::try_from(most.saturating_sub(waiting)).unwrap_or(usize::MAX);
            let rows: Vec<_> = notices
                .iter()
                .take(room)
                .map(|new| row(target, new))
                .collect();
            if rows.is_empty() {
                continue;
            }
            notice::Entity::insert_many(rows)
                .on_conflict(known.clone())
                .exec_without_returning(&transaction)
                .await?;
        }
        commit(transaction, None).await?;
        Ok(true)
    }
}

fn row(target: &NoticeTarget, new: &NewNotice) -> notice::ActiveModel {
    notice::ActiveModel {
        target_id: Set(target.id),
        source: Set(new.source.clone()),
        user_id: Set(target.user),
        at: Set(new.at),
        due_at: Set(Some(new.due_at)),
        kind: Set(new.kind.clone()),
        table_id: Set(new.table),
        text: Set(storable(&new.text)),
    }
}
