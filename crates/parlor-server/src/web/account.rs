//! The account page of a member: sessions, password, tokens, bots, and who may challenge the member.

use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::actions::FormFields;
use super::dates;
use super::error_page::WebError;
use super::notices;
use super::page::HtmlPage;
use super::sign_in::sentence;
use crate::AppState;
use crate::accounts::{
    BlockInfo, BotAccount, ChallengeSource, CreatedToken, NewBot, NewPassword, NewToken,
    SessionInfo, TokenInfo,
};
use crate::api::notice_target_number;
use crate::api::sessions::{ended, started};
use crate::auth::{Credential, Member, Password, Scope, Scopes, SignedIn};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::NamePath;
use crate::talk::MuteInfo;

/// Routes of the account page.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/account", get(show))
        .route("/account/password", post(change_password))
        .route("/account/close", post(close))
        .route("/account/sessions/{id}/end", post(end_session))
        .route("/account/sessions/end-others", post(end_other_sessions))
        .route("/account/tokens", post(make_token))
        .route("/account/tokens/{id}/revoke", post(revoke))
        .route("/account/bots", post(make_bot))
        .route("/account/bots/{name}/delete", post(delete_bot))
        .route("/account/challenges", post(take_challenges_from))
        .route("/account/blocks/{name}/remove", post(unblock))
        .route("/account/mutes/{name}/remove", post(unmute))
        .route("/account/notices", post(set_notices))
        .route("/account/notices/end", post(end_notices))
        .route("/account/notices/targets", post(add_notice_target))
        .route(
            "/account/notices/targets/{id}/test",
            post(test_notice_target),
        )
        .route(
            "/account/notices/targets/{id}/remove",
            post(remove_notice_target),
        )
        .route("/players/{name}/block", post(block_player))
        .route("/players/{name}/unblock", post(unblock_player))
}

/// The signed-in member. Anyone else is redirected to the sign-in page.
#[derive(Debug)]
struct AccountOwner {
    member: Member,
    scopes: Scopes,
    session: Credential,
}

impl FromRequestParts<AppState> for AccountOwner {
    type Rejection = Redirect;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<AccountOwner, Redirect> {
        let signed = parts
            .extensions
            .get::<SignedIn>()
            .ok_or_else(|| Redirect::to("/login?next=/account"))?;
        Ok(AccountOwner {
            member: signed.member.clone(),
            scopes: Scopes::of_session(signed.admin),
            session: signed.credential.clone(),
        })
    }
}

