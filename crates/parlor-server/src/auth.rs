//! Authentication: a member with a session or an API token, or a guest with a token.
//!
//! Browsers send cookies, which [`recognize`] looks up once per request; programs send a token in a
//! header, and then cookies are ignored. A guest's token needs no database lookup.

mod browser;
mod caller;
mod credential;
mod device;
mod password;
mod requester;
mod scope;
mod session;
mod token;

pub(crate) use browser::browser_name;
pub(crate) use caller::{Caller, Unscoped, Visitor, until_revoked, viewer};
pub(crate) use credential::{Credential, Revocation, Revocations};
pub(crate) use device::DeviceProof;
pub(crate) use password::{Asker, Password, Passwords};
pub use password::{BadPassword, check_password, generate_password, hash_password};
pub(crate) use requester::{Member, Requester};
pub(crate) use scope::{Scope, Scopes};
pub(crate) use session::{SignedIn, current_member, current_settings, recognize, session_cookie};
pub(crate) use token::{
    COOKIE_NAME, OpaqueToken, SESSION_COOKIE, fill_random, guest_cookie, random_u64, session_token,
};
