//! Tables: the list with its filters, the read-only record, and deleting one.
//!
//! The five options of the specification's admin pages, by name:
//! - `list_display`: id, status, current player, created, updated
//! - `list_filter`: status, current player, created (and game)
//! - `search_fields`: id
//! - `readonly_fields`: everything; there is no form to change or to add anything
//! - `fieldsets`: the state of the game, and collapsed Timestamps

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use parlor_games::{GameKind, OutcomeView};
use parlor_store::{Filter, Row, Status};
use parlor_table::{Ending, Table, TableId};
use serde::Deserialize;
use time::macros::format_description;
use time::{Date, Duration};

use super::{Admin, counted, onward, page, part, question, search, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::web::oops::Oops;
use crate::web::words;

/// How a game may have come out: the word in the address, and in the row.
const RESULTS: [(&str, &str); 3] = [("x_wins", "X"), ("o_wins", "O"), ("draw", "draw")];
/// What the status filter offers.
const STANDINGS: [(&str, &str); 8] = [
    ("", "All"),
    ("in_progress", "In Progress"),
    ("x_wins", "X Wins"),
    ("o_wins", "O Wins"),
    ("draw", "Draw"),
    ("over", "Over"),
    ("open", "Waiting"),
    ("aborted", "Called off"),
];

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Query {
    q: Option<String>,
    status: Option<String>,
    player: Option<String>,
    game: Option<String>,
    /// The first and the last day, as `2026-01-31`.
    from: Option<String>,
    to: Option<String>,
    before: Option<i64>,
}

impl Query {
    /// What is filtered by, without what was left empty.
    fn given(&self) -> [(&'static str, Option<&str>); 6] {
        fn text(value: &Option<String>) -> Option<&str> {
            value
                .as_deref()
                .map(str::trim)
                .filter(|text| !text.is_empty())
        }
        [
            ("q", text(&self.q)),
            ("status", text(&self.status)),
            ("player", text(&self.player)),
            ("game", text(&self.game)),
            ("from", text(&self.from)),
            ("to", text(&self.to)),
        ]
    }

    fn filter(&self) -> Result<Filter, Error> {
        let [
            (_, q),
            (_, status),
            (_, player),
            (_, game),
            (_, from),
            (_, to),
        ] = self.given();
        let end = to
            .map(day)
            .transpose()?
            .map(|day| day.saturating_add(Duration::DAY));
        let (statuses, result) = status.map(standing).transpose()?.unwrap_or_default();
        Ok(Filter {
            game: game.map(str::to_owned),
            statuses,
            result,
            turn: player.map(str::to_owned),
            created_from: from.map(day).transpose()?.map(millis),
            created_before: end.map(millis),
            ids: q.map(ids).unwrap_or_default(),
            ..Filter::default()
        })
    }
}

/// What a choice of the status filter stands for: the specification's words, and those for what it does not know.
fn standing(text: &str) -> Result<(Vec<Status>, Option<String>), Error> {
    if let Some((_, result)) = RESULTS.iter().find(|(word, _)| *word == text) {
        return Ok((vec![Status::Over], Some((*result).to_owned())));
    }
    let text = if text == "in_progress" {
        "playing"
    } else {
        text
    };
    let status = text
        .parse::<Status>()
        .map_err(|error| Error::unprocessable(error.to_string()))?;
    Ok((vec![status], None))
}

/// The ids that begin with a number, or the one that a text of eleven letters names. A text that is neither finds nothing.
fn ids(text: &str) -> Vec<std::ops::RangeInclusive<i64>> {
    let named = text
        .parse::<TableId>()
        .ok()
        .and_then(|id| i64::try_from(id.number()).ok());
    let mut found = Filter::decimal_prefix(text);
    found.extend(named.map(|id| id..=id));
    if found.is_empty() {
        vec![-1..=-1]
    } else {
        found
    }
}

fn day(text: &str) -> Result<Date, Error> {
    let format = format_description!("[year]-[month]-[day]");
    Date::parse(text, format)
        .map_err(|_| Error::unprocessable(format!("{text:?} is no day such as 2026-01-31")))
}

fn millis(day: Date) -> i64 {
    day.midnight().assume_utc().unix_timestamp() * 1000
}

pub(super) async fn list(
    _admin: Admin,
    State(state): State<AppState>,
    Params(query): Params<Query>,
) -> Result<Response, Oops> {
    let filter = query.filter()?;
    let rows = state.store().list(&filter, &part(query.before)).await?;
    let count = state.store().count(&filter).await?;
    let body = html! {
        h1 { "Tables" }
        (filters(&query))
        p.soft { (counted(count, "table")) }
        div.scroll tabindex="0" role="region" aria-label="Tables" {
            table {
                thead { tr { th { "ID" } th { "Game" } th { "Status" } th { "Current player" } th { "Created" } th { "Updated" } } }
                tbody { @for row in &rows { (line(row)) } }
            }
        }
        (onward("/admin/tables", &query.given(), query.before, rows.last().map(|row| row.id), rows.len()))
    };
    Ok(page("Tables", body).into_response())
}

fn line(row: &Row) -> Markup {
    html! {
        tr {
            td { a href={ "/admin/tables/" (row.id) } { (row.id) } }
            td { (row.game) }
            td { (label(row)) }
            td { (row.turn.as_deref().unwrap_or("–")) }
            td { (time_text(row.created_at)) }
            td { (time_text(row.updated_at)) }
        }
    }
}

/// How a table stands, in the words of the specification where it has them.
fn label(row: &Row) -> String {
    let ending = row
        .summary
        .as_ref()
        .and_then(|summary| serde_json::from_value::<Ending>(summary["ending"].clone()).ok());
    match (row.status, ending.and_then(|ending| ending.outcome)) {
        (Status::Open, _) => "Waiting".to_owned(),
        (Status::Playing, _) => "In Progress".to_owned(),
        (Status::Aborted, _) => "Called off".to_owned(),
        (Status::Over, Some(OutcomeView::Won { seat, .. })) => {
            let seat = row
                .seats
                .get(usize::from(seat))
                .and_then(|seat| seat["label"].as_str());
            format!("{} Wins", seat.unwrap_or("Somebody"))
        }
        (Status::Over, Some(OutcomeView::Draw)) => "Draw".to_owned(),
        (Status::Over, Some(OutcomeView::TeamWon)) => "Team Wins".to_owned(),
        (Status::Over, Some(OutcomeView::TeamLost)) => "Team Loses".to_owned(),
        (Status::Over, _) => "Over".to_owned(),
    }
}

fn filters(query: &Query) -> Markup {
    let [
        (_, q),
        (_, status),
        (_, player),
        (_, game),
        (_, from),
        (_, to),
    ] = query.given();
    let chosen = |value: Option<&str>, this: &str| value.unwrap_or_default() == this;
    html! {
        form.filters method="get" action="/admin/tables" {
            (search("q", q, "ID, or how it begins"))
            label.field {
                span { "Status" }
                select name="status" {
                    @for (value, title) in STANDINGS {
                        option value=(value) selected[chosen(status, value)] { (title) }
                    }
                }
            }
            label.field { span { "Current player" } input name="player" value=[player] maxlength="20" placeholder="X"; }
            label.field {
                span { "Game" }
                select name="game" {
                    option value="" { "All" }
                    @for kind in GameKind::ALL { option value=(kind.name()) selected[chosen(game, kind.name())] { (kind.title()) } }
                }
            }
            label.field { span { "Created from" } input type="date" name="from" value=[from]; }
            label.field { span { "Created to" } input type="date" name="to" value=[to]; }
            button { "Filter" }
        }
    }
}

/// The record of one table; nothing of it can be changed.
pub(super) async fn show(
    _admin: Admin,
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, Oops> {
    let (id, row) = find(&state, &id).await?;
    let (svg, record) = state
        .read(id, |table: &Table| {
            (table.position().svg(table.last_mark()), details(table))
        })
        .await?;
    let body = html! {
        h1 { "Table " (row.id) }
        section.card aria-labelledby="state" {
            h2 #state { "Game State" }
            div.picture { (PreEscaped(svg)) }
            dl {
                dt { "Status" } dd { (label(&row)) }
                dt { "Current player" } dd { (row.turn.as_deref().unwrap_or("–")) }
                (record)
            }
        }
        details.card {
            summary { h2 { "Timestamps" } }
            dl {
                dt { "Created" } dd { (time_text(row.created_at)) }
                dt { "Updated" } dd { (time_text(row.updated_at)) }
                @if let Some(due) = row.due_at { dt { "Due" } dd { (time_text(due)) } }
            }
        }
        p.row {
            a.button href={ "/t/" (id) } { "To the table" }
            a.button.warn href={ "/admin/tables/" (row.id) "/delete" } { "Delete …" }
        }
    };
    Ok(page(&format!("Table {}", row.id), body).into_response())
}

fn details(table: &Table) -> Markup {
    let view = table.view();
    html! {
        dt { "Game" } dd { (table.kind().title()) ", " (words::options(table.kind(), table.options())) }
        dt { "Players" } dd { (words::players(view.seats.iter().map(|seat| seat.name.as_deref()))) }
        dt { "Clock" } dd { (table.clock().map_or_else(|| "none".to_owned(), |clock| clock.to_string())) }
        dt { "Rated" } dd { (if table.rated() { "yes" } else { "no" }) }
        dt { "Listed" } dd { (if table.listed() { "yes" } else { "no" }) }
        dt { "Moves" } dd { (view.plies) }
        dt { "Version" } dd { (view.version) }
        dt { "Position" } dd.hash { (view.text) }
    }
}

pub(super) async fn ask(
    _admin: Admin,
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, Oops> {
    let (_, row) = find(&state, &id).await?;
    let text = html! {
        p { "Table " (row.id) " (" (row.game) ", " (label(&row)) ") and all its moves will be gone for good. Ratings stay as they are." }
    };
    let address = format!("/admin/tables/{}", row.id);
    let page = question(
        "Delete this table?",
        text,
        &format!("{address}/delete"),
        "Yes, delete it",
        &address,
    );
    Ok(page.into_response())
}

pub(super) async fn delete(
    admin: Admin,
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, Oops> {
    let (id, row) = find(&state, &id).await?;
    let line = admin.line(
        "delete table",
        format!("table {}", row.id),
        format!("{}, {}", row.game, label(&row)),
    );
    if !state.store().delete_audited(row.id, line).await? {
        return Err(missing().into());
    }
    // The task that owns the table finds it gone, and ends; so do the streams of those who watch.
    let _ = state.live().delete(id).await;
    Ok(Redirect::to("/admin/tables").into_response())
}

/// The table that a part of the address names.
async fn find(state: &AppState, text: &str) -> Result<(TableId, Row), Error> {
    let id = table_id(text)?;
    let row = state.store().row(key(id)).await?.ok_or_else(missing)?;
    Ok((id, row))
}

fn table_id(text: &str) -> Result<TableId, Error> {
    let number = text
        .parse::<u64>()
        .ok()
        .and_then(|number| TableId::new(number).ok());
    number.or_else(|| text.parse().ok()).ok_or_else(missing)
}

fn key(id: TableId) -> i64 {
    i64::try_from(id.number()).expect("an id is below 2^53")
}

fn missing() -> Error {
    Error::not_found("there is no such table")
}
