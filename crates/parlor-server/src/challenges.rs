//! Challenges: tables with a seat reserved for one member, who is invited to take it.

use parlor_store::{ChallengesFrom, ListPage, PlayerFilter, PlayerRole, RowStatus, TableRow, User};
use parlor_table::{Refusal, UserId};

use crate::AppState;
use crate::accounts::store_id;
use crate::auth::{Member, Requester};
use crate::error::Error;
use crate::tables::{CreateTableRequest, SeatRequest};

/// Number of challenges of one member to another that may wait for an answer.
pub(crate) const MAX_OPEN: usize = 3;
/// Number of a member's latest challenges, by anybody, among which they are counted.
const MAX_LOOKED_AT: u64 = 200;

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
        let found = found.and_then(|found| {
            let user = UserId::new(found.id.unsigned_abs()).ok()?;
            Some((found, user))
        });
        let (found, user) = found
            .ok_or_else(|| Error::unprocessable(format!("there is no member called {name:?}")))?;
        if user == challenger.id {
            return Err(Refusal::SamePlayerTwice.into());
        }
        if wanted.rated && found.owner == Some(store_id(challenger.id)) {
            return Err(Refusal::OwnBot.into());
        }
        self.check_welcome(challenger, &found).await?;
        // Counted again when the table is stored, because several may be made at once.
        if self.open_challenges(challenger, user).await? >= MAX_OPEN {
            return Err(too_many_open());
        }
        self.rates().challenge(challenger.id, user).await?;
        Ok(Some(user))
    }

    /// Fails unless a member takes challenges from the challenger.
    ///
    /// The setting comes before the block, so that whoever is blocked is refused like anybody else if
    /// others are refused, too.
    async fn check_welcome(&self, challenger: &Member, asked: &User) -> Result<(), Error> {
        let refused = |what: &str| {
            Err(Error::forbidden(
                "no-challenges",
                format!("{} takes {what}", asked.name),
            ))
        };
        let by = store_id(challenger.id);
        match asked.challenges_from {
            ChallengesFrom::Everybody => {}
            ChallengesFrom::PlayedWith => {
                if !self.store().have_played([by, asked.id]).await? {
                    return refused("challenges only from people they have played with");
                }
            }
            ChallengesFrom::Nobody => return refused("no challenges"),
        }
        let blocks = self.store().blocks_among(&[by, asked.id]).await?;
        if blocks.contains(&(asked.id, by)) {
            return refused("no challenges from you");
        }
        Ok(())
    }

    /// Returns how many challenges of one member to another wait for an answer.
    async fn open_challenges(&self, by: &Member, of: UserId) -> Result<usize, Error> {
        let filter = PlayerFilter {
            statuses: vec![RowStatus::Open],
            roles: vec![PlayerRole::Invited],
        };
        let page = ListPage {
            before: None,
            limit: MAX_LOOKED_AT,
        };
        let rows = self.store().tables_of(store_id(of), &filter, &page).await?;
        let is_by = |row: &TableRow| {
            let seats = row.seats.as_array().into_iter().flatten();
            let mut members = seats.filter(|seat| seat["member"] == true);
            members.any(|seat| seat["name"] == by.name.as_str())
        };
        Ok(rows.iter().filter(|(row, _)| is_by(row)).count())
    }
}

/// Returns the error for a challenge to a member who has not answered enough others.
pub(crate) fn too_many_open() -> Error {
    Error::unprocessable(format!(
        "{MAX_OPEN} of your challenges wait for this member: withdraw one, or wait for an answer"
    ))
}

/// Returns the invited account and its role, as the store keeps them.
pub(crate) fn invited_role(user: UserId) -> (i64, PlayerRole) {
    (
        i64::try_from(user.number()).expect("an id is below 2^53"),
        PlayerRole::Invited,
    )
}
