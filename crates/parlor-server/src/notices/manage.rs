//! Everything that members do about their notices, on the account page and over HTTP.

use parlor_store::NoticeTarget;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::address::WebAddress;
use super::message::{Message, TargetKind};
use super::outgoing::Answer;
use super::push::PushKeys;
use super::sending;
use super::wishes::Wishes;
use crate::AppState;
use crate::accounts::store_id;
use crate::auth::{self, Member};
use crate::error::Error;

/// Number of addresses of a member.
pub(crate) const MAX_TARGETS: u64 = 5;
/// Your notices: what you want to hear of when you have no page open, and where it is sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct NoticesView {
    /// News that you want to hear of, and times for them.
    pub(crate) wishes: Wishes,
    /// Addresses to which it is sent, oldest first.
    pub(crate) targets: Vec<TargetInfo>,
    /// Public key of the house, with which a browser subscribes to Web Push, in base64url.
    pub(crate) key: String,
    /// Last address that was removed because it took no notices any more, in words, until you change what
    /// you want to hear of.
    #[schema(required)]
    pub(crate) gone: Option<String>,
    /// False if you have neither addresses nor wishes yet.
    #[serde(skip)]
    pub(crate) is_begun: bool,
}

/// An address to which your notices are sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TargetInfo {
    /// Number of the address.
    pub(crate) id: i64,
    pub(crate) kind: TargetKind,
    /// Address; only you see it.
    pub(crate) address: String,
    /// Time at which it was added, in milliseconds since the Unix epoch.
    pub(crate) created_at: i64,
    /// Time at which something was last sent, in milliseconds since the Unix epoch.
    #[schema(required)]
    pub(crate) sent_at: Option<i64>,
    /// Number of failed attempts since then.
    pub(crate) failures: i32,
}

impl TargetInfo {
    fn new(target: NoticeTarget) -> Option<TargetInfo> {
        Some(TargetInfo {
            id: target.id,
            kind: TargetKind::from_name(&target.kind)?,
            address: target.address,
            created_at: target.created_at,
            sent_at: target.sent_at,
            failures: target.failures,
        })
    }

    /// Returns the host of the address.
    pub(crate) fn host(&self) -> String {
        let address = WebAddress::parse(&self.address, true);
        address.map_or_else(|_| String::new(), |address| address.host().to_owned())
    }
}

/// A new address for notices.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTarget {
    pub(crate) kind: TargetKind,
    /// Address, with `https:`; for `web_push` the endpoint of the subscription.
    #[schema(max_length = 1000)]
    pub(crate) address: String,
    /// Keys of the subscription, for `web_push` alone.
    pub(crate) keys: Option<PushKeys>,
}

/// Outcome of a test.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TestResult {
    /// True if the address took the message.
    pub(crate) taken: bool,
    /// Status of its answer; `null` if there was none.
    #[schema(required, minimum = 100, maximum = 999)]
    pub(crate) status: Option<u16>,
    /// The outcome in words.
    pub(crate) detail: String,
}

impl AppState {
    /// # Errors
    /// `notices-off` if the house sends none.
    fn check_notices(&self) -> Result<(), Error> {
        if self.notices().is_on() {
            return Ok(());
        }
        let detail = "this house sends no notices";
        Err(Error::forbidden("notices-off", detail))
    }

    /// Returns the notices of a member.
    pub(crate) async fn notices_of(&self, member: &Member) -> Result<NoticesView, Error> {
        self.check_notices()?;
        let user = store_id(member.id);
        let reader = self.store().notice_reader(user).await?;
        let targets = self.store().notice_targets(&[user]).await?;
        let key = self.notices().house_key(self.store()).await?;
        let wishes = reader.as_ref().map(|reader| Wishes::from(&reader.wishes));
        Ok(NoticesView {
            is_begun: reader.is_some(),
            wishes: wishes.unwrap_or_default(),
            targets: targets.into_iter().filter_map(TargetInfo::new).collect(),
            key: key.public(),
            gone: reader.and_then(|reader| reader.gone),
        })
    }

    /// Stores what a member wants to hear of.
    pub(crate) async fn set_wishes(&self, member: &Member, wishes: &Wishes) -> Result<(), Error> {
        self.check_notices()?;
        let (user, now) = (store_id(member.id), self.now().millis());
        let stored = wishes.to_store()?;
        let changed = self.store().set_notice_wishes(user, &stored, now).await?;
        let gone = || Error::not_found("the account no longer exists");
        changed.then_some(()).ok_or_else(gone)
    }

