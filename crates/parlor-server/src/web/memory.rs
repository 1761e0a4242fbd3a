//! What a browser is asked to remember beside its token: the tables it was at lately, the links it holds, its name.
//!
//! The store knows no persons, so this is how "your games" are found. Nothing here gives any right but the invitations,
//! which the browser was given as links anyway.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use parlor_games::GameKind;
use parlor_table::{Player, TableId};

use crate::auth::Token;

const TABLES: &str = "parlor_tables";
const NAME: &str = "parlor_name";
const FLIPPED: &str = "parlor_flipped";
/// How many tables are remembered.
const MOST: usize = 16;
const YEAR: u32 = 365 * 24 * 60 * 60;

/// A table that a browser was at.
#[derive(Clone, Debug)]
pub(super) struct Remembered {
    pub(super) id: TableId,
    /// What the link of a private table carries.
    pub(super) invite: Option<Token>,
}

/// The tables, the latest first.
pub(super) fn tables(headers: &HeaderMap) -> Vec<Remembered> {
    let read = |text: &str| {
        let (id, invite) = text.split_once('-').unwrap_or((text, ""));
        Some(Remembered {
            id: id.parse().ok()?,
            invite: Token::parse(invite),
        })
    };
    let text = cookie(headers, TABLES).unwrap_or_default();
    text.split('.').take(MOST).filter_map(read).collect()
}

/// The invitation of a table, if the browser holds it.
pub(super) fn invite(headers: &HeaderMap, id: TableId) -> Option<Token> {
    tables(headers)
        .into_iter()
        .find(|table| table.id == id)?
        .invite
}

/// The cookie after a table was visited.
pub(super) fn with_table(
    headers: &HeaderMap,
    id: TableId,
    invite: Option<Token>,
    secure: bool,
) -> HeaderValue {
    let invite = invite.or_else(|| self::invite(headers, id));
    let mut tables = tables(headers);
    tables.retain(|table| table.id != id);
    tables.insert(0, Remembered { id, invite });
    tables.truncate(MOST);
    let text = |table: &Remembered| match &table.invite {
        Some(invite) => format!("{}-{}", table.id, invite.as_str()),
        None => table.id.to_string(),
    };
    set(
        TABLES,
        &tables.iter().map(text).collect::<Vec<_>>().join("."),
        secure,
    )
}

/// The name last used.
pub(super) fn name(headers: &HeaderMap) -> Option<String> {
    let bytes = hex::decode(cookie(headers, NAME)?).ok()?;
    let name = String::from_utf8(bytes).ok()?;
    (name.chars().count() <= Player::NAME_LIMIT && !name.chars().any(char::is_control))
        .then_some(name)
}

/// The cookie that keeps a name.
pub(super) fn with_name(name: &str, secure: bool) -> HeaderValue {
    let short: String = name.trim().chars().take(Player::NAME_LIMIT).collect();
    set(NAME, &hex::encode(short), secure)
}

/// The names of the games whose boards this browser has turned around.
pub(super) fn flipped(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    cookie(headers, FLIPPED)
        .unwrap_or_default()
        .split('.')
        .filter(|game| !game.is_empty())
}

/// The cookie that keeps whether the boards of a game are turned around.
pub(super) fn with_flipped(
    headers: &HeaderMap,
    kind: GameKind,
    on: bool,
    secure: bool,
) -> HeaderValue {
    let known = |name: &&str| GameKind::from_name(name).is_ok_and(|other| other != kind);
    let games = flipped(headers)
        .filter(known)
        .chain(on.then(|| kind.name()));
    set(FLIPPED, &games.collect::<Vec<_>>().join("."), secure)
}

fn set(name: &str, value: &str, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(text).expect("ids and hexadecimal are plain text")
}

fn cookie<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let values = headers
        .get_all(COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    let pairs = values
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs
        .into_iter()
        .find(|(name, _)| *name == wanted)
        .map(|(_, value)| value)
}
