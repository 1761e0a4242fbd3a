//! What handlers and pages do with tables.

use axum::http::{HeaderMap, StatusCode, header};
use parlor_core::Seat;
use parlor_games::mnk::record;
use parlor_games::{AnyPosition, Click, GameKind};
use parlor_store::{Filter, Page, Row, StoreError};
use parlor_table::{
    Command, Key, NewTable, Player, Refused, Status, Table, TableId, TableView, TimeControl, UserId,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::AppState;
use crate::auth::{self, Token, Who};
use crate::challenges;
use crate::error::Error;
use crate::live::{self, Done};

/// How often a fresh id is tried when the one before was taken.
const ID_TRIES: u32 = 5;
/// The most rows of one page of a list.
pub(crate) const MOST_ROWS: u64 = 100;
pub(crate) const GUEST_NAME: &str = "Guest";

/// A table that is wanted.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// The game's name.
    #[schema(example = "mnk")]
    pub(crate) game: String,
    /// The game's options; missing ones take their defaults.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(crate) options: Value,
    /// Who sits where, one entry for each seat. When not said: you first, the others open.
    pub(crate) seats: Option<Vec<WantedSeat>>,
    /// Whether the lobby shows the table and anybody may join. When not, the answer's link is the only way in.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub(crate) listed: bool,
    /// A text of your own for the table's luck, in games with luck.
    pub(crate) luck_text: Option<String>,
    /// Whether the players bring their own luck, such as real dice, and type in what it did; only in games with luck, without
    /// clocks, and for fun.
    #[serde(default)]
    #[schema(default = false)]
    pub(crate) luck_by_hand: bool,
    /// How much time the players have: what is usual for the game when not said, and as much as they like with `null`.
    #[serde(default, deserialize_with = "said")]
    #[schema(value_type = Option<crate::api::schema::TimeControl>)]
    pub(crate) clock: Option<Option<TimeControl>>,
    /// Whether the game counts for the players' ratings. Only two members of the house can play such a game.
    #[serde(default)]
    #[schema(default = false)]
    pub(crate) rated: bool,
}

impl Wanted {
    fn time(&self, game: GameKind) -> Result<Option<TimeControl>, Refused> {
        let usual = || {
            game.usual_time()
                .filter(|_| !self.luck_by_hand)
                .map(|ms| TimeControl::total(ms, 0))
                .transpose()
        };
        Ok(self.clock.map_or_else(usual, Ok)?)
    }
}

/// Tells `null` from what was not said.
pub(crate) fn said<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<TimeControl>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Who sits in a seat of a table that is wanted.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum WantedSeat {
    /// Whoever asks.
    Me {
        /// The name to be shown; "Guest" when not said. Members are called by their own names.
        name: Option<String>,
    },
    /// Whoever comes.
    Open,
    /// A member of the house, who is asked to come. Only members can ask; the table is not listed.
    Player {
        /// The member's name.
        name: String,
    },
    /// A bot of the house.
    Bot {
        /// Which one, as the game's catalogue entry names it.
        #[schema(example = "level:3")]
        spec: String,
    },
}

fn yes() -> bool {
    true
}

/// A table that was made.
#[derive(Debug)]
pub(crate) struct Made {
    /// What everybody sees.
    pub(crate) view: TableView,
    /// What the link of a private table carries; it is not kept anywhere.
    pub(crate) invite: Option<Token>,
}

/// Which tables a list shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    /// Only this game.
    pub(crate) game: Option<String>,
    /// Only tables that have come this far.
    pub(crate) status: Option<Status>,
    /// Only tables older than this one.
    pub(crate) before: Option<TableId>,
    /// At most so many, and never more than [`MOST_ROWS`].
    pub(crate) limit: Option<u64>,
}

