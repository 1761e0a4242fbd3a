//! Challenges: a table with a seat for one member, who is asked to take it.

use parlor_store::Role;
use parlor_table::{Refused, UserId};

use crate::AppState;
use crate::auth::Who;
use crate::error::Error;
use crate::tables::{Wanted, WantedSeat};

impl AppState {
    /// The member who is asked to a table that is wanted, if there is one.
    pub(crate) async fn challenged(
        &self,
        wanted: &Wanted,
        who: &Who,
    ) -> Result<Option<UserId>, Error> {
        let mut names = wanted.seats.iter().flatten().filter_map(|seat| match seat {
            WantedSeat::Player { name } => Some(name),
            _ => None,
        });
        let Some(name) = names.next() else {
            return Ok(None);
        };
        if names.next().is_some() {
            return Err(Error::unprocessable(
                "one player can be challenged at a time",
            ));
        }
        let missing =
            || Error::forbidden("members-only", "only members can challenge others: sign in");
        let challenger = who.account().ok_or_else(missing)?;
        let found = self
            .store()
            .user_by_name(name.trim())
            .await?
            .filter(|user| user.ban.is_none());
        let user = found.and_then(|user| UserId::new(user.id.unsigned_abs()).ok());
        let user =
            user.ok_or_else(|| Error::unprocessable(format!("nobody here is called {name:?}")))?;
        if user == challenger.id {
            return Err(Refused::AgainstOneself.into());
        }
        Ok(Some(user))
    }
}

/// The account that is asked to a table, as the store keeps it.
pub(crate) fn role(user: UserId) -> (i64, Role) {
    (
        i64::try_from(user.number()).expect("an id is below 2^53"),
        Role::Invited,
    )
}
