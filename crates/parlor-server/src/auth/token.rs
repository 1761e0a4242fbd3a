//! Unguessable texts, and where a request carries them.

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use parlor_store::SecretHash;
use parlor_table::Key;
use sha2::{Digest, Sha256};

/// The name of the cookie that holds a guest's token.
pub(crate) const COOKIE_NAME: &str = "parlor_guest";
/// The name of the cookie that holds the token of a member's session.
pub(crate) const SESSION_COOKIE: &str = "parlor_session";
/// What a member's token for programs begins with.
const PREFIX: &str = "parlor_";
/// Bytes of randomness in a token.
const TOKEN_BYTES: usize = 20;

/// An unguessable text; whoever shows it holds what was given for it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token(String);

impl Token {
    /// A new token of 160 random bits.
    pub(crate) fn fresh() -> Token {
        let mut bytes = [0; TOKEN_BYTES];
        fill(&mut bytes);
        Token(hex::encode(bytes))
    }

    /// Reads what may be a token of this house.
    pub(crate) fn parse(text: &str) -> Option<Token> {
        let shaped = text.len() == 2 * TOKEN_BYTES
            && text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
        shaped.then(|| Token(text.to_owned()))
    }

    /// What the tables know of it.
    pub(crate) fn key(&self) -> Key {
        Key::of(&self.0)
    }

    /// What the store knows of it, when it is the token of a session or of a member's program.
    pub(crate) fn hash(&self) -> SecretHash {
        Sha256::digest(&self.0).into()
    }

    /// The text itself.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as a member's program shows it.
    pub(crate) fn for_program(&self) -> String {
        format!("{PREFIX}{}", self.0)
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

/// A token in the `Authorization` header.
#[derive(Debug)]
pub(super) enum Bearer {
    Guest(Token),
    Program(Token),
}

/// What the `Authorization` header says; an error when it is there and cannot be a token of this house.
pub(super) fn bearer(headers: &HeaderMap) -> Result<Option<Bearer>, ()> {
    let read = |value: &HeaderValue| {
        let (scheme, text) = value.to_str().ok()?.split_once(' ')?;
        let text = scheme.eq_ignore_ascii_case("bearer").then(|| text.trim())?;
        match text.strip_prefix(PREFIX) {
            Some(text) => Token::parse(text).map(Bearer::Program),
            None => Token::parse(text).map(Bearer::Guest),
        }
    };
    headers
        .get(AUTHORIZATION)
        .map(|value| read(value).ok_or(()))
        .transpose()
}

/// The guest's token in a browser's cookie, if there is one.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<Token> {
    in_cookie(headers, COOKIE_NAME)
}

/// The token of the session that a browser says it has.
pub(crate) fn shown_session(headers: &HeaderMap) -> Option<Token> {
    in_cookie(headers, SESSION_COOKIE)
}

fn in_cookie(headers: &HeaderMap, wanted: &str) -> Option<Token> {
    let pairs = headers
        .get_all(COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    pairs
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == wanted)
        .find_map(|(_, token)| Token::parse(token))
}

/// Fills with randomness of the operating system.
///
/// # Panics
/// When the operating system has none to give; nothing here can be safe then.
pub(crate) fn fill(bytes: &mut [u8]) {
    getrandom::fill(bytes).expect("the operating system gives randomness");
}

/// 64 random bits.
pub(crate) fn random() -> u64 {
    let mut bytes = [0; 8];
    fill(&mut bytes);
    u64::from_le_bytes(bytes)
}
