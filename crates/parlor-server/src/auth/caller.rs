//! Extractors that identify the sender of a request.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, OptionalFromRequestParts, Request, State};
use axum::http::HeaderValue;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use parlor_table::SeatKey;

use super::token::{Bearer, bearer};
use super::{
    COOKIE_NAME, Credential, Member, OpaqueToken, Requester, Scope, Scopes, SignedIn, guest_cookie,
};
use crate::AppState;
use crate::edge::Client;
use crate::error::Error;

/// The authenticated sender of a request. As an `Option` it is `None` for anonymous requests; a
/// malformed or unknown token is refused either way.
///
/// Requests that change something need the scope `play`; handlers that need another one use
/// [`Unscoped`].
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    who: Requester,
    scopes: Scopes,
    credential: Credential,
}

/// The caller of a request that was found already.
#[derive(Clone, Debug)]
struct NotedCaller(Option<Caller>);

impl Caller {
    /// Creates a caller from a guest's token.
    fn from_guest(token: &OpaqueToken) -> Caller {
        Caller {
            who: Requester::from_guest(token.key()),
            scopes: Scopes::USUAL,
            credential: Credential::Guest,
        }
    }

    /// Creates a caller from a member's API token.
    pub(crate) fn from_program(member: Member, scopes: Scopes, credential: Credential) -> Caller {
        Caller {
            who: Requester::from_member(member, None),
            scopes,
            credential,
        }
    }

    fn from_session(signed: &SignedIn, guest: Option<SeatKey>) -> Caller {
        let SignedIn {
            member,
            admin,
            credential,
            settings: _,
        } = signed.clone();
        Caller {
            who: Requester::from_member(member, guest),
            scopes: Scopes::of_session(admin),
            credential,
        }
    }

    /// Returns the caller's identity.
    pub(crate) fn who(&self) -> &Requester {
        &self.who
    }

    /// Returns the scopes of the caller's credential.
    pub(crate) fn scopes(&self) -> Scopes {
        self.scopes
    }

    /// Returns the caller's credential.
    pub(crate) fn credential(&self) -> &Credential {
        &self.credential
    }

    /// Fails unless the caller's credential has this scope.
    pub(crate) fn require(&self, scope: Scope) -> Result<(), Error> {
        if self.scopes.has(scope) {
            return Ok(());
        }
        let detail = format!("this requires a token with the scope `{}`", scope.name());
        Err(Error::forbidden("wrong-scope", detail).with("scope", scope.name()))
    }

    /// Returns the member, or an error if the caller is a guest.
    pub(crate) fn member(&self) -> Result<&Member, Error> {
        self.who
            .member()
            .ok_or_else(|| Error::forbidden("members-only", "this is for members only"))
    }

    /// Returns the member, or an error if the caller is a guest or lacks the scope.
    pub(crate) fn member_with(&self, scope: Scope) -> Result<&Member, Error> {
        let member = self.member()?;
        self.require(scope)?;
        Ok(member)
    }

    /// Middleware by which the callers of all requests count as there.
    pub(crate) async fn note_all(
        State(state): State<AppState>,
        request: Request,
        next: Next,
    ) -> Response {
        let (mut parts, body) = request.into_parts();
        Caller::note(&mut parts, &state).await;
        next.run(Request::from_parts(parts, body)).await
    }

    /// Finds the caller of a request, who counts as there, before a handler asks for it. Whatever is wrong
    /// with the credentials is reported by the handler that needs them.
    pub(crate) async fn note(parts: &mut Parts, state: &AppState) {
        if let Ok(caller) = Caller::from_parts(parts, state).await {
            parts.extensions.insert(NotedCaller(caller));
        }
    }

