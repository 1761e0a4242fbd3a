//! Who asks: a member with a session or a token, or a guest with a token of their own.
//!
//! A browser shows cookies, which [`recognize`] looks up once for each request; a program shows a token in a header, and
//! then cookies count for nothing. A guest's token costs no question to the database.

mod caller;
mod credential;
mod password;
mod scope;
mod session;
mod token;
mod who;

pub(crate) use caller::{Caller, Guest, Unscoped, revoked, viewer};
pub(crate) use credential::{Credential, Revocations, Revoked};
pub use password::{BadPassword, hash_password};
pub(crate) use password::{Password, Passwords};
pub(crate) use scope::{Scope, Scopes};
pub(crate) use session::{Signed, current_member, recognize, session_cookie};
pub(crate) use token::{COOKIE_NAME, SESSION_COOKIE, Token, cookie, fill, random, shown_session};
pub(crate) use who::{Member, Who};
