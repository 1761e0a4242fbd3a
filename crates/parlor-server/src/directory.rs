//! Directory of bots: those of the house, by game, and members' bots that have finished a game.

use std::collections::HashMap;

use parlor_games::GameKind;
use parlor_games::bots::{self, BotInfo};
use parlor_store::{Rating, User};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::AppState;
use crate::error::Error;
use crate::profiles::GameRating;

/// A bot of a member, with its ratings.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MemberBot {
    /// Account name of the bot.
    pub(crate) name: String,
    /// Name of the member to whom it belongs.
    pub(crate) owner: Option<String>,
    /// Creation time, in milliseconds since the Unix epoch.
    pub(crate) joined_at: i64,
    /// Ratings and results in each game played.
    pub(crate) games: Vec<GameRating>,
}

/// Returns the house's bots that play a game with its default options, weakest first.
pub(crate) fn house_bots(kind: GameKind) -> Vec<BotInfo> {
    let position = kind.start(&Value::Null);
    position.map_or_else(|_| Vec::new(), |position| bots::list(&position))
}

impl AppState {
    /// Returns members' bots that have finished a game, ordered by name: at most `limit` after a name.
    pub(crate) async fn member_bots(
        &self,
        after: Option<&str>,
        limit: u64,
    ) -> Result<Vec<MemberBot>, Error> {
        let bots = self.store().bots_with_games(after, limit).await?;
        let owners: Vec<i64> = bots.iter().filter_map(|bot| bot.owner).collect();
        let names = self.store().names_of(&owners).await?;
        let ids: Vec<i64> = bots.iter().map(|bot| bot.id).collect();
        let mut games: HashMap<i64, Vec<Rating>> = HashMap::new();
        for rating in self.store().ratings_of_all(&ids).await? {
            games.entry(rating.user_id).or_default().push(rating);
        }
        let entry = |bot: User| {
            let played = games.remove(&bot.id).unwrap_or_default();
            MemberBot {
                owner: bot.owner.and_then(|owner| names.get(&owner).cloned()),
                name: bot.name,
                joined_at: bot.created_at,
                games: played.into_iter().map(GameRating::from).collect(),
            }
        };
        Ok(bots.into_iter().map(entry).collect())
    }
}
