//! Move entry next to the board: buttons, the draft of a move in several parts, and real dice or
//! cards.

use maud::{Markup, html};
use parlor_games::{Click, Draft};
use parlor_table::TableStatus;

use super::action_bar::action_bar;
use super::snapshot::TableSnapshot;
use super::viewpoint::encoded;

/// Notice that a draft no longer fits the position.
pub(super) const DROPPED: &str = "The position has changed, so your unfinished move was dropped.";
/// Number of chances from which on they are listed in groups.
const GROUPED: usize = 8;

/// Renders the move entry, right below the board. Its place on the page keeps its size; what stands in
/// it need not.
pub(super) fn entry(table: &TableSnapshot) -> Markup {
    html! { div.entries { (bars(table)) } }
}

fn bars(table: &TableSnapshot) -> Markup {
    if let Some(draft) = &table.board.draft {
        return draft_bar(table, draft);
    }
    if !table.may.chances.is_empty() {
        return chance_form(table);
    }
    if table.may.is_asked {
        return question_buttons(table);
    }
    let is_listed = |click: &&Click| {
        let mut kinds = table.board.kinds.iter();
        click.path.is_empty() && !kinds.any(|kind| kind.contains(&click.text))
    };
    let buttons: Vec<&Click> = table.board.clicks.iter().filter(is_listed).collect();
    html! {
        (action_buttons(table, &buttons))
        (out_of_turn_buttons(table, buttons.is_empty()))
    }
}

/// Renders the moves of the player on turn that are buttons.
fn action_buttons(table: &TableSnapshot, buttons: &[&Click]) -> Markup {
    if buttons.is_empty() {
        if let Some(question) = table
            .game
            .question
            .as_ref()
            .filter(|_| table.may.is_on_turn)
        {
            return html! { div.bar.entry { p role="status" { (question) } } };
        }
        // An empty box keeps the layout stable until there are buttons again.
        let plays = match table.game.view.status {
            TableStatus::Open => true,
            TableStatus::Playing => !table.may.seats.is_empty(),
            TableStatus::Over | TableStatus::Aborted => false,
        };
        let kept = plays && table.game.kind.has_luck();
        return html! { @if kept { div.rest {} } };
    }
    html! {
        div.bar.entry {
            @if let Some(question) = &table.game.question { p role="status" { (question) } }
            @if !table.board.kinds.is_empty() { (action_bar(table)) }
            @let main = is_main(buttons);
            @for (n, click) in buttons.iter().enumerate() {
                @if click.asks {
                    details.confirm { summary { (click.label) } div.sure { (play(table, &click.text, "Yes, I am done", "warn", None)) } }
                } @else {
                    (play(table, &click.text, &click.label, if n == 0 && main { "main" } else { "" }, None))
                }
            }
        }
    }
}

/// Returns true if the first button stands out, and is not just the first of many like it, such as
/// "Discard Paris", "Discard Milan" and "Discard Essen".
fn is_main(buttons: &[&Click]) -> bool {
    const MANY: usize = 3;
    let verb = |click: &&Click| click.label.split(' ').next().map(str::to_owned);
    let first = buttons.first().map(verb);
    buttons.len() < MANY
        || buttons[..MANY]
            .iter()
            .any(|click| Some(verb(click)) != first)
}

/// Renders the answers to the question for a move out of turn.
fn question_buttons(table: &TableSnapshot) -> Markup {
    let pass = |class: &str, label: &str, rest_of_turn: bool| {
        html! {
            form method="post" action={ "/t/" (table.game.view.id) "/pass" } data-live {
                @if rest_of_turn { input type="hidden" name="rest_of_turn" value="on"; }
                button class=(class) { (label) }
            }
        }
    };
    let clicks = table.board.clicks.iter().chain(&table.may.out_of_turn);
    let (whole, mut chosen): (Vec<&Click>, Vec<&Click>) =
        clicks.partition(|click| !click.partial && click.path.len() <= 1);
    chosen.retain(|click| whole.iter().all(|whole| whole.text != click.text));
    html! {
        div.bar.entry.asked role="group" aria-label="Step in, or pass" {
            (pass("main", "Pass", false))
            @for click in &whole { (play(table, &click.text, &click.label, "", None)) }
            (openers(table, &chosen))
            (pass("", "Not in this turn", true))
        }
    }
}

/// Renders a button for each place on the board with which moves begin, such as a card. It does what a
/// click there does, and the move goes on on the board.
fn openers(table: &TableSnapshot, clicks: &[&Click]) -> Markup {
    html! { @for group in by_first_place(clicks.to_vec()) { (opener(table, &group)) } }
}

/// Groups clicks that begin at the same place on the board.
pub(super) fn by_first_place(mut clicks: Vec<&Click>) -> Vec<Vec<&Click>> {
    clicks.sort_by_key(|click| click.path.first());
    let groups = clicks.chunk_by(|one, other| one.path.first() == other.path.first());
    groups.map(<[&Click]>::to_vec).collect()
}

/// Renders a button for clicks that begin at the same place: the move, if there is just one.
pub(super) fn opener(table: &TableSnapshot, group: &[&Click]) -> Markup {
    match group {
        [only] => play(table, &only.text, &only.label, "", None),
        _ => {
            let place = group.first().and_then(|click| click.path.first());
            html! { button type="button" data-opens=[place] { (common_label(group)) } }
        }
    }
}

