//! The catalogue of games.

use axum::Json;
use parlor_games::bots::{self, BotInfo};
use parlor_games::{GameKind, Preset};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A game of the house.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Game {
    /// Its name in this API.
    name: &'static str,
    /// Its name for people.
    title: &'static str,
    /// The game in one sentence.
    summary: &'static str,
    /// The rules in a few sentences; paragraphs are separated by empty lines.
    rules: &'static str,
    /// Whether luck decides anything.
    has_luck: bool,
    /// The options it takes, as a JSON Schema.
    #[schema(value_type = Object)]
    options: Value,
    /// Well-known options.
    presets: Vec<GamePreset>,
    /// Its bots under the usual options, weakest first.
    bots: Vec<GameBot>,
}

/// Options with a name.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GamePreset {
    title: &'static str,
    #[schema(value_type = Option<Object>, required)]
    options: Value,
}

/// A bot of the house.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameBot {
    /// How to ask for it.
    spec: String,
    /// What it is called.
    title: &'static str,
}

/// The games there are, with their options, presets and bots.
#[utoipa::path(get, path = "/games", tag = "games", responses((status = OK, body = Vec<Game>)))]
pub(crate) async fn catalogue() -> Json<Vec<Game>> {
    Json(GameKind::ALL.iter().map(|kind| game(*kind)).collect())
}

fn game(kind: GameKind) -> Game {
    let bots = kind
        .start(&Value::Null)
        .map(|position| bots::list(&position))
        .unwrap_or_default();
    Game {
        name: kind.name(),
        title: kind.title(),
        summary: kind.summary(),
        rules: kind.rules(),
        has_luck: kind.has_luck(),
        options: kind.options_schema(),
        presets: kind
            .presets()
            .into_iter()
            .map(|Preset { title, options }| GamePreset { title, options })
            .collect(),
        bots: bots
            .into_iter()
            .map(|BotInfo { spec, title }| GameBot { spec, title })
            .collect(),
    }
}