    /// Adds an address for a member's notices. One that is known gets its new keys.
    pub(crate) async fn add_target(
        &self,
        member: &Member,
        new: NewTarget,
    ) -> Result<TargetInfo, Error> {
        self.check_notices()?;
        let to_private = self.notices().outgoing().is_to_private();
        let wrong = |detail: String| Error::unprocessable(detail).with("field", "address");
        let address = new.address.trim();
        WebAddress::parse(address, to_private).map_err(|error| wrong(error.to_string()))?;
        let is_push = new.kind == TargetKind::WebPush;
        let keys = new.keys.filter(PushKeys::are_valid);
        if keys.is_some() != is_push {
            let detail = "send the keys of the subscription with `web_push`, and with nothing else";
            return Err(Error::unprocessable(detail).with("field", "keys"));
        }
        self.rates().disk().check()?;
        let keys = keys.map(|keys| serde_json::to_string(&keys).unwrap_or_default());
        let mut secret = [0; 16];
        auth::fill_random(&mut secret);
        let id = i64::try_from(self.sources().random_u64() >> 11).unwrap_or_default();
        let now = self.now().millis();
        let (user, kind) = (store_id(member.id), new.kind.name());
        let target = NoticeTarget {
            push_keys: keys,
            stop: hex::encode(secret),
            ..NoticeTarget::new(id, user, kind, address.to_owned(), now)
        };
        let usual = Wishes::default().to_store()?;
        let added = self.store().add_notice_target(target, &usual, MAX_TARGETS);
        let Some(id) = added.await? else {
            let detail =
                format!("a member can have at most {MAX_TARGETS} addresses; remove one first");
            return Err(Error::unprocessable(detail));
        };
        let own = self.store().notice_targets(&[user]).await?.into_iter();
        let mut own = own.filter_map(TargetInfo::new);
        let removed = || Error::not_found("the address was removed");
        own.find(|target| target.id == id).ok_or_else(removed)
    }

    /// Removes an address of a member.
    pub(crate) async fn remove_target(&self, member: &Member, id: i64) -> Result<(), Error> {
        let user = store_id(member.id);
        let is_removed = self.store().remove_notice_target(user, id).await?;
        is_removed.then_some(()).ok_or_else(no_such_address)
    }

    /// Forgets all wishes and addresses of a member.
    pub(crate) async fn end_notices(&self, member: &Member) -> Result<(), Error> {
        Ok(self.store().end_notices(store_id(member.id)).await?)
    }

    /// Sends a test to an address of a member.
    pub(crate) async fn test_target(&self, member: &Member, id: i64) -> Result<TestResult, Error> {
        self.check_notices()?;
        let user = store_id(member.id);
        let own = self.store().notice_targets(&[user]).await?;
        let target = own.into_iter().find(|target| target.id == id);
        let target = target.ok_or_else(no_such_address)?;
        self.rates().notice_test(member.id).await?;
        let busy = || Error::crowded("too many notices are tested at the moment; try again");
        let _place = self.notices().0.testing.try_acquire().map_err(|_| busy())?;
        let sent = sending::send(self, &target, &Message::test()).await;
        Ok(match sent {
            Ok(Answer { status, .. }) => TestResult {
                taken: status.is_success(),
                status: Some(status.as_u16()),
                detail: if status.is_success() {
                    "the address took the test; it should arrive at once".to_owned()
                } else {
                    format!("the address refused the test: it answered {status}")
                },
            },
            Err(error) => TestResult {
                taken: false,
                status: None,
                detail: format!("the test was not sent: {error}"),
            },
        })
    }

    /// Returns the kind and the host of the address whose notices a secret can stop.
    pub(crate) async fn target_to_stop(&self, stop: &str) -> Result<TargetInfo, Error> {
        let found = self.store().notice_target_to_stop(stop).await?;
        found.and_then(TargetInfo::new).ok_or_else(no_such_address)
    }

    /// Removes the address that a secret belongs to. Does nothing if it is gone already.
    pub(crate) async fn stop_notices(&self, stop: &str) -> Result<(), Error> {
        if let Some(target) = self.store().notice_target_to_stop(stop).await? {
            self.store()
                .remove_notice_target(target.user, target.id)
                .await?;
        }
        Ok(())
    }
}

fn no_such_address() -> Error {
    Error::not_found("there is no such address for notices")
}
