//! Player pages for admins: the list, one account, banning and unbanning, new passwords, closing.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use parlor_store::{Ban, PlayerFilter, Rating, TableRow, User, UserFilter, UserKind, UserSort};
use serde::Deserialize;

use super::listing::{Choice, ListAddress, PageNumber, SortOrder, choices, heads, no_column};
use super::tables::{game_title, label};
use super::{AdminMember, counted, log, newest, page, search, talk, time_text};
use crate::AppState;
use crate::edge::Client;
use crate::error::Error;
use crate::extract::Params;
use crate::web::actions::FormFields;
use crate::web::error_page::WebError;

/// Address of the list.
const PATH: &str = "/admin/players";
/// Kinds of accounts to filter by: the value in the address and the title.
const KINDS: [(&str, &str); 4] = [
    ("person", "People"),
    ("bot", "Bots"),
    ("admin", "Admins"),
    ("banned", "Banned"),
];
/// Columns of the list: the word that sorts by it and the title; no word if none does.
const COLUMNS: [(Option<&str>, &str); 6] = [
    (Some("id"), "ID"),
    (Some("name"), "Name"),
    (Some("kind"), "Kind"),
    (None, "Belongs to"),
    (Some("created"), "Created"),
    (None, "State"),
];

#[derive(Debug, Deserialize)]
pub(in crate::web) struct PlayerQuery {
    q: Option<String>,
    /// `person`, `bot`, `admin` or `banned`.
    kind: Option<String>,
    /// Word of a column, after `-` for the largest value first.
    sort: Option<String>,
    page: Option<String>,
}

/// Returns the filter by a search and a kind.
fn user_filter(search: Option<&str>, kind: Option<&str>) -> UserFilter {
    UserFilter {
        search: search.map(str::to_owned),
        kind: kind.and_then(|kind| kind.parse::<UserKind>().ok()),
        admins_only: kind == Some("admin"),
        banned_only: kind == Some("banned"),
        ..UserFilter::default()
    }
}

fn user_sort(column: &str) -> Result<UserSort, Error> {
    Ok(match column {
        "id" => UserSort::Id,
        "name" => UserSort::Name,
        "kind" => UserSort::Kind,
        "created" => UserSort::Created,
        other => return Err(no_column(other)),
    })
}

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<PlayerQuery>,
) -> Result<Response, WebError> {
    let text = query.q.as_deref().filter(|text| !text.is_empty());
    let kind = query.kind.as_deref().filter(|kind| !kind.is_empty());
    let (store, filter) = (state.store(), user_filter(text, kind));
    let mut kinds = Vec::new();
    for (value, title) in KINDS {
        let count = store.count_users(&user_filter(text, Some(value))).await?;
        let (value, title) = (value.to_owned(), title.to_owned());
        kinds.push(Choice {
            value,
            title,
            count,
        });
    }
    let count = store.count_users(&filter).await?;
    let number = PageNumber::parse(query.page.as_deref(), count);
    let order = SortOrder::parse(query.sort.as_deref());
    let slice = order.slice(user_sort(order.column)?, number);
    let users = store.sorted_users(&filter, &slice).await?;
    let owners = owners_of(&state, &users).await?;
    let given = [("q", text), ("kind", kind), ("sort", query.sort.as_deref())];
    let address = ListAddress::new(PATH, &given);
    let body = html! {
        h1 { "Players" }
        form.filters method="get" action=(PATH) {
            (address.hidden_fields(&["q"]))
            (search("q", text, "Part of a name or an ID"))
            button { "Search" }
        }
        (choices(&address, ("kind", "Kind"), kind, &kinds))
        p.soft { (counted(count, "player")) }
        div.scroll tabindex="0" role="region" aria-label="Players" {
            table {
                thead {
                    tr {
                        (heads(&address, order, &COLUMNS))
                    }
                }
                tbody { @for user in &users { (line(user, &owners)) } }
            }
        }
        (number.links(&address))
    };
    Ok(page("Players", body).into_response())
}

/// Returns the owners of the bots among these accounts, by their ids.
async fn owners_of(state: &AppState, users: &[User]) -> Result<BTreeMap<i64, User>, Error> {
    let mut owners = BTreeMap::new();
    for owner in users.iter().filter_map(|user| user.owner) {
        if owners.contains_key(&owner) {
            continue;
        }
        if let Some(user) = state.store().user(owner).await? {
            owners.insert(owner, user);
        }
    }
    Ok(owners)
}

