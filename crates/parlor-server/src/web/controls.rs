//! Controls of the table page other than the moves: offers that await an answer, and buttons.

use maud::{Markup, Render, html};
use parlor_table::{AskWhen, AskedView, SeatView, TableStatus, Timestamp};

use super::faces::Face;
use super::snapshot::{StandIn, TableSnapshot};
use super::{advice, clocks, phrases};

/// Longest time for which a player is away before others are told, in milliseconds: longer than a page
/// takes to load again.
const AWAY: i64 = 10_000;
/// Time for which the banner says that a player left or came back, in milliseconds.
const NEWS: i64 = 20_000;

/// Renders what awaits an answer. It lies over the page, so that nothing moves when it comes.
pub(super) fn offers(table: &TableSnapshot) -> Markup {
    let seated = !table.may.seats.is_empty();
    match table.game.view.status {
        TableStatus::Playing => html! {
            @if table.may.returns { (way_back(table)) }
            (start_bar(table))
            (draw_offer(table))
            (takeback_offer(table))
            @if claimable_from(table).is_some_and(|from| from <= table.game.now) { (claims(table)) }
        },
        TableStatus::Over | TableStatus::Aborted if seated && table.game.view.next.is_none() => {
            rematch_offer(table)
        }
        TableStatus::Open | TableStatus::Over | TableStatus::Aborted => html! {},
    }
}

/// Renders the button with which somebody who left takes the seat again.
fn way_back(table: &TableSnapshot) -> Markup {
    html! {
        div.bar.ask.way-back {
            p { "You left, and a computer plays for you." }
            (button(table, "return", "Take your seat again", "main"))
        }
    }
}

/// Renders the choice of the bot that plays for somebody who left.
fn stand_in(table: &TableSnapshot, stand_in: &StandIn) -> Markup {
    html! {
        details.confirm.stand-in {
            summary { span { "Computer for " bdi { (stand_in.name) } " …" } }
            div.sure role="group" aria-label={ "Computer that plays for " (stand_in.name) } {
                @for bot in &stand_in.choices {
                    form method="post" action={ "/t/" (table.game.view.id) "/stand-in" } data-live {
                        input type="hidden" name="seat" value=(stand_in.seat);
                        input type="hidden" name="spec" value=(bot.spec);
                        button aria-pressed=(bot.spec == stand_in.spec) { (Face::new(bot)) " " (bot.introduction()) }
                    }
                }
            }
        }
    }
}

/// Renders the buttons for actions that are available at any time.
pub(super) fn actions(table: &TableSnapshot) -> Markup {
    let view = &table.game.view;
    let seated = !table.may.seats.is_empty();
    if let Some(next) = view.next {
        return html! {
            div.actions { a.button.main href={ "/t/" (next) } { "Go to the rematch" } }
        };
    }
    match view.status {
        TableStatus::Playing if seated => html! { div.actions { (while_playing(table)) } },
        TableStatus::Over | TableStatus::Aborted if seated => after_the_game(table),
        // Those who wait can leave beside the link to share.
        TableStatus::Open => html! {},
        TableStatus::Playing if table.may.returns => {
            html! { p.soft.small { "A computer plays for you until you take your seat again." } }
        }
        TableStatus::Playing | TableStatus::Over | TableStatus::Aborted => {
            html! { p.soft.small { "You are watching this table." } }
        }
    }
}

fn while_playing(table: &TableSnapshot) -> Markup {
    let view = &table.game.view;
    // There is nobody to spare in a game against the computer.
    let early = table.may.abort && !is_against_computer(table);
    let alone = table.may.seats.len() == view.seats.len();
    html! {
        @if let (Some(clock), true) = (&view.clock, has_opponents(table)) {
            @let (text, meaning) = clocks::extra_time(clock.control);
            form method="post" action={ "/t/" (view.id) "/give-time" } data-live { button aria-label=(meaning) title=(meaning) { (text) } }
        }
        @if view.offers.takeback.is_some() { (disabled("Take back")) }
        @else if can_request_takeback(table) { (button(table, "takeback", "Take back", "")) }
        @if !early && can_offer_draw(table) {
            @if !view.offers.draw.is_empty() { (disabled("Offer a draw")) }
            @else if alone { (confirm(table, "draw", "Agree on a draw", "Yes, a draw")) } @else { (confirm(table, "draw", "Offer a draw", "Yes, offer it")) }
        }
        (advice::button(table))
        (asking(table))
        @for one in &table.may.stand_ins { (stand_in(table, one)) }
        @if early { (confirm(table, "abort", "Call off the game", "Yes, call it off")) }
        @if !table.may.concessions.is_empty() { (concessions(table)) }
        // To resign from a rated game that can be called off is to call it off.
        @if !(early && view.rated) {
            @let (text, sure) = resignation(table);
            (confirm(table, "resign", text, sure))
        }
    }
}

