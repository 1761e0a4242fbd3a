//! Clocks next to the players. The server renders their state at the time of the response; the
//! script keeps them running.

use maud::{Markup, html};
use parlor_table::{ClockView, LagView, SeatView, TimeControl, Timestamp};

use super::phrases;
use super::snapshot::TableSnapshot;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Below this, tenths of a second are shown.
const CLOSE: i64 = 10 * SECOND;

/// Renders the clock of a seat; empty at tables without clocks.
pub(super) fn face(table: &TableSnapshot, seat: &SeatView) -> Markup {
    let Some(clock) = &table.game.clock else {
        return html! {};
    };
    let Some(left) = left(clock, seat.seat, table.game.now) else {
        return html! {};
    };
    let running = clock.running == Some(seat.seat);
    let standing = standing(clock, seat.seat, table.game.now);
    let allowance = lag(clock, seat).map(|lag| format!("Network delay: {}", allowance(lag)));
    html! {
        span.clock.runs[running] role="timer" aria-live="off" aria-label={ "Time of " (phrases::player_name(seat)) } title=[allowance] data-clock=(seat.seat) data-delay=[standing] {
            (digits(left))
        }
    }
}

/// Returns what the clocks allow a seat for the delay of the network; `None` where they allow nothing.
fn lag(clock: &ClockView, seat: &SeatView) -> Option<LagView> {
    let lag = clock.lag.get(usize::from(seat.seat));
    lag.filter(|_| seat.has_client()).copied()
}

/// Describes what was allowed for the last move, and what can be for the next one.
fn allowance(lag: LagView) -> String {
    let LagView {
        measured_ms: measured,
        allowed_ms: allowed,
        quota_ms: most,
    } = lag;
    match measured {
        0 => format!("up to {most} ms of a move are not charged"),
        _ => format!(
            "{measured} ms measured, {allowed} ms not charged, up to {most} ms for the next move"
        ),
    }
}

/// Renders what the clocks allow the players for the delay of the network; empty where they allow nothing.
pub(super) fn allowances(table: &TableSnapshot) -> Markup {
    let seats = table.game.view.seats.iter();
    let lags = seats.filter_map(|seat| Some((seat, lag(table.game.clock.as_ref()?, seat)?)));
    html! {
        @for (seat, lag) in lags {
            p.small.soft { "Network delay of " bdi { (phrases::player_name(seat)) } ": " (allowance(lag)) "." }
        }
    }
}

/// Returns the time a seat has left at a moment, in milliseconds.
fn left(clock: &ClockView, seat: u8, now: Timestamp) -> Option<i64> {
    let left = *clock.left_ms.get(usize::from(seat))?;
    let passed = passed(clock, seat, now) - clock.delay_ms;
    Some((left - passed.max(0)).max(0))
}

/// Returns the seconds for which a running clock still stands, rounded up; `None` if it doesn't.
fn standing(clock: &ClockView, seat: u8, now: Timestamp) -> Option<i64> {
    let is_running = clock.running == Some(seat) && clock.since.is_some();
    let ms = clock.delay_ms - passed(clock, seat, now);
    (is_running && ms > 0).then(|| (ms + SECOND - 1) / SECOND)
}

/// Returns the time since the clock of a seat was last charged, in milliseconds; 0 if it doesn't run.
fn passed(clock: &ClockView, seat: u8, now: Timestamp) -> i64 {
    let since = clock.since.filter(|_| clock.running == Some(seat));
    since.map_or(0, |since| (now.millis() - since.millis()).max(0))
}

/// Formats a time as on a clock: "5:00", "1:02:03", "0:09.4", "2 d 4 h".
fn digits(ms: i64) -> String {
    let (seconds, minutes, hours) = (ms / SECOND % 60, ms / MINUTE % 60, ms / HOUR);
    match ms {
        DAY.. => format!("{} d {} h", ms / DAY, hours % 24),
        HOUR.. => format!("{hours}:{minutes:02}:{seconds:02}"),
        CLOSE.. => format!("{minutes}:{seconds:02}"),
        _ => format!("0:{seconds:02}.{}", ms % SECOND / 100),
    }
}

