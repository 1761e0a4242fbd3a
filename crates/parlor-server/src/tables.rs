//! Table operations shared by API handlers and pages.

use axum::http::{HeaderMap, StatusCode, header};
use parlor_core::Seat;
use parlor_games::classic as record;
use parlor_games::{AnyPosition, Click, GameKind, TurnView};
use parlor_store::{ListFilter, ListPage, RowStatus, StoreError, TableRow};
use parlor_table::characters::{is_control, is_invisible};
use parlor_table::{
    Command, Ending, NewTable, Player, Refusal, SeatKey, Table, TableId, TableStatus, TableTurn,
    TableView, TimeControl, UserId,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::store_id;
use crate::api::schema;
use crate::auth::{OpaqueToken, Requester};
use crate::challenges;
use crate::classic;
use crate::downtime::Downtime;
use crate::edge::TableCreator;
use crate::error::{Error, Throttle};
use crate::hub;
use crate::live::{self, CommandResult, LiveError};
use crate::ratings::PlayerRating;
use crate::thinking::{Payer, Place};

/// Maximum number of attempts to find an unused id.
const ID_TRIES: u32 = 5;
/// Maximum number of rows on a page of a list.
pub(crate) const MAX_ROWS: u64 = 100;
pub(crate) const GUEST_NAME: &str = "Guest";

/// Request to create a table.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateTableRequest {
    /// Name of the game.
    #[schema(value_type = schema::GameNameSchema, example = "mnk")]
    pub(crate) game: String,
    /// Options of the game; missing ones take their defaults.
    #[serde(default)]
    #[schema(value_type = Option<schema::GameOptionsRequestSchema>)]
    pub(crate) options: Value,
    /// Players, one entry per seat. Default: you first, the others open.
    #[schema(min_items = 1, max_items = 16)]
    pub(crate) seats: Option<Vec<SeatRequest>>,
    /// True to seat the players at random, so that chance decides who has which side.
    #[serde(default)]
    #[schema(default = false)]
    pub(crate) random_seats: bool,
    /// True to list the table in the lobby, where anyone may join. Otherwise the link in the
    /// response is the only way in.
    #[serde(default = "default_true")]
    #[schema(default = true)]
    pub(crate) listed: bool,
    /// Text to mix into the table's luck, in games with luck.
    #[schema(max_length = 100)]
    pub(crate) luck_text: Option<String>,
    /// True if the players roll real dice and enter the results; only in games with luck, without
    /// time control and unrated.
    #[serde(default)]
    #[schema(default = false)]
    pub(crate) luck_by_hand: bool,
    /// Time control; defaults to the game's usual one, except against bots alone. `null` means no
    /// time control.
    #[serde(default, deserialize_with = "present_or_null")]
    #[schema(value_type = Option<schema::TimeControlSchema>)]
    pub(crate) clock: Option<Option<TimeControl>>,
    /// True to play for the players' ratings, which is only possible between two members.
    #[serde(default)]
    #[schema(default = false)]
    pub(crate) rated: bool,
    /// False if people cannot write to each other at the table.
    #[serde(default = "default_true")]
    #[schema(default = true)]
    pub(crate) talk: bool,
    /// False if the players of a team cannot ask for advice.
    #[serde(default = "default_true")]
    #[schema(default = true)]
    pub(crate) advice: bool,
}

impl CreateTableRequest {
    fn time(&self, game: GameKind, downtime: &Downtime) -> Result<Option<TimeControl>, Refusal> {
        match self.clock {
            Some(chosen) => Ok(chosen),
            None if self.luck_by_hand || self.is_solo() => Ok(None),
            None => usual_clock(game, &game.start(&self.options)?.options(), downtime),
        }
    }

    /// Returns true if the creator plays against bots.
    fn is_solo(&self) -> bool {
        let seats = self.seats.as_deref().unwrap_or_default();
        let count = |wanted: fn(&SeatRequest) -> bool| seats.iter().filter(|s| wanted(s)).count();
        let bots = count(|seat| matches!(seat, SeatRequest::Bot { .. }));
        let me = count(|seat| matches!(seat, SeatRequest::Me { .. }));
        me == 1 && bots + me == seats.len()
    }
}