/// Returns the label and the confirmation of the button to resign. Resigning ends a game of two;
/// in larger games and teams a bot plays on while other people are left.
fn resignation(table: &TableSnapshot) -> (&'static str, &'static str) {
    let goes_on = has_opponents(table);
    match table.game.kind.is_cooperative() {
        true if goes_on => ("Leave the game", "Yes, let a computer play for me"),
        true => ("Give up", "Yes, give up"),
        false => ("Resign", "Yes, resign"),
    }
}

/// Renders the moves that concede part of the stakes.
fn concessions(table: &TableSnapshot) -> Markup {
    html! {
        details.confirm {
            summary { "Offer to resign" }
            div.sure {
                @for click in &table.may.concessions {
                    form method="post" action={ "/t/" (table.game.view.id) "/play" } data-live {
                        input type="hidden" name="move" value=(click.text);
                        input type="hidden" name="version" value=(table.game.view.version);
                        button.warn { (click.label) }
                    }
                }
            }
        }
    }
}

/// Renders what can follow a game, in no more room than the buttons during the game need.
fn after_the_game(table: &TableSnapshot) -> Markup {
    html! {
        div.actions role="group" aria-label="Another game" {
            @if wants_rematch(table) { (asked_rematch()) }
            @else if rematch_requests(table).is_empty() { (button(table, "rematch", "Rematch", "main series-on")) }
            @else { button.main.series-on.kept type="button" disabled { "Rematch" } }
            a.button href="/" { "To the lobby" }
        }
    }
}

/// Renders the readiness check before the first move of a game with clocks, for those who have not yet
/// passed it. A game of one person waits for nobody.
fn start_bar(table: &TableSnapshot) -> Markup {
    let mut mine = table.game.view.seats.iter();
    let is_ready = mine.all(|seat| seat.ready || !table.may.seats.contains(&seat.seat));
    if is_ready || !is_called_off_unless_begun(table) {
        return html! {};
    }
    html! {
        div.bar.ask.start {
            p { @if table.may.is_on_turn { "You go first. Press Ready, or just play." } @else if table.game.view.seats.len() > 2 { "Press Ready. Once all have, the game begins." } @else { "Press Ready to start." } }
            (button(table, "ready", "Ready", "main"))
        }
    }
}

/// True if the game is called off unless its first move comes in time.
fn is_called_off_unless_begun(table: &TableSnapshot) -> bool {
    awaits_first_move(table)
        && table
            .game
            .view
            .clock
            .as_ref()
            .is_some_and(|clock| clock.running.is_none() && clock.due_at.is_some())
}

/// Renders what stands below the status in the banner, if anything has to be known that is not a
/// question: those are [`offers`].
pub(super) fn note(table: &TableSnapshot) -> Option<Markup> {
    if table.game.view.status != TableStatus::Playing {
        return None;
    }
    if let Some(asked) = &table.game.view.asked {
        return Some(question_left(table, asked));
    }
    let is_first = awaits_first_move(table)
        && table
            .game
            .clock
            .as_ref()
            .is_some_and(|clock| clock.running.is_none());
    if let Some(deadline) = clocks::deadline(table) {
        return Some(deadline);
    }
    if is_first {
        return Some(html! { "The clocks start with the first move." });
    }
    let away = claimable_from(table).filter(|from| *from > table.game.now);
    let away = away.map(|from| absence(table, from));
    away.or_else(|| latest_handover(table))
        .or_else(|| pause(table))
        .or_else(|| own_offer(table))
}

/// Renders who has just left or come back, for a while.
fn latest_handover(table: &TableSnapshot) -> Option<Markup> {
    let latest = table.game.handovers.last()?;
    let is_new = table.game.now.millis() - latest.at.millis() < NEWS;
    is_new.then(|| phrases::handover(table, latest).render())
}

/// Renders the time until the game goes on without an answer.
fn question_left(table: &TableSnapshot, asked: &AskedView) -> Markup {
    let left = clocks::countdown(asked.until, table.game.now, "Time left to answer");
    html! { "The game goes on in " (left) @if table.may.is_asked { ", or when you pass." } @else { " at the latest." } }
}

