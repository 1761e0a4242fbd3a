//! Filters and pages of table lists.

use std::ops::RangeInclusive;

use serde_json::Value;

use crate::RowStatus;

/// Filter for tables; the default matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// Only tables of this game.
    pub game: Option<String>,
    /// Only tables with one of these statuses; empty matches any.
    pub statuses: Vec<RowStatus>,
    /// Only publicly listed tables.
    pub listed_only: bool,
    /// Only tables where the current player has the seat with this label.
    pub turn: Option<String>,
    /// Only games with this result; see [`RowUpdate::result`](crate::RowUpdate::result).
    pub result: Option<String>,
    /// Only tables created at or after this time, in milliseconds since the Unix epoch.
    pub created_from: Option<i64>,
    /// Only tables created before this time, in milliseconds since the Unix epoch.
    pub created_before: Option<i64>,
    /// Only tables with exactly these options, ignoring the order of keys.
    pub options: Option<Value>,
    /// Only ids in one of these ranges; empty matches any. See [`ListFilter::decimal_prefix`].
    pub ids: Vec<RangeInclusive<i64>>,
    /// Only tables that this search finds.
    pub search: Option<TableSearch>,
}

/// Search for tables by parts of their ids and of their players' names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableSearch {
    /// Text that the decimal digits of the id contain, or the present name of a seated account, ignoring
    /// case, or the name in a seat. A label of a seat may match, too.
    pub text: String,
    /// Ids that are found besides.
    pub ids: Vec<RangeInclusive<i64>>,
}

impl ListFilter {
    /// Returns the ids that start with these decimal digits, for [`ListFilter::ids`]: first the id
    /// itself, then all longer ones up to the largest id, 2^53 - 1. Returns no ranges if the text
    /// is not such a number.
    ///
    /// ```
    /// use parlor_store::ListFilter;
    ///
    /// let ids = ListFilter::decimal_prefix("17");
    /// assert_eq!(ids[..3], [17..=17, 170..=179, 1_700..=1_799]);
    /// assert!(ListFilter::decimal_prefix("x").is_empty());
    /// assert!(ListFilter::decimal_prefix("0").is_empty());
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

/// One page of a list, newest (highest id) first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPage {
    /// Only ids below this one: the last id of the previous page.
    pub before: Option<i64>,
    /// Maximum number of rows.
    pub limit: u64,
}

impl Default for ListPage {
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
            ListFilter::decimal_prefix(digits)
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
            assert!(ListFilter::decimal_prefix(none).is_empty(), "{none}");
        }
    }
}