/// Returns the usual time control of a game under complete options; none while a node serves that could
/// not read the table.
pub(crate) fn usual_clock(
    game: GameKind,
    options: &Value,
    downtime: &Downtime,
) -> Result<Option<TimeControl>, Refusal> {
    let usual = game.usual_clock(options).map(TimeControl::try_from);
    let usual = usual.transpose()?;
    Ok(usual.filter(|clock| downtime.reads(clock.event_format())))
}

/// Deserializes an optional value, distinguishing an explicit `null` from a missing field.
pub(crate) fn present_or_null<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<TimeControl>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Player requested for a seat.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum SeatRequest {
    /// You.
    Me {
        /// Display name; defaults to "Guest". Members keep their account names.
        #[schema(
            min_length = 1,
            max_length = 40,
            pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"
        )]
        name: Option<String>,
    },
    /// Open seat.
    Open,
    /// A member, who is challenged. Only members can challenge. The table is not listed, but whoever
    /// has its address may watch.
    Player {
        /// Name of the member.
        name: String,
    },
    /// A built-in bot.
    Bot {
        /// Identifier of the bot in the game's catalogue entry.
        #[schema(example = "level:3")]
        spec: String,
    },
}

fn default_true() -> bool {
    true
}

/// A newly created table.
#[derive(Debug)]
pub(crate) struct CreatedTable {
    /// Public state of the table.
    pub(crate) view: TableView,
    /// Invite token of a private table; only its hash is stored.
    pub(crate) invite: Option<OpaqueToken>,
    /// Token of the watchers' link of a private table.
    pub(crate) watch: Option<String>,
}

/// Filter for lists of tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableFilter {
    /// Only tables of this game.
    pub(crate) game: Option<String>,
    /// Only tables with this status.
    pub(crate) status: Option<TableStatus>,
    /// Only tables older than this one.
    pub(crate) before: Option<TableId>,
    /// Maximum number of tables, up to [`MAX_ROWS`].
    pub(crate) limit: Option<u64>,
}

/// Summary of a table in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TableSummary {
    /// Id of the table.
    #[schema(value_type = String)]
    pub(crate) id: TableId,
    /// Name of the game.
    pub(crate) game: String,
    /// `open`, `playing`, `over` or `aborted`.
    #[schema(value_type = schema::StatusSchema)]
    pub(crate) status: &'static str,
    /// Version: the number of the table's last event.
    pub(crate) version: u64,
    /// Complete options of the game.
    #[schema(value_type = schema::GameOptionsSchema)]
    pub(crate) options: Value,
    /// Players by seat.
    #[schema(value_type = Vec<schema::SeatSummarySchema>)]
    pub(crate) seats: Value,
    /// True if the game affects the players' ratings.
    pub(crate) rated: bool,
    /// Ratings of the players by seat, for this variant of the game at this pace; `null` for guests, bots
    /// of the house and open seats. Omitted if nobody at the table has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(crate) ratings: Vec<Option<PlayerRating>>,
    /// State of the game; `null` at some old tables without moves.
    #[schema(value_type = Option<schema::GameSummarySchema>)]
    pub(crate) summary: Option<Value>,
    /// Creation time, in milliseconds since the Unix epoch.
    pub(crate) created_at: i64,
    /// Time of the last change, in milliseconds since the Unix epoch.
    pub(crate) updated_at: i64,
}

/// Legal moves at a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LegalMoves {
    /// Version of the table that this refers to.
    pub(crate) version: u64,
    /// Seat on turn, while the game is in progress.
    pub(crate) seat: Option<u8>,
    /// Texts of all legal moves.
    pub(crate) moves: Vec<String>,
    /// Seat that may play each move: nearly always the one on turn, but some games have moves out
    /// of turn.
    pub(crate) seats: Vec<u8>,
    /// Clicks on the picture that enter each move, or each first part of a move.
    #[schema(value_type = Vec<schema::ClickSchema>)]
    pub(crate) clicks: Vec<SeatClick>,
}

/// A click path and the seat it belongs to.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SeatClick {
    #[serde(flatten)]
    click: Click,
    /// Seat, if it is not the one on turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
}

