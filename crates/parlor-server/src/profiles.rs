//! What everybody may know of a member: how they stand, how they came there, what they played.

use parlor_games::GameKind;
use parlor_store::{
    Page, PlayerFilter, Ranked, Rating, RatingChange, Role, Row, Status, User, UserKind,
};
use parlor_table::TableId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::number;
use crate::auth::Member;
use crate::error::Error;
use crate::tables::{Listed, listed};

/// The most games that a graph shows.
pub(crate) const MOST_POINTS: u64 = 500;
/// The most tables that are looked through for a list of those that may be shown.
const MOST_LOOKED_AT: u64 = 1000;
/// The most tables of one's own that are going on.
const MOST_CURRENT: u64 = 500;

/// A member as everybody sees them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Profile {
    /// The name.
    pub(crate) name: String,
    /// `person` or `bot`.
    pub(crate) kind: &'static str,
    /// Whom a bot belongs to.
    pub(crate) owner: Option<String>,
    /// How strong they say they are: `beginner`, `casual`, `club`, `strong`, or `undeclared`.
    pub(crate) level: &'static str,
    /// Whether they are shut out.
    pub(crate) banned: bool,
    /// When the account was made, in milliseconds since 1970.
    pub(crate) joined_at: i64,
    /// How they stand in each game that they have played.
    pub(crate) games: Vec<GameRating>,
}

/// How a member stands in a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GameRating {
    /// The game's name.
    pub(crate) game: String,
    /// The Elo: 1000 at the start if no level was declared.
    pub(crate) elo: i32,
    /// The Glicko-2 rating.
    pub(crate) glicko: GlickoRating,
    /// Games won, rated or not.
    pub(crate) wins: u32,
    /// Games lost.
    pub(crate) losses: u32,
    /// Games drawn.
    pub(crate) draws: u32,
    /// When the last game ended, in milliseconds since 1970.
    pub(crate) updated_at: i64,
}

/// A Glicko-2 rating.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct GlickoRating {
    /// The rating: 1500 at the start.
    pub(crate) rating: f64,
    /// How unsure it is: with 95 % the strength lies within twice this much.
    pub(crate) deviation: f64,
    /// Whether it is no more than a guess so far.
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
            provisional: standing.glicko.provisional(),
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

/// What a rated game did to a member's rating.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Point {
    /// When the game ended, in milliseconds since 1970.
    pub(crate) at: i64,
    /// `win`, `draw` or `loss`.
    pub(crate) score: &'static str,
    /// The Elo before the game.
    pub(crate) elo_before: i32,
    /// The Elo after it.
    pub(crate) elo: i32,
    /// The Glicko-2 rating after it.
    pub(crate) glicko: f64,
    /// The deviation after it.
    pub(crate) deviation: f64,
}

impl From<RatingChange> for Point {
    fn from(change: RatingChange) -> Point {
        Point {
            at: change.at,
            score: change.score.as_str(),
            elo_before: change.elo_before,
            elo: change.elo_after,
            glicko: tenths(change.glicko_after),
            deviation: tenths(change.deviation_after),
        }
    }
}

/// A place on a leaderboard.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Place {
    /// The member's name.
    pub(crate) name: String,
    /// `person` or `bot`.
    pub(crate) kind: &'static str,
    /// How they stand.
    #[serde(flatten)]
    pub(crate) rating: GameRating,
}

impl From<Ranked> for Place {
    fn from(ranked: Ranked) -> Place {
        Place {
            name: ranked.name,
            kind: ranked.kind.as_str(),
            rating: ranked.rating.into(),
        }
    }
}

/// A table of one's own that is going on.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Current {
    /// The table.
    #[serde(flatten)]
    pub(crate) table: Listed,
    /// Whether it waits for you.
    pub(crate) my_turn: bool,
}

impl AppState {
    /// The account with this name.
    pub(crate) async fn player(&self, name: &str) -> Result<User, Error> {
        let found = self.store().user_by_name(name).await?;
        found.ok_or_else(|| Error::not_found("there is nobody of that name"))
    }

    /// What everybody may know of an account.
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

    /// What the last rated games in a game did to an account's rating, the oldest first.
    pub(crate) async fn points(&self, user: i64, game: GameKind) -> Result<Vec<Point>, Error> {
        let history = self
            .store()
            .rating_history(user, game.name(), MOST_POINTS)
            .await?;
        Ok(history.into_iter().map(Point::from).collect())
    }

    /// The tables of an account that somebody may see, newest first: those that are listed, or all for the member whose
    /// they are.
    pub(crate) async fn tables_of(
        &self,
        user: i64,
        who: Option<&Member>,
        before: Option<TableId>,
        limit: u64,
    ) -> Result<Vec<Listed>, Error> {
        let all = who.is_some_and(|who| number(who.id) == user);
        let filter = PlayerFilter {
            roles: vec![Role::Seated],
            ..PlayerFilter::default()
        };
        let mut page = Page {
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
            if !full || shown.len() as u64 >= limit || looked_at >= MOST_LOOKED_AT {
                break;
            }
        }
        shown.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        shown.into_iter().map(listed).collect()
    }

    /// A member's tables that are going on or wait for others: those that wait for the member first, then the newest.
    pub(crate) async fn current_tables(&self, member: &Member) -> Result<Vec<Current>, Error> {
        let filter = PlayerFilter {
            statuses: vec![Status::Open, Status::Playing],
            roles: vec![Role::Seated],
        };
        let page = Page {
            before: None,
            limit: MOST_CURRENT,
        };
        let rows = self
            .store()
            .tables_of(number(member.id), &filter, &page)
            .await?;
        let current = |(row, _): (Row, Role)| {
            let my_turn = is_turn_of(&row, member);
            Ok(Current {
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

    /// The best in a game, after the place of this Elo and name.
    pub(crate) async fn leaderboard(
        &self,
        game: GameKind,
        limit: u64,
        after: Option<(i32, &str)>,
    ) -> Result<Vec<Place>, Error> {
        let ranked = self.store().leaderboard(game.name(), limit, after).await?;
        Ok(ranked.into_iter().map(Place::from).collect())
    }
}

/// Whether the seat on turn is the member's. Only one member has a name.
fn is_turn_of(row: &Row, member: &Member) -> bool {
    let Some(turn) = row
        .turn
        .as_deref()
        .filter(|_| row.status == Status::Playing)
    else {
        return false;
    };
    let seats = row.seats.as_array().into_iter().flatten();
    let theirs =
        |seat: &&serde_json::Value| seat["member"] == true && seat["name"] == member.name.as_str();
    seats.filter(theirs).any(|seat| seat["label"] == turn)
}

/// Rounded to one digit behind the point: more would be a promise.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
