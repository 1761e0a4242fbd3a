//! Notices to members who have no page open: by Web Push, ntfy, Discord, Slack or Matrix.
//!
//! News come from where they are stored for good: the accounts' logs, the tables, and the talk at them
//! ([`reading`]). They wait in rows of their own until they are sent ([`sending`]), so that nobody who plays
//! or writes waits for it, and several nodes tell them once.

mod address;
mod manage;
mod marks;
mod message;
mod news;
mod outgoing;
mod push;
mod reading;
mod sending;
mod wishes;

use std::fmt;
use std::sync::Arc;

use parlor_store::{Store, StoreError};
use tokio::sync::{OnceCell, Semaphore};

pub use self::address::HostResolver;
pub(crate) use self::manage::{NewTarget, NoticesView, TargetInfo, TestResult};
pub(crate) use self::marks::Marks;
pub(crate) use self::message::TargetKind;
use self::outgoing::Outgoing;
use self::push::HouseKey;
pub(crate) use self::sending::run;
pub(crate) use self::wishes::{DayTime, NoticeKind, QuietHours, Wishes};
use crate::AppState;

/// Name of the key by which push services know the house.
const KEY_NAME: &str = "web push";

/// Configuration of notices to members who have no page open.
#[derive(Clone, Debug)]
pub struct NoticeConfig {
    /// False if the house sends none.
    pub on: bool,
    /// Contact whom push services can tell of problems: a URL, `mailto:` or `https:`. By default the contact for
    /// weaknesses, or else the public URL.
    pub contact: Option<String>,
    /// True if notices may be sent into private networks, by plain HTTP and to any port. Whoever has an
    /// account can then make the server send requests to services there.
    pub to_private: bool,
    /// Finds the addresses of hosts.
    pub resolver: HostResolver,
}

impl Default for NoticeConfig {
    fn default() -> NoticeConfig {
        NoticeConfig {
            on: true,
            contact: None,
            to_private: false,
            resolver: HostResolver::system(),
        }
    }
}

/// Sender of notices, with its configuration and keys. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Notices(Arc<NoticesState>);

struct NoticesState {
    is_on: bool,
    contact: Option<String>,
    outgoing: Outgoing,
    key: OnceCell<HouseKey>,
    /// Tests of addresses that run at once.
    testing: Semaphore,
}

impl Notices {
    /// Creates what a server needs.
    pub(crate) fn new(config: &NoticeConfig) -> Notices {
        Notices(Arc::new(NoticesState {
            is_on: config.on,
            contact: config.contact.clone(),
            outgoing: Outgoing::new(config.resolver.clone(), config.to_private),
            key: OnceCell::new(),
            testing: Semaphore::new(sending::AT_ONCE),
        }))
    }

    /// Returns true if the house sends notices.
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_on
    }

    fn outgoing(&self) -> &Outgoing {
        &self.0.outgoing
    }

    /// Returns the contact whom push services can tell of problems.
    fn contact<'a>(&'a self, state: &'a AppState) -> Option<&'a str> {
        let public = state.public_url().filter(|url| url.starts_with("https://"));
        let configured = self.0.contact.as_deref();
        configured.or(state.security_contact()).or(public)
    }

    /// Returns the key by which push services know the house, the same on all nodes.
    async fn house_key(&self, store: &Store) -> Result<&HouseKey, StoreError> {
        let read = async || {
            let new = HouseKey::generate().unwrap_or_default();
            let text = store.house_key(KEY_NAME, &new).await?;
            HouseKey::parse(&text).ok_or_else(|| StoreError::Corrupt {
                id: 0,
                reason: "the key for Web Push is none".to_owned(),
            })
        };
        self.0.key.get_or_try_init(read).await
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notices").finish_non_exhaustive()
    }
}
