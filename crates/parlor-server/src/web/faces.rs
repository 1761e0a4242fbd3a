//! Names and faces of the house's bots on pages.

use maud::{Markup, Render, html};
use parlor_games::bots::{self, BotInfo};
use parlor_table::{SeatView, Table, TableView};

/// Colors of the faces: of bots that are no level, and of each level.
const COLORS: [&str; 6] = [
    "#a5a5a5", "#d0ab3a", "#e58160", "#c09467", "#86a9c9", "#a79bd6",
];

/// Face of a bot of the house: a bird with a feather in its crest for each level. It says nothing that is
/// not said in words beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    /// Strength from 1 to 5; 0 for bots that are no level.
    level: u8,
    /// Width and height, in pixels.
    size: u8,
}

impl Face {
    /// Returns the face of a bot, as small as a line of small text.
    pub(super) fn new(bot: &BotInfo) -> Face {
        Face {
            level: bot.level.unwrap_or_default(),
            size: 16,
        }
    }

    /// Returns the same face in another size, in pixels.
    pub(super) fn sized(self, size: u8) -> Face {
        Face { size, ..self }
    }
}

impl Render for Face {
    fn render(&self) -> Markup {
        let Face { level, size } = *self;
        let color = COLORS.get(usize::from(level)).unwrap_or(&COLORS[0]);
        // The tips of the feathers are four apart, around the middle of the picture.
        let feather = |n: u8| format!("M12 14 {} 2", 14 + 4 * n - 2 * level);
        let crest: String = (0..level).map(feather).collect();
        html! {
            svg class={ "face face-" (level) } viewBox="0 0 24 24" width=(size) height=(size) aria-hidden="true" {
                @if level > 0 { path d=(crest) stroke="currentColor" stroke-width="2" {} }
                circle cx="12" cy="14" r="9" fill=(color) {}
                path d="M8 13h.1M16 13h.1" stroke="#111" stroke-width="3" stroke-linecap="round" {}
                path d="M9 16h6l-3 4z" fill="#a8361e" {}
            }
        }
    }
}

/// Replaces the specs of the house's bots by their levels and names. Returns their faces by seat; `None`
/// for all others.
pub(super) fn name_bots(view: &mut TableView, table: &Table) -> Vec<Option<Face>> {
    let seats = view.seats.iter_mut();
    seats.map(|seat| name_bot(seat, table)).collect()
}

fn name_bot(seat: &mut SeatView, table: &Table) -> Option<Face> {
    if seat.kind != "bot" || seat.owner.is_some() {
        return None;
    }
    let bot = bots::find(table.position(), seat.name.as_deref()?)?;
    seat.name = Some(bot.label());
    Some(Face::new(&bot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_has_a_feather_for_each_level_around_its_middle() {
        let face = |level| Face { level, size: 16 }.render().into_string();
        assert!(face(1).contains(r#"d="M12 14 12 2""#), "{}", face(1));
        assert!(face(2).contains(r#"d="M12 14 10 2M12 14 14 2""#));
        assert_eq!(face(5).matches("M12 14").count(), 5);
        assert!(!face(0).contains("M12 14"));
        for level in 0..=5 {
            let face = face(level);
            assert!(face.len() < 400 && face.contains("aria-hidden"), "{face}");
        }
    }
}