/// Message at the top of the page.
enum Notice {
    Nothing,
    Done(&'static str),
    /// The outcome of a test, and whether it is good.
    Tested(bool, String),
    Refused(Error),
    Token(CreatedToken),
}

impl From<Result<CreatedToken, Error>> for Notice {
    fn from(made: Result<CreatedToken, Error>) -> Notice {
        made.map_or_else(Notice::Refused, Notice::Token)
    }
}

async fn show(State(state): State<AppState>, owner: AccountOwner) -> Result<Response, WebError> {
    page(&state, &owner, Notice::Nothing).await
}

async fn change_password(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    owner: AccountOwner,
    fields: FormFields,
) -> Result<Response, WebError> {
    let typed = |name: &str| Password::new(fields.get(name).unwrap_or_default());
    let new = NewPassword {
        current: typed("current"),
        new: typed("new"),
    };
    let changed = state.change_password(&owner.member, new, client, &headers);
    match changed.await {
        Ok(session) => {
            let page = page(
                &state,
                &owner,
                Notice::Done("Password changed. You have been signed out everywhere else."),
            )
            .await?;
            Ok((started(&state, &session), page).into_response())
        }
        Err(error) => page(&state, &owner, Notice::Refused(error)).await,
    }
}

/// Closes the account and signs the browser out.
async fn close(
    State(state): State<AppState>,
    client: Client,
    owner: AccountOwner,
    fields: FormFields,
) -> Result<Response, WebError> {
    if fields.get("sure").is_none() {
        let error = Error::unprocessable("tick the box to confirm");
        return page(&state, &owner, Notice::Refused(error)).await;
    }
    let password = Password::new(fields.get("password").unwrap_or_default());
    let closed = state.close_own_account(&owner.member, password, client);
    match closed.await {
        Ok(()) => Ok(([(SET_COOKIE, ended(&state))], Redirect::to("/")).into_response()),
        Err(error) => page(&state, &owner, Notice::Refused(error)).await,
    }
}

async fn end_session(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(id): NamePath,
) -> Result<Response, WebError> {
    state.end_own_session(&owner.member, &id).await?;
    Ok(Redirect::to("/account#sessions").into_response())
}

async fn end_other_sessions(
    State(state): State<AppState>,
    owner: AccountOwner,
) -> Result<Response, WebError> {
    let (member, session) = (&owner.member, &owner.session);
    state.end_other_sessions(member, session).await?;
    Ok(Redirect::to("/account#sessions").into_response())
}

async fn make_token(
    State(state): State<AppState>,
    owner: AccountOwner,
    fields: FormFields,
) -> Result<Response, WebError> {
    let scopes = Scope::ALL
        .into_iter()
        .filter(|scope| fields.get(&format!("scope.{}", scope.name())).is_some());
    let days = fields
        .get("days")
        .map(|days| days.trim().parse().unwrap_or(0));
    let bot = fields.get("bot").map(str::to_owned);
    let name = fields.get("name").unwrap_or_default().to_owned();
    let new = NewToken {
        name,
        scopes: Some(scopes.collect()),
        days,
        bot,
    };
    let made = state.make_token(&owner.member, owner.scopes, new).await;
    page(&state, &owner, made.into()).await
}

async fn revoke(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(id): NamePath,
) -> Result<Response, WebError> {
    let id = id
        .parse()
        .map_err(|_| Error::not_found("you have no such token"))?;
    state.revoke_own_token(&owner.member, id).await?;
    Ok(Redirect::to("/account#programs").into_response())
}

async fn make_bot(
    State(state): State<AppState>,
    client: Client,
    owner: AccountOwner,
    fields: FormFields,
) -> Result<Response, WebError> {
    let name = fields.get("name").unwrap_or_default().trim().to_owned();
    let made = state.make_bot(&owner.member, NewBot { name }, client).await;
    page(&state, &owner, made.into()).await
}

async fn delete_bot(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(name): NamePath,
) -> Result<Response, WebError> {
    state.delete_bot(&owner.member, &name).await?;
    Ok(Redirect::to("/account#bots").into_response())
}

async fn take_challenges_from(
    State(state): State<AppState>,
    owner: AccountOwner,
    fields: FormFields,
) -> Result<Response, WebError> {
    let wanted = fields.get("from").unwrap_or_default();
    let mut known = ChallengeSource::ALL.into_iter();
    let source = known.find(|source| source.name() == wanted);
    let unknown = || Error::unprocessable("unknown setting").with("field", "from");
    state
        .set_challenges_from(&owner.member, source.ok_or_else(unknown)?)
        .await?;
    Ok(Redirect::to("/account#challenges").into_response())
}

async fn unmute(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(name): NamePath,
) -> Result<Response, WebError> {
    state.unmute(&owner.member, &name).await?;
    Ok(Redirect::to("/account").into_response())
}

async fn unblock(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(name): NamePath,
) -> Result<Response, WebError> {
    state.unblock(&owner.member, &name).await?;
    Ok(Redirect::to("/account#challenges").into_response())
}

/// Blocks the player whose profile it is.
async fn block_player(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(name): NamePath,
) -> Result<Response, WebError> {
    state.block(&owner.member, &name).await?;
    Ok(Redirect::to(&format!("/players/{name}")).into_response())
}

/// Unblocks the player whose profile it is.
async fn unblock_player(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(name): NamePath,
) -> Result<Response, WebError> {
    state.unblock(&owner.member, &name).await?;
    Ok(Redirect::to(&format!("/players/{name}")).into_response())
}

/// Stores what a member wants to hear of.
async fn set_notices(
    State(state): State<AppState>,
    owner: AccountOwner,
    fields: FormFields,
) -> Result<Response, WebError> {
    let set = async {
        state
            .set_wishes(&owner.member, &notices::wishes(&fields)?)
            .await
    };
    match set.await {
        Ok(()) => Ok(to_notices()),
        Err(error) => page(&state, &owner, Notice::Refused(error)).await,
    }
}

/// Ends all notices of a member, in one click.
async fn end_notices(
    State(state): State<AppState>,
    owner: AccountOwner,
) -> Result<Response, WebError> {
    state.end_notices(&owner.member).await?;
    Ok(to_notices())
}

async fn add_notice_target(
    State(state): State<AppState>,
    owner: AccountOwner,
    fields: FormFields,
) -> Result<Response, WebError> {
    let add = async {
        state
            .add_target(&owner.member, notices::target(&fields)?)
            .await
    };
    match add.await {
        Ok(_) => Ok(to_notices()),
        Err(error) => page(&state, &owner, Notice::Refused(error)).await,
    }
}

async fn remove_notice_target(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(id): NamePath,
) -> Result<Response, WebError> {
    let id = notice_target_number(&id)?;
    state.remove_target(&owner.member, id).await?;
    Ok(to_notices())
}

/// Sends a test and shows its outcome.
async fn test_notice_target(
    State(state): State<AppState>,
    owner: AccountOwner,
    NamePath(id): NamePath,
) -> Result<Response, WebError> {
    let id = notice_target_number(&id)?;
    let notice = match state.test_target(&owner.member, id).await {
        Ok(tested) => Notice::Tested(tested.taken, tested.detail),
        Err(error) => Notice::Refused(error),
    };
    page(&state, &owner, notice).await
}

fn to_notices() -> Response {
    Redirect::to("/account#notices").into_response()
}

async fn page(
    state: &AppState,
    owner: &AccountOwner,
    notice: Notice,
) -> Result<Response, WebError> {
    let tokens = state.tokens(&owner.member).await?;
    let bots = state.bots(&owner.member).await?;
    let sessions = state.sessions(&owner.member, &owner.session).await?;
    let source = state.challenges_from(&owner.member).await?;
    let blocks = state.blocks(&owner.member).await?;
    let mutes = state.mutes(&owner.member).await?;
    let told = match state.notices().is_on() {
        true => Some(state.notices_of(&owner.member).await?),
        false => None,
    };
    let (status, headers) = if let Notice::Refused(error) = &notice {
        (error.status, error.report())
    } else {
        (StatusCode::OK, HeaderMap::new())
    };
    let name = &owner.member.name;
    let body = html! {
        main #main.members tabindex="-1" {
            div.title {
                h1 { bdi { (name) } }
                a.button href={ "/players/" (name) } { "Public profile" }
                @if owner.scopes.has(Scope::Admin) { a.button href="/admin" { "Admin" } }
                form method="post" action="/logout" { button { "Sign out" } }
            }
            (notice_section(&notice))
            (programs(&tokens, &bots, owner.scopes))
            (bots_section(&bots))
            (challenges_section(source, &blocks))
            @if let Some(told) = &told { (notices::section(told)) }
            @if !mutes.is_empty() { (mutes_section(&mutes)) }
            (sessions_section(&sessions))
            (password_section())
            @if !owner.scopes.has(Scope::Admin) { (closing_section()) }
            p.small { a href="/api/v1/me/export" download { "Download everything about you" } ": account, ratings and the records of your games, as JSON lines." }
        }
    };
    let page = HtmlPage {
        scripts: if told.is_some() { &["notices.js"] } else { &[] },
        ..HtmlPage::new("Your account – Parlor", body)
    };
    Ok((status, headers, page).into_response())
}

