//! Games as files in a repository: a table's `state.json` and its move files, for every game.
//!
//! A game may have its own published files, its [`RepositoryFormat`]; all others use the same
//! envelope around their view. This module only reads and writes files; higher crates decide who
//! may write them and when.
//!
//! ```
//! use parlor_core::Seat;
//! use parlor_games::GameKind;
//! use parlor_games::repository::{MoveFile, seat_words};
//!
//! let start = GameKind::from_name("mnk")?.start(&serde_json::Value::Null)?;
//! assert_eq!(seat_words(&start), ["x", "o"]);
//! let file = MoveFile {
//!     seat: Seat::FIRST,
//!     text: "1,1".to_owned(),
//!     timestamp: "2026-11-22T08:00:00Z".to_owned(),
//!     expected_state: "0123456789abcdef".to_owned(),
//!     comment: None,
//! };
//! let (name, content) = file.write(&start, 1);
//! assert!(name.starts_with("0001-x-") && name.ends_with(".json"));
//! assert_eq!(MoveFile::read(&name, content.as_bytes(), &start), Ok(file));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod moves;
mod name;
mod narrative;
mod schema;
mod state;

use parlor_core::Seat;
use serde_json::Value;

use crate::AnyPosition;
use crate::files::Finding;

pub use moves::MoveFile;
pub use name::MoveName;
pub use narrative::{narrate, turns};
pub use schema::{FileSchema, schemas};
pub use state::{Note, NoteKind, TableState, TableStateMove, notes, state_file};

pub use crate::files::digest;

/// A game's own file formats, replacing the common envelope.
///
/// Every position passed in belongs to the game that returned the format.
pub trait RepositoryFormat: Send + Sync {
    /// Returns the JSON Schemas of the files, replacing those of the envelope.
    fn schemas(&self) -> Vec<FileSchema>;

    /// Reads a move file for a position; `None` if it has the common form.
    fn read_move(
        &self,
        position: &AnyPosition,
        name: &str,
        json: &Value,
    ) -> Option<Result<MoveFile, Vec<Finding>>>;

    /// Writes a move as JSON and as text; `None` to use the common form.
    fn write_move(&self, position: &AnyPosition, file: &MoveFile) -> Option<(Value, String)>;

    /// Writes `state.json` with these notes; `None` to use the envelope.
    fn write_state(
        &self,
        position: &AnyPosition,
        table: &TableState,
        notes: &[Note],
    ) -> Option<String>;

    /// Returns sentences that describe the effects of a move or chance; see [`narrate`].
    fn narrate(&self, before: &AnyPosition, text: &str, after: &AnyPosition) -> Vec<String>;

    /// Returns the number of turns a move took; see [`turns`].
    fn turns(&self, before: &AnyPosition, text: &str, after: &AnyPosition) -> u64;
}

/// Returns the names of the seats in files: each seat's name at the start, lowercase, letters and
/// digits only.
pub fn seat_words(position: &AnyPosition) -> Vec<String> {
    // A role dealt later may change a seat's displayed name, but not its name in files.
    let start = position.kind().start(&position.options());
    let named = start.as_ref().unwrap_or(position);
    let word = |seat: Seat| {
        let name = named.seat_name(seat).to_lowercase();
        let word: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        if word.is_empty() {
            format!("seat{}", seat.number())
        } else {
            word
        }
    };
    let mut words: Vec<String> = Seat::all(position.seats()).map(word).collect();
    let is_clear = (1..words.len()).all(|n| !words[..n].contains(&words[n]));
    if !is_clear {
        words = (1..=words.len()).map(|n| format!("player{n}")).collect();
    }
    words
}
