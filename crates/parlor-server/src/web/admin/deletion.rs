//! Deletion of several tables: those that are selected in the list, or all that match its filters.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use futures::future::try_join_all;
use maud::{Markup, html};
use parlor_store::{ListFilter, TableRow, TableSort};

use super::listing::{ListAddress, PageNumber, SortOrder};
use super::record::delete_row;
use super::tables::{AdminTableQuery, label, player_names};
use super::{AdminMember, ROWS, counted, page};
use crate::AppState;
use crate::error::Error;
use crate::web::actions::FormFields;
use crate::web::error_page::WebError;
use crate::web::page::HtmlPage;

/// Address of the form.
pub(super) const PATH: &str = "/admin/tables/delete";
/// Maximum number of tables that one confirmation deletes, so that its answer comes in time.
const MOST_AT_ONCE: u64 = 1_000;

/// Tables of a list that are selected for deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// Those whose boxes the admin ticks.
    Ticked,
    /// All on the page.
    Page,
    /// All that match the filters, on all pages.
    All,
}

impl Selection {
    /// Reads the selection from the address of a list.
    pub(super) fn parse(text: Option<&str>) -> Selection {
        match text {
            Some("page") => Selection::Page,
            Some("all") => Selection::All,
            _ => Selection::Ticked,
        }
    }

    /// Returns true if the boxes of a list are ticked from the start.
    pub(super) fn is_ticked(self) -> bool {
        self != Selection::Ticked
    }
}

/// Renders what is below a list of tables: links that select all of them, and the button that deletes. Of
/// the `count` tables that match, `rows` are on this page.
pub(super) fn controls(
    selection: Selection,
    address: &ListAddress,
    number: PageNumber,
    rows: u64,
    count: u64,
) -> Markup {
    let page = number.text();
    let link = |select| address.with(&[("select", select), ("page", page.as_str())]);
    let all = counted(count, "table");
    html! {
        p.row {
            @match selection {
                Selection::Ticked => a.button href=(link("page")) { "Select all on this page" },
                Selection::Page => {
                    span { (counted(rows, "table")) " on this page selected" }
                    @if count > rows { a.button href=(link("all")) { "Select all " (all) " that match" } }
                    a.button href=(link("")) { "Select none" }
                }
                Selection::All => {
                    span { "All " (all) " that match selected" }
                    a.button href=(link("")) { "Select none" }
                    input type="hidden" name="all" value="yes";
                    (address.hidden_fields(&["sort"]))
                }
            }
        }
        p { button.warn { "Delete selected tables …" } }
    }
}

/// Deletes the selected tables, after a question.
pub(super) async fn delete_selected(
    admin: AdminMember,
    State(state): State<AppState>,
    fields: FormFields,
) -> Result<Response, WebError> {
    if fields.get("all").is_some() {
        return delete_matching(&state, &admin, &fields).await;
    }
    let rows = ticked(&state, &fields).await?;
    if fields.get("sure").is_none() {
        return Ok(ask_about(&rows).into_response());
    }
    delete_rows(&state, &admin, &rows).await?;
    Ok(Redirect::to("/admin/tables").into_response())
}

async fn delete_rows(
    state: &AppState,
    admin: &AdminMember,
    rows: &[TableRow],
) -> Result<(), Error> {
    // At once, so that the store commits them together.
    try_join_all(rows.iter().map(|row| delete_row(state, admin, row))).await?;
    Ok(())
}

/// Returns the ticked tables that exist, at most those of one page.
async fn ticked(state: &AppState, fields: &FormFields) -> Result<Vec<TableRow>, Error> {
    let id = |name: &str| name.strip_prefix("table.")?.parse::<i64>().ok();
    let mut ids: Vec<i64> = fields.all().filter_map(|(name, _)| id(name)).collect();
    ids.sort_unstable();
    let mut rows = Vec::new();
    for id in ids.into_iter().rev().zip(0..ROWS).map(|(id, _)| id) {
        rows.extend(state.store().row(id).await?);
    }
    match rows.is_empty() {
        true => Err(Error::unprocessable("select tables that exist")),
        false => Ok(rows),
    }
}