/// Renders the choice of when the viewer is asked for moves out of turn.
fn asking(table: &TableSnapshot) -> Markup {
    const CHOICES: [(AskWhen, &str, &str); 3] = [
        (AskWhen::Crucial, "crucial", "When it matters"),
        (AskWhen::Always, "always", "Always"),
        (AskWhen::Never, "never", "Never"),
    ];
    let Some(chosen) = table.may.asking else {
        return html! {};
    };
    html! {
        details.confirm {
            summary { "Ask me …" }
            div.sure role="group" aria-label="Ask me to step in" {
                @for (when, word, label) in CHOICES {
                    form method="post" action={ "/t/" (table.game.view.id) "/asking" } data-live {
                        input type="hidden" name="when" value=(word);
                        button aria-pressed=(when == chosen) { (label) }
                    }
                }
            }
        }
    }
}

/// Returns a time in words: "7 seconds".
fn away_for(ms: i64) -> String {
    let (seconds, minutes) = ((ms + 999) / 1_000, (ms + 59_999) / 60_000);
    match seconds {
        ..=1 => "a second".to_owned(),
        2..=119 => format!("{seconds} seconds"),
        120..=7_199 => format!("{minutes} minutes"),
        _ => format!("{} hours", minutes.div_euclid(60)),
    }
}

/// Renders the news that the clock stood still because the server was away.
fn pause(table: &TableSnapshot) -> Option<Markup> {
    let ms = table.game.paused_ms?;
    Some(html! { "The server was away for " (away_for(ms)) ". The clock stood still." })
}

/// Renders the viewer's own offer, which others have to answer.
fn own_offer(table: &TableSnapshot) -> Option<Markup> {
    let offers = &table.game.view.offers;
    let mine = |seat: &u8| table.may.seats.contains(seat);
    if offers.takeback.as_ref().is_some_and(mine) {
        return Some(html! { "You asked to take back your last move." });
    }
    let (own, others): (Vec<u8>, Vec<u8>) = offers.draw.iter().partition(|seat| mine(seat));
    match (own.is_empty(), others.is_empty()) {
        (true, _) => None,
        (false, true) => Some(html! { "You offered a draw." }),
        (false, false) => Some(
            html! { "You and " (names(table, &others)) " agree on a draw. Waiting for the others." },
        ),
    }
}

fn draw_offer(table: &TableSnapshot) -> Markup {
    let offered = &table.game.view.offers.draw;
    let mine = offered.iter().any(|seat| table.may.seats.contains(seat));
    if mine || offered.is_empty() {
        return html! {};
    }
    let text = html! { (names(table, offered)) " offers a draw." };
    bar(table, "draw", &text)
}

fn takeback_offer(table: &TableSnapshot) -> Markup {
    let asking = table.game.view.offers.takeback;
    let Some(asking) = asking.filter(|seat| !table.may.seats.contains(seat)) else {
        return html! {};
    };
    let text = html! { (names(table, &[asking])) " asks to take back the last move." };
    bar(table, "takeback", &text)
}

fn rematch_offer(table: &TableSnapshot) -> Markup {
    let asking = rematch_requests(table);
    if asking.is_empty() || wants_rematch(table) {
        return html! {};
    }
    html! {
        div.bar.ask.rematch {
            p { (names(table, &asking)) " wants a rematch." }
            (button(table, "rematch", "Play again", "main"))
            (button(table, "rematch/decline", "Not now", ""))
        }
    }
}

/// Renders an offer that others made, which players can answer.
fn bar(table: &TableSnapshot, verb: &str, text: &Markup) -> Markup {
    let answer = !table.may.seats.is_empty();
    html! {
        div.bar.ask {
            p { (text) }
            @if answer {
                (button(table, &format!("{verb}/accept"), "Accept", "main"))
                (button(table, &format!("{verb}/decline"), "Decline", ""))
            }
        }
    }
}

/// Renders the time left until something can be claimed of a player who is away.
fn absence(table: &TableSnapshot, from: Timestamp) -> Markup {
    let (who, what) = if table.game.kind.is_cooperative() {
        ("The player to move", "A computer can play on")
    } else {
        ("Your opponent", "You can claim the game")
    };
    html! { (who) " has left. " (what) " in " (clocks::countdown(from, table.game.now, "Time left to come back")) "." }
}

/// Renders what can be claimed of a player who is away.
fn claims(table: &TableSnapshot) -> Markup {
    let is_team = table.game.kind.is_cooperative();
    let claim = |value: &str, text: &str, class: &str| {
        html! {
            form method="post" action={ "/t/" (table.game.view.id) "/claim" } data-live {
                input type="hidden" name="claim" value=(value);
                button class=(class) { (text) }
            }
        }
    };
    if is_team {
        return html! {
            div.bar.ask {
                p { "The player to move has left." }
                (claim("stand_in", "Let a computer play on", "main"))
            }
        };
    }
    html! {
        div.bar.ask {
            p { "Your opponent has left." }
            (claim("win", "Claim the win", "main"))
            @if table.game.kind.can_be_drawn() { (claim("draw", "Call it a draw", "")) }
        }
    }
}

