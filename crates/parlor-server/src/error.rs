//! The error type of all handlers: a problem document (RFC 9457).

use axum::http::header::HeaderName;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use parlor_store::{LineLimit, LogLine, StoreError};
use parlor_table::Refusal;
use problem_details::ProblemDetails;
use serde_json::{Map, Value};

use crate::live::LiveError;

/// Details of errors that will pass.
const NO_ANSWER: &str = "the database does not answer in time; try again";
const NOT_NOW: &str = "the server cannot do this right now; try again";
const REPLACED: &str = "the database of this house was removed or replaced while it was in use: it cannot be used \
    until its operator has put it right";
const DISK_FULL: &str =
    "the disk of this house is full: nothing can be stored until its operator has made room";

const DISK_FULL_IN_DOUBT: &str = "the disk of this house is full: nothing can be stored until its operator has made \
    room; look whether this was done before trying again, a move that is repeated with its id is played once";

/// Seconds after which to try again if an operator has to make room first.
pub(crate) const MAKE_ROOM_SECONDS: u32 = 60;

/// Header that names a limit and the number that it allows.
const POLICY_HEADER: HeaderName = HeaderName::from_static("ratelimit-policy");
/// Header of answers to clients that have reached a limit: its name, and what is left.
pub(crate) const LIMIT_HEADER: HeaderName = HeaderName::from_static("ratelimit");

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
    /// Limit that was reached.
    pub(crate) throttle: Option<Box<Throttle>>,
    /// Seconds after which to try again, if this is not the usual time of its status.
    pub(crate) retry_after: Option<u32>,
}

/// A limit that a client has reached.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Throttle {
    /// Name of the limit.
    pub(crate) policy: &'static str,
    /// Number allowed.
    pub(crate) quota: usize,
    /// Allowance that the number is of.
    pub(crate) allowance: Allowance,
}

/// Kind of a limited number: within a time, or at once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Allowance {
    /// Within a time.
    InTime {
        /// Length of the time, in seconds.
        window: u64,
        /// Seconds until one more is allowed.
        wait: u64,
    },
    /// At once: one more is allowed when another ends, which nobody can foretell.
    AtOnce,
}

impl Throttle {
    /// Creates the throttle of somebody who has `quota` at once already.
    pub(crate) fn at_once(policy: &'static str, quota: usize) -> Throttle {
        Throttle {
            policy,
            quota,
            allowance: Allowance::AtOnce,
        }
    }

