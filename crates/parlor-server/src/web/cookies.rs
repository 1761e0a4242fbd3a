//! Cookies other than the guest token: recent tables with their invites, the name last used,
//! flipped boards.
//!
//! Guests are not stored, so "Your tables" depends on these cookies. They grant no rights except by
//! the invites, which the browser received as links anyway.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use parlor_games::GameKind;
use parlor_table::{Player, TableId};

use crate::auth::OpaqueToken;

const TABLES: &str = "parlor_tables";
const NAME: &str = "parlor_name";
const FLIPPED: &str = "parlor_flipped";
/// Maximum number of tables remembered.
const MOST: usize = 16;
const YEAR: u32 = 365 * 24 * 60 * 60;

/// A table that the browser visited.
#[derive(Clone, Debug)]
pub(super) struct RecentTable {
    pub(super) id: TableId,
    /// Invite from the link of a private table.
    pub(super) invite: Option<OpaqueToken>,
}

/// Returns the recent tables, newest first.
pub(super) fn tables(headers: &HeaderMap) -> Vec<RecentTable> {
    let read = |text: &str| {
        let (id, invite) = text.split_once('-').unwrap_or((text, ""));
        Some(RecentTable {
            id: id.parse().ok()?,
            invite: OpaqueToken::parse(invite),
        })
    };
    let text = cookie(headers, TABLES).unwrap_or_default();
    text.split('.').take(MOST).filter_map(read).collect()
}

/// Returns the invite of a table, if the browser has one.
pub(super) fn invite(headers: &HeaderMap, id: TableId) -> Option<OpaqueToken> {
    tables(headers)
        .into_iter()
        .find(|table| table.id == id)?
        .invite
}

/// Returns the cookie that remembers a visit to a table.
pub(super) fn with_table(
    headers: &HeaderMap,
    id: TableId,
    invite: Option<OpaqueToken>,
    secure: bool,
) -> HeaderValue {
    let invite = invite.or_else(|| self::invite(headers, id));
    let mut tables = tables(headers);
    tables.retain(|table| table.id != id);
    tables.insert(0, RecentTable { id, invite });
    tables.truncate(MOST);
    let text = |table: &RecentTable| match &table.invite {
        Some(invite) => format!("{}-{}", table.id, invite.as_str()),
        None => table.id.to_string(),
    };
    set(
        TABLES,
        &tables.iter().map(text).collect::<Vec<_>>().join("."),
        secure,
    )
}

/// Returns the name last used.
pub(super) fn name(headers: &HeaderMap) -> Option<String> {
    let bytes = hex::decode(cookie(headers, NAME)?).ok()?;
    let name = String::from_utf8(bytes).ok()?;
    (name.chars().count() <= Player::NAME_LIMIT && !name.chars().any(char::is_control))
        .then_some(name)
}

/// Returns the cookie that remembers a name.
pub(super) fn with_name(name: &str, secure: bool) -> HeaderValue {
    let short: String = name.trim().chars().take(Player::NAME_LIMIT).collect();
    set(NAME, &hex::encode(short), secure)
}

/// Returns the names of the games whose boards this browser has flipped.
pub(super) fn flipped(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    cookie(headers, FLIPPED)
        .unwrap_or_default()
        .split('.')
        .filter(|game| !game.is_empty())
}

/// Returns the cookie that remembers whether the boards of a game are flipped.
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
