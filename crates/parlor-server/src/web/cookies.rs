//! Cookies other than the guest token: recent tables with the tokens of their links, the name last used,
//! flipped boards, settings.
//!
//! Guests are not stored, so "Your tables" depends on these cookies. They grant no rights except by
//! these tokens, which the browser received as links anyway.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use parlor_games::GameKind;
use parlor_table::{Player, TableId};

use crate::auth::OpaqueToken;

const TABLES: &str = "parlor_tables";
const NAME: &str = "parlor_name";
const FLIPPED: &str = "parlor_flipped";
const SETTINGS: &str = "parlor_settings";
/// Cookie that says whether talk is shown.
const TALK: &str = "parlor_talk";
/// Maximum number of tables remembered.
const MOST: usize = 16;
const YEAR: u32 = 365 * 24 * 60 * 60;

/// A table that the browser visited.
#[derive(Clone, Debug)]
pub(super) struct RecentTable {
    pub(super) id: TableId,
    /// Token from the link of a private table: its invite, or the watchers'.
    pub(super) token: Option<OpaqueToken>,
}

/// Returns the recent tables, newest first.
pub(super) fn tables(headers: &HeaderMap) -> Vec<RecentTable> {
    let read = |text: &str| {
        let (id, token) = text.split_once('-').unwrap_or((text, ""));
        Some(RecentTable {
            id: id.parse().ok()?,
            token: OpaqueToken::parse(token),
        })
    };
    let text = cookie(headers, TABLES).unwrap_or_default();
    text.split('.').take(MOST).filter_map(read).collect()
}

/// Returns the token from a table's link, if the browser has one.
pub(crate) fn link_token(headers: &HeaderMap, id: TableId) -> Option<OpaqueToken> {
    tables(headers)
        .into_iter()
        .find(|table| table.id == id)?
        .token
}

/// Returns the tokens from the links of all tables that the browser remembers: that of a table opens
/// its rematches, too.
pub(crate) fn link_tokens(headers: &HeaderMap) -> impl Iterator<Item = OpaqueToken> {
    tables(headers).into_iter().filter_map(|table| table.token)
}

/// Returns the cookie that remembers a visit to a table.
pub(super) fn with_table(
    headers: &HeaderMap,
    id: TableId,
    token: Option<OpaqueToken>,
    secure: bool,
) -> HeaderValue {
    let token = token.or_else(|| link_token(headers, id));
    let mut tables = tables(headers);
    tables.retain(|table| table.id != id);
    tables.insert(0, RecentTable { id, token });
    tables.truncate(MOST);
    let text = |table: &RecentTable| match &table.token {
        Some(token) => format!("{}-{}", table.id, token.as_str()),
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
    Player::is_valid_name(&name).then_some(name)
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

/// Returns the settings of this browser.
pub(crate) fn settings(headers: &HeaderMap) -> Option<&str> {
    cookie(headers, SETTINGS)
}

/// Returns the cookie that remembers settings.
pub(super) fn with_settings(text: &str, secure: bool) -> HeaderValue {
    set(SETTINGS, text, secure)
}

/// Returns true if this browser hides the talk of all tables.
pub(super) fn hides_talk(headers: &HeaderMap) -> bool {
    cookie(headers, TALK) == Some("off")
}

/// Returns the cookie that remembers whether talk is hidden.
pub(super) fn with_talk_hidden(is_hidden: bool, secure: bool) -> HeaderValue {
    set(TALK, if is_hidden { "off" } else { "on" }, secure)
}

fn set(name: &str, value: &str, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(text).expect("ids, words and hexadecimal are plain text")
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
