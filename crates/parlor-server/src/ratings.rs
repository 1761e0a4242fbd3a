//! Ratings by variant and pace, and those of the players at a table.

use std::collections::HashMap;

use parlor_games::{GameKind, Variant};
use parlor_store::{Glicko, RatingChange, Standing, StoreError};
use parlor_table::{Pace, Table, TableId, TimeControl, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::store_id;
use crate::error::Error;
use crate::live::table_key;
use crate::tables::TableSummary;

/// Maximum length of a variant's key, in bytes.
const MAX_KEY: usize = 24;

/// Games that share a rating: those of one variant at one pace.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RatingPool {
    pub(crate) game: GameKind,
    pub(crate) variant: Variant,
    pub(crate) pace: Pace,
}

impl RatingPool {
    /// Returns the pool of games with these complete options and this time control.
    pub(crate) fn new(game: GameKind, options: &Value, clock: Option<TimeControl>) -> RatingPool {
        RatingPool {
            game,
            variant: game.variant(options),
            pace: Pace::new(clock),
        }
    }

    /// Returns the pool of a table's game.
    pub(crate) fn from_table(table: &Table) -> RatingPool {
        RatingPool::new(table.kind(), table.options(), table.clock())
    }

    /// Returns the pool of a game that a request names: by default the usual variant, at the pace of
    /// the game's usual clock.
    pub(crate) fn from_names(
        game: GameKind,
        variant: Option<&str>,
        pace: Option<&str>,
    ) -> Result<RatingPool, Error> {
        let variant = variant.unwrap_or_default();
        let is_key = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if variant.len() > MAX_KEY || !variant.chars().all(is_key) {
            let detail = format!("{variant:?} is not the key of a variant");
            return Err(Error::unprocessable(detail).with("field", "variant"));
        }
        let pace = match pace {
            None => usual_pace(game),
            Some(name) => Pace::from_name(name).ok_or_else(|| {
                let detail = format!("{name:?} is not a pace: none, bullet, blitz, rapid or days");
                Error::unprocessable(detail).with("field", "pace")
            })?,
        };
        Ok(RatingPool {
            game,
            variant: variant_with_key(game, variant),
            pace,
        })
    }

    /// Returns the pool with this key; `None` if this server does not have the game, or not the pace.
    pub(crate) fn from_key(key: &str) -> Option<RatingPool> {
        let (rest, pace) = match key.split_once('@') {
            Some((rest, pace)) => (rest, Some(Pace::from_name(pace)?)),
            None => (key, None),
        };
        let (game, variant) = rest.split_once(':').unwrap_or((rest, ""));
        let game = GameKind::from_name(game).ok()?;
        Some(RatingPool {
            game,
            variant: variant_with_key(game, variant),
            pace: pace.unwrap_or_else(|| usual_pace(game)),
        })
    }

    /// Returns the key under which the ratings are stored: `mnk`, `mnk:15x15x5` or `mnk@blitz`.
    ///
    /// The usual variant at the usual pace has the game's name for a key, under which all ratings of the
    /// game were stored before. A team's results are not parted.
    pub(crate) fn key(&self) -> String {
        let mut key = self.game.name().to_owned();
        if self.game.is_cooperative() {
            return key;
        }
        if !self.variant.key.is_empty() {
            key.push(':');
            key.push_str(&self.variant.key);
        }
        if self.pace != usual_pace(self.game) {
            key.push('@');
            key.push_str(self.pace.name());
        }
        key
    }

    /// Returns the variant and the pace in words: "Gomoku 15 × 15 · Blitz".
    pub(crate) fn words(&self) -> String {
        let pace = self.pace.title();
        match self.variant.title.as_str() {
            "" => pace.to_owned(),
            variant => format!("{variant} · {pace}"),
        }
    }
}

/// Returns the pace of a game's usual clock.
fn usual_pace(game: GameKind) -> Pace {
    let options = game.start(&Value::Null).map(|position| position.options());
    let clock = options.ok().and_then(|options| game.usual_clock(&options));
    Pace::new(clock.and_then(|clock| TimeControl::try_from(clock).ok()))
}

