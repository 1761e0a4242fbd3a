//! Parts of a table's page that change while it is open.

use std::iter::once;
use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use parlor_table::{SeatView, TableStatus, TableTurn};
use serde::Serialize;

use super::faces::Face;
use super::snapshot::TableSnapshot;
use super::{analysis, clocks, controls, end, entry, history, luck, phrases, rating, viewpoint};
use crate::ratings::PlayerRating;

/// HTML of all parts, named by the ids of their elements.
#[derive(Serialize)]
pub(super) struct PageParts {
    #[serde(rename = "part-seats")]
    seats: String,
    #[serde(rename = "part-status")]
    status: String,
    #[serde(rename = "part-recap")]
    recap: String,
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
    #[serde(rename = "part-watch")]
    watch: String,
    #[serde(rename = "part-actions")]
    actions: String,
    #[serde(rename = "part-moves")]
    moves: String,
    #[serde(rename = "part-luck")]
    luck: String,
    #[serde(rename = "part-record")]
    record: String,
    #[serde(rename = "part-lag")]
    lag: String,
    #[serde(rename = "part-end")]
    end: String,
}

/// Renders all parts.
pub(super) fn all(table: &TableSnapshot) -> PageParts {
    PageParts {
        seats: seats(table).into_string(),
        status: status(table).into_string(),
        recap: recap(table).into_string(),
        entry: entry::entry(table).into_string(),
        offers: controls::offers(table).into_string(),
        flip: flip(table).into_string(),
        steps: steps(table).into_string(),
        analysis: analysis::panel(table).into_string(),
        share: share(table).into_string(),
        watch: watch_link(table).into_string(),
        actions: controls::actions(table).into_string(),
        moves: moves(table).into_string(),
        luck: luck::panel(table).into_string(),
        record: record(table).into_string(),
        lag: clocks::allowances(table).into_string(),
        end: end::content(table).into_string(),
    }
}

/// Returns the seat on turn while the game is in progress.
fn on_turn(table: &TableSnapshot) -> Option<u8> {
    match table.game.view.turn {
        TableTurn::Move { seat } if table.game.view.status == TableStatus::Playing => Some(seat),
        _ => None,
    }
}

pub(super) fn seats(table: &TableSnapshot) -> Markup {
    let on_turn = on_turn(table);
    html! {
        ul aria-label="Players" {
            @for seat in &table.game.view.seats {
                li data-turn[on_turn == Some(seat.seat)] {
                    b class={ "badge seat-" (seat.seat) } title=(seat.label) { (badge(&seat.label)) }
                    span.player {
                        span.name.long[is_long(phrases::player_name(seat))] title=[seat.name.as_deref()] { @if seat.kind == "open" { "Open seat" } @else { (name(seat)) } }
                        span.small.soft { @if let Some(face) = face(table, seat) { (face) " " } @if badge(&seat.label) != seat.label { span.role { (seat.label) } } (standing(table, seat, on_turn)) }
                    }
                    (series_score(table, seat))
                    (clocks::face(table, seat))
                }
            }
        }
    }
}

/// Returns the face of the bot of the house in a seat.
fn face(table: &TableSnapshot, seat: &SeatView) -> Option<Face> {
    *table.game.faces.get(usize::from(seat.seat))?
}

/// Renders a player's points in the series of rematches; nothing in its first game.
fn series_score(table: &TableSnapshot, seat: &SeatView) -> Markup {
    let points = table.game.view.series.get(usize::from(seat.seat));
    html! {
        @if let Some(points) = points {
            b.series title="Points in this series of games" { (phrases::points(*points)) span.hidden { " in the series" } }
        }
    }
}

/// True if a name may not fit on one line beside a clock on a small phone.
fn is_long(name: &str) -> bool {
    /// Widths of a usual and of a wide letter, in tenths of the latter.
    const WIDTHS: [usize; 2] = [6, 10];
    /// Width of the line.
    const ROOM: usize = 96;
    let is_wide = |c: char| c.is_uppercase() || !c.is_ascii() || matches!(c, 'm' | 'w' | '@');
    let width = name.chars().map(|c| WIDTHS[usize::from(is_wide(c))]);
    width.sum::<usize>() > ROOM
}

/// Shortens a seat's label to fit into its badge.
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

/// Renders a player's name; a member's links to the profile.
fn name(seat: &SeatView) -> Markup {
    let name = phrases::player_name(seat);
    html! { @if seat.member { a href={ "/players/" (name) } { bdi { (name) } } } @else { bdi { (name) } } @if let Some(owner) = &seat.owner { " " span.tag title={ "Bot of " (owner) } { "bot" } } }
}

