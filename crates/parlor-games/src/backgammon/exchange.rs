//! Matches and games of backgammon in the formats of other programs.

use crate::exchange::{ExchangeError, Format, Story};

/// Both are what GNU Backgammon reads and writes.
pub(crate) const FORMATS: [Format; 0] = [];

pub(crate) fn write(_: &str, _: &Story) -> Result<String, ExchangeError> {
    Err(ExchangeError::Content(String::new()))
}

pub(crate) fn read(_: &str, _: &str) -> Result<Vec<Story>, ExchangeError> {
    Err(ExchangeError::Content(String::new()))
}