impl SeatClick {
    /// Adds the seats to the clicks of a position.
    fn all(position: &AnyPosition, clicks: Vec<Click>) -> Vec<SeatClick> {
        let on_turn = position.turn().seat();
        let others = !position.out_of_turn().is_empty();
        let seat = |click: &Click| {
            position
                .seat_of(&click.text)
                .filter(|seat| others && Some(*seat) != on_turn)
        };
        clicks
            .into_iter()
            .map(|click| SeatClick {
                seat: seat(&click).map(Seat::number),
                click,
            })
            .collect()
    }
}

/// Click paths that continue a partial move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Clicks {
    /// Version of the table that this refers to.
    pub(crate) version: u64,
    /// Seat on turn, while the game is in progress.
    pub(crate) seat: Option<u8>,
    /// Partial move so far; empty at the start.
    pub(crate) steps: String,
    /// Possible continuations.
    #[schema(value_type = Vec<schema::ClickSchema>)]
    pub(crate) clicks: Vec<SeatClick>,
    /// Text of the move, once it is complete.
    pub(crate) whole: Option<String>,
    /// Picture of the table with the partial move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) svg: Option<String>,
}

/// A picture of a table.
#[derive(Clone, Debug)]
pub(crate) struct TablePicture {
    /// Version of the table.
    pub(crate) version: u64,
    /// The picture as SVG.
    pub(crate) svg: String,
}

impl AppState {
    /// Creates a table, which counts for `creator`; the creator owns its `me` seats.
    pub(crate) async fn create_table(
        &self,
        wanted: CreateTableRequest,
        who: &Requester,
        creator: TableCreator,
    ) -> Result<CreatedTable, Error> {
        let game = GameKind::from_name(&wanted.game)
            .map_err(|error| Error::unprocessable(error.to_string()).with("field", "game"))?;
        refuse_unseen(&wanted.options)?;
        let mut players = players(&wanted, game, who)?;
        if wanted.random_seats {
            self.sources().shuffle(&mut players);
        }
        let key = who.by().key();
        let mine = players
            .iter()
            .position(|player| key.is_some_and(|key| player.has_key(&key)))
            .and_then(|n| Seat::new(n as u8).ok());
        let luck_texts = match (mine, &wanted.luck_text) {
            (_, None) => Vec::new(),
            (Some(seat), Some(text)) => vec![(seat, text.clone())],
            (None, Some(_)) => return Err(Refusal::NotSeated.into()),
        };
        let asked = self.challenged_member(&wanted, who).await?;
        let invite = (!wanted.listed && asked.is_none()).then(OpaqueToken::generate);
        let new = NewTable {
            clock: wanted.time(game, self.nodes().downtime())?,
            rated: wanted.rated,
            without_talk: !wanted.talk,
            without_advice: !wanted.advice,
            listed: wanted.listed && asked.is_none(),
            private: invite.is_some(),
            invite: asked
                .map(SeatKey::from_member)
                .or(invite.as_ref().map(OpaqueToken::key)),
            secret: (game.has_luck() && !wanted.luck_by_hand).then(|| self.sources().secret()),
            luck_by_hand: wanted.luck_by_hand,
            luck_texts,
            ..NewTable::new(self.sources().table_id(), game, wanted.options, players)
        };
        let bots_alone = self.bots_alone(&new.players, who.payer())?;
        let view = self
            .store_table(new, asked, who.payer(), bots_alone, Some(creator))
            .await?;
        // A guest without a token was not heard from before.
        self.people().hear_from(who);
        let watch = invite.as_ref().map(|invite| invite.key().watch_token());
        Ok(CreatedTable {
            view,
            invite,
            watch,
        })
    }

    /// Counts the table that a rematch may create, provided that it may be asked for.
    pub(crate) async fn count_rematch(
        &self,
        id: TableId,
        who: &Requester,
        creator: TableCreator,
    ) -> Result<(), Error> {
        let by = who.by();
        self.read(id, move |table| table.check_rematch(&by))
            .await??;
        self.rates().table(creator).await
    }

    /// Takes a place for a table where only bots play; `None` if a person can play, too.
    fn bots_alone(&self, players: &[Player], payer: Payer) -> Result<Option<Place>, Error> {
        let is_bot = |player: &Player| matches!(player, Player::Bot { .. });
        let thinking = self.live().thinking();
        players
            .iter()
            .all(is_bot)
            .then(|| thinking.open_bot_table(payer))
            .transpose()
    }