fn notice_section(notice: &Notice) -> Markup {
    html! {
        @match notice {
            Notice::Nothing => {},
            Notice::Done(text) => p.ok role="status" { (text) },
            Notice::Tested(true, text) => p.ok role="status" { (sentence(text)) },
            Notice::Tested(false, text) => p.refused role="alert" { (sentence(text)) },
            Notice::Refused(error) => p.refused role="alert" { (sentence(&error.detail)) },
            Notice::Token(made) => section.card.new-token role="status" {
                h2 { "Token “" (made.info.name) "”" }
                p { "Copy it now. Only a hash is stored, so it can't be shown again." }
                input readonly value=(made.token) aria-label="The new token";
                p.small.soft { "Programs send it as " code { "Authorization: Bearer …" } ". Keep it secret: anyone who has it can use it." }
            },
        }
    }
}

fn programs(tokens: &[TokenInfo], bots: &[BotAccount], scopes: Scopes) -> Markup {
    html! {
        section.card #programs aria-labelledby="programs-title" {
            h2 #programs-title { "API tokens" }
            @if tokens.is_empty() { p.soft { "No tokens yet. A program needs one to play for you or for one of your bots." } }
            ul.rows { @for token in tokens { (token_row(token)) } }
            details {
                summary { "Create a token" }
                form method="post" action="/account/tokens" {
                    label.field { span { "What is it for?" } input name="name" required maxlength="60"; }
                    fieldset {
                        legend { "Permissions" }
                        div.picks {
                            @for scope in Scope::ALL.into_iter().filter(|scope| scopes.has(*scope)) {
                                label.pick {
                                    input type="checkbox" name={ "scope." (scope.name()) } value="yes" checked[Scopes::USUAL.has(scope)];
                                    span { (permission(scope)) }
                                }
                            }
                        }
                    }
                    div.fields {
                        label.field { span { "Valid for (days)" } input type="number" name="days" min="1" max="3650" placeholder="no limit"; }
                        @if !bots.is_empty() {
                            label.field {
                                span { "Plays as" }
                                select name="bot" { option value="" { "Me" } @for bot in bots { option value=(bot.name) { (bot.name) } } }
                            }
                        }
                    }
                    p { button.main { "Create token" } }
                }
            }
        }
    }
}

