//! Public profiles of members: ratings, rating history, tables.

use parlor_games::GameKind;
use parlor_store::{
    ListPage, PlayerFilter, PlayerRole, RankedAccount, Rating, RatingChange, RowStatus, TableRow,
    User, UserKind,
};
use parlor_table::TableId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::store_id;
use crate::auth::Member;
use crate::error::Error;
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
    /// Ratings and results in each game played.
    pub(crate) games: Vec<GameRating>,
}

/// A member's ratings and results in one game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameRating {
    /// Name of the game.
    pub(crate) game: String,
    /// Elo rating, 1000 initially if no playing strength was declared.
    pub(crate) elo: i32,
    /// Glicko-2 rating.
    pub(crate) glicko: GlickoRating,
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
            rating: tenths(standing.glicko.rating),
            deviation: tenths(standing.glicko.deviation),
            provisional: standing.glicko.is_provisional(),
        };
        let (wins, losses, draws) = (standing.wins, standing.losses, standing.draws);
        GameRating {
            game,
            elo: standing.elo,
            glicko,
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
    /// `win`, `draw` or `loss`.
    pub(crate) score: &'static str,
    /// Elo rating before the game.
    pub(crate) elo_before: i32,
    /// Elo rating after the game.
    pub(crate) elo: i32,
    /// Glicko-2 rating after the game.
    pub(crate) glicko: f64,
    /// Glicko-2 deviation after the game.
    pub(crate) deviation: f64,
}

impl From<RatingChange> for RatingPoint {
    fn from(change: RatingChange) -> RatingPoint {
        RatingPoint {
            at: change.at,
            score: change.score.as_str(),
            elo_before: change.elo_before,
            elo: change.elo_after,
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
    /// Ratings and results of the member.
    #[serde(flatten)]
    pub(crate) rating: GameRating,
}

impl From<RankedAccount> for LeaderboardEntry {
    fn from(ranked: RankedAccount) -> LeaderboardEntry {
        LeaderboardEntry {
            name: ranked.name,
            kind: ranked.kind.as_str(),
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

    /// Returns the effects of an account's last rated games, oldest first.
    pub(crate) async fn rating_points(
        &self,
        user: i64,
        game: GameKind,
    ) -> Result<Vec<RatingPoint>, Error> {
        let history = self
            .store()
            .rating_history(user, game.name(), MAX_POINTS)
            .await?;
        Ok(history.into_iter().map(RatingPoint::from).collect())
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

    /// Returns the members with the highest Elo in a game, after this Elo and name.
    pub(crate) async fn leaderboard(
        &self,
        game: GameKind,
        limit: u64,
        after: Option<(i32, &str)>,
    ) -> Result<Vec<LeaderboardEntry>, Error> {
        let ranked = self.store().leaderboard(game.name(), limit, after).await?;
        Ok(ranked.into_iter().map(LeaderboardEntry::from).collect())
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
