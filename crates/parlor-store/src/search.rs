//! Text search.

use sea_orm::sea_query::{Expr, ExprTrait, Func, LikeExpr};
use sea_orm::{ColumnTrait, Condition, DbBackend, IntoSimpleExpr};
use serde_json::Value;

/// Returns the condition that a column contains a text, ignoring the case of ASCII letters.
pub(crate) fn contains<C: ColumnTrait>(column: C, text: &str) -> Expr {
    lower_like(column, format!("%{}%", escaped(text)))
}

/// Returns the condition that a column in lower case matches a pattern, in which `!` escapes.
fn lower_like<C: ColumnTrait>(column: C, pattern: String) -> Expr {
    let lower = Func::lower(column.into_simple_expr());
    Expr::expr(lower).like(LikeExpr::new(pattern).escape('!'))
}

/// Returns the pattern that matches a text in lower case.
fn escaped(text: &str) -> String {
    let mut pattern = String::new();
    for c in storable(text).to_lowercase().chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern
}

/// Returns the condition that the decimal digits of a number contain a text; `None` if the text has
/// anything but digits.
pub(crate) fn has_digits<C: ColumnTrait>(
    column: C,
    text: &str,
    backend: DbBackend,
) -> Option<Expr> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // PostgreSQL's CHAR is one character, and MySQL casts to no TEXT.
    let kind = match backend {
        DbBackend::MySql => "CHAR",
        _ => "TEXT",
    };
    let digits = column.into_simple_expr().cast_as(kind);
    Some(digits.like(LikeExpr::new(format!("%{text}%"))))
}

/// Keys and values of the JSON of seats that are no names.
const SEAT_WORDS: [&str; 11] = [
    "label",
    "kind",
    "name",
    "member",
    "stands_in_for",
    "human",
    "bot",
    "open",
    "true",
    "false",
    "null",
];

/// Returns the condition that the JSON of seats has a name that contains a text or, if the text is part of
/// every seat's JSON, that begins with it. Labels of seats may match, too.
pub(crate) fn has_name<C: ColumnTrait>(column: C, text: &str) -> Condition {
    let lower = text.to_lowercase();
    let is_everywhere = SEAT_WORDS.iter().any(|word| word.contains(&lower))
        || lower.contains([',', ':', '{', '}', '[', ']']);
    let within = if is_everywhere { "" } else { "%" };
    let quoted = Value::from(text).to_string();
    let inner = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let inner = escaped(inner.unwrap_or(&quoted));
    ["name", "stands!_in!_for"]
        .into_iter()
        .map(|key| lower_like(column, format!("%\"{key}\":\"{within}{inner}%")))
        .fold(Condition::any(), Condition::add)
}

/// Returns the text without NUL, the one character that PostgreSQL cannot store.
pub(crate) fn storable(text: &str) -> String {
    text.replace('\0', "")
}
