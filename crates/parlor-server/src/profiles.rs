//! Public profiles of members: ratings, rating history, tables.

use std::collections::{BTreeSet, HashMap};

use parlor_store::{
    ListPage, PlayerFilter, PlayerRole, RankedAccount, Rating, RatingChange, RowStatus, TableRow,
    User, UserKind,
};
use parlor_table::{Pace, TableId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::store_id;
use crate::auth::Member;
use crate::error::Error;
use crate::live::table_id;
use crate::ratings::RatingPool;
use crate::tables::{TableSummary, listed};

/// Maximum number of games in a rating history.
pub(crate) const MAX_POINTS: u64 = 500;
/// Maximum number of tables examined for a list of visible ones.
const MAX_LOOKED_AT: u64 = 1000;
/// Maximum number of a member's current tables.
const MAX_CURRENT: u64 = 500;

/// Public profile of a member.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Profile {
    /// Account name.
    pub(crate) name: String,
    /// `person` or `bot`.
    pub(crate) kind: &'static str,
    /// Owner of a bot account.
    pub(crate) owner: Option<String>,
    /// Declared playing strength: `beginner`, `casual`, `club`, `strong`, or `undeclared`.
    pub(crate) level: &'static str,
    /// True if the account is banned.
    pub(crate) banned: bool,
    /// Creation time, in milliseconds since the Unix epoch.
    pub(crate) joined_at: i64,
    /// Ratings and results in each variant of a game, at each pace.
    pub(crate) games: Vec<GameRating>,
}

/// A member's ratings and results in one variant of a game, at one pace.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameRating {
    /// Name of the game.
    pub(crate) game: String,
    /// Key of the variant; empty for the usual one.
    #[schema(example = "15x15x5")]
    pub(crate) variant: String,
    /// Pace: `none`, `bullet`, `blitz`, `rapid` or `days`.
    pub(crate) pace: &'static str,
    /// Variant and pace in words.
    #[schema(example = "Gomoku 15 × 15 · Blitz")]
    pub(crate) words: String,
    /// Glicko-2 rating, the one that is shown first.
    pub(crate) glicko: GlickoRating,
    /// Elo rating, 1000 initially if no playing strength was declared.
    pub(crate) elo: i32,
    /// Games won, rated or not.
    pub(crate) wins: u32,
    /// Games lost, rated or not.
    pub(crate) losses: u32,
    /// Games drawn, rated or not.
    pub(crate) draws: u32,
    /// Time of the last game's end, in milliseconds since the Unix epoch.
    pub(crate) updated_at: i64,
}

/// A Glicko-2 rating.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GlickoRating {
    /// Rating, 1500 initially.
    pub(crate) rating: f64,
    /// Rating deviation: the true strength lies within two deviations with 95 % confidence.
    pub(crate) deviation: f64,
    /// True while the deviation is too large for a reliable rating.
    pub(crate) provisional: bool,
}

impl From<Rating> for GameRating {
    fn from(rating: Rating) -> GameRating {
        let Rating {
            game,
            standing,
            updated_at,
            ..
        } = rating;
        let glicko = GlickoRating {
            rating: tenths(standing.glicko.rating()),
            deviation: tenths(standing.glicko.deviation()),
            provisional: standing.glicko.is_provisional(),
        };
        let (wins, losses, draws) = (standing.wins, standing.losses, standing.draws);
        let pool = RatingPool::from_key(&game);
        GameRating {
            game: pool
                .as_ref()
                .map_or(game, |pool| pool.game.name().to_owned()),
            pace: pool.as_ref().map_or(Pace::None, |pool| pool.pace).name(),
            words: pool.as_ref().map(RatingPool::words).unwrap_or_default(),
            variant: pool.map(|pool| pool.variant.key).unwrap_or_default(),
            glicko,
            elo: standing.elo,
            wins,
            losses,
            draws,
            updated_at,
        }
    }
}

