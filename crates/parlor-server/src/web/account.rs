//! One's own account: password, programs, bots.

use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::actions::Fields;
use super::oops::Oops;
use super::shell::Page;
use super::sign::sentence;
use super::when;
use crate::AppState;
use crate::accounts::{Bot, NewBot, NewPassword, NewToken, NewTokenText, TokenInfo};
use crate::api::sessions::started;
use crate::auth::{Member, Password, Scope, Scopes, Signed};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Named;

/// The routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/account", get(show))
        .route("/account/password", post(change_password))
        .route("/account/tokens", post(make_token))
        .route("/account/tokens/{id}/revoke", post(revoke))
        .route("/account/bots", post(make_bot))
        .route("/account/bots/{name}/delete", post(delete_bot))
}

/// The member who is signed in; others are sent to sign in.
#[derive(Debug)]
struct Owner {
    member: Member,
    scopes: Scopes,
}

impl FromRequestParts<AppState> for Owner {
    type Rejection = Redirect;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Owner, Redirect> {
        let signed = parts
            .extensions
            .get::<Signed>()
            .ok_or_else(|| Redirect::to("/login?next=/account"))?;
        Ok(Owner {
            member: signed.member.clone(),
            scopes: Scopes::of_session(signed.admin),
        })
    }
}

/// What there is to say on top of the page.
enum News {
    Nothing,
    Done(&'static str),
    Refused(Error),
    Token(NewTokenText),
}

impl From<Result<NewTokenText, Error>> for News {
    fn from(made: Result<NewTokenText, Error>) -> News {
        made.map_or_else(News::Refused, News::Token)
    }
}

async fn show(State(state): State<AppState>, owner: Owner) -> Result<Response, Oops> {
    page(&state, &owner, News::Nothing).await
}

async fn change_password(
    State(state): State<AppState>,
    client: Client,
    owner: Owner,
    fields: Fields,
) -> Result<Response, Oops> {
    let typed = |name: &str| Password::new(fields.get(name).unwrap_or_default());
    let new = NewPassword {
        current: typed("current"),
        new: typed("new"),
    };
    match state.change_password(&owner.member, new, client).await {
        Ok(token) => {
            let page = page(
                &state,
                &owner,
                News::Done("The password is changed. You are signed out everywhere else."),
            )
            .await?;
            Ok(([(SET_COOKIE, started(&state, &token))], page).into_response())
        }
        Err(error) => page(&state, &owner, News::Refused(error)).await,
    }
}

async fn make_token(
    State(state): State<AppState>,
    owner: Owner,
    fields: Fields,
) -> Result<Response, Oops> {
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
    owner: Owner,
    Named(id): Named,
) -> Result<Response, Oops> {
    let id = id
        .parse()
        .map_err(|_| Error::not_found("you have no such token"))?;
    state.revoke_own_token(&owner.member, id).await?;
    Ok(Redirect::to("/account#programs").into_response())
}

async fn make_bot(
    State(state): State<AppState>,
    client: Client,
    owner: Owner,
    fields: Fields,
) -> Result<Response, Oops> {
    let name = fields.get("name").unwrap_or_default().trim().to_owned();
    let made = state.make_bot(&owner.member, NewBot { name }, client).await;
    page(&state, &owner, made.into()).await
}

async fn delete_bot(
    State(state): State<AppState>,
    owner: Owner,
    Named(name): Named,
) -> Result<Response, Oops> {
    state.delete_bot(&owner.member, &name).await?;
    Ok(Redirect::to("/account#bots").into_response())
}

async fn page(state: &AppState, owner: &Owner, news: News) -> Result<Response, Oops> {
    let tokens = state.tokens(&owner.member).await?;
    let bots = state.bots(&owner.member).await?;
    let status = if let News::Refused(error) = &news {
        error.status
    } else {
        StatusCode::OK
    };
    let name = &owner.member.name;
    let body = html! {
        main #main.members tabindex="-1" {
            div.title {
                h1 { (name) }
                a.button href={ "/players/" (name) } { "Public profile" }
                @if owner.scopes.has(Scope::Admin) { a.button href="/admin" { "Keep the house" } }
                form method="post" action="/logout" { button { "Sign out" } }
            }
            (told(&news))
            (programs(&tokens, &bots, owner.scopes))
            (bots_section(&bots))
            (password_section())
        }
    };
    Ok((
        status,
        Page {
            title: "Your account – Parlor".to_owned(),
            live: false,
            body,
        },
    )
        .into_response())
}

