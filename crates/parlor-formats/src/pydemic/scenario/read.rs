//! Reading of a file's values, with all faults.

use std::collections::{BTreeMap, BTreeSet};

use parlor_pandemic::RATES;

use super::super::board::{Attributes, Board, Infection};
use super::super::constants::{MAX_INFECTION, Unknown, city, role};
use super::super::deck::Deck;
use super::super::parameters::{ParameterValue, Reading, UseCaseRequest};
use super::super::player::Player;
use super::super::register::{RegisteredUseCase, UseCaseRegister};
use super::super::response::{ProblemKind, Response, UseCaseFailure};
use super::compare::Expected;
use super::fault::{ScenarioFault, ScenarioFaultKind};
use super::value::ScenarioValue;
use super::{ExpectedContent, ExpectedResponse, PlannedStep, ScenarioState};

const FILE: &[&str] = &["description", "board", "players", "decks", "use_cases"];
const STATE: &[&str] = &["board", "players", "decks"];
const STEP: &[&str] = &["use_case", "request", "response", "state"];
const RESPONSE: &[&str] = &["type", "content"];
const BOARD: &[&str] = &[
    "outbreaks",
    "infection_rate",
    "infection",
    "research_centres",
    "cured",
    "quiet_night",
    "active_events",
];
const PLAYER: &[&str] = &["name", "role", "city", "hand", "single_use"];
const DECK: &[&str] = &["cards"];

/// Contents of a file.
pub(super) struct Contents {
    pub(super) description: Option<String>,
    pub(super) start: ScenarioState,
    pub(super) steps: Vec<PlannedStep>,
}

/// Reads a file; the contents are of use only if there are no faults.
pub(super) fn read(
    file: &ScenarioValue,
    register: &UseCaseRegister,
) -> (Contents, Vec<ScenarioFault>) {
    let mut reader = Reader {
        register,
        step: None,
        faults: Vec::new(),
    };
    let fields = reader.fields("", file, FILE);
    let description = fields.value("description").and_then(|value| {
        let text = reader.text("description", value)?;
        Some(text.to_owned())
    });
    let start = reader.state(&fields);
    let steps = reader.steps(&fields, &start);
    let contents = Contents {
        description,
        start,
        steps,
    };
    (contents, reader.faults)
}

/// Fields of an object whose names are known.
struct Fields<'v> {
    place: String,
    fields: &'v [(String, ScenarioValue)],
}

impl<'v> Fields<'v> {
    fn value(&self, name: &str) -> Option<&'v ScenarioValue> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value)
    }

    fn place(&self, name: &str) -> String {
        join(&self.place, name)
    }
}

/// Returns the path of a field of the object at a place.
pub(super) fn join(place: &str, field: &str) -> String {
    if place.is_empty() {
        field.to_owned()
    } else {
        format!("{place}.{field}")
    }
}

/// Parts of the state that a step may find, although its request does not have them.
struct Available {
    board: bool,
    players: bool,
    decks: BTreeSet<String>,
    /// True after a use case that was added to the register: it may have made anything.
    anything: bool,
}

struct Reader<'r> {
    register: &'r UseCaseRegister,
    step: Option<usize>,
    faults: Vec<ScenarioFault>,
}

impl Reader<'_> {
    fn note(&mut self, field: impl Into<String>, why: ScenarioFaultKind) {
        self.faults.push(ScenarioFault {
            step: self.step,
            field: field.into(),
            why,
        });
    }

    fn note_kind(&mut self, place: &str, found: &ScenarioValue, wanted: impl Into<String>) {
        let (found, wanted) = (found.describe(), wanted.into());
        self.note(place, ScenarioFaultKind::Kind { found, wanted });
    }

    fn note_unknown<T>(&mut self, place: String, found: Result<T, Unknown>) {
        if let Err(unknown) = found {
            self.note(place, ScenarioFaultKind::Unknown(unknown));
        }
    }

    /// Reads an object with any names.
    fn object<'v>(&mut self, place: &str, value: &'v ScenarioValue) -> Fields<'v> {
        let fields: &[_] = match value {
            ScenarioValue::Object(fields) => fields,
            other => {
                self.note_kind(place, other, "an object");
                &[]
            }
        };
        let mut seen = BTreeSet::new();
        for (name, _) in fields {
            if !seen.insert(name) {
                self.note(join(place, name), ScenarioFaultKind::Twice);
            }
        }
        let place = place.to_owned();
        Fields { place, fields }
    }

    /// Reads an object with these names.
    fn fields<'v>(
        &mut self,
        place: &str,
        value: &'v ScenarioValue,
        known: &'static [&'static str],
    ) -> Fields<'v> {
        let fields = self.object(place, value);
        for (name, _) in fields.fields {
            if !known.contains(&name.as_str()) {
                self.note(join(place, name), ScenarioFaultKind::UnknownField { known });
            }
        }
        fields
    }

    /// Reads a field that may be missing.
    fn optional<T>(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        read: impl FnOnce(&mut Self, &str, &ScenarioValue) -> T,
    ) -> Option<T> {
        let value = fields.value(name)?;
        Some(read(self, &fields.place(name), value))
    }

    /// Reads a text that must be there.
    fn required_text(&mut self, fields: &Fields<'_>, name: &str) -> Option<String> {
        let Some(value) = fields.value(name) else {
            self.note(fields.place(name), ScenarioFaultKind::Missing);
            return None;
        };
        self.text(&fields.place(name), value).map(str::to_owned)
    }

    fn text<'v>(&mut self, place: &str, value: &'v ScenarioValue) -> Option<&'v str> {
        match value {
            ScenarioValue::Text(text) => Some(text),
            other => {
                self.note_kind(place, other, "a text");
                None
            }
        }
    }

    fn flag(&mut self, place: &str, value: &ScenarioValue) -> bool {
        match value {
            ScenarioValue::Bool(flag) => *flag,
            other => {
                self.note_kind(place, other, "true or false");
                false
            }
        }
    }

    /// Reads a number from 0 to 255. The error names the last one that makes sense.
    fn small(&mut self, place: &str, value: &ScenarioValue, last: u8) -> u8 {
        let small = match value {
            ScenarioValue::Number(number) => u8::try_from(*number).ok(),
            _ => None,
        };
        small.unwrap_or_else(|| {
            self.note_kind(place, value, format!("a whole number from 0 to {last}"));
            0
        })
    }

    fn list<'v>(
        &mut self,
        place: &str,
        value: &'v ScenarioValue,
        wanted: &str,
    ) -> impl Iterator<Item = (String, &'v ScenarioValue)> + use<'v> {
        let items: &[_] = match value {
            ScenarioValue::List(items) => items,
            other => {
                self.note_kind(place, other, wanted);
                &[]
            }
        };
        let place = place.to_owned();
        let items = items.iter().enumerate();
        items.map(move |(index, item)| (format!("{place}[{index}]"), item))
    }

    fn texts(&mut self, place: &str, value: &ScenarioValue) -> Vec<String> {
        let items = self.list(place, value, "a list of texts");
        items
            .filter_map(|(place, item)| self.text(&place, item).map(str::to_owned))
            .collect()
    }
}
