//! What the one who looks can do at a table beside playing: answers that are waited for, and buttons.

use maud::{Markup, html};
use parlor_games::TurnView;
use parlor_table::Status;

use super::snapshot::Snapshot;
use super::{clocks, words};

/// In a game with clocks: so long the other side has to be away before the game can be claimed, in milliseconds.
const AWAY: i64 = 60_000;
/// In a game without clocks: so long nobody may have moved.
const SILENT: i64 = 7 * 24 * 3_600_000;

/// What waits for an answer, under the board where everybody looks.
pub(super) fn offers(table: &Snapshot) -> Markup {
    let seated = !table.mine.is_empty();
    match table.view.status {
        Status::Playing => html! {
            (beginning(table))
            (draw_offer(table))
            (takeback_offer(table))
            @if seated && may_claim(table) { (claims(table)) }
        },
        Status::Over | Status::Aborted if seated && table.view.next.is_none() => {
            rematch_offer(table)
        }
        Status::Open | Status::Over | Status::Aborted => html! {},
    }
}

/// Buttons for what can be done at any time.
pub(super) fn actions(table: &Snapshot) -> Markup {
    let view = &table.view;
    let seated = !table.mine.is_empty();
    if let Some(next) = view.next {
        return html! {
            section.card {
                h2 { "Rematch" }
                p { "The next game is set up." }
                a.button.main href={ "/t/" (next) } { "Go to the rematch" }
            }
        };
    }
    match view.status {
        Status::Open if seated => {
            html! { div.actions { (button(table, "leave", "Leave the table", "")) } }
        }
        Status::Playing if seated => html! { div.actions { (while_playing(table)) } },
        Status::Over | Status::Aborted if seated => another(table),
        Status::Open => html! {},
        Status::Playing | Status::Over | Status::Aborted => {
            html! { p.soft.small { "You are watching this table." } }
        }
    }
}

fn while_playing(table: &Snapshot) -> Markup {
    let view = &table.view;
    let early = table.early;
    let alone = table.mine.len() == view.seats.len();
    html! {
        @if let (Some(clock), true) = (&view.clock, has_opponents(table)) {
            @let (text, meaning) = clocks::gift(clock.control);
            form method="post" action={ "/t/" (view.id) "/give-time" } data-live { button aria-label=(meaning) title=(meaning) { (text) } }
        }
        @if may_ask_back(table) { (button(table, "takeback", "Take back", "")) }
        @if !early && may_offer_draw(table) {
            @if alone { (confirm(table, "draw", "Agree on a draw", "Yes, a draw")) } @else { (confirm(table, "draw", "Offer a draw", "Yes, offer it")) }
        }
        @if early { (confirm(table, "abort", "Call the game off", "Yes, call it off")) }
        @if !table.concessions.is_empty() { (concessions(table)) }
        @let (text, sure) = resignation(table);
        (confirm(table, "resign", text, sure))
    }
}

/// What giving up is called: between two it ends the game, elsewhere a bot plays on as long as somebody is left.
fn resignation(table: &Snapshot) -> (&'static str, &'static str) {
    let goes_on = has_opponents(table);
    match table.kind.is_cooperative() {
        true if goes_on => ("Leave the game", "Yes, a computer plays on for me"),
        true => ("Give up", "Yes, the game is lost"),
        false => ("Resign", "Yes, resign"),
    }
}

/// Giving up a part of what is played for, by a move.
fn concessions(table: &Snapshot) -> Markup {
    html! {
        details.confirm {
            summary { "Offer to resign" }
            @for click in &table.concessions {
                form method="post" action={ "/t/" (table.view.id) "/play" } data-live {
                    input type="hidden" name="move" value=(click.text);
                    input type="hidden" name="version" value=(table.view.version);
                    button.warn { (click.label) }
                }
            }
        }
    }
}

fn another(table: &Snapshot) -> Markup {
    html! {
        section.card {
            h2 { "Another game?" }
            @if asked_for_rematch(table) { p { "You asked for a rematch. Waiting for the others." } }
            div.actions {
                @if !asked_for_rematch(table) && asking(table).is_empty() { (button(table, "rematch", "Rematch", "main")) }
                a.button href="/" { "To the lobby" }
            }
        }
    }
}

/// Before the first move of a game with clocks: who is there, and how long the game waits.
fn beginning(table: &Snapshot) -> Markup {
    if !has_not_begun(table)
        || table
            .view
            .clock
            .as_ref()
            .is_none_or(|clock| clock.running.is_some())
    {
        return html! {};
    }
    let ready = table
        .view
        .seats
        .iter()
        .filter(|seat| table.mine.contains(&seat.seat))
        .all(|seat| seat.ready);
    html! {
        div.bar {
            @if table.mine.is_empty() || ready {
                p { "The clocks wait." }
            } @else {
                p { "Are you there? " @if table.my_turn { "You begin: say that you are ready, or just play." } }
                (button(table, "ready", "I am ready", "main"))
            }
            (clocks::deadline(table))
        }
    }
}

fn draw_offer(table: &Snapshot) -> Markup {
    let (mine, others): (Vec<u8>, Vec<u8>) = table
        .view
        .offers
        .draw
        .iter()
        .partition(|seat| table.mine.contains(seat));
    let names = names(table, &others);
    let text = match (mine.is_empty(), others.is_empty()) {
        (_, true) if mine.is_empty() => return html! {},
        (_, true) => "You offered a draw.".to_owned(),
        (false, false) => {
            format!("You and {names} agree on a draw; the others have yet to answer.")
        }
        (true, false) => format!("{names} offers a draw."),
    };
    bar(table, "draw", &text, mine.is_empty())
}