/// Effect of a rated game on a member's ratings.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RatingPoint {
    /// Time of the game's end, in milliseconds since the Unix epoch.
    pub(crate) at: i64,
    /// Table of the game; `null` if it is not listed, or was deleted.
    #[schema(value_type = Option<String>)]
    pub(crate) table: Option<TableId>,
    /// Name of the opponent.
    pub(crate) opponent: Option<String>,
    /// `win`, `draw` or `loss`.
    pub(crate) score: &'static str,
    /// Elo rating before the game.
    pub(crate) elo_before: i32,
    /// Elo rating after the game.
    pub(crate) elo: i32,
    /// Glicko-2 rating before the game.
    pub(crate) glicko_before: f64,
    /// Glicko-2 rating after the game.
    pub(crate) glicko: f64,
    /// Glicko-2 deviation after the game.
    pub(crate) deviation: f64,
}

impl RatingPoint {
    /// Creates the point of a change. `names` are those of opponents.
    pub(crate) fn new(change: &RatingChange, names: &HashMap<i64, String>) -> RatingPoint {
        let opponent = change.opponent.and_then(|user| names.get(&user).cloned());
        RatingPoint {
            at: change.at,
            table: table_id(change.table_id),
            opponent,
            score: change.score.as_str(),
            elo_before: change.elo_before,
            elo: change.elo_after,
            glicko_before: tenths(change.glicko_before),
            glicko: tenths(change.glicko_after),
            deviation: tenths(change.deviation_after),
        }
    }
}

/// A leaderboard entry.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LeaderboardEntry {
    /// Name of the member.
    pub(crate) name: String,
    /// `person` or `bot`.
    pub(crate) kind: &'static str,
    /// Owner of a bot account; `null` for people.
    pub(crate) owner: Option<String>,
    /// Ratings and results of the member.
    #[serde(flatten)]
    pub(crate) rating: GameRating,
    /// Glicko-2 rating with all its digits, by which the list goes on.
    #[serde(skip)]
    pub(crate) exact: f64,
}

impl LeaderboardEntry {
    /// Creates the entry of an account. `names` are those of the owners of bots.
    fn new(ranked: RankedAccount, names: &HashMap<i64, String>) -> LeaderboardEntry {
        LeaderboardEntry {
            name: ranked.name,
            kind: ranked.kind.as_str(),
            owner: ranked.owner.and_then(|owner| names.get(&owner).cloned()),
            exact: ranked.rating.standing.glicko.rating(),
            rating: ranked.rating.into(),
        }
    }
}

/// One of your current tables.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CurrentTable {
    /// The table.
    #[serde(flatten)]
    pub(crate) table: TableSummary,
    /// True if it is your turn.
    pub(crate) my_turn: bool,
}

impl AppState {
    /// Returns the account with this name.
    pub(crate) async fn find_user(&self, name: &str) -> Result<User, Error> {
        let found = self.store().user_by_name(name).await?;
        found.ok_or_else(|| Error::not_found("there is no member with that name"))
    }

    /// Returns the public profile of an account.
    pub(crate) async fn profile(&self, user: &User) -> Result<Profile, Error> {
        let owner = match (user.kind, user.owner) {
            (UserKind::Bot, Some(owner)) => self.store().user(owner).await?.map(|owner| owner.name),
            _ => None,
        };
        let games = self.store().ratings_of(user.id).await?;
        Ok(Profile {
            name: user.name.clone(),
            kind: user.kind.as_str(),
            owner,
            level: user.level.as_str(),
            banned: user.ban.is_some(),
            joined_at: user.created_at,
            games: games.into_iter().map(GameRating::from).collect(),
        })
    }

    /// Returns the effects of an account's last rated games in a pool, oldest first. Tables that are not
    /// listed are not named.
    pub(crate) async fn rating_points(
        &self,
        user: i64,
        pool: &RatingPool,
    ) -> Result<Vec<RatingPoint>, Error> {
        let key = pool.key();
        let history = self.store().rating_history(user, &key, MAX_POINTS).await?;
        let names = self.opponents(&history).await?;
        let tables: Vec<i64> = history.iter().map(|change| change.table_id).collect();
        let listed = self.store().listed_among(&tables).await?;
        let point = |change: &RatingChange| {
            let mut point = RatingPoint::new(change, &names);
            point.table = point.table.filter(|_| listed.contains(&change.table_id));
            point
        };
        Ok(history.iter().map(point).collect())
    }

