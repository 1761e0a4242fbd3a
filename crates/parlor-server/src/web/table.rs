//! The table page, for players and spectators, and for replaying a finished game.

use std::collections::{BTreeSet, HashMap};

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::response::{AppendHeaders, IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use parlor_games::Click;
use parlor_table::{ClockView, TableStatus, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::assets::Section;
use super::error_page::{ResponseFormat, WebError};
use super::page::HtmlPage;
use super::page_parts::{self, PageParts};
use super::snapshot::{TableSnapshot, Viewer};
use super::talk::TalkPanel;
use super::viewpoint::Viewpoint;
use super::{
    advice, analysis, clocks, controls, cookies, drawer, end, entry, history, luck, phrases, talk,
};
use crate::AppState;
use crate::auth::OpaqueToken;
use crate::error::Error;
use crate::extract::{Params, TablePath};

/// Query of a table's URL. Of a parameter that is there twice, the last one counts.
#[derive(Debug, Deserialize)]
#[serde(from = "HashMap<String, String>")]
pub(super) struct TableQuery {
    /// Number of moves and draws that the board shows; all of them if missing or not a number.
    step: Option<String>,
    /// Token of an invite.
    invite: Option<String>,
    /// Token of the watchers' link of a private table.
    watch: Option<String>,
    /// Steps of a draft.
    draft: Option<String>,
    /// Number of moves and draws when the draft was begun.
    begun_at: Option<String>,
    /// Present if the step is one of those that are being told.
    told: Option<String>,
}

impl From<HashMap<String, String>> for TableQuery {
    fn from(mut query: HashMap<String, String>) -> TableQuery {
        TableQuery {
            step: query.remove("step"),
            invite: query.remove("invite"),
            watch: query.remove("watch"),
            draft: query.remove("draft"),
            begun_at: query.remove("of"),
            told: query.remove("told"),
        }
    }
}

impl TableQuery {
    fn viewpoint(self) -> Viewpoint {
        let TableQuery {
            step,
            draft,
            begun_at,
            told,
            ..
        } = self;
        let number = |text: Option<String>| text.and_then(|text| text.parse().ok());
        Viewpoint {
            step: number(step),
            draft,
            begun_at: number(begun_at),
            told: told.is_some(),
            flipped: None,
        }
    }
}

/// Shows the table page.
pub(super) async fn show(
    State(state): State<AppState>,
    viewer: Viewer,
    id: Result<TablePath, Error>,
    query: Result<Params<TableQuery>, Error>,
) -> Result<Response, WebError> {
    let (TablePath(id), Params(query)) = (id?, query?);
    let token = query.invite.as_deref().or(query.watch.as_deref());
    let link = token.and_then(OpaqueToken::parse);
    let viewpoint = query.viewpoint();
    let table = TableSnapshot::load(&state, &viewer, id, link.clone(), viewpoint).await?;
    let remember = (link.is_some() || !table.may.seats.is_empty()).then(|| {
        (
            SET_COOKIE,
            cookies::with_table(&viewer.headers, id, link, state.is_https()),
        )
    });
    let talk = TableTalk {
        panel: TalkPanel::load(&state, id, &viewer).await,
        switch: talk::switch(Some(id), &viewer),
    };
    Ok((AppendHeaders(remember), page(&table, &talk)).into_response())
}

/// Returns the state of the table for the script: the present one, or that at an earlier step.
pub(super) async fn state(
    State(state): State<AppState>,
    viewer: Viewer,
    TablePath(id): TablePath,
    Params(query): Params<TableQuery>,
) -> Result<Response, WebError> {
    let table = TableSnapshot::load(&state, &viewer, id, None, query.viewpoint()).await;
    let table = table.map_err(|error| WebError::at(error, id, ResponseFormat::Json))?;
    Ok(answer(&table))
}

/// Data that the script needs for clocks and alerts.
#[derive(Serialize)]
struct LiveStatus<'a> {
    /// Time of this status, in milliseconds since the Unix epoch.
    now: Timestamp,
    clock: Option<&'a ClockView>,
    /// Seats of the viewer.
    seats: &'a [u8],
    /// True if one of them is on turn.
    turn: bool,
    /// True if the others wait for the viewer's answer to a question.
    asked: bool,
    /// Time for which the viewer may be away, in milliseconds, until others can claim the game.
    patience: Option<i64>,
    over: bool,
    /// URL of the rematch.
    next: Option<String>,
}

fn pulse(table: &TableSnapshot) -> LiveStatus<'_> {
    let over = matches!(
        table.game.view.status,
        TableStatus::Over | TableStatus::Aborted
    );
    LiveStatus {
        now: table.game.now,
        clock: table.game.clock.as_ref(),
        seats: &table.may.seats,
        turn: table.may.is_on_turn,
        asked: table.may.owes_answer,
        patience: table
            .game
            .patience_ms
            .filter(|_| table.may.is_on_turn && controls::has_opponents(table)),
        over,
        next: table.game.view.next.map(|next| format!("/t/{next}")),
    }
}

