//! Accounts that others have blocked.

use std::collections::{BTreeSet, HashMap};

use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, JoinType, QueryFilter, QuerySelect, Set};

use crate::entity::{block, player, table, user};
use crate::lists::ListColumns;
use crate::statement::padded_ids;
use crate::{ListedAccount, PlayerRole, RowStatus, Store, StoreError};

/// Columns of the list of blocked accounts.
const COLUMNS: ListColumns<block::Column> = ListColumns {
    owner: block::Column::UserId,
    listed: block::Column::BlockedId,
    at: block::Column::At,
};

impl Store {
    /// Lets the account `user` block another one. Does nothing if it has already. Returns `false`, and
    /// blocks nothing, if it has `most` blocks or does not exist.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn block(
        &self,
        user: i64,
        blocked: i64,
        at: i64,
        most: u64,
    ) -> Result<bool, StoreError> {
        let row = block::ActiveModel {
            user_id: Set(user),
            blocked_id: Set(blocked),
            at: Set(at),
        };
        self.add_to_list::<block::Entity>(COLUMNS, [user, blocked], row, most)
            .await
    }

    /// Removes a block. Returns `false` if there was none.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn unblock(&self, user: i64, blocked: i64) -> Result<bool, StoreError> {
        self.remove_from_list::<block::Entity>(COLUMNS, [user, blocked])
            .await
    }

    /// Returns the accounts that an account has blocked, latest block first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn blocks_of(&self, user: i64) -> Result<Vec<ListedAccount>, StoreError> {
        self.list_of::<block::Entity>(COLUMNS, user).await
    }

    /// Returns true if an account itself has blocked another one; its owner's blocks do not count.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn has_blocked(&self, user: i64, blocked: i64) -> Result<bool, StoreError> {
        let found = block::Entity::find_by_id((user, blocked));
        Ok(found.one(self.reads()).await?.is_some())
    }

    /// Returns the blocks in force among these accounts, each as the account that blocks and the one
    /// that is blocked. A block of or by a member is also in force for the member's bots.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn blocks_among(&self, users: &[i64]) -> Result<BTreeSet<(i64, i64)>, StoreError> {
        let mut bots_and_owners = Vec::new();
        for users in users.chunks(1_000) {
            let bots = user::Entity::find()
                .select_only()
                .columns([user::Column::Id, user::Column::Owner])
                .filter(user::Column::Id.is_in(padded_ids(users.to_vec())))
                .filter(user::Column::Owner.is_not_null())
                .into_tuple::<(i64, i64)>();
            bots_and_owners.extend(bots.all(self.reads()).await?);
        }
        // The accounts that each account stands for: itself, and its bots among `users`.
        let mut for_account: HashMap<i64, Vec<i64>> =
            users.iter().map(|user| (*user, vec![*user])).collect();
        for (bot, owner) in bots_and_owners {
            for_account.entry(owner).or_default().push(bot);
        }
        let ids: Vec<i64> = for_account.keys().copied().collect();
        let mut in_force = BTreeSet::new();
        for by in ids.chunks(1_000) {
            for of in ids.chunks(1_000) {
                let found = block::Entity::find()
                    .filter(block::Column::UserId.is_in(padded_ids(by.to_vec())))
                    .filter(block::Column::BlockedId.is_in(padded_ids(of.to_vec())))
                    .all(self.reads())
                    .await?;
                for block in found {
                    let stands_for = |id| for_account.get(&id).into_iter().flatten().copied();
                    for by in stands_for(block.user_id) {
                        in_force.extend(stands_for(block.blocked_id).map(|of| (by, of)));
                    }
                }
            }
        }
        Ok(in_force)
    }

    /// Returns true if two accounts were seated at a table whose game has ended.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn have_played(&self, users: [i64; 2]) -> Result<bool, StoreError> {
        let seated = PlayerRole::Seated.as_str();
        let mut query = Query::select();
        query
            .expr(Expr::val(1))
            .from_as(player::Entity, "one")
            .join_as(
                JoinType::InnerJoin,
                player::Entity,
                "other",
                Expr::col(("one", player::Column::TableId))
                    .equals(("other", player::Column::TableId)),
            )
            .inner_join(
                table::Entity,
                Expr::col(("one", player::Column::TableId))
                    .equals((table::Entity, table::Column::Id)),
            )
            .and_where(Expr::col(("one", player::Column::UserId)).eq(users[0]))
            .and_where(Expr::col(("other", player::Column::UserId)).eq(users[1]))
            .and_where(Expr::col(("one", player::Column::Role)).eq(seated))
            .and_where(Expr::col(("other", player::Column::Role)).eq(seated))
            .and_where(
                Expr::col((table::Entity, table::Column::Status)).eq(RowStatus::Over.as_str()),
            )
            .limit(1);
        Ok(self.reads().query_one(&query).await?.is_some())
    }
}
