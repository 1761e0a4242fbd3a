//! The words of which moves and chances consist.

use parlor_core::NotationError;

use crate::{Card, City, Color, EventCard, Role};

/// Arguments of a move or a chance, the words after its verb.
pub(super) struct Words<'a> {
    text: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Words<'a> {
    /// Splits a text into its verb, in lowercase, and the arguments.
    pub(super) fn split(text: &'a str) -> (String, Words<'a>) {
        let mut words = text.trim().split(':').map(str::trim);
        let verb = words.next().unwrap_or_default().to_ascii_lowercase();
        let words = words.collect();
        (verb, Words { text, words })
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns true if the first argument is this keyword, ignoring case.
    pub(super) fn begin_with(&self, keyword: &str) -> bool {
        let first = self.words.first();
        first.is_some_and(|word| word.eq_ignore_ascii_case(keyword))
    }

    pub(super) fn not(&self, expected: &str) -> NotationError {
        NotationError::new(self.text, expected)
    }

    pub(super) fn word(&self, n: usize, expected: &str) -> Result<&str, NotationError> {
        self.words
            .get(n)
            .copied()
            .filter(|word| !word.is_empty())
            .ok_or_else(|| self.not(expected))
    }

    /// Returns the value if there are exactly this many words.
    pub(super) fn only<T>(
        &self,
        words: usize,
        value: Result<T, NotationError>,
    ) -> Result<T, NotationError> {
        let value = value?;
        if self.len() == words {
            return Ok(value);
        }
        Err(self.not("a move of Pandemic: there are words too many or too few"))
    }

    pub(super) fn city(&self, n: usize) -> Result<City, NotationError> {
        let expected = "a move that names a city of the map there, such as Sao-Paulo";
        City::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    pub(super) fn card(&self, n: usize) -> Result<Card, NotationError> {
        let expected =
            "a move that names a card there: a city such as Sao-Paulo, or an event such as Airlift";
        Card::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    pub(super) fn event(&self, n: usize) -> Result<EventCard, NotationError> {
        let expected = "a move that names an event there: Airlift, Forecast, Government-Grant, One-Quiet-Night, Resilient-Population";
        EventCard::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    pub(super) fn color(&self, n: usize) -> Result<Color, NotationError> {
        let expected = "a move that names a disease there: blue, yellow, black or red";
        Color::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    pub(super) fn role(&self, n: usize) -> Result<Role, NotationError> {
        let expected = "a role of Pandemic, such as Medic or Operations-Expert";
        Role::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    pub(super) fn two_cities(&self) -> Result<(City, City), NotationError> {
        self.only(2, Ok((self.city(0)?, self.city(1)?)))
    }

    /// Parses the station that is moved, if any.
    pub(super) fn station(&self, n: usize) -> Result<Option<City>, NotationError> {
        match self.len() {
            words if words == n => Ok(None),
            _ => self.only(n + 1, self.city(n).map(Some)),
        }
    }
}
