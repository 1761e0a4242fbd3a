//! Values of a file, as they are before they are understood.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::super::board::{Board, Infection};
use super::super::deck::Deck;
use super::super::parameters::ParameterValue;
use super::super::player::Player;

/// A value of JSON, as a file has it and as states and responses are compared.
///
/// It displays as compact JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioValue {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// Any other number, as text. No field takes one.
    OtherNumber(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<ScenarioValue>),
    /// An object, in the order of its fields. A file may repeat a name; reading reports that.
    Object(Vec<(String, ScenarioValue)>),
}

impl ScenarioValue {
    /// Returns the field of an object.
    pub fn get(&self, name: &str) -> Option<&ScenarioValue> {
        match self {
            ScenarioValue::Object(fields) => fields
                .iter()
                .find(|(field, _)| field == name)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the kind of value, or a short value itself, completing the phrase "is …".
    pub(super) fn describe(&self) -> String {
        match self {
            ScenarioValue::Text(_) => "a text".to_owned(),
            ScenarioValue::List(_) => "a list".to_owned(),
            ScenarioValue::Object(_) => "an object".to_owned(),
            short => short.to_string(),
        }
    }

    pub(super) fn object<'a>(
        fields: impl IntoIterator<Item = (&'a str, ScenarioValue)>,
    ) -> ScenarioValue {
        let fields = fields.into_iter();
        ScenarioValue::Object(
            fields
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }

    pub(super) fn text(text: impl Into<String>) -> ScenarioValue {
        ScenarioValue::Text(text.into())
    }

    pub(super) fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> ScenarioValue {
        ScenarioValue::List(texts.into_iter().map(ScenarioValue::text).collect())
    }

    /// Returns a board with all its fields, active events among them.
    pub(super) fn board(board: &Board) -> ScenarioValue {
        ScenarioValue::object([
            ("outbreaks", ScenarioValue::Number(board.outbreaks().into())),
            (
                "infection_rate",
                ScenarioValue::Number(board.infection_rate().into()),
            ),
            ("infection", ScenarioValue::infection(&board.infection())),
            (
                "research_centres",
                ScenarioValue::texts(board.research_centres()),
            ),
            ("cured", ScenarioValue::texts(board.cured())),
            ("quiet_night", ScenarioValue::Bool(board.quiet_night())),
            (
                "active_events",
                ScenarioValue::texts(board.get_active_events()),
            ),
        ])
    }

    pub(super) fn infection(infection: &Infection) -> ScenarioValue {
        ScenarioValue::object(infection.iter().map(|(city, colors)| {
            let colors = colors
                .iter()
                .map(|(color, cubes)| (color.as_str(), ScenarioValue::Number((*cubes).into())));
            (city.as_str(), ScenarioValue::object(colors))
        }))
    }

    pub(super) fn players(players: &[Player]) -> ScenarioValue {
        let player = |player: &Player| {
            ScenarioValue::object([
                ("name", ScenarioValue::text(&player.name)),
                ("role", ScenarioValue::text(&player.role)),
                ("city", ScenarioValue::text(&player.city)),
                ("hand", ScenarioValue::texts(&player.hand)),
                ("single_use", ScenarioValue::texts(&player.single_use)),
            ])
        };
        ScenarioValue::List(players.iter().map(player).collect())
    }

    pub(super) fn deck(deck: &Deck<String>) -> ScenarioValue {
        ScenarioValue::object([("cards", ScenarioValue::texts(deck.cards()))])
    }

    pub(super) fn parameter(value: &ParameterValue) -> ScenarioValue {
        match value {
            ParameterValue::Number(number) => ScenarioValue::Number(*number),
            ParameterValue::Text(text) => ScenarioValue::text(text),
            ParameterValue::Infection(infection) => ScenarioValue::infection(infection),
            ParameterValue::Board(board) => ScenarioValue::board(board),
            ParameterValue::Players(players) => ScenarioValue::players(players),
            ParameterValue::Deck(deck) => ScenarioValue::deck(deck),
        }
    }
}

impl fmt::Display for ScenarioValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScenarioValue::Null => f.write_str("null"),
            ScenarioValue::Bool(value) => value.fmt(f),
            ScenarioValue::Number(number) => number.fmt(f),
            ScenarioValue::OtherNumber(number) => f.write_str(number),
            ScenarioValue::Text(text) => fmt_text(text, f),
            ScenarioValue::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
            ScenarioValue::Object(fields) => {
                f.write_str("{")?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    fmt_text(name, f)?;
                    write!(f, ":{value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Writes a text in quotes, escaped as JSON requires.
fn fmt_text(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use fmt::Write as _;

    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            control if control < ' ' => write!(f, "\\u{:04x}", control as u32)?,
            letter => f.write_char(letter)?,
        }
    }
    f.write_str("\"")
}

impl Serialize for ScenarioValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ScenarioValue::Null => serializer.serialize_unit(),
            ScenarioValue::Bool(value) => serializer.serialize_bool(*value),
            ScenarioValue::Number(number) => serializer.serialize_i64(*number),
            ScenarioValue::OtherNumber(number) => match number.parse() {
                Ok(number) => serializer.serialize_f64(number),
                Err(_) => serializer.serialize_str(number),
            },
            ScenarioValue::Text(text) => serializer.serialize_str(text),
            ScenarioValue::List(items) => serializer.collect_seq(items),
            ScenarioValue::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for ScenarioValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ScenarioValue, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

/// Accepts every value of JSON.
struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = ScenarioValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<ScenarioValue, E> {
        Ok(ScenarioValue::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<ScenarioValue, E> {
        Ok(ScenarioValue::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<ScenarioValue, E> {
        Ok(ScenarioValue::Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<ScenarioValue, E> {
        Ok(i64::try_from(number).map_or_else(
            |_| ScenarioValue::OtherNumber(number.to_string()),
            ScenarioValue::Number,
        ))
    }

    fn visit_f64<E>(self, number: f64) -> Result<ScenarioValue, E> {
        Ok(ScenarioValue::OtherNumber(format!("{number:?}")))
    }

    fn visit_str<E>(self, text: &str) -> Result<ScenarioValue, E> {
        Ok(ScenarioValue::text(text))
    }

    fn visit_string<E>(self, text: String) -> Result<ScenarioValue, E> {
        Ok(ScenarioValue::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ScenarioValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(ScenarioValue::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ScenarioValue, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(ScenarioValue::Object(fields))
    }
}
