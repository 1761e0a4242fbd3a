//! Player pages for admins: the list, one account, banning and unbanning.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use parlor_store::{Ban, PlayerFilter, Rating, TableRow, User, UserFilter, UserKind};
use serde::Deserialize;

use super::{AdminMember, counted, page, page_before, page_links, search, talk, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::web::actions::FormFields;
use crate::web::error_page::WebError;

#[derive(Debug, Deserialize)]
pub(in crate::web) struct PlayerQuery {
    q: Option<String>,
    /// `person`, `bot`, `admin` or `banned`.
    kind: Option<String>,
    before: Option<i64>,
}

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<PlayerQuery>,
) -> Result<Response, WebError> {
    let text = query.q.as_deref().filter(|text| !text.is_empty());
    let kind = query.kind.as_deref().filter(|kind| !kind.is_empty());
    let filter = UserFilter {
        search: text.map(str::to_owned),
        kind: kind.and_then(|kind| kind.parse::<UserKind>().ok()),
        admins_only: kind == Some("admin"),
        banned_only: kind == Some("banned"),
        ..UserFilter::default()
    };
    let users = state
        .store()
        .users(&filter, &page_before(query.before))
        .await?;
    let count = state.store().count_users(&filter).await?;
    let body = html! {
        h1 { "Players" }
        form.filters method="get" action="/admin/players" {
            (search("q", text, "Name or id"))
            label.field {
                span { "Kind" }
                select name="kind" {
                    @for (value, title) in [("", "All"), ("person", "People"), ("bot", "Bots"), ("admin", "Admins"), ("banned", "Banned")] {
                        option value=(value) selected[kind.unwrap_or_default() == value] { (title) }
                    }
                }
            }
            button { "Search" }
        }
        p.soft { (counted(count, "player")) }
        div.scroll tabindex="0" role="region" aria-label="Players" {
            table {
                thead { tr { th { "ID" } th { "Name" } th { "Kind" } th { "Created" } th { "State" } } }
                tbody {
                    @for user in &users {
                        tr {
                            td { (user.id) }
                            td { a href={ "/admin/players/" (user.id) } { (user.name) } }
                            td { (kind_text(user)) } td { (time_text(user.created_at)) }
                            td { @if user.ban.is_some() { "banned" } }
                        }
                    }
                }
            }
        }
        (page_links("/admin/players", &[("q", text), ("kind", kind)], query.before, users.last().map(|user| user.id), users.len()))
    };
    Ok(page("Players", body).into_response())
}

fn kind_text(user: &User) -> &'static str {
    match user.kind {
        UserKind::Bot => "bot",
        UserKind::Person if user.admin => "admin",
        UserKind::Person => "person",
    }
}

pub(super) async fn show(
    admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> Result<Response, WebError> {
    let missing = || Error::not_found("there is no such player");
    let user = state.store().user(id).await?.ok_or_else(missing)?;
    let ratings = state.store().ratings_of(id).await?;
    let tables = state
        .store()
        .tables_of(id, &PlayerFilter::default(), &page_before(None))
        .await?;
    let tables: Vec<TableRow> = tables.into_iter().map(|(row, _)| row).take(10).collect();
    let body = html! {
        h1 { bdi { (user.name) } }
        section.card {
            dl {
                dt { "ID" } dd { (user.id) }
                dt { "Kind" } dd { (kind_text(&user)) }
                @if let Some(owner) = user.owner { dt { "Belongs to" } dd { a href={ "/admin/players/" (owner) } { (owner) } } }
                dt { "Declared level" } dd { (user.level.as_str()) }
                dt { "Created" } dd { (time_text(user.created_at)) }
                dt { "Public page" } dd { a href={ "/players/" (user.name) } { "/players/" bdi { (user.name) } } }
            }
        }
        (standings(&ratings))
        (latest(&tables))
        @if admin.id != id { (talk::silence_form(id, &user.name)) (ban_form(&user)) }
    };
    Ok(page(&user.name, body).into_response())
}

fn standings(ratings: &[Rating]) -> Markup {
    html! {
        @if !ratings.is_empty() {
            section.card {
                h2 { "Ratings" }
                table {
                    thead { tr { th { "Game" } th { "Elo" } th { "Glicko-2" } th { "Won" } th { "Lost" } th { "Drawn" } } }
                    tbody {
                        @for rating in ratings {
                            @let standing = &rating.standing;
                            tr {
                                td { (game_title(&rating.game)) } td { (standing.elo) }
                                td { (format!("{:.0} ± {:.0}", standing.glicko.rating, 2.0 * standing.glicko.deviation)) }
                                td { (standing.wins) } td { (standing.losses) } td { (standing.draws) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn latest(tables: &[TableRow]) -> Markup {
    html! {
        @if !tables.is_empty() {
            section.card {
                h2 { "Latest tables" }
                ul { @for row in tables { li { a href={ "/admin/tables/" (row.id) } { "Game " (row.id) " - " (label(row)) } " (" (game_title(&row.game)) ")" } } }
            }
        }
    }
}

fn ban_form(user: &User) -> Markup {
    let action = format!("/admin/players/{}", user.id);
    html! {
        section.card {
            @match &user.ban {
                Some(ban) => {
                    h2 { "Banned since " (time_text(ban.at)) }
                    @if !ban.reason.is_empty() { p { (ban.reason) } }
                    form method="post" action=(action) {
                        input type="hidden" name="do" value="unban";
                        button { "Unban" }
                    }
                },
                None => {
                    h2 { "Ban this player" }
                    p.soft { "All sessions end at once, tokens stop working, and connections are closed. Running games go on without this player." }
                    form method="post" action=(action) {
                        input type="hidden" name="do" value="ban";
                        label.field { span { "Reason (the player reads it, and the log has it)" } input name="reason" maxlength="200" required; }
                        label.pick { input type="checkbox" name="sure" value="yes" required; span { "Yes, ban " (user.name) } }
                        p { button.warn { "Ban" } }
                    }
                },
            }
        }
    }
}

pub(super) async fn change(
    admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<i64>,
    fields: FormFields,
) -> Result<Response, WebError> {
    let missing = || Error::not_found("there is no such player");
    let user = state.store().user(id).await?.ok_or_else(missing)?;
    let target = format!("player {} ({id})", user.name);
    match fields.get("do") {
        Some("ban") if admin.id == id => {
            return Err(Error::unprocessable("you can't ban yourself").into());
        }
        Some("ban") if fields.get("sure").is_none() => {
            return Err(Error::unprocessable("tick the box to confirm").into());
        }
        Some("ban") => {
            let reason = fields.get("reason").unwrap_or_default().to_owned();
            let ban = Ban {
                at: state.now().millis(),
                reason,
            };
            let detail = ban.audit_detail(user.ban.as_ref());
            state
                .ban(id, ban, admin.line("ban", target, detail))
                .await?;
        }
        Some("unban") => drop(
            state
                .store()
                .unban(id, admin.line("unban", target, ""))
                .await?,
        ),
        _ => {
            return Err(Error::unprocessable("unknown action; use ban or unban").into());
        }
    }
    Ok(Redirect::to(&format!("/admin/players/{id}")).into_response())
}
