//! Table pages for admins: the list with its filters.
//!
//! The five options of the specification's admin pages, by name:
//! - `list_display`: id, status, current player, created, updated (and game, players)
//! - `list_filter`: status, current player, created (and winner, game)
//! - `search_fields`: id (and names)
//! - `readonly_fields`: everything; there is no form to change or to add anything
//! - `fieldsets`: the state of the game, and collapsed Timestamps; see [`super::record`]

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::{GameKind, OutcomeView};
use parlor_store::{ListFilter, RowStatus, TableRow, TableSearch, TableSort, TableTally};
use parlor_table::{Ending, TableId};
use serde::Deserialize;
use time::macros::format_description;
use time::{Date, Duration, Month, OffsetDateTime};

use super::deletion::{self, Selection};
use super::listing::{Choice, ListAddress, PageNumber, SortOrder, choices, heads, no_column};
use super::{AdminMember, counted, page, search, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::web::actions::FormFields;
use crate::web::error_page::WebError;

/// Address of the list.
const PATH: &str = "/admin/tables";
/// Results to filter by: the value in the URL and the one in the row.
const RESULTS: [(&str, &str); 3] = [("x_wins", "X"), ("o_wins", "O"), ("draw", "draw")];
/// Choices of the status filter: value and title.
const STANDINGS: [(&str, &str); 7] = [
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
/// Result of a game that nobody won.
const DRAW: &str = "draw";

#[derive(Debug, Deserialize)]
pub(in crate::web) struct AdminTableQuery {
    q: Option<String>,
    status: Option<String>,
    player: Option<String>,
    winner: Option<String>,
    game: Option<String>,
    /// `today`, `week`, `month` or `year`.
    created: Option<String>,
    /// First day of creation, as `2026-01-31`; `to` is the last.
    from: Option<String>,
    to: Option<String>,
    /// Word of a column, after `-` for the largest value first.
    sort: Option<String>,
    page: Option<String>,
    /// `page` or `all`, if the tables on the page or all that match are selected.
    select: Option<String>,
}

/// Returns the text of a field unless it is empty.
fn text(value: &Option<String>) -> Option<&str> {
    let trimmed = value.as_deref().map(str::trim);
    trimmed.filter(|text| !text.is_empty())
}

impl AdminTableQuery {
    /// Reads the filters from the fields of a form.
    pub(super) fn from_fields(fields: &FormFields) -> AdminTableQuery {
        let field = |name| fields.get(name).map(str::to_owned);
        AdminTableQuery {
            q: field("q"),
            status: field("status"),
            player: field("player"),
            winner: field("winner"),
            game: field("game"),
            created: field("created"),
            from: field("from"),
            to: field("to"),
            sort: None,
            page: None,
            select: None,
        }
    }

    pub(super) fn address(&self) -> ListAddress {
        let given = [
            ("q", text(&self.q)),
            ("status", text(&self.status)),
            ("player", text(&self.player)),
            ("winner", text(&self.winner)),
            ("game", text(&self.game)),
            ("created", text(&self.created)),
            ("from", text(&self.from)),
            ("to", text(&self.to)),
            ("sort", text(&self.sort)),
            ("page", text(&self.page)),
        ];
        ListAddress::new(PATH, &given)
    }

    /// Returns the filter by the search and the days alone, whose tables the choices count.
    fn searched(&self) -> Result<ListFilter, Error> {
        let end = text(&self.to).map(day).transpose()?;
        Ok(ListFilter {
            created_from: text(&self.from).map(day).transpose()?.map(millis),
            created_before: end.map(|day| millis(day.saturating_add(Duration::DAY))),
            search: text(&self.q).map(table_search),
            ..ListFilter::default()
        })
    }

    /// Returns the filter by everything, at a time in milliseconds since the Unix epoch.
    pub(super) fn filter_at(&self, now: i64) -> Result<ListFilter, Error> {
        self.filter(&Period::all(now))
    }

    /// Returns the filter by everything.
    fn filter(&self, periods: &[Period]) -> Result<ListFilter, Error> {
        let searched = self.searched()?;
        let status = text(&self.status).map(standing).transpose()?;
        let (mut statuses, mut result) = status.unwrap_or_default();
        let mut ids = Vec::new();
        if let Some(winner) = text(&self.winner) {
            let is_other = |status: &RowStatus| *status != RowStatus::Over;
            let other_result = result.as_deref().is_some_and(|result| result != winner);
            if winner == DRAW || statuses.iter().any(is_other) || other_result {
                ids.push(-1..=-1); // No game is drawn, or not over, and won.
            }
            statuses = vec![RowStatus::Over];
            result = Some(winner.to_owned());
        }
        let period = text(&self.created).map(|word| {
            let mut known = periods.iter();
            let unknown = || Error::unprocessable(format!("{word:?} is not a period"));
            known.find(|period| period.word == word).ok_or_else(unknown)
        });
        let since = period.transpose()?.map(|period| period.since);
        Ok(ListFilter {
            game: text(&self.game).map(str::to_owned),
            statuses,
            result,
            turn: text(&self.player).map(str::to_owned),
            created_from: searched.created_from.max(since),
            ids,
            ..searched
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

/// Time until now in which tables were created, as a choice.
struct Period {
    word: &'static str,
    title: &'static str,
    /// Its beginning, in milliseconds since the Unix epoch.
    since: i64,
}

impl Period {
    /// Returns all periods at a time in milliseconds since the Unix epoch, the shortest first.
    fn all(now: i64) -> Vec<Period> {
        let now = OffsetDateTime::from_unix_timestamp(now / 1000);
        let today = now.unwrap_or(OffsetDateTime::UNIX_EPOCH).date();
        let week = today.saturating_sub(Duration::days(7));
        let month = today.replace_day(1).unwrap_or(today);
        let year = Date::from_calendar_date(today.year(), Month::January, 1).unwrap_or(month);
        let period = |word, title, since| Period {
            word,
            title,
            since: millis(since),
        };
        let mut all = vec![
            period("today", "Today", today),
            period("week", "Past 7 days", week),
            period("month", "This month", month),
            period("year", "This year", year),
        ];
        all.sort_by_key(|period| std::cmp::Reverse(period.since));
        all
    }
}

/// Filters by which choices are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Facet {
    Status,
    Player,
    Winner,
    Game,
    Created,
}

/// Counts of the choices: what each of them would show, with the other filters as they are.
struct Counts<'q> {
    query: &'q AdminTableQuery,
    periods: &'q [Period],
    tallies: Vec<TableTally>,
}

impl Counts<'_> {
    /// Returns the number of tables that a condition matches, and all filters but that one.
    fn count(&self, besides: Option<Facet>, matches: impl Fn(&TableTally) -> bool) -> u64 {
        let found = self.tallies.iter();
        let found = found.filter(|tally| matches(tally) && self.passes(tally, besides));
        found.map(|tally| tally.count).sum()
    }

    fn passes(&self, tally: &TableTally, besides: Option<Facet>) -> bool {
        let query = self.query;
        let passes = |facet, value: &Option<String>, has: &dyn Fn(&str) -> bool| {
            besides == Some(facet) || text(value).is_none_or(has)
        };
        passes(Facet::Status, &query.status, &|word| {
            has_standing(tally, word)
        }) && passes(Facet::Player, &query.player, &|turn| {
            tally.turn.as_deref() == Some(turn)
        }) && passes(Facet::Winner, &query.winner, &|winner| {
            winner_of(tally) == Some(winner)
        }) && passes(Facet::Game, &query.game, &|game| tally.game == game)
            && passes(Facet::Created, &query.created, &|word| {
                self.is_since(tally, word)
            })
    }

    fn is_since(&self, tally: &TableTally, word: &str) -> bool {
        let index = self.periods.iter().position(|period| period.word == word);
        index.is_some_and(|index| tally.age <= index)
    }

    /// Returns the choices of a filter by the values that there are, in order. The present one is there even
    /// if it is none of them.
    fn values<'t>(
        &'t self,
        facet: Facet,
        chosen: Option<&'t str>,
        value: impl Fn(&'t TableTally) -> Option<&'t str>,
    ) -> BTreeMap<&'t str, u64> {
        let mut counts: BTreeMap<&str, u64> = chosen.map(|value| (value, 0)).into_iter().collect();
        let found = self.tallies.iter();
        for tally in found.filter(|tally| self.passes(tally, Some(facet))) {
            if let Some(value) = value(tally) {
                *counts.entry(value).or_default() += tally.count;
            }
        }
        counts
    }
}

/// Returns true for tables of a choice of the status filter.
fn has_standing(tally: &TableTally, word: &str) -> bool {
    standing(word).is_ok_and(|(statuses, result)| {
        statuses.contains(&tally.status) && (result.is_none() || result == tally.result)
    })
}

/// Returns the label of the winner.
fn winner_of(tally: &TableTally) -> Option<&str> {
    let result = tally.result.as_deref();
    result.filter(|result| tally.status == RowStatus::Over && *result != DRAW)
}

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<AdminTableQuery>,
) -> Result<Response, WebError> {
    let periods = Period::all(state.now().millis());
    let filter = query.filter(&periods)?;
    let since: Vec<i64> = periods.iter().map(|period| period.since).collect();
    let store = state.store();
    let counts = Counts {
        query: &query,
        periods: &periods,
        tallies: store.tally_tables(&query.searched()?, &since).await?,
    };
    let count = counts.count(None, |_| true);
    let number = PageNumber::parse(query.page.as_deref(), count);
    let order = query.order();
    let slice = order.slice(table_sort(order.column)?, number);
    let rows = store.sorted_tables(&filter, &slice).await?;
    let address = query.address();
    let selection = Selection::parse(query.select.as_deref());
    let body = html! {
        h1 { (heading(text(&query.game))) }
        (search_form(&query, &address))
        (all_choices(&counts, &address))
        p.soft { (counted(count, "table")) }
        form method="post" action=(deletion::PATH) {
            div.scroll tabindex="0" role="region" aria-label="Tables" {
                table {
                    thead {
                        tr {
                            th { span.hidden { "Selected" } }
                            (heads(&address, order, &COLUMNS))
                        }
                    }
                    tbody { @for row in &rows { (line(row, selection)) } }
                }
            }
            @if !rows.is_empty() { (deletion::controls(selection, &address, number, rows.len() as u64, count)) }
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
        other => return Err(no_column(other)),
    })
}

/// Returns the heading of the list: the specification's name for the tables of one game.
fn heading(game: Option<&str>) -> String {
    let title = game.map(game_title);
    title.map_or_else(
        || "Tables".to_owned(),
        |title| format!("{} Games", in_capitals(&title)),
    )
}

/// Returns a title with a capital at the beginning of each word, as in `Tug-Of-War`.
fn in_capitals(title: &str) -> String {
    let mut begins = true;
    let mut text = String::new();
    for c in title.chars() {
        match begins {
            true => text.extend(c.to_uppercase()),
            false => text.push(c),
        }
        begins = !c.is_alphanumeric();
    }
    text
}

/// Returns the title of a game by its key.
pub(super) fn game_title(game: &str) -> String {
    let kind = GameKind::from_name(game);
    kind.map_or_else(|_| game.to_owned(), |kind| kind.title().to_owned())
}

fn search_form(query: &AdminTableQuery, address: &ListAddress) -> Markup {
    html! {
        form.filters method="get" action=(PATH) {
            (address.hidden_fields(&["q", "from", "to"]))
            (search("q", text(&query.q), "Part of an ID or a name"))
            label.field { span { "Created from" } input type="date" name="from" value=[text(&query.from)]; }
            label.field { span { "Created to" } input type="date" name="to" value=[text(&query.to)]; }
            button { "Search" }
        }
    }
}

/// Renders the filters as choices with counts.
fn all_choices(counts: &Counts<'_>, address: &ListAddress) -> Markup {
    let query = counts.query;
    let statuses: Vec<Choice> = STANDINGS
        .into_iter()
        .map(|(word, title)| {
            let has = |tally: &TableTally| has_standing(tally, word);
            choice(
                word,
                title.to_owned(),
                counts.count(Some(Facet::Status), has),
            )
        })
        .collect();
    let periods: Vec<Choice> = counts
        .periods
        .iter()
        .map(|Period { word, title, .. }| {
            let has = |tally: &TableTally| counts.is_since(tally, word);
            let count = counts.count(Some(Facet::Created), has);
            choice(word, (*title).to_owned(), count)
        })
        .collect();
    let titled = |values: BTreeMap<&str, u64>, title: fn(&str) -> String| -> Vec<Choice> {
        let values = values.into_iter();
        values
            .map(|(value, count)| choice(value, title(value), count))
            .collect()
    };
    let chosen = (text(&query.player), text(&query.winner), text(&query.game));
    let players = counts.values(Facet::Player, chosen.0, |tally| tally.turn.as_deref());
    let winners = counts.values(Facet::Winner, chosen.1, winner_of);
    let games = counts.values(Facet::Game, chosen.2, |tally| Some(tally.game.as_str()));
    html! {
        (choices(address, ("status", "Status"), text(&query.status), &statuses))
        (choices(address, ("player", "Current player"), chosen.0, &titled(players, player_text)))
        (choices(address, ("winner", "Winner"), chosen.1, &titled(winners, winner_text)))
        (choices(address, ("game", "Game"), chosen.2, &titled(games, game_title)))
        (choices(address, ("created", "Created"), text(&query.created), &periods))
    }
}

fn choice(value: &str, title: String, count: u64) -> Choice {
    let value = value.to_owned();
    Choice {
        value,
        title,
        count,
    }
}

/// Returns the name of a side: the specification's for a symbol, as in `Player X`.
fn player_text(label: &str) -> String {
    match label.chars().count() {
        1 => format!("Player {label}"),
        _ => label.to_owned(),
    }
}

fn winner_text(result: &str) -> String {
    match result {
        "won" => "The team".to_owned(),
        "lost" => "Nobody (a team lost)".to_owned(),
        label => player_text(label),
    }
}

/// Returns the side on turn at a table.
pub(super) fn turn_text(row: &TableRow) -> String {
    let turn = row.turn.as_deref();
    turn.map_or_else(|| "–".to_owned(), player_text)
}

fn line(row: &TableRow, selection: Selection) -> Markup {
    // A box that could be cleared would not be taken out of all that match.
    let is_fixed = selection == Selection::All;
    html! {
        tr {
            td { input type="checkbox" name={ "table." (row.id) } value="yes" checked[selection.is_ticked()] disabled[is_fixed] aria-label={ "Select " (row.id) }; }
            td { a href={ "/admin/tables/" (row.id) } { (row.id) } }
            td { (game_title(&row.game)) }
            td { (player_names(row)) }
            td { (label(row)) }
            td { (turn_text(row)) }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn query(fields: &str) -> AdminTableQuery {
        let uri: axum::http::Uri = format!("/admin/tables?{fields}").parse().unwrap();
        let query = axum::extract::Query::<AdminTableQuery>::try_from_uri(&uri);
        query.unwrap().0
    }

    #[test]
    fn choices_count_what_they_would_show() {
        let tally = |status, result: Option<&str>, turn: Option<&str>, age, count| TableTally {
            game: "pig".to_owned(),
            status,
            result: result.map(str::to_owned),
            turn: turn.map(str::to_owned),
            age,
            count,
        };
        let query = query("winner=X&created=today");
        let periods = Period::all(1_800_000_000_000);
        let counts = Counts {
            query: &query,
            periods: &periods,
            tallies: vec![
                tally(RowStatus::Over, Some("X"), None, 0, 1),
                tally(RowStatus::Over, Some("X"), None, 1, 2),
                tally(RowStatus::Over, Some("draw"), None, 0, 4),
                tally(RowStatus::Over, Some("\u{2605}"), None, 0, 8),
                tally(RowStatus::Playing, None, Some("O"), 0, 16),
            ],
        };
        assert_eq!(counts.count(None, |_| true), 1);
        let winners = counts.values(Facet::Winner, Some("X"), winner_of);
        assert_eq!(
            winners.into_iter().collect::<Vec<_>>(),
            [("X", 1), ("\u{2605}", 8)],
            "of today, and no draw"
        );
        let any_day = |tally: &TableTally| counts.is_since(tally, "year");
        assert_eq!(counts.count(Some(Facet::Created), any_day), 3);
        let players = counts.values(Facet::Player, None, |tally| tally.turn.as_deref());
        assert!(
            players.is_empty(),
            "nobody is on turn in a game that is won"
        );
    }

    #[test]
    fn periods_begin_at_midnight_and_hold_each_other() {
        // 2026-11-28 01:30:00 UTC.
        let periods = Period::all(1_795_829_400_000);
        let words: Vec<_> = periods.iter().map(|period| period.word).collect();
        assert_eq!(words, ["today", "week", "month", "year"]);
        let since: Vec<_> = periods.iter().map(|period| period.since).collect();
        let day = |text| millis(day(text).unwrap());
        let days = ["2026-11-28", "2026-11-21", "2026-11-01", "2026-01-01"];
        assert_eq!(since, days.map(day));
    }

    #[test]
    fn nothing_is_won_and_not_over() {
        for (fields, is_possible) in [
            ("winner=X", true),
            ("winner=X&status=over", true),
            ("winner=X&status=x_wins", true),
            ("winner=X&status=o_wins", false),
            ("winner=X&status=in_progress", false),
            ("winner=draw", false),
        ] {
            let filter = query(fields).filter(&[]).unwrap();
            assert_eq!(filter.ids.is_empty(), is_possible, "{fields}");
        }
    }

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

    #[test]
    fn words_begin_with_capitals() {
        assert_eq!(in_capitals("Tug-of-war now"), "Tug-Of-War Now");
        assert_eq!(heading(None), "Tables");
    }
}