/// State of a table, for the script.
#[derive(Serialize)]
struct LiveState<'a> {
    #[serde(flatten)]
    pulse: LiveStatus<'a>,
    version: u64,
    step: usize,
    steps: usize,
    board: &'a str,
    clicks: Vec<Value>,
    ahead: Vec<Value>,
    suggestions: Vec<Value>,
    /// Number of draws before the first move.
    set_up: usize,
    /// Ids of the elements that show what has changed since the viewer's last move.
    changed: &'a [String],
    /// Steps of the draft.
    draft: Option<&'a str>,
    /// Draft without its last step.
    back: Option<&'a str>,
    /// Move made by the draft, once complete.
    whole: Option<&'a str>,
    /// Notice that the draft no longer fits the position.
    dropped: Option<&'static str>,
    title: String,
    say: String,
    parts: PageParts,
}

/// Answers the script.
pub(super) fn answer(table: &TableSnapshot) -> Response {
    let live = LiveState {
        pulse: pulse(table),
        version: table.game.view.version,
        step: table.board.step,
        steps: table.game.moves.len(),
        board: &table.board.picture,
        clicks: clicks(&table.board.clicks),
        ahead: clicks(&table.board.premoves),
        suggestions: suggestions(&table.board.suggestions),
        set_up: history::set_up(&table.game.moves),
        changed: &table.board.changed,
        draft: table.board.draft.as_ref().map(|draft| draft.steps.as_str()),
        back: table
            .board
            .draft
            .as_ref()
            .and_then(|draft| draft.back.as_deref()),
        whole: table
            .board
            .draft
            .as_ref()
            .and_then(|draft| draft.whole.as_deref()),
        dropped: table.board.draft_dropped.then_some(entry::DROPPED),
        title: title(table),
        say: announcement(table),
        parts: page_parts::all(table),
    };
    ([(CACHE_CONTROL, "no-store")], Json(live)).into_response()
}

/// Returns suggestions for the script: the move, its name, and the place where it ends.
fn suggestions(clicks: &[Click]) -> Vec<Value> {
    let of = |click: &Click| json!([click.text, click.label, click.path.last()]);
    clicks.iter().map(of).collect()
}

/// Returns each click as a list: its move, whether that is only part of a move, and the ids of the
/// elements to click.
fn clicks(all: &[Click]) -> Vec<Value> {
    let on_board = all.iter().filter(|click| !click.path.is_empty());
    let list = |click: &Click| {
        let mut list = vec![Value::from(click.text.as_str()), click.partial.into()];
        list.extend(click.path.iter().map(|id| Value::from(id.as_str())));
        Value::Array(list)
    };
    on_board.map(list).collect()
}

fn title(table: &TableSnapshot) -> String {
    let bullet = if table.may.is_on_turn { "● " } else { "" };
    format!(
        "{bullet}{} – {}",
        phrases::status_line(table),
        table.game.kind.title()
    )
}

/// Describes the last move and the status of the table, for screen readers.
fn announcement(table: &TableSnapshot) -> String {
    if let Some(draft) = &table.board.draft {
        return entry::draft_text(table, draft);
    }
    let standing = phrases::status_line(table);
    let Some(played) = table
        .board
        .step
        .checked_sub(1)
        .and_then(|n| table.game.moves.get(n))
    else {
        return format!("{standing}.");
    };
    let seat = played
        .seat
        .and_then(|seat| table.game.view.seats.get(usize::from(seat)));
    let who = seat.map_or("Luck", |seat| seat.label.as_str());
    if table.board.step < table.game.moves.len() {
        return format!("{}: {who}, {}.", table.where_in_game(), played.label);
    }
    if table.game.kind.has_luck() {
        let prompt = table
            .game
            .question
            .as_deref()
            .filter(|_| table.may.is_on_turn)
            .unwrap_or_default();
        return format!("{} {standing}. {prompt}", phrases::recent_events(table))
            .trim()
            .to_owned();
    }
    format!("{who}: {}. {standing}.", played.label)
}

