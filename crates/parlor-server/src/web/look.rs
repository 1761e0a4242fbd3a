//! How somebody looks at a table: at which step, from which side, and with a move begun.

use std::sync::LazyLock;

use axum::http::HeaderMap;
use parlor_core::Seat;
use parlor_games::{AnyPosition, GameKind};
use parlor_table::TableId;
use serde_json::Value;

use super::memory;

/// The longest text of a draft that is read, in bytes.
const LONGEST_DRAFT: usize = 400;

/// What part of a table is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Look {
    /// How many moves and draws the picture shall show; all when not said.
    pub(super) step: Option<usize>,
    /// What was done of a move, in the words of its clicks.
    pub(super) draft: Option<String>,
    /// How many moves and draws there were when the move was begun; a draft of another moment is dropped.
    pub(super) of: Option<usize>,
    /// Whether the board is turned around; what the browser remembers when not said.
    pub(super) flipped: Option<bool>,
}

impl Look {
    /// The draft, if one was begun.
    pub(super) fn begun(&self) -> Option<&str> {
        self.draft
            .as_deref()
            .filter(|draft| !draft.is_empty() && draft.len() <= LONGEST_DRAFT)
    }

    /// The address of a table's page as it is looked at.
    pub(super) fn address(&self, table: TableId) -> String {
        let step = self.step.map(|step| format!("step={step}"));
        let draft = self
            .begun()
            .map(|draft| format!("draft={}", encoded(draft)));
        let of = self.begun().and(self.of).map(|of| format!("of={of}"));
        let query: Vec<String> = [step, draft, of].into_iter().flatten().collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("/t/{table}{mark}{}", query.join("&"))
    }
}

/// A text as the query of an address carries it.
pub(super) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/,:*".contains(&byte);
    text.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// From which side a picture is seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sight {
    pub(super) seat: Option<Seat>,
    pub(super) flipped: bool,
}

impl Sight {
    /// What the page shows of a view of this position.
    pub(super) fn board(self, position: &AnyPosition, view: Value) -> String {
        if !flips(position.kind()) {
            return position
                .kind()
                .page(&view)
                .expect("a position's own view is one of its game");
        }
        position.page_for(view, self.seat, self.flipped)
    }
}

/// Games whose pictures depend on the side they are seen from.
static FLIPPING: LazyLock<Vec<GameKind>> = LazyLock::new(|| {
    let depends = |kind: &GameKind| {
        let Ok(start) = kind.start(&Value::Null) else {
            return false;
        };
        let page = |seat, flipped| start.page_for(start.view(None), Some(seat), flipped);
        let usual = page(Seat::FIRST, false);
        usual != page(Seat::FIRST, true) || usual != page(Seat::SECOND, false)
    };
    GameKind::ALL.iter().copied().filter(depends).collect()
});

/// Whether the board of a game can be turned around.
pub(super) fn flips(kind: GameKind) -> bool {
    FLIPPING.contains(&kind)
}

/// Whether this browser has turned the boards of a game around.
pub(super) fn flipped(headers: &HeaderMap, kind: GameKind) -> bool {
    flips(kind) && memory::flipped(headers).any(|game| game == kind.name())
}
