//! Reading JSON field by field, noting what does not do.

use parlor_backgammon::state::MoveFileName;
use serde_json::{Map, Value};

use crate::options::kind_of;

/// So many faults are told; of the others only how many they are.
const TOLD: usize = 100;

/// Collects what is wrong. Every check says in its result whether it found the value sound.
#[derive(Debug, Default)]
pub(super) struct Reader {
    faults: Vec<(String, String)>,
    more: usize,
}

/// An object with its place in the document.
pub(super) struct Fields<'a> {
    at: String,
    object: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// A field with its place, if it is there.
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
    /// Returns the faults with their places, at most a hundred and a note about the others.
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

    /// Notes a fault.
    pub(super) fn fault(&mut self, at: &str, fault: impl Into<String>) {
        if self.faults.len() < TOLD {
            self.faults.push((at.to_owned(), fault.into()));
        } else {
            self.more += 1;
        }
    }

    fn needed<T>(&mut self, at: &str, value: &Value, needed: &str) -> Option<T> {
        self.fault(
            at,
            format!("{} does not do: {needed} is needed", shown(value)),
        );
        None
    }

    /// An object, whatever it has.
    pub(super) fn any_object<'a>(&mut self, at: &str, value: &'a Value) -> Option<Fields<'a>> {
        let Some(object) = value.as_object() else {
            return self.needed(at, value, "an object");
        };
        Some(Fields {
            at: at.to_owned(),
            object,
        })
    }

    /// An object with all these fields and no others.
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

    /// A list of `least` to `most` items; whether it and all its items are sound. `None` when it is
    /// no list.
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
            self.fault(
                at,
                format!("{} items do not do: {needed} are needed", items.len()),
            );
        }
        for (n, value) in items.iter().enumerate() {
            item(self, &format!("{at}[{n}]"), value);
        }
        Some(self.faults.len() + self.more == before)
    }

    /// A whole number between `least` and `most`; as in JSON Schema, 3.0 is one.
    pub(super) fn whole<T: TryFrom<i128>>(
        &mut self,
        at: &str,
        value: &Value,
        least: i128,
        most: i128,
    ) -> Option<T> {
        let unbounded = most == i128::from(u64::MAX);
        // What is larger than all numbers that matter becomes the largest of them.
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

    /// One of these words, as its place among them.
    pub(super) fn word(&mut self, at: &str, value: &Value, words: &[&str]) -> Option<usize> {
        let found = value
            .as_str()
            .and_then(|text| words.iter().position(|word| *word == text));
        found.or_else(|| self.needed(at, value, &words.join(" or ")))
    }

    /// A text.
    pub(super) fn text<'a>(&mut self, at: &str, value: &'a Value) -> Option<&'a str> {
        value.as_str().or_else(|| self.needed(at, value, "a text"))
    }

    /// A text that is not empty.
    pub(super) fn some_text<'a>(&mut self, at: &str, value: &'a Value) -> Option<&'a str> {
        let text = value.as_str().filter(|text| !text.is_empty());
        text.or_else(|| self.needed(at, value, "a text that is not empty"))
    }

    /// The name of a move file.
    pub(super) fn move_name(&mut self, at: &str, value: &Value) -> Option<MoveFileName> {
        let name = value.as_str().and_then(MoveFileName::parse);
        name.or_else(|| self.needed(at, value, "a name such as 0012-black-a1b2c3.json"))
    }

    /// A text of at most so many characters, or null as nothing.
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
                &format!("a text of at most {most} characters or null"),
            ),
        }
    }

    /// Null and nothing else.
    pub(super) fn null(&mut self, at: &str, value: &Value) {
        if !value.is_null() {
            self.needed::<()>(at, value, "null");
        }
    }

    /// So many hexadecimal digits in lower case.
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
        text.or_else(|| self.needed(at, value, &format!("a text of {digits} hexadecimal digits")))
    }
}

/// The number, if it is whole.
fn integer(value: &Value) -> Option<i128> {
    let number = value.as_number()?;
    let whole = number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from));
    // The cast keeps to the nearest number there is.
    whole.or_else(|| {
        number
            .as_f64()
            .filter(|n| n.fract() == 0.0)
            .map(|n| n as i128)
    })
}

/// A value in a few words.
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