/// A table in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Listed {
    /// Its name.
    #[schema(value_type = String)]
    pub(crate) id: TableId,
    /// The game's name.
    pub(crate) game: String,
    /// `open`, `playing`, `over` or `aborted`.
    pub(crate) status: &'static str,
    /// Number of its last event.
    pub(crate) version: u64,
    /// The game's options.
    #[schema(value_type = Object)]
    pub(crate) options: Value,
    /// Who sits where: `label`, `kind`, `name` and `member` for each seat.
    #[schema(value_type = Vec<Object>)]
    pub(crate) seats: Value,
    /// Whether the game counts for the players' ratings.
    pub(crate) rated: bool,
    /// How it stands: `turn`, `plies`, `text` (of the position), `last_move`, `ending`, the time control as `clock`, and `luck_by_hand`;
    /// null at old tables to which nothing has happened.
    #[schema(value_type = Option<Object>)]
    pub(crate) summary: Option<Value>,
    /// When it was made, in milliseconds since 1970.
    pub(crate) created_at: i64,
    /// When it last changed, in milliseconds since 1970.
    pub(crate) updated_at: i64,
}

/// What can be played at a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Legal {
    /// The version of the table that this is about.
    pub(crate) version: u64,
    /// The seat on turn, while the game is on.
    pub(crate) seat: Option<u8>,
    /// The texts of all legal moves.
    pub(crate) moves: Vec<String>,
    /// For each move the seat that may play it: nearly always the one on turn, but in some games others can move, too.
    pub(crate) seats: Vec<u8>,
    /// For each move, or each part that a move can begin with, the elements of the picture to click, in order, and the move in
    /// words.
    #[schema(value_type = Vec<crate::api::schema::Click>)]
    pub(crate) clicks: Vec<Seated>,
}

/// A click, and whose it is.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Seated {
    #[serde(flatten)]
    click: Click,
    /// The seat, when it is not the one on turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
}

impl Seated {
    /// Clicks on a position, with their seats.
    fn all(position: &AnyPosition, clicks: Vec<Click>) -> Vec<Seated> {
        let on_turn = position.turn().seat();
        let others = !position.out_of_turn().is_empty();
        let seat = |click: &Click| {
            position
                .seat_of(&click.text)
                .filter(|seat| others && Some(*seat) != on_turn)
        };
        clicks
            .into_iter()
            .map(|click| Seated {
                seat: seat(&click).map(Seat::number),
                click,
            })
            .collect()
    }
}

/// How a move can be made by clicks, from where it was begun.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Clicks {
    /// The version of the table that this is about.
    pub(crate) version: u64,
    /// The seat on turn, while the game is on.
    pub(crate) seat: Option<u8>,
    /// What was done so far, in the words of the clicks; empty when nothing was.
    pub(crate) steps: String,
    /// How it can go on.
    #[schema(value_type = Vec<crate::api::schema::Click>)]
    pub(crate) clicks: Vec<Seated>,
    /// The move's text, once it is a whole one.
    pub(crate) whole: Option<String>,
    /// The table as it would look, if a move was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) svg: Option<String>,
}

/// A picture of a table.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    /// The version of the table.
    pub(crate) version: u64,
    /// The picture.
    pub(crate) svg: String,
}

impl AppState {
    /// Makes a table for somebody who will hold its `me` seats with `key`.
    pub(crate) async fn create(&self, wanted: Wanted, who: &Who) -> Result<Made, Error> {
        let game = GameKind::from_name(&wanted.game)
            .map_err(|error| Error::unprocessable(error.to_string()).with("field", "game"))?;
        let players = players(&wanted, game, who)?;
        let key = who.by().key();
        let mine = players
            .iter()
            .position(|player| key.is_some_and(|key| player.has_key(&key)))
            .and_then(|n| Seat::new(n as u8).ok());
        let luck_texts = match (mine, &wanted.luck_text) {
            (_, None) => Vec::new(),
            (Some(seat), Some(text)) => vec![(seat, text.clone())],
            (None, Some(_)) => return Err(Refused::NotSeated.into()),
        };
        let asked = self.challenged(&wanted, who).await?;
        let invite = (!wanted.listed && asked.is_none()).then(Token::fresh);
        let new = NewTable {
            clock: wanted.time(game)?,
            rated: wanted.rated,
            listed: wanted.listed && asked.is_none(),
            invite: asked
                .map(Key::of_member)
                .or(invite.as_ref().map(Token::key)),
            secret: (game.has_luck() && !wanted.luck_by_hand).then(live::fresh_secret),
            luck_by_hand: wanted.luck_by_hand,
            luck_texts,
            ..NewTable::new(fresh_id(), game, wanted.options, players)
        };
        let view = self.found(new, asked).await?;
        Ok(Made { view, invite })
    }