/// Returns the rating of the player in a seat.
pub(super) fn rated<'a>(table: &'a TableSnapshot, seat: &SeatView) -> Option<&'a PlayerRating> {
    table
        .surroundings
        .ratings
        .get(usize::from(seat.seat))?
        .as_ref()
}

/// Renders a player's rating and a note on the seat. After a rated game there is room for one of the
/// two.
fn standing(table: &TableSnapshot, seat: &SeatView, on_turn: Option<u8>) -> Markup {
    let rated = rated(table, seat);
    let note = seat_note(table, seat, on_turn);
    let counted = rated.is_some_and(|rated| rated.change.is_some());
    let is_named = badge(&seat.label) != seat.label;
    let answers = seat.rematch || seat.declined_rematch;
    let shows_rating = rated.is_some() && !(counted && answers);
    html! {
        @if shows_rating { @if is_named { " · " } (rating::beside(rated)) }
        @if let Some(person) = &seat.stands_in_for {
            span.doing.for { @if is_named { span.dot { " · " } } "for " bdi { (person) } @if note != "computer" { ", " (note) } }
        } @else if !counted || answers { span.doing { @if is_named || shows_rating { " · " } (note) } }
    }
}

/// Returns true if a seat is asked for a move out of turn.
fn is_asked(table: &TableSnapshot, seat: &SeatView) -> bool {
    let asked = table.game.view.asked.as_ref();
    asked.is_some_and(|asked| asked.seats.contains(&seat.seat))
}

/// Returns a note on a seat of about two words. Beside a clock, which tells whose turn it is, it is the
/// same in all turns, so that nothing moves.
fn seat_note(table: &TableSnapshot, seat: &SeatView, on_turn: Option<u8>) -> &'static str {
    let mine = table.may.seats.contains(&seat.seat);
    let is_away = on_turn == Some(seat.seat) && !mine && controls::is_away(table);
    let on_turn = on_turn.filter(|_| table.game.view.clock.is_none());
    match seat.kind {
        _ if seat.rematch => "wants a rematch",
        _ if seat.declined_rematch => "no rematch",
        _ if seat.has_client() && seat.ready && controls::awaits_first_move(table) => {
            if mine {
                "you, ready"
            } else {
                "ready"
            }
        }
        _ if is_asked(table, seat) => "asked",
        _ if is_away && on_turn.is_none() => "away",
        _ if is_away => "away, to move",
        _ if on_turn == Some(seat.seat) && table.game.asker.is_some() => "asked",
        _ if on_turn == Some(seat.seat) && !mine => "to move",
        "bot" if seat.owner.is_none() => "computer",
        "open" => "waiting",
        _ if mine && on_turn == Some(seat.seat) && table.may.is_on_turn => "your turn",
        _ if mine => "you",
        _ => "player",
    }
}

pub(super) fn status(table: &TableSnapshot) -> Markup {
    let note = controls::note(table);
    let how = end::how_below_result(table);
    let tells =
        table.game.kind.has_luck() && table.board.step > 0 && !end::is_told_by_result(table);
    html! {
        span.brief[note.is_some() || tells || (how.is_some() && !end::is_told_by_result(table))].yours-now[table.may.is_on_turn].won-now[end::has_won(table)] {
            span.says { (phrases::status_line(table)) }
            @if table.board.step < table.game.moves.len() && table.game.view.status == TableStatus::Playing {
                span.later { " · " a href=(address(table, table.game.moves.len())) data-step=(table.game.moves.len()) title="Back to the game" { "Back to the game" } }
            }
        }
        @if let Some(note) = note { span.recent.note { (note) } }
        @else if let Some(how) = how { span.recent.how { (how) } }
        @else if tells {
            @let recent = phrases::recent_events(table);
            @if recaps(table) && !recent.is_empty() {
                button.whole type="button" popovertarget="recap" title="All that has happened" { span.recent { (recent) } }
            } @else {
                span.recent title=(recent) { (recent) }
            }
        }
    }
}

/// True if the banner may lack room for all that has happened since the viewer's last move.
fn recaps(table: &TableSnapshot) -> bool {
    let is_latest = table.board.step == table.game.moves.len();
    table.game.kind.is_narrated() && is_latest && phrases::recap(table).len() > 1
}

/// Renders the panel with what has happened since the viewer's last move. It opens over the page from the
/// banner.
pub(super) fn recap_panel(table: &TableSnapshot) -> Markup {
    html! {
        @if table.game.kind.is_narrated() {
            section #recap popover aria-labelledby="recap-title" {
                h2 #recap-title { "What has happened" }
                div #part-recap { (recap(table)) }
            }
        }
    }
}

