//! JSON parsing that also reports duplicate names.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::Finding;

/// Parsed JSON document.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Value of the document. If a name occurs twice in an object, the last value wins, as usual.
    pub value: Value,
    /// Paths of names that occur twice in an object, such as `bar.white`; at most 100.
    pub twice: Vec<String>,
}

/// Error for text that is not valid JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not JSON: {0}")]
pub struct NotJson(String);

/// Maximum number of duplicate names reported.
const TOLD: usize = 100;

impl Document {
    /// Parses JSON text.
    ///
    /// ```
    /// use parlor_games::files::Document;
    /// let document = Document::read(b"{\"bar\": {\"white\": 1, \"white\": 2}}")?;
    /// assert_eq!((document.value["bar"]["white"].as_u64(), document.twice), (Some(2), vec!["bar.white".to_owned()]));
    /// assert!(Document::read(b"[1,]").is_err());
    /// # Ok::<(), parlor_games::files::NotJson>(())
    /// ```
    ///
    /// # Errors
    /// If it is not valid JSON, is nested too deeply, or is followed by other text.
    pub fn read(bytes: &[u8]) -> Result<Document, NotJson> {
        let mut twice = Vec::new();
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        let seed = Place {
            path: String::new(),
            twice: &mut twice,
        };
        let value = seed
            .deserialize(&mut reader)
            .and_then(|value| reader.end().map(|()| value));
        let value = value.map_err(|error| NotJson(error.to_string()))?;
        Ok(Document { value, twice })
    }

    /// Returns a problem for each duplicate name.
    pub fn doubled(&self) -> Vec<Finding> {
        self.twice
            .iter()
            .map(|path| Finding::new("json", format_args!("{path} stands twice")))
            .collect()
    }
}

/// Path in a document at which a value is parsed.
struct Place<'a> {
    path: String,
    twice: &'a mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("a number is out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let path = format!("{}[{}]", self.path, list.len());
            match items.next_element_seed(Place {
                path,
                twice: &mut *self.twice,
            })? {
                Some(value) => list.push(value),
                None => return Ok(Value::Array(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let shown: String = name.escape_debug().take(40).collect();
            let path = if self.path.is_empty() {
                shown
            } else {
                format!("{}.{shown}", self.path)
            };
            if object.contains_key(&name) && self.twice.len() < TOLD {
                self.twice.push(path.clone());
            }
            let value = fields.next_value_seed(Place {
                path,
                twice: &mut *self.twice,
            })?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}
