//! Bar of the kinds of moves that a player chooses between, with the details after them.

use std::collections::BTreeSet;

use maud::{Markup, html};
use parlor_games::{ActionKind, Click};

use super::entry;
use super::snapshot::TableSnapshot;

/// Largest number of buttons for the details of one kind. If there are more, the board is clicked.
const MOST: usize = 8;

/// Renders a button for each kind, and those for its details, which show once it is chosen.
pub(super) fn action_bar(table: &TableSnapshot) -> Markup {
    let kinds = &table.board.kinds;
    html! {
        div.kinds role="group" aria-label="Actions" {
            @for kind in kinds { (kind_button(table, kind)) }
        }
        div #prompt.prompt role="status" {}
        @for kind in kinds {
            @let details = details(table, kind);
            @if !details.is_empty() {
                div.details.seen[has_places(&details)] hidden role="group" aria-label=(kind.label) data-of=(kind.verbs.join(" ")) {
                    @for group in &details { (entry::opener(table, group)) }
                }
            }
        }
    }
}

fn kind_button(table: &TableSnapshot, kind: &ActionKind) -> Markup {
    let moves = distinct(table, kind);
    match moves[..] {
        [] => html! {
            button type="button" aria-disabled="true" data-refused=(kind.refused) title=(kind.refused) { (kind.label) }
        },
        [only] if has_button(table, only) => {
            entry::play(table, &only.text, &only.label, "", Some(kind.cost))
        }
        _ => html! {
            button type="button" aria-pressed="false" data-verbs=(kind.verbs.join(" ")) title=(kind.cost)
                data-prompt={ (kind.label) " (" (kind.cost) "): " (kind.prompt) "." } { (kind.label) }
        },
    }
}

/// Returns true if each of these details is a single place on the board, where it is seen best.
fn has_places(details: &[Vec<&Click>]) -> bool {
    let mut groups = details.iter();
    groups.all(|group| matches!(&group[..], [click] if !click.path.is_empty()))
}

/// Returns true if a move can be made by a button alone.
fn has_button(table: &TableSnapshot, wanted: &Click) -> bool {
    let mut clicks = table.board.clicks.iter();
    clicks.any(|click| click.path.is_empty() && click.text == wanted.text)
}

/// Returns the clicks for the moves of a kind.
fn of_kind<'a>(table: &'a TableSnapshot, kind: &ActionKind) -> Vec<&'a Click> {
    let clicks = table.board.clicks.iter();
    clicks.filter(|click| kind.contains(&click.text)).collect()
}

/// Returns a click for each move of a kind.
fn distinct<'a>(table: &'a TableSnapshot, kind: &ActionKind) -> Vec<&'a Click> {
    let mut clicks = of_kind(table, kind);
    clicks.sort_by(|one, other| one.text.cmp(&other.text));
    clicks.dedup_by(|one, other| one.text == other.text);
    clicks
}

/// Returns the groups of clicks that get a button each: the moves of a kind or, if they are too many,
/// those that begin at the same place on the board. Empty if these are too many, too, or look alike, or if
/// the only move stands in the bar itself.
fn details<'a>(table: &'a TableSnapshot, kind: &ActionKind) -> Vec<Vec<&'a Click>> {
    let moves = distinct(table, kind);
    match moves[..] {
        [only] if has_button(table, only) => return Vec::new(),
        _ if moves.len() <= MOST => return moves.into_iter().map(|click| vec![click]).collect(),
        _ => {}
    }
    let groups = entry::by_first_place(of_kind(table, kind));
    let labels: BTreeSet<String> = groups
        .iter()
        .map(|group| entry::common_label(group))
        .collect();
    if groups.len() <= MOST && labels.len() == groups.len() {
        groups
    } else {
        Vec::new()
    }
}
