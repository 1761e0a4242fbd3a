//! JSON options of a game, and the problems with them.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// Error for invalid options, with every problem found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct OptionsError {
    /// Problems found, at least one.
    pub problems: Vec<Problem>,
}

/// Problem with an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Name of the option; empty if the problem concerns all of them.
    pub field: String,
    /// Message that says what is wrong and what would be right.
    pub message: String,
}

impl OptionsError {
    /// Creates an error with a single problem.
    pub fn one(field: &str, message: impl Into<String>) -> OptionsError {
        OptionsError {
            problems: vec![Problem {
                field: field.to_owned(),
                message: message.into(),
            }],
        }
    }
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self
            .problems
            .iter()
            .map(|problem| match problem.field.as_str() {
                "" => problem.message.clone(),
                field => format!("{field}: {}", problem.message),
            })
            .collect();
        f.write_str(&reasons.join("; "))
    }
}

/// Reads options field by field and collects every problem.
///
/// ```
/// use parlor_games::OptionsReader;
/// let options = serde_json::json!({ "rows": 40, "colour": "red" });
/// let mut reader = OptionsReader::new(&options, &["rows"]);
/// assert_eq!(reader.number("rows", 1, 26), None);
/// assert_eq!(reader.finish().expect_err("two reasons").problems.len(), 2);
/// ```
pub struct OptionsReader<'a> {
    object: Option<&'a serde_json::Map<String, Value>>,
    problems: Vec<Problem>,
}

impl<'a> OptionsReader<'a> {
    /// Creates a reader of an object with no fields other than `known`, or of null for no options.
    pub fn new(options: &'a Value, known: &[&str]) -> OptionsReader<'a> {
        let mut reader = OptionsReader {
            object: options.as_object(),
            problems: Vec::new(),
        };
        if reader.object.is_none() && !options.is_null() {
            reader.problem(
                "",
                format!(
                    "options are an object, such as {{}}, not {}",
                    kind_of(options)
                ),
            );
        }
        for field in reader.object.into_iter().flat_map(|object| object.keys()) {
            if !known.contains(&field.as_str()) {
                let shown: String = field.chars().take(40).collect();
                reader.problem(
                    &shown,
                    format!("no such option; there are {}", known.join(", ")),
                );
            }
        }
        reader
    }

    /// Returns a field, unless it is missing or null.
    pub fn get(&self, field: &str) -> Option<&'a Value> {
        self.object
            .and_then(|object| object.get(field))
            .filter(|value| !value.is_null())
    }

    /// Returns a whole number from `least` to `most`; `None` if it is missing or not one.
    pub fn number(&mut self, field: &str, least: u8, most: u8) -> Option<u8> {
        let value = self.get(field)?;
        let number = value
            .as_u64()
            .and_then(|n| u8::try_from(n).ok())
            .filter(|n| (least..=most).contains(n));
        if number.is_none() {
            let shown = if value.is_number() {
                value.to_string()
            } else {
                kind_of(value).to_owned()
            };
            self.problem(
                field,
                format!("expected a whole number from {least} to {most}, got {shown}"),
            );
        }
        number
    }

    /// Returns the index of a field's value among `words`; `None` if it is missing or none of them.
    pub fn choice(&mut self, field: &str, words: &[&str]) -> Option<usize> {
        let value = self.get(field)?;
        let place = value
            .as_str()
            .and_then(|text| words.iter().position(|word| *word == text));
        if place.is_none() {
            let shown = value.as_str().map_or_else(
                || kind_of(value).to_owned(),
                |text| format!("{:?}", text.chars().take(40).collect::<String>()),
            );
            self.problem(
                field,
                format!("expected {}, got {shown}", words.join(" or ")),
            );
        }
        place
    }

    /// Adds a problem.
    pub fn problem(&mut self, field: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            field: field.to_owned(),
            message: message.into(),
        });
    }

    /// Finishes reading.
    ///
    /// # Errors
    /// Every problem found.
    pub fn finish(self) -> Result<(), OptionsError> {
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(OptionsError {
                problems: self.problems,
            })
        }
    }
}

/// Returns the options of a schema in the order of forms: first those in its `x-order`, then the
/// others by name.
pub fn in_order(schema: &Value) -> Vec<(&String, &Value)> {
    let order: Vec<&str> = schema["x-order"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut properties: Vec<(&String, &Value)> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .collect();
    properties.sort_by_key(|(name, _)| {
        order
            .iter()
            .position(|known| known == name)
            .unwrap_or(order.len())
    });
    properties
}

/// Returns the possible values of an option if its schema lists them all (`enum`), each with its
/// display name: the schema's `x-titles` entry with the same index, else the value itself.
pub fn choices(property: &Value) -> Vec<(&str, &str)> {
    let texts = |field: &str| {
        property[field]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
    };
    let titles = texts("x-titles").map(Some).chain(std::iter::repeat(None));
    texts("enum")
        .zip(titles)
        .map(|(value, title)| (value, title.unwrap_or(value)))
        .collect()
}

/// Returns the type of a JSON value in words.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
