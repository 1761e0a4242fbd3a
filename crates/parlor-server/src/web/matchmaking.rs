//! Finding an opponent: quick match and challenges.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use parlor_games::{GameClock, GameKind, Preset};
use parlor_store::{ListPage, PlayerFilter, PlayerRole};
use parlor_table::{TableId, TableStatus, TimeControl};
use serde_json::Value;

use super::actions::FormFields;
use super::assets::versioned;
use super::error_page::WebError;
use super::page::HtmlPage;
use super::snapshot::Viewer;
use super::{cookies, phrases};
use crate::AppState;
use crate::auth::{Member, Requester, Visitor};
use crate::edge::{Client, TableCreator};
use crate::error::Error;
use crate::live;
use crate::tables::{CreateTableRequest, SeatRequest};

/// Value of the choice of a game's usual clock.
const USUAL: &str = "usual";
/// Clock of a quick match unless another one is chosen.
const FIRST: &str = "300+3";
/// Maximum number of challenges shown.
const MOST_CHALLENGES: u64 = 10;

/// Renders the quick match card of the lobby.
pub(super) fn card(viewer: &Viewer, chosen: Option<GameKind>) -> Markup {
    let member = viewer.who.as_ref().and_then(Requester::member);
    html! {
        section #play.card aria-labelledby="play-now" {
            h2 #play-now { "Play now" }
            form method="get" action="/play" data-queue {
                (choices(chosen))
                @if member.is_some() { (rated()) } @else {
                    label.field {
                        span { "Your name" }
                        input name="name" maxlength="40" autocomplete="nickname" placeholder="Guest" value=[cookies::name(&viewer.headers)];
                    }
                }
                label.pick.rated {
                    input type="checkbox" name="mixed" value="yes";
                    span { "Members’ bots are welcome, too" }
                }
                p.row { button.main { "Find an opponent" } }
            }
            div.seeking hidden data-seeking {
                p role="status" { b data-news { "Looking for an opponent" } }
                p.small.soft data-detail aria-hidden="true" {}
                p.row { button type="button" data-cancel { "Cancel" } }
            }
            p.small data-outcome role="status" {}
            @if member.is_some() {
                details.challenge {
                    summary { "Challenge a member" }
                    form method="post" action="/challenge" {
                        label.field { span { "Player" } input name="player" maxlength="20" required autocomplete="off" placeholder="Name"; }
                        (choices(chosen))
                        (rated())
                        p.row { button { "Send challenge" } }
                    }
                }
            }
        }
        script type="module" src=(versioned("queue.js")) {}
    }
}

/// Renders the fields for the game and its clock. The server reads their values, the script sends
/// their data attributes.
fn choices(chosen: Option<GameKind>) -> Markup {
    html! {
        div.fields {
            label.field {
                span { "Game" }
                select name="board" {
                    @for kind in GameKind::all() {
                        @for (at, (n, preset)) in two_player_presets(*kind).into_iter().enumerate() {
                            option value={ (kind.name()) ":" (n) } data-game=(kind.name()) data-options=(preset.options.to_string()) selected[chosen == Some(*kind) && at == 0] {
                                (title(*kind, &preset))
                            }
                        }
                    }
                }
            }
            label.field {
                span { "Clock" }
                select name="pace" {
                    option value=(USUAL) { "The game’s usual one, if any" }
                    @for control in clocks() {
                        option value=(control.code()) data-clock=(json(control)) selected[control.code() == FIRST] { (control) }
                    }
                    option value="none" data-clock="null" { "No clock" }
                }
            }
        }
    }
}

/// Returns the title of a game, with the preset's title if there are several.
fn title(kind: GameKind, preset: &Preset) -> String {
    match two_player_presets(kind).len() {
        1 => kind.title().to_owned(),
        _ => format!("{}: {}", kind.title(), preset.title),
    }
}

fn rated() -> Markup {
    html! {
        label.pick.rated {
            input type="checkbox" name="rated" value="yes";
            span { "Rated: counts for both players’ ratings" }
        }
    }
}

/// Returns the clocks of a quick match.
fn clocks() -> impl Iterator<Item = TimeControl> {
    let clocks = GameClock::COMMON.into_iter();
    clocks.filter_map(|clock| TimeControl::try_from(clock).ok())
}

fn json(control: TimeControl) -> String {
    serde_json::to_string(&control).unwrap_or_default()
}