/// Renders what has happened since the viewer's last move.
pub(super) fn recap(table: &TableSnapshot) -> Markup {
    html! {
        @if recaps(table) { ol { @for event in phrases::recap(table) { li { (event) } } } }
    }
}

/// Renders the button to flip the board, in games where that makes a difference.
pub(super) fn flip(table: &TableSnapshot) -> Markup {
    if !viewpoint::can_flip(table.game.kind) {
        return html! {};
    }
    html! {
        form.flip method="post" action={ "/t/" (table.game.view.id) "/flip" } data-live {
            @if let Some(draft) = &table.board.draft { (entry::draft_fields(table, &draft.steps)) }
            button aria-pressed=(table.board.flipped) aria-label="Flip the board" title="Flip the board" { "Flip" }
        }
    }
}

pub(super) fn steps(table: &TableSnapshot) -> Markup {
    let (step, last) = (table.board.step, table.game.moves.len());
    let link = |to: Option<usize>, name: &str, sign: &str| {
        html! {
            @match to.filter(|to| *to <= last && *to != step) {
                Some(to) => a href=(address(table, to)) data-step=(to) aria-label=(name) { (PreEscaped(sign)) },
                None => span.off aria-hidden="true" { (PreEscaped(sign)) },
            }
        }
    };
    html! {
        // A viewer who sits down finds the arrows where they were.
        @if table.game.kind.is_narrated() { (watch_again(table)) }
        (link(Some(0), "First position", "&#8676;"))
        (link(step.checked_sub(1), "Previous move", "&#8592;"))
        span.where { (table.where_in_game()) }
        (link(Some(step + 1), "Next move", "&#8594;"))
        (link(Some(last), "Latest move", "&#8677;"))
    }
}

/// Renders the link that shows again, step by step, what has happened since the viewer's last move.
fn watch_again(table: &TableSnapshot) -> Markup {
    let (moves, step) = (&table.game.moves, table.board.step);
    let since = history::own_last(moves, &table.may.seats);
    html! {
        @match since.filter(|since| *since < moves.len() && step == moves.len()) {
            Some(since) => a.again href=(address(table, since)) data-tell=(since) aria-label="Watch again what has happened since your last move"
                title="Watch again what has happened since your last move" { "↺" },
            None => span.again.off aria-hidden="true" { "↺" },
        }
    }
}

/// Returns the URL of a table's page at a step.
pub(super) fn address(table: &TableSnapshot, step: usize) -> String {
    if step == table.game.moves.len() {
        format!("/t/{}", table.game.view.id)
    } else {
        format!("/t/{}?step={step}", table.game.view.id)
    }
}

/// Returns the URL of a step relative to a table's page. The list of moves has many.
fn relative_address(table: &TableSnapshot, step: usize) -> String {
    if step == table.game.moves.len() {
        address(table, step)
    } else {
        format!("?step={step}")
    }
}

pub(super) fn moves(table: &TableSnapshot) -> Markup {
    let lines = history::lines(&table.game.moves, on_turn(table));
    let starts: Vec<usize> = lines
        .iter()
        .filter_map(|line| line.parts.first())
        .map(|(step, _)| *step)
        .collect();
    let ends = starts.iter().copied().chain([usize::MAX]);
    let mut news = once(0).chain(starts.iter().copied()).zip(ends);
    let mut news = || news.next().map_or(0..0, |(from, to)| from..to);
    html! {
        section.card {
            h2 { "Moves" }
            ol.moves tabindex="0" aria-label="Moves" {
                @for line in &lines {
                    (handovers(table, &news()))
                    li { (line_of(table, line)) }
                }
                (handovers(table, &news()))
            }
        }
    }
}

/// Renders the changes of players after these steps.
fn handovers(table: &TableSnapshot, steps: &Range<usize>) -> Markup {
    let changes = table.game.handovers.iter();
    html! {
        @for change in changes.filter(|change| steps.contains(&change.step)) {
            li.news { span.small.soft { (phrases::handover(table, change)) } }
        }
    }
}

fn line_of(table: &TableSnapshot, line: &history::MoveLine<'_>) -> Markup {
    if line.folded {
        return luck_of(table, line);
    }
    let seat = line
        .seat
        .and_then(|seat| table.game.view.seats.get(usize::from(seat)));
    let who = seat.map_or("⚂", |seat| seat.label.as_str());
    let last = line.parts.len().saturating_sub(1);
    html! {
        @for (n, (step, played)) in line.parts.iter().enumerate() {
            a href=(relative_address(table, *step)) data-step=(step) aria-current=[(*step == table.board.step).then_some("step")] {
                @if n == 0 {
                    @if let Some(number) = line.number { span.no { (number) "." } }
                    b { (who) }
                }
                span { (played.label) @if n < last { ":" }
                    @if let Some(asked) = line.asked.filter(|_| n == 0) { (analysis::beside(table, asked)) }
                    (analysis::beside(table, *step))
                }
                @if let Some(took) = played.took { i { (clocks::duration(took)) } }
            }
        }
    }
}

