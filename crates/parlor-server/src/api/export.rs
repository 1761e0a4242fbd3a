//! Endpoint for everything that the house keeps about a member.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, TryStreamExt, stream};
use parlor_store::{ListPage, NewTalkReport, PlayerFilter, TalkReport};
use parlor_table::{Record, SeatKey, Table, TableEvent, TableId};
use serde::Serialize;
use utoipa::ToSchema;

use super::accounts::MyAccount;
use super::schema;
use crate::AppState;
use crate::accounts::{BlockInfo, BotAccount, SessionInfo, TokenInfo, store_id};
use crate::auth::{Caller, Member, Scope};
use crate::edge::Client;
use crate::error::Error;
use crate::live::{LiveError, table_id};
use crate::notices::NoticesView;
use crate::profiles::{GameRating, RatingPoint};
use crate::ratings::RatingPool;
use crate::talk::{MuteInfo, TalkLine, person_key};

/// Number of tables or notes that are read at once.
const BATCH: u64 = 200;

/// One line of an export.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ExportLine {
    /// The account.
    Account { account: MyAccount },
    /// A browser in which you are signed in.
    Session { session: SessionInfo },
    /// An API token of yours or of your bots.
    Token { token: TokenInfo },
    /// A bot of yours.
    Bot { bot: BotAccount },
    /// A member that you have blocked.
    Block { block: BlockInfo },
    /// A member that you have muted.
    Mute { mute: MuteInfo },
    /// The news that you want to hear when you have no page open, and the addresses to which it is
    /// sent.
    Notices { notices: NoticesView },
    /// A message that you have written at a table.
    Message {
        /// Id of the table.
        #[schema(value_type = String)]
        table: TableId,
        /// The message.
        message: TalkLine,
    },
    /// A message that you have reported.
    Report {
        /// Id of the table.
        #[schema(value_type = String)]
        table: TableId,
        /// Number of the message.
        n: i64,
        /// Time of the report, in milliseconds since the Unix epoch.
        at: i64,
        /// Reason in a word.
        reason: String,
        /// Your remark.
        note: String,
    },
    /// Time in which you may not write, imposed by an admin.
    Silence {
        /// Time at which it was imposed, in milliseconds since the Unix epoch.
        at: i64,
        /// Time at which it ends, in milliseconds since the Unix epoch.
        until: i64,
        /// Reason in the admin's words.
        reason: String,
    },
    /// Something that your stream of events told you: a challenge, or a game's start, offer or end.
    Note {
        /// Number of the note.
        n: u64,
        /// Time, in milliseconds since the Unix epoch.
        at: i64,
        /// The event.
        #[schema(value_type = Object)]
        note: serde_json::Value,
    },
    /// Your ratings and results in one variant of a game, at one pace.
    Rating { rating: GameRating },
    /// Effect of a rated game on your ratings.
    RatingChange {
        /// Name of the game.
        game: &'static str,
        /// Key of the variant; empty for the usual one.
        variant: String,
        /// Pace: `none`, `bullet`, `blitz`, `rapid` or `days`.
        pace: &'static str,
        /// Ratings before and after.
        change: RatingPoint,
    },
    /// A table where you have a seat, or had one at the end.
    Table {
        /// Record of the game.
        #[schema(value_type = schema::RecordSchema)]
        record: Box<Record>,
    },
    /// A move at the table before, which you pushed with git.
    Commit {
        /// Commit id.
        id: String,
        /// Version of the table that the move created.
        version: u64,
        /// Commit object as git keeps it, with the name and the address that your git gave.
        commit: String,
        /// Name of the file that it added.
        name: String,
        /// Contents of that file.
        file: String,
    },
}

