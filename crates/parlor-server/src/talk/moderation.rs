//! Reports of messages, members that others mute, and the end of old messages.

use std::time::Duration;

use parlor_store::{NewTalkReport, ReportResult, StoreError, TalkPerson};
use parlor_table::{SeatKey, TableId, UserId};
use serde::{Deserialize, Serialize};
use tokio::time::{MissedTickBehavior, interval};
use utoipa::ToSchema;

use super::{Room, guest_name, person_key, text};
use crate::AppState;
use crate::accounts::store_id;
use crate::auth::{Member, Requester};
use crate::edge::Client;
use crate::error::Error;
use crate::live::table_key;

/// Maximum number of members that a member can mute.
const MAX_MUTES: u64 = 500;
/// Interval at which old messages are deleted.
const SWEEP_EVERY: Duration = Duration::from_secs(3_600);
const DAY_MS: i64 = 86_400_000;

/// Reason of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReportReason {
    /// Insults, threats or hate.
    Abuse,
    /// Advertising, or the same again and again.
    Spam,
    /// Advice to a player during the game.
    Cheating,
    /// Something else, which the note tells.
    Other,
}

impl ReportReason {
    /// All reasons, in the order in which they are offered.
    pub(crate) const ALL: [ReportReason; 4] = [
        ReportReason::Abuse,
        ReportReason::Spam,
        ReportReason::Cheating,
        ReportReason::Other,
    ];

    /// Returns the name, as in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ReportReason::Abuse => "abuse",
            ReportReason::Spam => "spam",
            ReportReason::Cheating => "cheating",
            ReportReason::Other => "other",
        }
    }

    /// Returns the reason in words.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            ReportReason::Abuse => "Insults or threats",
            ReportReason::Spam => "Spam",
            ReportReason::Cheating => "Advice to a player",
            ReportReason::Other => "Something else",
        }
    }
}

/// Report of a message to the admins.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportRequest {
    pub(crate) reason: ReportReason,
    /// Remark for the admins.
    #[schema(max_length = 200)]
    pub(crate) note: Option<String>,
}

/// A member that you have muted.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MuteInfo {
    /// Name of the muted member.
    pub(crate) name: String,
    /// Time of the mute, in milliseconds since the Unix epoch.
    pub(crate) muted_at: i64,
}

impl AppState {
    /// Reports a message to the admins. Reporting it again changes nothing.
    pub(crate) async fn report_talk(
        &self,
        id: TableId,
        who: &Requester,
        client: Client,
        n: i64,
        report: ReportRequest,
    ) -> Result<(), Error> {
        let rights = self.talk_rights(id, Some(who)).await?;
        let message = self.store().talk_message(table_key(id), n).await?;
        let message = message.filter(|message| rights.may_read(Room::from(message.room)));
        let missing = || Error::not_found("there is no such message");
        let message = message.ok_or_else(missing)?;
        if message.phrase.is_some() {
            let detail = "ready-made phrases cannot be reported; you can mute their author";
            return Err(Error::unprocessable(detail));
        }
        let person = rights.person(Some(who));
        let person = person.ok_or_else(|| Error::internal("a person who reports has no key"))?;
        if person.key == message.author.key {
            return Err(Error::unprocessable("you cannot report yourself"));
        }
        let note = report.note.as_deref().map(str::trim).unwrap_or_default();
        if !note.is_empty() {
            text::checked(note)?;
        }
        if let Some(key) = who.keys().next() {
            self.rates().report(client, key).await?;
        }
        let name = person.name.unwrap_or_else(|| guest_name(id, &person.key));
        let new = NewTalkReport {
            table: table_key(id),
            n,
            at: self.now().millis(),
            reporter: TalkPerson {
                key: person.key,
                user: person.user,
                name,
            },
            reason: report.reason.name().to_owned(),
            note: note.to_owned(),
        };
        match self.store().report_talk(&new).await? {
            ReportResult::Stored => {
                metrics::counter!("parlor_talk_reports_total").increment(1);
                tracing::info!(table = %id, reason = new.reason, "a message was reported");
                Ok(())
            }
            ReportResult::Known => Ok(()),
            ReportResult::NoMessage => Err(missing()),
        }
    }

    /// Mutes a member for another one.
    pub(crate) async fn mute(&self, member: &Member, name: &str) -> Result<(), Error> {
        let muted = self.find_user(name).await?;
        let user = store_id(member.id);
        if muted.id == user {
            return Err(Error::unprocessable("you cannot mute yourself"));
        }
        let now = self.now().millis();
        if self.store().mute(user, muted.id, now, MAX_MUTES).await? {
            return Ok(());
        }
        Err(Error::unprocessable(format!(
            "a member can mute at most {MAX_MUTES} others; unmute some first"
        )))
    }

    /// Removes a member's mute of another one.
    pub(crate) async fn unmute(&self, member: &Member, name: &str) -> Result<(), Error> {
        let muted = self.find_user(name).await?;
        if self.store().unmute(store_id(member.id), muted.id).await? {
            return Ok(());
        }
        Err(Error::not_found("you have not muted this member"))
    }

    /// Returns the members that a member has muted, latest mute first.
    pub(crate) async fn mutes(&self, member: &Member) -> Result<Vec<MuteInfo>, Error> {
        let muted = self.store().mutes_of(store_id(member.id)).await?;
        let muted = muted.into_iter().map(|muted| MuteInfo {
            name: muted.name,
            muted_at: muted.at,
        });
        Ok(muted.collect())
    }
}

/// Returns the key under which an account writes at tables; `None` for an id that no account has.
///
/// [`Store::silence`](parlor_store::Store::silence) silences the person with this key.
pub fn talk_key(user: i64) -> Option<String> {
    let user = UserId::new(user.try_into().ok()?).ok()?;
    Some(person_key(SeatKey::from_member(user)))
}

/// Deletes old messages until the store is closed.
pub(crate) async fn run(state: AppState) {
    let mut rounds = interval(SWEEP_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        rounds.tick().await;
        let Some(days) = state.limits().talk_days else {
            return;
        };
        let before = state.now().millis() - i64::from(days) * DAY_MS;
        match state.store().sweep_talk(before).await {
            Ok(0) => {}
            Ok(messages) => tracing::debug!(messages, "old messages were deleted"),
            Err(StoreError::Closed) => return,
            Err(error) => tracing::debug!(%error, "could not delete old messages"),
        }
    }
}