    /// Stores a new table, with an invited member if given, and starts its task. If its id is
    /// taken, it gets another one. `payer` pays for its bots. It counts for `creator` once nothing is
    /// wrong with it and the database can be written to.
    pub(crate) async fn store_table(
        &self,
        mut new: NewTable,
        asked: Option<UserId>,
        payer: Payer,
        mut bots_alone: Option<Place>,
        mut creator: Option<TableCreator>,
    ) -> Result<TableView, Error> {
        let downtime = self.nodes().downtime();
        new.increments_return &= downtime.reads(Table::INCREMENTS_RETURN_SINCE);
        new.lag_allowance &= downtime.reads(Table::LAG_SINCE);
        let made_from = creator.map(TableCreator::number);
        for _ in 0..ID_TRIES {
            let table = Table::create(self.now(), new.clone())?;
            if !downtime.reads(table.event_format()) {
                return Err(LiveError::EarlierNodes.into());
            }
            if let Some(creator) = creator.take() {
                downtime.check_writable()?;
                if table.status() == TableStatus::Open {
                    self.check_open_tables(creator).await?;
                }
                self.rates().table(creator).await?;
            }
            let mut row = live::new_table(&table);
            row.made_from = made_from;
            row.in_lobby = !classic::is_shared(&table);
            row.players.extend(asked.map(challenges::invited_role));
            row.notes = hub::account_notes(&table, table.log(), asked);
            row.most_open = asked.map(|_| challenges::MAX_OPEN as u64);
            match self.store().create(row).await {
                Ok(()) => {
                    let view = table.view();
                    self.live().adopt(table.clone(), payer, bots_alone.take());
                    self.hub().publish(&table, table.log());
                    self.hub().marks().add(table.id(), asked.map(store_id));
                    live::report_created(&table);
                    return Ok(view);
                }
                Err(StoreError::Exists) => new.id = self.sources().table_id(),
                Err(StoreError::TooManyOpen { .. }) => return Err(challenges::too_many_open()),
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::unavailable("no free table id was found"))
    }

    /// Checks that the creator's address has room for another open table.
    async fn check_open_tables(&self, creator: TableCreator) -> Result<(), Error> {
        let Some(most) = self.limits().open_tables_per_address else {
            return Ok(());
        };
        let open = self.store().open_tables_from(creator.number()).await?;
        if open < u64::from(most) {
            return Ok(());
        }
        let throttle = Throttle::at_once("open-tables", most as usize);
        let refusal =
            "your address has too many open tables: call some off, or wait until others join";
        Err(Error::throttled(refusal, throttle))
    }

    /// Returns public tables, newest first.
    pub(crate) async fn list(&self, listing: &TableFilter) -> Result<Vec<TableSummary>, Error> {
        let filter = ListFilter {
            game: listing.game.clone(),
            statuses: listing
                .status
                .and_then(|status| status.name().parse().ok())
                .into_iter()
                .collect(),
            listed_only: true,
            ..ListFilter::default()
        };
        let page = ListPage {
            before: listing
                .before
                .and_then(|id| i64::try_from(id.number()).ok()),
            limit: listing.limit.unwrap_or(50).clamp(1, MAX_ROWS),
        };
        let rows = self.store().list(&filter, &page).await?;
        rows.into_iter().map(listed).collect()
    }

    /// Returns the records of public classic games, newest first.
    pub(crate) async fn classic_games(
        &self,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<record::Game>, Error> {
        let (filter, mut page) = (
            classic_filter(),
            ListPage {
                before: None,
                limit: 500,
            },
        );
        let (mut skip, mut games) = (skip, Vec::new());
        loop {
            let rows = self.store().list(&filter, &page).await?;
            page.before = rows.last().map(|row| row.id);
            let full = rows.len() as u64 == page.limit;
            for game in rows.iter().filter_map(classic_game) {
                if games.len() as u64 == limit {
                    return Ok(games);
                }
                match skip.checked_sub(1) {
                    Some(left) => skip = left,
                    None => games.push(game),
                }
            }
            if !full {
                return Ok(games);
            }
        }
    }

    /// Returns the number of public classic games.
    pub(crate) async fn count_classic_games(&self) -> Result<u64, Error> {
        Ok(self.store().count(&classic_filter()).await?)
    }

    /// Reads from a table.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        id: TableId,
        look: impl FnOnce(&Table) -> T + Send + 'static,
    ) -> Result<T, Error> {
        Ok(self.live().read(id, look).await?)
    }

    /// Returns the legal moves at a table; none unless the game is in progress.
    pub(crate) async fn legal(&self, id: TableId) -> Result<LegalMoves, Error> {
        self.read(id, |table| {
            let position = (table.status() == TableStatus::Playing).then(|| table.position());
            let legal = position.map(|p| p.legal()).unwrap_or_default();
            LegalMoves {
                version: table.version(),
                seat: table.on_turn().map(Seat::number),
                seats: legal.iter().map(|m| m.seat.number()).collect(),
                moves: legal.into_iter().map(|m| m.text).collect(),
                clicks: position
                    .map(|p| SeatClick::all(p, p.clicks()))
                    .unwrap_or_default(),
            }
        })
        .await
    }

    /// Returns the clicks that continue a partial move of the seat on turn; none unless the game is
    /// in progress.
    pub(crate) async fn clicks(&self, id: TableId, steps: String) -> Result<Clicks, Error> {
        let clicks = self.read(id, move |table| clicks(table, &steps)).await?;
        clicks.ok_or_else(|| {
            Error::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "bad-draft",
                "No such move",
                "no legal move starts like this",
            )
        })
    }