/// Returns the variant of a game with this key, named by it unless it is one of the presets'.
fn variant_with_key(game: GameKind, key: &str) -> Variant {
    let mut variants = game.variants().into_iter();
    variants
        .find(|variant| variant.key == key)
        .unwrap_or_else(|| Variant {
            key: key.to_owned(),
            title: key.to_owned(),
        })
}

/// A member's rating for the game at a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PlayerRating {
    /// Glicko-2 rating; the one after the game once that has been counted.
    pub(crate) rating: f64,
    /// Deviation of the Glicko-2 rating.
    pub(crate) deviation: f64,
    /// True while the deviation is too large for a reliable rating.
    pub(crate) provisional: bool,
    /// Elo rating; the one after the game once that has been counted.
    pub(crate) elo: i32,
    /// Change of the Glicko-2 rating by the game; `null` until it has been counted.
    pub(crate) change: Option<f64>,
}

impl PlayerRating {
    fn new(now: &Standing, counted: Option<&RatingChange>) -> PlayerRating {
        let (rating, deviation, elo) = match counted {
            Some(counted) => (
                counted.glicko_after,
                counted.deviation_after,
                counted.elo_after,
            ),
            None => (now.glicko.rating(), now.glicko.deviation(), now.elo),
        };
        let glicko = Glicko::nearest(rating, deviation, now.glicko.volatility());
        PlayerRating {
            rating,
            deviation,
            provisional: glicko.is_provisional(),
            elo,
            change: counted.map(|counted| counted.glicko_after - counted.glicko_before),
        }
    }
}

/// Players of a table whose ratings are asked for.
#[derive(Clone, Debug)]
pub(crate) struct RatedSeats {
    pub(crate) table: TableId,
    pub(crate) pool: RatingPool,
    /// Accounts of the players in the store, by seat; `None` for players without one.
    pub(crate) users: Vec<Option<i64>>,
}

impl RatedSeats {
    /// Returns the accounts in these seats of a table.
    pub(crate) fn new(table: TableId, pool: RatingPool, users: &[Option<UserId>]) -> RatedSeats {
        RatedSeats {
            table,
            pool,
            users: users.iter().map(|user| user.map(store_id)).collect(),
        }
    }

    /// Returns true if somebody in these seats can have a rating: a member, in a game that is no team's.
    fn has_rated(&self) -> bool {
        !self.pool.game.is_cooperative() && self.users.iter().any(Option::is_some)
    }
}

/// Returns the ratings of the players of a table by seat: `None` for players without an account, and
/// empty if nobody has one, for a team, or if the store fails.
pub(crate) async fn of_players(state: &AppState, seats: RatedSeats) -> Vec<Option<PlayerRating>> {
    let rated = of_tables(state, &[seats]).await;
    rated.into_iter().next().unwrap_or_default()
}

/// Returns the ratings of the players of several tables, as [`of_players`] does those of each. The number
/// of queries does not depend on the number of tables.
pub(crate) async fn of_tables(
    state: &AppState,
    tables: &[RatedSeats],
) -> Vec<Vec<Option<PlayerRating>>> {
    if !tables.iter().any(RatedSeats::has_rated) {
        return vec![Vec::new(); tables.len()];
    }
    match read(state, tables).await {
        Ok(rated) => rated,
        Err(error) => {
            tracing::warn!(%error, "the players' ratings could not be read");
            vec![Vec::new(); tables.len()]
        }
    }
}

async fn read(
    state: &AppState,
    tables: &[RatedSeats],
) -> Result<Vec<Vec<Option<PlayerRating>>>, StoreError> {
    let rated: Vec<&RatedSeats> = tables.iter().filter(|seats| seats.has_rated()).collect();
    let ids: Vec<i64> = rated.iter().map(|seats| table_key(seats.table)).collect();
    let changes = state.store().changes_of_tables(&ids).await?;
    let changes = changes.iter().filter(|change| change.rated);
    let changes: HashMap<_, _> = changes
        .map(|change| ((change.table_id, change.user_id), change))
        .collect();
    let wanted: Vec<(i64, String)> = rated
        .iter()
        .flat_map(|seats| {
            let key = seats.pool.key();
            let users = seats.users.iter().flatten();
            users.map(move |user| (*user, key.clone()))
        })
        .collect();
    let standings = state.store().standings(&wanted).await?;
    let of_table = |seats: &RatedSeats| {
        if !seats.has_rated() {
            return Vec::new();
        }
        let key = seats.pool.key();
        let rating = |user: i64| {
            let standing = standings.get(&(user, key.clone()))?;
            let counted = changes.get(&(table_key(seats.table), user)).copied();
            Some(PlayerRating::new(standing, counted))
        };
        let users = seats.users.iter();
        users.map(|user| user.and_then(rating)).collect()
    };
    Ok(tables.iter().map(of_table).collect())
}