    /// Stores a new table, to which this member is asked, and takes it in. An id that is taken is replaced.
    pub(crate) async fn found(
        &self,
        mut new: NewTable,
        asked: Option<UserId>,
    ) -> Result<TableView, Error> {
        for _ in 0..ID_TRIES {
            let table = Table::create(live::now(), new.clone())?;
            let mut row = live::new_table(&table);
            row.players.extend(asked.map(challenges::role));
            match self.store().create(row).await {
                Ok(()) => {
                    let view = table.view();
                    self.live().adopt(table.clone());
                    self.hub().publish(&table, table.log());
                    metrics::counter!("parlor_tables_created_total").increment(1);
                    return Ok(view);
                }
                Err(StoreError::Exists) => new.id = fresh_id(),
                Err(error) => return Err(error.into()),
            }
        }
        Err(Error::unavailable("no free table id was found"))
    }

    /// The tables that everybody may see, newest first.
    pub(crate) async fn list(&self, listing: &Listing) -> Result<Vec<Listed>, Error> {
        let filter = Filter {
            game: listing.game.clone(),
            statuses: listing
                .status
                .and_then(|status| status.name().parse().ok())
                .into_iter()
                .collect(),
            listed_only: true,
            ..Filter::default()
        };
        let page = Page {
            before: listing
                .before
                .and_then(|id| i64::try_from(id.number()).ok()),
            limit: listing.limit.unwrap_or(50).clamp(1, MOST_ROWS),
        };
        let rows = self.store().list(&filter, &page).await?;
        rows.into_iter().map(listed).collect()
    }

