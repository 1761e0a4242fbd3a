//! Lists of public tables, in the lobby and on pages of their own.

use axum::extract::State;
use maud::{Markup, html};
use parlor_games::GameKind;
use parlor_store::RowStatus;
use parlor_table::{Player, Table, TableId, UserId};
use serde::Deserialize;

use super::error_page::WebError;
use super::faces::name_bots;
use super::page::HtmlPage;
use super::{phrases, rating};
use crate::AppState;
use crate::extract::Params;
use crate::ratings::{self, PlayerRating, RatedSeats, RatingPool};

/// Maximum number of tables in a list of the lobby.
const ROWS: usize = 12;
/// Number of tables on a page of the whole list.
const PAGE_ROWS: usize = 48;
/// Number of the last page.
const MAX_PAGES: usize = 20;

/// A table in a list.
pub(super) struct LobbyTable {
    pub(super) id: TableId,
    players: Markup,
    what: String,
    /// Member waiting at the table, if there is exactly one.
    host: Option<UserId>,
    pool: RatingPool,
    /// Rating of that member.
    rating: Option<PlayerRating>,
}

impl LobbyTable {
    fn from_table(table: &Table) -> LobbyTable {
        let mut view = table.view();
        name_bots(&mut view, table);
        let rules = phrases::options(table.kind(), table.options());
        let names = phrases::listed_names(&view);
        let hosts: Vec<UserId> = table.players().iter().filter_map(Player::user).collect();
        LobbyTable {
            id: table.id(),
            pool: RatingPool::from_table(table),
            players: phrases::players(names.iter().map(Option::as_deref)),
            what: format!(
                "{}, {rules} · {}",
                table.kind().title(),
                phrases::time_and_stakes(&view)
            ),
            host: if let [host] = hosts.as_slice() {
                Some(*host)
            } else {
                None
            },
            rating: None,
        }
    }

    /// Returns the member waiting at the table, to be rated.
    fn waiting(&self) -> RatedSeats {
        RatedSeats::new(self.id, self.pool.clone(), &[self.host])
    }
}

/// One page of the open tables, or of the games in progress.
pub(super) struct LobbyList {
    status: RowStatus,
    pub(super) tables: Vec<LobbyTable>,
    has_more: bool,
}

impl LobbyList {
    /// Loads the first tables of a list, of one game or of all, for the lobby.
    pub(super) async fn load(
        state: &AppState,
        status: RowStatus,
        game: Option<GameKind>,
    ) -> Result<LobbyList, WebError> {
        LobbyList::load_page(state, status, game, 0, ROWS).await
    }

    async fn load_page(
        state: &AppState,
        status: RowStatus,
        game: Option<GameKind>,
        skip: usize,
        rows: usize,
    ) -> Result<LobbyList, WebError> {
        let page = state.lobby(status, game, skip, rows).await?;
        let mut tables = Vec::new();
        for id in page.ids {
            // Tables that can't be read now are left out.
            if let Ok(table) = state.read(id, LobbyTable::from_table).await {
                tables.push(table);
            }
        }
        if status == RowStatus::Open {
            let hosts: Vec<RatedSeats> = tables.iter().map(LobbyTable::waiting).collect();
            let rated = ratings::of_tables(state, &hosts).await;
            for (table, ratings) in tables.iter_mut().zip(rated) {
                table.rating = ratings.into_iter().flatten().next();
            }
        }
        Ok(LobbyList {
            status,
            tables,
            has_more: page.has_more,
        })
    }

    fn is_open(&self) -> bool {
        self.status == RowStatus::Open
    }

