//! Comparison of expected values with actual ones.

use super::super::board::Board;
use super::read::join;
use super::value::ScenarioValue;

/// Value that a result or a part of the state should have.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    /// Name of the result or part.
    pub(super) name: String,
    value: ScenarioValue,
    /// True if the actual value may have more fields.
    partial: bool,
}

/// The first difference between an expected value and the actual one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) field: String,
    pub(super) expected: Option<ScenarioValue>,
    pub(super) actual: Option<ScenarioValue>,
}

impl Expected {
    /// Creates an expectation of exactly this value.
    pub(super) fn whole(name: &str, value: ScenarioValue) -> Expected {
        Expected {
            name: name.to_owned(),
            value,
            partial: false,
        }
    }

    /// Creates an expectation of at least these fields.
    pub(super) fn part(name: &str, value: ScenarioValue) -> Expected {
        Expected {
            partial: true,
            ..Expected::whole(name, value)
        }
    }

    /// Creates an expectation of those attributes of a board that a file has.
    pub(super) fn part_of_board(name: &str, board: &Board, file: &ScenarioValue) -> Expected {
        let mut value = ScenarioValue::board(board);
        if let ScenarioValue::Object(fields) = &mut value {
            fields.retain(|(field, _)| file.get(field).is_some());
        }
        Expected::part(name, value)
    }

    /// Returns the first difference from the actual value at a place.
    pub(super) fn difference(
        &self,
        place: &str,
        actual: Option<&ScenarioValue>,
    ) -> Option<Difference> {
        let place = join(place, &self.name);
        difference(&place, Some(&self.value), actual, self.partial)
    }
}

fn difference(
    place: &str,
    expected: Option<&ScenarioValue>,
    actual: Option<&ScenarioValue>,
    partial: bool,
) -> Option<Difference> {
    match (expected, actual) {
        (Some(value @ ScenarioValue::Object(fields)), Some(found @ ScenarioValue::Object(all))) => {
            let first = fields.iter().find_map(|(name, field)| {
                difference(&join(place, name), Some(field), found.get(name), false)
            });
            let unexpected = || {
                let (name, field) = all.iter().find(|(name, _)| value.get(name).is_none())?;
                difference(&join(place, name), None, Some(field), false)
            };
            first.or_else(|| if partial { None } else { unexpected() })
        }
        (Some(ScenarioValue::List(items)), Some(ScenarioValue::List(all)))
            if items.len() == all.len()
                && items
                    .iter()
                    .all(|item| matches!(item, ScenarioValue::Object(_))) =>
        {
            items
                .iter()
                .zip(all)
                .enumerate()
                .find_map(|(index, (item, found))| {
                    difference(&format!("{place}[{index}]"), Some(item), Some(found), false)
                })
        }
        (expected, actual) if expected == actual => None,
        (expected, actual) => Some(Difference {
            field: place.to_owned(),
            expected: expected.cloned(),
            actual: actual.cloned(),
        }),
    }
}