/// Talk beside the board.
struct TableTalk {
    panel: Option<TalkPanel>,
    /// Switch that hides the talk of all tables.
    switch: Markup,
}

fn page(table: &TableSnapshot, talk: &TableTalk) -> HtmlPage {
    let view = &table.game.view;
    let listed = |all: &[Click]| serde_json::to_string(&clicks(all)).expect("texts are plain data");
    let ahead = Some(&table.board.premoves).filter(|all| !all.is_empty());
    let changed = Some(table.board.changed.join(" ")).filter(|all| !all.is_empty());
    let pulse = serde_json::to_string(&pulse(table)).expect("times are plain data");
    let advises = advice::is_offered(table.game.kind);
    let plans = talk.panel.is_some() && has_plans(table);
    let body = html! {
        main #main.table.lucky[table.game.kind.has_luck()] tabindex="-1" data-table=(view.id) data-version=(view.version)
            data-step=(table.board.step) data-steps=(table.game.moves.len()) data-pulse=(pulse) data-begun=[draft_data(table)]
            data-tells[table.game.kind.is_narrated()] {
            div.title {
                h1 { (table.game.kind.title()) }
                (drawer::buttons(&html! { @if let Some(talk) = &talk.panel { (talk.button()) } }))
                (facts(table))
            }
            (banner(table))
            div #part-seats { (page_parts::seats(table)) }
            section.stage aria-label="Board" {
                div #board data-clicks=(listed(&table.board.clicks)) data-ahead=[ahead.map(|all| listed(all))] data-changed=[changed] { (PreEscaped(&table.board.picture)) }
            }
            div #part-entry { (entry::entry(table)) }
            div.under {
                nav #part-steps.steps aria-label="Step through the moves" { (page_parts::steps(table)) }
                div #part-flip { (page_parts::flip(table)) }
                p #say.hidden aria-live="polite" {}
                (without_script(table))
            }
            div #part-analysis { (analysis::panel(table)) }
            div.side {
                div #part-actions popover { (controls::actions(table)) }
                div #part-share { (page_parts::share(table)) }
                div #part-offers role="status" { (controls::offers(table)) }
                div #part-moves { (page_parts::moves(table)) }
                @if let Some(talk) = &talk.panel { (talk.panel()) }
                div #part-watch { (page_parts::watch_link(table)) }
                (about(table))
            }
            (drawer::drawer(table.game.kind, &talk.switch))
            (page_parts::recap_panel(table))
            (end::panel(table))
            (confirmation())
            @if plans { (plan(table)) }
            @if advises { (advice::panel()) }
            div #hint popover="manual" role="tooltip" {}
        }
    };
    HtmlPage {
        section: match talk.panel {
            Some(_) => Section::Talk,
            None => Section::Table,
        },
        game: Some(table.game.kind),
        loads: [
            (advises, "advice.js"),
            (plans, "plan.js"),
            (advises || plans, "ways.js"),
            (table.game.kind.is_narrated(), "telling.js"),
        ]
        .into_iter()
        .filter_map(|(is_used, name)| is_used.then_some(name))
        .collect(),
        ..HtmlPage::new(title(table), body)
    }
}

/// Renders the options, the clock and the stakes beside the title, each as a whole or, without room, not at
/// all.
fn facts(table: &TableSnapshot) -> Markup {
    let view = &table.game.view;
    let options = phrases::options(table.game.kind, &view.options);
    let facts = format!("{options} · {}", phrases::time_and_stakes(view));
    html! {
        span.soft.facts {
            @for (n, fact) in facts.split(" · ").enumerate() { span { @if n > 0 { "· " } (fact) } " " }
            span #audience {}
        }
    }
}

/// Renders the banner: the status of the table, in whose place a refusal or the loss of the
/// connection is shown.
fn banner(table: &TableSnapshot) -> Markup {
    html! {
        div.banner {
            div #part-status { (page_parts::status(table)) }
            p #refused role="alert" { @if table.board.draft_dropped { (entry::DROPPED) } }
            p #hinted role="status" {}
            p #underway {}
            p #connection role="status" {}
        }
        // Text of the banner, for as long as the banner is scrolled out of the window.
        p #sight hidden aria-hidden="true" {}
    }
}