/// Returns the common beginning of the labels of some clicks, such as "Airlift the …".
pub(super) fn common_label(group: &[&Click]) -> String {
    let labels: Vec<&str> = group.iter().map(|click| click.label.as_str()).collect();
    common_start(&labels)
}

/// Renders the viewer's moves out of turn, and the button to undo the last step.
fn out_of_turn_buttons(table: &TableSnapshot, alone: bool) -> Markup {
    if table.may.out_of_turn.is_empty() && table.may.undo.is_none() {
        return html! {};
    }
    html! {
        div.bar.entry.aside role="group" aria-label="At any time" {
            @if alone && !table.may.out_of_turn.is_empty() { p { "You can also do this out of turn:" } }
            @for click in &table.may.out_of_turn { (play(table, &click.text, &click.label, "", None)) }
            @if table.may.undo.is_some() {
                form method="post" action={ "/t/" (table.game.view.id) "/takeback" } data-live data-undo {
                    button title="Take back your last move, unless a draw or another player's move has followed it" { "Undo" }
                }
            }
        }
    }
}

/// Renders a draft: its steps so far, links to undo them, and the button to play it when complete.
fn draft_bar(table: &TableSnapshot, draft: &Draft) -> Markup {
    html! {
        div.bar.entry {
            p.hidden[draft.whole.is_some()] role="status" { (draft_text(table, draft)) }
            @if let Some(whole) = &draft.whole {
                (play(table, whole, &format!("Play {}", table.notation(whole)), "main", None))
            }
            @if let Some(back) = &draft.back {
                a.button href=(address(table, back)) data-draft=(back) { "Undo" span.wide { "\u{a0}step" } }
                @if !back.is_empty() { a.button href=(address(table, "")) data-draft="" { "Start over" } }
            }
            label.auto { input type="checkbox" data-auto; "Play without confirmation" }
        }
    }
}

/// Describes how far a draft has come.
pub(super) fn draft_text(table: &TableSnapshot, draft: &Draft) -> String {
    let done = table.notation(&draft.steps);
    if draft.whole.is_some() {
        format!("{done}: move complete.")
    } else {
        format!("{done}, continue …")
    }
}

/// Renders a button that plays a move; `title` says more about it.
pub(super) fn play(
    table: &TableSnapshot,
    text: &str,
    label: &str,
    class: &str,
    title: Option<&str>,
) -> Markup {
    html! {
        form method="post" action={ "/t/" (table.game.view.id) "/play" } data-live {
            input type="hidden" name="move" value=(text);
            input type="hidden" name="version" value=(table.game.view.version);
            button class=(class) data-move=(text) title=[title] { (label) }
        }
    }
}

/// Renders the possible next parts of a move as links, for browsers without scripts.
pub(super) fn partial_moves(table: &TableSnapshot) -> Markup {
    html! {
        p { "Enter your move step by step:" }
        ul.ways {
            @for click in table.board.clicks.iter().filter(|click| click.partial) {
                li { a.button href=(address(table, &click.text)) { (click.label) } }
            }
        }
    }
}

/// Returns the URL of the table's page with a draft.
fn address(table: &TableSnapshot, draft: &str) -> String {
    let id = table.game.view.id;
    if draft.is_empty() {
        return format!("/t/{id}");
    }
    format!(
        "/t/{id}?draft={}&of={}",
        encoded(draft),
        table.game.moves.len()
    )
}

/// Renders hidden fields that keep the draft while another form is submitted.
pub(super) fn draft_fields(table: &TableSnapshot, steps: &str) -> Markup {
    html! {
        input type="hidden" name="draft" value=(steps);
        input type="hidden" name="of" value=(table.game.moves.len());
    }
}

/// Renders the form to enter the result of real dice or cards.
fn chance_form(table: &TableSnapshot) -> Markup {
    html! {
        div.bar.entry {
            @if let Some(question) = &table.game.question { p role="status" { (question) } }
            form.row method="post" action={ "/t/" (table.game.view.id) "/dice" } data-live {
                input type="hidden" name="version" value=(table.game.view.version);
                label.field {
                    span { "Result" }
                    select name="chance" required {
                        option value="" { "Choose" }
                        @if table.may.chances.len() > GROUPED {
                            @for group in groups(&table.may.chances) {
                                @let labels: Vec<&str> = group.iter().map(|(_, label)| label.as_str()).collect();
                                optgroup label=(common_start(&labels)) { (options(group)) }
                            }
                        } @else { (options(&table.may.chances)) }
                    }
                }
                button.main { "Enter" }
            }
        }
    }
}

fn options(chances: &[(String, String)]) -> Markup {
    html! { @for (text, label) in chances { option value=(text) { (label) } } }
}

/// Groups chances by the first letter of their text.
fn groups(chances: &[(String, String)]) -> impl Iterator<Item = &[(String, String)]> {
    chances.chunk_by(|(one, _), (other, _)| one.chars().next() == other.chars().next())
}

/// Returns the common beginning of a group's labels.
fn common_start(labels: &[&str]) -> String {
    let Some((first, rest)) = labels.split_first() else {
        return String::new();
    };
    let same = |length: &usize| {
        rest.iter()
            .all(|label| label.get(..*length) == first.get(..*length))
    };
    let length = (0..=first.len())
        .rev()
        .filter(|length| first.is_char_boundary(*length))
        .find(same)
        .unwrap_or_default();
    format!("{} …", first[..length].trim_end_matches(['-', ' ', ',']))
}
