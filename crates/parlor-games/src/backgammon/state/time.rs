//! Timestamps in files.

use parlor_formats::state_json::FileTimestamp;

use crate::files::timestamp;

/// Parses a timestamp; see [`timestamp`].
///
/// ```
/// use parlor_games::backgammon::state::stamp;
/// assert_eq!(stamp("2025-01-21T12:00:00Z").nanos, stamp("2025-01-21T13:00:00.000+01:00").nanos);
/// assert_eq!(stamp("2025-01-21 noon").nanos, None);
/// ```
pub fn stamp(text: &str) -> FileTimestamp {
    FileTimestamp {
        text: text.to_owned(),
        nanos: timestamp(text),
    }
}