/// Renders the bar that asks to confirm a move, which the script shows.
fn confirmation() -> Markup {
    html! {
        div #confirm popover="manual" role="group" aria-label="Confirm the move" {
            p { "Play " b #confirm-move {} "?" }
            div.actions {
                button.main type="button" data-confirm="yes" { "Confirm" }
                button type="button" data-confirm="no" { "Cancel" }
            }
        }
    }
}

/// True if the viewer plays, or may still sit down, on a board with places to point at.
fn has_plans(table: &TableSnapshot) -> bool {
    let may = &table.may;
    let may_play =
        !may.seats.is_empty() || may.returns || table.game.view.status == TableStatus::Open;
    may_play && !table.board.landmarks().is_empty()
}

/// Renders the bars by which teammates suggest moves, plan turns and point at places, which the script fills and shows.
fn plan(table: &TableSnapshot) -> Markup {
    html! {
        form #plan popover="manual" method="post" action={ "/t/" (table.game.view.id) "/talk" } aria-labelledby="plan-place"
            data-landmarks=(table.board.landmarks().join(" ")) data-suggestions=(Value::from(suggestions(&table.board.suggestions))) {
            input type="hidden" name="room" value="players";
            p { b #plan-place {} }
            ol #plan-steps.chips aria-label="Plan" aria-live="polite" {}
            div #plan-choices.actions {}
            div.actions {
                button #plan-send.main name="plan" hidden { "Send" }
                button type="button" data-close { "Cancel" }
            }
        }
        div #idea popover="manual" role="group" aria-labelledby="idea-text" {
            p #idea-text {}
            ol #idea-steps.chips aria-label="Plan" {}
            div.actions {
                button.main type="button" data-play { "Play it" }
                button type="button" data-close { "Close" }
            }
        }
    }
}

/// Renders what only the curious need: how luck is verified, files, git, and the connection.
fn about(table: &TableSnapshot) -> Markup {
    html! {
        details.card.about {
            summary { h2 { "About this table" } }
            p.small { (phrases::options(table.game.kind, &table.game.view.options)) " · " (phrases::time_and_stakes(&table.game.view)) }
            @if let Some(difficulty) = table.game.kind.difficulty(&table.game.view.options) { p.small { "Difficulty: " (difficulty.name) ". " @if let Some(bots) = difficulty.bots { (bots) } } }
            @if table.game.is_unadvised { p.small { "No adviser at this table." } }
            div #part-luck { (luck::panel(table)) }
            div #part-record { (page_parts::record(table)) }
            p.small.soft { "Round trip to the server: " span #lag { "unknown" } }
            div #part-lag { (clocks::allowances(table)) }
        }
    }
}

/// Returns the draft in the form that the script reads.
fn draft_data(table: &TableSnapshot) -> Option<String> {
    let draft = table.board.draft.as_ref()?;
    serde_json::to_string(&(&draft.steps, &draft.back, &draft.whole)).ok()
}

/// Returns one click for each move on the board, without moves that have a button.
fn distinct_moves(clicks: &[Click]) -> Vec<&Click> {
    let (on_board, said): (Vec<&Click>, Vec<&Click>) =
        clicks.iter().partition(|click| !click.path.is_empty());
    let mut seen: BTreeSet<&str> = said.iter().map(|click| click.text.as_str()).collect();
    on_board
        .into_iter()
        .filter(|click| seen.insert(&click.text))
        .collect()
}

/// Renders a list of moves to choose from, for browsers without scripts.
fn without_script(table: &TableSnapshot) -> Markup {
    html! {
        noscript {
            @if table.board.clicks.iter().any(|click| click.partial) {
                (entry::partial_moves(table))
            } @else if table.board.clicks.iter().any(|click| !click.path.is_empty()) {
                form.row method="post" action={ "/t/" (table.game.view.id) "/play" } {
                    input type="hidden" name="version" value=(table.game.view.version);
                    label.field {
                        span { "Your move" }
                        select name="move" {
                            @for click in distinct_moves(&table.board.clicks) { option value=(click.text) { (click.label) } }
                        }
                    }
                    button.main { "Play" }
                }
            } @else if !table.may.is_on_turn && table.may.chances.is_empty() {
                p { a href={ "/t/" (table.game.view.id) } { "Refresh" } " to see what has changed." }
            }
        }
    }
}
