//! Reading from a request who asks.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::HeaderValue;
use axum::http::request::Parts;
use parlor_table::Key;

use super::token::{Bearer, bearer};
use super::{COOKIE_NAME, Credential, Member, Scope, Scopes, Signed, Token, Who, cookie};
use crate::AppState;
use crate::error::Error;

/// Somebody who said who they are. As an `Option` it is `None` for those who did not; a token that cannot be is refused
/// either way.
///
/// What changes something needs the scope `play`: handlers that need another one ask for [`Unscoped`].
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    who: Who,
    scopes: Scopes,
    credential: Credential,
}

impl Caller {
    /// Somebody with a guest's token.
    fn guest(token: &Token) -> Caller {
        Caller {
            who: Who::guest(token.key()),
            scopes: Scopes::USUAL,
            credential: Credential::Guest,
        }
    }

    /// A member's program.
    pub(crate) fn program(member: Member, scopes: Scopes, credential: Credential) -> Caller {
        Caller {
            who: Who::member(member, None),
            scopes,
            credential,
        }
    }

    fn signed(signed: &Signed, guest: Option<Key>) -> Caller {
        let Signed {
            member,
            admin,
            credential,
        } = signed.clone();
        Caller {
            who: Who::member(member, guest),
            scopes: Scopes::of_session(admin),
            credential,
        }
    }

    /// Who it is.
    pub(crate) fn who(&self) -> &Who {
        &self.who
    }

    /// What they may do.
    pub(crate) fn scopes(&self) -> Scopes {
        self.scopes
    }

    /// What they came in with.
    pub(crate) fn credential(&self) -> &Credential {
        &self.credential
    }

    /// Refuses those whose credential is not good for something.
    pub(crate) fn may(&self, scope: Scope) -> Result<(), Error> {
        if self.scopes.has(scope) {
            return Ok(());
        }
        let detail = format!("this needs a token with the scope `{}`", scope.name());
        Err(Error::forbidden("wrong-scope", detail).with("scope", scope.name()))
    }

    /// The member, if it is one.
    pub(crate) fn account(&self) -> Result<&Member, Error> {
        self.who
            .account()
            .ok_or_else(|| Error::forbidden("members-only", "this is for members of the house"))
    }

    /// The member, if it is one who may do this.
    pub(crate) fn member(&self, scope: Scope) -> Result<&Member, Error> {
        let member = self.account()?;
        self.may(scope)?;
        Ok(member)
    }

    async fn of(parts: &Parts, state: &AppState) -> Result<Option<Caller>, Error> {
        let odd = |()| {
            Error::unauthorized(
                "the Authorization header is not `Bearer` and a token of this house",
            )
        };
        match bearer(&parts.headers).map_err(odd)? {
            None => Ok(browser(parts)),
            Some(Bearer::Guest(token)) => Ok(Some(Caller::guest(&token))),
            Some(Bearer::Program(token)) => {
                let gone = || Error::unauthorized("this token is unknown, revoked or expired");
                state
                    .program(&token.hash())
                    .await?
                    .map(Some)
                    .ok_or_else(gone)
            }
        }
    }
}

/// Who a browser is by its cookies; what [`recognize`](super::recognize) found counts first.
fn browser(parts: &Parts) -> Option<Caller> {
    let guest = cookie(&parts.headers);
    match parts.extensions.get::<Signed>() {
        Some(signed) => Some(Caller::signed(signed, guest.map(|token| token.key()))),
        None => guest.as_ref().map(Caller::guest),
    }
}

/// Returns when what somebody came in with does not count any more; never for those who said nothing, and for guests.
pub(crate) fn revoked(
    caller: Option<&Caller>,
    state: &AppState,
) -> impl Future<Output = ()> + Send + 'static {
    caller
        .map_or(&Credential::Guest, |caller| &caller.credential)
        .revoked(state)
}

/// Who looks at a page, if the browser has said so.
pub(crate) fn viewer(parts: &Parts) -> Option<Who> {
    browser(parts).map(|caller| caller.who)
}

fn missing() -> Error {
    Error::unauthorized(
        "say who you are: `Authorization: Bearer` and a token, or a browser's cookie",
    )
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Caller, Error> {
        let caller =
            <Caller as OptionalFromRequestParts<AppState>>::from_request_parts(parts, state)
                .await?;
        caller.ok_or_else(missing)
    }
}

impl OptionalFromRequestParts<AppState> for Caller {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Option<Caller>, Error> {
        let caller = Caller::of(parts, state).await?;
        if !parts.method.is_safe() {
            caller
                .as_ref()
                .map_or(Ok(()), |caller| caller.may(Scope::Play))?;
        }
        Ok(caller)
    }
}

/// Somebody who said who they are, whatever their scopes: the handler asks for the one it needs, by [`Caller::member`].
#[derive(Clone, Debug)]
pub(crate) struct Unscoped(pub(crate) Caller);

impl FromRequestParts<AppState> for Unscoped {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Unscoped, Error> {
        Caller::of(parts, state)
            .await?
            .map(Unscoped)
            .ok_or_else(missing)
    }
}

/// Somebody at a browser: a member, or a guest with the token of the cookie, or with a new one that [`Guest::set_cookie`]
/// gives to the browser.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    token: Token,
    new: bool,
    secure: bool,
    who: Who,
}

impl Guest {
    /// The key that new seats are held by.
    pub(crate) fn key(&self) -> Key {
        self.who.by().key().expect("members and guests have keys")
    }

    /// Who it is: the member who is signed in, or the guest.
    pub(crate) fn who(&self) -> &Who {
        &self.who
    }

    /// The value of a `Set-Cookie` header, when the browser needs a guest's cookie and has none yet.
    pub(crate) fn set_cookie(&self) -> Option<HeaderValue> {
        const YEAR: u32 = 365 * 24 * 60 * 60;
        let secure = if self.secure { "; Secure" } else { "" };
        let token = self.token.as_str();
        let text = format!(
            "{COOKIE_NAME}={token}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"
        );
        self.new
            .then(|| HeaderValue::try_from(text).expect("a token is hexadecimal"))
    }
}

impl FromRequestParts<AppState> for Guest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Guest, Infallible> {
        let known = viewer(parts);
        let new = known.is_none();
        let token = cookie(&parts.headers).unwrap_or_else(Token::fresh);
        let who = known.unwrap_or_else(|| Who::guest(token.key()));
        Ok(Guest {
            token,
            new,
            secure: state.is_https(),
            who,
        })
    }
}