/// Exports everything that the house keeps about you.
///
/// One JSON object per line: account, sessions, tokens, bots, blocks, mutes, notices with
/// their addresses, what you have written at tables in the last 30 days, reports, silences that last, the latest notes of your stream of events,
/// ratings and their history, and the record of every table where you are seated, the newest first, each
/// with the moves that you pushed with git; then those of your bots. An account can ask for it six times
/// an hour.
#[utoipa::path(
    get, path = "/me/export", operation_id = "export_account", tag = "accounts",
    responses((status = OK, description = "One object per line", content((ExportLine = "application/x-ndjson"))))
)]
pub(crate) async fn export(
    State(state): State<AppState>,
    client: Client,
    caller: Caller,
) -> Result<Response, Error> {
    let member = caller.member_with(Scope::Account)?;
    state.rates().export(member.id).await?;
    let permit = state.streams().open(client)?;
    let about = about(&state, &caller, member).await?;
    let bots = state.bots_of(store_id(member.id)).await?;
    let users = std::iter::once(store_id(member.id)).chain(bots.into_iter().map(|bot| bot.id));
    let users: Vec<i64> = users.collect();
    let name = format!("attachment; filename=\"parlor-{}.jsonl\"", member.name);
    let lines = stream::iter(about.into_iter().map(Ok))
        .chain(stream::iter(users).flat_map(move |user| records(state.clone(), user)))
        .map_ok(move |line| {
            let _held = &permit;
            let json = serde_json::to_string(&line).unwrap_or_default();
            json + "\n"
        });
    let headers = [
        (CONTENT_TYPE, "application/x-ndjson"),
        (CONTENT_DISPOSITION, name.as_str()),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, Body::from_stream(lines)).into_response())
}

/// Returns all lines but those of tables.
async fn about(
    state: &AppState,
    caller: &Caller,
    member: &Member,
) -> Result<Vec<ExportLine>, Error> {
    let id = store_id(member.id);
    let account = MyAccount::load(state, caller).await?;
    let sessions = state.sessions(member, caller.credential()).await?;
    let tokens = state.tokens(member).await?;
    let bots = state.bots(member).await?;
    let blocks = state.blocks(member).await?;
    let mut lines = vec![ExportLine::Account { account }];
    let sessions = sessions.into_iter();
    lines.extend(sessions.map(|session| ExportLine::Session { session }));
    lines.extend(tokens.into_iter().map(|token| ExportLine::Token { token }));
    lines.extend(bots.into_iter().map(|bot| ExportLine::Bot { bot }));
    lines.extend(blocks.into_iter().map(|block| ExportLine::Block { block }));
    let mutes = state.mutes(member).await?;
    lines.extend(mutes.into_iter().map(|mute| ExportLine::Mute { mute }));
    if state.notices().is_on() {
        let notices = state.notices_of(member).await?;
        lines.push(ExportLine::Notices { notices });
    }
    lines.extend(talk(state, id).await?);
    lines.extend(silences(state, member).await?);
    lines.extend(notes(state, id).await?);
    for rating in state.store().ratings_of(id).await? {
        let key = rating.game.clone();
        let pool = RatingPool::from_key(&key);
        let rating = rating.into();
        lines.push(ExportLine::Rating { rating });
        let Some(pool) = pool else { continue };
        let history = state.store().rating_history(id, &key, u64::MAX).await?;
        let names = state.opponents(&history).await?;
        let change = |change| ExportLine::RatingChange {
            game: pool.game.name(),
            variant: pool.variant.key.clone(),
            pace: pool.pace.name(),
            change: RatingPoint::new(change, &names),
        };
        lines.extend(history.iter().map(change));
    }
    Ok(lines)
}

/// Returns what an account has written and reported at tables.
async fn talk(state: &AppState, id: i64) -> Result<Vec<ExportLine>, Error> {
    let written = state.store().talk_of(id).await?;
    let message = |(table, message)| {
        let table = table_id(table)?;
        let message = TalkLine::new(table, message);
        Some(ExportLine::Message { table, message })
    };
    let reported = state.store().talk_reports_by(id).await?;
    let report = |report: TalkReport| {
        let NewTalkReport {
            table,
            n,
            at,
            reason,
            note,
            ..
        } = report.report;
        Some(ExportLine::Report {
            table: table_id(table)?,
            n,
            at,
            reason,
            note,
        })
    };
    let written = written.into_iter().filter_map(message);
    Ok(written
        .chain(reported.into_iter().filter_map(report))
        .collect())
}

