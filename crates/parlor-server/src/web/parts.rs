//! The parts of a table's page that change while one looks.

use maud::{Markup, PreEscaped, html};
use parlor_games::TurnView;
use parlor_table::{SeatView, Status};
use serde::Serialize;

use super::rating::{self, Rated};
use super::snapshot::Snapshot;
use super::{analysis, clocks, entry, history, look, luck, verbs, words};

/// All parts, named by the elements they belong into.
#[derive(Serialize)]
pub(super) struct Parts {
    #[serde(rename = "part-seats")]
    seats: String,
    #[serde(rename = "part-status")]
    status: String,
    #[serde(rename = "part-entry")]
    entry: String,
    #[serde(rename = "part-offers")]
    offers: String,
    #[serde(rename = "part-flip")]
    flip: String,
    #[serde(rename = "part-steps")]
    steps: String,
    #[serde(rename = "part-analysis")]
    analysis: String,
    #[serde(rename = "part-share")]
    share: String,
    #[serde(rename = "part-actions")]
    actions: String,
    #[serde(rename = "part-moves")]
    moves: String,
    #[serde(rename = "part-luck")]
    luck: String,
    #[serde(rename = "part-record")]
    record: String,
}

/// Renders all parts.
pub(super) fn all(table: &Snapshot) -> Parts {
    Parts {
        seats: seats(table).into_string(),
        status: status(table).into_string(),
        entry: entry::entry(table).into_string(),
        offers: verbs::offers(table).into_string(),
        flip: flip(table).into_string(),
        steps: steps(table).into_string(),
        analysis: analysis::panel(table).into_string(),
        share: share(table).into_string(),
        actions: verbs::actions(table).into_string(),
        moves: moves(table).into_string(),
        luck: luck::panel(table).into_string(),
        record: record(table).into_string(),
    }
}

/// The seat on turn while the game is on.
fn on_turn(table: &Snapshot) -> Option<u8> {
    match table.view.turn {
        TurnView::Move { seat } if table.view.status == Status::Playing => Some(seat),
        _ => None,
    }
}

pub(super) fn seats(table: &Snapshot) -> Markup {
    let on_turn = on_turn(table);
    html! {
        ul aria-label="Players" {
            @for seat in &table.view.seats {
                li data-turn[on_turn == Some(seat.seat)] {
                    b class={ "badge seat-" (seat.seat) } title=(seat.label) { (badge(&seat.label)) }
                    span.player {
                        span.name title=[seat.name.as_deref()] { @if seat.kind == "open" { "Free seat" } @else { (name(seat)) } }
                        span.small.soft.change[rated(table, seat).is_some_and(Rated::is_changed)] { @if badge(&seat.label) != seat.label { (seat.label) " · " } (rating::beside(rated(table, seat))) (what(table, seat, on_turn)) }
                    }
                    (clocks::face(table, seat))
                }
            }
        }
    }
}

/// What fits into a seat's badge.
fn badge(label: &str) -> &str {
    let first = label
        .char_indices()
        .nth(1)
        .map_or(label.len(), |(end, _)| end);
    if label.chars().count() > 2 {
        &label[..first]
    } else {
        label
    }
}

/// A player's name; a member's leads to the member's page.
fn name(seat: &SeatView) -> Markup {
    let name = words::who(seat);
    html! { @if seat.member { a href={ "/players/" (name) } { (name) } } @else { (name) } }
}

fn rated<'a>(table: &'a Snapshot, seat: &SeatView) -> Option<&'a Rated> {
    table.ratings.get(usize::from(seat.seat))?.as_ref()
}

/// What there is to say about a seat, in two words.
fn what(table: &Snapshot, seat: &SeatView, on_turn: Option<u8>) -> &'static str {
    let mine = table.mine.contains(&seat.seat);
    match seat.kind {
        _ if seat.rematch => "wants a rematch",
        "human" if seat.ready && verbs::has_not_begun(table) => {
            if mine {
                "you, ready"
            } else {
                "ready"
            }
        }
        _ if on_turn == Some(seat.seat) && !mine && verbs::is_away(table) => "away, to move",
        _ if on_turn == Some(seat.seat) && !mine => "to move",
        "bot" => "computer",
        "open" => "waiting",
        _ if mine && on_turn == Some(seat.seat) => "you, to move",
        _ if mine => "you",
        _ => "player",
    }
}

pub(super) fn status(table: &Snapshot) -> Markup {
    html! {
        span.yours-now[table.my_turn] { (words::standing(table)) }
        @if table.kind.has_luck() && table.step > 0 { span.recent { (words::recent(table)) } }
    }
}

/// Turns the board around, in games where that makes a difference.
pub(super) fn flip(table: &Snapshot) -> Markup {
    if !look::flips(table.kind) {
        return html! {};
    }
    html! {
        form.flip method="post" action={ "/t/" (table.view.id) "/flip" } data-live {
            @if let Some(draft) = &table.draft { (entry::kept(table, &draft.steps)) }
            button aria-pressed=(table.flipped) { "Flip the board" }
        }
    }
}

