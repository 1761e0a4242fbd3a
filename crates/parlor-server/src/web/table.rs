//! The table's page, for players and watchers, and for the replay of a finished game.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::response::{AppendHeaders, IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use parlor_games::Click;
use parlor_table::{ClockView, Status, TableId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::look::Look;
use super::oops::{Oops, Wants};
use super::parts::{self, Parts};
use super::shell::Page;
use super::snapshot::{Snapshot, Viewer};
use super::{analysis, entry, luck, memory, verbs, words};
use crate::AppState;
use crate::auth::Token;
use crate::error::Error;
use crate::extract::{Id, Params};

/// What an address of a table may carry.
#[derive(Debug, Deserialize)]
pub(super) struct Query {
    /// How many moves the board shows.
    step: Option<usize>,
    /// What the link of a private table carries.
    invite: Option<String>,
    /// What was done of a move.
    draft: Option<String>,
    /// How many moves and draws there were when it was begun.
    of: Option<usize>,
}

impl Query {
    fn look(self) -> Look {
        let Query {
            step, draft, of, ..
        } = self;
        Look {
            step,
            draft,
            of,
            flipped: None,
        }
    }
}

/// The page.
pub(super) async fn show(
    State(state): State<AppState>,
    viewer: Viewer,
    id: Result<Id, Error>,
    query: Result<Params<Query>, Error>,
) -> Result<Response, Oops> {
    let (Id(id), Params(query)) = (id?, query?);
    let invite = query.invite.as_deref().and_then(Token::parse);
    let came_by_link = invite.is_some();
    let table = Snapshot::take(&state, &viewer, id, invite, query.look()).await?;
    let remember = (came_by_link || !table.mine.is_empty()).then(|| {
        (
            SET_COOKIE,
            memory::with_table(&viewer.headers, id, table.invite.clone(), state.is_https()),
        )
    });
    Ok((AppendHeaders(remember), page(&table)).into_response())
}

/// What the script asks for when something has happened, or to look back.
pub(super) async fn state(
    State(state): State<AppState>,
    viewer: Viewer,
    Id(id): Id,
    Params(query): Params<Query>,
) -> Result<Response, Oops> {
    let table = Snapshot::take(&state, &viewer, id, None, query.look()).await;
    let table = table.map_err(|error| Oops::at(error, id, Wants::Json))?;
    Ok(answer(&table, None))
}

/// What the script needs for clocks and alerts.
#[derive(Serialize)]
struct Pulse<'a> {
    /// When this was so, in milliseconds since 1970.
    now: Timestamp,
    clock: Option<&'a ClockView>,
    /// The seats of the one who asks.
    seats: &'a [u8],
    /// Whether one of them is to move.
    turn: bool,
    over: bool,
}

fn pulse(table: &Snapshot) -> Pulse<'_> {
    let over = matches!(table.view.status, Status::Over | Status::Aborted);
    Pulse {
        now: table.now,
        clock: table.clock.as_ref(),
        seats: &table.mine,
        turn: table.my_turn,
        over,
    }
}

/// A table in the script's own form.
#[derive(Serialize)]
struct Live<'a> {
    #[serde(flatten)]
    pulse: Pulse<'a>,
    version: u64,
    step: usize,
    steps: usize,
    board: &'a str,
    clicks: Vec<Value>,
    /// What was done of a move that was begun.
    draft: Option<&'a str>,
    /// The same without its last step.
    back: Option<&'a str>,
    /// The move, once it is a whole one.
    whole: Option<&'a str>,
    /// What became of a move that was begun and cannot be gone on with.
    dropped: Option<&'static str>,
    title: String,
    say: String,
    parts: Parts,
    go: Option<String>,
}

/// Answers the script. `go` is a table to go on to.
pub(super) fn answer(table: &Snapshot, go: Option<TableId>) -> Response {
    let live = Live {
        pulse: pulse(table),
        version: table.view.version,
        step: table.step,
        steps: table.moves.len(),
        board: &table.board,
        clicks: clicks(table),
        draft: table.draft.as_ref().map(|draft| draft.steps.as_str()),
        back: table.draft.as_ref().and_then(|draft| draft.back.as_deref()),
        whole: table
            .draft
            .as_ref()
            .and_then(|draft| draft.whole.as_deref()),
        dropped: table.dropped.then_some(entry::DROPPED),
        title: title(table),
        say: news(table),
        parts: parts::all(table),
        go: go.map(|id| format!("/t/{id}")),
    };
    ([(CACHE_CONTROL, "no-store")], Json(live)).into_response()
}

/// Each as its move, whether that is only a part of one, and the path of elements to click.
fn clicks(table: &Snapshot) -> Vec<Value> {
    let on_board = table.clicks.iter().filter(|click| !click.path.is_empty());
    let list = |click: &Click| {
        let mut list = vec![Value::from(click.text.as_str()), click.partial.into()];
        list.extend(click.path.iter().map(|id| Value::from(id.as_str())));
        Value::Array(list)
    };
    on_board.map(list).collect()
}

