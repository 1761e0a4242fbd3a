//! The list of a house's tables.

use parlor_games::GameKind;
use serde::{Deserialize, Serialize};

use crate::files::{TableFile, to_pretty_json};
use crate::folder::TableFolder;
use crate::paths::{BOARD, INDEX, OVERVIEW, STATE, Slug, TABLE};

/// Contents of `tables/index.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableIndex {
    /// Tables, sorted by name.
    pub tables: Vec<IndexEntry>,
}

/// Table in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexEntry {
    /// Name of the table's folder.
    pub id: String,
    /// Name of the game.
    pub game: String,
    /// Title of the game.
    pub title: String,
    /// Players by the names of their seats.
    pub players: serde_json::Map<String, serde_json::Value>,
    /// `playing` or `completed`.
    pub status: String,
    /// Seat name of the winner, if any.
    pub winner: Option<String>,
    /// Number of the turn.
    pub turn: u64,
    /// Time of the last change, in RFC 3339.
    pub updated_at: String,
}

impl TableIndex {
    /// Returns the list as files: one for programs, and one for people with a picture of every
    /// table.
    pub fn files(&self) -> [(String, Option<Vec<u8>>); 2] {
        let mut text = "# Tables\n".to_owned();
        for entry in &self.tables {
            let IndexEntry {
                id,
                title,
                status,
                turn,
                ..
            } = entry;
            let players: Vec<String> = entry
                .players
                .iter()
                .map(|(seat, name)| format!("{} ({seat})", name.as_str().unwrap_or_default()))
                .collect();
            let progress = match &entry.winner {
                Some(winner) => format!("{winner} has won"),
                None if status == "completed" => "over".to_owned(),
                None => format!("turn {turn}"),
            };
            text.push_str(&format!(
                "\n## [{id}]({id})\n\n{title}, {}: {progress}.\n\n![The board]({id}/{BOARD})\n",
                players.join(", ")
            ));
        }
        [
            (INDEX.to_owned(), Some(to_pretty_json(self))),
            (OVERVIEW.to_owned(), Some(text.into_bytes())),
        ]
    }

    /// Updates the entry of a table from its files, or removes it if they cannot be read.
    pub fn update(&mut self, slug: &Slug, folder: &TableFolder) {
        self.tables.retain(|entry| entry.id != slug.as_str());
        let (Ok(table), Ok(state)) = (
            folder.read::<TableFile>(TABLE),
            folder.read::<serde_json::Value>(STATE),
        ) else {
            return;
        };
        let field = |name: &str| state[name].as_str().map(str::to_owned);
        self.tables.push(IndexEntry {
            id: slug.to_string(),
            title: GameKind::from_name(&table.game)
                .map_or(table.game.clone(), |kind| kind.title().to_owned()),
            game: table.game,
            players: table.players,
            status: field("status").unwrap_or_default(),
            winner: field("winner"),
            turn: state["turn"].as_u64().unwrap_or_default(),
            updated_at: field("updatedAt").unwrap_or_default(),
        });
        self.tables.sort_by(|one, other| one.id.cmp(&other.id));
    }
}
