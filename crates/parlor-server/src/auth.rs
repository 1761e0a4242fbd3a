//! Who asks: a token in a header, or in the cookie of a browser.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use parlor_core::Seat;
use parlor_table::{By, Key, Player, Refused, Table, UserId};

use crate::AppState;
use crate::error::Error;

/// The name of the cookie that holds a browser's token.
pub(crate) const COOKIE_NAME: &str = "parlor_guest";
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
        let shaped = text.len() == 2 * TOKEN_BYTES && text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
        shaped.then(|| Token(text.to_owned()))
    }

    /// What the tables know of it.
    pub(crate) fn key(&self) -> Key {
        Key::of(&self.0)
    }

    /// The text itself.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
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

/// Somebody with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) id: UserId,
    pub(crate) name: String,
}

/// Who asks, in all the ways in which the house knows them: as a member, as the holder of a guest's token, or as both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    member: Option<Member>,
    guest: Option<Key>,
}

impl Who {
    /// The holder of a token.
    pub(crate) fn guest(key: Key) -> Who {
        Who { member: None, guest: Some(key) }
    }

    /// A member, whose browser may hold a guest's token as well.
    pub(crate) fn member(member: Member, guest: Option<Key>) -> Who {
        Who { member: Some(member), guest }
    }

    /// The account, if there is one.
    pub(crate) fn account(&self) -> Option<&Member> {
        self.member.as_ref()
    }

    /// What seats are held by, the account first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key> {
        self.bys().filter_map(|by| by.key())
    }

    /// What new seats are taken by.
    pub(crate) fn by(&self) -> By {
        self.bys().next().expect("somebody has an account or a token")
    }

    /// As this table knows them: the way in which they hold a seat.
    pub(crate) fn at(&self, table: &Table) -> By {
        let holds = |by: &By| by.key().is_some_and(|key| !table.seats_of(&key).is_empty());
        self.bys().find(holds).unwrap_or_else(|| self.by())
    }

    /// Their seats at a table.
    pub(crate) fn seats(&self, table: &Table) -> Vec<Seat> {
        self.at(table).key().map(|key| table.seats_of(&key)).unwrap_or_default()
    }

    /// The name to be shown: a member's own, or the one that a guest gives.
    pub(crate) fn name(&self, given: &str) -> String {
        self.account().map_or_else(|| given.to_owned(), |member| member.name.clone())
    }

    /// Who sits down under a name.
    pub(crate) fn player(&self, given: &str) -> Result<Player, Refused> {
        match self.by() {
            By::Member(user) => Player::member(&self.name(given), user),
            by => Player::human(given, by.key().expect("a person has a key")),
        }
    }

    fn bys(&self) -> impl Iterator<Item = By> {
        self.member.as_ref().map(|member| By::Member(member.id)).into_iter().chain(self.guest.map(By::Key))
    }
}

/// Somebody who said who they are. As an `Option` it is `None` for those who did not; a token that cannot be is refused
/// either way.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    who: Who,
}

impl Caller {
    /// Who it is.
    pub(crate) fn who(&self) -> &Who {
        &self.who
    }

    async fn of(headers: &HeaderMap, _state: &AppState) -> Result<Option<Caller>, Error> {
        let token = match headers.get(AUTHORIZATION) {
            Some(value) => Some(bearer(value).ok_or_else(|| {
                Error::unauthorized("the Authorization header is not `Bearer` and a token of this house")
            })?),
            None => cookie(headers),
        };
        Ok(token.map(|token| Caller { who: Who::guest(token.key()) }))
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Caller, Error> {
        let missing = || Error::unauthorized("say who you are: `Authorization: Bearer` and the token of your seat");
        Caller::of(&parts.headers, state).await?.ok_or_else(missing)
    }
}

impl OptionalFromRequestParts<AppState> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Option<Caller>, Error> {
        Caller::of(&parts.headers, state).await
    }
}

fn bearer(value: &HeaderValue) -> Option<Token> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| Token::parse(token.trim())).flatten()
}

/// The token in a browser's cookie, if there is one.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<Token> {
    let pairs = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    pairs
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE_NAME)
        .find_map(|(_, token)| Token::parse(token))
}

/// A browser's guest: the token of its cookie, or a new one that [`Guest::set_cookie`] gives to it.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    token: Token,
    new: bool,
    secure: bool,
    who: Who,
}

impl Guest {
    /// The key that this guest's seats are held by.
    pub(crate) fn key(&self) -> Key {
        self.token.key()
    }

    /// Who it is: the member who is signed in, or the guest.
    pub(crate) fn who(&self) -> &Who {
        &self.who
    }

    /// The value of a `Set-Cookie` header, when the browser does not have the cookie yet.
    pub(crate) fn set_cookie(&self) -> Option<HeaderValue> {
        const YEAR: u32 = 365 * 24 * 60 * 60;
        let secure = if self.secure { "; Secure" } else { "" };
        let token = self.token.as_str();
        let text = format!("{COOKIE_NAME}={token}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}");
        self.new.then(|| HeaderValue::try_from(text).expect("a token is hexadecimal"))
    }
}

impl FromRequestParts<AppState> for Guest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Guest, Infallible> {
        let known = cookie(&parts.headers);
        let new = known.is_none();
        let token = known.unwrap_or_else(Token::fresh);
        let who = Who::guest(token.key());
        Ok(Guest { token, new, secure: state.is_https(), who })
    }
}
