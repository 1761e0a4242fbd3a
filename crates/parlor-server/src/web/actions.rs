//! Form handlers of the table page. The script receives the new state; a browser without scripts is
//! redirected to the page.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Form, FromRequest, Request, State};
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, post};
use parlor_core::Seat;
use parlor_table::{AskWhen, Claim, Command, Lag, MoveId, Refusal, Table, TableId};

use super::error_page::{PageTablePath, ResponseFormat, WebError};
use super::snapshot::{TableSnapshot, Viewer};
use super::table::answer;
use super::viewpoint::{self, Viewpoint};
use super::{advice, cookies};
use crate::AppState;
use crate::auth::{OpaqueToken, Requester, Visitor};
use crate::edge::{Client, TableCreator};
use crate::error::Error;
use crate::extract::bytes;

/// Fields of a submitted form, as text.
#[derive(Debug, Default)]
pub(super) struct FormFields(HashMap<String, String>);

impl FormFields {
    /// Returns a field unless it is missing or empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Returns all fields with their names.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the part of the table that the sender is looking at.
    fn viewpoint(&self) -> Viewpoint {
        let number = |name| self.get(name).and_then(|text| text.parse().ok());
        Viewpoint {
            step: number("step"),
            draft: self.get("draft").map(str::to_owned),
            begun_at: number("of"),
            told: false,
            flipped: None,
        }
    }
}

impl FromRequest<AppState> for FormFields {
    type Rejection = WebError;

    async fn from_request(request: Request, state: &AppState) -> Result<FormFields, WebError> {
        let (parts, body) = request.into_parts();
        let body = bytes(Request::from_parts(parts.clone(), body), state).await?;
        let request = Request::from_parts(parts, body.into());
        let form = Form::<HashMap<String, String>>::from_request(request, state).await;
        let Form(fields) = form.map_err(|rejection| Error::bad_request(rejection.body_text()))?;
        Ok(FormFields(fields))
    }
}

/// A command for a table, with its sender and the format of the response.
struct TableAction {
    id: TableId,
    wants: ResponseFormat,
    viewer: Viewer,
    /// Part of the table that the sender is looking at.
    viewpoint: Viewpoint,
}

impl TableAction {
    async fn act(self, state: &AppState, command: Command) -> Result<Response, WebError> {
        let (id, wants) = (self.id, self.wants);
        let who = self
            .viewer
            .who
            .clone()
            .ok_or_else(|| WebError::at(Refusal::NotSeated, id, wants))?;
        let done = state
            .act(id, who, command)
            .await
            .map_err(|error| WebError::at(error, id, wants))?;
        self.answer(state, done.next).await
    }

    async fn answer(self, state: &AppState, next: Option<TableId>) -> Result<Response, WebError> {
        match self.wants {
            ResponseFormat::Html => {
                Ok(Redirect::to(&format!("/t/{}", next.unwrap_or(self.id))).into_response())
            }
            ResponseFormat::Json => {
                let table =
                    TableSnapshot::load(state, &self.viewer, self.id, None, self.viewpoint).await;
                let table = table.map_err(|error| WebError::at(error, self.id, self.wants))?;
                Ok(answer(&table))
            }
        }
    }
}

/// Routes of everything a table page can submit.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/t/{id}/play", post(play))
        .route("/t/{id}/join", post(join))
        .route("/t/{id}/leave", verb(|_| Command::Leave))
        .route("/t/{id}/ready", verb(|_| Command::Ready))
        .route("/t/{id}/draw", verb(|_| Command::OfferDraw))
        .route("/t/{id}/draw/accept", verb(|_| Command::AcceptDraw))
        .route("/t/{id}/draw/decline", verb(|_| Command::DeclineDraw))
        .route("/t/{id}/takeback", verb(|_| Command::OfferTakeback))
        .route("/t/{id}/takeback/accept", verb(|_| Command::AcceptTakeback))
        .route(
            "/t/{id}/takeback/decline",
            verb(|_| Command::DeclineTakeback),
        )
        .route(
            "/t/{id}/give-time",
            verb(|_| Command::GiveTime { seconds: None }),
        )
        .route("/t/{id}/claim", verb(claim))
        .route("/t/{id}/asking", verb(asking))
        .route("/t/{id}/pass", verb(pass))
        .route("/t/{id}/resign", verb(|_| Command::Resign))
        .route("/t/{id}/stand-in", verb(stand_in))
        .route("/t/{id}/return", verb(|_| Command::Return))
        .route("/t/{id}/abort", verb(|_| Command::Abort))
        .route("/t/{id}/rematch", post(rematch))
        .route("/t/{id}/rematch/decline", verb(|_| Command::DeclineRematch))
        .route("/t/{id}/luck", verb(luck))
        .route("/t/{id}/dice", post(dice))
        .route("/t/{id}/analysis", post(analyze))
        .route("/t/{id}/advice", post(advise))
        .route("/t/{id}/flip", post(flip))
}

