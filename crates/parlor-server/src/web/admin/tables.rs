//! Table pages for admins: the list with its filters, the read-only record, and deletion.
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
use parlor_store::{ListFilter, RowStatus, TableRow};
use parlor_table::{Ending, Table, TableId};
use serde::Deserialize;
use time::macros::format_description;
use time::{Date, Duration};

use super::{AdminMember, counted, page, page_before, page_links, question, search, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::web::error_page::WebError;
use crate::web::page::HtmlPage;
use crate::web::phrases;

/// Results to filter by: the value in the URL and the one in the row.
const RESULTS: [(&str, &str); 3] = [("x_wins", "X"), ("o_wins", "O"), ("draw", "draw")];
/// Choices of the status filter: value and title.
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
pub(in crate::web) struct AdminTableQuery {
    q: Option<String>,
    status: Option<String>,
    player: Option<String>,
    game: Option<String>,
    /// First day of creation, as `2026-01-31`; `to` is the last.
    from: Option<String>,
    to: Option<String>,
    before: Option<i64>,
}

impl AdminTableQuery {
    /// Returns the filters by name; empty ones are `None`.
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

    fn filter(&self) -> Result<ListFilter, Error> {
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
        Ok(ListFilter {
            game: game.map(str::to_owned),
            statuses,
            result,
            turn: player.map(str::to_owned),
            created_from: from.map(day).transpose()?.map(millis),
            created_before: end.map(millis),
            ids: q.map(ids).unwrap_or_default(),
            ..ListFilter::default()
        })
    }
}

/// Parses a choice of the status filter: one of the specification's words, or a status that the
/// specification lacks.
fn standing(text: &str) -> Result<(Vec<RowStatus>, Option<String>), Error> {
    if let Some((_, result)) = RESULTS.iter().find(|(word, _)| *word == text) {
        return Ok((vec![RowStatus::Over], Some((*result).to_owned())));
    }
    let text = if text == "in_progress" {
        "playing"
    } else {
        text
    };
    let status = text
        .parse::<RowStatus>()
        .map_err(|error| Error::unprocessable(error.to_string()))?;
    Ok((vec![status], None))
}

/// Returns the ids that start with the given digits or are written as the given eleven letters;
/// none for any other text.
fn ids(text: &str) -> Vec<std::ops::RangeInclusive<i64>> {
    let named = text
        .parse::<TableId>()
        .ok()
        .and_then(|id| i64::try_from(id.number()).ok());
    let mut found = ListFilter::decimal_prefix(text);
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
        .map_err(|_| Error::unprocessable(format!("{text:?} is not a date like 2026-01-31")))
}

fn millis(day: Date) -> i64 {
    day.midnight().assume_utc().unix_timestamp() * 1000
}

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<AdminTableQuery>,
) -> Result<Response, WebError> {
    let filter = query.filter()?;
    let rows = state
        .store()
        .list(&filter, &page_before(query.before))
        .await?;
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
        (page_links("/admin/tables", &query.given(), query.before, rows.last().map(|row| row.id), rows.len()))
    };
    Ok(page("Tables", body).into_response())
}

fn line(row: &TableRow) -> Markup {
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

/// Returns the status of a table, in the specification's words where it has them.
fn label(row: &TableRow) -> String {
    let ending = row
        .summary
        .as_ref()
        .and_then(|summary| serde_json::from_value::<Ending>(summary["ending"].clone()).ok());
    match (row.status, ending.and_then(|ending| ending.outcome)) {
        (RowStatus::Open, _) => "Waiting".to_owned(),
        (RowStatus::Playing, _) => "In Progress".to_owned(),
        (RowStatus::Aborted, _) => "Called off".to_owned(),
        (RowStatus::Over, Some(OutcomeView::Won { seat, .. })) => {
            let seat = row
                .seats
                .get(usize::from(seat))
                .and_then(|seat| seat["label"].as_str());
            format!("{} Wins", seat.unwrap_or("Someone"))
        }
        (RowStatus::Over, Some(OutcomeView::Draw)) => "Draw".to_owned(),
        (RowStatus::Over, Some(OutcomeView::TeamWon)) => "Team Wins".to_owned(),
        (RowStatus::Over, Some(OutcomeView::TeamLost)) => "Team Loses".to_owned(),
        (RowStatus::Over, _) => "Over".to_owned(),
    }
}

fn filters(query: &AdminTableQuery) -> Markup {
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
            (search("q", q, "ID, or its first digits"))
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
                    @for kind in GameKind::all() { option value=(kind.name()) selected[chosen(game, kind.name())] { (kind.title()) } }
                }
            }
            label.field { span { "Created from" } input type="date" name="from" value=[from]; }
            label.field { span { "Created to" } input type="date" name="to" value=[to]; }
            button { "Filter" }
        }
    }
}

/// The read-only record of one table.
pub(super) async fn show(
    _admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, WebError> {
    let (id, row) = find(&state, &id).await?;
    let (kind, svg, record) = state
        .read(id, |table: &Table| {
            let svg = table.position().svg(table.last_marked_move());
            (table.kind(), svg, details(table))
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
            a.button href={ "/t/" (id) } { "Go to the table" }
            a.button.warn href={ "/admin/tables/" (row.id) "/delete" } { "Delete …" }
        }
    };
    let page = HtmlPage {
        game: Some(kind),
        ..page(&format!("Table {}", row.id), body)
    };
    Ok(page.into_response())
}

fn details(table: &Table) -> Markup {
    let view = table.view();
    html! {
        dt { "Game" } dd { (table.kind().title()) ", " (phrases::options(table.kind(), table.options())) }
        dt { "Players" } dd { (phrases::players(view.seats.iter().map(|seat| seat.name.as_deref()))) }
        dt { "Clock" } dd { (table.clock().map_or_else(|| "none".to_owned(), |clock| clock.to_string())) }
        dt { "Rated" } dd { (if table.is_rated() { "yes" } else { "no" }) }
        dt { "Listed" } dd { (if table.is_listed() { "yes" } else { "no" }) }
        dt { "Moves" } dd { (view.plies) }
        dt { "Version" } dd { (view.version) }
        dt { "Position" } dd.hash { (view.text) }
    }
}

pub(super) async fn ask(
    _admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, WebError> {
    let (_, row) = find(&state, &id).await?;
    let text = html! {
        p { "Table " (row.id) " (" (row.game) ", " (label(&row)) ") and all its moves will be deleted for good. Ratings don't change." }
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
    admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, WebError> {
    let (id, row) = find(&state, &id).await?;
    let line = admin.line(
        "delete table",
        format!("table {}", row.id),
        format!("{}, {}", row.game, label(&row)),
    );
    if !state.store().delete_audited(row.id, line).await? {
        return Err(missing().into());
    }
    // The task that owns the table finds it gone and ends, and so do the streams of spectators.
    let _ = state.live().delete(id).await;
    Ok(Redirect::to("/admin/tables").into_response())
}

/// Finds the table named in the path.
async fn find(state: &AppState, text: &str) -> Result<(TableId, TableRow), Error> {
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