/// Renders several draws in a row as one link, to the last of them.
fn luck_of(table: &TableSnapshot, line: &history::MoveLine<'_>) -> Markup {
    let (first, last) = (
        line.parts.first().map_or(0, |(n, _)| *n),
        line.parts.last().map_or(0, |(n, _)| *n),
    );
    let labels: Vec<&str> = line
        .parts
        .iter()
        .map(|(_, played)| played.label.as_str())
        .collect();
    html! {
        a href=(relative_address(table, last)) data-step=(last) aria-current=[(first..=last).contains(&table.board.step).then_some("step")] {
            b { "⚂" }
            span { (labels.join("; ")) }
        }
    }
}

/// Renders the watchers' link of a private table, for its players.
pub(super) fn watch_link(table: &TableSnapshot) -> Markup {
    let link = table.surroundings.watch_link.as_ref();
    let Some(link) = link.filter(|_| !table.may.seats.is_empty()) else {
        return html! {};
    };
    html! {
        details.card {
            summary { "Let others watch" }
            p.small.soft { "This table is private. Whoever has this link can watch, but not play." }
            div.share {
                input #watch-link type="text" readonly value=(link) aria-label="Link for watchers";
                button type="button" data-copy { "Copy" }
            }
        }
    }
}

/// Renders the link to share, or the form to take a seat. It lies over the list of moves, which has
/// none as long as a seat is open, so that nothing moves when the game begins.
pub(super) fn share(table: &TableSnapshot) -> Markup {
    let view = &table.game.view;
    if view.status != TableStatus::Open {
        return html! {};
    }
    let invited = view.listed || table.surroundings.invite.is_some();
    if table.may.seats.is_empty() {
        return html! {
            section.card {
                h2 { "Take a seat" }
                @if invited { (join(table)) } @else { p { "A seat at this table is taken with its invite link: ask its host for it." } }
            }
        };
    }
    html! {
        section.card {
            h2 { "Invite a friend" }
            @if invited {
                p.small.soft { "Anyone who opens this link can take a seat. No account needed." }
                div.share {
                    input #link type="text" readonly value=(table.surroundings.link) aria-label="Link to this table";
                    button type="button" data-copy { "Copy" }
                }
            } @else {
                p { "Others join with the invite link that you got when you made this table." }
            }
            div.actions { (controls::button(table, "leave", "Leave the table", "")) }
        }
    }
}

fn join(table: &TableSnapshot) -> Markup {
    let id = table.game.view.id;
    if table.game.view.rated && table.surroundings.member.is_none() {
        let back = table
            .surroundings
            .invite
            .as_ref()
            .map(|invite| format!("?invite={}", invite.as_str()))
            .unwrap_or_default();
        return html! {
            p { "This game is rated, so you need an account to play." }
            a.button.main href={ "/login?next=/t/" (id) (back) } { "Sign in to play" }
        };
    }
    html! {
        form method="post" action={ "/t/" (id) "/join" } data-live {
            @if let Some(invite) = &table.surroundings.invite { input type="hidden" name="invite" value=(invite.as_str()); }
            @if let Some(name) = &table.surroundings.member {
                p { "Playing as " b { bdi { (name) } } "." }
                (luck::field(table))
                button.main { "Take the seat" }
            } @else {
                (luck::field(table))
                div.row {
                    label.field {
                        span { "Your name" }
                        input name="name" maxlength="40" placeholder="Guest" autocomplete="nickname" value=[table.surroundings.name.as_deref()];
                    }
                    button.main { "Take the seat" }
                }
            }
        }
    }
}

/// Renders links to the game as files.
pub(super) fn record(table: &TableSnapshot) -> Markup {
    let id = table.game.view.id;
    html! {
        p.small.soft {
            a href={ "/api/v1/tables/" (id) "/record" } download={ "parlor-" (id) ".json" } { "Game record" } " · "
            a href={ "/api/v1/tables/" (id) "/svg" } download={ "parlor-" (id) ".svg" } { "Picture" }
        }
        details.small.soft {
            summary { "Play through git" }
            p { code { "git clone " (table.surroundings.remote) } }
            p { "To move, commit a move file and push it. Use an API token from your account page as the password. The README in the clone explains the rest." }
        }
    }
}
