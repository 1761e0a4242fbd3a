//! Endpoint for the catalogue of games.

use axum::Json;
use parlor_games::bots::{self, BotInfo};
use parlor_games::{GameClock, GameKind, Preset};
use parlor_table::TimeControl;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::schema::{GameOptionsRequestSchema, TimeControlSchema};

/// A supported game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameInfo {
    /// Name of the game in this API.
    name: &'static str,
    /// Display name.
    title: &'static str,
    /// One-sentence description.
    summary: &'static str,
    /// Short rules; paragraphs are separated by empty lines.
    rules: &'static str,
    /// True if the game has dice or cards.
    has_luck: bool,
    /// JSON Schema of the game's options.
    #[schema(value_type = Object)]
    options: Value,
    /// Named sets of options.
    presets: Vec<GamePreset>,
    /// Bots for the default options, weakest first.
    bots: Vec<GameBot>,
}

/// A named set of options.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GamePreset {
    title: &'static str,
    /// Name of the difficulty, for games that are won or lost together.
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<&'static str>,
    /// Sentence that tells how often bots win, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    bots_win: Option<String>,
    /// Clock of a game between people, unless another one or none is chosen; omitted if there is none.
    #[schema(value_type = Option<TimeControlSchema>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    usual_clock: Option<TimeControl>,
    /// Clocks that players use.
    #[schema(value_type = Vec<TimeControlSchema>)]
    clocks: Vec<TimeControl>,
    #[schema(value_type = Option<GameOptionsRequestSchema>, required)]
    options: Value,
}

/// A built-in bot.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameBot {
    /// Identifier to request the bot by.
    spec: String,
    /// Level and style of play.
    title: &'static str,
    /// Personal name, alike in every game; `null` for bots that are no level.
    name: Option<&'static str>,
    /// Strength from 1 to 5; `null` for bots that are no level.
    level: Option<u8>,
}

impl From<BotInfo> for GameBot {
    fn from(bot: BotInfo) -> GameBot {
        let BotInfo {
            spec,
            title,
            name,
            level,
        } = bot;
        GameBot {
            spec,
            title,
            name,
            level,
        }
    }
}

/// Lists the games with their options, presets and bots.
#[utoipa::path(
    get, path = "/games", operation_id = "list_games", tag = "games",
    responses((status = OK, description = "All games of this server", body = Vec<GameInfo>))
)]
pub(crate) async fn catalogue() -> Json<Vec<GameInfo>> {
    Json(GameKind::all().iter().map(|kind| game(*kind)).collect())
}

fn game(kind: GameKind) -> GameInfo {
    let bots = kind
        .start(&Value::Null)
        .map(|position| bots::list(&position))
        .unwrap_or_default();
    GameInfo {
        name: kind.name(),
        title: kind.title(),
        summary: kind.summary(),
        rules: kind.rules(),
        has_luck: kind.has_luck(),
        options: kind.options_schema(),
        presets: kind
            .presets()
            .into_iter()
            .map(|Preset { title, options }| {
                let difficulty = kind.difficulty(&options);
                let clock = |clock: GameClock| TimeControl::try_from(clock).ok();
                GamePreset {
                    title,
                    difficulty: difficulty.as_ref().map(|difficulty| difficulty.name),
                    bots_win: difficulty.and_then(|difficulty| difficulty.bots),
                    usual_clock: kind.usual_clock(&options).and_then(clock),
                    clocks: kind
                        .clocks(&options)
                        .into_iter()
                        .filter_map(clock)
                        .collect(),
                    options,
                }
            })
            .collect(),
        bots: bots.into_iter().map(GameBot::from).collect(),
    }
}