    /// Adds `Retry-After`, and the headers of the IETF's draft on rate limits.
    fn add_to(&self, headers: &mut HeaderMap) {
        let Throttle {
            policy,
            quota,
            allowance,
        } = self;
        let (unit, time) = match allowance {
            Allowance::InTime { window, wait } => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(*wait));
                (format!(";w={window}"), format!(";t={wait}"))
            }
            Allowance::AtOnce => (r#";qu="concurrent-requests""#.to_owned(), String::new()),
        };
        let texts = [
            (POLICY_HEADER, format!("\"{policy}\";q={quota}{unit}")),
            (LIMIT_HEADER, format!("\"{policy}\";r=0{time}")),
        ];
        for (name, text) in texts {
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.insert(name, value);
            }
        }
    }
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
            throttle: None,
            retry_after: None,
        }
    }

    /// Sets the seconds after which to try again.
    pub(crate) fn retry_after(mut self, seconds: u32) -> Error {
        self.retry_after = Some(seconds);
        self
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

    /// 429: there is too much of this at the moment; there may be room in a minute.
    pub(crate) fn too_many(detail: impl Into<String>) -> Error {
        Error::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            "Too many requests",
            detail,
        )
    }

    /// 429: a limit was reached; says when to try again, if that can be told.
    pub(crate) fn throttled(refusal: impl Into<String>, throttle: Throttle) -> Error {
        metrics::counter!("parlor_throttled_total", "policy" => throttle.policy).increment(1);
        let mut detail = refusal.into();
        if let Allowance::InTime { wait, .. } = throttle.allowance {
            detail += &format!("; try again in {}", duration_in_words(wait));
        }
        Error {
            throttle: Some(Box::new(throttle)),
            ..Error::too_many(detail)
        }
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

    /// 408: the request's body made no progress.
    pub(crate) fn timeout() -> Error {
        let detail = "the rest of the body did not arrive in time; send the request again";
        Error::new(
            StatusCode::REQUEST_TIMEOUT,
            "timeout",
            "The request took too long to arrive",
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
        static LINES: LineLimit = LineLimit::new();
        if let Some(LogLine { left_out }) = LINES.line() {
            tracing::error!(%cause, left_out, "a request failed");
        }
        Error::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong on our side",
            "this is our fault and has been logged",
        )
    }

    /// 503: a temporary internal error. The cause is logged and not sent to
    /// the client.
    pub(crate) fn unavailable(cause: impl std::fmt::Display) -> Error {
        Error::not_served(cause, NOT_NOW)
    }

    /// 503: a temporary internal error after which it is unknown whether something was changed. The
    /// cause is logged and not sent to the client.
    pub(crate) fn in_doubt(cause: impl std::fmt::Display) -> Error {
        let detail = "the server cannot tell whether this was done: look before trying again; a move that is repeated \
                      with its id is played once";
        Error::not_served(cause, detail)
    }

    /// 503: a request that changes nothing took too long. What it waited for may go on, so that another
    /// one can be quicker.
    pub(crate) fn too_slow() -> Error {
        let detail = "this took too long, and nothing was changed: try again in half a minute";
        Error::not_served("a request that only reads took too long", detail).retry_after(30)
    }

    /// 503: others take all there is, or the database is known to be away. Not logged, since strangers
    /// can cause many.
    pub(crate) fn crowded(detail: &str) -> Error {
        Error::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "Not available",
            detail,
        )
    }

    pub(crate) fn not_served(cause: impl std::fmt::Display, detail: &str) -> Error {
        static LINES: LineLimit = LineLimit::new();
        if let Some(LogLine { left_out }) = LINES.line() {
            tracing::error!(%cause, left_out, "a request could not be served");
        }
        Error::crowded(detail)
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

impl Error {
    /// Counts the error and returns the headers that its response has in any format.
    pub(crate) fn report(&self) -> HeaderMap {
        metrics::counter!("parlor_errors_total", "code" => self.code.clone()).increment(1);
        let mut headers = HeaderMap::new();
        if let Some(throttle) = &self.throttle {
            throttle.add_to(&mut headers);
            return headers;
        }
        match self.status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::TOO_MANY_REQUESTS => {
                let seconds = self.retry_after.unwrap_or(60);
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            StatusCode::SERVICE_UNAVAILABLE => {
                let seconds = self.retry_after.unwrap_or(1);
                headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            StatusCode::REQUEST_TIMEOUT => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        headers
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let headers = self.report();
        (headers, self.problem()).into_response()
    }
}

/// Writes a number of seconds, rounded up: `5 s`, `3 min`.
fn duration_in_words(seconds: u64) -> String {
    if seconds <= 90 {
        format!("{seconds} s")
    } else {
        format!("{} min", seconds.div_ceil(60))
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
            | Refusal::Lag(_)
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
            | Refusal::SamePlayerTwice
            | Refusal::OwnBot => Error::forbidden("", detail),
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
            | Refusal::ClockFull
            | Refusal::NothingOffered
            | Refusal::OthersAsked
            | Refusal::NotAsked
            | Refusal::LogFull
            | Refusal::LogLong
            | Refusal::OfferedAlready
            | Refusal::BotsPlayOn
            | Refusal::NoDraws
            | Refusal::NoTakebacks
            | Refusal::LuckHasDecided
            | Refusal::OthersHaveMoved
            | Refusal::NothingToTakeBack
            | Refusal::NothingToClaim
            | Refusal::NoStandIn
            | Refusal::NotGone
            | Refusal::NoReturn
            | Refusal::NoTimeToReturn
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
            LiveError::Store(cause) => cause.into(),
            LiveError::Busy => Error::in_doubt("the table's task did not answer"),
            error @ LiveError::Late => Error::not_served(error, NO_ANSWER),
            LiveError::WrongClock => {
                Error::crowded("this server's clock is wrong: try another server")
            }
            LiveError::EarlierNodes => Error::crowded(
                "the house is being updated, and its earlier servers do not know this: try again later",
            ),
            error @ LiveError::BadLog(..) => Error::internal(error),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        if error.is_disk_full() {
            return disk_full(error);
        }
        match error {
            // The writer may have died while writing.
            StoreError::InDoubt(_) | StoreError::Closed => Error::in_doubt(error),
            error if error.is_replaced() => Error::crowded(REPLACED).retry_after(MAKE_ROOM_SECONDS),
            error if error.is_away() => {
                Error::crowded("the server cannot reach its database right now; try again")
            }
            error @ StoreError::Unavailable(_) => Error::not_served(error, NO_ANSWER),
            error => Error::unavailable(error),
        }
    }
}

/// Returns the error for a change that the disk of the database had no room for.
fn disk_full(error: StoreError) -> Error {
    let detail = match &error {
        StoreError::InDoubt(_) => DISK_FULL_IN_DOUBT,
        _ => DISK_FULL,
    };
    Error::not_served(error, detail).retry_after(MAKE_ROOM_SECONDS)
}
