//! The one error of the HTTP edge: a problem document (RFC 9457).

use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use parlor_table::Refused;
use problem_details::ProblemDetails;
use serde_json::{Map, Value};

use crate::live::LiveError;

/// Why a request was not done, as its sender may know it.
#[derive(Debug)]
pub(crate) struct Error {
    /// The status of the response.
    pub(crate) status: StatusCode,
    /// A stable name for programs: the last part of the problem's type.
    pub(crate) code: String,
    /// The problem in general.
    pub(crate) title: &'static str,
    /// This case of it; the game's own reason where there is one.
    pub(crate) detail: String,
    /// Further members.
    pub(crate) fields: Option<Box<Map<String, Value>>>,
}

impl Error {
    /// A problem of the given kind.
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

    /// Adds a member.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Error {
        self.fields
            .get_or_insert_default()
            .insert(name.to_owned(), value.into());
        self
    }

    /// There is nothing under this address.
    pub(crate) fn not_found(what: &str) -> Error {
        Error::new(StatusCode::NOT_FOUND, "not-found", "Not found", what)
    }

    /// The request itself cannot be read.
    pub(crate) fn bad_request(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::BAD_REQUEST,
            "bad-request",
            "The request cannot be read",
            detail,
        )
    }

    /// The request can be read, but what it says cannot be.
    pub(crate) fn unprocessable(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "bad-content",
            "The content does not fit",
            detail,
        )
    }

    /// Nobody said who they are.
    pub(crate) fn unauthorized(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::UNAUTHORIZED,
            "no-token",
            "A token is needed",
            detail,
        )
    }

    /// Somebody asks for what is not theirs.
    pub(crate) fn forbidden(code: &str, detail: impl Into<String>) -> Error {
        Error::new(StatusCode::FORBIDDEN, code, "That is not allowed", detail)
    }

    /// Too much at once.
    pub(crate) fn too_many(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            "Too many requests",
            detail,
        )
    }

    /// A method that this address does not know.
    pub(crate) fn method_not_allowed() -> Error {
        let detail =
            "this address does not know that method; the Allow header lists those it knows";
        Error::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method-not-allowed",
            "Method not allowed",
            detail,
        )
    }

    /// The body is longer than allowed.
    pub(crate) fn too_large(limit: usize) -> Error {
        let detail = format!("a body has at most {limit} bytes here");
        Error::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too-large",
            "The request is too large",
            detail,
        )
    }

    /// The body is not of a kind that is read here.
    pub(crate) fn media_type(wanted: &str) -> Error {
        let detail = format!("send the body as {wanted}");
        Error::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "media-type",
            "The media type is not supported",
            detail,
        )
    }

    /// Trouble of our own: the cause goes to the log, not to the client.
    pub(crate) fn internal(cause: impl std::fmt::Display) -> Error {
        tracing::error!(%cause, "a request failed");
        Error::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong here",
            "the trouble is on our side and was logged",
        )
    }

    /// Trouble of our own that will pass.
    pub(crate) fn unavailable(cause: impl std::fmt::Display) -> Error {
        tracing::error!(%cause, "a request could not be served");
        let detail = "the house cannot answer at the moment; nothing is lost, try again";
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
    /// The problem as a document.
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

impl From<Refused> for Error {
    fn from(refused: Refused) -> Error {
        let detail = refused.to_string();
        let error = match &refused {
            Refused::Options(error) => {
                let problems = serde_json::to_value(&error.problems).unwrap_or_default();
                Error::unprocessable(detail).with("problems", problems)
            }
            Refused::WrongSeats { .. }
            | Refused::UnknownBot(_)
            | Refused::BadName
            | Refused::BadLuckText
            | Refused::NoSuchSeat(_)
            | Refused::BadMoveId
            | Refused::TimeControl(_)
            | Refused::NotByHand
            | Refused::TeamsAreNotRated
            | Refused::BadGift { .. } => Error::unprocessable(detail),
            Refused::Illegal(_) => Error::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "",
                "The move cannot be played",
                detail,
            ),
            Refused::InviteNeeded
            | Refused::NotSeated
            | Refused::NotYourTurn
            | Refused::MembersOnly
            | Refused::AgainstOneself => Error::forbidden("", detail),
            Refused::Stale { current } => {
                Error::new(StatusCode::CONFLICT, "", "The table has moved on", detail)
                    .with("current", *current)
            }
            Refused::NoSecret => return Error::internal(refused),
            Refused::LuckDrawn
            | Refused::DrawnByHouse
            | Refused::NotLucksTurn
            | Refused::NoLuck
            | Refused::SeatTaken
            | Refused::Full
            | Refused::NotStarted
            | Refused::Started
            | Refused::Over
            | Refused::NotOver
            | Refused::TooLateToAbort
            | Refused::TimeExceeded
            | Refused::NoClock
            | Refused::NothingOffered
            | Refused::OfferedAlready
            | Refused::BotsPlayOn
            | Refused::NoDraws
            | Refused::NoTakebacks
            | Refused::LuckSince
            | Refused::OthersSince
            | Refused::NothingToTakeBack
            | Refused::NothingToClaim
            | Refused::IdReused => {
                Error::new(StatusCode::CONFLICT, "", "Not as the table stands", detail)
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
            LiveError::Conflict { current } => Refused::Stale { current }.into(),
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
