//! Finding somebody to play with: a quick match, and challenges.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use parlor_games::{GameKind, Preset};
use parlor_store::{Page as Part, PlayerFilter, Role};
use parlor_table::{Status, TableId, TimeControl};
use serde_json::Value;

use super::actions::Fields;
use super::assets::script;
use super::oops::Oops;
use super::shell::Page;
use super::snapshot::Viewer;
use super::{memory, words};
use crate::AppState;
use crate::auth::{self, Guest, Member, Who};
use crate::edge::Client;
use crate::error::Error;
use crate::live;
use crate::tables::{Wanted, WantedSeat};

/// Clocks of a quick match: seconds for the game, seconds for each move.
const CLOCKS: [(u64, u64); 6] = [(60, 0), (180, 2), (300, 3), (360, 0), (600, 5), (1800, 20)];
/// How many challenges are shown.
const MOST_CHALLENGES: u64 = 10;

/// The card in the lobby.
pub(super) fn card(viewer: &Viewer) -> Markup {
    let member = viewer.who.as_ref().and_then(Who::account);
    html! {
        section #play.card aria-labelledby="play-now" {
            h2 #play-now { "Play now" }
            form method="get" action="/play" data-queue {
                (choices())
                @if member.is_some() { (rated()) } @else {
                    label.field {
                        span { "Your name" }
                        input name="name" maxlength="40" autocomplete="nickname" placeholder="Guest" value=[memory::name(&viewer.headers)];
                    }
                }
                p.row { button.main { "Find an opponent" } }
            }
            div.seeking hidden data-seeking {
                p role="status" { b data-news { "Looking for an opponent" } }
                p.small.soft data-detail aria-hidden="true" {}
                p.row { button type="button" data-cancel { "Stop looking" } }
            }
            p.small data-outcome role="status" {}
            @if member.is_some() {
                details.challenge {
                    summary { "Challenge a member" }
                    form method="post" action="/challenge" {
                        label.field { span { "Who" } input name="player" maxlength="20" required autocomplete="off" placeholder="Name"; }
                        (choices())
                        (rated())
                        p.row { button { "Send the challenge" } }
                    }
                }
            }
        }
        script type="module" src=(script("queue.js")) {}
    }
}

/// The fields for the game and its clock. Their values are what the house reads, their data what the script sends.
fn choices() -> Markup {
    html! {
        div.fields {
            label.field {
                span { "Game" }
                select name="board" {
                    @for kind in GameKind::ALL {
                        @for (n, preset) in of_two(*kind) {
                            option value={ (kind.name()) ":" (n) } data-game=(kind.name()) data-options=(preset.options.to_string()) {
                                (title(*kind, &preset))
                            }
                        }
                    }
                }
            }
            label.field {
                span { "Clock" }
                select name="pace" {
                    @for (game, each_move) in CLOCKS {
                        @if let Ok(control) = TimeControl::total(game * 1_000, each_move * 1_000) {
                            option value={ (game) "+" (each_move) } data-clock=(json(control)) selected[(game, each_move) == (300, 3)] { (control) }
                        }
                    }
                    option value="none" data-clock="null" { "No clock" }
                }
            }
        }
    }
}

/// A game and its rules in one line; what has one set of rules needs no name for them.
fn title(kind: GameKind, preset: &Preset) -> String {
    match of_two(kind).len() {
        1 => kind.title().to_owned(),
        _ => format!("{}: {}", kind.title(), preset.title),
    }
}

fn rated() -> Markup {
    html! {
        label.pick.rated {
            input type="checkbox" name="rated" value="yes";
            span { "Rated: the game counts for both players’ ratings" }
        }
    }
}

fn json(control: TimeControl) -> String {
    serde_json::to_string(&control).unwrap_or_default()
}

/// The presets for two players, with their places among all.
fn of_two(kind: GameKind) -> Vec<(usize, Preset)> {
    let two = |preset: &Preset| {
        kind.start(&preset.options)
            .is_ok_and(|position| position.seats() == 2)
    };
    kind.presets()
        .into_iter()
        .enumerate()
        .filter(|(_, preset)| two(preset))
        .collect()
}

