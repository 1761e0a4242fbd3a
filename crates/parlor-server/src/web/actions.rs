//! What is done at a table through forms: the script gets the table back, a browser without it is sent to the page.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Form, FromRequest, Request, State};
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, post};
use parlor_table::{Claim, Command, MoveId, Refused, TableId};

use super::look::{self, Look};
use super::memory;
use super::oops::{Oops, Wants};
use super::snapshot::{Snapshot, Viewer};
use super::table::answer;
use crate::AppState;
use crate::auth::{Guest, Token};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{Id, bytes};
use crate::tables;

/// The fields of a form, as texts.
#[derive(Debug, Default)]
pub(super) struct Fields(HashMap<String, String>);

impl Fields {
    /// A field that is not empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// How the one who sends them looks at the table.
    fn look(&self) -> Look {
        let number = |name| self.get(name).and_then(|text| text.parse().ok());
        Look {
            step: number("step"),
            draft: self.get("draft").map(str::to_owned),
            of: number("of"),
            flipped: None,
        }
    }
}

impl FromRequest<AppState> for Fields {
    type Rejection = Oops;

    async fn from_request(request: Request, state: &AppState) -> Result<Fields, Oops> {
        let (parts, body) = request.into_parts();
        let body = bytes(Request::from_parts(parts.clone(), body), state).await?;
        let request = Request::from_parts(parts, body.into());
        let form = Form::<HashMap<String, String>>::from_request(request, state).await;
        let Form(fields) = form.map_err(|rejection| Error::bad_request(rejection.body_text()))?;
        Ok(Fields(fields))
    }
}

/// Who asks for what at which table.
struct Deed {
    id: TableId,
    wants: Wants,
    viewer: Viewer,
    /// How the one who asks looks at the table.
    look: Look,
}

impl Deed {
    async fn act(self, state: &AppState, command: Command) -> Result<Response, Oops> {
        let (id, wants) = (self.id, self.wants);
        let who = self
            .viewer
            .who
            .clone()
            .ok_or_else(|| Oops::at(Refused::NotSeated, id, wants))?;
        let done = state
            .act(id, who, command)
            .await
            .map_err(|error| Oops::at(error, id, wants))?;
        self.answer(state, done.next).await
    }

    async fn answer(self, state: &AppState, next: Option<TableId>) -> Result<Response, Oops> {
        match self.wants {
            Wants::Html => {
                Ok(Redirect::to(&format!("/t/{}", next.unwrap_or(self.id))).into_response())
            }
            Wants::Json => {
                let table = Snapshot::take(state, &self.viewer, self.id, None, self.look).await;
                Ok(answer(
                    &table.map_err(|error| Oops::at(error, self.id, self.wants))?,
                    next,
                ))
            }
        }
    }
}

/// What can be done at a table.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/t/{id}/play", post(play))
        .route("/t/{id}/join", post(join))
        .route("/t/{id}/leave", verb(|| Command::Leave))
        .route("/t/{id}/ready", verb(|| Command::Ready))
        .route("/t/{id}/draw", verb(|| Command::OfferDraw))
        .route("/t/{id}/draw/accept", verb(|| Command::AcceptDraw))
        .route("/t/{id}/draw/decline", verb(|| Command::DeclineDraw))
        .route("/t/{id}/takeback", verb(|| Command::OfferTakeback))
        .route("/t/{id}/takeback/accept", verb(|| Command::AcceptTakeback))
        .route(
            "/t/{id}/takeback/decline",
            verb(|| Command::DeclineTakeback),
        )
        .route(
            "/t/{id}/give-time",
            verb(|| Command::GiveTime { seconds: None }),
        )
        .route("/t/{id}/claim", post(claim))
        .route("/t/{id}/resign", verb(|| Command::Resign))
        .route("/t/{id}/abort", verb(|| Command::Abort))
        .route(
            "/t/{id}/rematch",
            verb(|| Command::Rematch {
                next: tables::fresh_id(),
            }),
        )
        .route("/t/{id}/luck", post(luck))
        .route("/t/{id}/dice", post(dice))
        .route("/t/{id}/analysis", post(analyse))
        .route("/t/{id}/flip", post(flip))
}

/// What is asked without saying more than who asks.
fn verb(command: impl Fn() -> Command + Clone + Send + Sync + 'static) -> MethodRouter<AppState> {
    post(
        async move |State(state): State<AppState>,
                    Id(id): Id,
                    wants: Wants,
                    viewer: Viewer,
                    fields: Fields| {
            Deed {
                id,
                wants,
                viewer,
                look: fields.look(),
            }
            .act(&state, command())
            .await
        },
    )
}

/// A move.
async fn play(
    State(state): State<AppState>,
    Id(id): Id,
    wants: Wants,
    viewer: Viewer,
    fields: Fields,
) -> Result<Response, Oops> {
    let refused = |refused: Refused| Oops::at(refused, id, wants);
    let text = fields.get("move").unwrap_or_default().to_owned();
    let version = fields
        .get("version")
        .and_then(|version| version.parse().ok());
    let move_id = fields
        .get("id")
        .map(MoveId::new)
        .transpose()
        .map_err(refused)?;
    let command = Command::Move {
        text,
        id: move_id,
        version,
    };
    Deed {
        id,
        wants,
        viewer,
        look: Look::default(),
    }
    .act(&state, command)
    .await
}