    /// Returns a picture of a table, now or after its first `at` moves and draws.
    pub(crate) async fn picture(
        &self,
        id: TableId,
        at: Option<usize>,
    ) -> Result<TablePicture, Error> {
        let picture = self.read(id, move |table| picture(table, at)).await?;
        picture.ok_or_else(|| Error::not_found("the table does not have that many moves"))
    }

    /// Applies a command at a table. Returns when it is durable.
    pub(crate) async fn act(
        &self,
        id: TableId,
        who: Requester,
        command: Command,
    ) -> Result<CommandResult, Error> {
        Ok(self.live().act(id, who, command, false).await?)
    }

    /// Like [`AppState::act`], including the complete state of the table if `view`.
    pub(crate) async fn act_and_view(
        &self,
        id: TableId,
        who: Requester,
        command: Command,
        view: bool,
    ) -> Result<CommandResult, Error> {
        Ok(self.live().act(id, who, command, view).await?)
    }

    /// Returns the URL for joining or watching a table, based on the public URL or else on the
    /// `Host` header.
    pub(crate) fn table_url(
        &self,
        headers: &HeaderMap,
        id: TableId,
        invite: Option<&OpaqueToken>,
    ) -> String {
        let base = self.base_url(headers);
        let query = invite
            .map(|invite| format!("?invite={}", invite.as_str()))
            .unwrap_or_default();
        format!("{base}/t/{id}{query}")
    }

    /// Returns the URL of a private table for watchers.
    pub(crate) fn watch_url(&self, headers: &HeaderMap, id: TableId, token: &str) -> String {
        format!("{}/t/{id}?watch={token}", self.base_url(headers))
    }

    /// Returns the URL for cloning a table with git.
    pub(crate) fn git_url(&self, headers: &HeaderMap, id: TableId) -> String {
        format!("{}/git/{id}.git", self.base_url(headers))
    }

    fn base_url(&self, headers: &HeaderMap) -> String {
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        match (self.public_url(), host) {
            (Some(url), _) => url.to_owned(),
            (None, Some(host)) => format!("http://{host}"),
            (None, None) => String::new(),
        }
    }
}

fn players(
    wanted: &CreateTableRequest,
    game: GameKind,
    who: &Requester,
) -> Result<Vec<Player>, Error> {
    let Some(seats) = &wanted.seats else {
        let seats = game.start(&wanted.options).map_err(Refusal::from)?.seats();
        let mut players = vec![Player::Open; usize::from(seats)];
        players[0] = who.player(GUEST_NAME)?;
        return Ok(players);
    };
    let player = |seat: &SeatRequest| match seat {
        SeatRequest::Me { name } => who.player(name.as_deref().unwrap_or(GUEST_NAME)),
        SeatRequest::Open | SeatRequest::Player { .. } => Ok(Player::Open),
        SeatRequest::Bot { spec } => Ok(Player::bot(spec)),
    };
    seats.iter().map(player).collect()
}