pub(super) fn steps(table: &Snapshot) -> Markup {
    let (step, last) = (table.step, table.moves.len());
    if last == 0 {
        return html! { span.where { "No moves yet" } };
    }
    let link = |to: Option<usize>, name: &str, sign: &str| {
        html! {
            @match to.filter(|to| *to <= last && *to != step) {
                Some(to) => a href=(address(table, to)) data-step=(to) aria-label=(name) { (PreEscaped(sign)) },
                None => span.off aria-hidden="true" { (PreEscaped(sign)) },
            }
        }
    };
    html! {
        (link(Some(0), "To the start", "&#8676;"))
        (link(step.checked_sub(1), "One move back", "&#8592;"))
        span.where { "Move " (step) " of " (last) }
        (link(Some(step + 1), "One move on", "&#8594;"))
        (link(Some(last), "To the latest move", "&#8677;"))
    }
}

/// The page of a table at a step.
pub(super) fn address(table: &Snapshot, step: usize) -> String {
    if step == table.moves.len() {
        format!("/t/{}", table.view.id)
    } else {
        format!("/t/{}?step={step}", table.view.id)
    }
}

pub(super) fn moves(table: &Snapshot) -> Markup {
    if table.moves.is_empty() {
        return html! {};
    }
    html! {
        section.card {
            h2 { "Moves" }
            ol.moves tabindex="0" aria-label="Moves" {
                @for line in history::lines(&table.moves) { li { (line_of(table, &line)) } }
            }
        }
    }
}

fn line_of(table: &Snapshot, line: &history::Line<'_>) -> Markup {
    if line.folded {
        return luck_of(table, line);
    }
    let seat = line
        .seat
        .and_then(|seat| table.view.seats.get(usize::from(seat)));
    let who = seat.map_or("⚂", |seat| seat.label.as_str());
    let last = line.parts.len().saturating_sub(1);
    html! {
        @for (n, (step, played)) in line.parts.iter().enumerate() {
            a href=(address(table, *step)) data-step=(step) aria-current=[(*step == table.step).then_some("step")] {
                @if n == 0 { span.no { (step) "." } span.who { (who) } }
                span.what { (played.label) @if n < last { ":" }
                    @if let Some(asked) = line.asked.filter(|_| n == 0) { (analysis::beside(table, asked)) }
                    (analysis::beside(table, *step))
                }
                @if let Some(took) = played.took { span.took { (clocks::duration(took)) } }
            }
        }
    }
}

/// Many draws in a row: one link, to the last of them.
fn luck_of(table: &Snapshot, line: &history::Line<'_>) -> Markup {
    let (first, last) = (
        line.parts.first().map_or(0, |(n, _)| *n),
        line.parts.last().map_or(0, |(n, _)| *n),
    );
    let told: Vec<&str> = line
        .parts
        .iter()
        .map(|(_, played)| played.label.as_str())
        .collect();
    html! {
        a href=(address(table, last)) data-step=(last) aria-current=[(first..=last).contains(&table.step).then_some("step")] {
            span.no { (first) "." } span.who { "⚂" }
            span.what { (told.join("; ")) }
        }
    }
}

/// The way in: the link to send, or the form to sit down.
pub(super) fn share(table: &Snapshot) -> Markup {
    let view = &table.view;
    if view.status != Status::Open {
        return html! {};
    }
    let invited = view.listed || table.invite.is_some();
    if table.mine.is_empty() {
        return html! {
            section.card {
                h2 { "Take a seat" }
                @if invited { (join(table)) } @else { p { "This table is private. It is joined by the link that its host sends." } }
            }
        };
    }
    html! {
        section.card {
            h2 { "Invite a friend" }
            @if invited {
                p.small.soft { "Whoever opens this link can sit down; no account is needed." }
                div.share {
                    input #link type="text" readonly value=(table.link) aria-label="Link to this table";
                    button type="button" data-copy { "Copy" }
                }
            } @else {
                p { "This table is private. Send the link you were given when you made it." }
            }
        }
    }
}

fn join(table: &Snapshot) -> Markup {
    let id = table.view.id;
    if table.view.rated && table.member.is_none() {
        let back = table
            .invite
            .as_ref()
            .map(|invite| format!("?invite={}", invite.as_str()))
            .unwrap_or_default();
        return html! {
            p { "This game is rated, so it is played by two members of the house." }
            a.button.main href={ "/login?next=/t/" (id) (back) } { "Sign in to sit down" }
        };
    }
    html! {
        form method="post" action={ "/t/" (id) "/join" } data-live {
            @if let Some(invite) = &table.invite { input type="hidden" name="invite" value=(invite.as_str()); }
            @if let Some(name) = &table.member {
                p { "You play as " b { (name) } "." }
                (luck::field(table))
                button.main { "Sit down" }
            } @else {
                (luck::field(table))
                div.row {
                    label.field {
                        span { "Your name" }
                        input name="name" required maxlength="40" autocomplete="nickname" value=[table.name.as_deref()];
                    }
                    button.main { "Sit down" }
                }
            }
        }
    }
}

/// Where the game can be had as a file.
pub(super) fn record(table: &Snapshot) -> Markup {
    let id = table.view.id;
    html! {
        p.small.soft {
            a href={ "/api/v1/tables/" (id) "/record" } download={ "parlor-" (id) ".json" } { "Record of the game" } " · "
            a href={ "/api/v1/tables/" (id) "/svg" } download={ "parlor-" (id) ".svg" } { "Picture" }
        }
        details.small.soft {
            summary { "By git" }
            p { code { "git clone " (table.remote) } }
            p { "A commit that adds a move file is a move. To push it, make a token under your account and give it as the password; the clone says the rest." }
        }
    }
}