/// Handler of a command that the submitted fields determine. If they name a version, the table must
/// be at it.
fn verb(
    command: impl Fn(&FormFields) -> Command + Clone + Send + Sync + 'static,
) -> MethodRouter<AppState> {
    post(
        async move |State(state): State<AppState>,
                    PageTablePath(id): PageTablePath,
                    wants: ResponseFormat,
                    viewer: Viewer,
                    fields: FormFields| {
            // A browser itself may send a form again whose answer was lost.
            if let Some(seen) = fields
                .get("version")
                .and_then(|text| text.parse::<u64>().ok())
            {
                let current = state.read(id, |table| table.version()).await;
                let current = current.map_err(|error| WebError::at(error, id, wants))?;
                if current != seen {
                    return Err(WebError::at(Refusal::Stale { current }, id, wants));
                }
            }
            TableAction {
                id,
                wants,
                viewer,
                viewpoint: fields.viewpoint(),
            }
            .act(&state, command(&fields))
            .await
        },
    )
}

/// Claims a game whose opponent has left.
fn claim(fields: &FormFields) -> Command {
    Command::Claim(match fields.get("claim") {
        Some("draw") => Claim::Draw,
        Some("stand_in") => Claim::StandIn,
        _ => Claim::Win,
    })
}

/// Chooses when the sender is asked for moves out of turn.
fn asking(fields: &FormFields) -> Command {
    let when = match fields.get("when") {
        Some("always") => AskWhen::Always,
        Some("never") => AskWhen::Never,
        _ => AskWhen::Crucial,
    };
    Command::ChooseAsking { when }
}

/// Declines to move out of turn.
fn pass(fields: &FormFields) -> Command {
    let rest_of_turn = fields.get("rest_of_turn").is_some();
    Command::Pass { rest_of_turn }
}

/// Chooses the bot that plays for somebody who left.
fn stand_in(fields: &FormFields) -> Command {
    let seat = fields.get("seat").and_then(|text| text.parse().ok());
    let seat = seat.and_then(|number| Seat::new(number).ok());
    Command::ChooseStandIn {
        // Nobody's computer plays in a seat that there is not.
        seat: seat.unwrap_or(Seat::FIRST),
        spec: fields.get("spec").unwrap_or_default().to_owned(),
    }
}

/// Adds a text to the table's luck.
fn luck(fields: &FormFields) -> Command {
    let text = fields.get("text").unwrap_or_default().to_owned();
    Command::LuckText { text }
}

/// Asks for a rematch, or agrees to one, which creates a table.
async fn rematch(
    State(state): State<AppState>,
    PageTablePath(id): PageTablePath,
    client: Client,
    wants: ResponseFormat,
    viewer: Viewer,
    fields: FormFields,
) -> Result<Response, WebError> {
    if let Some(who) = &viewer.who {
        let creator = TableCreator::new(client, who.counted_as());
        let counted = state.count_rematch(id, who, creator).await;
        counted.map_err(|error| WebError::at(error, id, wants))?;
    }
    let next = state.sources().table_id();
    TableAction {
        id,
        wants,
        viewer,
        viewpoint: fields.viewpoint(),
    }
    .act(&state, Command::Rematch { next })
    .await
}

/// Plays a move.
async fn play(
    State(state): State<AppState>,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    viewer: Viewer,
    fields: FormFields,
) -> Result<Response, WebError> {
    let refused = |refused: Refusal| WebError::at(refused, id, wants);
    let text = fields.get("move").unwrap_or_default().to_owned();
    let seen = fields
        .get("version")
        .and_then(|version| version.parse().ok());
    let version = match seen {
        // Somebody who clicks has decided, whatever is offered at that moment.
        Some(seen) => {
            let latest = move |table: &Table| {
                let version = table.version();
                if table.is_unmoved_since(seen) {
                    version
                } else {
                    seen
                }
            };
            let latest = state.read(id, latest).await;
            Some(latest.map_err(|error| WebError::at(error, id, wants))?)
        }
        None => None,
    };
    let move_id = fields
        .get("id")
        .map(MoveId::new)
        .transpose()
        .map_err(refused)?;
    let lag = fields.get("lag_ms").map(Lag::from_text).transpose();
    let command = Command::Move {
        text,
        id: move_id,
        version,
        lag: lag
            .map_err(|error| refused(error.into()))?
            .unwrap_or_default(),
    };
    TableAction {
        id,
        wants,
        viewer,
        viewpoint: Viewpoint::default(),
    }
    .act(&state, command)
    .await
}

