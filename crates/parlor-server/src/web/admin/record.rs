//! Record of one table, read-only, and its deletion.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use parlor_store::TableRow;
use parlor_table::{Table, TableId};

use super::tables::{label, turn_text};
use super::{AdminMember, log, page, question, time_text};
use crate::error::Error;
use crate::web::error_page::WebError;
use crate::web::page::HtmlPage;
use crate::web::phrases;
use crate::{AppState, live};

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
    let history = log::history(&state, &format!("table {}", row.id)).await?;
    let body = html! {
        h1 { "Game " (row.id) " - " (label(&row)) }
        section.card aria-labelledby="state" {
            h2 #state { "Game State" }
            div.picture { (PreEscaped(svg)) }
            dl {
                dt { "Status" } dd { (label(&row)) }
                dt { "Current player" } dd { (turn_text(&row)) }
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
        (history)
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
    let (_, row) = find(&state, &id).await?;
    if !delete_row(&state, &admin, &row).await? {
        return Err(missing().into());
    }
    Ok(Redirect::to("/admin/tables").into_response())
}

/// Deletes a table. Returns false if there was none.
pub(super) async fn delete_row(
    state: &AppState,
    admin: &AdminMember,
    row: &TableRow,
) -> Result<bool, Error> {
    let line = admin.line(
        "delete table",
        format!("table {}", row.id),
        format!("{}, {}", row.game, label(row)),
    );
    let deleted = state.store().delete_audited(row.id, line).await?;
    if let Some(id) = live::table_id(row.id).filter(|_| deleted) {
        // The task that owns the table finds it gone and ends, and so do the streams of spectators.
        let _ = state.live().delete(id).await;
    }
    Ok(deleted)
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
