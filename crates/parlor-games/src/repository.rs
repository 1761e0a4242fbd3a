//! Games as files of a repository: what a table's `state.json` and its move files say, for every game.
//!
//! Backgammon's files have the format that was published for it (see [`crate::backgammon::state`]); the other games have the same
//! envelope around their own view. Who may write such files, and when, is decided above; here they are read and written.
//!
//! ```
//! use parlor_core::Seat;
//! use parlor_games::GameKind;
//! use parlor_games::repository::{MoveFile, seat_words};
//!
//! let start = GameKind::Mnk.start(&serde_json::Value::Null)?;
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
//! # Ok::<(), parlor_games::OptionsError>(())
//! ```

mod moves;
mod name;
mod schema;
mod state;
mod told;

use parlor_core::Seat;

use crate::AnyPosition;

pub use moves::MoveFile;
pub use name::MoveName;
pub use schema::{Schema, schemas};
pub use state::{Beside, LastMove, Note, NoteKind, notes, state_file};
pub use told::{told, turns};

pub use crate::backgammon::state::digest;

/// What the seats are called in files: the seat's name at the start in lower case, as far as it is letters and digits.
pub fn seat_words(position: &AnyPosition) -> Vec<String> {
    // A role that is dealt later may change what people call a seat, but not what files do.
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
