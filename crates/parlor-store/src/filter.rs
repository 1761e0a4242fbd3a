//! Which tables are meant, and which part of a list.

use std::ops::RangeInclusive;

use serde_json::Value;

use crate::Status;

/// Which tables are meant; the default means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only this game.
    pub game: Option<String>,
    /// Only tables in one of these; empty means any.
    pub statuses: Vec<Status>,
    /// Only what lists may show to everybody.
    pub listed_only: bool,
    /// Only tables where the seat with this label is on turn.
    pub turn: Option<String>,
    /// Only games that came out like this, as [`RowUpdate::result`](crate::RowUpdate::result) said.
    pub result: Option<String>,
    /// Only tables created at this time, in milliseconds since 1970, or later.
    pub created_from: Option<i64>,
    /// Only tables created before this time, in milliseconds since 1970.
    pub created_before: Option<i64>,
    /// Only tables with exactly these options, whatever the order of their keys.
    pub options: Option<Value>,
    /// Only ids in one of these ranges; empty means any. See [`Filter::decimal_prefix`].
    pub ids: Vec<RangeInclusive<i64>>,
}

impl Filter {
    /// The ids that begin with these decimal digits, for [`Filter::ids`]: the id itself first, then all longer ones up
    /// to the largest id, 2^53 - 1. Empty when the text is no such number; then no id is meant.
    ///
    /// ```
    /// use parlor_store::Filter;
    ///
    /// let ids = Filter::decimal_prefix("17");
    /// assert_eq!(ids[..3], [17..=17, 170..=179, 1_700..=1_799]);
    /// assert!(Filter::decimal_prefix("x").is_empty() && Filter::decimal_prefix("0").is_empty());
    /// ```
    #[must_use]
    pub fn decimal_prefix(digits: &str) -> Vec<RangeInclusive<i64>> {
        const LARGEST: i64 = (1 << 53) - 1;
        let number = digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| digits.parse::<i64>().ok());
        let Some(first) = number
            .flatten()
            .filter(|number| (1..=LARGEST).contains(number))
        else {
            return Vec::new();
        };
        let ranges = std::iter::successors(Some((first, first)), |&(low, high)| {
            Some((low.checked_mul(10)?, high.checked_mul(10)?.checked_add(9)?))
        });
        ranges
            .take_while(|(low, _)| *low <= LARGEST)
            .map(|(low, high)| low..=high.min(LARGEST))
            .collect()
    }
}

/// A part of a list, newest (highest id) first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Only ids below this one: the last id of the page before.
    pub before: Option<i64>,
    /// At most so many rows.
    pub limit: u64,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            before: None,
            limit: 50,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_means_every_id_that_begins_with_it() {
        let begins = |digits: &str, id: i64| {
            Filter::decimal_prefix(digits)
                .iter()
                .any(|range| range.contains(&id))
        };
        for id in [17, 170, 1_799, 17_000_000_000_000, 1_799_999_999_999_999] {
            assert!(begins("17", id), "{id}");
        }
        for id in [1, 16, 18, 117, 169, 180, 9_007_199_254_740_991] {
            assert!(!begins("17", id), "{id}");
        }
        assert!(
            begins("9007199254740991", 9_007_199_254_740_991) && begins("9", 9_007_199_254_740_991)
        );
        for none in [
            "",
            "-1",
            "+1",
            "9007199254740992",
            "99999999999999999999",
            "1x",
            " 1",
        ] {
            assert!(Filter::decimal_prefix(none).is_empty(), "{none}");
        }
    }
}