fn title(table: &Snapshot) -> String {
    let bullet = if table.my_turn { "● " } else { "" };
    format!(
        "{bullet}{} – {}",
        words::standing(table),
        table.kind.title()
    )
}

/// The last move and how the table stands, for those who listen.
fn news(table: &Snapshot) -> String {
    if let Some(draft) = &table.draft {
        return entry::so_far(table, draft);
    }
    let standing = words::standing(table);
    let Some(played) = table.step.checked_sub(1).and_then(|n| table.moves.get(n)) else {
        return format!("{standing}.");
    };
    let seat = played
        .seat
        .and_then(|seat| table.view.seats.get(usize::from(seat)));
    let who = seat.map_or("Luck", |seat| seat.label.as_str());
    if table.step < table.moves.len() {
        return format!(
            "Move {} of {}: {who}, {}.",
            table.step,
            table.moves.len(),
            played.label
        );
    }
    if table.kind.has_luck() {
        let prompt = table
            .question
            .as_deref()
            .filter(|_| table.my_turn)
            .unwrap_or_default();
        return format!("{} {standing}. {prompt}", words::recent(table))
            .trim()
            .to_owned();
    }
    format!("{who}: {}. {standing}.", played.label)
}

fn page(table: &Snapshot) -> Page {
    let view = &table.view;
    let clicks = serde_json::to_string(&clicks(table)).expect("texts are plain data");
    let pulse = serde_json::to_string(&pulse(table)).expect("times are plain data");
    let body = html! {
        main #main.table.lucky[table.kind.has_luck()] tabindex="-1" data-table=(view.id) data-version=(view.version)
            data-step=(table.step) data-steps=(table.moves.len()) data-pulse=(pulse) data-begun=[draft(table)] {
            div.title {
                h1 { (table.kind.title()) }
                span.soft { (words::options(table.kind, &view.options)) " · " (words::pace(view)) " · " a href={ "/rules/" (table.kind.name()) } { "Rules" } }
            }
            section.stage aria-label="Board" {
                div #part-seats { (parts::seats(table)) }
                div #part-status { (parts::status(table)) }
                div #board data-clicks=(clicks) { (PreEscaped(&table.board)) }
            }
            div #part-entry { (entry::entry(table)) }
            div #part-offers role="status" { (verbs::offers(table)) }
            div.under {
                div.messages {
                    p #refused role="alert" { @if table.dropped { (entry::DROPPED) } }
                    p #connection role="status" {}
                    p.soft { span #audience {} " " span #lag title="How long a message takes to the house and back" {} }
                }
                div #part-flip { (parts::flip(table)) }
                nav #part-steps.steps aria-label="Moves back and forth" { (parts::steps(table)) }
                p #say.hidden aria-live="polite" {}
                (without_script(table))
            }
            div #part-analysis { (analysis::panel(table)) }
            div.side {
                div #part-share { (parts::share(table)) }
                div #part-actions { (verbs::actions(table)) }
                div #part-moves { (parts::moves(table)) }
                div #part-luck { (luck::panel(table)) }
                (alerts())
                div #part-record { (parts::record(table)) }
            }
        }
    };
    Page {
        title: title(table),
        live: true,
        body,
    }
}

/// What the script needs of a move that was begun.
fn draft(table: &Snapshot) -> Option<String> {
    let draft = table.draft.as_ref()?;
    serde_json::to_string(&(&draft.steps, &draft.back, &draft.whole)).ok()
}

/// Switches for what calls the player back to the table. They need the script.
fn alerts() -> Markup {
    html! {
        div.alerts role="group" aria-label="Alerts" {
            button type="button" data-switch="sound" aria-pressed="false" { "Sound" }
            button type="button" data-switch="notify" aria-pressed="false" { "Notify me" }
        }
    }
}

/// Each move on the board once, though several ways may lead to it; those that have a button are left out.
fn once(clicks: &[Click]) -> Vec<&Click> {
    let (on_board, said): (Vec<&Click>, Vec<&Click>) =
        clicks.iter().partition(|click| !click.path.is_empty());
    let mut seen: BTreeSet<&str> = said.iter().map(|click| click.text.as_str()).collect();
    on_board
        .into_iter()
        .filter(|click| seen.insert(&click.text))
        .collect()
}

/// Playing by a list of moves, for browsers without scripts.
fn without_script(table: &Snapshot) -> Markup {
    html! {
        noscript {
            @if table.clicks.iter().any(|click| click.partial) {
                (entry::ways(table))
            } @else if table.clicks.iter().any(|click| !click.path.is_empty()) {
                form.row method="post" action={ "/t/" (table.view.id) "/play" } {
                    input type="hidden" name="version" value=(table.view.version);
                    label.field {
                        span { "Your move" }
                        select name="move" {
                            @for click in once(&table.clicks) { option value=(click.text) { (click.label) } }
                        }
                    }
                    button.main { "Play" }
                }
            } @else if !table.my_turn && table.chances.is_empty() {
                p { a href={ "/t/" (table.view.id) } { "Look again" } " to see what has happened." }
            }
        }
    }
}
