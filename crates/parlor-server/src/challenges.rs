//! Challenges: tables with a seat reserved for one member, who is invited to take it.

use parlor_store::PlayerRole;
use parlor_table::{Refusal, UserId};

use crate::AppState;
use crate::auth::Requester;
use crate::error::Error;
use crate::tables::{CreateTableRequest, SeatRequest};

impl AppState {
    /// Returns the member that a table request challenges, if any.
    pub(crate) async fn challenged_member(
        &self,
        wanted: &CreateTableRequest,
        who: &Requester,
    ) -> Result<Option<UserId>, Error> {
        let mut names = wanted.seats.iter().flatten().filter_map(|seat| match seat {
            SeatRequest::Player { name } => Some(name),
            _ => None,
        });
        let Some(name) = names.next() else {
            return Ok(None);
        };
        if names.next().is_some() {
            return Err(Error::unprocessable(
                "only one player can be challenged at a time",
            ));
        }
        let missing =
            || Error::forbidden("members-only", "only members can challenge others: sign in");
        let challenger = who.member().ok_or_else(missing)?;
        let found = self
            .store()
            .user_by_name(name.trim())
            .await?
            .filter(|user| user.ban.is_none());
        let user = found.and_then(|user| UserId::new(user.id.unsigned_abs()).ok());
        let user = user
            .ok_or_else(|| Error::unprocessable(format!("there is no member called {name:?}")))?;
        if user == challenger.id {
            return Err(Refusal::SamePlayerTwice.into());
        }
        self.rates().challenge(challenger.id, user).await?;
        Ok(Some(user))
    }
}

/// Returns the invited account and its role, as the store keeps them.
pub(crate) fn invited_role(user: UserId) -> (i64, PlayerRole) {
    (
        i64::try_from(user.number()).expect("an id is below 2^53"),
        PlayerRole::Invited,
    )
}