fn told(news: &News) -> Markup {
    html! {
        @match news {
            News::Nothing => {},
            News::Done(text) => p.ok role="status" { (text) },
            News::Refused(error) => p.refused role="alert" { (sentence(&error.detail)) },
            News::Token(made) => section.card.new-token role="status" {
                h2 { "Token “" (made.info.name) "”" }
                p { "Copy it now. The house keeps only its fingerprint and cannot show it again." }
                input readonly value=(made.token) aria-label="The new token";
                p.small.soft { "Programs send it as " code { "Authorization: Bearer …" } ". Whoever has it may do what it allows." }
            },
        }
    }
}

fn programs(tokens: &[TokenInfo], bots: &[Bot], scopes: Scopes) -> Markup {
    html! {
        section.card #programs aria-labelledby="programs-title" {
            h2 #programs-title { "Tokens for programs" }
            @if tokens.is_empty() { p.soft { "None. A program needs one to play for you or for one of your bots." } }
            ul.rows { @for token in tokens { (token_row(token)) } }
            details {
                summary { "Make a token" }
                form method="post" action="/account/tokens" {
                    label.field { span { "What is it for?" } input name="name" required maxlength="60"; }
                    fieldset {
                        legend { "It may" }
                        div.picks {
                            @for scope in Scope::ALL.into_iter().filter(|scope| scopes.has(*scope)) {
                                label.pick {
                                    input type="checkbox" name={ "scope." (scope.name()) } value="yes" checked[Scopes::USUAL.has(scope)];
                                    span { (may(scope)) }
                                }
                            }
                        }
                    }
                    div.fields {
                        label.field { span { "For how many days?" } input type="number" name="days" min="1" max="3650" placeholder="for ever"; }
                        @if !bots.is_empty() {
                            label.field {
                                span { "For whom?" }
                                select name="bot" { option value="" { "Me" } @for bot in bots { option value=(bot.name) { (bot.name) } } }
                            }
                        }
                    }
                    p { button.main { "Make the token" } }
                }
            }
        }
    }
}

fn may(scope: Scope) -> &'static str {
    match scope {
        Scope::Play => "play: sit down, move, everything at a table",
        Scope::Read => "read: see my games and events",
        Scope::Account => "account: make and revoke tokens and bots",
        Scope::Admin => "admin: keep the house",
    }
}

fn token_row(token: &TokenInfo) -> Markup {
    let used = token.last_used_at.map_or_else(
        || "never used".to_owned(),
        |at| format!("used {}", when::day(at)),
    );
    html! {
        li {
            span {
                b { (token.name) } @if let Some(bot) = &token.bot { " " span.tag { (bot) } } br;
                span.small.soft {
                    (token.scopes.join(", ")) " · made " (when::day(token.created_at)) " · " (used)
                    @if let Some(at) = token.expires_at { " · until " (when::day(at)) }
                }
            }
            form method="post" action={ "/account/tokens/" (token.id) "/revoke" } {
                button.warn aria-label={ "Revoke " (token.name) } { "Revoke" }
            }
        }
    }
}

fn bots_section(bots: &[Bot]) -> Markup {
    html! {
        section.card #bots aria-labelledby="bots-title" {
            h2 #bots-title { "Bots" }
            @if bots.is_empty() { p.soft { "A bot is a program of yours that plays under a name and a rating of its own." } }
            ul.rows {
                @for bot in bots {
                    li {
                        span { b { a href={ "/players/" (bot.name) } { (bot.name) } } br; span.small.soft { "made " (when::day(bot.created_at)) } }
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
                summary { "Make a bot" }
                form.row method="post" action="/account/bots" {
                    label.field {
                        span { "Its name" }
                        input name="name" required maxlength="20" pattern="[A-Za-z0-9_\\-]{1,20}" autocomplete="off" spellcheck="false";
                    }
                    button.main { "Make the bot" }
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
                    (field("current", "Until now", "current-password"))
                    (field("new", "From now on", "new-password"))
                    button { "Change it" }
                }
                p.small.soft { "Changing it signs you out everywhere else. Tokens stay." }
            }
        }
    }
}
