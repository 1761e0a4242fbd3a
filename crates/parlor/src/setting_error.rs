//! What is wrong with a setting, in words for operators.

use figment::error::{Actual, Error, Kind};

const A_TEXT: &str = "a text";
const A_NUMBER: &str = "a whole number";
const TRUE_OR_FALSE: &str = "true or false";

/// Describes an error by its source, its key, what was found and what would be right.
pub fn describe(error: &Error) -> String {
    let reason = match &error.kind {
        Kind::InvalidType(Actual::Seq, expected) if wanted(expected) == A_TEXT => {
            format!("a list is not {A_TEXT}: write one, with commas between its parts")
        }
        Kind::InvalidType(Actual::Str(text), expected) if is_quoted(text, expected) => {
            format!("'{text}' in quotes is {A_TEXT}: write {text} without them")
        }
        Kind::InvalidType(found, expected) | Kind::InvalidValue(found, expected) => {
            format!("{} is not {}", value(found), wanted(expected))
        }
        Kind::UnknownVariant(found, known) => format!("'{found}' is none of {}", known.join(", ")),
        Kind::UnknownField(found, _) => {
            format!("there is no setting '{found}': `parlor serve --help` lists them")
        }
        other => other.to_string(),
    };
    let metadata = error.metadata.as_ref();
    let is_variable = metadata.is_some_and(|metadata| metadata.name.contains("environment"));
    let file = metadata
        .and_then(|metadata| metadata.source.as_ref())
        .and_then(|source| source.file_path())
        .map(|file| file.display().to_string());
    let key = error.path.last().map(|key| match is_variable {
        true => format!("PARLOR_{}", key.to_uppercase()),
        false => key.clone(),
    });
    let parts: Vec<String> = file.into_iter().chain(key).chain([reason]).collect();
    parts.join(": ")
}

/// Returns true for a text that would be right as a number or a truth value.
fn is_quoted(text: &str, expected: &str) -> bool {
    let wanted = wanted(expected);
    if wanted == TRUE_OR_FALSE {
        return text.parse::<bool>().is_ok();
    }
    wanted.starts_with(A_NUMBER) && text.parse::<u64>().is_ok()
}

/// Describes what was found.
fn value(found: &Actual) -> String {
    match found {
        Actual::Bool(value) => value.to_string(),
        Actual::Unsigned(value) => value.to_string(),
        Actual::Signed(value) => value.to_string(),
        Actual::Float(value) => value.to_string(),
        Actual::Str(text) => format!("'{text}'"),
        Actual::Seq => "a list".to_owned(),
        Actual::Map => "a table".to_owned(),
        other => other.to_string(),
    }
}

/// Describes what a type of Rust accepts.
fn wanted(expected: &str) -> String {
    let most = [
        ("u16", u64::from(u16::MAX)),
        ("u32", u64::from(u32::MAX)),
        ("u64", u64::MAX),
        ("usize", usize::MAX as u64),
    ];
    let least = u64::from(expected.contains("nonzero"));
    match most.iter().find(|(name, _)| expected.contains(name)) {
        Some((_, most)) => format!("{A_NUMBER} from {least} to {most}"),
        None if expected.contains("bool") => TRUE_OR_FALSE.to_owned(),
        None if expected.contains("string") => A_TEXT.to_owned(),
        None => expected.to_owned(),
    }
}
