//! Times as files write them.

use parlor_backgammon::state::Stamp;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A text as a moment. It is one when it is a time of RFC 3339, the strict form of ISO 8601 that JSON Schema asks for. A leap
/// second can only be at the end of a month.
///
/// ```
/// use parlor_games::backgammon::state::stamp;
/// assert_eq!(stamp("2025-01-21T12:00:00Z").nanos, stamp("2025-01-21T13:00:00.000+01:00").nanos);
/// assert_eq!(stamp("2025-01-21 noon").nanos, None);
/// ```
pub fn stamp(text: &str) -> Stamp {
    // The grammar has a T there; the reader takes everything.
    let has_t = matches!(text.as_bytes().get(10), Some(b'T' | b't'));
    let moment = OffsetDateTime::parse(text, &Rfc3339).ok().filter(|_| has_t);
    Stamp {
        text: text.to_owned(),
        nanos: moment.map(OffsetDateTime::unix_timestamp_nanos),
    }
}