fn permission(scope: Scope) -> &'static str {
    match scope {
        Scope::Play => "play: join tables and make moves",
        Scope::Read => "read: see my games and events",
        Scope::Account => "account: manage tokens, bots, blocks and settings",
        Scope::Admin => "admin: administer the server",
    }
}

fn token_row(token: &TokenInfo) -> Markup {
    let used = token.last_used_at.map_or_else(
        || "never used".to_owned(),
        |at| format!("used {}", dates::day(at)),
    );
    html! {
        li {
            span {
                b { (token.name) } @if let Some(bot) = &token.bot { " " span.tag { (bot) } } br;
                span.small.soft {
                    (token.scopes.join(", ")) " · created " (dates::day(token.created_at)) " · " (used)
                    @if let Some(at) = token.expires_at { " · expires " (dates::day(at)) }
                }
            }
            form method="post" action={ "/account/tokens/" (token.id) "/revoke" } {
                button.warn aria-label={ "Revoke " (token.name) } { "Revoke" }
            }
        }
    }
}

fn bots_section(bots: &[BotAccount]) -> Markup {
    html! {
        section.card #bots aria-labelledby="bots-title" {
            h2 #bots-title { "Bots" }
            @if bots.is_empty() { p.soft { "No bots yet. A bot is your own program, with a name and a rating of its own." } }
            ul.rows {
                @for bot in bots {
                    li {
                        span { b { a href={ "/players/" (bot.name) } { bdi { (bot.name) } } } br; span.small.soft { "created " (dates::day(bot.created_at)) } }
                        details.confirm {
                            summary { "Delete" }
                            form method="post" action={ "/account/bots/" (bot.name) "/delete" } {
                                button.warn { "Yes, delete " (bot.name) }
                            }
                        }
                    }
                }
            }
            details {
                summary { "Create a bot" }
                form.row method="post" action="/account/bots" {
                    label.field {
                        span { "Name" }
                        input name="name" required maxlength="20" pattern="[A-Za-z0-9_\\-]{1,20}" autocomplete="off" spellcheck="false";
                    }
                    button.main { "Create bot" }
                }
            }
        }
    }
}

/// Renders the members whom the viewer has muted.
fn mutes_section(mutes: &[MuteInfo]) -> Markup {
    html! {
        section.card {
            h2 { "Muted members" }
            p.small.soft { "You don't see what they write at tables." }
            ul.rows {
                @for mute in mutes {
                    li {
                        span {
                            b { a href={ "/players/" (mute.name) } { bdi { (mute.name) } } } br;
                            span.small.soft { "muted " (dates::day(mute.muted_at)) }
                        }
                        form method="post" action={ "/account/mutes/" (mute.name) "/remove" } {
                            button aria-label={ "Unmute " (mute.name) } { "Unmute" }
                        }
                    }
                }
            }
        }
    }
}

