//! Reading the news of members from where they are stored for good: the accounts' logs, the tables, and the
//! talk at them. Nobody who causes news waits for it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use parlor_store::{
    AccountNote, HeardMessage, NewNotice, NoticeReader, NoticeTarget, PersonSign, PlayerRole,
    StoreError,
};
use parlor_table::{SeatKey, Table, TableId};

use super::news::{self, News, key_of};
use super::wishes::{NoticeKind, Wishes};
use crate::AppState;
use crate::live::{LiveError, table_id, table_key};

/// Time after which the news of a member are read although nobody has marked any: by then every lost mark, and
/// what another node did, is found. In milliseconds.
pub(super) const READ_AFTER_MS: i64 = 60_000;
/// Number of members whose news are read at once.
const BATCH: u64 = 100;
/// Time before the last reading that is read again, since commits come late and clocks differ, in
/// milliseconds.
const OVERLAP_MS: i64 = 10_000;
/// Age of news that are not told any more, in milliseconds; less than notices that were sent are kept.
const TOO_OLD_MS: i64 = 2 * 24 * 3_600_000;
/// Number of notes of a log that are read at once.
const PAGE: u64 = 200;
/// Number of notices that may wait for an address.
const MAX_WAITING: u64 = 200;

/// Reads the news that were marked on this node.
pub(super) async fn read_marked(state: &AppState) -> Result<(), StoreError> {
    let marked = state.hub().marks().take();
    let mut tables = marked.tables;
    for table in marked.talk {
        let players = state.store().players(table_key(table)).await?.into_iter();
        let seated = players.filter(|(_, role)| *role == PlayerRole::Seated);
        let seated = seated.map(|(user, _)| user);
        tables.entry(table).or_default().extend(seated);
    }
    let users: BTreeSet<i64> = tables.values().flatten().copied().collect();
    let users: Vec<i64> = users.into_iter().collect();
    for users in users.chunks(BATCH as usize) {
        let readers = state.store().notice_readers(users).await?;
        let wanted: BTreeSet<i64> = readers.iter().map(|reader| reader.user).collect();
        let theirs = tables
            .iter()
            .filter(|(_, users)| !users.is_disjoint(&wanted));
        let theirs = theirs.map(|(table, _)| *table).collect();
        read(state, &readers, theirs, false).await?;
    }
    Ok(())
}

/// Reads the news of those whose were not read for a minute.
pub(super) async fn read_unseen(state: &AppState) -> Result<(), StoreError> {
    let before = state.now().millis() - READ_AFTER_MS;
    let readers = state.store().unseen_notice_readers(before, BATCH).await?;
    if readers.is_empty() {
        return Ok(());
    }
    let users: Vec<i64> = readers.iter().map(|reader| reader.user).collect();
    let changed = state.store().changed_tables_of(&users, since(&readers));
    let changed = changed.await?.into_iter();
    let tables: BTreeSet<TableId> = changed.filter_map(|(key, _)| table_id(key)).collect();
    read(state, &readers, tables.into_iter().collect(), true).await
}

/// Returns the time from which on the news of these members are read.
fn since(readers: &[NoticeReader]) -> i64 {
    let seen = readers.iter().map(|reader| reader.seen_at);
    seen.min().unwrap_or_default() - OVERLAP_MS
}

/// Reads the news of these members at these tables, and in their logs. `is_all` says that there are none at
/// other tables.
async fn read(
    state: &AppState,
    readers: &[NoticeReader],
    tables: Vec<TableId>,
    is_all: bool,
) -> Result<(), StoreError> {
    if readers.is_empty() {
        return Ok(());
    }
    let (store, now) = (state.store(), state.now().millis());
    let users: Vec<i64> = readers.iter().map(|reader| reader.user).collect();
    let targets = store.notice_targets(&users).await?;
    let ends: HashMap<i64, u64> = store.last_notes(&users).await?.into_iter().collect();
    let mut turns = turns(state, &users, tables).await?;
    let mut talk: HashMap<i64, Vec<HeardMessage>> = HashMap::new();
    for message in store.talk_heard_by(&users, since(readers)).await? {
        talk.entry(message.reader).or_default().push(message);
    }
    let signs = signs(state, &users).await?;
    let mut idle = Vec::new();
    for reader in readers {
        let user = reader.user;
        let end = ends.get(&user).copied().unwrap_or_default();
        let mut last = reader.last_note.min(end);
        let mut found = turns.remove(&user).unwrap_or_default();
        if last < end {
            let notes = store.account_log(user, last, PAGE).await?;
            last = notes.last().map_or(end, |note| note.n);
            found.extend(logged(state, user, notes).await?);
        }
        found.extend(written(state, user, talk.remove(&user)).await?);
        let wishes = Wishes::from(&reader.wishes);
        found.retain(|news| wishes.has(news.kind) && news.at > now - TOO_OLD_MS);
        match signs.get(&user) {
            // A page or a program is told already.
            Some(sign) if sign.is_there => found.clear(),
            // News that was told before is not to be told again because it is read again.
            Some(sign) if is_all => found.retain(|news| news.at > sign.seen_at),
            _ => {}
        }
        if found.is_empty() && last == reader.last_note {
            idle.push(user);
            continue;
        }
        let own: Vec<&NoticeTarget> = targets.iter().filter(|one| one.user == user).collect();
        let due_at = wishes.due_at(now);
        let notices: Vec<NewNotice> = found.into_iter().map(|news| notice(news, due_at)).collect();
        // Other tables may have news that are older.
        let seen_at = if is_all { now } else { reader.seen_at };
        let add = store.add_notices(reader, last, seen_at, &own, &notices, MAX_WAITING);
        if !add.await? {
            tracing::debug!(user, "another node has read a member's news");
        }
    }
    if is_all && !idle.is_empty() {
        store.saw_no_news(&idle, now).await?;
    }
    Ok(())
}

