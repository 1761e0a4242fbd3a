//! Closing of accounts: their games stay, their names go.

use std::collections::BTreeSet;

use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};
use serde_json::Value;

use crate::bans::{banned, end_sessions};
use crate::entity::{change, event, player, table, token, user};
use crate::notices::forget_notices_of;
use crate::transaction::{begin, commit};
use crate::users::{lock_account, update};
use crate::{
    AuditLine, Ban, ListPage, PlayerFilter, PlayerRole, RowStatus, Store, StoreError, User,
    UserKind,
};

/// Beginning of the names of closed accounts.
const CLOSED: &str = "gone-";
/// Reason of the ban of a closed account.
const REASON: &str = "this account is closed";

/// Outcome of closing an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// The account is closed.
    Closed,
    /// Nothing has changed: the account has a seat in a game that is not over.
    Playing,
    /// Nothing has changed: there is no such person, or the account is closed already.
    NoPerson,
}

impl User {
    /// Returns the name that an account has once it is closed.
    #[must_use]
    pub fn closed_name(id: i64) -> String {
        format!("{CLOSED}{id:x}")
    }

    /// Returns `true` for a name that only closed accounts have. Callers refuse it to new ones.
    #[must_use]
    pub fn is_closed_name(name: &str) -> bool {
        let beginning = name.get(..CLOSED.len());
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(CLOSED))
    }

    /// Returns `true` if the account is closed, for good.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.ban.is_some() && self.name == User::closed_name(self.id)
    }
}

impl Store {
    /// Closes the account of a person for good, with an audit line: its name is replaced by
    /// [`User::closed_name`], in its finished games, too; nobody can sign in to it any more, its tokens are
    /// revoked, its bots banned, and its addresses for notices forgotten. Games, ratings and results stay. `at`
    /// is the present time, in milliseconds since the Unix epoch. Closing can be repeated if it was
    /// interrupted.
    ///
    /// # Errors
    /// Returns the errors of every read and write; see [`Store::create_user`].
    pub async fn close_account(
        &self,
        id: i64,
        at: i64,
        audit: AuditLine,
    ) -> Result<Closing, StoreError> {
        let found = self.user(id).await?;
        let person = found.filter(|user| user.kind == UserKind::Person && !user.is_closed());
        let Some(person) = person else {
            return Ok(Closing::NoPerson);
        };
        if self.has_unfinished_game(id).await? {
            return Ok(Closing::Playing);
        }
        for table in self.tables_with_name(id).await? {
            self.rename_at_table(table, &person).await?;
        }
        self.rename_author(id, User::closed_name(id)).await?;
        let transaction = begin(self.writes()).await?;
        if !lock_account(&transaction, id).await? {
            return Ok(Closing::NoPerson);
        }
        let ban = || Ban {
            at,
            reason: REASON.to_owned(),
        };
        let closed = user::ActiveModel {
            name: Set(User::closed_name(id)),
            folded: Set(User::closed_name(id)),
            skeleton: Set(Some(User::skeleton(&User::closed_name(id)))),
            password: Set(None),
            admin: Set(false),
            settings: Set(None),
            ..banned(Some(ban()))
        };
        update(&transaction, id, closed).await?;
        end_sessions(&transaction, id).await?;
        forget_notices_of(&transaction, id).await?;
        token::Entity::update_many()
            .col_expr(token::Column::RevokedAt, Expr::value(at))
            .filter(token::Column::UserId.eq(id))
            .filter(token::Column::RevokedAt.is_null())
            .exec(&transaction)
            .await?;
        user::Entity::update_many()
            .set(banned(Some(ban())))
            .filter(user::Column::Owner.eq(id))
            .filter(user::Column::BannedAt.is_null())
            .exec(&transaction)
            .await?;
        commit(transaction, Some(audit)).await?;
        Ok(Closing::Closed)
    }

    async fn has_unfinished_game(&self, user: i64) -> Result<bool, StoreError> {
        let filter = PlayerFilter {
            statuses: vec![RowStatus::Open, RowStatus::Playing],
            roles: vec![PlayerRole::Seated],
        };
        let page = ListPage {
            before: None,
            limit: 1,
        };
        Ok(!self.tables_of(user, &filter, &page).await?.is_empty())
    }

    /// Returns the tables where an account has a seat, and those of which a result was counted for it: a
    /// bot may have its seat.
    async fn tables_with_name(&self, user: i64) -> Result<BTreeSet<i64>, StoreError> {
        let seated: Vec<i64> = player::Entity::find()
            .select_only()
            .column(player::Column::TableId)
            .filter(player::Column::UserId.eq(user))
            .into_tuple()
            .all(self.reads())
            .await?;
        let counted: Vec<i64> = change::Entity::find()
            .select_only()
            .column(change::Column::TableId)
            .filter(change::Column::UserId.eq(user))
            .into_tuple()
            .all(self.reads())
            .await?;
        Ok(seated.into_iter().chain(counted).collect())
    }