/// Seats the sender, who gets a guest cookie if there is none yet.
async fn join(
    State(state): State<AppState>,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    guest: Visitor,
    mut viewer: Viewer,
    fields: FormFields,
) -> Result<Response, WebError> {
    let name = fields.get("name").unwrap_or("Guest");
    let invite = fields
        .get("invite")
        .and_then(OpaqueToken::parse)
        .or_else(|| cookies::link_token(&viewer.headers, id));
    let shown = guest.who().name(name);
    let shown = shown.map_err(|error| WebError::at(error, id, wants))?;
    let luck_text = fields.get("luck_text").map(str::to_owned);
    let command = Command::Join {
        seat: None,
        name: shown,
        owner: guest.who().owner().map(str::to_owned),
        invite: invite.as_ref().map(OpaqueToken::key),
        luck_text,
    };
    let done = state
        .act(id, guest.who().clone(), command)
        .await
        .map_err(|error| WebError::at(error, id, wants))?;
    ask_when_it_matters(&state, id, guest.who()).await;
    let secure = state.is_https();
    let cookies = [
        guest.set_cookie().map(|cookie| (SET_COOKIE, cookie)),
        Some((
            SET_COOKIE,
            cookies::with_table(&viewer.headers, id, invite, secure),
        )),
        fields
            .get("name")
            .map(|name| (SET_COOKIE, cookies::with_name(name, secure))),
    ];
    viewer.who = Some(guest.who().clone());
    let response = TableAction {
        id,
        wants,
        viewer,
        viewpoint: Viewpoint::default(),
    }
    .answer(&state, done.next)
    .await?;
    Ok((AppendHeaders(cookies.into_iter().flatten()), response).into_response())
}

/// Lets a team's player who uses the pages be asked for moves out of turn when they matter.
pub(super) async fn ask_when_it_matters(state: &AppState, id: TableId, who: &Requester) {
    let is_team = state.read(id, |table| table.kind().is_cooperative()).await;
    if is_team.is_ok_and(|is_team| is_team) {
        let when = AskWhen::Crucial;
        let chosen = state.act(id, who.clone(), Command::ChooseAsking { when });
        if chosen.await.is_err() {
            tracing::debug!(table = %id, "could not choose when to ask");
        }
    }
}

/// Enters the result of a real die or card.
async fn dice(
    State(state): State<AppState>,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    viewer: Viewer,
    fields: FormFields,
) -> Result<Response, WebError> {
    let chance = fields.get("chance").unwrap_or_default().to_owned();
    let version = fields
        .get("version")
        .and_then(|version| version.parse().ok());
    TableAction {
        id,
        wants,
        viewer,
        viewpoint: Viewpoint::default(),
    }
    .act(&state, Command::Luck { chance, version })
    .await
}

/// Requests an analysis of the finished game. Open to everyone.
async fn analyze(
    State(state): State<AppState>,
    client: Client,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    viewer: Viewer,
    fields: FormFields,
) -> Result<Response, WebError> {
    state
        .request_analysis(id, client)
        .await
        .map_err(|error| WebError::at(error, id, wants))?;
    let viewpoint = fields.viewpoint();
    match wants {
        ResponseFormat::Html => {
            Ok(Redirect::to(&format!("{}#part-analysis", viewpoint.address(id))).into_response())
        }
        ResponseFormat::Json => {
            TableAction {
                id,
                wants,
                viewer,
                viewpoint,
            }
            .answer(&state, None)
            .await
        }
    }
}

/// Advises a player of a team.
async fn advise(
    State(state): State<AppState>,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    viewer: Viewer,
) -> Result<Response, WebError> {
    let refused = |error: Error| WebError::at(error, id, wants);
    let who = viewer.who.as_ref();
    let who = who.ok_or_else(|| WebError::at(Refusal::NotSeated, id, wants))?;
    let advice = state.advise(id, who).await.map_err(refused)?;
    let table = TableSnapshot::load(&state, &viewer, id, None, Viewpoint::default()).await;
    let table = table.map_err(refused)?;
    Ok(advice::answer(&table, &advice, wants))
}

/// Flips the boards of this game in this browser.
async fn flip(
    State(state): State<AppState>,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    viewer: Viewer,
    fields: FormFields,
) -> Result<Response, WebError> {
    let kind = state
        .read(id, |table| table.kind())
        .await
        .map_err(|error| WebError::at(error, id, wants))?;
    let on = !viewpoint::is_flipped(&viewer.headers, kind);
    let cookie = cookies::with_flipped(&viewer.headers, kind, on, state.is_https());
    let viewpoint = Viewpoint {
        flipped: Some(on),
        ..fields.viewpoint()
    };
    let address = viewpoint.address(id);
    let response = match wants {
        ResponseFormat::Html => Redirect::to(&address).into_response(),
        ResponseFormat::Json => {
            TableAction {
                id,
                wants,
                viewer,
                viewpoint,
            }
            .answer(&state, None)
            .await?
        }
    };
    Ok((AppendHeaders([(SET_COOKIE, cookie)]), response).into_response())
}
