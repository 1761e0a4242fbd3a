//! What is wrong with the options or the JSON of a game.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// Options that no game can be started with: every reason at once.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct OptionsError {
    /// The reasons, at least one.
    pub problems: Vec<Problem>,
}

/// One reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The option it is about; empty when it is about the whole.
    pub field: String,
    /// What was wrong and what would be right.
    pub message: String,
}

impl OptionsError {
    /// A single reason.
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

/// Reads options field by field and collects what is wrong with them.
pub(crate) struct Reader<'a> {
    object: Option<&'a serde_json::Map<String, Value>>,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// Options are an object with no other fields than these, or null for none at all.
    pub(crate) fn new(options: &'a Value, known: &[&str]) -> Reader<'a> {
        let mut reader = Reader {
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

    /// The field, unless it is missing or null.
    pub(crate) fn get(&self, field: &str) -> Option<&'a Value> {
        self.object
            .and_then(|object| object.get(field))
            .filter(|value| !value.is_null())
    }

    /// A whole number between `least` and `most`.
    pub(crate) fn number(&mut self, field: &str, least: u8, most: u8) -> Option<u8> {
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
                format!("{shown} does not do: a whole number from {least} to {most} is needed"),
            );
        }
        number
    }

    /// One of these words, as its place among them.
    pub(crate) fn choice(&mut self, field: &str, words: &[&str]) -> Option<usize> {
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
                format!("{shown} does not do: {} is needed", words.join(" or ")),
            );
        }
        place
    }

    /// Notes a reason.
    pub(crate) fn problem(&mut self, field: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            field: field.to_owned(),
            message: message.into(),
        });
    }

    /// Ends the reading.
    pub(crate) fn finish(self) -> Result<(), OptionsError> {
        if self.problems.is_empty() {
            Ok(())
        } else {
            Err(OptionsError {
                problems: self.problems,
            })
        }
    }
}

/// The options of a game's schema in the order in which they are asked for: the schema's `x-order`, then the others by name.
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

/// The values that an option can take when they are all named in its schema (`enum`), each with what people call it: its
/// place in the schema's `x-titles`, else the value itself.
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

/// What a JSON value is, in words.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
