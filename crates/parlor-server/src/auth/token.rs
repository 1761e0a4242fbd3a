//! Unguessable tokens, and the cookies and headers that carry them.

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use parlor_store::SecretHash;
use parlor_table::SeatKey;
use sha2::{Digest, Sha256};

/// Name of the cookie with a guest's token.
pub(crate) const COOKIE_NAME: &str = "parlor_guest";
/// Name of the cookie with the token of a member's session.
pub(crate) const SESSION_COOKIE: &str = "parlor_session";
/// Prefix of a member's API token.
const PREFIX: &str = "parlor_";
/// Random bytes in a token.
const TOKEN_BYTES: usize = 20;

/// An unguessable bearer token: its holder owns what it was issued for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct OpaqueToken(String);

impl OpaqueToken {
    /// Generates a token of 160 random bits.
    pub(crate) fn generate() -> OpaqueToken {
        let mut bytes = [0; TOKEN_BYTES];
        fill_random(&mut bytes);
        OpaqueToken(hex::encode(bytes))
    }

    /// Parses a token; `None` if the text cannot be one.
    pub(crate) fn parse(text: &str) -> Option<OpaqueToken> {
        let shaped = text.len() == 2 * TOKEN_BYTES
            && text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
        shaped.then(|| OpaqueToken(text.to_owned()))
    }

    /// Returns the seat key of the token's holder.
    pub(crate) fn key(&self) -> SeatKey {
        SeatKey::from_token(&self.0)
    }

    /// Returns the hash that identifies a session or an API token in the store.
    pub(crate) fn hash(&self) -> SecretHash {
        Sha256::digest(&self.0).into()
    }

    /// Returns the token as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text of an API token, with its prefix.
    pub(crate) fn for_program(&self) -> String {
        format!("{PREFIX}{}", self.0)
    }
}

impl std::fmt::Debug for OpaqueToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Token in an `Authorization` header.
#[derive(Debug)]
pub(super) enum Bearer {
    Guest(OpaqueToken),
    Program(OpaqueToken),
}

/// Parses the `Authorization` header; an error if it is present but not a token.
pub(super) fn bearer(headers: &HeaderMap) -> Result<Option<Bearer>, ()> {
    let read = |value: &HeaderValue| {
        let (scheme, text) = value.to_str().ok()?.split_once(' ')?;
        let text = scheme.eq_ignore_ascii_case("bearer").then(|| text.trim())?;
        match text.strip_prefix(PREFIX) {
            Some(text) => OpaqueToken::parse(text).map(Bearer::Program),
            None => OpaqueToken::parse(text).map(Bearer::Guest),
        }
    };
    headers
        .get(AUTHORIZATION)
        .map(|value| read(value).ok_or(()))
        .transpose()
}

/// Returns the guest's token in a browser's cookie.
pub(crate) fn guest_cookie(headers: &HeaderMap) -> Option<OpaqueToken> {
    token_in_cookie(headers, COOKIE_NAME)
}

/// Returns the session token in a browser's cookie.
pub(crate) fn session_token(headers: &HeaderMap) -> Option<OpaqueToken> {
    token_in_cookie(headers, SESSION_COOKIE)
}

fn token_in_cookie(headers: &HeaderMap, wanted: &str) -> Option<OpaqueToken> {
    let pairs = headers
        .get_all(COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    pairs
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == wanted)
        .find_map(|(_, token)| OpaqueToken::parse(token))
}

/// Fills a buffer with randomness from the operating system.
///
/// # Panics
/// Panics if the operating system provides none, since tokens and secrets would not be secure.
pub(crate) fn fill_random(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system gives randomness");
}

/// Returns 64 random bits.
pub(crate) fn random_u64() -> u64 {
    let mut bytes = [0; 8];
    fill_random(&mut bytes);
    u64::from_le_bytes(bytes)
}
