//! News that members want to hear of, and times for them.

use std::fmt;
use std::str::FromStr;

use parlor_store::NoticeWishes;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Error;

const MINUTE_MS: i64 = 60_000;
const DAY_MINUTES: i64 = 24 * 60;
/// Offsets from UTC that clocks have, in minutes.
const OFFSETS: std::ops::RangeInclusive<i32> = -12 * 60..=14 * 60;

/// Kind of news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoticeKind {
    /// It is the member's turn.
    Turn,
    /// The member is challenged, or is made an offer.
    Challenge,
    /// Somebody writes at a table of the member.
    Message,
    /// A game of the member has ended.
    Result,
}

impl NoticeKind {
    /// All kinds, in the order in which they are offered.
    pub(crate) const ALL: [NoticeKind; 4] = [
        NoticeKind::Turn,
        NoticeKind::Challenge,
        NoticeKind::Message,
        NoticeKind::Result,
    ];

    /// Returns the name, as in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            NoticeKind::Turn => "turn",
            NoticeKind::Challenge => "challenge",
            NoticeKind::Message => "message",
            NoticeKind::Result => "result",
        }
    }
}

/// Time of the day on a member's clock, to the minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$", example = "22:00")]
pub(crate) struct DayTime(i32);

impl DayTime {
    /// Returns the minutes after midnight.
    const fn minutes(self) -> i32 {
        self.0
    }

    /// Returns the time that was stored as minutes after midnight.
    fn stored(minutes: i32) -> DayTime {
        DayTime(minutes.rem_euclid(DAY_MINUTES as i32))
    }
}

impl fmt::Display for DayTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl FromStr for DayTime {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<DayTime, BadTime> {
        let part = |text: &str, most: i32| {
            let is_plain = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse::<i32>().ok().filter(|_| is_plain);
            number.filter(|number| *number < most)
        };
        let (hour, minute) = text.split_once(':').ok_or(BadTime)?;
        let (hour, minute) = part(hour, 24).zip(part(minute, 60)).ok_or(BadTime)?;
        Ok(DayTime(hour * 60 + minute))
    }
}

impl TryFrom<String> for DayTime {
    type Error = BadTime;

    fn try_from(text: String) -> Result<DayTime, BadTime> {
        text.parse()
    }
}

impl From<DayTime> for String {
    fn from(time: DayTime) -> String {
        time.to_string()
    }
}

/// A text is no time of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a time of the day as 22:00")]
pub(crate) struct BadTime;

/// Hours in which nothing is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuietHours {
    /// First minute.
    pub(crate) from: DayTime,
    /// First minute after it. Before `from`, it is on the next day.
    pub(crate) to: DayTime,
}

/// News that you want to hear of when you have no page open, and times for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wishes {
    /// Kinds of news.
    pub(crate) kinds: Vec<NoticeKind>,
    /// Minutes that your clock is ahead of UTC, such as 120 in summer in Berlin. It does not follow changes
    /// between summer and winter time.
    #[schema(minimum = -720, maximum = 840)]
    pub(crate) utc_offset: i32,
    /// Hours in which nothing is sent, by your clock.
    #[schema(required)]
    pub(crate) quiet: Option<QuietHours>,
    /// Time of the day at which everything is sent in one message, by your clock; `null` sends at once.
    #[schema(required)]
    pub(crate) digest_at: Option<DayTime>,
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            kinds: NoticeKind::ALL.to_vec(),
            utc_offset: 0,
            quiet: None,
            digest_at: None,
        }
    }
}

impl Wishes {
    /// Returns the wishes as they are stored.
    ///
    /// # Errors
    /// If no clock has the offset from UTC.
    pub(crate) fn to_store(&self) -> Result<NoticeWishes, Error> {
        if !OFFSETS.contains(&self.utc_offset) {
            let detail = "no clock is so far from UTC: the offset is -720 to 840 minutes";
            return Err(Error::unprocessable(detail).with("field", "utc_offset"));
        }
        let kinds = NoticeKind::ALL.into_iter();
        let kinds = kinds.filter(|kind| self.kinds.contains(kind));
        Ok(NoticeWishes {
            kinds: kinds.map(NoticeKind::name).collect::<Vec<_>>().join(" "),
            utc_offset: self.utc_offset,
            quiet: self
                .quiet
                .map(|quiet| [quiet.from.minutes(), quiet.to.minutes()]),
            digest_at: self.digest_at.map(DayTime::minutes),
        })
    }

