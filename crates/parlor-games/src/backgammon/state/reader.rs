//! Field-by-field JSON reader that collects faults.

use parlor_formats::state_json::MoveFileName;
use serde_json::{Map, Value};

use crate::options::kind_of;

/// Maximum number of faults listed; the rest are only counted.
const TOLD: usize = 100;

/// Collector of faults. Every check returns whether the value was sound.
#[derive(Debug, Default)]
pub(super) struct Reader {
    faults: Vec<(String, String)>,
    more: usize,
}

/// JSON object with its path in the document.
pub(super) struct Fields<'a> {
    at: String,
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// Returns a field and its path, if present.
    pub(super) fn get(&self, name: &str) -> Option<(String, &'a Value)> {
        Some((join(&self.at, name), self.object.get(name)?))
    }
}

fn join(at: &str, name: &str) -> String {
    if at.is_empty() {
        name.to_owned()
    } else {
        format!("{at}.{name}")
    }
}

impl Reader {
    /// Returns the faults with their paths, at most 100, plus a note on the number of further ones.
    pub(super) fn faults(self) -> Vec<(String, String)> {
        let more =
            (self.more > 0).then(|| (String::new(), format!("and {} faults more", self.more)));
        self.faults.into_iter().chain(more).collect()
    }

    /// Returns the faults as sentences.
    pub(super) fn finish(self) -> Vec<String> {
        let sentence = |(at, fault): (String, String)| match at.as_str() {
            "" => fault,
            at if fault.starts_with("is ") => format!("{at} {fault}"),
            at => format!("{at}: {fault}"),
        };
        self.faults().into_iter().map(sentence).collect()
    }

    /// Returns true if there are no faults so far.
    pub(super) fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// Adds a fault.
    pub(super) fn fault(&mut self, at: &str, fault: impl Into<String>) {
        if self.faults.len() < TOLD {
            self.faults.push((at.to_owned(), fault.into()));
        } else {
            self.more += 1;
        }
    }

    fn needed<T>(&mut self, at: &str, value: &Value, needed: &str) -> Option<T> {
        self.fault(at, format!("expected {needed}, got {}", shown(value)));
        None
    }

    /// Reads an object with any fields.
    pub(super) fn any_object<'a>(&mut self, at: &str, value: &'a Value) -> Option<Fields<'a>> {
        let Some(object) = value.as_object() else {
            return self.needed(at, value, "an object");
        };
        Some(Fields {
            at: at.to_owned(),
            object,
        })
    }

    /// Reads an object with exactly these fields.
    pub(super) fn object<'a>(
        &mut self,
        at: &str,
        value: &'a Value,
        names: &[&str],
    ) -> Option<Fields<'a>> {
        let fields = self.any_object(at, value)?;
        for name in names
            .iter()
            .filter(|name| !fields.object.contains_key(**name))
        {
            self.fault(&join(at, name), "is missing");
        }
        for name in fields
            .object
            .keys()
            .filter(|name| !names.contains(&name.as_str()))
        {
            self.fault(
                &join(at, &short(name)),
                format!("is no field here; there are {}", names.join(", ")),
            );
        }
        Some(fields)
    }

    /// Reads a list of `least` to `most` items and returns whether the list and all its items are
    /// sound; `None` if it is not a list.
    pub(super) fn list<'a>(
        &mut self,
        at: &str,
        value: &'a Value,
        least: usize,
        most: usize,
        mut item: impl FnMut(&mut Reader, &str, &'a Value),
    ) -> Option<bool> {
        let Some(items) = value.as_array() else {
            return self.needed(at, value, "a list");
        };
        let before = self.faults.len() + self.more;
        if !(least..=most).contains(&items.len()) {
            let needed = if least == most {
                least.to_string()
            } else {
                format!("{least} to {most}")
            };
            self.fault(at, format!("expected {needed}, got {} items", items.len()));
        }
        for (n, value) in items.iter().enumerate() {
            item(self, &format!("{at}[{n}]"), value);
        }
        Some(self.faults.len() + self.more == before)
    }

    /// Reads an integer from `least` to `most`; as in JSON Schema, 3.0 counts as one.
    pub(super) fn whole<T: TryFrom<i128>>(
        &mut self,
        at: &str,
        value: &Value,
        least: i128,
        most: i128,
    ) -> Option<T> {
        let unbounded = most == i128::from(u64::MAX);
        // Clamp numbers above every meaningful limit.
        let number = integer(value).map(|n| if unbounded { n.min(most) } else { n });
        let found = number
            .filter(|n| (least..=most).contains(n))
            .and_then(|n| T::try_from(n).ok());
        found.or_else(|| {
            let range = if unbounded {
                format!("from {least}")
            } else {
                format!("from {least} to {most}")
            };
            self.needed(at, value, &format!("a whole number {range}"))
        })
    }

    /// Reads one of these words and returns its index.
    pub(super) fn word(&mut self, at: &str, value: &Value, words: &[&str]) -> Option<usize> {
        let found = value
            .as_str()
            .and_then(|text| words.iter().position(|word| *word == text));
        found.or_else(|| self.needed(at, value, &words.join(" or ")))
    }

    /// Reads a string.
    pub(super) fn text<'a>(&mut self, at: &str, value: &'a Value) -> Option<&'a str> {
        value
            .as_str()
            .or_else(|| self.needed(at, value, "a string"))
    }

    /// Reads a nonempty string.
    pub(super) fn some_text<'a>(&mut self, at: &str, value: &'a Value) -> Option<&'a str> {
        let text = value.as_str().filter(|text| !text.is_empty());
        text.or_else(|| self.needed(at, value, "a string that is not empty"))
    }

    /// Reads the name of a move file.
    pub(super) fn move_name(&mut self, at: &str, value: &Value) -> Option<MoveFileName> {
        let name = value.as_str().and_then(MoveFileName::parse);
        name.or_else(|| self.needed(at, value, "a name such as 0012-black-a1b2c3.json"))
    }

    /// Reads a string of limited length, or null as `None`.
    pub(super) fn text_or_null(
        &mut self,
        at: &str,
        value: &Value,
        most: usize,
    ) -> Option<Option<String>> {
        match value {
            Value::Null => Some(None),
            Value::String(text) if text.chars().count() <= most => Some(Some(text.clone())),
            other => self.needed(
                at,
                other,
                &format!("a string of at most {most} characters or null"),
            ),
        }
    }

    /// Checks that a value is null.
    pub(super) fn null(&mut self, at: &str, value: &Value) {
        if !value.is_null() {
            self.needed::<()>(at, value, "null");
        }
    }

    /// Reads a string of a fixed number of lowercase hexadecimal digits.
    pub(super) fn hexadecimal<'a>(
        &mut self,
        at: &str,
        value: &'a Value,
        digits: usize,
    ) -> Option<&'a str> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let text = value
            .as_str()
            .filter(|text| text.len() == digits && text.bytes().all(is_digit));
        text.or_else(|| {
            self.needed(
                at,
                value,
                &format!("a string of {digits} hexadecimal digits"),
            )
        })
    }
}

/// Returns the number if it is an integer.
fn integer(value: &Value) -> Option<i128> {
    let number = value.as_number()?;
    let whole = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from));
    // The cast saturates.
    whole.or_else(|| {
        number
            .as_f64()
            .filter(|n| n.fract() == 0.0)
            .map(|n| n as i128)
    })
}

/// Returns a short description of a value.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Value::Bool(value) => value.to_string(),
        other => kind_of(other).to_owned(),
    }
}

fn short(name: &str) -> String {
    name.escape_debug().take(40).collect()
}
