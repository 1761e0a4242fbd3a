//! How a table came to where it stands: what was played, how long it took, and how the clocks stood in between.

use parlor_core::Seat;
use parlor_games::AnyPosition;
use parlor_table::{ClockView, Event, Table, Timestamp};

/// A move or draw that stands.
pub(super) struct Played {
    /// Whose move; nothing when luck decided.
    pub(super) seat: Option<u8>,
    /// In words.
    pub(super) label: String,
    /// Whether it shows on the board.
    pub(super) marks: bool,
    /// How long the player took, in milliseconds; nothing for draws, the first move, and at tables without clocks.
    pub(super) took: Option<i64>,
    /// Number of its event.
    version: u64,
}

/// What was played and drawn, without what was taken back.
pub(super) fn played(table: &Table) -> Vec<Played> {
    let timed = table.clock().is_some();
    let mut teller = Teller::of(table);
    let mut kept: Vec<Played> = Vec::with_capacity(table.steps().len());
    let mut since = None;
    for entry in table.log() {
        let version = entry.version;
        match &entry.event {
            Event::Moved { seat, text, .. } => {
                let took = since
                    .filter(|_| timed)
                    .map(|since| entry.at.millis() - since);
                let label = teller
                    .told(text, Some(*seat))
                    .unwrap_or_else(|| table.position().label(text));
                let marks = table.position().leaves_mark(text);
                kept.push(Played {
                    seat: Some(seat.number()),
                    label,
                    marks,
                    took,
                    version,
                });
            }
            Event::Chance { chance, .. } => {
                let first = kept.is_empty();
                let label = teller
                    .told(chance, None)
                    .unwrap_or_else(|| table.position().chance_label(chance));
                kept.push(Played {
                    seat: None,
                    label,
                    marks: false,
                    took: None,
                    version,
                });
                if first {
                    continue;
                }
            }
            Event::TakenBack { moves } => {
                kept.truncate(kept.len().saturating_sub(*moves as usize));
                teller.back_to(kept.len());
            }
            _ => continue,
        }
        since = Some(entry.at.millis());
    }
    kept
}

/// Follows a game whose steps are told with what they bring about, which only the position before each of them knows.
struct Teller {
    /// Before the first step and after each; empty for games that have no more to tell than a step's own words.
    positions: Vec<AnyPosition>,
}

impl Teller {
    fn of(table: &Table) -> Teller {
        let start = table
            .kind()
            .start(table.options())
            .ok()
            .filter(|_| table.kind().is_told());
        Teller {
            positions: start.into_iter().collect(),
        }
    }

    /// Goes on by a move of a seat, or by a draw, and tells it.
    fn told(&mut self, text: &str, seat: Option<Seat>) -> Option<String> {
        let before = self.positions.last()?;
        let told = before.told(text);
        let mut after = before.clone();
        let followed = match seat {
            Some(seat) => after.play(text, seat).map(drop),
            None => after.resolve(text),
        };
        match followed {
            Ok(()) => self.positions.push(after),
            Err(_) => self.positions.clear(),
        }
        told
    }

    fn back_to(&mut self, steps: usize) {
        self.positions.truncate(steps + 1);
    }
}

/// What happened since the board last changed by a move, that move included, as far as `step`.
pub(super) fn recent(played: &[Played], step: usize) -> &[Played] {
    let shown = &played[..step.min(played.len())];
    let from = shown
        .iter()
        .rposition(|played| played.marks)
        .unwrap_or_default();
    &shown[from..]
}

/// A line of the list of moves: a draw and the move it was for are told together.
pub(super) struct Line<'a> {
    /// Whose; nothing when luck decided.
    pub(super) seat: Option<u8>,
    /// The step of a move that only asked for the draw and is not told by itself.
    pub(super) asked: Option<usize>,
    /// Each with the number of its step, from 1.
    pub(super) parts: Vec<(usize, &'a Played)>,
    /// Whether the parts are many draws in a row, which are told together.
    pub(super) folded: bool,
}

/// The list of moves, line by line.
pub(super) fn lines(played: &[Played]) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut rest = (1..).zip(played).peekable();
    let short = |played: &Played| played.seat.is_none() && !played.label.contains(' ');
    while let Some((n, first)) = rest.next() {
        let mut line = Line {
            seat: first.seat,
            asked: None,
            parts: vec![(n, first)],
            folded: false,
        };
        let asked = first.seat.is_some() && !first.marks && played.get(n).is_some_and(short);
        if asked
            && played
                .get(n + 1)
                .is_some_and(|third| third.seat == first.seat)
        {
            // Who rolls and then plays is told by the roll and the play.
            line.asked = Some(n);
            line.parts = rest.by_ref().take(2).collect();
        } else if short(first) {
            let play = rest.next_if(|(_, next)| next.seat.is_some());
            line.seat = play.and_then(|(_, play)| play.seat);
            line.parts.extend(play);
        } else if first.seat.is_none() {
            while let Some(next) = rest.next_if(|(_, next)| next.seat.is_none()) {
                line.parts.push(next);
            }
            line.folded = line.parts.len() > 1;
        }
        lines.push(line);
    }
    lines
}

/// The clocks when the game stood after its first `step` moves and draws.
pub(super) fn clock_after(table: &Table, played: &[Played], step: usize) -> Option<ClockView> {
    let started = table
        .log()
        .iter()
        .find(|entry| entry.event == Event::Started)
        .map(|entry| entry.version);
    let version = match step.checked_sub(1) {
        Some(last) => played.get(last)?.version,
        None => started?,
    };
    let log = table
        .log()
        .iter()
        .take_while(|entry| entry.version <= version)
        .cloned();
    let clock = Table::replay(log, None).ok()?.clock_view()?;
    Some(ClockView {
        running: None,
        since: None,
        due_at: None,
        ..clock
    })
}

/// When the last move was made or taken back, or the game began.
pub(super) fn turn_since(table: &Table) -> Timestamp {
    let turned = |event: &Event| {
        matches!(
            event,
            Event::Started | Event::Moved { .. } | Event::Chance { .. } | Event::TakenBack { .. }
        )
    };
    let last = table.log().iter().rev().find(|entry| turned(&entry.event));
    last.map_or(table.created_at(), |entry| entry.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_in_a_row_are_one_line_and_dice_go_with_their_play() {
        let cards = [
            played(Some(0), "draws two cards", true),
            played(None, "drawn: Paris", false),
        ];
        let more = [
            played(None, "infection: Lima", false),
            played(Some(1), "drives to Cairo", true),
        ];
        let moves = cards.into_iter().chain(more).collect::<Vec<_>>();
        let lines = lines(&moves);
        let shapes: Vec<_> = lines
            .iter()
            .map(|line| (line.seat, line.parts.len(), line.folded))
            .collect();
        assert_eq!(
            shapes,
            [(Some(0), 1, false), (None, 2, true), (Some(1), 1, false)]
        );
    }

    fn played(seat: Option<u8>, label: &str, marks: bool) -> Played {
        Played {
            seat,
            label: label.to_owned(),
            marks,
            took: None,
            version: 0,
        }
    }

    #[test]
    fn who_asks_for_a_draw_and_then_moves_has_one_line_that_remembers_the_asking() {
        let moves = [
            played(Some(1), "rolls", false),
            played(None, "4-2", false),
            played(Some(1), "8/4 6/4", true),
        ];
        let lines = lines(&moves);
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].asked, lines[0].seat), (Some(1), Some(1)));
        assert_eq!(
            lines[0]
                .parts
                .iter()
                .map(|(step, _)| *step)
                .collect::<Vec<_>>(),
            [2, 3]
        );
    }
}