/// Deletes the tables that match the filters, after a question. Asks again if there are more than the
/// admin has read, and as long as some are left.
async fn delete_matching(
    state: &AppState,
    admin: &AdminMember,
    fields: &FormFields,
) -> Result<Response, WebError> {
    let query = AdminTableQuery::from_fields(fields);
    let filter = query.filter_at(state.now().millis())?;
    let count = state.store().count(&filter).await?;
    let read = fields.get("count").and_then(|text| text.parse().ok());
    let is_sure = fields.get("sure").is_some() && read.is_some_and(|read: u64| count <= read);
    if count > 0 && !is_sure {
        return Ok(ask_about_all(&query.address(), count, 0).into_response());
    }
    let deleted = delete_first(state, admin, &filter).await?;
    let left = state.store().count(&filter).await?;
    if deleted > 0 && left > 0 {
        return Ok(ask_about_all(&query.address(), left, deleted).into_response());
    }
    Ok(Redirect::to("/admin/tables").into_response())
}

/// Deletes the oldest tables that match a filter, up to [`MOST_AT_ONCE`]. Returns their number.
async fn delete_first(
    state: &AppState,
    admin: &AdminMember,
    filter: &ListFilter,
) -> Result<u64, Error> {
    let oldest_first = SortOrder::parse(Some("id"));
    let slice = oldest_first.slice(TableSort::Id, PageNumber::FIRST);
    let mut deleted = 0;
    while deleted < MOST_AT_ONCE {
        let rows = state.store().sorted_tables(filter, &slice).await?;
        if rows.is_empty() {
            break;
        }
        delete_rows(state, admin, &rows).await?;
        deleted += rows.len() as u64;
    }
    Ok(deleted)
}

/// Asks whether several tables are to be deleted.
fn ask_about(rows: &[TableRow]) -> HtmlPage {
    let list = html! {
        ul {
            @for row in rows {
                li {
                    input type="hidden" name={ "table." (row.id) } value="yes";
                    a href={ "/admin/tables/" (row.id) } { "Game " (row.id) " - " (label(row)) }
                    " (" (row.game) @let names = player_names(row); @if !names.is_empty() { ", " (names) } ")"
                }
            }
        }
    };
    ask(rows.len() as u64, "/admin/tables", &list)
}

/// Asks whether all tables that match the filters in an address are to be deleted, after `deleted` that are
/// gone.
fn ask_about_all(address: &ListAddress, count: u64, deleted: u64) -> HtmlPage {
    let back = address.with(&[]);
    let list = html! {
        @if deleted > 0 { p role="status" { (counted(deleted, "table")) " deleted; " (count) " left." } }
        p { a href=(back) { "All tables that match the filters" } }
        @if count > MOST_AT_ONCE { p.soft { "At most " (MOST_AT_ONCE) " are deleted at once. You are asked again for the others." } }
        input type="hidden" name="all" value="yes";
        input type="hidden" name="count" value=(count);
        (address.hidden_fields(&["sort"]))
    };
    ask(count, &back, &list)
}

/// Asks whether so many tables are to be deleted. `list` is the part of the form that says which.
fn ask(count: u64, back: &str, list: &Markup) -> HtmlPage {
    let count = counted(count, "table");
    let body = html! {
        section.card {
            h1 { "Delete " (count) "?" }
            p { "They and all their moves will be deleted for good. Ratings don't change." }
            form method="post" action=(PATH) {
                input type="hidden" name="sure" value="yes";
                (list)
                p.row { button.warn { "Yes, delete " (count) } a.button href=(back) { "Cancel" } }
            }
        }
    };
    page("Delete tables", body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_links_select_the_page_then_all_then_none() {
        let address = ListAddress::new("/admin/tables", &[("game", Some("mnk"))]);
        let shown = |selection, count| {
            let number = PageNumber::parse(Some("2"), 120);
            controls(selection, &address, number, 50, count).into_string()
        };
        let ticked = shown(Selection::Ticked, 120);
        assert!(ticked.contains("game=mnk&amp;select=page&amp;page=2"));
        assert!(!ticked.contains("name=\"all\""), "{ticked}");
        let page = shown(Selection::Page, 120);
        assert!(page.contains("select=all") && page.contains("Select all 120 tables"));
        assert!(!shown(Selection::Page, 50).contains("select=all"));
        let all = shown(Selection::All, 120);
        assert!(all.contains("name=\"all\"") && all.contains("name=\"game\" value=\"mnk\""));
    }
}
