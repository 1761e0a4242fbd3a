//! Sessions of members in browsers.

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::AUTHORIZATION;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{Credential, Member, OpaqueToken, SESSION_COOKIE, session_token};
use crate::AppState;
use crate::settings::{Settings, stored_settings};

tokio::task_local! {
    static CURRENT: Visit;
}

/// The parts of every page that depend on whoever asked for it.
#[derive(Clone, Debug, Default)]
struct Visit {
    /// Name of the member.
    member: Option<String>,
    settings: Settings,
}

/// A member with a valid session.
#[derive(Clone, Debug)]
pub(crate) struct SignedIn {
    pub(crate) member: Member,
    pub(crate) admin: bool,
    pub(crate) credential: Credential,
    /// Settings as the account has them.
    pub(crate) settings: Option<String>,
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
    let signed = match token {
        Some(token) => state.session(&token.hash()).await,
        None => Ok(None),
    };
    let signed = match signed {
        Ok(signed) => signed,
        Err(error) => return error.into_response(),
    };
    let of_account = signed
        .as_ref()
        .and_then(|signed| signed.settings.as_deref());
    let stored = of_account.or_else(|| stored_settings(request.headers()));
    let visit = Visit {
        member: signed.as_ref().map(|signed| signed.member.name.clone()),
        settings: stored.map(Settings::parse).unwrap_or_default(),
    };
    if let Some(signed) = signed {
        request.extensions_mut().insert(signed);
    }
    CURRENT.scope(visit, next.run(request)).await
}

/// Returns the name of the member whose request this task answers. Every page shows it in its
/// header, including error pages, which are rendered without access to the request.
pub(crate) fn current_member() -> Option<String> {
    CURRENT
        .try_with(|visit| visit.member.clone())
        .ok()
        .flatten()
}

/// Returns the settings of the person whose request this task answers, which every page follows.
pub(crate) fn current_settings() -> Settings {
    CURRENT
        .try_with(|visit| visit.settings.clone())
        .unwrap_or_default()
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