/// What the button leads to where the page's script does not run.
pub(super) async fn explain() -> Page {
    let body = html! {
        main #main.prose tabindex="-1" {
            h1 { "Quick match" }
            p {
                "The house pairs two people who want the same game at the same moment. Both have to be there, so the page must "
                "stay open and listen while it waits: that needs the page’s script, which does not run in this browser."
            }
            p { "Without it you can do the same by a table: set one up and show it in the lobby, where anybody may join it." }
            p.row {
                a.button.main href="/#new" { "Set up a table" }
                a.button href="/" { "To the lobby" }
            }
        }
    };
    Page {
        title: "Quick match – Parlor".to_owned(),
        live: false,
        body,
    }
}

/// A table that somebody is asked to.
pub(super) struct Asked {
    id: TableId,
    from: String,
    what: String,
}

/// The challenges that wait for an answer.
pub(super) async fn asked(state: &AppState, viewer: &Viewer) -> Result<Vec<Asked>, Oops> {
    let Some(Member { id, .. }) = viewer.who.as_ref().and_then(Who::account) else {
        return Ok(Vec::new());
    };
    let user = i64::try_from(id.number()).expect("an id is below 2^53");
    let filter = PlayerFilter {
        statuses: vec![parlor_store::Status::Open],
        roles: vec![Role::Invited],
    };
    let rows = state
        .store()
        .tables_of(
            user,
            &filter,
            &Part {
                before: None,
                limit: MOST_CHALLENGES,
            },
        )
        .await?;
    let mut asked = Vec::new();
    for id in rows.into_iter().filter_map(|(row, _)| live::id(row.id)) {
        let shown = state.read(id, |table| {
            let view = table.view();
            let names: Vec<&str> = view
                .seats
                .iter()
                .filter_map(|seat| seat.name.as_deref())
                .collect();
            let rules = words::options(table.kind(), table.options());
            let what = format!("{}, {rules} · {}", table.kind().title(), words::pace(&view));
            (table.status() == Status::Open).then(|| Asked {
                id: table.id(),
                from: names.join(", "),
                what,
            })
        });
        asked.extend(shown.await.ok().flatten());
    }
    Ok(asked)
}

/// The challenges, to be taken or declined.
pub(super) fn challenges(asked: &[Asked]) -> Markup {
    html! {
        @if !asked.is_empty() {
            section.card.asked aria-labelledby="challenges" {
                h2 #challenges { "You are challenged" }
                ul.challenges {
                    @for Asked { id, from, what } in asked {
                        li {
                            a href={ "/t/" (id) } { b { (from) } br; span.small.soft { (what) } }
                            div.row {
                                form method="post" action={ "/t/" (id) "/join" } { button.main { "Accept" } }
                                form method="post" action={ "/t/" (id) "/abort" } { button { "Decline" } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Asks a member to play, and goes to the table.
pub(super) async fn challenge(
    State(state): State<AppState>,
    client: Client,
    guest: Guest,
    fields: Fields,
) -> Result<Response, Oops> {
    let wanted = wanted(&fields)?;
    state.quotas().count(client, Some(guest.key()))?;
    let made = state.create(wanted, guest.who()).await?;
    Ok(Redirect::to(&format!("/t/{}", made.view.id)).into_response())
}

fn wanted(fields: &Fields) -> Result<Wanted, Error> {
    let odd = |what: &str| Error::unprocessable(format!("there is no such {what}"));
    let (game, n) = fields
        .get("board")
        .and_then(|board| board.split_once(':'))
        .ok_or_else(|| odd("game"))?;
    let kind = GameKind::from_name(game).map_err(|_| odd("game"))?;
    let preset = n
        .parse()
        .ok()
        .and_then(|n: usize| kind.presets().into_iter().nth(n))
        .ok_or_else(|| odd("board"))?;
    let clock = match fields.get("pace") {
        Some("none") | None => None,
        Some(pace) => {
            let known = CLOCKS
                .into_iter()
                .find(|(game, each_move)| format!("{game}+{each_move}") == pace);
            let (game, each_move) = known.ok_or_else(|| odd("clock"))?;
            Some(
                TimeControl::total(game * 1_000, each_move * 1_000)
                    .map_err(parlor_table::Refused::from)?,
            )
        }
    };
    let name = fields.get("player").unwrap_or_default().trim().to_owned();
    let mut seats = vec![WantedSeat::Me { name: None }, WantedSeat::Player { name }];
    if auth::random() & 1 == 1 {
        seats.reverse();
    }
    let options: Value = preset.options;
    let rated = fields.get("rated").is_some();
    Ok(Wanted {
        game: game.to_owned(),
        options,
        seats: Some(seats),
        listed: false,
        luck_text: None,
        luck_by_hand: false,
        clock: Some(clock),
        rated,
    })
}