fn takeback_offer(table: &Snapshot) -> Markup {
    let Some(asking) = table.view.offers.takeback else {
        return html! {};
    };
    let mine = table.mine.contains(&asking);
    let text = match mine {
        true => "You asked to take your last move back.".to_owned(),
        false => format!(
            "{} asks to take the last move back.",
            names(table, &[asking])
        ),
    };
    bar(table, "takeback", &text, !mine)
}

fn rematch_offer(table: &Snapshot) -> Markup {
    let asking = asking(table);
    if asking.is_empty() || asked_for_rematch(table) {
        return html! {};
    }
    html! {
        div.bar.ask {
            p { (names(table, &asking)) " wants a rematch." }
            (button(table, "rematch", "Play again", "main"))
        }
    }
}

/// Something is offered; those who sit here and did not offer it can answer.
fn bar(table: &Snapshot, verb: &str, text: &str, answer: bool) -> Markup {
    let answer = answer && !table.mine.is_empty();
    html! {
        div.bar.ask[answer] {
            p { (text) }
            @if answer {
                (button(table, &format!("{verb}/accept"), "Accept", "main"))
                (button(table, &format!("{verb}/decline"), "Decline", ""))
            }
        }
    }
}

fn claims(table: &Snapshot) -> Markup {
    let claim = |value: &str, text: &str, class: &str| {
        html! {
            form method="post" action={ "/t/" (table.view.id) "/claim" } data-live {
                input type="hidden" name="claim" value=(value);
                button class=(class) { (text) }
            }
        }
    };
    if table.kind.is_cooperative() {
        return html! {
            div.bar.ask {
                p { "Whoever is to move seems to have left." }
                (claim("stand_in", "Let a computer play on", "main"))
            }
        };
    }
    html! {
        div.bar.ask {
            p { "The other side seems to have left." }
            (claim("win", "Claim the win", "main"))
            @if table.kind.can_be_drawn() { (claim("draw", "Call it a draw", "")) }
        }
    }
}

/// Whether a game with clocks waits for its first move.
pub(super) fn has_not_begun(table: &Snapshot) -> bool {
    table.view.status == Status::Playing && table.view.plies == 0 && table.view.clock.is_some()
}

/// Whether the game can be claimed: the other side, a person, has been on turn and away for too long.
fn may_claim(table: &Snapshot) -> bool {
    let view = &table.view;
    let TurnView::Move { seat } = view.turn else {
        return false;
    };
    let other = view
        .seats
        .get(usize::from(seat))
        .filter(|seat| !table.mine.contains(&seat.seat));
    let claimable = view.seats.len() == 2 || table.kind.is_cooperative();
    if !claimable || other.is_none_or(|other| other.kind != "human") {
        return false;
    }
    let passed = |since: parlor_table::Timestamp| table.now.millis() - since.millis();
    match &view.clock {
        None => passed(table.turn_since) >= SILENT,
        Some(clock) if clock.control.is_correspondence() => false,
        Some(_) => away_for(table) >= AWAY,
    }
}

/// How long the person on turn has been away, in milliseconds.
fn away_for(table: &Snapshot) -> i64 {
    table.absent_since.map_or(0, |since| {
        table.now.millis() - since.max(table.turn_since).millis()
    })
}

/// Whether the person on turn at a table with clocks has been away for a while.
pub(super) fn is_away(table: &Snapshot) -> bool {
    table.view.clock.is_some() && away_for(table) >= AWAY / 4
}

fn may_offer_draw(table: &Snapshot) -> bool {
    let view = &table.view;
    view.offers.draw.is_empty()
        && table.kind.can_be_drawn()
        && view.seats.iter().all(|seat| seat.kind == "human")
}

fn may_ask_back(table: &Snapshot) -> bool {
    let view = &table.view;
    let moved = table
        .moves
        .iter()
        .any(|played| played.seat.is_some_and(|seat| table.mine.contains(&seat)));
    let by_asking = view.seats.len() == 2 && !table.kind.has_luck() && !table.kind.is_cooperative();
    moved && by_asking && view.offers.takeback.is_none()
}

/// Whether another person plays.
fn has_opponents(table: &Snapshot) -> bool {
    table
        .view
        .seats
        .iter()
        .any(|seat| seat.kind == "human" && !table.mine.contains(&seat.seat))
}

/// Who asks for a rematch of those on the other side.
fn asking(table: &Snapshot) -> Vec<u8> {
    let asking = table
        .view
        .seats
        .iter()
        .filter(|seat| seat.rematch && !table.mine.contains(&seat.seat));
    asking.map(|seat| seat.seat).collect()
}

fn asked_for_rematch(table: &Snapshot) -> bool {
    table
        .view
        .seats
        .iter()
        .any(|seat| table.mine.contains(&seat.seat) && seat.rematch)
}

fn names(table: &Snapshot, seats: &[u8]) -> String {
    let names = seats
        .iter()
        .filter_map(|seat| table.view.seats.get(usize::from(*seat)))
        .map(words::who);
    names.collect::<Vec<_>>().join(" and ")
}

fn button(table: &Snapshot, verb: &str, text: &str, class: &str) -> Markup {
    html! {
        form method="post" action={ "/t/" (table.view.id) "/" (verb) } data-live { button class=(class) { (text) } }
    }
}

fn confirm(table: &Snapshot, verb: &str, text: &str, sure: &str) -> Markup {
    html! { details.confirm { summary { (text) } (button(table, verb, sure, "warn")) } }
}