/// Somebody sits down. Whoever has no token yet gets one.
async fn join(
    State(state): State<AppState>,
    Id(id): Id,
    wants: Wants,
    guest: Guest,
    mut viewer: Viewer,
    fields: Fields,
) -> Result<Response, Oops> {
    let name = fields.get("name").unwrap_or("Guest");
    let invite = fields
        .get("invite")
        .and_then(Token::parse)
        .or_else(|| memory::invite(&viewer.headers, id));
    let shown = guest.who().name(name);
    let luck_text = fields.get("luck_text").map(str::to_owned);
    let command = Command::Join {
        seat: None,
        name: shown,
        invite: invite.as_ref().map(Token::key),
        luck_text,
    };
    let done = state
        .act(id, guest.who().clone(), command)
        .await
        .map_err(|error| Oops::at(error, id, wants))?;
    let secure = state.is_https();
    let cookies = [
        guest.set_cookie().map(|cookie| (SET_COOKIE, cookie)),
        Some((
            SET_COOKIE,
            memory::with_table(&viewer.headers, id, invite, secure),
        )),
        fields
            .get("name")
            .map(|name| (SET_COOKIE, memory::with_name(name, secure))),
    ];
    viewer.who = Some(guest.who().clone());
    let response = Deed {
        id,
        wants,
        viewer,
        look: Look::default(),
    }
    .answer(&state, done.next)
    .await?;
    Ok((AppendHeaders(cookies.into_iter().flatten()), response).into_response())
}

/// Claims a game that the other side has left.
async fn claim(
    State(state): State<AppState>,
    Id(id): Id,
    wants: Wants,
    viewer: Viewer,
    fields: Fields,
) -> Result<Response, Oops> {
    let claim = match fields.get("claim") {
        Some("draw") => Claim::Draw,
        Some("stand_in") => Claim::StandIn,
        _ => Claim::Win,
    };
    let absent_since = state
        .live()
        .absent_since(id)
        .await
        .map_err(|error| Oops::at(error, id, wants))?;
    Deed {
        id,
        wants,
        viewer,
        look: fields.look(),
    }
    .act(
        &state,
        Command::Claim {
            claim,
            absent_since,
        },
    )
    .await
}

/// Mixes a text into the table's luck.
async fn luck(
    State(state): State<AppState>,
    Id(id): Id,
    wants: Wants,
    viewer: Viewer,
    fields: Fields,
) -> Result<Response, Oops> {
    let text = fields.get("text").unwrap_or_default().to_owned();
    Deed {
        id,
        wants,
        viewer,
        look: fields.look(),
    }
    .act(&state, Command::LuckText { text })
    .await
}

/// Types in what luck did.
async fn dice(
    State(state): State<AppState>,
    Id(id): Id,
    wants: Wants,
    viewer: Viewer,
    fields: Fields,
) -> Result<Response, Oops> {
    let chance = fields.get("chance").unwrap_or_default().to_owned();
    let version = fields
        .get("version")
        .and_then(|version| version.parse().ok());
    Deed {
        id,
        wants,
        viewer,
        look: Look::default(),
    }
    .act(&state, Command::Luck { chance, version })
    .await
}

/// Has the finished game analysed. Anybody may ask.
async fn analyse(
    State(state): State<AppState>,
    client: Client,
    Id(id): Id,
    wants: Wants,
    viewer: Viewer,
    fields: Fields,
) -> Result<Response, Oops> {
    state
        .analyse(id, client)
        .await
        .map_err(|error| Oops::at(error, id, wants))?;
    let look = fields.look();
    match wants {
        Wants::Html => {
            Ok(Redirect::to(&format!("{}#part-analysis", look.address(id))).into_response())
        }
        Wants::Json => {
            Deed {
                id,
                wants,
                viewer,
                look,
            }
            .answer(&state, None)
            .await
        }
    }
}

/// Turns the boards of this game around, in this browser.
async fn flip(
    State(state): State<AppState>,
    Id(id): Id,
    wants: Wants,
    viewer: Viewer,
    fields: Fields,
) -> Result<Response, Oops> {
    let kind = state
        .read(id, |table| table.kind())
        .await
        .map_err(|error| Oops::at(error, id, wants))?;
    let on = !look::flipped(&viewer.headers, kind);
    let cookie = memory::with_flipped(&viewer.headers, kind, on, state.is_https());
    let look = Look {
        flipped: Some(on),
        ..fields.look()
    };
    let address = look.address(id);
    let response = match wants {
        Wants::Html => Redirect::to(&address).into_response(),
        Wants::Json => {
            Deed {
                id,
                wants,
                viewer,
                look,
            }
            .answer(&state, None)
            .await?
        }
    };
    Ok((AppendHeaders([(SET_COOKIE, cookie)]), response).into_response())
}
