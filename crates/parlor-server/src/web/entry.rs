//! What is said rather than played on the board: buttons, a move that is made in parts, luck that is typed in.

use maud::{Markup, html};
use parlor_games::{Click, Draft};
use parlor_table::Status;

use super::look::encoded;
use super::snapshot::Snapshot;

/// What is told when a begun move cannot be gone on with.
pub(super) const DROPPED: &str =
    "The table has moved on, so the move that was begun here was dropped.";
/// With more chances than this they are listed in groups.
const GROUPED: usize = 8;

/// Everything of it, right below the board.
pub(super) fn entry(table: &Snapshot) -> Markup {
    if let Some(draft) = &table.draft {
        return begun(table, draft);
    }
    if !table.chances.is_empty() {
        return dice(table);
    }
    let said: Vec<&Click> = table
        .clicks
        .iter()
        .filter(|click| click.path.is_empty())
        .collect();
    html! {
        (said_now(table, &said))
        (said_at_any_time(table, said.is_empty()))
    }
}

/// What can be said by whoever is on turn.
fn said_now(table: &Snapshot, said: &[&Click]) -> Markup {
    if said.is_empty() {
        if let Some(question) = table.question.as_ref().filter(|_| table.my_turn) {
            return html! { div.bar.entry { p role="alert" { (question) } } };
        }
        // The room is kept, so that nothing moves when there is something to say again.
        let kept =
            table.kind.has_luck() && table.view.status == Status::Playing && !table.mine.is_empty();
        return html! { @if kept { div.rest {} } };
    }
    html! {
        div.bar.entry {
            @if let Some(question) = &table.question { p role="alert" { (question) } }
            @for (n, click) in said.iter().enumerate() {
                (play(table, &click.text, &click.label, if n == 0 { "main" } else { "" }))
            }
        }
    }
}

/// What the one who looks can do whoever is on turn: moves out of turn, and undoing what was done last.
fn said_at_any_time(table: &Snapshot, alone: bool) -> Markup {
    if table.asides.is_empty() && table.undo.is_none() {
        return html! {};
    }
    html! {
        div.bar.entry.aside role="group" aria-label="At any time" {
            @if alone && !table.asides.is_empty() { p { "You can, though it is not your turn:" } }
            @for click in &table.asides { (play(table, &click.text, &click.label, "")) }
            @if table.undo.is_some() {
                form method="post" action={ "/t/" (table.view.id) "/takeback" } data-live data-undo {
                    button title="Takes back your last move, as long as luck has decided nothing since and nobody else has moved" { "Undo" }
                }
            }
        }
    }
}

/// A move that was begun: what was done, the way back, and the way on when it is whole.
fn begun(table: &Snapshot, draft: &Draft) -> Markup {
    html! {
        div.bar.entry {
            p.hidden[draft.whole.is_some()] role="status" { (so_far(table, draft)) }
            @if let Some(whole) = &draft.whole {
                (play(table, whole, &format!("Play {}", table.written(whole)), "main"))
            }
            @if let Some(back) = &draft.back {
                a.button href=(address(table, back)) data-draft=(back) { "Undo step" }
                @if !back.is_empty() { a.button href=(address(table, "")) data-draft="" { "Start over" } }
            }
            label.auto { input type="checkbox" data-auto; "Play without asking" }
        }
    }
}

/// How far a begun move is, in words.
pub(super) fn so_far(table: &Snapshot, draft: &Draft) -> String {
    let done = table.written(&draft.steps);
    if draft.whole.is_some() {
        format!("{done}: that is the whole move.")
    } else {
        format!("{done}, and on …")
    }
}

fn play(table: &Snapshot, text: &str, label: &str, class: &str) -> Markup {
    html! {
        form method="post" action={ "/t/" (table.view.id) "/play" } data-live {
            input type="hidden" name="move" value=(text);
            input type="hidden" name="version" value=(table.view.version);
            button class=(class) data-move=(text) { (label) }
        }
    }
}

/// The parts that a move can begin with or go on with, as links, for browsers without scripts.
pub(super) fn ways(table: &Snapshot) -> Markup {
    html! {
        p { "Make your move part by part:" }
        ul.ways {
            @for click in table.clicks.iter().filter(|click| click.partial) {
                li { a.button href=(address(table, &click.text)) { (click.label) } }
            }
        }
    }
}

/// The address of the table's page with a move begun.
fn address(table: &Snapshot, draft: &str) -> String {
    let id = table.view.id;
    if draft.is_empty() {
        return format!("/t/{id}");
    }
    format!("/t/{id}?draft={}&of={}", encoded(draft), table.moves.len())
}

/// Fields that keep a begun move while something else is asked for.
pub(super) fn kept(table: &Snapshot, steps: &str) -> Markup {
    html! {
        input type="hidden" name="draft" value=(steps);
        input type="hidden" name="of" value=(table.moves.len());
    }
}

/// The form to type in what luck did.
fn dice(table: &Snapshot) -> Markup {
    html! {
        div.bar.entry {
            @if let Some(question) = &table.question { p role="alert" { (question) } }
            form.row method="post" action={ "/t/" (table.view.id) "/dice" } data-live {
                input type="hidden" name="version" value=(table.view.version);
                label.field {
                    span { "What came up" }
                    select name="chance" required {
                        option value="" { "Choose" }
                        @if table.chances.len() > GROUPED {
                            @for group in groups(&table.chances) {
                                optgroup label=(title(group)) { (options(group)) }
                            }
                        } @else { (options(&table.chances)) }
                    }
                }
                button.main { "Enter it" }
            }
        }
    }
}

fn options(chances: &[(String, String)]) -> Markup {
    html! { @for (text, label) in chances { option value=(text) { (label) } } }
}

/// Chances that begin alike stand together.
fn groups(chances: &[(String, String)]) -> impl Iterator<Item = &[(String, String)]> {
    chances.chunk_by(|(one, _), (other, _)| one.chars().next() == other.chars().next())
}

/// What the words of a group have in common at their beginning.
fn title(group: &[(String, String)]) -> String {
    let Some(((_, first), rest)) = group.split_first() else {
        return String::new();
    };
    let same = |length: &usize| {
        rest.iter()
            .all(|(_, label)| label.get(..*length) == first.get(..*length))
    };
    let length = (0..=first.len())
        .rev()
        .filter(|length| first.is_char_boundary(*length))
        .find(same)
        .unwrap_or_default();
    format!("{} …", first[..length].trim_end_matches(['-', ' ', ',']))
}
