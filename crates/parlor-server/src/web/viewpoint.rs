//! The viewer's perspective on a table: the step on display, the side of the board, and a draft.

use std::sync::LazyLock;

use axum::http::HeaderMap;
use parlor_games::{GameKind, Perspective};
use parlor_table::TableId;
use serde_json::Value;

use super::cookies;

/// Maximum length of a draft's text, in bytes.
const LONGEST_DRAFT: usize = 400;

/// Requested view of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Viewpoint {
    /// Number of moves and draws that the picture shows; all of them if `None`.
    pub(super) step: Option<usize>,
    /// Steps of a draft, as the texts of its clicks.
    pub(super) draft: Option<String>,
    /// Number of moves and draws when the draft was begun. A draft from another position is
    /// dropped.
    pub(super) begun_at: Option<usize>,
    /// True if the steps up to the end of the game are being told: an earlier step is then shown as it
    /// was, without the result.
    pub(super) told: bool,
    /// True if the board is flipped; `None` uses the browser's cookie.
    pub(super) flipped: Option<bool>,
}

impl Viewpoint {
    /// Returns the draft, if one was begun.
    pub(super) fn draft(&self) -> Option<&str> {
        self.draft
            .as_deref()
            .filter(|draft| !draft.is_empty() && draft.len() <= LONGEST_DRAFT)
    }

    /// Returns the URL of a table's page with this view.
    pub(super) fn address(&self, table: TableId) -> String {
        let step = self.step.map(|step| format!("step={step}"));
        let draft = self
            .draft()
            .map(|draft| format!("draft={}", encoded(draft)));
        let of = self.draft().and(self.begun_at).map(|of| format!("of={of}"));
        let query: Vec<String> = [step, draft, of].into_iter().flatten().collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("/t/{table}{mark}{}", query.join("&"))
    }
}

/// Percent-encodes a text for the query of a URL.
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

/// Games whose boards can be turned around.
static FLIPPING: LazyLock<Vec<GameKind>> = LazyLock::new(|| {
    let depends = |kind: &GameKind| {
        let Ok(start) = kind.start(&Value::Null) else {
            return false;
        };
        let page = |flipped| {
            let perspective = Perspective {
                flipped,
                ..Perspective::default()
            };
            start.page_for(start.view(None), perspective)
        };
        page(false) != page(true)
    };
    GameKind::all().iter().copied().filter(depends).collect()
});

/// True if the board of a game can be flipped.
pub(super) fn can_flip(kind: GameKind) -> bool {
    FLIPPING.contains(&kind)
}

/// True if this browser has flipped the boards of a game.
pub(super) fn is_flipped(headers: &HeaderMap, kind: GameKind) -> bool {
    can_flip(kind) && cookies::flipped(headers).any(|game| game == kind.name())
}