/// True if a game with clocks is waiting for its first move.
pub(super) fn awaits_first_move(table: &TableSnapshot) -> bool {
    table.game.view.status == TableStatus::Playing
        && table.game.view.plies == 0
        && table.game.view.clock.is_some()
}

/// Returns the time from which the viewer can claim the game of a person on turn who is away; `None`
/// if nobody is away, or for too short a time to speak of.
fn claimable_from(table: &TableSnapshot) -> Option<Timestamp> {
    let from = table.game.claimable_from?;
    let others_turn = !table.may.is_on_turn && !table.may.seats.is_empty();
    let is_due = from <= table.game.now;
    (others_turn && (is_due || is_away(table))).then_some(from)
}

/// True if the player on turn has been away for a while.
pub(super) fn is_away(table: &TableSnapshot) -> bool {
    let (Some(claimable), Some(since)) = (table.game.claimable_from, table.game.absent_since)
    else {
        return false;
    };
    let since = since.max(table.game.turn_since).millis();
    let patience = claimable.millis() - since;
    table.game.now.millis() - since >= AWAY.min(patience / 4)
}

fn can_offer_draw(table: &TableSnapshot) -> bool {
    table.game.kind.can_be_drawn() && table.game.view.seats.iter().all(SeatView::has_client)
}

fn can_request_takeback(table: &TableSnapshot) -> bool {
    let view = &table.game.view;
    let moved = table.game.moves.iter().any(|played| {
        played
            .seat
            .is_some_and(|seat| table.may.seats.contains(&seat))
    });
    let by_asking =
        view.seats.len() == 2 && !table.game.kind.has_luck() && !table.game.kind.is_cooperative();
    moved && by_asking
}

/// True if another person has a seat.
pub(super) fn has_opponents(table: &TableSnapshot) -> bool {
    table
        .game
        .view
        .seats
        .iter()
        .any(|seat| seat.has_client() && !table.may.seats.contains(&seat.seat))
}

/// True if the viewer plays only against bots.
fn is_against_computer(table: &TableSnapshot) -> bool {
    let mut seats = table.game.view.seats.iter();
    !has_opponents(table) && seats.any(|seat| seat.kind == "bot")
}

/// Returns the other players' seats that asked for a rematch.
pub(super) fn rematch_requests(table: &TableSnapshot) -> Vec<u8> {
    let asking = table
        .game
        .view
        .seats
        .iter()
        .filter(|seat| seat.rematch && !table.may.seats.contains(&seat.seat));
    asking.map(|seat| seat.seat).collect()
}

/// True if the viewer asked for a rematch.
pub(super) fn wants_rematch(table: &TableSnapshot) -> bool {
    table
        .game
        .view
        .seats
        .iter()
        .any(|seat| table.may.seats.contains(&seat.seat) && seat.rematch)
}

/// Renders what stands in the place of the button that asked for a rematch, so that nothing moves.
pub(super) fn asked_rematch() -> Markup {
    html! { button.main.series-on type="button" disabled { "Waiting …" } }
}

/// Tells who has still to agree to the viewer's rematch.
pub(super) fn rematch_wait(table: &TableSnapshot) -> Markup {
    let seats = table.game.view.seats.iter();
    let others = seats.filter(|seat| seat.has_client() && !seat.rematch);
    let others: Vec<u8> = others.map(|seat| seat.seat).collect();
    html! { "Rematch: waiting for " (names(table, &others)) "." }
}

/// Returns the names of the players in these seats.
pub(super) fn names(table: &TableSnapshot, seats: &[u8]) -> Markup {
    let names = seats
        .iter()
        .filter_map(|seat| table.game.view.seats.get(usize::from(*seat)))
        .map(phrases::player_name);
    html! { @for (n, name) in names.enumerate() { @if n > 0 { " and " } bdi { (name) } } }
}

/// Renders what stands in the place of a button while it can't be pressed, so that nothing moves.
fn disabled(text: &str) -> Markup {
    html! { button type="button" disabled { (text) } }
}

/// Renders a form that is a single button.
pub(super) fn button(table: &TableSnapshot, verb: &str, text: &str, class: &str) -> Markup {
    html! {
        form method="post" action={ "/t/" (table.game.view.id) "/" (verb) } data-live { button class=(class) { (text) } }
    }
}

fn confirm(table: &TableSnapshot, verb: &str, text: &str, sure: &str) -> Markup {
    html! { details.confirm { summary { (text) } div.sure { (button(table, verb, sure, "warn")) } } }
}
