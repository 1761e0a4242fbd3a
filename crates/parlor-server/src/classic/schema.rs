//! OpenAPI schemas of the record API. They exist only for the description; a test validates real
//! responses against them.
#![allow(dead_code, reason = "these types are only described, never made")]

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

/// Mark of a player.
#[derive(Serialize, ToSchema)]
pub(super) enum ClassicMark {
    X,
    O,
}

/// Status of a classic game, by whichever way it ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClassicStatus {
    InProgress,
    XWins,
    OWins,
    Draw,
}

/// A classic game.
#[derive(Serialize, ToSchema)]
pub(super) struct ClassicGame {
    /// Id of the game.
    id: i64,
    /// The nine squares, row by row; `null` for an empty one.
    #[schema(min_items = 9, max_items = 9)]
    board: Vec<Option<ClassicMark>>,
    /// Player on turn; the winner, or the player who moved last in a drawn game, once it is over.
    current_player: ClassicMark,
    status: ClassicStatus,
    /// Time of the creation, in UTC.
    #[schema(format = DateTime)]
    created_at: String,
    /// Time of the last change, in UTC.
    #[schema(format = DateTime)]
    updated_at: String,
}

/// A classic game with its board as text.
#[derive(Serialize, ToSchema)]
pub(super) struct ShownGame {
    #[serde(flatten)]
    game: ClassicGame,
    /// The board in five lines.
    board_display: String,
}

/// A classic game after a move.
#[derive(Serialize, ToSchema)]
pub(super) struct MovedGame {
    #[serde(flatten)]
    game: ClassicGame,
    /// Confirmation of the move.
    #[schema(example = "Move successful")]
    message: String,
}

/// All games, or a page of them if one was requested.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum ClassicList {
    All(Vec<ClassicGame>),
    Page(ClassicPage),
}

/// A page of classic games.
#[derive(Serialize, ToSchema)]
pub(super) struct ClassicPage {
    /// Number of games on all pages.
    count: u64,
    /// Address of the next page; `null` on the last one.
    #[schema(required)]
    next: Option<String>,
    /// Address of the previous page; `null` on the first one.
    #[schema(required)]
    previous: Option<String>,
    /// Games of this page, newest first.
    results: Vec<ClassicGame>,
}

/// Request to mark a square.
#[derive(Serialize, ToSchema)]
pub(super) struct ClassicMove {
    /// Number of the square, row by row.
    #[schema(minimum = 0, maximum = 8)]
    position: i64,
    /// Player who moves; the player on turn by default.
    player: Option<ClassicMark>,
    /// Version of the game, the number in its `ETag`, in which the move is played; any by default.
    #[schema(minimum = 1)]
    version: Option<u64>,
}

/// Error in the words of the record API.
#[derive(Serialize, ToSchema)]
pub(super) struct ClassicDetail {
    /// Reason for the error.
    detail: String,
}

/// Reason for which a move was refused.
#[derive(Serialize, ToSchema)]
pub(super) struct ClassicMoveError {
    /// Reason given by the game.
    #[schema(example = "Position already occupied")]
    error: String,
}

/// A refused move, or a body that cannot be read.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum ClassicBadRequest {
    Move(ClassicMoveError),
    Body(ClassicDetail),
}

/// Any error response: in the words of the record API, or from what surrounds all routes.
pub(super) struct ErrorResponse;

impl IntoResponses for ErrorResponse {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let content = |schema| Content::new(Some(Ref::from_schema_name(schema)));
        let response = ResponseBuilder::new()
            .description("Reason for the error")
            .content("application/json", content("ClassicDetail"))
            .content("application/problem+json", content("Problem"));
        BTreeMap::from([("default".to_owned(), response.build().into())])
    }
}