/// Formats a duration briefly: "3.2 s", "1 min 20 s", "2 d 4 h".
pub(super) fn duration(ms: i64) -> String {
    match ms.max(0) {
        ms @ DAY.. => digits(ms),
        ms @ HOUR.. => format!("{} h {} min", ms / HOUR, ms / MINUTE % 60),
        ms @ MINUTE.. => format!("{} min {} s", ms / MINUTE, ms / SECOND % 60),
        ms @ CLOSE.. => format!("{} s", ms / SECOND),
        ms => format!("{}.{} s", ms / SECOND, ms % SECOND / 100),
    }
}

/// Renders the countdown until the game is called off for lack of a first move; `None` if it is not.
pub(super) fn deadline(table: &TableSnapshot) -> Option<Markup> {
    let clock = table.game.view.clock.as_ref();
    let due = clock.filter(|clock| clock.aborts)?.due_at?;
    let left = countdown(due, table.game.now, "Time left to start");
    Some(html! {
        span data-urgent {
            @if table.may.is_on_turn { "Move within " (left) ", or the game is called off." }
            @else { "Called off in " (left) " without a first move." }
        }
    })
}

/// Renders the time until `due`, which the script counts down.
pub(super) fn countdown(due: Timestamp, now: Timestamp, label: &str) -> Markup {
    let left = (due.millis() - now.millis()).max(0);
    html! {
        span role="timer" aria-live="off" aria-label=(label) data-due=(due.millis()) { (digits(left)) }
    }
}

/// Returns the label and the tooltip of the button that gives the opponent time: "+15 s".
pub(super) fn extra_time(control: TimeControl) -> (&'static str, &'static str) {
    if control.is_correspondence() {
        ("+1 day", "+1 day for your opponent")
    } else {
        ("+15 s", "+15 s for your opponent")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_show_tenths_at_the_end_and_days_at_the_start() {
        let shown = [
            0,
            9_999,
            10_000,
            59_999,
            300_000,
            3_599_000,
            3_723_000,
            100 * HOUR,
        ]
        .map(digits);
        assert_eq!(
            shown,
            [
                "0:00.0", "0:09.9", "0:10", "0:59", "5:00", "59:59", "1:02:03", "4 d 4 h"
            ]
        );
    }

    #[test]
    fn a_delay_passes_before_the_clock_runs() {
        let clock = ClockView {
            control: TimeControl::delay(60_000, 8_000).unwrap(),
            words: String::new(),
            left_ms: vec![60_000, 50_000],
            running: Some(1),
            since: Some(Timestamp::from_millis(100_000)),
            delay_ms: 8_000,
            lag: Vec::new(),
            due_at: None,
            aborts: false,
        };
        let shown = |seat, ms: i64| {
            let now = Timestamp::from_millis(100_000 + ms);
            (left(&clock, seat, now), standing(&clock, seat, now))
        };
        assert_eq!(shown(1, -5), (Some(50_000), Some(8)));
        assert_eq!(shown(1, 7_001), (Some(50_000), Some(1)));
        assert_eq!(shown(1, 8_000), (Some(50_000), None));
        assert_eq!(shown(1, 10_000), (Some(48_000), None));
        assert_eq!(shown(0, 10_000), (Some(60_000), None));
    }

    #[test]
    fn the_allowance_for_the_network_is_told() {
        let lag = |measured_ms, allowed_ms| LagView {
            measured_ms,
            allowed_ms,
            quota_ms: 1_170,
        };
        assert_eq!(
            allowance(lag(0, 0)),
            "up to 1170 ms of a move are not charged"
        );
        assert_eq!(
            allowance(lag(450, 390)),
            "450 ms measured, 390 ms not charged, up to 1170 ms for the next move"
        );
    }

    #[test]
    fn durations_are_short() {
        let said = [-5, 3_250, 12_400, 80_000, 2 * HOUR + 5 * MINUTE, 50 * HOUR].map(duration);
        assert_eq!(
            said,
            [
                "0.0 s",
                "3.2 s",
                "12 s",
                "1 min 20 s",
                "2 h 5 min",
                "2 d 2 h"
            ]
        );
    }
}