fn notice(news: News, due_at: i64) -> NewNotice {
    NewNotice {
        source: news.source,
        at: news.at,
        due_at,
        kind: if news.is_offer {
            "offer"
        } else {
            news.kind.name()
        }
        .to_owned(),
        table: Some(table_key(news.table)),
        text: news.text,
    }
}

/// Returns the news of whose turn it is at tables, by account.
async fn turns(
    state: &AppState,
    users: &[i64],
    tables: Vec<TableId>,
) -> Result<HashMap<i64, Vec<News>>, StoreError> {
    let keys = users
        .iter()
        .filter_map(|user| Some((*user, key_of(*user)?)));
    let keys: Arc<BTreeMap<i64, SeatKey>> = Arc::new(keys.collect());
    let mut found: HashMap<i64, Vec<News>> = HashMap::new();
    for table in tables {
        let keys = keys.clone();
        let news = peek(state, table, move |table| {
            let seat = table.on_turn()?;
            let user = table.players()[seat.index()].user()?;
            let user = crate::accounts::store_id(user);
            Some((user, news::turn(table, keys.get(&user)?)?))
        });
        if let Some((user, news)) = news.await?.flatten() {
            found.entry(user).or_default().push(news);
        }
    }
    Ok(found)
}

/// Returns the news in notes of an account's log.
async fn logged(
    state: &AppState,
    user: i64,
    notes: Vec<AccountNote>,
) -> Result<Vec<News>, StoreError> {
    let mut found = Vec::new();
    let Some(key) = key_of(user) else {
        return Ok(found);
    };
    for AccountNote { n, at, body } in notes {
        let table = body["table"].as_str().and_then(|id| id.parse().ok());
        let Some(table) = table else { continue };
        let is_offer = body["type"] == "offer";
        let told = peek(state, table, move |table| {
            news::note(table, &key, body["type"].as_str()?, body["offer"].as_str())
        });
        if let Some((kind, text)) = told.await?.flatten() {
            found.push(News {
                source: format!("log/{n}"),
                kind,
                is_offer,
                at,
                table,
                text,
            });
        }
    }
    Ok(found)
}

/// Returns the news that others wrote at a member's tables, but those whom the member does not want to hear.
async fn written(
    state: &AppState,
    user: i64,
    messages: Option<Vec<HeardMessage>>,
) -> Result<Vec<News>, StoreError> {
    let Some(messages) = messages else {
        return Ok(Vec::new());
    };
    let unheard = state.store().unheard_by(user).await?;
    let heard = messages.into_iter().filter(|message| {
        let author = message.author;
        author.is_none_or(|author| !unheard.contains(&author))
    });
    let news = heard.filter_map(|message| {
        let table = table_id(message.table)?;
        Some(News {
            source: format!("talk/{table}/{}", message.n),
            kind: NoticeKind::Message,
            is_offer: false,
            at: message.at,
            table,
            text: format!("{} wrote at your table.", message.name),
        })
    });
    Ok(news.collect())
}

/// Reads from a table; `None` if it is gone or cannot be read now.
pub(super) async fn peek<T: Send + 'static>(
    state: &AppState,
    table: TableId,
    read: impl FnOnce(&Table) -> T + Send + 'static,
) -> Result<Option<T>, StoreError> {
    match state.live().peek(table, read).await {
        Ok(read) => Ok(Some(read)),
        Err(LiveError::Store(error)) => Err(error),
        Err(error) => {
            tracing::debug!(%table, %error, "news of a table cannot be read");
            Ok(None)
        }
    }
}

/// Returns who of these members is connected to a node, or was heard from.
pub(super) async fn signs(
    state: &AppState,
    users: &[i64],
) -> Result<HashMap<i64, PersonSign>, StoreError> {
    let people = users.iter().filter_map(|user| {
        let key = key_of(*user)?;
        Some((key.fingerprint(), *user))
    });
    let people: HashMap<u64, i64> = people.collect();
    let here = people.keys();
    let mut signs: Vec<PersonSign> = here
        .filter_map(|person| state.people().sign_of(*person))
        .collect();
    if state.store().is_shared() {
        let persons: Vec<i64> = people.keys().map(|person| person.cast_signed()).collect();
        let node = state.nodes().number();
        signs.extend(state.store().presence(&persons, node).await?);
    }
    let mut found: HashMap<i64, PersonSign> = HashMap::new();
    for sign in signs {
        let Some(user) = people.get(&sign.person.cast_unsigned()) else {
            continue;
        };
        let known = found.entry(*user).or_insert(sign);
        known.is_there |= sign.is_there;
        known.seen_at = known.seen_at.max(sign.seen_at);
    }
    Ok(found)
}