/// Returns the times in which a member may not write that are not over.
async fn silences(
    state: &AppState,
    member: &Member,
) -> Result<impl Iterator<Item = ExportLine> + use<>, Error> {
    let keys = [person_key(SeatKey::from_member(member.id))];
    let now = state.now().millis();
    let found = state.store().silences_of(&keys, now).await?;
    Ok(found.into_iter().map(|silence| ExportLine::Silence {
        at: silence.at,
        until: silence.until,
        reason: silence.reason,
    }))
}

/// Returns what an account's stream of events has told and can tell again.
async fn notes(state: &AppState, id: i64) -> Result<Vec<ExportLine>, Error> {
    let mut lines = Vec::new();
    let mut last = 0;
    loop {
        let page = state.store().account_log(id, last, BATCH).await?;
        let is_last = (page.len() as u64) < BATCH;
        last = page.last().map_or(last, |note| note.n);
        lines.extend(page.into_iter().map(|note| ExportLine::Note {
            n: note.n,
            at: note.at,
            note: note.body,
        }));
        if is_last {
            return Ok(lines);
        }
    }
}

/// Streams the records of an account's tables, read from the store without waking them.
fn records(
    state: AppState,
    user: i64,
) -> impl stream::Stream<Item = Result<ExportLine, LiveError>> + Send + 'static {
    let batches = stream::try_unfold(Some(None), move |before: Option<Option<i64>>| {
        let state = state.clone();
        async move {
            let Some(before) = before else {
                return Ok(None);
            };
            let page = ListPage {
                before,
                limit: BATCH,
            };
            let filter = PlayerFilter::default();
            let rows = state.store().tables_of(user, &filter, &page).await?;
            let is_last = (rows.len() as u64) < BATCH;
            let next = rows.last().map(|(row, _)| Some(row.id));
            let records = stream::iter(rows).then(move |(row, _)| {
                let state = state.clone();
                async move { record(&state, row.id, user).await }
            });
            let lines = records.map_ok(|lines| stream::iter(lines.into_iter().map(Ok)));
            Ok::<_, LiveError>(Some((lines.try_flatten(), next.filter(|_| !is_last))))
        }
    });
    Box::pin(batches.try_flatten())
}

/// Returns the record of a table, and the moves there that a member pushed with git.
async fn record(state: &AppState, key: i64, user: i64) -> Result<Vec<ExportLine>, LiveError> {
    let Some(table) = state.live().stored(key).await? else {
        return Ok(Vec::new());
    };
    let commits = state.store().commits(key).await?;
    let own = commits
        .into_iter()
        .filter(|commit| is_by(&table, commit.version, user));
    let own = own.map(|commit| ExportLine::Commit {
        id: commit.id,
        version: commit.version,
        commit: String::from_utf8_lossy(&commit.body).into_owned(),
        name: commit.name,
        file: String::from_utf8_lossy(&commit.file).into_owned(),
    });
    let record = Box::new(table.record());
    Ok(std::iter::once(ExportLine::Table { record })
        .chain(own)
        .collect())
}

/// Returns true if the event that created a version is a move in a seat of the member.
fn is_by(table: &Table, version: u64, user: i64) -> bool {
    let entry = table.log().iter().find(|entry| entry.version == version);
    let seat = entry.and_then(|entry| match &entry.event {
        TableEvent::Moved { seat, .. } => Some(*seat),
        _ => None,
    });
    let player = seat.and_then(|seat| table.players().get(seat.index()));
    player.and_then(|player| player.user()).map(store_id) == Some(user)
}