    /// The records of the classic games that everybody may see, newest first.
    pub(crate) async fn classic_games(
        &self,
        skip: u64,
        limit: u64,
    ) -> Result<Vec<record::Game>, Error> {
        let (filter, mut page) = (
            classic(),
            Page {
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

    /// How many there are.
    pub(crate) async fn count_classic_games(&self) -> Result<u64, Error> {
        Ok(self.store().count(&classic()).await?)
    }

    /// Looks at a table.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        id: TableId,
        look: impl FnOnce(&Table) -> T + Send + 'static,
    ) -> Result<T, Error> {
        Ok(self.live().read(id, look).await?)
    }

    /// What can be played at a table now; nothing unless the game is on.
    pub(crate) async fn legal(&self, id: TableId) -> Result<Legal, Error> {
        self.read(id, |table| {
            let position = (table.status() == Status::Playing).then(|| table.position());
            let legal = position.map(|p| p.legal()).unwrap_or_default();
            Legal {
                version: table.version(),
                seat: table.on_turn().map(Seat::number),
                seats: legal.iter().map(|m| m.seat.number()).collect(),
                moves: legal.into_iter().map(|m| m.text).collect(),
                clicks: position
                    .map(|p| Seated::all(p, p.clicks()))
                    .unwrap_or_default(),
            }
        })
        .await
    }

    /// How the move of the seat on turn can be made, gone on with from these steps; nothing to click unless the game is on.
    pub(crate) async fn clicks(&self, id: TableId, steps: String) -> Result<Clicks, Error> {
        let clicks = self.read(id, move |table| clicks(table, &steps)).await?;
        clicks.ok_or_else(|| {
            Error::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "bad-draft",
                "No such move",
                "no move can be begun like this now",
            )
        })
    }

    /// A picture of a table, now or after its first `at` moves and draws.
    pub(crate) async fn picture(&self, id: TableId, at: Option<usize>) -> Result<Picture, Error> {
        let picture = self.read(id, move |table| picture(table, at)).await?;
        picture.ok_or_else(|| Error::not_found("the table has not had so many moves"))
    }

    /// Does what is asked at a table; the answer comes when it is durable.
    pub(crate) async fn act(&self, id: TableId, who: Who, command: Command) -> Result<Done, Error> {
        Ok(self.live().act(id, who, command, false).await?)
    }

    /// As [`AppState::act`], with the whole table in the answer if it is wanted.
    pub(crate) async fn act_and_view(
        &self,
        id: TableId,
        who: Who,
        command: Command,
        view: bool,
    ) -> Result<Done, Error> {
        Ok(self.live().act(id, who, command, view).await?)
    }

    /// The address under which a table is joined or watched: with the house's public address, or with the name that
    /// the client knows the house by.
    pub(crate) fn table_url(
        &self,
        headers: &HeaderMap,
        id: TableId,
        invite: Option<&Token>,
    ) -> String {
        let base = self.base_url(headers);
        let query = invite
            .map(|invite| format!("?invite={}", invite.as_str()))
            .unwrap_or_default();
        format!("{base}/t/{id}{query}")
    }

    /// The address that a table is cloned from.
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

/// A fresh name for a table.
pub(crate) fn fresh_id() -> TableId {
    TableId::fresh(live::now(), auth::random())
}

fn players(wanted: &Wanted, game: GameKind, who: &Who) -> Result<Vec<Player>, Error> {
    let Some(seats) = &wanted.seats else {
        let seats = game.start(&wanted.options).map_err(Refused::from)?.seats();
        let mut players = vec![Player::Open; usize::from(seats)];
        players[0] = who.player(GUEST_NAME)?;
        return Ok(players);
    };
    let player = |seat: &WantedSeat| match seat {
        WantedSeat::Me { name } => who.player(name.as_deref().unwrap_or(GUEST_NAME)),
        WantedSeat::Open | WantedSeat::Player { .. } => Ok(Player::Open),
        WantedSeat::Bot { spec } => Ok(Player::bot(spec)),
    };
    Ok(seats.iter().map(player).collect::<Result<_, _>>()?)
}

/// The tables that the record API of classic games shows.
fn classic() -> Filter {
    let game = Some(record::KIND.name().to_owned());
    Filter {
        game,
        listed_only: true,
        options: Some(record::options()),
        ..Filter::default()
    }
}

fn classic_game(row: &Row) -> Option<record::Game> {
    let position = match row
        .summary
        .as_ref()
        .and_then(|summary| summary["text"].as_str())
    {
        Some(text) => record::KIND.position(text).ok()?,
        None => record::KIND.start(&row.options).ok()?,
    };
    record::of(&position, row.id, row.created_at, row.updated_at)
}

/// A row as lists show it.
pub(crate) fn listed(row: Row) -> Result<Listed, Error> {
    let id = live::id(row.id)
        .ok_or_else(|| Error::internal(format!("{} is stored as a table's id", row.id)))?;
    Ok(Listed {
        id,
        game: row.game,
        status: row.status.as_str(),
        version: row.version,
        options: row.options,
        seats: row.seats,
        rated: row.rated,
        summary: row.summary,
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
            Seated::all(position, position.clicks())
        } else {
            Vec::new()
        }));
    }
    let draft = position.draft(steps).filter(|_| on)?;
    let svg = position.kind().svg(&draft.view).ok();
    let clicks = Seated::all(position, draft.clicks);
    Some(Clicks {
        steps: draft.steps,
        clicks,
        whole: draft.whole,
        svg,
        ..nothing(Vec::new())
    })
}

fn picture(table: &Table, at: Option<usize>) -> Option<Picture> {
    let svg = match at {
        None => table.position().svg(table.last_mark()),
        Some(step) => {
            let (position, last) = table.after(step)?;
            position.svg(last)
        }
    };
    Some(Picture {
        version: table.version(),
        svg,
    })
}