/// Refuses options with characters that nobody sees, such as blank symbols. Games take them, since
/// tables may have them from times in which this was not checked.
pub(crate) fn refuse_unseen(options: &Value) -> Result<(), Error> {
    let unseen = match options {
        Value::String(text) => text
            .chars()
            .find(|c| is_invisible(*c) || is_control(*c) && !c.is_whitespace()),
        Value::Array(values) => return values.iter().try_for_each(refuse_unseen),
        Value::Object(fields) => return fields.values().try_for_each(refuse_unseen),
        _ => None,
    };
    match unseen {
        Some(c) => {
            let detail = format!(
                "the options have a character that nobody sees, U+{:04X}: leave it out",
                u32::from(c)
            );
            Err(Error::unprocessable(detail).with("field", "options"))
        }
        None => Ok(()),
    }
}

/// Returns the filter for the tables shown by the record API of classic games. A table that waits for
/// players is no game yet, and one that was aborted no longer is.
fn classic_filter() -> ListFilter {
    let game = Some(record::KIND.name().to_owned());
    ListFilter {
        game,
        statuses: vec![RowStatus::Playing, RowStatus::Over],
        listed_only: true,
        options: Some(record::options()),
        ..ListFilter::default()
    }
}

fn classic_game(row: &TableRow) -> Option<record::Game> {
    let position = match row
        .summary
        .as_ref()
        .and_then(|summary| summary["text"].as_str())
    {
        Some(text) => record::KIND.position(text).ok()?,
        None => record::KIND.start(&row.options).ok()?,
    };
    let outcome = stored_turn(row)
        .unwrap_or_else(|| position.turn().into())
        .outcome();
    record::from_position(&position, outcome, row.id, row.created_at, row.updated_at)
}

/// Returns the turn of a stored table, also of one that an earlier release stored; `None` at some old
/// tables without moves.
fn stored_turn(row: &TableRow) -> Option<TableTurn> {
    let summary = row.summary.as_ref()?;
    match Ending::deserialize(&summary["ending"]) {
        Ok(Ending { outcome, .. }) => Some(TableTurn::Over { outcome }),
        Err(_) => TurnView::deserialize(&summary["turn"])
            .ok()
            .map(TableTurn::from),
    }
}

/// Returns the summary of a stored table, without the players' ratings.
pub(crate) fn listed(row: TableRow) -> Result<TableSummary, Error> {
    let id = live::table_id(row.id)
        .ok_or_else(|| Error::internal(format!("{} is stored as a table's id", row.id)))?;
    let turn = stored_turn(&row);
    let mut summary = row.summary;
    if let (Some(summary), Some(turn)) = (&mut summary, turn) {
        summary["turn"] = json!(turn);
    }
    Ok(TableSummary {
        id,
        game: row.game,
        status: row.status.as_str(),
        version: row.version,
        options: row.options,
        seats: row.seats,
        rated: row.rated,
        ratings: Vec::new(),
        summary,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

fn clicks(table: &Table, steps: &str) -> Option<Clicks> {
    let on = table.on_turn().is_some();
    let position = table.position();
    let nothing = |clicks| Clicks {
        version: table.version(),
        seat: table.on_turn().map(Seat::number),
        steps: String::new(),
        clicks,
        whole: None,
        svg: None,
    };
    if steps.is_empty() {
        return Some(nothing(if on {
            SeatClick::all(position, position.clicks())
        } else {
            Vec::new()
        }));
    }
    let draft = position.draft(steps).filter(|_| on)?;
    let svg = position.kind().svg(&draft.view).ok();
    let clicks = SeatClick::all(position, draft.clicks);
    Some(Clicks {
        steps: draft.steps,
        clicks,
        whole: draft.whole,
        svg,
        ..nothing(Vec::new())
    })
}

fn picture(table: &Table, at: Option<usize>) -> Option<TablePicture> {
    let svg = match at {
        None => table.position().svg(table.last_marked_move()),
        Some(step) => {
            let (position, last) = table.position_after(step)?;
            position.svg(last)
        }
    };
    Some(TablePicture {
        version: table.version(),
        svg,
    })
}
