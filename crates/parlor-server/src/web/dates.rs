//! Human-readable dates, in UTC, because the server doesn't know the visitor's time zone.

use time::OffsetDateTime;
use time::macros::format_description;

/// Formats the day of a time in milliseconds since the Unix epoch: "21 Nov 2026".
pub(super) fn day(millis: i64) -> String {
    let format = format_description!("[day padding:none] [month repr:short] [year]");
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000);
    time.ok()
        .and_then(|time| time.format(format).ok())
        .unwrap_or_default()
}

/// Formats the minute of a time in milliseconds since the Unix epoch: "21 Nov 2026, 09:05 UTC".
pub(super) fn minute(millis: i64) -> String {
    let format = format_description!("[hour]:[minute]");
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000);
    let clock = time.ok().and_then(|time| time.format(format).ok());
    clock
        .map(|clock| format!("{}, {clock} UTC", day(millis)))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_are_written_out() {
        assert_eq!(super::day(1_795_226_400_000), "21 Nov 2026");
        assert_eq!(super::minute(1_795_226_730_000), "21 Nov 2026, 02:05 UTC");
        assert_eq!(super::day(i64::MAX), "", "no such day");
        assert_eq!(super::minute(i64::MAX), "");
    }
}