fn challenges_section(source: ChallengeSource, blocks: &[BlockInfo]) -> Markup {
    html! {
        section.card #challenges aria-labelledby="challenges-title" {
            h2 #challenges-title { "Challenges" }
            form.row method="post" action="/account/challenges" {
                label.field {
                    span { "From" }
                    select name="from" {
                        @for one in ChallengeSource::ALL {
                            option value=(one.name()) selected[one == source] { (source_words(one)) }
                        }
                    }
                }
                button { "Save" }
            }
            h3 { "Blocked" }
            @if blocks.is_empty() { p.soft { "Nobody. You can block a member on their profile." } }
            ul.rows {
                @for block in blocks {
                    li {
                        span {
                            b { a href={ "/players/" (block.name) } { bdi { (block.name) } } } br;
                            span.small.soft { "blocked " (dates::day(block.blocked_at)) }
                        }
                        form method="post" action={ "/account/blocks/" (block.name) "/remove" } {
                            button aria-label={ "Unblock " (block.name) } { "Unblock" }
                        }
                    }
                }
            }
        }
    }
}

fn source_words(source: ChallengeSource) -> &'static str {
    match source {
        ChallengeSource::Everybody => "Everybody",
        ChallengeSource::PlayedWith => "People I have played with",
        ChallengeSource::Nobody => "Nobody",
    }
}

fn sessions_section(sessions: &[SessionInfo]) -> Markup {
    html! {
        section.card #sessions aria-labelledby="sessions-title" {
            h2 #sessions-title { "Signed in" }
            ul.rows { @for session in sessions { (session_row(session)) } }
            @if sessions.iter().any(|session| !session.current) {
                form method="post" action="/account/sessions/end-others" { p { button { "Sign out everywhere else" } } }
            }
        }
    }
}

fn session_row(session: &SessionInfo) -> Markup {
    let browser = session.browser.as_deref().unwrap_or("Unknown browser");
    html! {
        li {
            span {
                b { (browser) } @if session.current { " " span.tag { "this browser" } } br;
                span.small.soft {
                    "signed in " (dates::minute(session.created_at))
                    @if let Some(at) = session.last_used_at { " · used " (dates::minute(at)) }
                }
            }
            @if !session.current {
                form method="post" action={ "/account/sessions/" (session.id) "/end" } {
                    button aria-label={ "Sign out " (browser) } { "Sign out" }
                }
            }
        }
    }
}

fn password_section() -> Markup {
    let field = |name: &str, title: &str, purpose: &str| {
        html! {
            label.field {
                span { (title) }
                input type="password" name=(name) required maxlength="200" minlength=[(name == "new").then_some("8")] autocomplete=(purpose);
            }
        }
    };
    html! {
        section.card aria-labelledby="password-title" {
            h2 #password-title { "Password" }
            form method="post" action="/account/password" {
                div.row {
                    (field("current", "Current password", "current-password"))
                    (field("new", "New password", "new-password"))
                    button { "Change password" }
                }
                p.small.soft { "Changing it signs you out everywhere else. Tokens keep working." }
            }
        }
    }
}

fn closing_section() -> Markup {
    html! {
        section.card #closing aria-labelledby="closing-title" {
            h2 #closing-title { "Close the account" }
            details {
                summary { "Close it for good …" }
                p { "Your name goes, from your finished games and messages, too, and nobody can sign in any more. The games, results and ratings stay. Clones of games in git and files that others have saved keep the name." }
                p { "Finish or leave your games first, and download what you want to keep." }
                form method="post" action="/account/close" {
                    label.field { span { "Password" } input type="password" name="password" required maxlength="200" autocomplete="current-password"; }
                    label.pick { input type="checkbox" name="sure" value="yes" required; span { "Yes, close my account. It can't be undone." } }
                    p { button.warn { "Close the account" } }
                }
            }
        }
    }
}