    /// Returns the names of the opponents in these games.
    pub(crate) async fn opponents(
        &self,
        history: &[RatingChange],
    ) -> Result<HashMap<i64, String>, Error> {
        let users: BTreeSet<i64> = history
            .iter()
            .filter_map(|change| change.opponent)
            .collect();
        let users: Vec<i64> = users.into_iter().collect();
        Ok(self.store().names_of(&users).await?)
    }

    /// Returns the visible tables of an account, newest first: the listed ones, or all of them for
    /// the member itself.
    pub(crate) async fn tables_of(
        &self,
        user: i64,
        who: Option<&Member>,
        before: Option<TableId>,
        limit: u64,
    ) -> Result<Vec<TableSummary>, Error> {
        let all = who.is_some_and(|who| store_id(who.id) == user);
        let filter = PlayerFilter {
            roles: vec![PlayerRole::Seated],
            ..PlayerFilter::default()
        };
        let mut page = ListPage {
            before: before.and_then(|id| i64::try_from(id.number()).ok()),
            limit,
        };
        let (mut shown, mut looked_at) = (Vec::new(), 0);
        loop {
            let rows = self.store().tables_of(user, &filter, &page).await?;
            let full = rows.len() as u64 == page.limit;
            looked_at += page.limit;
            page.before = rows.last().map(|(row, _)| row.id);
            shown.extend(
                rows.into_iter()
                    .map(|(row, _)| row)
                    .filter(|row| all || row.listed),
            );
            if !full || shown.len() as u64 >= limit || looked_at >= MAX_LOOKED_AT {
                break;
            }
        }
        shown.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        shown.into_iter().map(listed).collect()
    }

    /// Returns a member's tables that are in progress or open: those where it is the member's turn
    /// first, then the newest.
    pub(crate) async fn current_tables(&self, member: &Member) -> Result<Vec<CurrentTable>, Error> {
        let filter = PlayerFilter {
            statuses: vec![RowStatus::Open, RowStatus::Playing],
            roles: vec![PlayerRole::Seated],
        };
        let page = ListPage {
            before: None,
            limit: MAX_CURRENT,
        };
        let rows = self
            .store()
            .tables_of(store_id(member.id), &filter, &page)
            .await?;
        let current = |(row, _): (TableRow, PlayerRole)| {
            let my_turn = is_turn_of(&row, member);
            Ok(CurrentTable {
                table: listed(row)?,
                my_turn,
            })
        };
        let mut tables = rows
            .into_iter()
            .map(current)
            .collect::<Result<Vec<_>, Error>>()?;
        tables.sort_by_key(|table| !table.my_turn);
        Ok(tables)
    }

    /// Returns the members with the highest Glicko-2 ratings in a pool, after this rating and name.
    pub(crate) async fn leaderboard(
        &self,
        pool: &RatingPool,
        limit: u64,
        after: Option<(f64, &str)>,
    ) -> Result<Vec<LeaderboardEntry>, Error> {
        let key = pool.key();
        let ranked = self.store().leaderboard(&key, limit, after).await?;
        let owners: Vec<i64> = ranked.iter().filter_map(|ranked| ranked.owner).collect();
        let names = self.store().names_of(&owners).await?;
        let entry = |ranked: RankedAccount| LeaderboardEntry::new(ranked, &names);
        Ok(ranked.into_iter().map(entry).collect())
    }
}

/// Returns true if the seat on turn is the member's. Account names are unique.
fn is_turn_of(row: &TableRow, member: &Member) -> bool {
    let Some(turn) = row
        .turn
        .as_deref()
        .filter(|_| row.status == RowStatus::Playing)
    else {
        return false;
    };
    let seats = row.seats.as_array().into_iter().flatten();
    let theirs =
        |seat: &&serde_json::Value| seat["member"] == true && seat["name"] == member.name.as_str();
    seats.filter(theirs).any(|seat| seat["label"] == turn)
}

/// Rounds to one decimal place, since more would suggest false precision.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
