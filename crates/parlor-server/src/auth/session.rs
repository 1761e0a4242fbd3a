//! Sessions of members in browsers.

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Credential, Member, OpaqueToken, SESSION_COOKIE, session_token};
use crate::AppState;

tokio::task_local! {
    static CURRENT: String;
}

/// A member with a valid session.
#[derive(Clone, Debug)]
pub(crate) struct SignedIn {
    pub(crate) member: Member,
    pub(crate) admin: bool,
    pub(crate) credential: Credential,
}

/// Middleware that looks up the session in a browser's cookie, once per request, and adds it to the
/// request's extensions. An invalid session is ignored, and a session id sent by the browser is
/// never adopted.
pub(crate) async fn recognize(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let token =
        session_token(request.headers()).filter(|_| !request.headers().contains_key(AUTHORIZATION));
    let Some(token) = token else {
        return next.run(request).await;
    };
    match state.session(&token.hash()).await {
        Ok(Some(signed)) => {
            let name = signed.member.name.clone();
            request.extensions_mut().insert(signed);
            CURRENT.scope(name, next.run(request)).await
        }
        Ok(None) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Returns the name of the member whose request this task answers. Every page shows it in its
/// header, including error pages, which are rendered without access to the request.
pub(crate) fn current_member() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Returns the cookie for a session of `seconds`; without a token, the cookie that ends it.
pub(crate) fn session_cookie(
    token: Option<&OpaqueToken>,
    seconds: i64,
    secure: bool,
) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let (value, seconds) = token.map_or(("", 0), |token| (token.as_str(), seconds));
    let text = format!(
        "{SESSION_COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
    );
    HeaderValue::try_from(text).expect("a token is hexadecimal")
}
