//! Descriptions of wrong settings, in words for operators.

use std::any::type_name;
use std::path::Path;

use clap::ValueEnum;
use figment::Metadata;
use figment::error::{Actual, Error, Kind};

use crate::settings::{ENV_PREFIX, LogFormat, ServerSettings, TalkSetting};

const A_TEXT: &str = "a text";
const A_NUMBER: &str = "a whole number";
const TRUE_OR_FALSE: &str = "true or false";

/// Describes an error by its source, its key, what was found and what would be right.
pub fn describe(error: &Error) -> String {
    let metadata = error.metadata.as_ref();
    let file = metadata.and_then(file);
    let key = error.path.last().map(String::as_str).unwrap_or_default();
    let reason = match &error.kind {
        Kind::InvalidType(Actual::Seq, expected) if wanted(expected) == A_TEXT => {
            format!("a list is not {A_TEXT}: write one, with commas between its parts")
        }
        Kind::InvalidType(port @ (Actual::Unsigned(_) | Actual::Signed(_)), expected)
            if wanted(expected) == A_TEXT && key.ends_with("bind") =>
        {
            let port = value(port);
            format!("{port} is a port without a host: write \"127.0.0.1:{port}\"")
        }
        Kind::InvalidType(Actual::Str(text), expected) if is_quoted(text, expected) => {
            format!("'{text}' in quotes is {A_TEXT}: write {text} without them")
        }
        Kind::InvalidType(found, expected) | Kind::InvalidValue(found, expected) => {
            mismatch(found, expected, file.is_some())
        }
        Kind::UnknownVariant(found, known) => format!("'{found}' is none of {}", known.join(", ")),
        Kind::UnknownField(found, _) => {
            let reason = format!("there is no setting '{found}': `parlor serve --help` lists them");
            let place = file.map(|file| place(file, found));
            return joined(place, &reason);
        }
        Kind::Message(text) => match file.zip(parse_error(text)) {
            Some((file, reason)) => return format!("{}, {reason}", file.display()),
            None => text.clone(),
        },
        other => other.to_string(),
    };
    let key = Some(key).filter(|key| !key.is_empty());
    let name = match (metadata, key) {
        (Some(metadata), Some(key)) => {
            Some(name_in_source(metadata, key).unwrap_or_else(|| key.to_owned()))
        }
        _ => file
            .map(|file| file.display().to_string())
            .or(key.map(str::to_owned)),
    };
    joined(name, &reason)
}

/// Returns the name of a setting where its value comes from: the option, the variable, or the key with its
/// file and line; `None` for the default value.
pub fn name_in_source(metadata: &Metadata, key: &str) -> Option<String> {
    if let Some(file) = file(metadata) {
        return Some(format!("{}: {key}", place(file, key)));
    }
    if metadata.name.contains("environment") {
        return Some(format!("{ENV_PREFIX}{}", key.to_uppercase()));
    }
    let is_default = metadata.name == type_name::<ServerSettings>();
    (!is_default).then(|| format!("--{}", key.replace('_', "-")))
}

fn file(metadata: &Metadata) -> Option<&Path> {
    metadata.source.as_ref()?.file_path()
}

/// Returns a file with the line that sets a key, as far as it is found.
fn place(file: &Path, key: &str) -> String {
    let sets_key = |line: &str| {
        let name = line.split('=').next().unwrap_or_default();
        let name = name.split('#').next().unwrap_or_default().trim();
        name.trim_matches(['"', '\'', '[', ']']) == key
    };
    let text = std::fs::read_to_string(file).unwrap_or_default();
    match text.lines().position(sets_key) {
        Some(above) => format!("{}, line {}", file.display(), above + 1),
        None => file.display().to_string(),
    }
}

fn joined(name: Option<String>, reason: &str) -> String {
    let parts: Vec<&str> = name.as_deref().into_iter().chain([reason]).collect();
    parts.join(": ")
}

/// Describes a file that is no TOML, from the message of its parser: a line with the position, the line of
/// the file with a mark below, and reasons.
fn parse_error(text: &str) -> Option<String> {
    let place = text.lines().next()?.strip_prefix("TOML parse error at ")?;
    let reasons: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.trim_end().ends_with('^'))
        .skip(1)
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let reasons = match reasons.is_empty() {
        true => "there is no value, or none that can be read".to_owned(),
        false => reasons.join(", "),
    };
    let tip = match reasons.starts_with("invalid string") {
        true => "; texts are written in quotes",
        false => "",
    };
    Some(format!("{place}: {reasons}{tip}"))
}

/// Says what is wrong with a value of the wrong kind. In a file, texts are written in quotes.
fn mismatch(found: &Actual, expected: &str, is_in_file: bool) -> String {
    let (value, wanted) = (value(found), wanted(expected));
    let choices = choices(expected);
    let tip = match found {
        _ if !choices.is_empty() && is_in_file => ": write one in quotes".to_owned(),
        Actual::Bool(_) | Actual::Unsigned(_) | Actual::Signed(_) | Actual::Float(_)
            if wanted == A_TEXT && is_in_file =>
        {
            ": write it in quotes".to_owned()
        }
        Actual::Float(number) if wanted.starts_with(A_NUMBER) && is_whole(*number) => {
            format!(": write {number}")
        }
        _ => String::new(),
    };
    match choices.is_empty() {
        true => format!("{value} is not {wanted}{tip}"),
        false => format!("{value} is none of {}{tip}", choices.join(", ")),
    }
}

fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number >= 0.0
}

/// Returns the words for a type of Rust, if it has some for its values.
fn choices(expected: &str) -> Vec<String> {
    fn words<E: ValueEnum>() -> Vec<String> {
        let values = E::value_variants().iter();
        values
            .filter_map(|value| Some(value.to_possible_value()?.get_name().to_owned()))
            .collect()
    }
    match expected {
        "enum TalkSetting" => words::<TalkSetting>(),
        "enum LogFormat" => words::<LogFormat>(),
        _ => Vec::new(),
    }
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
        // With its point.
        Actual::Float(value) => format!("{value:?}"),
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