    /// Returns true if the member wants to hear of this kind of news.
    pub(crate) fn has(&self, kind: NoticeKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Returns the time from which on news of `now` may be sent, both in milliseconds since the Unix epoch.
    pub(super) fn due_at(&self, now: i64) -> i64 {
        let due = match self.digest_at {
            Some(at) => self.next(at, now),
            None => now,
        };
        self.after_quiet(due)
    }

    /// Returns the end of the quiet hours if `now` is in them, and else `now`.
    pub(super) fn after_quiet(&self, now: i64) -> i64 {
        let Some(quiet) = self.quiet else {
            return now;
        };
        let (from, to) = (quiet.from.minutes(), quiet.to.minutes());
        let minute = self.minute(now);
        let is_quiet = if from <= to {
            (from..to).contains(&minute)
        } else {
            minute >= from || minute < to
        };
        if is_quiet {
            self.next(quiet.to, now)
        } else {
            now
        }
    }

    /// Returns the next time after `now` at which the member's clock shows a time.
    fn next(&self, time: DayTime, now: i64) -> i64 {
        let ahead = i64::from(time.minutes() - self.minute(now)).rem_euclid(DAY_MINUTES);
        let ahead = if ahead == 0 { DAY_MINUTES } else { ahead };
        (now.div_euclid(MINUTE_MS) + ahead) * MINUTE_MS
    }

    /// Returns the minute of the day that the member's clock shows.
    fn minute(&self, now: i64) -> i32 {
        let minutes = now.div_euclid(MINUTE_MS) + i64::from(self.utc_offset);
        i32::try_from(minutes.rem_euclid(DAY_MINUTES)).unwrap_or_default()
    }
}

impl From<&NoticeWishes> for Wishes {
    fn from(stored: &NoticeWishes) -> Wishes {
        let is_wanted = |kind: &NoticeKind| stored.kinds.split(' ').any(|name| name == kind.name());
        Wishes {
            kinds: NoticeKind::ALL.into_iter().filter(is_wanted).collect(),
            utc_offset: stored.utc_offset,
            quiet: stored.quiet.map(|[from, to]| QuietHours {
                from: DayTime::stored(from),
                to: DayTime::stored(to),
            }),
            digest_at: stored.digest_at.map(DayTime::stored),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A midnight of UTC, in milliseconds since the Unix epoch.
    const MIDNIGHT: i64 = 1_800_057_600_000;

    fn at(text: &str) -> DayTime {
        text.parse().unwrap()
    }

    fn quiet(from: &str, to: &str, utc_offset: i32) -> Wishes {
        let quiet = Some(QuietHours {
            from: at(from),
            to: at(to),
        });
        Wishes {
            utc_offset,
            quiet,
            ..Wishes::default()
        }
    }

    /// Returns a time of the day in UTC, in milliseconds since the Unix epoch.
    fn utc(hour: i64, minute: i64) -> i64 {
        MIDNIGHT + (hour * 60 + minute) * MINUTE_MS
    }

    #[test]
    fn a_time_has_two_digits_and_two() {
        assert_eq!(MIDNIGHT % (DAY_MINUTES * MINUTE_MS), 0);
        assert_eq!(at("07:05").to_string(), "07:05");
        for wrong in ["24:00", "7:05", "07:60", "+7:05", "0705", "", "07:05:00"] {
            assert_eq!(wrong.parse::<DayTime>(), Err(BadTime), "{wrong}");
        }
    }

    #[test]
    fn quiet_hours_end_on_the_members_clock_also_after_midnight() {
        let night = quiet("22:00", "07:00", 120);
        assert_eq!(night.due_at(utc(19, 59)), utc(19, 59));
        assert_eq!(night.due_at(utc(20, 0)), utc(24 + 5, 0));
        assert_eq!(night.due_at(utc(4, 59) + 59_999), utc(5, 0));
        assert_eq!(night.due_at(utc(5, 0)), utc(5, 0));
        let noon = quiet("12:00", "14:00", -60);
        assert_eq!(noon.due_at(utc(13, 30)), utc(15, 0));
        assert_eq!(noon.due_at(utc(12, 30)), utc(12, 30));
        assert_eq!(quiet("09:00", "09:00", 0).due_at(utc(9, 0)), utc(9, 0));
    }

    #[test]
    fn a_digest_is_sent_once_a_day_but_not_in_quiet_hours() {
        let daily = Wishes {
            digest_at: Some(at("18:00")),
            ..quiet("22:00", "07:00", 0)
        };
        assert_eq!(daily.due_at(utc(17, 59)), utc(18, 0));
        assert_eq!(daily.due_at(utc(18, 0)), utc(24 + 18, 0));
        let night = Wishes {
            digest_at: Some(at("23:00")),
            ..daily
        };
        assert_eq!(night.due_at(utc(9, 0)), utc(24 + 7, 0));
    }

    #[test]
    fn wishes_are_stored_as_they_are() {
        let wishes = Wishes {
            kinds: vec![NoticeKind::Turn, NoticeKind::Result],
            digest_at: Some(at("18:30")),
            ..quiet("22:00", "07:00", -210)
        };
        let stored = wishes.to_store().unwrap();
        assert_eq!(stored.kinds, "turn result");
        assert_eq!(Wishes::from(&stored), wishes);
        let far = Wishes {
            utc_offset: 841,
            ..wishes
        };
        assert!(far.to_store().is_err());
    }
}