/// Adds the ratings of the players to summaries of tables.
pub(crate) async fn add_to(
    state: &AppState,
    tables: &mut [&mut TableSummary],
) -> Result<(), Error> {
    let names: Vec<String> = tables
        .iter()
        .flat_map(|table| member_names(table).flatten())
        .map(str::to_owned)
        .collect();
    let ids = state.store().ids_of(&names).await?;
    let (rows, seats): (Vec<usize>, Vec<RatedSeats>) = tables
        .iter()
        .enumerate()
        .filter_map(|(row, table)| Some((row, seats_of(table, &ids)?)))
        .unzip();
    let rated = of_tables(state, &seats).await;
    for (row, rated) in rows.into_iter().zip(rated) {
        tables[row].ratings = rated;
    }
    Ok(())
}

/// Returns the accounts in the seats of a listed table, with the ids of accounts by their names in lower
/// case; `None` if this server does not have the game.
fn seats_of(table: &TableSummary, ids: &HashMap<String, i64>) -> Option<RatedSeats> {
    let game = GameKind::from_name(&table.game).ok()?;
    let summary = table.summary.as_ref();
    let clock = summary.and_then(|summary| TimeControl::deserialize(&summary["clock"]).ok());
    let user = |name: &str| ids.get(&name.to_ascii_lowercase()).copied();
    Some(RatedSeats {
        table: table.id,
        pool: RatingPool::new(game, &table.options, clock),
        users: member_names(table)
            .map(|name| name.and_then(user))
            .collect(),
    })
}

/// Returns the names of the members in the seats of a listed table; `None` for everybody else.
fn member_names(table: &TableSummary) -> impl Iterator<Item = Option<&str>> {
    let seats = table.seats.as_array().into_iter().flatten();
    seats.map(|seat| seat["name"].as_str().filter(|_| seat["member"] == true))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pool(game: &str, options: Value, clock: Option<TimeControl>) -> RatingPool {
        let game = GameKind::from_name(game).unwrap();
        let options = game.start(&options).unwrap().options();
        RatingPool::new(game, &options, clock)
    }

    #[test]
    fn each_variant_and_pace_has_a_key_that_reads_back() {
        let total = |ms| TimeControl::total(ms, 0).ok();
        let gomoku = json!({ "rows": 15, "columns": 15, "k": 5 });
        for (pool, key) in [
            (pool("mnk", json!({}), None), "mnk"),
            (pool("mnk", json!({}), total(60_000)), "mnk@bullet"),
            (pool("mnk", gomoku.clone(), None), "mnk:15x15x5"),
            (pool("mnk", gomoku, total(300_000)), "mnk:15x15x5@blitz"),
            (pool("ultimate", json!({}), total(360_000)), "ultimate"),
            (pool("ultimate", json!({}), None), "ultimate@none"),
            (
                pool("ultimate", json!({ "won_boards": "open" }), total(360_000)),
                "ultimate:open",
            ),
            (
                pool(
                    "backgammon",
                    json!({ "length": 5 }),
                    TimeControl::correspondence(3).ok(),
                ),
                "backgammon:match@days",
            ),
        ] {
            assert_eq!(pool.key(), key);
            assert_eq!(RatingPool::from_key(key), Some(pool));
        }
        assert_eq!(RatingPool::from_key("chess"), None);
        assert_eq!(RatingPool::from_key("mnk@slow"), None);
    }

    #[test]
    fn a_team_has_one_record_at_all_paces() {
        let clocked = pool("pandemic", json!({}), TimeControl::total(600_000, 0).ok());
        assert_eq!(clocked.key(), "pandemic");
    }
}