    fn title(&self) -> &'static str {
        if self.is_open() {
            "Open tables"
        } else {
            "Live tables"
        }
    }

    /// Renders the list in the lobby, with a link to the whole list if it is longer.
    pub(super) fn render(&self, game: Option<GameKind>) -> Markup {
        html! {
            section.card {
                h2 { (self.title()) }
                (self.items())
                @if self.has_more { p { a href=(address(self.status, game, 1)) { "All " (self.title().to_lowercase()) } } }
            }
        }
    }

    fn items(&self) -> Markup {
        let (verb, none) = if self.is_open() {
            (
                "Join",
                "No open tables yet. Create one and list it in the lobby.",
            )
        } else {
            ("Watch", "No games in progress.")
        };
        html! {
            @if self.tables.is_empty() { p.soft { (none) } }
            ul.tables {
                @for table in &self.tables {
                    li {
                        a href={ "/t/" (table.id) } {
                            span {
                                b { (table.players) }
                                @if let Some(rating) = &table.rating { " " span.soft title="Rating of the waiting player" { "(" (rating::number(rating)) ")" } }
                                br;
                                span.small.soft { (table.what) }
                            }
                            span.tag { (verb) }
                        }
                    }
                }
            }
        }
    }
}

/// Query of a whole list.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ListQuery {
    /// Name of the only game to list; all games if missing.
    game: Option<String>,
    /// Number of the page, from 1.
    page: Option<usize>,
}

/// Shows the open tables.
pub(super) async fn open(
    state: State<AppState>,
    query: Params<ListQuery>,
) -> Result<HtmlPage, WebError> {
    show(state, query, RowStatus::Open).await
}

/// Shows the games in progress.
pub(super) async fn live(
    state: State<AppState>,
    query: Params<ListQuery>,
) -> Result<HtmlPage, WebError> {
    show(state, query, RowStatus::Playing).await
}

async fn show(
    State(state): State<AppState>,
    Params(query): Params<ListQuery>,
    status: RowStatus,
) -> Result<HtmlPage, WebError> {
    let game = query.game.and_then(|game| GameKind::from_name(&game).ok());
    let page = query.page.unwrap_or(1).clamp(1, MAX_PAGES);
    let skip = (page - 1) * PAGE_ROWS;
    let list = LobbyList::load_page(&state, status, game, skip, PAGE_ROWS).await?;
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { (list.title()) }
            nav.chips aria-label="Games" {
                a href=(address(status, None, 1)) aria-current=[game.is_none().then_some("page")] { "All games" }
                @for kind in GameKind::all() {
                    a href=(address(status, Some(*kind), 1)) aria-current=[(game == Some(*kind)).then_some("page")] { (kind.title()) }
                }
            }
            section.card aria-label=(list.title()) { (list.items()) }
            nav.row aria-label="Pages" {
                @if page > 1 { a.button rel="prev" href=(address(status, game, page - 1)) { "Previous" } }
                @if list.has_more && page < MAX_PAGES { a.button rel="next" href=(address(status, game, page + 1)) { "Next" } }
                a.button href="/" { "Lobby" }
            }
        }
    };
    Ok(HtmlPage::new(format!("{} – Parlor", list.title()), body))
}

/// Returns the address of a page of a whole list.
fn address(status: RowStatus, game: Option<GameKind>, page: usize) -> String {
    let list = if status == RowStatus::Open {
        "open"
    } else {
        "live"
    };
    let game = game.map(|game| format!("game={}", game.name()));
    let page = (page > 1).then(|| format!("page={page}"));
    let query: Vec<String> = game.into_iter().chain(page).collect();
    if query.is_empty() {
        format!("/tables/{list}")
    } else {
        format!("/tables/{list}?{}", query.join("&"))
    }
}

/// Renders the filter by game.
pub(super) fn filter(chosen: Option<GameKind>) -> Markup {
    html! {
        @if GameKind::all().len() > 1 {
            nav.filter aria-label="Filter by game" {
                a href="/" aria-current=[chosen.is_none().then_some("true")] { "All games" }
                @for kind in GameKind::all() {
                    a href={ "/?game=" (kind.name()) } aria-current=[(chosen == Some(*kind)).then_some("true")] { (kind.title()) }
                }
            }
        }
    }
}
