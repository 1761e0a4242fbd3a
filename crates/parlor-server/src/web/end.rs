//! Panel that shows the result when a game ends while its page is open.

use maud::{Markup, html};
use parlor_games::OutcomeView;
use parlor_table::{EndReason, TableStatus};

use super::analysis::AnalysisState;
use super::snapshot::TableSnapshot;
use super::{controls, page_parts, phrases, rating};

/// Number of paper shreds that fall over the panel for a winner.
const SHREDS: usize = 24;

/// Renders the panel without its content. It lies over the page, so that nothing moves when it opens;
/// the script opens it.
pub(super) fn panel(table: &TableSnapshot) -> Markup {
    html! {
        section #end popover="manual" aria-labelledby="end-title" {
            div #part-end { (content(table)) }
        }
    }
}

/// Renders the content of the panel; empty until the game is over.
pub(super) fn content(table: &TableSnapshot) -> Markup {
    let view = &table.game.view;
    if !matches!(view.status, TableStatus::Over | TableStatus::Aborted) {
        return html! {};
    }
    html! {
        @if has_won(table) { div.shreds aria-hidden="true" { @for _ in 0..SHREDS { i {} } } }
        div.head {
            h2 #end-title { (phrases::status_line(table)) }
            button.close type="button" data-end-close aria-label="Close" title="Close" { "×" }
        }
        (note(table))
        (ratings(table))
        div.actions {
            (again(table))
            (look_back(table))
            @if is_asked(table) { (controls::button(table, "rematch/decline", "Not now", "leave")) }
            @else { a.button.leave href="/#new" { "New game" } }
        }
    }
}

/// Renders who asks for a rematch or, before anybody does, how the game ended: in one line, so that
/// the panel does not grow.
fn note(table: &TableSnapshot) -> Markup {
    let asking = controls::rematch_requests(table);
    let others = table
        .game
        .view
        .seats
        .iter()
        .filter(|seat| seat.declined_rematch);
    let declined: Vec<u8> = others
        .map(|seat| seat.seat)
        .filter(|seat| !table.may.seats.contains(seat))
        .collect();
    html! {
        @if table.may.seats.is_empty() || table.game.view.next.is_some() {
            @if let Some(how) = how(table) { p.how { (how) } }
        } @else if controls::wants_rematch(table) {
            p.asked role="status" { (controls::rematch_wait(table)) }
        } @else if !asking.is_empty() {
            p.asked.rematch role="status" { (controls::names(table, &asking)) " wants a rematch." }
        } @else if !declined.is_empty() {
            p.asked role="status" { (controls::names(table, &declined)) " doesn't want a rematch." }
        } @else {
            p.how { (how(table).as_deref().unwrap_or("\u{a0}")) }
        }
    }
}

/// True if the viewer is asked for a rematch.
fn is_asked(table: &TableSnapshot) -> bool {
    !table.may.seats.is_empty()
        && table.game.view.next.is_none()
        && !controls::wants_rematch(table)
        && !controls::rematch_requests(table).is_empty()
}

/// True if the viewer's side won, whatever the seat.
pub(super) fn has_won(table: &TableSnapshot) -> bool {
    let seats = &table.may.seats;
    match table.game.view.ending.and_then(|ending| ending.outcome) {
        Some(OutcomeView::Won { seat, .. }) => seats.contains(&seat),
        Some(OutcomeView::TeamWon) => !seats.is_empty(),
        Some(OutcomeView::Draw | OutcomeView::TeamLost) | None => false,
    }
}

/// True if the result that the banner says is the end of a game by a player's decision or the clock, which
/// it names itself, and nothing else has to be told.
pub(super) fn is_told_by_result(table: &TableSnapshot) -> bool {
    let ending = table.game.view.ending;
    table.board.step == table.game.moves.len()
        && ending.is_some_and(|ending| ending.how != EndReason::Rules)
}

/// Returns what the banner says below the result: how a game without luck ended by the rules, or for how many
/// points it ended otherwise. A game with luck tells its latest events there.
pub(super) fn how_below_result(table: &TableSnapshot) -> Option<String> {
    let ending = table.game.view.ending?;
    match (ending.how, ending.outcome) {
        (EndReason::Rules, _) if table.game.kind.has_luck() => None,
        (EndReason::Rules, _) => how(table),
        (_, Some(OutcomeView::Won { points, .. })) if points > 1 && is_told_by_result(table) => {
            Some(format!("{points} points."))
        }
        _ => None,
    }
}

/// Returns how the game ended: by the rules, with the last events if they say no more, or otherwise.
fn how(table: &TableSnapshot) -> Option<String> {
    let ending = table.game.view.ending?;
    let how = match ending.how {
        EndReason::Rules => {
            let how = table.latest_news();
            return how
                .or_else(|| Some(phrases::last_events(table)).filter(|events| !events.is_empty()));
        }
        EndReason::Time => "Time ran out.",
        // The title of the panel says that everybody has left.
        EndReason::Resignation if ending.outcome == Some(OutcomeView::TeamLost) => return None,
        EndReason::Resignation => "By resignation.",
        EndReason::Agreement => "By agreement.",
        EndReason::Claim => "One player had left.",
        EndReason::Abort => return None,
    };
    Some(match ending.outcome {
        Some(OutcomeView::Won { points, .. }) if points > 1 => format!("{how} {points} points."),
        _ => how.to_owned(),
    })
}

/// Renders the players' ratings before and after a rated game.
fn ratings(table: &TableSnapshot) -> Markup {
    let changed = table.game.view.seats.iter().filter_map(|seat| {
        let rated = page_parts::rated(table, seat).filter(|rated| rated.change.is_some())?;
        Some((seat, rated))
    });
    let changed: Vec<_> = changed.collect();
    html! {
        @if !changed.is_empty() {
            ul.ratings aria-label="Ratings" {
                @for (seat, rated) in changed { li { b { bdi { (phrases::player_name(seat)) } } " " (rating::change(rated)) } }
            }
        }
    }
}

/// Renders what leads to another game with the same players.
fn again(table: &TableSnapshot) -> Markup {
    if let Some(next) = table.game.view.next {
        return html! { a.button.main href={ "/t/" (next) } { "Go to the rematch" } };
    }
    if table.may.seats.is_empty() {
        return html! {};
    }
    html! {
        @if controls::wants_rematch(table) { (controls::asked_rematch()) }
        @else { (controls::button(table, "rematch", if is_asked(table) { "Play again" } else { "Rematch" }, "main series-on")) }
    }
}

/// Renders the way to the analysis or, in games without one, to the first position.
fn look_back(table: &TableSnapshot) -> Markup {
    match &table.surroundings.analysis {
        Some(AnalysisState::Offered) => html! {
            form method="post" action={ "/t/" (table.game.view.id) "/analysis" } data-live data-leads="part-analysis" { button { "Analyze" } }
        },
        Some(AnalysisState::Requested(_)) => {
            html! { a.button href="#part-analysis" data-end-close data-leads="part-analysis" { "Analysis" } }
        }
        None if table.game.moves.is_empty() => html! {},
        None => {
            html! { a.button href=(page_parts::address(table, 0)) data-step="0" data-end-close { "Replay" } }
        }
    }
}