/// Returns the presets for two players, with their indices among all presets.
fn two_player_presets(kind: GameKind) -> Vec<(usize, Preset)> {
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

/// Explains quick match to browsers that don't run the page's script.
pub(super) async fn explain() -> HtmlPage {
    let body = html! {
        main #main.prose tabindex="-1" {
            h1 { "Quick match" }
            p {
                "Quick match pairs two people who want the same game at the same time. The page has to stay open while it "
                "looks for an opponent, which needs a script that doesn’t run in this browser."
            }
            p { "Instead, you can create a table and list it in the lobby, where anyone can join it." }
            p.row {
                a.button.main href="/#new" { "Create a table" }
                a.button href="/" { "Go to the lobby" }
            }
        }
    };
    HtmlPage::new("Quick match – Parlor", body)
}

/// A challenge to the visitor, which is a table with a seat reserved for them.
pub(super) struct Challenge {
    id: TableId,
    from: String,
    what: String,
}

/// Loads the challenges that await the visitor's answer.
pub(super) async fn load_challenges(
    state: &AppState,
    viewer: &Viewer,
) -> Result<Vec<Challenge>, WebError> {
    let Some(Member { id, .. }) = viewer.who.as_ref().and_then(Requester::member) else {
        return Ok(Vec::new());
    };
    let user = i64::try_from(id.number()).expect("an id is below 2^53");
    let filter = PlayerFilter {
        statuses: vec![parlor_store::RowStatus::Open],
        roles: vec![PlayerRole::Invited],
    };
    let rows = state
        .store()
        .tables_of(
            user,
            &filter,
            &ListPage {
                before: None,
                limit: MOST_CHALLENGES,
            },
        )
        .await?;
    let mut asked = Vec::new();
    for id in rows
        .into_iter()
        .filter_map(|(row, _)| live::table_id(row.id))
    {
        let shown = state.read(id, |table| {
            let view = table.view();
            let names: Vec<&str> = view
                .seats
                .iter()
                .filter_map(|seat| seat.name.as_deref())
                .collect();
            let rules = phrases::options(table.kind(), table.options());
            let what = format!(
                "{}, {rules} · {}",
                table.kind().title(),
                phrases::time_and_stakes(&view)
            );
            (table.status() == TableStatus::Open).then(|| Challenge {
                id: table.id(),
                from: names.join(", "),
                what,
            })
        });
        asked.extend(shown.await.ok().flatten());
    }
    Ok(asked)
}

/// Renders the challenges, each with buttons to accept or decline it.
pub(super) fn challenges(asked: &[Challenge]) -> Markup {
    html! {
        @if !asked.is_empty() {
            section.card.asked aria-labelledby="challenges" {
                h2 #challenges { "You have a challenge" }
                ul.challenges {
                    @for Challenge { id, from, what } in asked {
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

/// Challenges a member, and redirects to the table.
pub(super) async fn challenge(
    State(state): State<AppState>,
    client: Client,
    guest: Visitor,
    fields: FormFields,
) -> Result<Response, WebError> {
    let wanted = wanted(&fields)?;
    let creator = TableCreator::new(client, Some(guest.key()));
    let made = state.create_table(wanted, guest.who(), creator).await?;
    Ok(Redirect::to(&format!("/t/{}", made.view.id)).into_response())
}

/// Reads the form. Chance decides who has which side.
fn wanted(fields: &FormFields) -> Result<CreateTableRequest, Error> {
    let unknown = |what: &str| Error::unprocessable(format!("unknown {what}"));
    let (game, n) = fields
        .get("board")
        .and_then(|board| board.split_once(':'))
        .ok_or_else(|| unknown("game"))?;
    let kind = GameKind::from_name(game).map_err(|_| unknown("game"))?;
    let preset = n
        .parse()
        .ok()
        .and_then(|n: usize| kind.presets().into_iter().nth(n))
        .ok_or_else(|| unknown("board"))?;
    let clock = match fields.get("pace") {
        Some(USUAL) => None,
        Some("none") | None => Some(None),
        Some(pace) => {
            let known = clocks().find(|control| control.code() == pace);
            Some(Some(known.ok_or_else(|| unknown("clock"))?))
        }
    };
    let name = fields.get("player").unwrap_or_default().trim().to_owned();
    let seats = vec![SeatRequest::Me { name: None }, SeatRequest::Player { name }];
    let options: Value = preset.options;
    let rated = fields.get("rated").is_some();
    Ok(CreateTableRequest {
        game: game.to_owned(),
        options,
        seats: Some(seats),
        random_seats: true,
        listed: false,
        luck_text: None,
        luck_by_hand: false,
        clock,
        rated,
        talk: true,
        advice: true,
    })
}