fn line(user: &User, owners: &BTreeMap<i64, User>) -> Markup {
    let owner = user.owner.and_then(|owner| owners.get(&owner));
    html! {
        tr {
            td { (user.id) }
            td { a href={ "/admin/players/" (user.id) } { (user.name) } }
            td { (kind_text(user)) }
            td { @if let Some(owner) = owner { a href={ "/admin/players/" (owner.id) } { (owner.name) } } }
            td { (time_text(user.created_at)) }
            td { @if user.is_closed() { "closed" } @else if user.ban.is_some() { "banned" } }
        }
    }
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
        .tables_of(id, &PlayerFilter::default(), &newest())
        .await?;
    let history = log::history(&state, &format!("player {} ({id})", user.name)).await?;
    let owner = match user.owner {
        Some(owner) => state.store().user(owner).await?,
        None => None,
    };
    let tables: Vec<TableRow> = tables.into_iter().map(|(row, _)| row).take(10).collect();
    let body = html! {
        h1 { bdi { (user.name) } }
        section.card {
            dl {
                dt { "ID" } dd { (user.id) }
                dt { "Kind" } dd { (kind_text(&user)) }
                @if let Some(owner) = &owner { dt { "Belongs to" } dd { a href={ "/admin/players/" (owner.id) } { bdi { (owner.name) } } } }
                dt { "Declared level" } dd { (user.level.as_str()) }
                dt { "Created" } dd { (time_text(user.created_at)) }
                dt { "Public page" } dd { a href={ "/players/" (user.name) } { "/players/" bdi { (user.name) } } }
            }
        }
        (standings(&ratings))
        (latest(&tables))
        (history)
        @if user.is_closed() { p.soft { "This account is closed for good." } }
        @else if admin.id != id {
            (talk::silence_form(id, &user.name))
            @if user.kind == UserKind::Person { (password_form(&user)) }
            (ban_form(&user))
            @if user.kind == UserKind::Person && !user.admin { (closing_form(&user)) }
        }
    };
    Ok(page(&user.name, body).into_response())
}

fn password_form(user: &User) -> Markup {
    html! {
        section.card {
            h2 { "Reset the password" }
            p.soft { "A new password is generated and shown to you once. All sessions end at once; tokens keep working." }
            form method="post" action={ "/admin/players/" (user.id) } {
                input type="hidden" name="do" value="reset-password";
                label.pick { input type="checkbox" name="sure" value="yes" required; span { "Yes, give " (user.name) " a new password" } }
                p { button.warn { "Reset password" } }
            }
        }
    }
}

fn closing_form(user: &User) -> Markup {
    html! {
        section.card {
            h2 { "Close the account" }
            p.soft { "The name goes, from finished games and messages, too, and nobody can sign in any more. Games, results and ratings stay. It can't be undone." }
            form method="post" action={ "/admin/players/" (user.id) } {
                input type="hidden" name="do" value="close";
                label.pick { input type="checkbox" name="sure" value="yes" required; span { "Yes, close the account of " (user.name) } }
                p { button.warn { "Close the account" } }
            }
        }
    }
}

/// Page with the new password of a player.
fn new_password(user: &User, password: &str) -> Response {
    let body = html! {
        section.card.new-token role="status" {
            h1 { "New password of " bdi { (user.name) } }
            p { "Pass it on now. Only a hash is stored, so it can't be shown again." }
            input readonly value=(password) aria-label="The new password";
            p.small.soft { "It can be changed on the account page." }
            p { a.button href={ "/admin/players/" (user.id) } { "Back to the player" } }
        }
    };
    page(&user.name, body).into_response()
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
                                td { (format!("{:.0} ± {:.0}", standing.glicko.rating(), 2.0 * standing.glicko.deviation())) }
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
    client: Client,
    Path(id): Path<i64>,
    fields: FormFields,
) -> Result<Response, WebError> {
    let missing = || Error::not_found("there is no such player");
    let user = state.store().user(id).await?.ok_or_else(missing)?;
    let target = format!("player {} ({id})", user.name);
    if user.is_closed() {
        return Err(Error::unprocessable("this account is closed").into());
    }
    match fields.get("do") {
        Some("close") if fields.get("sure").is_none() => {
            return Err(Error::unprocessable("tick the box to confirm").into());
        }
        Some("close") => {
            // The log is not to keep the name that goes.
            let target = format!("player {} ({id})", User::closed_name(id));
            let line = admin.line("close account", target, "");
            state.close_account(&user, line).await?;
        }
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
        Some("reset-password") if admin.id == id => {
            let detail = "change your own password on your account page";
            return Err(Error::unprocessable(detail).into());
        }
        Some("reset-password") if fields.get("sure").is_none() => {
            return Err(Error::unprocessable("tick the box to confirm").into());
        }
        Some("reset-password") => {
            let line = admin.line("reset password", target, "");
            let password = state.reset_password(id, client, line).await?;
            return Ok(new_password(&user, &password));
        }
        Some("unban") => drop(
            state
                .store()
                .unban(id, admin.line("unban", target, ""))
                .await?,
        ),
        _ => {
            return Err(Error::unprocessable(
                "unknown action; use ban, unban, reset-password or close",
            )
            .into());
        }
    }
    Ok(Redirect::to(&format!("/admin/players/{id}")).into_response())
}
