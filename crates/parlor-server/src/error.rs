//! The error type of all handlers: a problem document (RFC 9457).

use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use parlor_table::Refusal;
use problem_details::ProblemDetails;
use serde_json::{Map, Value};

use crate::live::LiveError;

/// Error response of a request.
#[derive(Debug)]
pub(crate) struct Error {
    /// HTTP status code.
    pub(crate) status: StatusCode,
    /// Stable identifier for programs: the last segment of the problem's type.
    pub(crate) code: String,
    /// Short summary of the kind of problem.
    pub(crate) title: &'static str,
    /// Explanation of this occurrence; for illegal moves, the reason given by the game.
    pub(crate) detail: String,
    /// Additional members of the problem document.
    pub(crate) fields: Option<Box<Map<String, Value>>>,
}

impl Error {
    /// Creates an error.
    pub(crate) fn new(
        status: StatusCode,
        code: &str,
        title: &'static str,
        detail: impl Into<String>,
    ) -> Error {
        Error {
            status,
            code: code.to_owned(),
            title,
            detail: detail.into(),
            fields: None,
        }
    }

    /// Adds a member to the problem document.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Error {
        self.fields
            .get_or_insert_default()
            .insert(name.to_owned(), value.into());
        self
    }

    /// 404: the resource does not exist.
    pub(crate) fn not_found(what: &str) -> Error {
        Error::new(StatusCode::NOT_FOUND, "not-found", "Not found", what)
    }

    /// 400: the request cannot be parsed.
    pub(crate) fn bad_request(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::BAD_REQUEST,
            "bad-request",
            "The request cannot be read",
            detail,
        )
    }

    /// 422: the request can be parsed, but its content is invalid.
    pub(crate) fn unprocessable(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad-content",
            "Invalid content",
            detail,
        )
    }

    /// 401: the request needs authentication.
    pub(crate) fn unauthorized(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::UNAUTHORIZED,
            "no-token",
            "Authentication required",
            detail,
        )
    }

    /// 403: the caller lacks permission.
    pub(crate) fn forbidden(code: &str, detail: impl Into<String>) -> Error {
        Error::new(StatusCode::FORBIDDEN, code, "Not allowed", detail)
    }

    /// 429: a limit was exceeded.
    pub(crate) fn too_many(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            "Too many requests",
            detail,
        )
    }

    /// 405: the resource does not support this method.
    pub(crate) fn method_not_allowed() -> Error {
        let detail = "this method is not supported here; the Allow header lists those that are";
        Error::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method-not-allowed",
            "Method not allowed",
            detail,
        )
    }

    /// 413: the body exceeds the limit.
    pub(crate) fn too_large(limit: usize) -> Error {
        let detail = format!("the body may have at most {limit} bytes");
        Error::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            "The request is too large",
            detail,
        )
    }

    /// 415: the body has an unsupported media type.
    pub(crate) fn media_type(wanted: &str) -> Error {
        let detail = format!("send the body as {wanted}");
        Error::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "media-type",
            "The media type is not supported",
            detail,
        )
    }

    /// 500: an internal error. The cause is logged and not sent to the client.
    pub(crate) fn internal(cause: impl std::fmt::Display) -> Error {
        tracing::error!(%cause, "a request failed");
        Error::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong on our side",
            "this is our fault and has been logged",
        )
    }

    /// 503: a temporary internal error. The cause is logged and not sent to the client.
    pub(crate) fn unavailable(cause: impl std::fmt::Display) -> Error {
        tracing::error!(%cause, "a request could not be served");
        let detail = "the server cannot answer right now; nothing was lost, try again";
        Error::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "Not available",
            detail,
        )
    }

    fn with_code(mut self, code: &str) -> Error {
        self.code = code.replace('_', "-");
        self
    }
}

impl Error {
    /// Returns the problem document.
    pub(crate) fn problem(self) -> ProblemDetails<Map<String, Value>> {
        let kind = format!("/problems/{}", self.code)
            .parse::<Uri>()
            .unwrap_or_default();
        ProblemDetails::new()
            .with_type(kind)
            .with_status(self.status)
            .with_title(self.title)
            .with_detail(self.detail)
            .with_extensions(self.fields.map(|fields| *fields).unwrap_or_default())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let status = self.status;
        let mut response = self.problem().into_response();
        let headers = response.headers_mut();
        match status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        response
    }
}

impl From<Refusal> for Error {
    fn from(refused: Refusal) -> Error {
        let detail = refused.to_string();
        let error = match &refused {
            Refusal::Options(error) => {
                let problems = serde_json::to_value(&error.problems).unwrap_or_default();
                Error::unprocessable(detail).with("problems", problems)
            }
            Refusal::WrongSeats { .. }
            | Refusal::UnknownBot(_)
            | Refusal::BadName
            | Refusal::BadLuckText
            | Refusal::NoSuchSeat(_)
            | Refusal::BadMoveId
            | Refusal::TimeControl(_)
            | Refusal::LuckByHandNotAllowed
            | Refusal::TeamsAreNotRated
            | Refusal::BadTimeGift { .. } => Error::unprocessable(detail),
            Refusal::Illegal(_) => Error::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "",
                "The move cannot be played",
                detail,
            ),
            Refusal::InviteNeeded
            | Refusal::NotSeated
            | Refusal::NotYourTurn
            | Refusal::MembersOnly
            | Refusal::SamePlayerTwice => Error::forbidden("", detail),
            Refusal::Stale { current } => {
                Error::new(StatusCode::CONFLICT, "", "The table has moved on", detail)
                    .with("current", *current)
            }
            Refusal::NoSecret => return Error::internal(refused),
            Refusal::LuckDrawn
            | Refusal::DrawnByServer
            | Refusal::NoChanceDue
            | Refusal::NoLuck
            | Refusal::SeatTaken
            | Refusal::Full
            | Refusal::NotStarted
            | Refusal::Started
            | Refusal::Over
            | Refusal::NotOver
            | Refusal::TooLateToAbort
            | Refusal::TimeExceeded
            | Refusal::NoClock
            | Refusal::NothingOffered
            | Refusal::OfferedAlready
            | Refusal::BotsPlayOn
            | Refusal::NoDraws
            | Refusal::NoTakebacks
            | Refusal::LuckHasDecided
            | Refusal::OthersHaveMoved
            | Refusal::NothingToTakeBack
            | Refusal::NothingToClaim
            | Refusal::IdReused => {
                Error::new(StatusCode::CONFLICT, "", "Not possible right now", detail)
            }
        };
        error.with_code(refused.code())
    }
}

impl From<LiveError> for Error {
    fn from(error: LiveError) -> Error {
        match error {
            LiveError::NotFound => Error::not_found("there is no such table"),
            LiveError::Refused(refused) => refused.into(),
            LiveError::Conflict { current } => Refusal::Stale { current }.into(),
            LiveError::Store(cause) => Error::unavailable(cause),
            LiveError::Busy => Error::unavailable("the table's task did not answer"),
            error @ LiveError::BadLog(..) => Error::internal(error),
        }
    }
}

impl From<parlor_store::StoreError> for Error {
    fn from(error: parlor_store::StoreError) -> Error {
        Error::unavailable(error)
    }
}
