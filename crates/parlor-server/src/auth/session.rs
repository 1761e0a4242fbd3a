//! Members in browsers: a cookie, and who that is.

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Credential, Member, SESSION_COOKIE, Token, shown_session};
use crate::AppState;

tokio::task_local! {
    static CURRENT: String;
}

/// A member who is signed in.
#[derive(Clone, Debug)]
pub(crate) struct Signed {
    pub(crate) member: Member,
    pub(crate) admin: bool,
    pub(crate) credential: Credential,
}

/// Looks up the session that a browser shows, once for each request: whoever asks later finds it in the request. A session
/// that does not count is no session; nothing the browser says ever becomes one.
pub(crate) async fn recognize(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let token =
        shown_session(request.headers()).filter(|_| !request.headers().contains_key(AUTHORIZATION));
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

/// The name of the member for whom this task answers a request. Every page has it in its head, pages about errors too,
/// which are made where nobody knows the request any more.
pub(crate) fn current_member() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}

/// The cookie of a session that lasts so many seconds; without a token the one that ends it.
pub(crate) fn session_cookie(token: Option<&Token>, seconds: i64, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let (value, seconds) = token.map_or(("", 0), |token| (token.as_str(), seconds));
    let text = format!(
        "{SESSION_COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
    );
    HeaderValue::try_from(text).expect("a token is hexadecimal")
}
