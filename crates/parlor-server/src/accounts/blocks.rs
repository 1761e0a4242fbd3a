//! Members that a member has blocked, and from whom a member takes challenges.

use parlor_store::ChallengesFrom;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::store_id;
use crate::AppState;
use crate::auth::Member;
use crate::error::Error;

/// Maximum number of blocks per account.
const MAX_PER_ACCOUNT: u64 = 500;

/// From whom a member takes challenges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChallengeSource {
    /// From every member.
    Everybody,
    /// From members with whom the member has finished a game.
    PlayedWith,
    /// From no member.
    Nobody,
}

impl ChallengeSource {
    /// All settings, the most open one first.
    pub(crate) const ALL: [ChallengeSource; 3] = [
        ChallengeSource::Everybody,
        ChallengeSource::PlayedWith,
        ChallengeSource::Nobody,
    ];

    /// Returns the name of the setting, as in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ChallengeSource::Everybody => "everybody",
            ChallengeSource::PlayedWith => "played_with",
            ChallengeSource::Nobody => "nobody",
        }
    }
}

impl From<ChallengesFrom> for ChallengeSource {
    fn from(from: ChallengesFrom) -> ChallengeSource {
        match from {
            ChallengesFrom::Everybody => ChallengeSource::Everybody,
            ChallengesFrom::PlayedWith => ChallengeSource::PlayedWith,
            ChallengesFrom::Nobody => ChallengeSource::Nobody,
        }
    }
}

impl From<ChallengeSource> for ChallengesFrom {
    fn from(source: ChallengeSource) -> ChallengesFrom {
        match source {
            ChallengeSource::Everybody => ChallengesFrom::Everybody,
            ChallengeSource::PlayedWith => ChallengesFrom::PlayedWith,
            ChallengeSource::Nobody => ChallengesFrom::Nobody,
        }
    }
}

/// A member that you have blocked.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BlockInfo {
    /// Name of the blocked member.
    pub(crate) name: String,
    /// Time of the block, in milliseconds since the Unix epoch.
    pub(crate) blocked_at: i64,
}

impl AppState {
    /// Blocks a member for another one.
    pub(crate) async fn block(&self, member: &Member, name: &str) -> Result<(), Error> {
        let blocked = self.find_user(name).await?;
        let user = store_id(member.id);
        if blocked.id == user {
            return Err(Error::unprocessable("you cannot block yourself"));
        }
        let now = self.now().millis();
        let is_stored = self
            .store()
            .block(user, blocked.id, now, MAX_PER_ACCOUNT)
            .await?;
        if is_stored {
            return Ok(());
        }
        Err(Error::unprocessable(format!(
            "a member can block at most {MAX_PER_ACCOUNT} others; unblock some first"
        )))
    }

    /// Removes a member's block of another one.
    pub(crate) async fn unblock(&self, member: &Member, name: &str) -> Result<(), Error> {
        let blocked = self.find_user(name).await?;
        if self
            .store()
            .unblock(store_id(member.id), blocked.id)
            .await?
        {
            return Ok(());
        }
        Err(Error::not_found("you have not blocked this member"))
    }

    /// Returns the members that a member has blocked, latest block first.
    pub(crate) async fn blocks(&self, member: &Member) -> Result<Vec<BlockInfo>, Error> {
        let blocked = self.store().blocks_of(store_id(member.id)).await?;
        let blocked = blocked.into_iter().map(|blocked| BlockInfo {
            name: blocked.name,
            blocked_at: blocked.at,
        });
        Ok(blocked.collect())
    }

    /// Changes from whom a member takes challenges.
    pub(crate) async fn set_challenges_from(
        &self,
        member: &Member,
        source: ChallengeSource,
    ) -> Result<(), Error> {
        let changed = self
            .store()
            .set_challenges_from(store_id(member.id), source.into());
        let gone = || Error::not_found("the account no longer exists");
        changed.await?.then_some(()).ok_or_else(gone)
    }

    /// Returns from whom a member takes challenges.
    pub(crate) async fn challenges_from(&self, member: &Member) -> Result<ChallengeSource, Error> {
        let user = self.store().user(store_id(member.id)).await?;
        let user = user.ok_or_else(|| Error::not_found("the account no longer exists"))?;
        Ok(user.challenges_from.into())
    }
}