    /// Replaces the name of a person in the row and the events of a table whose game is over. The events keep
    /// it where moves were pushed with git.
    async fn rename_at_table(&self, id: i64, person: &User) -> Result<(), StoreError> {
        let transaction = begin(self.writes()).await?;
        let row = table::Entity::find_by_id(id)
            .lock(LockType::Update)
            .one(&transaction)
            .await?;
        let finished = [RowStatus::Over.as_str(), RowStatus::Aborted.as_str()];
        let Some(row) = row.filter(|row| finished.contains(&row.status.as_str())) else {
            return Ok(());
        };
        let name = User::closed_name(person.id);
        if let Some(seats) = replaced(&row.seats, |json| rename_in_seats(json, person, &name)) {
            table::Entity::update_many()
                .col_expr(table::Column::Seats, Expr::value(seats))
                .filter(table::Column::Id.eq(id))
                .exec(&transaction)
                .await?;
        }
        // Commits name those before them by hashes: they cannot be made again with another name.
        let commits = crate::entity::commit::Entity::find()
            .filter(crate::entity::commit::Column::TableId.eq(id))
            .count(&transaction)
            .await?;
        if commits > 0 {
            return commit(transaction, None).await;
        }
        let events = event::Entity::find()
            .filter(event::Column::TableId.eq(id))
            .order_by_asc(event::Column::Version)
            .all(&transaction)
            .await?;
        for event in events {
            let rename = |json: &mut Value| rename_in_event(json, person.id, &name);
            if let Some(body) = replaced(&event.body, rename) {
                event::Entity::update_many()
                    .col_expr(event::Column::Body, Expr::value(body))
                    .filter(event::Column::TableId.eq(id))
                    .filter(event::Column::Version.eq(event.version))
                    .exec(&transaction)
                    .await?;
            }
        }
        commit(transaction, None).await
    }
}

/// Changes a JSON text. Returns `None` if nothing in it has changed, or it is none.
fn replaced(text: &str, change: impl FnOnce(&mut Value) -> bool) -> Option<String> {
    let mut json: Value = serde_json::from_str(text).ok()?;
    change(&mut json).then(|| json.to_string())
}

/// Replaces the name of a person in the seats of a list. Returns true if it was there.
fn rename_in_seats(seats: &mut Value, person: &User, name: &str) -> bool {
    let mut is_changed = false;
    for seat in seats.as_array_mut().into_iter().flatten() {
        let is_member = seat["member"] == true;
        for key in ["name", "stands_in_for"] {
            let is_theirs = is_member || key == "stands_in_for";
            if is_theirs && seat.get(key).is_some_and(|old| *old == *person.name) {
                seat[key] = name.into();
                is_changed = true;
            }
        }
    }
    is_changed
}

/// Replaces the name of an account in each player of an event. Returns true if there was one.
fn rename_in_event(json: &mut Value, user: i64, name: &str) -> bool {
    match json {
        Value::Array(items) => items
            .iter_mut()
            .map(|item| rename_in_event(item, user, name))
            .fold(false, |any, one| any | one),
        Value::Object(fields) => {
            let is_theirs = fields.get("user").is_some_and(|id| *id == user);
            let mut is_changed = false;
            if is_theirs && let Some(old) = fields.get_mut("name") {
                *old = name.into();
                is_changed = true;
            }
            fields
                .values_mut()
                .map(|value| rename_in_event(value, user, name))
                .fold(is_changed, |any, one| any | one)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_longest_name_of_a_closed_account_is_valid() {
        let name = User::closed_name((1 << 53) - 1);
        assert!(User::is_valid_name(&name) && User::is_closed_name(&name));
        assert!(User::is_closed_name("GONE-7") && !User::is_closed_name("gone"));
        assert!(!User::is_closed_name("gon\u{e9}-7"));
    }

    #[test]
    fn a_name_goes_from_seats_and_events_and_other_names_stay() {
        let ann = User::new(7, "Ann", 0);
        let mut seats = json!([
            { "label": "X", "name": "Ann", "member": true },
            { "label": "O", "name": "Ann", "member": false },
            { "label": "Z", "name": "Level 3", "member": false, "stands_in_for": "Ann" },
        ]);
        assert!(rename_in_seats(&mut seats, &ann, "gone-7"));
        let names = |key: &str| -> Vec<Value> {
            let seats = seats.as_array().unwrap();
            seats.iter().map(|seat| seat[key].clone()).collect()
        };
        assert_eq!(names("name"), ["gone-7", "Ann", "Level 3"]);
        assert_eq!(names("stands_in_for")[2], "gone-7");
        let player = |name: &str, user: i64| json!({ "kind": "human", "name": name, "user": user });
        let mut created =
            json!({ "type": "created", "seats": [player("Ann", 7), player("Bob", 8)] });
        assert!(rename_in_event(&mut created, 7, "gone-7"));
        assert_eq!(
            created["seats"],
            json!([player("gone-7", 7), player("Bob", 8)])
        );
        let mut moved = json!({ "type": "moved", "move": "0,0", "user": 7 });
        assert!(!rename_in_event(&mut moved, 7, "gone-7"));
    }
}