    pub(crate) async fn from_parts(
        parts: &Parts,
        state: &AppState,
    ) -> Result<Option<Caller>, Error> {
        if let Some(NotedCaller(caller)) = parts.extensions.get() {
            return Ok(caller.clone());
        }
        let caller = Caller::from_headers(parts, state).await?;
        let client = Client::from_parts(parts, state);
        let caller = caller.map(|caller| Caller {
            who: caller.who.at_client(client),
            ..caller
        });
        if let Some(caller) = &caller {
            state.people().hear_from(&caller.who);
        }
        Ok(caller)
    }

    async fn from_headers(parts: &Parts, state: &AppState) -> Result<Option<Caller>, Error> {
        let odd = |()| {
            Error::unauthorized(
                "the Authorization header must be `Bearer` and a token of this server",
            )
        };
        match bearer(&parts.headers).map_err(odd)? {
            None => Ok(browser(parts)),
            Some(Bearer::Guest(token)) => Ok(Some(Caller::from_guest(&token))),
            Some(Bearer::Program(token)) => {
                let gone = || Error::unauthorized("this token is unknown, revoked or expired");
                state
                    .caller_by_token(&token.hash())
                    .await?
                    .map(Some)
                    .ok_or_else(gone)
            }
        }
    }
}

/// Returns the caller that a browser's cookies identify; a session found by
/// [`recognize`](super::recognize) takes precedence.
fn browser(parts: &Parts) -> Option<Caller> {
    let guest = guest_cookie(&parts.headers);
    match parts.extensions.get::<SignedIn>() {
        Some(signed) => Some(Caller::from_session(signed, guest.map(|token| token.key()))),
        None => guest.as_ref().map(Caller::from_guest),
    }
}

/// Completes when the caller's credential becomes invalid; never for anonymous callers and guests.
pub(crate) fn until_revoked(
    caller: Option<&Caller>,
    state: &AppState,
) -> impl Future<Output = ()> + Send + 'static {
    caller
        .map_or(&Credential::Guest, |caller| &caller.credential)
        .until_revoked(state)
}

/// Returns the identity of a page's viewer, if the browser sent one.
pub(crate) fn viewer(parts: &Parts) -> Option<Requester> {
    browser(parts).map(|caller| caller.who)
}

fn missing() -> Error {
    Error::unauthorized("send `Authorization: Bearer` and a token, or a browser's cookie")
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
        let caller = Caller::from_parts(parts, state).await?;
        if !parts.method.is_safe() {
            caller
                .as_ref()
                .map_or(Ok(()), |caller| caller.require(Scope::Play))?;
        }
        Ok(caller)
    }
}

/// The authenticated sender of a request, without a check of scopes: the handler requires the one
/// it needs, with [`Caller::member_with`].
#[derive(Clone, Debug)]
pub(crate) struct Unscoped(pub(crate) Caller);

impl FromRequestParts<AppState> for Unscoped {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Unscoped, Error> {
        Caller::from_parts(parts, state)
            .await?
            .map(Unscoped)
            .ok_or_else(missing)
    }
}

/// Person at a browser: a member, or a guest identified by the token in the cookie or by a new one,
/// whose cookie [`Visitor::set_cookie`] returns.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    token: OpaqueToken,
    new: bool,
    secure: bool,
    who: Requester,
}

impl Visitor {
    /// Returns the key that owns new seats.
    pub(crate) fn key(&self) -> SeatKey {
        self.who.by().key().expect("members and guests have keys")
    }

    /// Returns the identity of the signed-in member or the guest.
    pub(crate) fn who(&self) -> &Requester {
        &self.who
    }

    /// Returns a `Set-Cookie` value if the browser needs a guest's cookie and has none yet.
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

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Visitor, Infallible> {
        let known = viewer(parts);
        let new = known.is_none();
        let token = guest_cookie(&parts.headers).unwrap_or_else(OpaqueToken::generate);
        let who = known.unwrap_or_else(|| Requester::from_guest(token.key()));
        let who = who.at_client(Client::from_parts(parts, state));
        if !new {
            state.people().hear_from(&who);
        }
        Ok(Visitor {
            token,
            new,
            secure: state.is_https(),
            who,
        })
    }
}
