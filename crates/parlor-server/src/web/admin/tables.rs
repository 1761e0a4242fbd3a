//! Table pages for admins: the list with its filters.
//!
//! The five options of the specification's admin pages, by name:
//! - `list_display`: id, status, current player, created, updated (and game, players)
//! - `list_filter`: status, current player, created (and game)
//! - `search_fields`: id (and names)
//! - `readonly_fields`: everything; there is no form to change or to add anything
//! - `fieldsets`: the state of the game, and collapsed Timestamps; see [`super::record`]

use std::ops::RangeInclusive;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::{GameKind, OutcomeView};
use parlor_store::{ListFilter, ListSlice, RowStatus, TableRow, TableSearch, TableSort};
use parlor_table::{Ending, TableId};
use serde::Deserialize;
use time::macros::format_description;
use time::{Date, Duration};

use super::listing::{ListAddress, PageNumber, SortOrder, sorted_head};
use super::{AdminMember, ROWS, counted, page, search, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::web::error_page::WebError;

/// Address of the list.
const PATH: &str = "/admin/tables";
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
/// Columns of the list: the word that sorts by it and the title; no word if none does.
const COLUMNS: [(Option<&str>, &str); 7] = [
    (Some("id"), "ID"),
    (Some("game"), "Game"),
    (None, "Players"),
    (Some("status"), "Status"),
    (Some("player"), "Current player"),
    (Some("created"), "Created"),
    (Some("updated"), "Updated"),
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
    /// Word of a column, after `-` for the largest value first.
    sort: Option<String>,
    page: Option<String>,
}

/// Returns the text of a field unless it is empty.
fn text(value: &Option<String>) -> Option<&str> {
    let trimmed = value.as_deref().map(str::trim);
    trimmed.filter(|text| !text.is_empty())
}

impl AdminTableQuery {
    fn address(&self) -> ListAddress {
        let given = [
            ("q", text(&self.q)),
            ("status", text(&self.status)),
            ("player", text(&self.player)),
            ("game", text(&self.game)),
            ("from", text(&self.from)),
            ("to", text(&self.to)),
            ("sort", text(&self.sort)),
            ("page", text(&self.page)),
        ];
        ListAddress::new(PATH, &given)
    }

    fn filter(&self) -> Result<ListFilter, Error> {
        let end = text(&self.to).map(day).transpose()?;
        let status = text(&self.status).map(standing).transpose()?;
        let (statuses, result) = status.unwrap_or_default();
        Ok(ListFilter {
            game: text(&self.game).map(str::to_owned),
            statuses,
            result,
            turn: text(&self.player).map(str::to_owned),
            created_from: text(&self.from).map(day).transpose()?.map(millis),
            created_before: end.map(|day| millis(day.saturating_add(Duration::DAY))),
            search: text(&self.q).map(table_search),
            ..ListFilter::default()
        })
    }

    fn order(&self) -> SortOrder<'_> {
        SortOrder::parse(text(&self.sort))
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

/// Returns the search for a part of the digits of ids or of names, or for the first letters of an id as in
/// the addresses of tables.
fn table_search(text: &str) -> TableSearch {
    TableSearch {
        text: text.to_owned(),
        ids: spelled(text).into_iter().collect(),
    }
}

/// Returns the ids that begin with these letters, as in the addresses of tables. Fewer than five letters are
/// those of too many.
fn spelled(text: &str) -> Option<RangeInclusive<i64>> {
    if !(5..=11).contains(&text.len()) {
        return None;
    }
    let text = text.to_ascii_lowercase();
    let number = |letters: String| letters.parse::<TableId>().map(TableId::number);
    let first = number(format!("{text:0<11}")).ok()?;
    let last = number(format!("{text:z<11}")).unwrap_or(TableId::MAX);
    Some(i64::try_from(first).ok()?..=i64::try_from(last).ok()?)
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
    let store = state.store();
    let filter = query.filter()?;
    let count = store.count(&filter).await?;
    let number = PageNumber::parse(query.page.as_deref(), count);
    let order = query.order();
    let slice = ListSlice {
        sort: table_sort(order.column)?,
        ascending: order.ascending,
        offset: number.offset(),
        limit: ROWS,
    };
    let rows = store.sorted_tables(&filter, &slice).await?;
    let address = query.address();
    let body = html! {
        h1 { "Tables" }
        (filters(&query))
        p.soft { (counted(count, "table")) }
        div.scroll tabindex="0" role="region" aria-label="Tables" {
            table {
                thead {
                    tr {
                        @for (column, title) in COLUMNS {
                            @match column {
                                Some(column) => (sorted_head(&address, order, column, title)),
                                None => th { (title) },
                            }
                        }
                    }
                }
                tbody { @for row in &rows { (line(row)) } }
            }
        }
        (number.links(&address))
    };
    Ok(page("Tables", body).into_response())
}

fn table_sort(column: &str) -> Result<TableSort, Error> {
    Ok(match column {
        "id" => TableSort::Id,
        "game" => TableSort::Game,
        "status" => TableSort::Status,
        "player" => TableSort::Turn,
        "created" => TableSort::Created,
        "updated" => TableSort::Updated,
        other => return Err(Error::unprocessable(format!("{other:?} is not a column"))),
    })
}
fn line(row: &TableRow) -> Markup {
    html! {
        tr {
            td { a href={ "/admin/tables/" (row.id) } { (row.id) } }
            td { (row.game) }
            td { (player_names(row)) }
            td { (label(row)) }
            td { (row.turn.as_deref().unwrap_or("–")) }
            td { (time_text(row.created_at)) }
            td { (time_text(row.updated_at)) }
        }
    }
}

/// Returns the names in the seats of a table.
pub(super) fn player_names(row: &TableRow) -> String {
    let seats = row.seats.as_array().into_iter().flatten();
    let names: Vec<&str> = seats.filter_map(|seat| seat["name"].as_str()).collect();
    names.join(", ")
}

/// Returns the status of a table, in the specification's words where it has them.
pub(super) fn label(row: &TableRow) -> String {
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
    let given = [
        &query.q,
        &query.status,
        &query.player,
        &query.game,
        &query.from,
        &query.to,
    ];
    let [q, status, player, game, from, to] = given.map(text);
    let chosen = |value: Option<&str>, this: &str| value.unwrap_or_default() == this;
    html! {
        form.filters method="get" action="/admin/tables" {
            (search("q", q, "Part of an ID or a name"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_find_the_ids_that_begin_with_them() {
        let id = TableId::new(123_456_789).unwrap();
        let number = 123_456_789;
        assert_eq!(id.to_string(), "000003nqk8n");
        for (text, found) in [
            ("000003nqk8n", true),
            ("000003NQ", true),
            ("000004", false),
            ("0000", false),
            ("00000u", false),
            ("000003nqk8n0", false),
        ] {
            let range = spelled(text);
            assert_eq!(
                range.is_some_and(|range| range.contains(&number)),
                found,
                "{text}"
            );
        }
    }
}
